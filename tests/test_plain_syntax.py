"""Laws of what is read from bytes where it is written plainly: a comment, which rules that way out, changes nothing."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scanner import parse_source
from scanner.records import FileScan

PATHS = st.sampled_from(["a.ts", "a.tsx", "a.js"])
PLAIN_GAPS = ["", " ", "  ", "\n", "\t", "\r\n", " \n "]
ODD_GAPS = ["", " ", "/*c*/", " /* , */ ", "//c\n", "\u00a0", "\f"]
PLAIN_NAMES = ["A", "b1", "$c", "_d", "of", "get", "source", "defer", "default", "typed", "asA"]
ODD_NAMES = [
    "A",
    "type",
    "typeof",
    "as",
    "from",
    "class",
    "import",
    "Länge",
    "\\u0061b",
    "x\\u{62}",
    "'s t'",
    '"q"',
]
PLAIN_MODULES = ["'./x'", '"./x"', "'@scope/pack-age'", "''"]
ODD_MODULES = ["'a\\x62c'", "'\\u0061'", "'ü'", '"it\'s"', "'a\\\nb'", "`t`"]
PLAIN_TAILS = ["", ";", " ;", "\n;"]
ODD_TAILS = [" with { type: 'json' }", ' assert { type: "json" };', "/*c*/;"]


class Style:
    """Draws parts of statements, odd ones only where the statement is to be odd."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.is_odd = draw(st.booleans())

    def one_of(self, plain: list[str], odd: list[str]) -> str:
        return self.draw(st.sampled_from(plain + odd if self.is_odd else plain))

    @property
    def gap(self) -> str:
        return self.one_of(PLAIN_GAPS, ODD_GAPS)

    @property
    def blank(self) -> str:
        return self.gap + " "

    @property
    def name(self) -> str:
        return self.one_of(PLAIN_NAMES, ODD_NAMES)

    @property
    def source(self) -> str:
        return f"from{self.gap}{self.one_of(PLAIN_MODULES, ODD_MODULES)}"

    @property
    def tail(self) -> str:
        return self.one_of(PLAIN_TAILS, ODD_TAILS)

    @property
    def space(self) -> str:
        return f"*{self.gap}as{self.blank}{self.name}"

    @property
    def names(self) -> str:
        entries = [self._entry() for _ in range(self.draw(st.integers(0, 4)))]
        return "{" + ",".join(entries) + self.one_of(["", "", ",", " , "], []) + "}"

    def _entry(self) -> str:
        words = [self.name]
        if self.draw(st.booleans()):
            words += ["as", self.name]
        if self.draw(st.integers(0, 3)) == 0:
            words[:0] = [self.one_of(["type"], ["typeof"])]
        return self.gap + self.blank.join(words) + self.gap


@st.composite
def imports(draw: st.DrawFn) -> tuple[str, str]:
    """Generate an import declaration, and the same with a comment behind its first word."""
    style = Style(draw)
    parts = {"default": style.name, "names": style.names, "space": style.space}
    clause = draw(st.sampled_from(["default", "names", "space", "default, names", "default, space"]))
    written = f"{style.gap},{style.gap}".join(parts[part] for part in clause.split(", "))
    keyword = style.one_of(["", "", "type "], ["type", "typeof "])
    gap = style.gap if written.endswith("}") else style.blank
    rest = f"{style.blank}{keyword}{style.gap}{written}{gap}{style.source}{style.tail}"
    if draw(st.integers(0, 9)) == 0:
        rest = f"{style.gap}{style.one_of(PLAIN_MODULES, ODD_MODULES)}{style.tail}"
    return f"import{rest}", f"import/**/{rest}"


@st.composite
def exports(draw: st.DrawFn) -> tuple[str, str]:
    """Generate an export clause, and the same with a comment behind its first word."""
    style = Style(draw)
    clause = draw(st.sampled_from([style.names, style.names, "*", style.space]))
    keyword = style.one_of(["", "", " type"], [])
    source = style.blank + style.source if clause.startswith("*") or draw(st.booleans()) else ""
    rest = f"{keyword}{style.gap}{clause}{source}{style.tail}"
    return f"export{rest}", f"export/**/{rest}"


