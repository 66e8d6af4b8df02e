"""Numbers and bigints come out as a JavaScript engine gives them."""

import math
import sys
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.js.numbers import (
    ARITHMETIC,
    MAX_BIGINT_BITS,
    bigint_arithmetic,
    number_arithmetic,
    number_to_string,
    parse_number_literal,
    string_to_number,
    to_numeric,
)
from scanner.js.values import UNDEFINED, BigInt


def same(left: float, right: float) -> bool:
    """Tell whether two floats are the same value: NaN is NaN, and the zeros differ."""
    return (math.isnan(left) and math.isnan(right)) or (
        left == right and math.copysign(1, left) == math.copysign(1, right)
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0.0),
        ("42", 42.0),
        ("1_000_000", 1e6),
        ("1_0.2_5e0_1", 102.5),
        (".5", 0.5),
        ("5.", 5.0),
        ("5.e1", 50.0),
        ("1E-2", 0.01),
        ("1e+3", 1000.0),
        ("0xFF", 255.0),
        ("0Xf_f", 255.0),
        ("0o17", 15.0),
        ("0O1_7", 15.0),
        ("0b101", 5.0),
        ("0B1_1", 3.0),
        ("017", 15.0),
        ("00", 0.0),
        ("08", 8.0),
        ("089", 89.0),
        ("0178", 178.0),
        ("08.5", 8.5),
        ("08e1", 80.0),
        ("1e400", math.inf),
        ("1e-400", 0.0),
        ("0x" + "f" * 300, math.inf),
        ("9007199254740993", 9007199254740992.0),
        ("9" * 5000, math.inf),
    ],
)
def test_number_literals(text, value):
    assert parse_number_literal(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("10n", 10), ("0n", 0), ("1_0n", 10), ("0xffn", 255), ("0XF_Fn", 255), ("0o17n", 15), ("0b1_1n", 3)],
)
def test_bigint_literals(text, value):
    assert parse_number_literal(text) == BigInt(value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "n",
        "x",
        "-1",
        "+1",
        " 1",
        "1 ",
        "1_",
        "_1",
        "1__0",
        "1_.5",
        "1._5",
        ".",
        "e1",
        "1e",
        "1e_1",
        "0x",
        "0xg",
        "0x_1",
        "0b2",
        "0o8",
        "0_1",
        "0_8",
        "08_1",
        "017.5",
        "017e1",
        "017n",
        "08n",
        "1.5n",
        "1e3n",
        ".5n",
        "0x1.8",
        "Infinity",
        "NaN",
        "1\n",
        "\u0661",
        "0xn",
        "1_n",
        "0xfp1",
    ],
)
def test_text_that_is_no_numeric_literal(text):
    assert parse_number_literal(text) is None


def test_long_hex_literals_are_rounded_once_and_to_even():
    assert parse_number_literal("0x20000000000001") == 2.0**53
    assert parse_number_literal("0x20000000000003") == 2.0**53 + 4
    # One bit far behind the half decides upwards.
    assert parse_number_literal("0x20000000000001" + "0" * 40 + "1") == (2.0**53 + 2) * 16.0**41
    assert parse_number_literal("0b1" + "0" * 52 + "11") == 2.0**54 + 4


def test_bigints_stop_at_a_size_that_can_be_printed():
    largest = (1 << MAX_BIGINT_BITS) - 1
    assert parse_number_literal(f"{largest}n") == BigInt(largest)
    assert parse_number_literal(f"{largest + 1}n") is None
    assert parse_number_literal(f"{hex(largest)}n") == BigInt(largest)
    assert parse_number_literal(f"{hex(largest + 1)}n") is None
    assert parse_number_literal("9" * 1_000_000 + "n") is None
    assert len(str(largest)) < sys.int_info.default_max_str_digits


@pytest.mark.parametrize(
    "text", ["0" + "8" * 500_000 + "_", "1_" * 500_000, "1." + "1_" * 500_000, "0x" + "1_" * 500_000]
)
def test_long_malformed_literals_are_refused_in_linear_time(text):
    assert parse_number_literal(text) is None
    assert math.isnan(string_to_number(text))


@given(st.fractions(min_value=0, max_value=10**30))
def test_decimal_literals_are_the_nearest_float(fraction):
    text = f"{fraction.numerator * 10**40 // fraction.denominator}e-40"
    exact = Fraction(fraction.numerator * 10**40 // fraction.denominator, 10**40)
    value = parse_number_literal(text)
    assert value == float(exact)


@given(st.integers(0, 2**1100), st.sampled_from(["x", "o", "b"]))
def test_every_radix_writes_the_same_number(number, radix):
    spelled = f"0{radix}{format(number, radix)}"
    assert parse_number_literal(spelled) == parse_number_literal(str(number))
    assert parse_number_literal(f"{spelled}n") == BigInt(number)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-1.5, "-1.5"),
        (1e20, "100000000000000000000"),
        (123456789012345680000.0, "123456789012345680000"),
        (1e21, "1e+21"),
        (-1.25e21, "-1.25e+21"),
        (1.5e300, "1.5e+300"),
        (0.000001, "0.000001"),
        (0.0000015, "0.0000015"),
        (1e-7, "1e-7"),
        (1.5e-7, "1.5e-7"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (0.1 + 0.2, "0.30000000000000004"),
        (100.0, "100"),
        (1050.25, "1050.25"),
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
        (math.nan, "NaN"),
    ],
)
def test_number_texts(value, text):
    assert number_to_string(value) == text


