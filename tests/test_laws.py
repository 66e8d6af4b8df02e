"""Laws that hold for every source and every tree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from parity_cases import source_cases

from scanner.artifacts import build_artifacts
from scanner.file_scan import parse_source, scan_bytes
from scanner.options import Depth, ScanOptions
from scanner.outcomes import conclude_package, conclude_project
from scanner.packages import Package
from scanner.syntax.grammar import dialect_of_path
from scanner.syntax.lexer import tokenize
from scanner.syntax.tokens import Token
from workers.inspection import inspect_source

# The manifest takes some texts over as they are written: columns of report decorators and unreadable config values.
TEXT_KEEPING = {"report-decorators-odd-arguments.ts", "table-strategy-unusual-values.ts"}
CASES = [
    case
    for folder in ("classes-fields", "methods-types", "manifest")
    for case in source_cases(folder)
    if case.name not in TEXT_KEEPING and not case.name.startswith("broken-")
]
TRIVIA = (b" ", b"/* } ' ` */", b"\t", b" /**/ ", b"/* @smrt() class Fake {} */")


def meaning(data: bytes, name: str) -> Any:
    """What a source comes to: its models and manifest, without texts and places."""
    document = json.loads(inspect_source(data, name))
    return document["resolved"], document["manifest"], len(document["raw"]["errors"])


def with_trivia(data: bytes, tokens: list[Token], chosen: dict[int, bytes]) -> bytes:
    parts, offset = [], 0
    for index, token in enumerate(tokens):
        parts += [data[offset : token.start], chosen.get(index, b"")]
        offset = token.start
    return b"".join([*parts, data[offset:]])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@settings(max_examples=8, deadline=None)
@given(draw=st.data())
def test_comments_and_blanks_between_tokens_change_nothing(case: Path, draw: st.DataObject) -> None:
    data = case.read_bytes()
    tokens = tokenize(data, dialect_of_path(case.name))
    boundaries = [index for index, token in enumerate(tokens) if _may_be_parted(data, token, case.suffix)]
    chosen = draw.draw(
        st.dictionaries(st.sampled_from(boundaries), st.sampled_from(TRIVIA), min_size=1, max_size=40)
    )

    assert meaning(with_trivia(data, tokens, chosen), case.name) == meaning(data, case.name)


def _may_be_parted(data: bytes, token: Token, suffix: str) -> bool:
    """Whether a comment before a token would be one.

    The brace that ends a substitution belongs to the text behind it, signs that touch may be one operator, and behind
    a tag or an expression among markup a comment would be text.
    """
    if suffix != ".ts" and data[: token.start].rstrip()[-1:] in {b">", b"}"}:
        return False
    is_inside_template = data[token.start : token.start + 1] == b"}" and token.kind.value.startswith(
        "template"
    )
    touches = data[max(0, token.start - 1) : token.start + 1]
    return not is_inside_template and not set(touches) <= set(b"<>/=")


SOURCES = {f"src/{case.name}": case.read_bytes() for case in source_cases("manifest")}


@settings(max_examples=10, deadline=None)
@given(st.permutations(sorted(SOURCES)))
def test_the_order_of_files_changes_no_artifact_byte(order: list[str]) -> None:
    scans = {path: scan_bytes(data, path) for path, data in SOURCES.items()}
    package = Package("", "@acme/all", "1.0.0")
    options = ScanOptions(depth=Depth.FULL)

    def artifacts(paths: list[str]) -> dict[str, bytes]:
        outcome = conclude_package(package, [scans[path] for path in paths], options)
        return build_artifacts(conclude_project([outcome]), options)

    assert artifacts(order) == artifacts(sorted(SOURCES))


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400), st.sampled_from(["a.ts", "a.tsx", "a.js", "a.jsx", "a.d.ts"]))
def test_no_bytes_make_scanning_raise(data: bytes, name: str) -> None:
    assert scan_bytes(data, name).file_path == name


fragments = st.sampled_from(
    [
        "@smrt(",
        "{",
        "}",
        "...A",
        "class X ",
        "extends ",
        "SmrtObject",
        "(",
        ")",
        "<",
        ">",
        "'",
        "`",
        "${",
        "[",
        "]",
        "=",
        ";",
        "\n",
    ]
    + [
        "const A = {",
        "a: 1",
        ",",
        "@field({",
        "export ",
        "default ",
        "abstract ",
        "static ",
        "enum E {",
        "type T = ",
        "|",
        "import ",
        "from",
    ]
)


@settings(max_examples=200, deadline=None)
@given(st.lists(fragments, max_size=60))
def test_no_broken_program_makes_scanning_raise(parts: list[str]) -> None:
    document = json.loads(inspect_source("".join(parts).encode(), "broken.ts"))

    assert {"raw", "resolved", "manifest", "warnings"} <= document.keys()


DEEP = 100_000


@pytest.mark.parametrize(
    "source",
    [
        "class A { x = " + "[" * DEEP + "]" * DEEP + "; y = 1; }",
        "class A { x: " + "(" * DEEP + "string" + ")" * DEEP + "; y = 1; }",
        "class A { x: " + "A<" * DEEP + "B" + ">" * DEEP + "; y = 1; }",
        "class A { x: B" + "[]" * DEEP + "; y = 1; }",
        "class A { x: " + "B | " * DEEP + "C; y = 1; }",
        "class A { m(a: " + "{ b: " * DEEP + "C" + "}" * DEEP + ") {} y = 1; }",
        "@smrt({ a: " + "{ a: " * DEEP + "1" + "}" * DEEP + " }) class A { y = 1; }",
        "@smrt({ a: " + "(" * DEEP + "1" + ")" * DEEP + " }) class A { y = 1; }",
        "class A { @field({ a: " + "[" * DEEP + "]" * DEEP + " }) y = 1; }",
        "class A { y = 1; m() " + "{" * DEEP + "}" * DEEP + " }",
        "const C = { a: 1 }; f" + "(C" * DEEP + ")" * DEEP + "; @smrt({ ...C }) class A { y = 1; }",
        "{" * DEEP + "}" * DEEP + " class A { y = 1; }",
        "class A extends a" + ".b" * DEEP + " { y = 1; }",
        "class A { @foreignKey(() => " + "(" * DEEP + "B" + ")" * DEEP + ") y = 1; }",
        "'a' + " * DEEP + "'b'; class A { s = " + "'a' + " * DEEP + "'b'; y = 1; }",
    ],
    ids=lambda source: source[:30],
)
def test_deep_nesting_costs_neither_the_process_nor_the_class(source: str) -> None:
    scan = parse_source(source, "deep.ts")

    assert not [error for error in scan.errors if error.code == "syntax-error"]
    assert "y" in [field.name for raw in scan.classes for field in raw.fields]


@pytest.mark.parametrize("declaration", ["x: {}", "m(a: {}) {{}}", "m(): {} {{}}"])
def test_a_type_too_deep_to_name_is_reported_where_it_stands(declaration: str) -> None:
    source = "class A {\n" + declaration.format("A<" * 300 + "B" + ">" * 300) + "\n}"

    assert [(error.code, error.line) for error in parse_source(source, "deep.ts").errors] == [
        ("nesting-too-deep", 2)
    ]


@pytest.mark.parametrize("join", [", ", " | ", " & "])
def test_a_long_type_without_a_name_is_not_taken_for_a_deep_one(join: str) -> None:
    source = "class A { x: [" + join.join(["a.b"] * 300) + "] }"

    assert parse_source(source, "wide.ts").errors == ()
