"""Laws of what is read from bytes where it is written plainly: a comment, which rules that way out, changes nothing."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scanner import parse_source
from scanner.records import FileScan

PATHS = st.sampled_from(["a.ts", "a.tsx", "a.js"])
GAPS = st.sampled_from(["", " ", "  ", "\n", "\t", "\r\n", " \n ", "/*c*/", " /* , */ ", "//c\n", "\u00a0"])
BLANKS = st.sampled_from([" ", "  ", "\n", "\t", "\r\n", " /*c*/ ", "\u2003", " //c\n"])
PLAIN_NAMES = ["A", "b1", "$c", "_d", "Längen", "of", "get", "source", "defer", "module"]
KEYWORDS = [
    "type",
    "typeof",
    "as",
    "from",
    "default",
    "class",
    "import",
    "\\u0061b",
    "x\\u{62}",
    "'s t'",
    '"q"',
]
NAMES = st.sampled_from(PLAIN_NAMES * 3 + KEYWORDS)
MODULES = st.sampled_from(
    [
        "'./x'",
        '"./x"',
        "'@scope/pack-age'",
        "''",
        "'a\\x62c'",
        "'\\u0061'",
        "'ü'",
        '"it\'s"',
        "'a\\\nb'",
        "`t`",
    ]
)
TAILS = st.sampled_from(
    ["", ";", " ;", "\n;", " with { type: 'json' }", ' assert { type: "json" };', "/*c*/;"]
)


@st.composite
def specifiers(draw: st.DrawFn) -> str:
    """Generate what stands in braces, the braces included."""
    entries = []
    for _ in range(draw(st.integers(0, 4))):
        words = [draw(NAMES)]
        if draw(st.booleans()):
            words += ["as", draw(NAMES)]
        words[:0] = draw(st.sampled_from([[], [], ["type"], ["typeof"]]))
        entries.append(draw(GAPS) + draw(BLANKS).join(words) + draw(GAPS))
    return "{" + ",".join(entries) + draw(st.sampled_from(["", "", ",", " , "])) + "}"


@st.composite
def imports(draw: st.DrawFn) -> tuple[str, str]:
    """Generate an import declaration, and the same with a comment behind its first word."""
    blank, gap = draw(BLANKS), draw(GAPS)
    space = f"*{gap}as{blank}{draw(NAMES)}"
    clause = draw(st.sampled_from(["default", "names", "space", "default, names", "default, space", ""]))
    parts = {"default": draw(NAMES), "names": draw(specifiers()), "space": space}
    written = f"{draw(GAPS)},{draw(GAPS)}".join(parts[part] for part in clause.split(", ") if part)
    keyword = draw(st.sampled_from(["", "", "type", "typeof"]))
    rest = f"{keyword}{draw(GAPS)}{written}{gap}from{draw(GAPS)}" if clause else ""
    rest = f"{blank}{rest}{draw(MODULES)}{draw(TAILS)}"
    return f"import{rest}", f"import/**/{rest}"


@st.composite
def exports(draw: st.DrawFn) -> tuple[str, str]:
    """Generate an export clause, and the same with a comment behind its first word."""
    whole = draw(st.sampled_from(["*", f"*{draw(GAPS)}as{draw(BLANKS)}{draw(NAMES)}"]))
    clause = draw(st.one_of(specifiers(), st.just(whole)))
    keyword = draw(st.sampled_from(["", "", "type"]))
    source = draw(st.sampled_from(["", f"{draw(GAPS)}from{draw(GAPS)}{draw(MODULES)}"]))
    rest = f"{draw(GAPS)}{keyword}{draw(GAPS)}{clause}{source}{draw(TAILS)}"
    return f"export{rest}", f"export/**/{rest}"


TYPE_WORDS = st.sampled_from(
    [
        "string",
        "number",
        "boolean",
        "any",
        "unknown",
        "never",
        "bigint",
        "symbol",
        "void",
        "object",
        "null",
        "undefined",
        "this",
        "true",
        "false",
        "Date",
        "Foo_1",
        "asserts",
        "is",
        "const",
        "keyof",
        "typeof",
        "unique",
        "readonly",
        "infer",
        "new",
        "abstract",
        "import",
        "intrinsic",
        "type",
        "enum",
        "$x",
        "Größe",
        "a.b",
        "\\u0041b",
        "1",
        "'one'",
        '"two"',
        "'a|b'",
        "'<'",
        "'it\\'s'",
        "'ö'",
        "{a:string}",
        "{[K",
        "in_T]:K}",
        "[string]",
        "()=>void",
        "-1",
        "`t`",
    ]
).map(lambda word: word.replace("in_", " in "))


@st.composite
def types(draw: st.DrawFn, depth: int = 2) -> str:
    """Generate a type: words, type arguments, arrays, unions, oddly spaced."""
    branches = []
    for _ in range(draw(st.sampled_from([1, 1, 2, 3]))):
        branch = draw(TYPE_WORDS)
        if depth and draw(st.integers(0, 3)) == 0:
            arguments = draw(st.lists(types(depth - 1), min_size=1, max_size=2))
            branch += f"<{','.join(arguments)}>"
        branches.append(branch + draw(st.sampled_from(["", "", "[]", "[ ]", "[][]"])))
    lead = draw(st.sampled_from(["", "", "", "|"]))
    return draw(GAPS) + lead + f"{draw(GAPS)}|{draw(GAPS)}".join(branches) + draw(GAPS)


def sound_scan(text: str, path: str) -> FileScan:
    scan = parse_source(text, path)
    assume(not scan.errors)
    return scan


@settings(max_examples=400, deadline=None)
@given(imports(), PATHS)
def test_a_comment_in_an_import_changes_nothing(statements: tuple[str, str], path: str) -> None:
    plain, commented = (sound_scan(text, path) for text in statements)

    assert plain == commented


@settings(max_examples=400, deadline=None)
@given(exports(), PATHS)
def test_a_comment_in_an_export_changes_nothing(statements: tuple[str, str], path: str) -> None:
    plain, commented = (sound_scan(text, path) for text in statements)

    assert plain == commented


@settings(max_examples=400, deadline=None)
@given(types(), st.sampled_from(["a.ts", "a.tsx"]))
@pytest.mark.parametrize(
    "place", ["class C {{ a:{} = 1 }}", "class C {{ m(a?:{}): void {{}} }}", "class C {{ m():{} {{}} }}"]
)
def test_a_comment_in_an_annotation_changes_nothing(place: str, written: str, path: str) -> None:
    plain, commented = (sound_scan(place.format(text), path) for text in (written, f"/**/{written}"))

    assert plain == commented


@settings(max_examples=400, deadline=None)
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
