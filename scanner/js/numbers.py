"""JavaScript's number and bigint semantics: literal tokens, conversions from and to text, arithmetic.

Values read from source have to come out digit for digit as a JavaScript engine would give them, and Python
differs in many corners: octal forms, the text of a float, division by zero, the sign of a remainder, powers of
one. Everything here is a total function of its arguments: what JavaScript answers with an exception, or what
would grow without bound, is answered with None.
"""

from __future__ import annotations

import math
import operator
import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

from scanner.js.values import UNDEFINED, BigInt, Undefined

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Primitive: TypeAlias = Undefined | bool | float | BigInt | str | None
"""Every JavaScript value that is no object (symbols cannot be written as literals)."""

MAX_BIGINT_BITS: Final = 8192
"""Size limit of bigints. JavaScript has none worth the name, but ``9n ** 9n ** 9n`` is a short text; the limit also
stays below the digits that Python agrees to print."""

JS_WHITESPACE: Final = "\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(
    map(chr, range(0x2000, 0x200B))
)
"""What JavaScript trims off strings: its white space and its line terminators."""

_MAX_BIGINT_DIGITS: Final = len(str(1 << MAX_BIGINT_BITS))
_DIGITS: Final = r"[0-9](?:_?[0-9])*+"
_EXPONENT: Final = rf"(?:[eE][+-]?{_DIGITS})?"
_WHOLE: Final = r"(?:0|[1-9](?:_?[0-9])*+)"

# A whole part that begins with 0 and holds an 8 or 9 is decimal after all, but takes no separators.
_DECIMAL_LITERAL: Final = re.compile(
    rf"(?:(?:{_WHOLE}|0[0-7]*+[89][0-9]*+)(?:\.(?:{_DIGITS})?)?|\.{_DIGITS}){_EXPONENT}"
)
_RADIX_LITERAL: Final = re.compile(
    r"0(?:[xX][0-9a-fA-F](?:_?[0-9a-fA-F])*+|[oO][0-7](?:_?[0-7])*+|[bB][01](?:_?[01])*+)"
)
_LEGACY_OCTAL: Final = re.compile(r"0[0-7]++")
_DECIMAL_BIGINT: Final = re.compile(_WHOLE)

