"""The literal reader at its limits: deep nesting, long expressions, and any text at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from literal_readings import ALL, PREFIX, constant_of, read, value_of

from scanner.syntax.grammar import parse_bytes
from scanner.syntax.literals import (
    MAX_DEPTH,
    Literal,
    Unreadable,
    read_literal,
    read_object_entries,
    read_string_constant,
)
from scanner.syntax.source import SourceText

DEEP = 100_000


@pytest.mark.parametrize(
    "expression",
    [
        "[" * DEEP + "]" * DEEP,
        "{a:" * DEEP + "1" + "}" * DEEP,
        "- " * DEEP + "1",
        "[..." * DEEP + "[]" + "]" * DEEP,
        "{[" * 1000 + "1" + "]:1}" * 1000,
        "{...(" * 1000 + "{}" + ")}" * 1000,
        "2 ** " * DEEP + "2",
        "1 + (" * DEEP + "1" + ")" * DEEP,
    ],
)
def test_endless_nesting_is_refused(expression):
    reading = read(expression)
    assert isinstance(reading, Unreadable)
    assert reading.reason == "it is nested too deep"


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("(" * DEEP + "1" + ")" * DEEP, 1.0),
        ("<any>" * DEEP + "1", 1.0),
        ("1" + "!" * DEEP, 1.0),
        ("1" + " as any" * DEEP, 1.0),
        (" + ".join(["'ab'"] * DEEP), "ab" * DEEP),
        (" + ".join(["1"] * DEEP), float(DEEP)),
        ("'x' + " + " + ".join(["1"] * DEEP), "x" + "1" * DEEP),
        ("[" + "1," * DEEP + "]", [1.0] * DEEP),
        ("((" * 1000 + "1" + ") + 1)" * 1000, 1001.0),
    ],
)
def test_long_and_much_wrapped_expressions_are_read(expression, value):
    assert value_of(expression) == value


@pytest.mark.parametrize(
    ("opening", "core", "closing", "depth"),
    [
        ("[", "1", "]", 1),
        ("{a: ", "1", "}", 1),
        ("[...", "[]", "]", 1),
        ("{...", "{}", "}", 1),
        ("-(", "1", ")", 1),
        ("1 + (", "1", ")", 1),
        ("-(", "1", ") + 1", 2),
    ],
)
def test_the_depth_limit_is_reached_safely(opening, core, closing, depth):
    times = MAX_DEPTH // depth
    deepest = opening * times + core + closing * times
    assert isinstance(read(deepest), Literal)
    assert isinstance(read(f"{opening}{deepest}{closing}"), Unreadable)


def test_string_constants_may_nest_without_end():
    assert constant_of("'a' + (" * 50_000 + "'b'" + ")" * 50_000) == "a" * 50_000 + "b"
    assert constant_of(" + ".join(["'a'"] * DEEP)) == "a" * DEEP


SNIPPETS = st.lists(
    st.sampled_from(
        [
            "{",
            "}",
            "[",
            "]",
            "(",
            ")",
            ",",
            ":",
            "...",
            "a",
            "'s'",
            "`t`",
            "`${1}`",
            "1",
            "1n",
            "-",
            "+",
            "!",
            "**",
            "/",
            " as any",
            " satisfies X",
            "<any>",
            "=>",
            "?",
            "get ",
            "__proto__",
            "undefined",
            "/*c*/",
            "//d\n",
            "\\",
            "'",
            "`",
        ]
    ),
    max_size=30,
)


@given(SNIPPETS, st.sampled_from(ALL))
def test_any_text_can_be_asked_about(snippets, dialect):
    data = (PREFIX + "".join(snippets)).encode()
    source = SourceText(data)
    pending = [parse_bytes(data, dialect).root_node]
    while pending:
        node = pending.pop()
        reading = read_literal(source, node)
        if isinstance(reading, Unreadable):
            at = reading.start_byte
            assert source.data[at:].startswith(reading.expression.encode())
        constant = read_string_constant(source, node)
        assert constant is None or reading == Literal(constant)
        read_object_entries(source, node)
        pending.extend(node.named_children)


@given(SNIPPETS, st.sampled_from(ALL))
def test_entries_agree_with_the_object_they_belong_to(snippets, dialect):
    data = f"{PREFIX}{{a: {''.join(snippets)}}}".encode()
    source = SourceText(data)
    pending = [parse_bytes(data, dialect).root_node]
    while pending:
        node = pending.pop()
        pending.extend(node.named_children)
        whole = read_literal(source, node)
        if node.type == "object" and isinstance(whole, Literal):
            entries = read_object_entries(source, node)
            # As text, since NaN does not equal itself.
            stated = {key: repr(reading.value) for key, reading in entries.items()}
            assert stated == {key: repr(value) for key, value in whole.value.items()}
