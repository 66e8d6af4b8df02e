"""Valid code that the grammars refuse or misread, and how it is read all the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_sitter import Node

from scanner.syntax.grammar import Dialect, dialect_of_path, parse_bytes
from scanner.syntax.parsing import ParsedSource, parse_source_bytes
from scanner.syntax.repair import RULES, apply_repairs, may_be_misread, plan_repairs
from scanner.syntax.syntax_errors import error_cost

PARITY = Path(__file__).parent / "parity"
FIELDS = {"public_field_definition", "field_definition"}
HIDDEN = {"abstract", "accessor"}


def parse(source: str, dialect: Dialect = Dialect.TYPESCRIPT) -> ParsedSource:
    return parse_source_bytes(source.encode(), dialect)


def nodes(root: Node, *types: str) -> Iterator[Node]:
    """Yield the nodes of some types, in source order."""
    pending = [root]
    while pending:
        node = pending.pop()
        if node.type in types:
            yield node
        pending.extend(reversed(node.children))


def member_name(parsed: ParsedSource, member: Node) -> str:
    name = member.child_by_field_name("name") or member.child_by_field_name("property")
    assert name is not None
    return parsed.source.text(name)


def members_of(parsed: ParsedSource, body: Node) -> list[str]:
    """Return the members of a class as people would list them: modifiers that matter, name, ``()`` for methods."""
    found = []
    for member in body.named_children:
        words = {child.type for child in member.children}
        if member.type not in FIELDS | {"method_definition", "method_signature"} or words & HIDDEN:
            continue
        access = [
            child.children[0].type for child in member.children if child.type == "accessibility_modifier"
        ]
        flags = [word for word in ("static", "readonly", "async", "get", "set") if word in words]
        call = "" if member.type in FIELDS else "()"
        found.append(" ".join([*access, *flags, member_name(parsed, member) + call]))
    return found


def members(source: str, dialect: Dialect = Dialect.TYPESCRIPT) -> list[str]:
    parsed = parse(source, dialect)
    return [name for body in nodes(parsed.root, "class_body") for name in members_of(parsed, body)]


def fault_texts(source: str, dialect: Dialect = Dialect.TYPESCRIPT) -> list[str]:
    parsed = parse(source, dialect)
    return [parsed.source.slice(fault.start_byte, fault.end_byte) for fault in parsed.syntax_errors]


# --- class members ---------------------------------------------------------------------------------------------

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


# --- decorators ------------------------------------------------------------------------------------------------


def decorator_of(source: str) -> tuple[str, str]:
    """Return the type and original text of the first decorator's expression."""
    parsed = parse(source)
    assert parsed.syntax_errors == ()
    expression = next(nodes(parsed.root, "decorator")).named_children[0]
    return expression.type, parsed.source.text(expression)


@pytest.mark.parametrize("text", ["a", "a.b", "a()", "a.b()", "a<T>()", "(a)", "(a())", "a.b.c({ d: 1 })"])
@pytest.mark.parametrize(
    "host", ["@{} class A {{ b = 1 }}", "class A {{ @{} b = 1 }}", "export @{} class A {{ b = 1 }}"]
)
def test_decorators_that_the_grammar_reads_stay(text: str, host: str):
    assert decorator_of(host.format(text))[1] == text


@pytest.mark.parametrize("text", ["(a)()", "((a))", "((a()))", "(a)<T>()", "((a)(b))"])
@pytest.mark.parametrize("host", ["@{} class A {{ b = 1 }}", "class A {{ @{} b = 1 }}"])
def test_parentheses_around_a_plain_decorator_do_not_matter(text: str, host: str):
    kind, _ = decorator_of(host.format(text))
    assert kind == ("identifier" if text == "((a))" else "call_expression")


