"""What the reader makes of an expression is what Node computes for it.

Expressions are generated in two spellings, for TypeScript with casts and for JavaScript without; one Node process
answers line by line what the second is worth. Sloppy mode is used, since octal literals exist only there.
"""

import json
import math
import shutil
import struct
import subprocess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scanner.js.numbers import number_to_string, string_to_number
from scanner.js.values import PROTOTYPE_KEYS, UNDEFINED, BigInt
from scanner.syntax.grammar import Dialect, parse_bytes
from scanner.syntax.literals import Literal, Unreadable, read_literal, read_string_constant
from scanner.syntax.source import SourceText

ORACLE = """
const skipped = new Set(PROTOTYPE_KEYS);
const view = new DataView(new ArrayBuffer(8));
globalThis.float = (bits) => (view.setBigUint64(0, BigInt('0x' + bits)), view.getFloat64(0));
const bits = (n) => (view.setFloat64(0, n), view.getBigUint64(0).toString(16).padStart(16, '0'));
function encode(value) {
  if (value === undefined) return { undefined: true };
  if (typeof value === 'number') return { number: Number.isNaN(value) ? 'NaN' : bits(value) };
  if (typeof value === 'bigint') return { bigint: String(value) };
  if (Array.isArray(value)) return Array.from(value, encode);
  if (value === null || typeof value !== 'object') return value;
  const keys = Object.keys(value).filter((key) => !skipped.has(key));
  return { entries: keys.map((key) => [key, encode(value[key])]) };
}
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  let answer;
  try {
    answer = { value: encode((0, eval)('(' + JSON.parse(line) + '\\n)')) };
  } catch (error) {
    answer = { thrown: error.name, message: error.message };
  }
  console.log(JSON.stringify(answer));
});
""".replace("PROTOTYPE_KEYS", json.dumps(sorted(PROTOTYPE_KEYS)))

HARD = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])


