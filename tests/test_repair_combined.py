"""Gaps in all combinations: classes made of parts that the grammars refuse or misread, with members known beforehand."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repair_readings import fault_texts, members, parse

from scanner.file_scan import parse_source
from scanner.syntax.grammar import Dialect

NAMES = st.sampled_from(
    [
        *(
            "a",
            "using",
            "abstract",
            "accessor",
            "as",
            "type",
            "get",
            "static",
            "async",
            "declare",
            "readonly",
        ),
        *("namespace", "of", "is", "in", "new", "class", "asserts", "override", "let", "satisfies"),
    ]
)
TYPES = st.sampled_from(
    [
        *("T", "string[]", "import('x').Y[]", "readonly import('x').Y<Z>[]", "typeof import('x')"),
        *("(string) => void", "({ a }?: T) => void", "A<<T>(x: T) => T>", "{ [K in T] }", "abstract"),
        *("{ [namespace in keyof M]: M[namespace] }", "{ abstract: boolean }", "[string: T, any?: U]"),
        *(
            "`a${T}`",
            "asserts",
            "{ a: B\n<T>(b: T): T }",
            "{ readonly [K in T as U]-?; }",
            "keyof import('x')",
        ),
    ]
)
VALUES = st.sampled_from(
    [
        *(
            "1",
            "using(() => 1)",
            "using.x",
            "db.query<Row[]>`select`",
            "tag`\\u`",
            "a ?.5 : 1",
            "new new A()",
        ),
        *("async as => 1", "b as import('x').Y[]", "class { accessor: T }", "() => {}", "function () {}"),
        *("b!", "b++", "<T>(x: T): T => x", "[using, as]", "{ using, as: 1 }", "x as A<<T>(y: T) => T>"),
    ]
)
DECORATORS = st.sampled_from(
    ["", "@d ", "@d()\n", "@(d)() ", "@d()() ", "@(d as T)\n", "@d`x` ", "@(d ?? e)\n"]
)
MODIFIERS = st.sampled_from(
    ["", "static ", "readonly ", "private ", "static\n", "protected static readonly "]
)
GAPS = st.sampled_from([" ", "\n", " // c\n", " /* c */ "])


@dataclass(frozen=True)
class Part:
    """The source of one member, and how a list of members shows it."""

    source: str
    shown: str


@st.composite
def fields(draw: st.DrawFn) -> Part:
    modifiers, name = draw(MODIFIERS), draw(NAMES)
    annotation = draw(st.one_of(st.just(""), TYPES.map(lambda type_: f": {type_}")))
    value = draw(st.one_of(st.just(""), VALUES.map(lambda value: f" = {value}")))
    source = f"{draw(DECORATORS)}{modifiers}{name}{annotation}{value}"
    return Part(source, " ".join([*modifiers.split(), name]))


@st.composite
def methods(draw: st.DrawFn) -> Part:
    modifiers = draw(st.sampled_from(["", "static ", "private ", "async ", "static\n", "static async "]))
    name, returned = draw(NAMES), draw(TYPES)
    body = draw(
        st.sampled_from(["{}", "{ return !using }", "{ for (using x of y) {} }", "{ using x: T = y }"])
    )
    source = f"{draw(DECORATORS)}{modifiers}{name}(p: {draw(TYPES)}): {returned} {body}"
    return Part(source, " ".join([*modifiers.split(), f"{name}()"]))


PARTS = st.lists(fields() | methods(), min_size=1, max_size=6)


@settings(max_examples=300, deadline=None)
@given(PARTS)
def test_members_are_known_whatever_gaps_stand_side_by_side(parts: list[Part]):
    source = (
        "class A<in T> extends B<import('x').C> {\n" + "".join(f"{part.source};\n" for part in parts) + "}"
    )
    assert fault_texts(source) == []
    assert members(source)[: len(parts)] == [part.shown for part in parts]


@settings(max_examples=300, deadline=None)
@given(PARTS)
def test_names_types_and_values_are_taken_from_the_source(parts: list[Part]):
    source = (
        "@smrt() export class A extends SmrtObject {\n" + "".join(f"{part.source};\n" for part in parts) + "}"
    )
    record = parse_source(source, "a.ts").classes[0]
    wanted = [part.shown.split()[-1] for part in parts]
    found = [field.name for field in record.fields] + [f"{method.name}()" for method in record.methods]
    assert sorted(found) == sorted(wanted)
    assert all(field.initializer is None or field.initializer in source for field in record.fields)


@settings(max_examples=100, deadline=None)
@given(st.lists(fields(), min_size=1, max_size=4), GAPS)
def test_comments_and_line_ends_before_a_semicolon_change_nothing(parts: list[Part], gap: str):
    plain = "class A {\n" + "".join(f"{part.source};\n" for part in parts) + "}"
    spaced = "class A {\n" + "".join(f"{part.source}{gap};\n" for part in parts) + "}"
    assert members(spaced) == members(plain)


@pytest.mark.parametrize("end", ["", ";"])
@pytest.mark.parametrize("comment", [" // c", " /* c */", " /* c */ // d", "\n // c"])
@pytest.mark.parametrize(
    "value",
    ["() => {}", "function () {}", "a || (() => { /* b */ })", "async () => { b }", "c ? 1 : () => {}"],
)
def test_a_comment_behind_a_value_is_no_part_of_it(value: str, comment: str, end: str):
    scan = parse_source(f"class A {{ a = {value}{end}{comment}\n b = 1 }}", "a.ts")
    assert [field.initializer for field in scan.classes[0].fields] == [value, "1"]


@pytest.mark.parametrize("value", ["<br/>", "<a>b</a>", "<a>{b}< /a>"])
def test_markup_ends_before_a_computed_member(value: str):
    assert members(f"class A {{ a = {value}\n['b'] = 1\n c = 2 }}", Dialect.TSX) == ["a", "['b']", "c"]


def test_a_declaration_behind_let_keeps_its_line():
    parsed = parse("let\n  a = 1;\nclass A { b = 1 }")
    assert [node.type for node in parsed.root.named_children] == ["lexical_declaration", "class_declaration"]
    assert parsed.source.line(parsed.root.named_children[1].start_byte) == 3