@pytest.mark.parametrize(
    "text",
    [
        "a()()",
        "a().b()",
        "a(b)(c)",
        "(a as T)",
        "(a ?? b)",
        "(c ? a : b)",
        "a`t`",
        "(a?.())",
        "(() => {})",
        "new a()",
        "(a as T)({ b })",
        "a.#b",
        "name!()",
    ],
)
@pytest.mark.parametrize(
    "host", ["@{} class A {{ b = 1 }}", "class A {{ @{} b = 1 }}", "class A {{ @{} ['b']() {{}} }}"]
)
def test_other_decorator_expressions_are_no_plain_decorator(text: str, host: str):
    source = host.format(text)
    parsed = parse(source)
    assert parsed.syntax_errors == ()
    expression = next(nodes(parsed.root, "decorator")).named_children[0]
    callee = expression.child_by_field_name("function") or expression
    assert callee.type == "member_expression"
    assert len(members(source)) == 1


def test_what_a_called_decorator_refers_to_is_kept():
    parsed = parse("@smrt({ ...SHARED })() class A {}")
    assert [parsed.source.text(node) for node in nodes(parsed.root, "spread_element")] == ["...SHARED"]


@pytest.mark.parametrize("text", ["a?.b()", "a<T>"])
def test_decorators_that_need_parentheses_are_faults(text: str):
    source = f"class A {{ @{text} b = 1 }}"
    assert fault_texts(source)
    assert members(source) == ["b"]


# --- names, imports, types, literals ---------------------------------------------------------------------------

SOUND = {
    "typed tag": "a = db.query<Row[]>`select 1`; b = styled.div<{ a: b }>`x`.c<D>`e`",
    "using as a value": "class A { a = using(() => 1); b() { return !using } c() { if (using) {} using.x() } d = using.x; e = 1 }",
    "using in brackets": "a = [using]; f(using); b = `${using}`; c = { d: using }; g = (using) => using",
    "using at a line end": "class A { a = using\n b = 1 }",
    "typed using": "using a: T = b",
    "typed await using": "async function f() { await using a: T = b; await using c = d }",
    "using in loops": "class A { m() { for (using a of b) {} } async n() { for (await using a of b) {} for await (using c of d) {} } e = 1 }",
    "export type star": 'export type * from "x"; export type * as X from "y"',
    "export attributes": 'export { a } from "x" with { type: "json" }; export * from "y" with { type: "json" }',
    "import phases": 'import defer * as a from "x"; import source b from "y"; const c = import.defer("z")',
    "imports that are named like phases": 'import defer from "x"; import source, { a } from "y"; import { source as b } from "z"',
    "type as an import": 'import { type as } from "a"; import { type as as b } from "c"; import { type as as } from "d"; import type from from "e"',
    "type as an export": 'export { type } from "a"; export { type as b } from "c"; export { type as as d } from "e"; export { type as } from "f"',
    "from on its own line": 'export { a }\nfrom "x"',
    "export import": 'export import a = require("x"); export import b = c.d',
    "anonymous abstract class": "export default abstract class { a = 1 }",
    "anonymous abstract subclass": "export default abstract class extends B<C> { a = 1 }",
    "anonymous signature": "export default function (): {\n a: B;\n};\nexport const c: D",
    "variance": "class A<in T> { a = 1 }\ninterface B<out T> {}\ntype C<in out T, const D> = T\nconst e = class<in T> {}",
    "names like variance": "class A<out> { a = 1 }\ntype B<out = 1> = out",
    "import types": "class A { a: import('x').Y[]; b?: import('x').Y['k']; m(c: import('x').Y, d: readonly import('x').Z<W>[]): import('x').Y[] {} }",
    "import type aliases": "type A = import('x').Y[]; type B = keyof import('x').Y; type C = typeof import('x')",
    "import types as arguments": "class A extends B<import('x').C> { a = 1 }\nclass D extends E<typeof import('x')> { b = 1 }\nf<typeof import('x')>(); f<import('x').Y>()",
    "import types with attributes": "let a: import('x', { with: { 'resolution-mode': 'import' } }).B[]",
    "parameters like types": "class A { a: (string) => void; b = 1 }\ntype C = (string, number) => void\ntype D = (a, boolean?) => (any) => void",
    "optional patterns": "type A = ({ a }?: B) => void; type C = ([a]?: B) => void",
    "markup ampersands": "const a = <b c='?d=1&e=2' f=\"&\">g & h Q&A && &nbsp;</b>; class A { a = 1 }",
    "generic call signatures": "interface A { b: C\n <T>(x: T): T\n d: E }\nclass F { a = 1 }\nconst g: { h: I\n <T>(x: T): T } = 1",
    "mapped keys": "type A = { [namespace in keyof M]: M[namespace] }; type B = { [module in K]: 1 }; type C = { [type in K]: M[type] }",
    "escapes in tagged templates": "a = tag`\\u`, b = tag`\\x${1}\\uZ`, c = tag<T>`\\u{`",
    "escapes in template types": "type A<T> = `a\\`b${T}\\n`",
    "line separators": "const a = 1\u2028const b = 2\u2029class C { a = '\u2028' }",
    "fractions": "const a = b ?.5 : 1, c = b?.5:1",
    "as as a name": "type as = 1; let b: as = 1; let as = 2; const f = (as) => as; g(as, as as T); for (const as of b) {}",
    "satisfies as a name": "const satisfies = 1; f(satisfies)",
    "regex behind a body": "a = () => {}\n/re/.test(b)",
    "call behind a body": "a = () => {}\n(b)",
    "abstract in interfaces": "interface A { abstract: boolean; accessor?: T; abstract(): void }\ntype B = { abstract: boolean }",
    "in as a member": "interface A { a: string\n in: string\n instanceof?: T }",
    "asserts as a type": "class A { m(): asserts { } n(a): asserts a is T { } o(a): asserts a { } p: asserts = 1 }",
    "type as a type": "type A<type> = (type extends 'a' ? B : C) | D",
    "labels like types": "type A = readonly [name: string, symbol: string, string?: T]",
}
MARKUP = {"markup ampersands"}


