"""How changes are told to people: the gravest first, safely whatever sources hold, and within limits."""

from __future__ import annotations

from pathlib import Path

from change_trees import SHOP, between
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from workers.changes import Action, Change, Comparison, Exposure, Impact, Remark, Subject
from workers.reporting.changes_markdown import MAX_LENGTH, render_changes_markdown
from workers.reporting.changes_text import render_changes_text
from workers.reporting.wording import one_line

IMPORTS = "import { defineIntent } from '@happyvertical/smrt-web/intents';\n"
INTENT = "defineIntent({ id: 'a.b', description: 'd', target: { registry: 'control', action: 'focus' } });\n"
OLD = {
    **SHOP,
    "src/a.ts": "@smrt({ api: { include: ['list'] } }) export class Ant extends SmrtObject { legs = 6; }\n"
    "@smrt({ api: false }) export class Bee extends SmrtObject { act(a: string) {} }\n",
    "other/package.json": '{"name": "@acme/other"}',
    "other/b.ts": "@smrt({ label: 'C' }) export class Cat extends SmrtObject {}\n",
    "other/i.ts": IMPORTS,
}
NEW = {
    **SHOP,
    "package.json": '{"name": "@acme/shop", "version": "1.1.0"}',
    "src/a.ts": "@smrt({ api: { include: ['list'] } }) export class Ant extends SmrtObject { legs = 8; }\n"
    "@smrt({ api: { exclude: ['delete'] } }) export class Bee extends SmrtObject { act(a: string, b = 1) {} }\n"
    "const = 1;\n",
    "other/package.json": '{"name": "@acme/other"}',
    "other/b.ts": "@smrt({ label: 'D' }) export class Cat extends SmrtObject {}\n",
    "other/i.ts": IMPORTS + INTENT,
}


def test_text_is_grouped_with_the_gravest_first(tmp_path: Path) -> None:
    assert list(render_changes_text(between(tmp_path, OLD, NEW))) == [
        "@acme/shop",
        "  Bee",
        (
            '    breaking    [opened] api was false and is {"exclude": ["delete"]}. Whoever reaches the surface can do more'
            " than before."
        ),
        (
            '    compatible  method act parameter b was absent and is {"name": "b", "type": "any", "optional": true}. The parameter can'
            " be left out."
        ),
        "  Ant",
        "    compatible  field legs default was 6 and is 8. New rows start with another value; stored ones keep theirs.",
        '  cosmetic    package packageVersion was "1.0.0" and is "1.1.0". It says nothing about models.',
        "",
        "Agent surface",
        "  a.b",
        "    compatible  [opened] intent added. It is new: agents can ask for it.",
        "",
        "Diagnostics",
        "  src/a.ts",
        "    compatible  syntax-error added in line 3: Cannot read this as part of the program: const =. It was not there before.",
        "",
        "@acme/other",
        "  Cat",
        '    cosmetic    label was "C" and is "D". It is for people only.',
        "",
        "7 changes: 1 breaking, 4 compatible, 2 cosmetic. Surfaces: 2 opened.",
    ]


def test_markdown_shows_what_breaks_and_folds_the_rest(tmp_path: Path) -> None:
    text = render_changes_markdown(between(tmp_path, OLD, NEW))

    assert text == (
        "**7 changes: 1 breaking, 4 compatible, 2 cosmetic. Surfaces: 2 opened.**\n"
        "\n"
        "### 1 breaking change\n"
        "\n"
        "- **`@acme/shop`**\n"
        "  - `Bee`\n"
        '    - **opened:** `api` was `false` and is `{"exclude": ["delete"]}`. Whoever reaches the surface can do more'
        " than before.\n"
        "\n"
        "<details><summary>4 compatible changes</summary>\n"
        "\n"
        "- **`@acme/shop`**\n"
        "  - `Ant`\n"
        "    - field `legs` `default` was `6` and is `8`. New rows start with another value; stored ones keep theirs.\n"
        "  - `Bee`\n"
        '    - method `act` parameter `b` was absent and is `{"name": "b", "type": "any", "optional": true}`. The parameter can be'
        " left out.\n"
        "- **Agent surface**\n"
        "  - `a.b`\n"
        "    - **opened:** intent added. It is new: agents can ask for it.\n"
        "- **Diagnostics**\n"
        "  - `src/a.ts`\n"
        "    - `syntax-error` added in line 3: `Cannot read this as part of the program: const =`. It was not there before.\n"
        "\n"
        "</details>\n"
        "\n"
        "<details><summary>2 cosmetic changes</summary>\n"
        "\n"
        "- **`@acme/other`**\n"
        "  - `Cat`\n"
        '    - `label` was `"C"` and is `"D"`. It is for people only.\n'
        "- **`@acme/shop`**\n"
        '  - package `packageVersion` was `"1.0.0"` and is `"1.1.0"`. It says nothing about models.\n'
        "\n"
        "</details>\n"
    )


