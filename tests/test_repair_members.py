"""Class members that the grammars refuse or misread: modifier words as names, odd orders, line ends."""

from __future__ import annotations

import pytest
from repair_readings import fault_texts, members, nodes, parse

from scanner.syntax.grammar import Dialect

WORDS = [
    *("public", "protected", "private", "static", "abstract", "override", "readonly"),
    *("declare", "accessor", "async", "get", "set"),
]


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize(
    "tail", [";", " = 1;", ": T;", "?: T;", "!: T;", "\n", " // c\n", "() {}", "<T>() {}", "\n= 1\n"]
)
def test_a_modifier_word_can_be_a_name(word: str, tail: str):
    call = "()" if "(" in tail else ""
    source = f"class A {{ first = 1; {word}{tail} last = 2 }}"
    if tail in {"\n", " // c\n"} and word in {"static", "get", "set"}:
        source = source.replace(" last = 2", "; last = 2")
    assert fault_texts(source) == []
    assert members(source) == ["first", word + call, "last"]


@pytest.mark.parametrize("gap", ["\n", "\r\n", " // c\n", "/* c\n */", "\n\n\t"])
def test_static_and_accessor_kinds_bind_across_lines(gap: str):
    source = f"class A {{ static{gap}a = 1; get{gap}b() {{ return 1 }}\n set{gap}c(v) {{}}\n static{gap}async{gap}d() {{}} }}"
    assert members(source) == ["static a", "get b()", "set c()", "static async", "d()"]


@pytest.mark.parametrize("gap", ["\n", "\r\n", " // c\n", "/* c\n */"])
@pytest.mark.parametrize("word", [word for word in WORDS if word not in {"static", "get", "set"}])
@pytest.mark.parametrize(
    ("next_member", "name"), [("x = 1", "x"), ("*x() {}", "x()"), ("in = 1", "in"), ("['x'] = 1", "['x']")]
)
def test_other_modifiers_alone_on_a_line_are_fields(word: str, gap: str, next_member: str, name: str):
    assert members(f"class A {{ {word}{gap}{next_member} }}") == [word, name]


def test_a_generator_after_get_on_a_line_of_its_own_leaves_a_field():
    assert members("class A { get\n *a() {}\n set\n *b() {} }") == ["get", "a()", "set", "b()"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("static accessor a = 1; b = 2", ["b"]),
        ("abstract accessor a: T; b = 2", ["b"]),
        ("override accessor a = 1; b = 2", ["b"]),
        ("protected static accessor a: T = 1; b = 2", ["b"]),
        ("@d() private override accessor a = 1; b = 2", ["b"]),
        ("static declare a: T; b = 2", ["static a", "b"]),
        ("declare static a: T; b = 2", ["static a", "b"]),
        ("public static declare readonly a: T; b = 2", ["public static readonly a", "b"]),
        ("protected readonly declare a: T; b = 2", ["protected readonly a", "b"]),
        ("abstract override readonly a: T; b = 2", ["b"]),
        ("protected abstract override a: T; b = 2", ["b"]),
        ("protected abstract override m(): T; b = 2", ["b"]),
        ("static [k: string]: T; b = 2", ["b"]),
        ("static readonly [k: string]: T; b = 2", ["b"]),
        (
            "static static = 1; static get = 2; get get() { return 1 }",
            ["static static", "static get", "get get()"],
        ),
    ],
)
def test_stacked_modifiers(source: str, expected: list[str]):
    source = f"abstract class A extends B {{ {source} }}"
    assert fault_texts(source) == []
    assert members(source) == expected


@pytest.mark.parametrize(
    ("source", "expected", "forbidden"),
    [
        ("readonly static a = 1", "static readonly a", ["static"]),
        ("static public a = 1", "public static a", ["public"]),
        ("override public a = 1", "public a", ["public"]),
        ("public private a = 1", "public a", ["private"]),
        ("async a = 1", "a", ["async"]),
        ("readonly private static a = 1", "private static readonly a", ["private", "static"]),
        ("static static public a() {}", "public static a()", ["static", "public"]),
        ("async static a() {}", "static async a()", ["static"]),
        ("readonly a() {}", "readonly a()", ["readonly"]),
        ("declare override a: T", "a", ["override"]),
    ],
)
def test_forbidden_modifiers_are_faults_and_the_member_keeps_what_they_say(
    source: str, expected: str, forbidden: list[str]
):
    if source.startswith("static static"):
        # The second one is a name by the language's rules, so that the line cannot be read.
        assert fault_texts(f"class A extends B {{ {source} }}")
        return
    source = f"class A extends B {{ first = 1;\n {source};\n last = 2 }}"
    assert fault_texts(source) == forbidden
    assert members(source) == ["first", expected, "last"]


