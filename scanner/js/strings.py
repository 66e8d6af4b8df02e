r"""JavaScript's string semantics: escapes, surrogates, and the text of other values.

JavaScript strings are sequences of UTF-16 units, Python's of code points. Here a string is always held in its
*joined* form: a high and a low surrogate that stand side by side are one code point, and only surrogates without
a partner stay surrogates. Since joining two strings can bring partners together, every concatenation has to end
in :func:`join_surrogates`.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Final

from scanner.js.numbers import Primitive, number_to_string
from scanner.js.values import UNDEFINED, BigInt

_SURROGATE_PAIR: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_MAX_CODE_POINT: Final = 0x10FFFF

_HEX: Final = "[0-9a-fA-F]"
_CODE_ESCAPES: Final = rf"x(?P<byte>{_HEX}{{2}})|u(?P<unit>{_HEX}{{4}})|u\{{(?P<point>{_HEX}++)\}}"
_LINE_CONTINUATION: Final = "(?P<newline>\r\n|[\n\r\u2028\u2029])"

_STRING_ESCAPE: Final = re.compile(
    rf"\\(?:{_CODE_ESCAPES}|{_LINE_CONTINUATION}|(?P<octal>[0-3][0-7]{{0,2}}|[4-7][0-7]?)|(?P<plain>[^xu])|)",
    re.DOTALL,
)
_TEMPLATE_ESCAPE: Final = re.compile(
    rf"\\(?:{_CODE_ESCAPES}|{_LINE_CONTINUATION}|(?P<octal>0(?![0-9]))|(?P<plain>[^xu0-9])|)",
    re.DOTALL,
)
_IDENTIFIER_ESCAPE: Final = re.compile(rf"\\(?:{_CODE_ESCAPES})")
_CARRIAGE_RETURN: Final = re.compile("\r\n?")

_SINGLE_ESCAPES: Final = MappingProxyType({"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"})
_WORDS: Final = MappingProxyType({None: "null", UNDEFINED: "undefined", True: "true", False: "false"})


class _MalformedEscapeError(ValueError):
    """A backslash that begins no escape sequence."""


def join_surrogates(text: str) -> str:
    """Return *text* with each high surrogate that a low one follows made one code point with it."""
    return text if text.isascii() else _SURROGATE_PAIR.sub(_joined_pair, text)


def _joined_pair(pair: re.Match[str]) -> str:
    high, low = map(ord, pair[0])
    return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))


def code_units(text: str) -> list[str]:
    """Return the UTF-16 units of *text*, each as a string of its own; surrogates come out alone."""
    data = text.encode("utf-16-be", "surrogatepass")
    return [chr(int.from_bytes(data[at : at + 2])) for at in range(0, len(data), 2)]


def unescape_string(body: str) -> str | None:
    r"""Return the value of a string literal.

    Args:
        body: What stands between the quotes, as written. Line continuations, ``\x``, ``\u``, ``\u{}`` and the
            octal escapes of sloppy mode are understood.

    Returns:
        The value, or None when an escape is malformed.
    """
    if "\\" not in body:
        return join_surrogates(body)
    return _unescape(_STRING_ESCAPE, body)


def unescape_template(body: str) -> str | None:
    """Return the cooked value of a template chunk.

    Args:
        body: What stands between backticks or substitutions, as written. Line breaks of any form become LF;
            octal escapes are malformed, as templates know none.

    Returns:
        The value, or None when an escape is malformed.
    """
    body = _CARRIAGE_RETURN.sub("\n", body)
    if "\\" not in body:
        return join_surrogates(body)
    return _unescape(_TEMPLATE_ESCAPE, body)


def unescape_identifier(text: str) -> str:
    r"""Return an identifier with its ``\uXXXX`` and ``\u{X}`` escapes worked out; malformed ones stay as they are."""
    if "\\" not in text:
        return text
    return join_surrogates(_IDENTIFIER_ESCAPE.sub(_identifier_character, text))


def _identifier_character(escape: re.Match[str]) -> str:
    if escape["byte"]:
        return escape[0]
    try:
        return _character(escape)
    except _MalformedEscapeError:
        return escape[0]


def _unescape(escapes: re.Pattern[str], body: str) -> str | None:
    try:
        return join_surrogates(escapes.sub(_escaped_text, body))
    except _MalformedEscapeError:
        return None


def _escaped_text(escape: re.Match[str]) -> str:
    if escape["newline"]:
        return ""
    if plain := escape["plain"]:
        return _SINGLE_ESCAPES.get(plain, plain)
    if octal := escape["octal"]:
        return chr(int(octal, 8))
    return _character(escape)


def _character(escape: re.Match[str]) -> str:
    """Return the character that a hexadecimal escape names."""
    code = escape["byte"] or escape["unit"] or escape["point"]
    if code is None or int(code, 16) > _MAX_CODE_POINT:
        raise _MalformedEscapeError(escape[0])
    return chr(int(code, 16))


def primitive_to_string(value: Primitive) -> str:
    """Return what JavaScript's ``String(value)`` gives for a value that is no object."""
    if isinstance(value, str):
        return value
    if isinstance(value, BigInt):
        return str(value.value)
    if isinstance(value, float):
        return number_to_string(value)
    return _WORDS[value]
