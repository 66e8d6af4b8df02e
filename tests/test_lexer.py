"""Tokens of TypeScript and JavaScript, read without a grammar."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.syntax.grammar import Dialect
from scanner.syntax.lexer import tokenize
from scanner.syntax.tokens import TokenKind

DIALECTS = st.sampled_from(list(Dialect))
FRAGMENTS = st.lists(
    st.sampled_from(
        [
            "a",
            "if",
            "(",
            ")",
            "{",
            "}",
            "[",
            "]",
            "<",
            ">",
            "</",
            "/>",
            "/",
            "/a/g",
            "`x`",
            "`${",
            "}",
            "`",
            "'",
            '"',
            "1",
            ".5",
            "?.",
            "=>",
            "//",
            "/*",
            "*/",
            "\n",
            "\u2028",
            "\\u0061",
            "#",
            ";",
            ":",
            ",",
            "&",
            "ünï",
            "\\",
        ]
    ),
    max_size=40,
).map(" ".join)


def texts(source: str, dialect: Dialect = Dialect.TYPESCRIPT) -> list[str]:
    data = source.encode()
    return [data[token.start : token.end].decode() for token in tokenize(data, dialect)]


def kinds(source: str, dialect: Dialect = Dialect.TYPESCRIPT) -> list[TokenKind]:
    return [token.kind for token in tokenize(source.encode(), dialect)]


@pytest.mark.parametrize(
    ("source", "regexes"),
    [
        ("x = /re/g", ["/re/g"]),
        ("return /[/]]/", ["/[/]]/"]),
        ("a / b / c", []),
        ("f(x) / 2 / 3", []),
        ("if (x) /re/.test(y)", ["/re/"]),
        ("xs[0] / 2 / 1", []),
        ("a.return / 2 / 1", []),
        ("i++ / 2 / 1", []),
        ("a! / b / c", []),
        ("f = () => {}\n/re/.exec(s)", ["/re/"]),
        ("o = { a: 1 } / 2 / 1", []),
        ("x = a < /b/.source", []),
        ("case /a\\/b/:", ["/a\\/b/"]),
        ("x = /unclosed\n+ 1", []),
    ],
)
def test_a_slash_is_told_from_a_regular_expression(source: str, regexes: list[str]):
    data = source.encode()
    found = [
        data[token.start : token.end].decode()
        for token in tokenize(data, Dialect.TYPESCRIPT)
        if token.kind is TokenKind.REGEX
    ]
    assert found == regexes


def test_templates_nest():
    assert texts("`a${b + `c${d}`}e${f}g`;h") == [
        "`a${",
        "b",
        "+",
        "`c${",
        "d",
        "}`",
        "}e${",
        "f",
        "}g`",
        ";",
        "h",
    ]
    assert kinds("`a${b}c${d}e`")[::2] == [
        TokenKind.TEMPLATE_HEAD,
        TokenKind.TEMPLATE_MIDDLE,
        TokenKind.TEMPLATE_TAIL,
    ]


def test_braces_in_a_substitution_do_not_end_it():
    assert texts("`${ { a: { b } } }`") == ["`${", "{", "a", ":", "{", "b", "}", "}", "}`"]


def test_comments_hashbang_and_byte_order_mark_are_no_tokens():
    assert texts("\ufeff#!/usr/bin/env node\n/* a */ b // c\n") == ["b"]


@pytest.mark.parametrize(
    ("source", "fresh"),
    [
        ("a b", False),
        ("a\nb", True),
        ("a\r\nb", True),
        ("a /* x */ b", False),
        ("a /* x\n */ b", True),
        ("a // x\nb", True),
        ("a\u2028b", True),
    ],
)
def test_line_ends_before_a_token_are_noted(source: str, fresh: bool):
    assert tokenize(source.encode(), Dialect.TYPESCRIPT)[-1].newline_before is fresh


def test_words_hold_unicode_letters_and_escapes():
    assert texts("ünï = \\u0061b + 日本\u00a0x") == ["ünï", "=", "\\u0061b", "+", "日本", "x"]
    assert kinds("#secret in o")[0] is TokenKind.PRIVATE_NAME


def test_numbers():
    assert texts("1 1.5 .5 1e-3 0xFF 1_000n 1..x a?.5:b") == [
        *("1", "1.5", ".5", "1e-3", "0xFF", "1_000n", "1.", ".", "x"),
        *("a", "?", ".5", ":", "b"),
    ]


def test_angle_signs_stand_alone():
    assert texts("a: B<C<D>>= e >= f => g") == [
        "a",
        ":",
        "B",
        "<",
        "C",
        "<",
        "D",
        ">",
        ">",
        "=",
        "e",
        ">",
        "=",
        "f",
        "=>",
        "g",
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a = 'open\nb", ["a", "=", "'open", "b"]),
        ("a = 'kept\\\nopen\nb", ["a", "=", "'kept\\\nopen", "b"]),
        ("a = `open\nb", ["a", "=", "`open\nb"]),
        ("a /* open\nb", ["a"]),
        ("a ) ] } b", ["a", ")", "]", "}", "b"]),
    ],
)
def test_what_is_not_closed_ends_at_its_line_or_at_the_end(source: str, expected: list[str]):
    assert texts(source) == expected


def test_markup_text_is_no_code():
    source = "const x = <p title=\"a'b\">don't ` {f(<b/>)} & {'}'}</p>; const y = 'z'"
    assert texts(source, Dialect.TSX)[-7:] == ["p", ">", ";", "const", "y", "=", "'z'"]
    assert " & " in texts(source, Dialect.TSX)


@pytest.mark.parametrize(
    "source",
    [
        "const f = <T,>(x: T) => x; `a`",
        "const f = <T extends U>(x: T) => x; `a`",
        "type F = <T>(x: T) => T; `a`",
        "a < b; c > d; `a`",
        "a << b; `a`",
    ],
)
def test_type_parameters_and_comparisons_are_no_markup(source: str):
    assert TokenKind.MARKUP_START not in kinds(source, Dialect.TSX)
    assert texts(source, Dialect.TSX)[-1] == "`a`"


def test_angles_are_never_markup_in_plain_typescript():
    assert TokenKind.MARKUP_START not in kinds("x = <string>y")


@given(st.binary() | FRAGMENTS.map(str.encode) | st.text().map(str.encode), DIALECTS)
def test_tokens_are_ordered_and_leave_out_only_blanks_and_comments(data: bytes, dialect: Dialect):
    behind = 0
    for token in tokenize(data, dialect):
        assert behind <= token.start < token.end <= len(data)
        assert_trivia(data[behind : token.start])
        behind = token.end
    assert_trivia(data[behind:])


def assert_trivia(gap: bytes) -> None:
    bare = re.sub(
        rb"//[^\r\n]*|/\*.*?(\*/|\Z)|^(\xef\xbb\xbf)?#!.*", b"", gap, flags=re.DOTALL if b"/*" in gap else 0
    )
    assert not re.sub(
        rb"\s|\xc2\xa0|\xe1\x9a\x80|\xe2[\x80\x81][\x80-\xaf]|\xe3\x80\x80|\xef\xbb\xbf", b"", bare
    ), gap


CLOSED_PARTS = st.lists(
    st.sampled_from(
        [
            *(
                "a",
                "b\\u{61}c",
                "\\u0064",
                "ünï",
                "return",
                "#p",
                "1.5",
                ".5",
                "'}'",
                '"`"',
                ";",
                "\n",
                "\r\n",
            ),
            *(
                "{ a }",
                "{ { } }",
                "(b)",
                "if (c)",
                "[d]",
                "/re/g",
                "b / 2",
                "e!",
                "f++",
                "=",
                "?.",
                "=>",
                "?.5",
            ),
            *("`x`", "`y${ {} }z`", "/* } */", "// }\n", "< 5", "> 6", "\u2028", "\u00a0", "\\", "@"),
        ]
    ),
    max_size=30,
).map(" ".join)


@given(CLOSED_PARTS, DIALECTS)
def test_code_reads_alike_on_its_own_and_within_a_template(code: str, dialect: Dialect):
    source = f"x;{code}\n;"
    alone = tokenize(source.encode(), dialect)
    within = tokenize(f"`${{{source}}}`".encode(), dialect)
    assert [(token.kind, token.newline_before) for token in within[1:-1]] == [
        (token.kind, token.newline_before) for token in alone
    ]
    assert [token.start - len("`${") for token in within[1:-1]] == [token.start for token in alone]
    assert within[-1].kind is TokenKind.TEMPLATE_TAIL


@given(CLOSED_PARTS)
def test_code_without_markup_reads_alike_in_every_dialect(code: str):
    readings = [tokenize(code.encode(), dialect) for dialect in Dialect]
    assert readings[0] == readings[1] == readings[2]


@pytest.mark.parametrize(
    "unit", ["[", "(", "{", "<a>", "`${", "/[", "'", "<", "}", "=/a[", "a<b>", "/*", "!/", "!{", "`${a}`"]
)
def test_long_unclosed_input_takes_linear_time(unit: str):
    started = time.process_time()
    for dialect in Dialect:
        tokenize(b"x=" + unit.encode() * 50_000, dialect)
    assert time.process_time() - started < 10