@pytest.mark.parametrize(
    "source", ["private abstract a: T", "abstract public a: T", "private abstract m(): T"]
)
def test_forbidden_modifiers_that_the_grammar_lets_pass_are_faults(source: str):
    assert fault_texts(f"abstract class A {{ {source}; b = 2 }}")


@pytest.mark.parametrize(
    "source",
    [
        "a\n*b() {}",
        "a: T\n*b() {}",
        "a\n['b'] = 2",
        "a: T\n['b'] = 2",
        "a = 5 as T\n['b'] = 2",
        "a = x++\n['b'] = 2",
        "a = () => {}\n['b'] = 2",
        "a = async () => {} // c\n['b']() {}",
        "a: T // c\n*b() {}",
        "a // c\n// d\n*b() {}",
        "a//c\n*b() {}",
        "a\r\n*b() {}",
        "a?\n*b() {}",
        "a: () => void\n*b() {}",
        "a = new Map<string, number>()\nb",
        "a = class {}\nb",
        "a: T\nb",
        "a\nin\n",
        "a = 1\nin_ = 2",
        "a = <T>(x: T): T => x\nb = 2",
        "a = async function () {}\nb: import('x').Y[]",
        "a(): T\nb(): import('x').Y[]",
    ],
)
def test_a_member_ends_with_its_line(source: str):
    # A construct that the grammar refuses makes sure that the file gets repaired.
    assert len(members(f"class A {{ {source}\n static accessor z = 1 }}")) == 2


@pytest.mark.parametrize(
    "value",
    [
        "0\n['x'] = 1",
        "'a'\nin\nb",
        "a\ninstanceof\nB",
        "a\n`b`",
        "a\n?? b",
        "a\n.b\n(1, 2)",
        "a\n? 1\n: 2",
        "(a)\n(b)",
        "a +\nb",
        "a\n? () => {}\n: c",
        "function () {}\n['a']",
        "a <\nb",
        "a\n>= b",
        "a\n/ b\n/ c",
        "[\n1\n]\n.map(x => { return x })",
    ],
)
def test_a_value_goes_on_where_the_next_line_continues_it(value: str):
    source = f"class A {{ a = {value}\n accessor: T\n last = 2 }}"
    parsed = parse(source)
    field = next(nodes(parsed.root, "public_field_definition"))
    read = field.child_by_field_name("value")
    assert read is not None
    assert parsed.source.text(read) == value
    assert members(source) == ["a", "accessor", "last"]


def test_nested_classes_and_class_expressions_are_mended_too():
    source = "class A { a = class { accessor: T\n b = 1 }; m() { class B { abstract = 1 } return class { get\n c() {} } } }"
    assert fault_texts(source) == []
    assert members(source) == ["a", "m()", "accessor", "b", "abstract", "get c()"]


def test_markup_values_end_with_their_line():
    source = "class A { a = <p>don't {x}</p>\n accessor: T\n b = <br/>\n c = <A.B<T> x={y}>;</A.B> }"
    assert members(source, Dialect.TSX) == ["a", "accessor", "b", "c"]


def test_class_heads_are_read_over_braces_and_type_arguments():
    source = (
        "class A<T extends { a: B<C> }> extends D<{ e: F }>(g, { h }) implements I<{ j: K }> { accessor: T }"
    )
    assert members(source) == ["accessor"]


def test_decorators_stay_with_their_members():
    source = "class A { @a() @b.c({ d: 1 })\n accessor: T\n @e static\n f = 1 }"
    parsed = parse(source)
    fields = list(nodes(parsed.root, "public_field_definition"))
    decorators = [
        [parsed.source.text(child) for child in field.children if child.type == "decorator"]
        for field in fields
    ]
    assert decorators == [["@a()", "@b.c({ d: 1 })"], ["@e"]]