def dialect_of(case: str) -> Dialect:
    return Dialect.TSX if case in MARKUP else Dialect.TYPESCRIPT


@pytest.mark.parametrize("case", SOUND)
def test_valid_code_has_no_fault(case: str):
    assert fault_texts(SOUND[case], dialect_of(case)) == []


@pytest.mark.parametrize(
    "case",
    [
        case
        for case in SOUND
        if case
        not in {
            "using at a line end",
            "call behind a body",
            "imports that are named like phases",
            "names like variance",
            "satisfies as a name",
        }
    ],
)
def test_each_case_needs_its_repair(case: str):
    source = SOUND[case].encode()
    assert error_cost(parse_bytes(source, dialect_of(case)).root_node) > 0
    assert plan_repairs(source, dialect_of(case))


@pytest.mark.parametrize("case", SOUND)
def test_rewrites_of_valid_code_keep_the_length(case: str):
    source = SOUND[case].encode()
    assert len(apply_repairs(source, plan_repairs(source, dialect_of(case)))) == len(source)


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("using as a value", ["a", "b()", "c()", "d", "e"]),
        ("using at a line end", ["a", "b"]),
        ("using in loops", ["m()", "async n()", "e"]),
        ("import types", ["a", "b", "m()"]),
        ("import types as arguments", ["a", "b"]),
        ("parameters like types", ["a", "b"]),
        ("asserts as a type", ["m()", "n()", "o()", "p"]),
        ("markup ampersands", ["a"]),
        ("line separators", ["a"]),
        ("variance", ["a"]),
    ],
)
def test_members_around_what_was_mended(case: str, expected: list[str]):
    assert members(SOUND[case], dialect_of(case)) == expected


def test_names_come_from_the_source_where_the_tree_has_others():
    parsed = parse('import { type as as b, type type } from "x"; import type from from "y"')
    names = [
        parsed.source.text(name)
        for node in nodes(parsed.root, "import_specifier")
        for name in node.named_children
    ]
    assert names == ["as", "b", "type"]
    assert [parsed.source.text(node.named_children[0]) for node in nodes(parsed.root, "import_clause")][
        1
    ] == "from"


