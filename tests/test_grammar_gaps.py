"""The page about grammar gaps says what is so: every example on it is read here."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from repair_readings import fault_texts

from scanner.syntax.grammar import Dialect, parse_bytes
from scanner.syntax.parsing import parse_source_bytes
from scanner.syntax.repair import RULES, may_be_misread, plan_repairs
from scanner.syntax.repair.stream import TokenStream
from scanner.syntax.syntax_errors import error_cost

PAGE = (Path(__file__).parent.parent / "docs" / "grammar-gaps.md").read_text("utf-8")
BLOCKS = re.compile(
    r"^### ([^\n]+)$|^## ([^\n]+)$|^```(tsx?)(?: (\w+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True)
class Example:
    """One example of the page: the section it stands in, what is said of it, and the code."""

    section: str
    kind: str
    dialect: Dialect
    source: str

    def __str__(self) -> str:
        return f"{self.section}-{self.source}"


def examples() -> list[Example]:
    found = []
    section = ""
    for match in BLOCKS.finditer(PAGE):
        heading, chapter, suffix, kind, block = match.groups()
        section = heading or chapter or section
        dialect = Dialect.TSX if suffix == "tsx" else Dialect.TYPESCRIPT
        for source in (block or "").strip("\n").split("\n\n"):
            if source:
                text = source.replace("\\u2028", "\u2028")
                found.append(Example(section, kind or "refused", dialect, text))
    return found


def of_kind(*kinds: str) -> list[Example]:
    chosen = [example for example in examples() if example.kind in kinds]
    assert chosen
    return chosen


@pytest.mark.parametrize("example", of_kind("refused", "silent"), ids=str)
def test_a_mended_gap_gives_no_syntax_error(example: Example):
    assert fault_texts(example.source, example.dialect) == []


@pytest.mark.parametrize("example", of_kind("refused"), ids=str)
def test_a_mended_gap_needs_its_rule(example: Example):
    data = example.source.encode()
    assert error_cost(parse_bytes(data, example.dialect).root_node) > 0
    assert example.section in {repair.name for repair in plan_repairs(data, example.dialect)}


@pytest.mark.parametrize("example", of_kind("silent"), ids=str)
def test_a_silent_misreading_is_found_and_read_otherwise(example: Example):
    data = example.source.encode()
    misread = parse_bytes(data, example.dialect).root_node
    assert error_cost(misread) == 0
    assert may_be_misread(data, misread)
    assert str(parse_source_bytes(data, example.dialect).root) != str(misread)


@pytest.mark.parametrize("example", of_kind("open"), ids=str)
def test_an_open_gap_is_still_open(example: Example):
    assert fault_texts(example.source, example.dialect)


@pytest.mark.parametrize("example", of_kind("misread"), ids=str)
def test_an_open_misreading_takes_a_comparison_for_a_call(example: Example):
    parsed = parse_source_bytes(example.source.encode(), example.dialect)
    assert parsed.syntax_errors == ()
    assert "type_arguments" in str(parsed.root)


@pytest.mark.parametrize("example", of_kind("lax"), ids=str)
def test_lax_reading_is_still_lax(example: Example):
    assert fault_texts(example.source, example.dialect) == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_rule_has_its_section(rule):
    name = rule(TokenStream(b"", Dialect.TYPESCRIPT)).name
    assert name in {example.section for example in of_kind("refused")}