KEYWORD_TYPES = (
    "string number boolean any unknown never bigint symbol void object null undefined this true false"
)
OTHER_WORDS = "asserts is const keyof typeof unique readonly infer new abstract import intrinsic type enum"
OTHER_TYPES = [
    *("Date", "Foo_1", "$x", "Größe", "a.b", "\\u0041b", "1", "-1", "`t`", "()=>void", "[string]"),
    *(
        "'one'",
        '"two"',
        "'a|b'",
        "'<'",
        "'it\\'s'",
        "'ö'",
        "{ a: string }",
        "{ [K in T]: K }",
        "{ [k: string]: K }",
    ),
]
TYPE_WORDS = st.sampled_from([*KEYWORD_TYPES.split(" "), *OTHER_WORDS.split(" "), *OTHER_TYPES])


@st.composite
def types(draw: st.DrawFn, depth: int = 2) -> str:
    """Generate a type: words, type arguments, arrays, unions, oddly spaced."""
    style = Style(draw)
    branches = []
    for _ in range(draw(st.sampled_from([1, 1, 2, 3]))):
        branch = draw(TYPE_WORDS)
        if depth and draw(st.integers(0, 3)) == 0:
            arguments = draw(st.lists(types(depth - 1), min_size=1, max_size=2))
            branch += f"<{','.join(arguments)}>"
        branches.append(branch + style.one_of(["", "", "[]"], ["[ ]", "[][]"]))
    lead = draw(st.sampled_from(["", "", "", "|"]))
    return style.gap + lead + f"{style.gap}|{style.gap}".join(branches) + style.gap


def sound_scan(text: str, path: str) -> FileScan:
    scan = parse_source(text, path)
    assume(not scan.errors)
    return scan


@settings(max_examples=250, deadline=None)
@given(imports(), PATHS)
def test_a_comment_in_an_import_changes_nothing(statements: tuple[str, str], path: str) -> None:
    plain, commented = (sound_scan(text, path) for text in statements)

    assert plain == commented


@settings(max_examples=250, deadline=None)
@given(exports(), PATHS)
def test_a_comment_in_an_export_changes_nothing(statements: tuple[str, str], path: str) -> None:
    plain, commented = (sound_scan(text, path) for text in statements)

    assert plain == commented


@settings(max_examples=100, deadline=None)
@given(types(), st.sampled_from(["a.ts", "a.tsx"]))
@pytest.mark.parametrize(
    "place", ["class C {{ a:{} = 1 }}", "class C {{ m(a?:{}): void {{}} }}", "class C {{ m():{} {{}} }}"]
)
def test_a_comment_in_an_annotation_changes_nothing(place: str, written: str, path: str) -> None:
    plain, commented = (sound_scan(place.format(text), path) for text in (written, f"/**/{written}"))

    assert plain == commented


@settings(max_examples=150, deadline=None)
@given(types(), st.sampled_from(["a.ts", "a.tsx"]))
def test_parentheses_around_an_aliased_type_change_nothing(written: str, path: str) -> None:
    assume("intrinsic" not in written)  # a keyword where it stands alone
    plain, bracketed = (sound_scan(f"type A = {text}", path) for text in (written, f"({written}\n)"))

    assert plain == bracketed


@pytest.mark.parametrize(
    ("statement", "bindings"),
    [
        ("import type, { A } from 'x'", [("type", "default", False), ("A", "A", False)]),
        ("import type from 'x'", [("type", "default", False)]),
        ("import type from from 'x'", [("from", "default", True)]),
        ("import { type } from 'x'", [("type", "type", False)]),
        ("import { type A, type B as C } from 'x'", [("A", "A", True), ("C", "B", True)]),
        ("import { default as A, } from 'x'", [("A", "default", False)]),
        ("import type * as ns from 'x'", [("ns", "*", True)]),
        ("import{A}from'x'", [("A", "A", False)]),
    ],
)
def test_words_of_an_import_clause_are_told_from_names(
    statement: str, bindings: list[tuple[str, str, bool]]
) -> None:
    found = parse_source(statement, "a.ts").imports

    assert [(item.local, item.imported, item.is_type_only) for item in found] == bindings
    assert {item.module for item in found} == {"x"}
