"""Options and static initialisers are read from their syntax, or the part that hinders it is named."""

import math

import pytest
from literal_readings import ALL, PREFIX, TYPED, constant_of, entries_of, parsed, read, value_of

from scanner.js.values import UNDEFINED, BigInt
from scanner.syntax.grammar import Dialect
from scanner.syntax.literals import Literal, Unreadable, string_value


@pytest.mark.parametrize("dialect", ALL)
@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("null", None),
        ("undefined", UNDEFINED),
        (r"\u0075ndefined", UNDEFINED),
        ("true", True),
        ("false", False),
        ("1_000.5", 1000.5),
        ("0xff", 255.0),
        ("10n", BigInt(10)),
        ("-1n", BigInt(-1)),
        ("'it\\'s'", "it's"),
        ('"a\\u0041"', "aA"),
        ("'a\\\r\nb'", "ab"),
        ("`a\\n$`", "a\n$"),
        ("`line\r\nline`", "line\nline"),
        ("(/* c */ 1 // d\n)", 1.0),
        ("((((('x')))))", "x"),
        ("[]", []),
        ("[1, 'a', [null, [true]], {b: 2}]", [1.0, "a", [None, [True]], {"b": 2.0}]),
        ("[, 1, , 2, ,]", [UNDEFINED, 1.0, UNDEFINED, 2.0, UNDEFINED]),
        ("[,]", [UNDEFINED]),
        ("[1,]", [1.0]),
        ("[/* a */, // b\n 1 /* c */, /* d */]", [UNDEFINED, 1.0]),
        ("[...[1, ...[2]], 3]", [1.0, 2.0, 3.0]),
        ("[...'a\U0001f600\\ud83d\\ude00\\ud83d']", ["a", "\U0001f600", "\U0001f600", "\ud83d"]),
        ("[...[,]]", [UNDEFINED]),
        ("{}", {}),
        ("{a: undefined, b: null}", {"a": UNDEFINED, "b": None}),
        ("{ /* x */ a /* y */ : /* z */ 1 /* w */, // v\n }", {"a": 1.0}),
        (r"{\u0061: 1, \u{62}c: 2}", {"a": 1.0, "bc": 2.0}),
        ("{a: {...{b: 1, c: 2}, b: 3}}", {"a": {"b": 3.0, "c": 2.0}}),
        ("{...'a\U0001f600'}", {"0": "a", "1": "\ud83d", "2": "\ude00"}),
        ("{...[5, [6]]}", {"0": 5.0, "1": [6.0]}),
        ("{...[...[,]]}", {"0": UNDEFINED}),
        ("{...null, ...undefined, ...1, ...true, ...1n, a: 1}", {"a": 1.0}),
        (
            "{['a' + 1]: 1, [2 * 3]: 2, [`t`]: 3, [null]: 4, [!0]: 5}",
            {"6": 2.0, "a1": 1.0, "t": 3.0, "null": 4.0, "true": 5.0},
        ),
        (
            "{'a b': 1, .5: 2, 0x10: 3, 1e21: 4, 2n: 5}",
            {"2": 5.0, "16": 3.0, "a b": 1.0, "0.5": 2.0, "1e+21": 4.0},
        ),
        ("{get: 1, set: 2, async: 3, static: 4}", {"get": 1.0, "set": 2.0, "async": 3.0, "static": 4.0}),
        ("-1", -1.0),
        ("+'12'", 12.0),
        ("- -1", 1.0),
        ("!0", True),
        ("!'a'", False),
        ("!0n", True),
        ("!''", True),
        ("!null", True),
        ("!undefined", True),
        ("!(0 / 0)", True),
        ("-/* c */1", -1.0),
        ("1 + 1", 2.0),
        ("1 + 2 * 3 - 4 / 8", 6.5),
        ("7 % 4", 3.0),
        ("2 ** 3 ** 2", 512.0),
        ("(-2) ** 2", 4.0),
        ("60 * 60 * 24", 86400.0),
        ("1 + '1'", "11"),
        ("1 + 2 + '3' + 4 + 5", "3345"),
        ("'5' * '2' + 1", 11.0),
        ("'a' + 1 - 1 + 'b'", "NaNb"),
        ("'' + '' + ''", ""),
        ("'' + null + undefined + true + 1n + 1e21", "nullundefinedtrue11e+21"),
        ("'\\ud83d' + '\\ude00'", "\U0001f600"),
        ("true + null", 1.0),
        ("7n / 2n - 1n", BigInt(2)),
        ("'a' /* c */ + // d\n 'b'", "ab"),
    ],
)
def test_readable_expressions(expression, value, dialect):
    assert value_of(expression, dialect) == value


def test_numbers_keep_what_only_floats_have():
    assert math.copysign(1, value_of("-0")) == -1
    assert math.isnan(value_of("+undefined"))
    assert value_of("-1 / 0") == -math.inf