def test_an_import_type_becomes_a_type_without_a_name_at_its_place():
    parsed = parse("class A { a: import('x').Y<Z> = 1; b: typeof import('x')[] = 2 }")
    texts = [parsed.source.text(node) for node in nodes(parsed.root, "template_literal_type")]
    assert texts == ["import('x').Y<Z>", "typeof import('x')"]


def test_a_dynamic_import_is_never_made_a_literal():
    parsed = parse("export type * from 'y'; @a({ b: import('x'), c: () => import('x').then(d) }) class A {}")
    assert parsed.syntax_errors == ()
    assert not [node for node in nodes(parsed.root, "string") if parsed.source.text(node) == "import('x')"]
    assert all(
        any(child.type == "template_substitution" for child in node.children)
        for node in nodes(parsed.root, "template_string")
    )


def test_an_interface_without_semicolons_does_not_swallow_what_follows():
    parsed = parse(SOUND["generic call signatures"])
    assert [node.type for node in parsed.root.named_children] == [
        "interface_declaration",
        "class_declaration",
        "lexical_declaration",
    ]


# --- broken code -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source",
    [
        "class A { a = ; b = 1",
        "const a = f({ b: 1 );",
        "class A { @( a = 1 }",
        "let a = <const>{};;}",
        "type = = 1",
        "@(@(@(",
        "import('a')<",
        "export type * fro 'x'",
        "@(smrt smrt()) class A {}",
        "@() class A {}",
        "@core.({ a: 1 }) class A {}",
        "class A<in in T> {}",
        "a = db.query<A | , B>`x`",
        "type A = import('x' 'y').B[]",
        "static { } class A { accessor accessor accessor }",
    ],
)
def test_broken_code_stays_broken(source: str):
    assert fault_texts(source)


def test_a_repair_does_not_wait_for_other_faults():
    source = "class A { accessor: T; b = 1 }\nlet c = = 2;\nclass D { static accessor e = 1; f = 2 }"
    assert fault_texts(source) == ["="]
    assert members(source) == ["accessor", "b", "f"]


# --- parity ----------------------------------------------------------------------------------------------------


def parity_sources() -> Iterator[Path]:
    for folder in ("classes-fields", "methods-types", "decorator-config", "manifest"):
        for path in sorted((PARITY / folder).iterdir()):
            if path.suffix in {".ts", ".tsx", ".js", ".jsx"} and Path(f"{path}.expected.json").exists():
                yield path


CLASSES = {"class_declaration", "abstract_class_declaration", "class"}


def top_level_class_bodies(root: Node) -> Iterator[Node]:
    for statement in root.named_children:
        inner = (
            statement.named_children if statement.type in {"export_statement", "ambient_declaration"} else []
        )
        deeper = [
            node for child in inner if child.type == "ambient_declaration" for node in child.named_children
        ]
        for node in (statement, *inner, *deeper):
            body = node.child_by_field_name("body")
            if node.type in CLASSES and body is not None:
                yield body


def plain_name(parsed: ParsedSource, member: Node) -> str | None:
    """Return a member's name without quotes; None where extraction lists none."""
    text = member_name(parsed, member)
    if text[0] in "'\"":
        return text[1:-1]
    is_listed = text[0] not in "[#" and not text[0].isdigit() and "\\" not in text
    return text if is_listed and text not in {"constructor", "__proto__", "prototype"} else None


