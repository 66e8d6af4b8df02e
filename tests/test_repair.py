"""Valid code that the grammars refuse or misread, outside class members and decorators, and broken code."""

from __future__ import annotations

import pytest
from repair_readings import fault_texts, members, nodes, parse

from scanner.syntax.grammar import Dialect, parse_bytes
from scanner.syntax.repair import apply_repairs, plan_repairs
from scanner.syntax.syntax_errors import error_cost

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