class Oracle:
    """A Node process that evaluates one expression a line."""

    def __init__(self, process):
        self.process = process

    def ask(self, expression):
        self.process.stdin.write(json.dumps(expression) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def value(self, expression):
        answer = self.ask(expression)
        assert "value" in answer, f"Node does not accept {expression!r}: {answer}"
        return answer["value"]


@pytest.fixture(scope="module")
def oracle():
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node, the oracle of these tests, is not on PATH")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "encoding": "utf-8"}
    with subprocess.Popen([node, "-e", ORACLE], **pipes) as process:
        yield Oracle(process)
        process.stdin.close()


def bits(number):
    return struct.pack(">d", number).hex()


def encode(value):
    """Encode a value as the oracle does."""
    if value is UNDEFINED:
        return {"undefined": True}
    if isinstance(value, float):
        return {"number": "NaN" if math.isnan(value) else bits(value)}
    if isinstance(value, BigInt):
        return {"bigint": str(value.value)}
    if isinstance(value, list):
        return [encode(element) for element in value]
    if isinstance(value, dict):
        return {"entries": [[key, encode(element)] for key, element in value.items()]}
    return value


def unordered(encoded):
    """Return an encoded value with the entries of its objects sorted.

    Node puts a key that is stated twice beside a spread at its last place, where the language wants the first.
    """
    if isinstance(encoded, list):
        return [unordered(element) for element in encoded]
    if isinstance(encoded, dict):
        return {
            kind: sorted(unordered(held)) if kind == "entries" else held for kind, held in encoded.items()
        }
    return encoded


def read(expression, dialect):
    data = f"x = {expression}".encode()
    root = parse_bytes(data, dialect).root_node
    assert not root.has_error, expression
    node = root.named_children[0].named_children[0].child_by_field_name("right")
    return SourceText(data), node, read_literal(SourceText(data), node)


# An expression is a pair: its TypeScript and its JavaScript spelling.


def plain(text):
    return (text, text)


def spell(template, *parts):
    """Fill the spellings of *parts* into the places of *template*."""
    return tuple(template.format(*(part[side] for part in parts)) for side in (0, 1))


def pick(*texts):
    return st.sampled_from(texts)


GAPS = pick("", " ", "\n", " /* c */ ", " // d\n", "\r\n\t", "/**/")


@st.composite
def separated(draw, digits):
    """Put at most one numeric separator between two digits."""
    text = draw(digits)
    at = draw(st.integers(0, len(text)))
    return f"{text[:at]}_{text[at:]}" if 0 < at < len(text) else text


WHOLE = separated(st.integers(0, 10**25).map(str))
DIGITS = separated(st.integers(0, 10**20).map(str))
EXPONENT = st.builds("{}{}{}".format, pick("e", "E"), pick("", "+", "-"), st.integers(0, 330))
HEXADECIMAL = separated(st.one_of(st.integers(0, 2**75), st.integers(0, 2**1030)).map("{:x}".format))
RADIX = st.one_of(
    st.builds("{}{}".format, pick("0x", "0X"), HEXADECIMAL),
    st.builds("{}{}".format, pick("0x"), HEXADECIMAL.map(str.upper)),
    st.builds("{}{}".format, pick("0o", "0O"), separated(st.integers(0, 2**75).map("{:o}".format))),
    st.builds("{}{}".format, pick("0b", "0B"), separated(st.integers(0, 2**75).map("{:b}".format))),
)
NUMBERS = st.one_of(
    st.integers(0, 20).map(str),
    WHOLE,
    RADIX,
    st.builds("{}.{}".format, WHOLE, DIGITS),
    st.builds("{}.".format, WHOLE),
    st.builds(".{}".format, DIGITS),
    st.builds("{}{}".format, WHOLE, EXPONENT),
    st.builds("{}.{}{}".format, WHOLE, DIGITS, EXPONENT),
    st.builds(".{}{}".format, DIGITS, EXPONENT),
    st.floats(min_value=0, allow_infinity=False).map(repr),
    st.builds("0{:o}".format, st.integers(0, 2**60)),
    st.builds("0{}{}".format, st.integers(1, 999), pick("8", "9", "80", "9.5", "8e2", "9.")),
)
BIGINTS = st.builds("{}n".format, st.one_of(WHOLE, RADIX))

ESCAPES = st.one_of(
    st.builds("\\x{:02x}".format, st.integers(0, 0xFF)),
    st.builds("\\u{:04X}".format, st.integers(0, 0xFFFF)),
    st.builds("\\u{:04x}".format, st.integers(0xD800, 0xDFFF)),
    st.builds("\\u{{{:x}}}".format, st.integers(0, 0x10FFFF)),
    pick(
        "\\ud83d\\ude00",
        "\\ud83d",
        "\\ude00",
        "\\u{d83d}",
        "\\u{00000041}",
        "\\n",
        "\\t",
        "\\v",
        "\\b",
        "\\f",
        "\\r",
    ),
    pick(
        "\\'",
        '\\"',
        "\\`",
        "\\\\",
        "\\/",
        "\\a",
        "\\$",
        "\\\n",
        "\\\r",
        "\\\r\n",
        "\\\u2028",
        "\\\u2029",
        "\\\U0001f600",
    ),
)
OCTALS = st.one_of(
    st.builds("\\{:o}".format, st.integers(0, 0o377)), pick("\\0", "\\00", "\\08", "\\400", "\\8", "\\9")
)


def raw(excluded):
    return st.text(st.characters(exclude_categories=["Cs"], exclude_characters=excluded + "\\\0"), max_size=5)


def quoted(quote):
    pieces = st.lists(st.one_of(raw(quote + "\r\n"), ESCAPES, OCTALS), max_size=6)
    return pieces.map(lambda parts: quote + "".join(parts) + quote)


STRINGS = st.one_of(quoted("'"), quoted('"'))
TEMPLATE_PIECES = st.one_of(raw("`$"), ESCAPES, pick("\r\n", "\r", "\n", "$ ", "{}", "\\0 ", "$$ ", "\\${"))
TEMPLATES = st.lists(TEMPLATE_PIECES, max_size=6).map(lambda parts: "`" + "".join(parts) + "`")
WORDS = pick("null", "undefined", "true", "false")

SIGNED = st.builds("{} {}".format, pick("-", "+", "!", "- -", "-!"), NUMBERS)
PRIMITIVES = st.one_of(WORDS, NUMBERS, BIGINTS, STRINGS, TEMPLATES, SIGNED).map(plain)
NAMES = pick(
    "a",
    "b",
    "_c",
    "$d",
    "type",
    "get",
    "async",
    "null",
    "\\u0061",
    "\\u{62}c",
    "constructor",
    "prototype",
    "ä",
)


def wrapped(inner):
    """Return the expressions with parentheses or casts around them, which change nothing."""
    return st.one_of(
        st.builds(lambda part, gap: spell("({1}{0}{1})", part, plain(gap)), inner, GAPS),
        inner.map(lambda part: (f"({part[0]} as any)", f"({part[1]})")),
        inner.map(lambda part: (f"({part[0]} satisfies unknown as /* d */ X<1>[])", f"({part[1]})")),
        inner.map(lambda part: (f"({part[0]})!", f"({part[1]})")),
    )


@st.composite
def arrays(draw, element, spread):
    """Generate array literals with holes, spreads, comments and trailing commas."""
    gap = plain(draw(GAPS))
    spreads = spread.map(lambda part: spell("...{1}{0}", part, gap))
    parts = draw(st.lists(st.one_of(element, spreads, st.just(plain(""))), max_size=5))
    return tuple(
        f"[{gap[0]}" + f"{gap[0]},{gap[0]}".join(part[side] for part in parts) + "]" for side in (0, 1)
    )


@st.composite
def objects(draw, element, key, spread):
    """Generate object literals with keys of every form and spreads."""
    gap = plain(draw(GAPS))
    keys = st.one_of(
        NAMES.map(plain), STRINGS.map(plain), NUMBERS.map(plain), key.map(lambda part: spell("[{}]", part))
    )
    pairs = st.builds(lambda name, value: spell("{0}{2}:{2}{1}", name, value, gap), keys, element)
    spreads = spread.map(lambda part: spell("...{1}{0}", part, gap))
    parts = draw(st.lists(st.one_of(pairs, pairs, spreads), max_size=5))
    # Two plain keys of this name would be a syntax error.
    if draw(st.integers(0, 9)) == 0:
        parts.insert(
            0, spell(draw(pick("__proto__: {}", "'__proto__': {}", "\\u005f_proto__: {}")), draw(element))
        )
    inside = [f"{gap[side]},{gap[side]}".join(part[side] for part in parts) for side in (0, 1)]
    return tuple(f"{{{gap[0]}{text}{gap[0]}}}" for text in inside)


SUMS = st.lists(st.one_of(NUMBERS, SIGNED, WORDS, STRINGS, TEMPLATES), min_size=2, max_size=5).flatmap(
    lambda terms: st.lists(pick("+", "-", "*", "/", "%"), min_size=len(terms), max_size=len(terms)).map(
        lambda signs: plain(" ".join(f"{sign} {term}" for sign, term in zip(signs, terms, strict=True))[1:])
    )
)
# Only powers whose results are exact: the last bit of the others is the engine's choice.
POWERS = st.one_of(
    st.builds("{} ** {}".format, st.integers(0, 12), st.integers(0, 12)),
    st.builds(
        "({}) ** {}".format,
        pick("-2", "-1", "0", "-0", "1", ".5", "1/0", "0/0", "-1/0"),
        pick("-3", "-2", "0", "5", "+'x'", "(1/0)"),
    ),
    pick("2 ** 3 ** 2", "2n ** 64n", "(-3n) ** 3n", "'2' ** '3'", "2 ** null", "1e200 ** 2", "(-10) ** 401"),
).map(plain)
SIMPLE = st.deferred(lambda: st.one_of(PRIMITIVES, SUMS, POWERS))
COMPUTED_KEYS = st.deferred(lambda: st.one_of(PRIMITIVES, SUMS))
ITERABLE = st.deferred(lambda: st.one_of(STRINGS, TEMPLATES).map(plain))
WITH_FEW_KEYS = st.deferred(
    lambda: st.one_of(STRINGS, WORDS, pick("{}", "1n", "[1, 'a']", "[...[,]]")).map(plain)
)


def composites(inner):
    """Return arrays and objects whose elements and spreads JavaScript accepts whatever they hold."""
    lists = arrays(inner, ITERABLE)
    maps = objects(inner, COMPUTED_KEYS, WITH_FEW_KEYS)
    return st.one_of(lists, maps, arrays(inner, lists), objects(inner, COMPUTED_KEYS, maps), wrapped(inner))


LITERALS = st.recursive(st.one_of(SIMPLE, wrapped(SIMPLE)), composites, max_leaves=6)

# No "<": the TypeScript grammar may take what follows for type arguments.
OPERATIONS = pick("+", "-", "*", "/", "%", "===", ">=", "&&", "||", "??", "|", ">>>", ",")


def anything(inner):
    """Return expressions with operators, keys and spreads of anything at all, many of which throw."""
    return st.one_of(
        st.builds(
            lambda left, sign, right: spell("({0} {1} {2})", left, plain(sign), right),
            inner,
            OPERATIONS,
            inner,
        ),
        st.builds(
            lambda sign, part: spell("{0} {1}", plain(sign), part),
            pick("-", "+", "!", "~", "typeof", "void"),
            inner,
        ),
        st.builds(lambda part: spell("({0} ? {0} : 1)", part), inner),
        arrays(inner, inner),
        objects(inner, inner, inner),
        wrapped(inner),
        st.builds(lambda part: spell("`a${{{0}}}`", part), inner),
    )


WILD = st.recursive(
    st.one_of(
        PRIMITIVES, BIGINTS.map(plain), pick("[]", "{}", "[1]", "[,]", "(() => 1)", "NaN", "/a/g").map(plain)
    ),
    anything,
    max_leaves=8,
)
DIALECTS = st.sampled_from(Dialect)


def spelling(expression, dialect):
    """Return the spelling for *dialect*; TSX takes the casts as well."""
    return expression[1] if dialect is Dialect.JAVASCRIPT else expression[0]


def assert_read_as_node_does(oracle, expression, dialect):
    _, _, reading = read(spelling(expression, dialect), dialect)
    assert isinstance(reading, Literal), reading
    assert unordered(encode(reading.value)) == unordered(oracle.value(expression[1]))


@settings(HARD, max_examples=500)
@given(st.one_of(NUMBERS, BIGINTS), DIALECTS)
def test_numeric_literals(oracle, text, dialect):
    assert_read_as_node_does(oracle, plain(text), dialect)


@settings(HARD, max_examples=500)
@given(st.one_of(STRINGS, TEMPLATES), DIALECTS)
def test_strings_and_templates(oracle, text, dialect):
    assert_read_as_node_does(oracle, plain(text), dialect)
    source, node, reading = read(text, dialect)
    assert read_string_constant(source, node) == reading.value


@settings(HARD, max_examples=300)
@given(st.one_of(SUMS, POWERS), DIALECTS)
def test_arithmetic_on_primitives(oracle, expression, dialect):
    assert_read_as_node_does(oracle, expression, dialect)


@settings(HARD, max_examples=600)
@given(LITERALS, DIALECTS)
def test_nested_literals_are_all_readable(oracle, expression, dialect):
    assert_read_as_node_does(oracle, expression, dialect)


KEYS = st.one_of(
    st.integers(0, 20).map(str),
    st.integers(2**32 - 4, 2**32 + 2).map(str),
    pick(
        "a",
        "b",
        "'c'",
        "'01'",
        "'1.5'",
        "'-1'",
        "'4294967294'",
        "'5 '",
        "1e3",
        "1e21",
        "0x10",
        "['7']",
        "''",
        ".5",
        "1n",
    ),
)


@settings(HARD, max_examples=200)
@given(st.lists(KEYS, max_size=8, unique=True), st.lists(KEYS, max_size=8, unique=True), DIALECTS)
def test_order_of_keys(oracle, early, late, dialect):
    inner, outer = (", ".join(f"{key}: {at}" for at, key in enumerate(keys)) for keys in (early, late))
    _, _, reading = read(f"{{...{{{inner}}}, {outer}}}", dialect)
    # Node is asked for a merge, since its spreads beside repeated keys do not keep the order.
    assert encode(reading.value) == oracle.value(f"Object.assign({{{inner}}}, {{{outer}}})")


@settings(HARD, max_examples=600)
@given(WILD, DIALECTS)
def test_what_is_readable_among_all_expressions_is_read_right(oracle, expression, dialect):
    _, _, reading = read(spelling(expression, dialect), dialect)
    answer = oracle.ask(expression[1])
    assert answer.get("thrown") != "SyntaxError", answer
    if isinstance(reading, Literal):
        # What a prototype key holds is left out unread, also when it would throw.
        assert "value" in answer or "_proto__" in expression[1]
        assert unordered(encode(reading.value)) == unordered(answer.get("value", encode(reading.value)))
    else:
        assert isinstance(reading, Unreadable)


@settings(HARD, max_examples=400)
@given(st.one_of(st.floats(), st.integers(-(10**25), 10**25).map(float), st.floats(1e-9, 1e-3)))
def test_texts_of_numbers(oracle, number):
    assert number_to_string(number) == oracle.value(f"String(float('{bits(number)}'))")


BLANKS = st.text(
    pick(*" \t\n\v\f\r\xa0\u1680\u180e\u2003\u200b\u2028\u202f\u205f\u3000\ufeff\x85\x1c"), max_size=2
)
NUMBER_TEXTS = st.builds(
    "{}{}{}{}".format,
    BLANKS,
    pick("", "-", "+", "--"),
    st.one_of(NUMBERS, BIGINTS, pick("Infinity", "NaN", "", "inf", ".", "1e", "0x"), raw("")),
    BLANKS,
)


@settings(HARD, max_examples=400)
@given(NUMBER_TEXTS)
def test_numbers_of_texts(oracle, text):
    assert encode(string_to_number(text)) == oracle.value(f"Number({json.dumps(text)})")