@pytest.mark.parametrize("path", list(parity_sources()), ids=lambda path: path.name)
def test_parity_members_are_all_found_in_order(path: Path):
    expected = json.loads(Path(f"{path}.expected.json").read_text("utf-8"))
    parsed = parse_source_bytes(path.read_bytes(), dialect_of_path(path.name))
    bodies = list(top_level_class_bodies(parsed.root))
    classes = expected.get("raw", {}).get("classes", [])
    assert len(bodies) >= len(classes)
    for want, body in zip(classes, bodies, strict=False):
        if "\\" in parsed.source.text(body):
            continue
        fields = [member for member in body.named_children if member.type in FIELDS]
        visible = [node for node in fields if not {child.type for child in node.children} & HIDDEN]
        names = [plain_name(parsed, member) for member in visible]
        assert [name for name in names if name is not None] == [field["name"] for field in want["fields"]]
    has_errors = any(error["kind"] == "syntax" for error in expected.get("raw", {}).get("errors", []))
    # Rules about the order of parameters are no matter of syntax here.
    if not expected.get("errorsOptional") and path.name != "broken-optional-parameter-rules.ts":
        assert bool(parsed.syntax_errors) == has_errors


# --- laws ------------------------------------------------------------------------------------------------------

PIECES = st.lists(
    st.sampled_from(
        [
            *(
                "class A {",
                "class A extends B<C> {",
                "}",
                "(",
                ")",
                "[k]",
                "['k']",
                "x",
                "'q'",
                "#p",
                "in",
                "*",
                ";",
            ),
            *(
                "static",
                "accessor",
                "get",
                "set",
                "readonly",
                "public",
                "abstract",
                "declare",
                "async",
                "override",
            ),
            *(
                "\n",
                "\r\n",
                " // c\n",
                "/* c */",
                ": T",
                "= 1",
                "= () => {}",
                "as T",
                "@a()",
                "@(a)()",
                "@b()()",
            ),
            *(
                "import('x').Y",
                "typeof",
                "using",
                "<",
                ">",
                "`${",
                "}`",
                "`",
                "export type *",
                "from 'x'",
                "with {",
            ),
            *(
                "<div>",
                "</div>",
                "&",
                "?.5",
                "type X =",
                "<in T>",
                "(string) =>",
                "\u2028",
                "ünï",
                "\\u0061",
                "/re/",
            ),
        ]
    ),
    max_size=40,
).map(" ".join)


@settings(max_examples=400, deadline=None)
@given(PIECES.map(str.encode) | st.binary(), st.sampled_from(list(Dialect)))
def test_rewrites_never_change_the_length_nor_overlap(data: bytes, dialect: Dialect):
    for repair in plan_repairs(data, dialect):
        edits = sorted(repair.edits, key=lambda edit: edit.start)
        assert all(first.end <= second.start for first, second in pairwise(edits)), repair.name
        assert all(0 <= edit.start < edit.end <= len(data) for edit in edits), repair.name
        assert len(apply_repairs(data, (repair,))) == len(data)
    assert isinstance(may_be_misread(data), bool)


@pytest.mark.parametrize(
    "source",
    [
        "@a()(@b()() class {}) class C {}",
        "let a: import('x').B<import('y').C[]>[]",
        "a<B<typeof c<D>`x`>>`y`",
    ],
)
def test_what_lies_in_a_rewritten_part_is_left_alone(source: str):
    for repair in plan_repairs(source.encode(), Dialect.TYPESCRIPT):
        assert all(first.end <= second.start for first, second in pairwise(repair.edits)), repair.name


MEMBERS = st.lists(
    st.sampled_from(
        [
            "a = 1",
            "b: T",
            "c",
            "get d() { return 1 }",
            "async e() {}",
            "accessor",
            "static f = 2",
            "abstract: T",
            "readonly",
            "@x() i?: Y",
        ]
    ),
    min_size=1,
    max_size=8,
)


@settings(max_examples=200, deadline=None)
@given(MEMBERS)
def test_line_ends_and_semicolons_separate_members_alike(parts: list[str]):
    """A class without semicolons reads as the same class with them."""
    by_line = members("class A {\n" + "\n".join(parts) + "\n}")
    assert by_line == members("class A {\n" + ";\n".join(parts) + ";\n}")
    assert len(by_line) == len(parts)


def test_every_rule_has_a_name_of_its_own():
    source = b"class A { accessor: T }"
    names = [repair.name for repair in plan_repairs(source, Dialect.TYPESCRIPT)]
    assert names == ["class members", "type names"]
    assert len(set(RULES)) == len(RULES)
