"""String literals, templates and identifiers have the value that JavaScript gives them."""

import itertools
import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scanner.js.strings import (
    code_units,
    join_surrogates,
    primitive_to_string,
    unescape_identifier,
    unescape_string,
    unescape_template,
)
from scanner.js.values import UNDEFINED, BigInt

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()))
UNITS = st.text(st.sampled_from("ab\ud83d\ude00\ud800\udc00\udbff\udfff\U0001f600"))


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("", ""),
        ("plain", "plain"),
        (r"\b\f\n\r\t\v", "\b\f\n\r\t\v"),
        (r"\'\"\`\\\/", "'\"`\\/"),
        (r"\a\c\q", "acq"),
        (r"\x41\u0042\u{43}\u{1F600}", "ABC\U0001f600"),
        (r"\u{000000000041}\u{0}", "A\0"),
        (r"\u{10ffff}", "\U0010ffff"),
        (r"\0", "\0"),
        (r"\0a", "\0a"),
        (r"\08\00\7\77\377\400\777", "\x008\0\x07\x3f\xff\x200\x3f7"),
        (r"\8\9", "89"),
        ("a\\\nb\\\r\nc\\\rd\\\u2028e\\\u2029f", "abcdef"),
        ("\\\n\n", "\n"),
        (r"\ud83d\ude00", "\U0001f600"),
        (r"\u{d83d}\u{de00}", "\U0001f600"),
        (r"\ud83d", "\ud83d"),
        (r"\ude00\ud83d", "\ude00\ud83d"),
        (r"\ud83d \ude00", "\ud83d \ude00"),
        (r"\ud83d\ud83d\ude00\ude00", "\ud83d\U0001f600\ude00"),
        ("\\\U0001f600", "\U0001f600"),
        (r"\\u0041", r"\u0041"),
        (r"\X41\U0041", "X41U0041"),
    ],
)
def test_string_escapes(body, value):
    assert unescape_string(body) == value


@pytest.mark.parametrize(
    "body",
    ["\\", r"\x", r"\x4", r"\xg0", r"\u", r"\u004", r"\u{}", r"\u{110000}", r"\u{4 1}", r"\u{41", r"fine\x"],
)
def test_malformed_escapes_have_no_value(body):
    assert unescape_string(body) is None
    assert unescape_template(body) is None


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("a\r\nb\rc\nd", "a\nb\nc\nd"),
        ("a\\\r\nb\\\rc", "abc"),
        (r"\0", "\0"),
        (r"\0a", "\0a"),
        (r"\n\x41\u{42}\`\${", "\nAB`${"),
        (r"\ud83d\ude00", "\U0001f600"),
    ],
)
def test_template_escapes(body, value):
    assert unescape_template(body) == value


@pytest.mark.parametrize("body", [r"\1", r"\7", r"\8", r"\9", r"\00", r"\08"])
def test_templates_know_no_octal_escapes(body):
    assert unescape_template(body) is None
    assert unescape_string(body) is not None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("name", "name"),
        (r"\u006eame", "name"),
        (r"n\u{61}me", "name"),
        (r"\u{1d4d0}", "\U0001d4d0"),
        (r"\u{}", r"\u{}"),
        (r"\x41", r"\x41"),
        (r"a\u00", r"a\u00"),
        (r"\u{110000}", r"\u{110000}"),
    ],
)
def test_identifier_escapes(text, value):
    assert unescape_identifier(text) == value


@given(ANY_TEXT)
@example("\ud83d\ude00\u2028")
def test_json_strings_are_string_literals(text):
    assert unescape_string(json.dumps(text)[1:-1]) == join_surrogates(text)


@given(ANY_TEXT)
def test_escaping_every_unit_gives_the_text_back(text):
    body = "".join(f"\\u{ord(unit):04x}" for unit in code_units(text))
    assert unescape_string(body) == unescape_template(body) == join_surrogates(text)


@given(UNITS, UNITS)
def test_joining_needs_no_knowledge_of_how_the_text_came_about(left, right):
    joined = join_surrogates(left + right)
    assert joined == join_surrogates(join_surrogates(left) + join_surrogates(right))
    assert code_units(joined) == code_units(left) + code_units(right)
    assert joined == join_surrogates("".join(code_units(joined)))


@given(UNITS)
def test_joined_text_has_no_pairs_left(text):
    joined = join_surrogates(text)
    pairs = itertools.pairwise(joined)
    assert not any("\ud800" <= high <= "\udbff" and "\udc00" <= low <= "\udfff" for high, low in pairs)


def test_code_units_of_a_character_outside_the_basic_plane():
    assert code_units("a\U0001f600\ud83d") == ["a", "\ud83d", "\ude00", "\ud83d"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (UNDEFINED, "undefined"),
        (True, "true"),
        (False, "false"),
        (1.0, "1"),
        (0.0, "0"),
        (1e21, "1e+21"),
        (BigInt(-5), "-5"),
        ("x", "x"),
    ],
)
def test_the_text_of_primitives(value, text):
    assert primitive_to_string(value) == text