@pytest.mark.parametrize(
    "expression",
    [
        "{a: 1, 2: 'b', 1: 'c'}",
        "{['a']: 1, ...{2: 'b'}, 1: 'c'}",
        "{2: 'x', a: 0, 1: 'c', ...{2: 'b', a: 1}}",
    ],
)
def test_keys_come_in_the_order_of_javascript(expression):
    assert list(value_of(expression).items()) == [("1", "c"), ("2", "b"), ("a", 1.0)]


@pytest.mark.parametrize(
    ("expression", "dialects"),
    [
        ("{type: 'a'} as const", TYPED),
        ("{type: 'a' as const}", TYPED),
        ("({type: ('a' satisfies string)! as any}) satisfies object as unknown as X", TYPED),
        ("<any>{type: <const>'a'}", (Dialect.TYPESCRIPT,)),
        ("{...({type: 'a'} as any)}", TYPED),
        ("{[('type' as const)]: ('a' as any) + ('' as any)}", TYPED),
        ("{type: 'a' /* c */ as /* d */ any}", TYPED),
    ],
)
def test_casts_are_seen_through_at_every_level(expression, dialects):
    for dialect in dialects:
        assert value_of(expression, dialect) == {"type": "a"}


@pytest.mark.parametrize("dialect", ALL)
@pytest.mark.parametrize(
    ("expression", "offender", "reason"),
    [
        ("LIMIT", "LIMIT", "name"),
        ("NaN", "NaN", "name"),
        ("Infinity", "Infinity", "name"),
        ("[1, LIMIT, OTHER]", "LIMIT", "name"),
        ("{a: {b: [LIMITS.fee]}}", "LIMITS.fee", "member"),
        ("'abc'.length", "'abc'.length", "member"),
        ("[1][0]", "[1][0]", "member"),
        ("{a: compute(3), b: OTHER}", "compute(3)", "call"),
        ("new Date(0)", "new Date(0)", "constructs"),
        ("String.raw`x`", "String.raw`x`", "call"),
        ("1 ? 2 : 3", "1 ? 2 : 3", "condition"),
        ("true || A", "true || A", "||"),
        ("true && 1", "true && 1", "&&"),
        ("null ?? 1", "null ?? 1", "??"),
        ("1 < 2", "1 < 2", "<"),
        ("1 === 1", "1 === 1", "==="),
        ("'a' in {a: 1}", "'a' in {a: 1}", "in"),
        ("1 | 2", "1 | 2", "|"),
        ("1 << 2", "1 << 2", "<<"),
        ("~1", "~1", "~"),
        ("void 0", "void 0", "void"),
        ("typeof 1", "typeof 1", "typeof"),
        ("`a${'b'}`", "`a${'b'}`", "substitutions"),
        ("{a: /x/g}", "/x/g", "regular expression"),
        ("[() => 1]", "() => 1", "function"),
        ("function () {}", "function () {}", "function"),
        ("{a: function* () {}}", "function* () {}", "function"),
        ("{a: class {}}", "class {}", "class"),
        ("{a: 1, run() {}}", "run() {}", "method"),
        ("{get a() { return 1; }}", "get a() { return 1; }", "accessor"),
        ("{set a(v) {}}", "set a(v) {}", "accessor"),
        ("{b: 1, short}", "short", "name"),
        ("{[KEY]: 1}", "KEY", "name"),
        ("{[[1]]: 1}", "[1]", "key"),
        ("{...SHARED}", "SHARED", "name"),
        ("[...LIST]", "LIST", "name"),
        ("[...1]", "...1", "no list"),
        ("[...{}]", "...{}", "no list"),
        ("[...null]", "...null", "no list"),
        ("{...[, 1]}", "...[, 1]", "holes"),
        ("{...[1, , 1]}", "...[1, , 1]", "holes"),
        ("![]", "![]", "object"),
        ("-{}", "-{}", "object"),
        ("'a' + []", "'a' + []", "object"),
        ("1 + 2 + {} + 3", "1 + 2 + {}", "object"),
        ("{a: 1 + LIMIT}", "LIMIT", "name"),
        ("(A < 1) + B", "A < 1", "<"),
        ("1n + 1", "1n + 1", "mix"),
        ("+1n", "+1n", "bigint"),
        ("1n / 0n", "1n / 0n", "bigint"),
        ("9n ** 9n ** 9n", "9n ** 9n ** 9n", "bigint"),
        ("-2 ** 2", "-2 ** 2", "parentheses"),
        ("(1, 2)", "1, 2", "sequence"),
        ("a = 1", "a = 1", "assignment"),
        ("this", "this", "no literal"),
        ("017.5", "017.5", "number"),
        (r"'\u{110000}'", r"'\u{110000}'", "escape"),
        (r"`\1`", r"`\1`", "escape"),
        ("import.meta", "import.meta", "no literal"),
    ],
)
def test_the_part_that_is_no_literal_is_named(expression, offender, reason, dialect):
    reading = read(expression, dialect)
    assert isinstance(reading, Unreadable), reading
    assert reading.expression == offender
    assert reading.start_byte == len(PREFIX) + expression.index(offender)
    assert reason in reading.reason