def test_nothing_changed() -> None:
    assert render_changes_markdown(Comparison(())) == "**Nothing changed.**\n"
    assert list(render_changes_text(Comparison(()))) == ["Nothing changed."]


def field(number: int, impact: Impact = Impact.BREAKING) -> Change:
    return Change(
        Subject.FIELD, Action.REMOVED, impact, "Why.", "@a/b", f"Class{number // 3:04}", f"field{number}"
    )


def test_many_breaking_changes_are_folded_too() -> None:
    few, many = (render_changes_markdown(Comparison(tuple(map(field, range(n))))) for n in (25, 200))

    assert "<details>" not in few
    assert "<details><summary>200 breaking changes</summary>" in many
    assert many.count("\n    - field") == 200


def test_what_does_not_fit_is_counted() -> None:
    changes = [field(number) for number in range(3000)]
    changes += [field(number, Impact.COSMETIC) for number in range(3000)]
    text = render_changes_markdown(Comparison(tuple(changes)))
    shown = text.count("\n    - field")

    assert len(text) <= MAX_LENGTH
    assert 500 < shown < 3000
    assert f"- and {3000 - shown} further changes, not shown here" in text
    assert "<details><summary>3000 cosmetic changes</summary>\n\n- and 3000 further changes" in text
    assert text.count("<details>") == text.count("</details>") == 2


TEXTS = st.text(
    st.one_of(
        st.sampled_from("`|<>&*_[]()@#!\\~-+=\"' \n\r\t\0\x1b\u2028\u202e\ud800/dehilpsta1"),
        st.characters(),
    ),
    max_size=12,
)
HOSTILE = st.builds(
    Change,
    subject=st.sampled_from(Subject),
    action=st.sampled_from(Action),
    impact=st.sampled_from(Impact),
    reason=st.just("Why."),
    package=TEXTS | st.none(),
    name=TEXTS,
    member=TEXTS | st.none(),
    aspect=TEXTS,
    before=TEXTS | st.none(),
    after=st.fixed_dictionaries({"type": TEXTS, "message": TEXTS, "line": st.just(1)}) | TEXTS,
    exposure=st.sampled_from(Exposure) | st.none(),
    actions=st.lists(TEXTS, max_size=2).map(tuple),
)
COMPARISONS = st.lists(HOSTILE, min_size=1, max_size=4).map(
    lambda changes: Comparison(
        tuple(sorted(changes, key=lambda change: change.sort_key)),
        (Remark("A remark.", tuple(change.name for change in changes)),),
    )
)


def flat(tokens: list[Token]) -> list[Token]:
    return [item for token in tokens for item in (token, *flat(token.children or []))]


@given(COMPARISONS)
def test_markdown_holds_texts_of_sources_in_code_spans_alone(comparison: Comparison) -> None:
    tokens = flat(MarkdownIt("commonmark").parse(render_changes_markdown(comparison)))
    spans = [token.content for token in tokens if token.type == "code_inline"]
    others = {token.content for token in tokens if token.type == "text"}
    html = [token.content.strip() for token in tokens if token.type in {"html_block", "html_inline"}]

    for change in comparison.changes:
        wanted = one_line(change.name) or '""'
        assert wanted.strip() in {span.strip() for span in spans}
    assert not {
        kind for kind in (token.type for token in tokens) if kind in {"link_open", "image", "fence", "hr"}
    }
    assert all(item == "</details>" or item.startswith("<details><summary>") for item in html)
    assert all(text.isascii() or "…" in text for text in others)


def test_no_heading_is_a_command_for_a_build_service() -> None:
    change = Change(
        Subject.PLAYBOOK, Action.REMOVED, Impact.BREAKING, "Why.", name="::error::no", package="##[group]"
    )
    other = Change(Subject.PACKAGE, Action.REMOVED, Impact.BREAKING, "Why.", package=" ##[group]x")
    lines = list(render_changes_text(Comparison((other, change))))

    assert lines[0] == '" ##[group]x"'
    assert '  "::error::no"' in lines
    assert not any(line.lstrip().startswith(("::", "##[")) for line in lines)


@given(COMPARISONS)
def test_text_has_one_safe_line_for_each_change(comparison: Comparison) -> None:
    lines = list(render_changes_text(comparison))

    assert sum(". Why." in line for line in lines) >= len(comparison.changes)
    for line in lines:
        assert line == one_line(line)
        line.encode()