@given(st.floats())
def test_reading_a_number_text_gives_the_number_back(value):
    assert same(string_to_number(number_to_string(value)), value + 0.0)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", 0.0),
        (" \t\n\v\f\r\xa0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff", 0.0),
        (" 12 ", 12.0),
        ("\ufeff-1.5\n", -1.5),
        ("-0", -0.0),
        ("+5", 5.0),
        ("5.", 5.0),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("017", 17.0),
        ("0x1F", 31.0),
        ("0B11", 3.0),
        ("0o17", 15.0),
        ("1e999", math.inf),
        ("Infinity", math.inf),
        ("-Infinity", -math.inf),
        (" +Infinity ", math.inf),
    ],
)
def test_text_to_number(text, value):
    assert same(string_to_number(text), value)


@pytest.mark.parametrize(
    "text",
    [
        "a",
        "1a",
        "1 2",
        "--1",
        "+-1",
        ".",
        "+",
        "1_000",
        "-0x1",
        "+0b1",
        "0x",
        "1n",
        "infinity",
        "inf",
        "nan",
        "NaN",
        "1e",
        "e1",
        "\u0661",
        "\u180e1",
        "\u200b1",
        "\x851",
        "\x1c1",
        "1\x00",
        "INFINITY",
        "- 1",
    ],
)
def test_text_that_is_no_number(text):
    assert math.isnan(string_to_number(text))


def test_operands_are_made_numbers():
    assert to_numeric(None) == 0.0
    assert to_numeric(value=True) == 1.0
    assert to_numeric(value=False) == 0.0
    assert to_numeric(" 7 ") == 7.0
    assert to_numeric(BigInt(3)) == BigInt(3)
    assert math.isnan(to_numeric(UNDEFINED))
    assert same(to_numeric(-0.0), -0.0)


@pytest.mark.parametrize(
    ("left", "sign", "right", "value"),
    [
        (1.0, "/", 0.0, math.inf),
        (1.0, "/", -0.0, -math.inf),
        (-1.0, "/", 0.0, -math.inf),
        (0.0, "/", 0.0, math.nan),
        (math.nan, "/", 0.0, math.nan),
        (5.0, "%", 3.0, 2.0),
        (-5.0, "%", 3.0, -2.0),
        (5.0, "%", -3.0, 2.0),
        (-3.0, "%", 3.0, -0.0),
        (5.5, "%", 2.0, 1.5),
        (5.0, "%", 0.0, math.nan),
        (math.inf, "%", 2.0, math.nan),
        (2.0, "%", math.inf, 2.0),
        (2.0, "**", 10.0, 1024.0),
        (2.0, "**", -1.0, 0.5),
        (1.0, "**", math.inf, math.nan),
        (-1.0, "**", -math.inf, math.nan),
        (1.0, "**", math.nan, math.nan),
        (math.nan, "**", 0.0, 1.0),
        (0.0, "**", -1.0, math.inf),
        (-0.0, "**", -1.0, -math.inf),
        (-0.0, "**", -2.0, math.inf),
        (-8.0, "**", 1 / 3, math.nan),
        (10.0, "**", 400.0, math.inf),
        (-10.0, "**", 401.0, -math.inf),
        (-10.0, "**", 400.0, math.inf),
        (1e308, "*", 10.0, math.inf),
        (math.inf, "-", math.inf, math.nan),
        (-0.0, "+", -0.0, -0.0),
        (0.0, "*", -1.0, -0.0),
    ],
)
def test_number_arithmetic(left, sign, right, value):
    assert same(number_arithmetic(sign, left, right), value)


@given(st.sampled_from(sorted(ARITHMETIC)), st.floats(), st.floats())
def test_arithmetic_answers_for_all_numbers(sign, left, right):
    assert isinstance(number_arithmetic(sign, left, right), float)


@pytest.mark.parametrize(
    ("left", "sign", "right", "value"),
    [
        (7, "/", 2, 3),
        (-7, "/", 2, -3),
        (7, "/", -2, -3),
        (-7, "/", -2, 3),
        (-7, "%", 2, -1),
        (7, "%", -2, 1),
        (2, "**", 64, 2**64),
        (0, "**", 0, 1),
        (-1, "**", 10**30, 1),
        (-1, "**", 10**30 + 1, -1),
        (0, "**", 10**30, 0),
        (1, "-", 2, -1),
        (3, "**", 5000, 3**5000),
        (2, "**", MAX_BIGINT_BITS - 1, 2 ** (MAX_BIGINT_BITS - 1)),
    ],
)
def test_bigint_arithmetic(left, sign, right, value):
    assert bigint_arithmetic(sign, BigInt(left), BigInt(right)) == BigInt(value)


@pytest.mark.parametrize(
    ("left", "sign", "right"),
    [
        (1, "/", 0),
        (1, "%", 0),
        (2, "**", -1),
        (9, "**", 9**9),
        (2, "**", 10**30),
        (2**5000, "*", 2**5000),
        (2**MAX_BIGINT_BITS - 1, "+", 1),
    ],
)
def test_bigint_arithmetic_without_a_result(left, sign, right):
    assert bigint_arithmetic(sign, BigInt(left), BigInt(right)) is None


@given(st.integers(-(2**200), 2**200), st.integers(-(2**100), 2**100).filter(bool))
def test_bigint_quotient_and_remainder_belong_together(left, right):
    quotient = bigint_arithmetic("/", BigInt(left), BigInt(right))
    rest = bigint_arithmetic("%", BigInt(left), BigInt(right))
    assert quotient.value * right + rest.value == left
    assert abs(rest.value) < abs(right)
    assert rest.value == 0 or (rest.value < 0) == (left < 0)