_DECIMAL_TEXT: Final = re.compile(r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?")
_RADIX_TEXT: Final = re.compile(r"0(?:[xX][0-9a-fA-F]++|[oO][0-7]++|[bB][01]++)")
_INFINITIES: Final = MappingProxyType({"Infinity": math.inf, "+Infinity": math.inf, "-Infinity": -math.inf})

_RADIXES: Final = MappingProxyType({"x": 16, "o": 8, "b": 2})
_LONGEST_PLAIN: Final = 21
"""From this many digits before the point on, JavaScript writes a number with an exponent."""
_MOST_LEADING_ZEROS: Final = 6
"""The same for zeros behind the point."""


def parse_number_literal(text: str) -> float | BigInt | None:
    """Return the value of a numeric literal token.

    Args:
        text: The token as written, without a sign: ``1_000``, ``.5``, ``0xFF``, ``017``, ``10n``.

    Returns:
        A float64, rounded once from the exact value and infinite when that is too large; a bigint; or None when
        *text* is no numeric literal or a bigint of more than :data:`MAX_BIGINT_BITS` bits.
    """
    if len(text) == 1 and "0" <= text <= "9":
        return float(text)
    if text.endswith("n"):
        return _parse_bigint(text[:-1])
    if _DECIMAL_LITERAL.fullmatch(text):
        return float(text.replace("_", ""))
    if _RADIX_LITERAL.fullmatch(text):
        return _float_of(_radix_integer(text))
    if _LEGACY_OCTAL.fullmatch(text):
        return _float_of(int(text, 8))
    return None


def _parse_bigint(text: str) -> BigInt | None:
    if _RADIX_LITERAL.fullmatch(text):
        return _bounded(_radix_integer(text))
    if not _DECIMAL_BIGINT.fullmatch(text):
        return None
    digits = text.replace("_", "")
    return _bounded(int(digits)) if len(digits) <= _MAX_BIGINT_DIGITS else None


def _radix_integer(text: str) -> int:
    return int(text[2:].replace("_", ""), _RADIXES[text[1].lower()])


def _float_of(value: int) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _bounded(value: int) -> BigInt | None:
    return BigInt(value) if value.bit_length() <= MAX_BIGINT_BITS else None


def number_to_string(value: float) -> str:
    """Return the text that ``Number.prototype.toString`` gives: ``1e21`` is ``"1e+21"``, -0 is ``"0"``."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value == 0:
        return "0"
    digits, point = _shortest_digits(abs(value))
    return ("-" if value < 0 else "") + _place_point(digits, point)


def _shortest_digits(value: float) -> tuple[str, int]:
    """Return the fewest digits that name *value*, and how many of them stand before the point."""
    mantissa, _, exponent = repr(value).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    return digits.rstrip("0"), point


def _place_point(digits: str, point: int) -> str:
    if len(digits) <= point <= _LONGEST_PLAIN:
        return digits.ljust(point, "0")
    if 0 < point <= _LONGEST_PLAIN:
        return f"{digits[:point]}.{digits[point:]}"
    if -_MOST_LEADING_ZEROS < point <= 0:
        return f"0.{'0' * -point}{digits}"
    mantissa = digits if len(digits) == 1 else f"{digits[0]}.{digits[1:]}"
    return f"{mantissa}e{point - 1:+d}"


def string_to_number(text: str) -> float:
    """Return JavaScript's ``Number(text)``: blank text is 0, text that is no number is NaN."""
    text = text.strip(JS_WHITESPACE)
    if not text:
        return 0.0
    if _DECIMAL_TEXT.fullmatch(text):
        return float(text)
    if _RADIX_TEXT.fullmatch(text):
        return _float_of(_radix_integer(text))
    return _INFINITIES.get(text, math.nan)


def to_numeric(value: Primitive) -> float | BigInt:
    """Return what an arithmetic operator makes of *value* (ToNumeric): a number, or the bigint itself."""
    if isinstance(value, BigInt):
        return value
    if isinstance(value, str):
        return string_to_number(value)
    if value is UNDEFINED:
        return math.nan
    return 0.0 if value is None else float(value)


def number_arithmetic(sign: str, left: float, right: float) -> float:
    """Apply an operator of :data:`ARITHMETIC` to numbers.

    Powers with fractional operands, or with results that take more than 53 bits, may differ from an engine's in
    the last bit: the language leaves that precision open, and engines differ from each other.

    Raises:
        KeyError: *sign* is no operator of :data:`ARITHMETIC`.
    """
    return _NUMBER_OPERATIONS[sign](left, right)


def bigint_arithmetic(sign: str, left: BigInt, right: BigInt) -> BigInt | None:
    """Apply an operator of :data:`ARITHMETIC` to bigints.

    Returns:
        The result; None where JavaScript throws (division by zero, negative exponents) and where the result would
        take more than :data:`MAX_BIGINT_BITS` bits.

    Raises:
        KeyError: *sign* is no operator of :data:`ARITHMETIC`.
    """
    result = _BIGINT_OPERATIONS[sign](left.value, right.value)
    return None if result is None else _bounded(result)


def _divide(left: float, right: float) -> float:
    if right != 0:
        return left / right
    if left == 0 or math.isnan(left):
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def _remainder(left: float, right: float) -> float:
    try:
        return math.fmod(left, right)
    except ValueError:  # infinity divided by something, or anything divided by zero
        return math.nan


def _power(base: float, exponent: float) -> float:
    # JavaScript, unlike IEEE 754 and Python, finds that these two have no limit.
    if math.isnan(exponent) or (abs(base) == 1 and math.isinf(exponent)):
        return math.nan
    # An odd exponent lets the result take the sign of the base.
    is_odd = math.isfinite(exponent) and abs(math.fmod(exponent, 2)) == 1
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return -math.inf if base < 0 and is_odd else math.inf
    except ValueError:  # zero to a negative power, or a root of a negative number
        if base != 0:
            return math.nan
        return math.copysign(math.inf, base) if is_odd else math.inf


def _bigint_divide(left: int, right: int) -> int | None:
    if right == 0:
        return None
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _bigint_remainder(left: int, right: int) -> int | None:
    if right == 0:
        return None
    rest = abs(left) % abs(right)
    return -rest if left < 0 else rest


def _bigint_power(base: int, exponent: int) -> int | None:
    if exponent < 0:
        return None
    # Judged before it is computed: the result has at least this many bits.
    if abs(base) > 1 and (base.bit_length() - 1) * exponent > MAX_BIGINT_BITS:
        return None
    return int(base**exponent)


_NUMBER_OPERATIONS: Final[Mapping[str, Callable[[float, float], float]]] = MappingProxyType(
    {
        "+": operator.add,
        "-": operator.sub,
        "*": operator.mul,
        "/": _divide,
        "%": _remainder,
        "**": _power,
    }
)
_BIGINT_OPERATIONS: Final[Mapping[str, Callable[[int, int], int | None]]] = MappingProxyType(
    {
        "+": operator.add,
        "-": operator.sub,
        "*": operator.mul,
        "/": _bigint_divide,
        "%": _bigint_remainder,
        "**": _bigint_power,
    }
)

ARITHMETIC: Final = frozenset(_NUMBER_OPERATIONS)
"""The binary operators that numbers and bigints share and that are worked out here."""