@pytest.mark.parametrize(
    "expression",
    [
        "{a: 1, __proto__: {b: 2}}",
        "{__proto__: LIMIT, a: 1}",
        "{'__proto__': null, constructor: run(), 'prototype': 1, a: 1}",
        "{['__proto__']: 1, ['con' + 'structor']: A, a: 1}",
        r"{__pr\u006fto__: 1, a: 1}",
        "{a: 1, constructor() {}, get prototype() { return 1; }}",
        "{a: 1, constructor}",
        "{...{constructor: 1, a: 1}}",
    ],
)
def test_prototype_keys_are_left_out_however_written(expression):
    assert value_of(expression) == {"a": 1.0}
    assert value_of(f"[{{deep: {expression}}}]") == [{"deep": {"a": 1.0}}]
    assert entries_of(expression) == {"a": Literal(1.0)}


def test_only_the_exact_prototype_keys_are_left_out():
    assert value_of("{toString: 1, hasOwnProperty: 2, proto: 3}") == {
        "toString": 1.0,
        "hasOwnProperty": 2.0,
        "proto": 3.0,
    }


@pytest.mark.parametrize("dialect", ALL)
def test_entries_have_readings_of_their_own(dialect):
    entries = entries_of(
        "({type: 'a', 'min': LIMIT, [2]: [f()], short, run() {}, ...{max: 1}, ...OTHER, [KEY]: 1, type: 'b', last: {}})",
        dialect,
    )
    assert list(entries) == ["type", "min", "2", "short", "run", "max", "last"]
    assert [entries[key] for key in ("type", "max", "last")] == [Literal("b"), Literal(1.0), Literal({})]
    offenders = {
        key: reading.expression for key, reading in entries.items() if isinstance(reading, Unreadable)
    }
    assert offenders == {"min": "LIMIT", "2": "f()", "short": "short", "run": "run() {}"}


@pytest.mark.parametrize(
    "expression", ["{type:, b: 1}", "{type: 1 +, b: 1}", "{type: f(, b: 1}", "{type: 'x' 'y', b: 1}"]
)
def test_a_key_is_stated_although_its_value_is_broken(expression):
    entries = entries_of(expression)
    assert isinstance(entries["type"], Unreadable)


@pytest.mark.parametrize("expression", ["({a: 1}) as any", "<any>({a: 1})", "(({a: 1} satisfies X)!)"])
def test_entries_are_seen_through_casts(expression):
    assert entries_of(expression) == {"a": Literal(1.0)}


@pytest.mark.parametrize(
    "expression", ["[{a: 1}]", "NAME", "f({a: 1})", "'a'", "null", "() => ({a: 1})", "({a: 1} 2)"]
)
def test_only_object_literals_have_entries(expression):
    assert entries_of(expression) is None


@pytest.mark.parametrize("dialect", ALL)
@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("'a'", "a"),
        ('"\\x41"', "A"),
        ("`b\\n`", "b\n"),
        ("''", ""),
        ("'a' + 'b' + `c`", "abc"),
        ("'a' + ('b' + ('c' + 'd'))", "abcd"),
        ("((/* x */ 'a' /* y */))", "a"),
        ("'\\ud83d' + /* x */ '\\ude00'", "\U0001f600"),
    ],
)
def test_string_constants(expression, text, dialect):
    assert constant_of(expression, dialect) == text


@pytest.mark.parametrize(
    "expression",
    [
        "NAME",
        "1",
        "'a' + 1",
        "1 + 'a'",
        "'a' + NAME",
        "`a${1}`",
        "'a' - 'b'",
        "'a' || 'b'",
        "('a' as string)",
        "'a'!",
        "null",
        "['a']",
        "'a'.trim()",
        "-'1'",
        "'\\u{110000}'",
        "'a' + `\\1`",
        "('a' 'b')",
    ],
)
def test_other_expressions_are_no_string_constants(expression):
    assert constant_of(expression) is None


def test_string_value_is_for_strings_only():
    assert string_value(*parsed("'a\\tb'", Dialect.JAVASCRIPT)) == "a\tb"
    assert string_value(*parsed("`a`", Dialect.TSX)) is None
    assert string_value(*parsed("NAME", Dialect.TYPESCRIPT)) is None
    assert string_value(*parsed("'\\x4'", Dialect.TYPESCRIPT)) is None


@pytest.mark.parametrize("dialect", ALL)
@pytest.mark.parametrize(
    "expression",
    [
        "[1 2]",
        "{a: 1 2}",
        "(1 2)",
        "{a:}",
        "{a: 1 b: 2}",
        "[1 +]",
        "['a' 'b']",
        "[-]",
        "[...]",
        "{[]: 1}",
        "[{a: 1]",
        "{a: [1}",
    ],
)
def test_broken_syntax_is_never_read_as_something_else(expression, dialect):
    assert isinstance(read(expression, dialect), Unreadable)


def test_text_outside_ascii_is_placed_by_bytes():
    reading = read("['äöü\U0001f600', NAME]")
    assert reading == Unreadable("NAME", len("x = ['äöü\U0001f600', ".encode()), reading.reason)
