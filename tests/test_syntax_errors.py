"""Faults of broken sources: where they are, how many, and that no input is too much."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tree_sitter import Tree

from scanner.syntax.grammar import Dialect, parse_bytes
from scanner.syntax.parsing import ParsedSource, parse_source_bytes
from scanner.syntax.syntax_errors import MAX_FAULTS, SyntaxFault, error_cost, find_syntax_faults

DIALECTS = st.sampled_from(list(Dialect))
SNIPPETS = st.lists(
    st.sampled_from(
        [
            *(
                "class A {",
                "}",
                "(",
                ")",
                "x",
                "static",
                "accessor",
                "get",
                "\n",
                ";",
                ": T",
                "= 1",
                "@a()",
                "[k]",
            ),
            *(
                "import('x').Y",
                "using",
                "<",
                ">",
                "`${",
                "}`",
                "=>",
                "export type *",
                "from 'x'",
                "abstract",
                "as",
            ),
            *(
                "<div>",
                "</div>",
                "a & b",
                "'",
                "interface I {",
                "type X =",
                "function f",
                "\0",
                "?",
                "readonly",
            ),
        ]
    ),
    max_size=30,
).map(" ".join)


class CountingParser:
    """A parse function that counts its calls."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, data: bytes, dialect: Dialect) -> Tree:
        self.calls += 1
        return parse_bytes(data, dialect)


def parse(source: str, dialect: Dialect = Dialect.TYPESCRIPT) -> ParsedSource:
    return parse_source_bytes(source.encode(), dialect)


def fault_texts(source: str) -> list[str]:
    return [
        source.encode()[fault.start_byte : fault.end_byte].decode() for fault in parse(source).syntax_errors
    ]


@pytest.mark.parametrize(
    "source",
    ["", "\n", "const a = 1", "\ufeffclass A { a = 1 }", "#!/bin/sh\nlet a", "// nothing", "export {}"],
)
def test_sound_sources_have_no_fault(source: str):
    assert parse(source).syntax_errors == ()


def test_a_missing_token_is_named():
    source = "const a = f({ b: 1 );\n"
    (fault,) = parse(source).syntax_errors
    assert fault == SyntaxFault(18, 18, "}")


def test_a_stray_token_is_pointed_at():
    assert fault_texts("class A { a = 1 }\nlet b = = 2;\nclass C {}") == ["="]


def test_faults_are_sorted_and_bounded():
    faults = parse("let a = = 1;\n" * 100).syntax_errors
    assert len(faults) == MAX_FAULTS
    assert [fault.start_byte for fault in faults] == [6 + 13 * line for line in range(MAX_FAULTS)]


def test_an_error_around_a_smaller_one_is_reported_at_the_smaller_one():
    source = "class A {\n  a = 1;\n  b = (;\n" + "  c = 2;\n" * 3
    (fault, *_) = parse(source).syntax_errors
    assert fault.start_byte >= source.index("b")


def test_a_sound_tree_costs_nothing_and_wider_damage_costs_more():
    def cost(source: bytes) -> int:
        return error_cost(parse_bytes(source, Dialect.TYPESCRIPT).root_node)

    assert cost(b"let a = 1") == 0
    assert 0 < cost(b"let a = = 1") < cost(b"let a = = 1; let b = = 1")


def test_faults_and_cost_of_a_sound_tree_are_found_without_entering_it():
    root = parse_bytes(b"class A { a = 1 }", Dialect.TYPESCRIPT).root_node
    assert find_syntax_faults(root) == ()


@pytest.mark.parametrize(
    ("source", "dialect"),
    [
        ("class A { a = 1; static b: string; get c() { return 1 } }", Dialect.TYPESCRIPT),
        ("export const a = (b: C) => <div title='x'>{b}</div>", Dialect.TSX),
        ("export class A {\n  static a = 1\n  async b() {}\n}\n", Dialect.JAVASCRIPT),
        ("// a readonly\nclass A {}\n/**\n * is static\n */\nfunction f() {}", Dialect.TYPESCRIPT),
        ("const xs = [\n  [1],\n  [2],\n]\nfunction g() {}\n(f)", Dialect.TYPESCRIPT),
    ],
)
def test_a_sound_source_is_parsed_once(source: str, dialect: Dialect):
    parser = CountingParser()
    assert parse_source_bytes(source.encode(), dialect, parser).syntax_errors == ()
    assert parser.calls == 1


@pytest.mark.parametrize(
    "source", ["class A { static\n a = 1 }", "class A { accessor\n a = 1 }", "let a = = 1; type as = 2"]
)
def test_misread_and_broken_sources_are_parsed_again(source: str):
    parser = CountingParser()
    parse_source_bytes(source.encode(), Dialect.TYPESCRIPT, parser)
    assert 1 < parser.calls < 40


def test_plain_javascript_with_types_is_read_as_typescript():
    parsed = parse("class A { private a: string = 'x'; accessor b = 1 }", Dialect.JAVASCRIPT)
    assert parsed.syntax_errors == ()
    assert "public_field_definition" in str(parsed.root)


def test_broken_javascript_stays_javascript():
    parsed = parse("class A { a = = 1 }", Dialect.JAVASCRIPT)
    assert parsed.syntax_errors
    assert "field_definition" in str(parsed.root)


def test_nul_bytes_are_blanks():
    source = "class A { a = 'x\0y'; b = 1 } // \0"
    parsed = parse(source)
    assert parsed.syntax_errors == ()
    assert parsed.source.data == source.encode()


@settings(max_examples=300, deadline=None)
@given(st.binary() | st.text().map(str.encode) | SNIPPETS.map(str.encode), DIALECTS)
@example(b"@(@(@(@(", Dialect.JAVASCRIPT)
@example(b"\xe2\x80\xa8class A { static\xe2\x80\xa9a }", Dialect.TYPESCRIPT)
def test_any_bytes_give_a_tree_over_all_of_them(data: bytes, dialect: Dialect):
    parsed = parse_source_bytes(data, dialect)
    assert parsed.source.data == data
    assert parsed.root.end_byte == len(data)
    assert all(0 <= fault.start_byte <= fault.end_byte <= len(data) for fault in parsed.syntax_errors)
    assert list(parsed.syntax_errors) == sorted(parsed.syntax_errors, key=lambda fault: fault.sort_key)


@settings(max_examples=200, deadline=None)
@given(SNIPPETS, DIALECTS)
def test_reading_is_deterministic(source: str, dialect: Dialect):
    first, second = parse(source, dialect), parse(source, dialect)
    assert first.syntax_errors == second.syntax_errors
    assert str(first.root) == str(second.root)


@pytest.mark.parametrize("opener", ["[", "{", "(", "<div>"])
@pytest.mark.parametrize("dialect", list(Dialect))
def test_a_hundred_thousand_openers_are_reported_in_seconds(opener: str, dialect: Dialect):
    started = time.process_time()
    assert parse(opener * 100_000, dialect).syntax_errors
    assert time.process_time() - started < 10
