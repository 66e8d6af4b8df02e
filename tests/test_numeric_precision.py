"""Which names speak of money or rates, and that the quick test never rules out a finding."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.file_scan import parse_source
from scanner.numeric_precision import (
    MONEY_WORDS,
    RATE_WORDS,
    classify_numeric_field_name,
    lint_numeric_precision,
    source_may_contain_numeric_precision_issue,
)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("taxRate", "rate"),
        ("amountCents", None),
        ("totalTokensUsed", None),
        ("VATRate", "rate"),
        ("HTTPTotal", "money"),
        ("unit_price", "money"),
        ("$total", "money"),
        ("price2", None),
        ("grossTotalNet", "money"),
        ("weight", None),
        ("größePrice", "money"),
        ("", None),
    ],
)
def test_a_name_is_classified_by_its_head_noun(name: str, kind: str | None) -> None:
    found = classify_numeric_field_name(name)

    assert (None if found is None else found.value) == kind


_words = st.sampled_from(sorted(MONEY_WORDS | RATE_WORDS | {"net", "unit", "label", "k"}))


@given(st.lists(_words, min_size=1, max_size=3), st.sampled_from(["1", "1.5", "-0.5"]), st.booleans())
def test_the_quick_test_never_rules_out_a_finding(words: list[str], value: str, escaped: bool) -> None:
    name = words[0] + "".join(word.capitalize() for word in words[1:])
    written = "".join(f"\\u{ord(char):04x}" for char in name) if escaped else name
    source = f"@smrt() class Model {{ {written} = {value}; }}"

    if lint_numeric_precision([parse_source(source, "model.ts")]):
        assert source_may_contain_numeric_precision_issue(source)
        assert source_may_contain_numeric_precision_issue(source.encode())


def test_a_source_without_any_of_the_words_is_ruled_out() -> None:
    assert not source_may_contain_numeric_precision_issue("class Plain { weight = 1.5; }")
