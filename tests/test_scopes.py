"""Which occurrences of a name mean the module's own binding.

Snippets mark every expected reference to ``N`` or ``M`` as ``«N»``; all other occurrences must not count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.syntax.grammar import Dialect, parse_bytes
from scanner.syntax.scopes import module_references
from scanner.syntax.source import SourceText

TS, TSX, JS = Dialect.TYPESCRIPT, Dialect.TSX, Dialect.JAVASCRIPT
DEPTH = 100_000


def unmarked(snippet):
    return re.sub("[«»]", "", snippet)


def marked(text, dialect, names=("N", "M")):
    """Return *text* with marks around what is found to be a reference."""
    data = text.encode()
    pieces, end = [], 0
    for reference in module_references(parse_bytes(data, dialect).root_node, SourceText(data), names):
        node = reference.node
        pieces += [
            data[end : node.start_byte].decode(),
            "«",
            data[node.start_byte : node.end_byte].decode(),
            "»",
        ]
        end = node.end_byte
    return "".join(pieces) + data[end:].decode()


def check(snippet, dialect):
    text = unmarked(snippet)
    assert not parse_bytes(text.encode(), dialect).root_node.has_error
    assert marked(text, dialect) == snippet


VALUES = {
    "expressions": "use(«N»); «N».a; «N»?.a; «N»[0]; list[«N»]; «N»(); new «N»(); [«N»]; (a, «N»); a ? «N» : «M»;",
    "operators": "typeof «N»; void «N»; !«N»; delete «N».a; «N» in a; «N» instanceof «M»; a ?? «N»;",
    "statements": "if («N») «M»; while («N») ; do ; while («N»); switch («N») { case «M»: } throw «N»;",
    "assignment targets": "«N» = 1; «N» += 1; «N» ??= 1; «N»++; --«N»; «N».a = 1; «N»[0] = 1;",
    "pattern targets": "[«N», ...«M»] = a; ({ «N» } = a); ({ a: «N», b: [«M»] = «N», ...«N» } = a); ({ «N» = «M» } = a);",
    "loop targets": "for («N» of a) ; for («N» in a) ; for ({ «N», a: «M» } of b) ;",
    "shorthand and spread": "use({ «N», a: «N», ...«M» }, ...«N»);",
    "computed keys of objects": "use({ [«N»]: 1, [«M».a]() {}, get [«N»]() {}, set [«N»](v) {} });",
    "computed keys of patterns": "const { [«N»]: a, b: { [«M»]: c } } = {};",
    "computed keys of classes": "class A { [«N»] = 1; static [«M»] = 1; [«N».a]() {} get [«N»]() {} }",
    "initialisers": "const a = «N», { b = «M», c: [d = «N»] } = «N»; class A { a = «N»; static a = «M»; #a = «N»; }",
    "defaults of parameters": "function f(a = «N», { b = «M» }, [c = «N»]) {} (a = «M») => a;",
    "function bodies": "function f() { «N»; } () => «N»; use({ a() { «N»; } }); function* g() { yield «M»; yield* «N»; }",
    "base classes": "class A extends «N» {} class B extends «N».a {} class C extends mix(«M») {} use(class extends «N» {});",
    "templates": "`N ${«N»} M`; «N»`${«M»}`;",
    "exports": "export { «N», «M» as N, «N» as default };",
    "default export": "export default «N»;",
    "dynamic import": "import(«N»);",
    "decorators": "@«N» class A { @«N» a = 1; @«M»(«N») b() {} @«M».N c; } @a(«N») class B {}",
    "module-level declarations hide nothing": "var N = «M»; function M() { «N»; «M»; } export const c = «N»;",
    "var in a block belongs to the module": "{ var N = 1; «N»; for (var M of a) «M»; } «N»; «M»;",
}

NO_VALUES = {
    "property keys and members": "use({ N: 1, 'M': 2, N() {}, get N() {}, set M(v) {}, async *M() {} }); a.N; a?.N; a.N.M();",
    "class members": "class A { N; N = 1; static M; 'N' = 1; #N = 1; M() {} get N() {} static async N() {} a() { this.#N; } }",
    "keys of patterns": "const { N: a, M: { b } } = {}; ({ N: a } = {}); function f({ N: a }) {}",
    "labels": "N: for (;;) { break N; continue N; }",
    "meta properties": "function meta() { new.target; import.meta; }",
    "own declarators": "const N = 1; let { M } = {};",
    "import clauses": "import N, { M as a, b as M } from 'N'; import * as c from 'M'; import d from 'x' with { N: 'M' };",
    "exports of other modules": "export { N, M as default } from 'x'; export * as N from 'x'; export { a as N };",
    "strings, comments, regexes": "'N'; \"M\"; `N`; /N/; // N\n/* M */",
    "longer words": "NN; $N; N_; aN; N1; Né; éN;",
}

HIDING = {
    "parameter": "function f(N) { N; } «N»;",
    "parameters of patterns": "function f({ N }, [a, [M]]) { N; M; } function g({ a: N, ...M }) { N; M; } «M»;",
    "parameters with defaults": "function f(N = 1, { a: M = 2 } = {}) { N; M; } function g({ N = 1 }) { N; }",
    "rest parameter": "function f(...N) { N; } function* g(...[M]) { M; }",
    "arrow parameters": "(N) => N; N => N; async N => N; async (N) => N; ({ N }) => { N; }; «N»;",
    "methods and accessors": "use({ a(N) { N; }, set b(N) { N; } }); class A { a(N) { N; } set b(M) { M; } constructor(N) { N; } }",
    "inner functions": "function f(N) { return () => { if (N) { N; } function g() { return N; } }; }",
    "var at any depth": "function f() { N; M; if (a) { for (;;) { var N = 1; try {} catch { var { a: [M] } = {}; } } } } «N»; «M»;",
    "var in loop heads": "function f() { N; M; for (var N of a) ; for (var [M] in a) ; } function g() { for (var N = 0; N; ) ; N; }",
    "var of an inner function": "function f() { «N»; function g() { var N; N; } class A { a() { var N; } } } «N»;",
    "defaults see parameters": "function f(a = N, N) { N; } (N, a = () => N) => N;",
    "defaults do not see the body": "function f(a = «N», b = () => «M») { var N; const M = 1; N; M; }",
    "defaults of other functions": "function* f(a = «N») { var N; } use((a = «N») => { var N; }, { a(b = «M») { var M; } });",
    "defaults of function expressions": "use(function (a = «N») { var N; }, function* (a = «M») { var M; });",
    "declarations of blocks": "{ N; let N; } { const N = N; } { new N(); class N {} } { N(); function N() {} } «N»;",
    "patterns of blocks": "{ const { N, a: [M], ...b } = {}; N; M; } { let [...N] = []; N; } «N»;",
    "a block hides to its end only": "«N»; { N; { N; } let N; } «N»; { «N»; }",
    "bodies of statements": "if (a) { N; const N = 1; } else { «N»; } while («N») { N; let N; } do { let M; } while («M»);",
    "for heads": "for (let N = 0; N; N++) { N; } for (const { a: M } = {}; ; ) M; «N»; «M»;",
    "for-of and for-in heads": "for (const N of N) N; for (let { N } of «M») { N; } for (const M in «N») M; «M»;",
    "catch parameter": "try { «N»; } catch (N) { N; } finally { «N»; } try {} catch ({ a: [M = «N»] }) { M; }",
    "switch body": "switch («N») { case N: { N; } default: let N; } «N»;",
    "static block": "class A { static { N; if (a) { var N; } const M = 1; M; } a = «N»; static { «M»; } }",
    "name of a class expression": "use(class N { static a = N; [N] = 1; b() { N; } }); «N»;",
    "name of a class declaration": "function f() { «M»; } class M { static a = M; } use(«M»);",
    "name of a function expression": "use(function N() { N; }); use(function* M(a = M) { M; }); «N»; «M»;",
    "name of a declared function": "function f() { N; function N() { N; } async function* M() {} M; } «N»; «M»;",
    "class heads are inside the class": "use(class N extends N { a = N; }); use(class A extends class N { a = N; } { b = «N»; });",
    "computed keys are outside the method": "class A { [«N»](N) { N; } [() => «M»](M) { M; } get [class { a = «N»; }]() { var N; } }",
    "same name twice on the way up": "function f(N) { { let N; N; } N; } «N»;",
}

TYPESCRIPT_VALUES = {
    "casts and instantiations": "«N» as M; «N» satisfies M; «N»!; «N» as any as M; use(«N»<string>, «M»<N>(«N»), new «N»<M>());",
    "import aliases": "import a = «N».b.c; import d = «M»; export import e = «N».M;",
    "base class with arguments": "class A extends «N»<M> implements N, M.N {} abstract class B extends «M».N<N> {}",
    "enum initialisers": "enum A { a = «N», b = «N».M, ['c'] = «M» }",
    "decorators of parameters": "class A { constructor(@«N» a, @«M»(«N») b: M) {} a(@«N» N, @«M»(() => «N») M) { N; } }",
    "export assignment": "export = «N»;",
    "signatures with computed keys": "abstract class A { abstract [«N».a](M): void; [«N»](): void; [«N»]() {} }",
    "fields": "class A { a: N = «N»; readonly b?: M = «M»; accessor c = «N»; }",
}

TYPESCRIPT_NO_VALUES = {
    "annotations": "let a: N, b: typeof N, c: N.M, d: typeof N.M[]; function f(x: N): M {} const g = (x: N): M => x;",
    "type parameters": "function f<T extends typeof N = typeof M>() {} class A<T extends N.M> { a<T extends typeof N>() {} }",
    "aliases": "type A<N = M> = { N: M; [N.a]: M; M(N: M): N } | ((...N: M[]) => N) | (new ({ M }: N) => M) | [N: M] | `${N}`;",
    "interfaces": "interface A extends N, M.N<N> { [N]: M; N(M: N): M; (N): M; new (N): M; [N: string]: M }",
    "type arguments": "f<N>(); new F<typeof N>(); use(f<M>);",
    "casts": "a as N; a as typeof N; a as N.M; a satisfies M.N; a satisfies typeof M; a as import('N').M; <N>a; <typeof M>a;",
    "predicates on nothing": "function f(a): N is M {} function g(a): asserts N {} function h(a): asserts N is M {}",
    "predicates": "function f(a): a is N {} function g(N): asserts N is M {} function h(M): asserts M {}",
    "signatures": "declare function f(N, { M }, [a]: N): M; function g(N: M): void; declare let N: M, M: typeof N;",
    "defaults of signatures": "declare function f(a = N): void; abstract class A { abstract a(b = N): void; c(d = M): void; }",
    "names of signatures": "declare function N(a): void; function M(): void; export declare function M(a): void;",
    "class type members": "abstract class A<N> { N: M; declare M: N; [N: string]: M; abstract N(M: N): M; N(N): M; M?(): N; }",
    "implements": "class A implements N, M.N<N> {}",
    "type-only exports": "export type { N }; export { type N, type M as a }; export type N = M;",
    "type-only imports": "import type N from 'x'; import { type M, type a as N } from 'x'; import x = require('N');",
    "enum members": "enum A { N, M = 1, 'a' } const enum B { M }",
    "names of namespaces": "namespace N {} namespace M.N.M {} declare module 'N' {} export as namespace M;",
}

TYPESCRIPT_HIDING = {
    "typed parameters": "function f(N: M, M?: N) { N; M; } function g(this: N, { N }: { N: M }) { N; «M»; }",
    "parameter properties": "class A { constructor(private N: M, readonly M = N) { N; M; } a() { «N»; «M»; } }",
    "local enum": "function f() { N.a; enum N { a } } { const enum M { a } M.a; } «N»; «M»;",
    "enum members in their enum": "enum A { N, b = N, 'M' = 1, c = M } enum B { 'N a', d = «N» } «M»;",
    "namespace": "namespace A { N; const N = 1; export var M = 2; M; } «N»; «M»;",
    "parts of a namespace's name": "namespace A.N.M { N; M; } «N»; «M»; namespace M.a { «M»; «N»; }",
    "var in a namespace": "namespace A { N; if (a) { var N; } namespace B { N; } } «N»;",
    "declared modules": "declare module 'a' { const N: 1; export { N, «M» }; } declare global { var M: 1; export { M }; } «N»; «M»;",
    "imports in a namespace": "namespace A { import N = «M».a; N; «M»; } declare module 'a' { import { b as N } from 'b'; export { N }; }",
    "other imports in a module": "declare module 'a' { import * as N from 'b'; import M = require('c'); export { N, M }; } «N»; «M»;",
    "old namespace": "module A { N; const N = 1; if (a) { var M; } M; } «N»; «M»; module B.N { N; }",
    "using": "{ using N = «M»; N; } { await using M = 1; M; } «N»; «M»;",
    "using several": "{ using a = 1, N = 2; N; «M»; } { await using a = «N», M = 1; M; «N»; } «N»; a = «N», «M» = 1;",
    "abstract class": "{ abstract class N { static a = N; } N; } «N»; abstract class M { static a = M; } «M»;",
    "decorators stand outside the class": "@«N» class N { @N a; } function f() { @M class M {} }",
    "types hide nothing": "namespace A { type N = 1; interface M {} «N»; «M»; } function f<N>() { «N»; }",
    "typed catch": "try {} catch (N: unknown) { N; } «N»;",
    "type predicate": "function f(N): N is M { return N; } const g = (N): asserts N => N;",
}

JAVASCRIPT_HIDING = {
    "using": "{ using N = «M»; N; } { await using N = 1, M = N; M; } «N»; «M»;",
    "using in loop heads": "for (using N of N) N; for (await using M of «N») { M; } for await (using N of «M») N; «N»;",
}

JSX = {
    "tags": "use(<«N» />, <«N».a />, <«N».M.a></N.M.a>, <«N»>«»</N>);".replace("«»", ""),
    "attributes and children": "use(<a N={«N»} {...«M»} M='N' N:M='1'>N {«N»} {...«M»}</a>);",
    "names that are no variables": "use(<N:a />, <a:N />, <a.N />, <N-a />, <a N />, <></>);",
    "tags below a scope": "const f = (N) => <N><«M» /><N.a /></N>;",
}


def cases(*tables):
    return [pytest.param(snippet, id=name) for table in tables for name, snippet in table.items()]


@pytest.mark.parametrize("dialect", [TS, TSX, JS], ids=lambda dialect: dialect.value)
@pytest.mark.parametrize("snippet", cases(VALUES, NO_VALUES, HIDING))
def test_every_grammar(snippet, dialect):
    check(snippet, dialect)


@pytest.mark.parametrize("snippet", cases(TYPESCRIPT_VALUES, TYPESCRIPT_NO_VALUES, TYPESCRIPT_HIDING))
def test_typescript(snippet):
    check(snippet, TS)


@pytest.mark.parametrize("snippet", cases(JAVASCRIPT_HIDING))
def test_javascript(snippet):
    check(snippet, JS)


@pytest.mark.parametrize("dialect", [TSX, JS], ids=lambda dialect: dialect.value)
@pytest.mark.parametrize("snippet", cases(JSX))
def test_jsx(snippet, dialect):
    check(snippet, dialect)


@pytest.mark.parametrize("dialect", [TSX, JS], ids=lambda dialect: dialect.value)
def test_lower_case_tags_are_intrinsic_unless_dotted(dialect):
    text = "use(<item />, <item.a />, <item>{item}</item>, <_item />, item);"
    expected = "use(<item />, <«item».a />, <item>{«item»}</item>, <«_item» />, «item»);"
    assert marked(text, dialect, {"item", "_item"}) == expected


@pytest.mark.parametrize("dialect", [TS, JS], ids=lambda dialect: dialect.value)
def test_escaped_names(dialect):
    text = r"\u004E; x.\u004E; ({ \u{4e}, \u004E: 1 }); '\u004E'; { let \u004e; N; } (\u{00004e}) => N; N\u004E; \u{110000};"
    expected = r"«\u004E»; x.\u004E; ({ «\u{4e}», \u004E: 1 }); '\u004E'; { let \u004e; N; } (\u{00004e}) => N; N\u004E; \u{110000};"
    assert marked(text, dialect) == expected
    data = text.encode()
    found = module_references(parse_bytes(data, dialect).root_node, SourceText(data), ["N"])
    assert [reference.name for reference in found] == ["N", "N"]


@pytest.mark.parametrize("blank", ["\ufeff", "\u00a0", "\u3000", "\u1680", "\u2028", "\u202f", "\u205f"])
def test_unicode_blanks_end_words(blank):
    assert marked(f"a;{blank}N{blank};{blank}N", TS) == f"a;{blank}«N»{blank};{blank}«N»"


def test_names_beyond_ascii():
    assert marked("größe; x.größe; groß; (größe) => größe; größer;", TS, {"größe"}) == (
        "«größe»; x.größe; groß; (größe) => größe; größer;"
    )


@pytest.mark.parametrize("dialect", [TS, JS], ids=lambda dialect: dialect.value)
def test_undefined_can_be_a_binding(dialect):
    text = "use(undefined, { undefined: 1 }); a.undefined; function f({ undefined }) { undefined; } (undefined) => undefined;"
    expected = "use(«undefined», { undefined: 1 }); a.undefined; function f({ undefined }) { undefined; } (undefined) => undefined;"
    assert marked(text, dialect, {"undefined"}) == expected


def test_references_stand_in_source_order_and_only_for_wanted_names():
    data = b"b; a; c; a; (b) => [a, b];"
    found = module_references(parse_bytes(data, TS).root_node, SourceText(data), {"a", "b"})
    assert [(reference.name, reference.node.start_byte) for reference in found] == [
        ("b", 0),
        ("a", 3),
        ("a", 9),
        ("a", 20),
    ]
    assert module_references(parse_bytes(data, TS).root_node, SourceText(data), ()) == ()


@pytest.mark.parametrize(
    "snippet",
    [
        pytest.param("function f(N { N; } «N»;", id="unclosed parameters"),
        pytest.param("function g() { async function*(N); «N»; }", id="parameters of no function"),
        pytest.param("use({ a: «N» }; «N»", id="unclosed call"),
        pytest.param("class A { a = «N»; ] } «N»;", id="stray bracket"),
        pytest.param("function f(N) { N; ] } «N»;", id="scope around a stray bracket"),
    ],
)
def test_broken_source(snippet):
    text = unmarked(snippet)
    assert parse_bytes(text.encode(), TS).root_node.has_error
    assert marked(text, TS) == snippet


@pytest.mark.parametrize(
    ("opening", "middle", "closing", "expected"),
    [
        pytest.param("[", "N", "]", 1, id="arrays"),
        pytest.param("{", "N", "}", 1, id="blocks"),
        pytest.param("{", "N; let N", "}", 0, id="hidden far below"),
    ],
)
def test_deep_nesting(opening, middle, closing, expected):
    data = (opening * DEPTH + middle + closing * DEPTH).encode()
    found = module_references(parse_bytes(data, TS).root_node, SourceText(data), {"N"})
    assert len(found) == expected


def test_deep_nesting_below_one_declaration():
    data = ("function f(N) {" + "{N;" * DEPTH + "}" * DEPTH + "} N").encode()
    found = module_references(parse_bytes(data, TS).root_node, SourceText(data), {"N"})
    assert [reference.node.start_byte for reference in found] == [len(data) - 1]


def test_one_error_with_very_many_pieces():
    data = b"N;" + b"{N(" * 20_000
    tree = parse_bytes(data, TS)
    assert tree.root_node.has_error
    assert module_references(tree.root_node, SourceText(data), {"N"})[0].node.start_byte == 0


# Random programs whose references are known from how they were built.


@dataclass(frozen=True)
class Shape:
    """A scope: where its bound name, its head's use and its body go, and what they see."""

    text: str
    keeps_var: bool = False
    head_sees_binding: bool = True


SHAPES = [
    Shape("{ BODY }"),
    Shape("a: while (1) { BODY }"),
    Shape("if (HEAD) { BODY }", head_sees_binding=False),
    Shape("switch (HEAD) { case 1: BODY }", head_sees_binding=False),
    Shape("try { use(HEAD); } catch ({ a: [NAME] }) { BODY }", head_sees_binding=False),
    Shape("for (const [NAME = HEAD] of []) { BODY }"),
    Shape("for (let NAME = 0; HEAD; ) { BODY }"),
    Shape("function f(a = HEAD, { b: NAME }) { BODY }", keeps_var=True),
    Shape("use(async (NAME, a = HEAD) => { BODY });", keeps_var=True),
    Shape("use(function NAME(a = HEAD) { BODY });", keeps_var=True),
    Shape("use({ [HEAD](...NAME) { BODY } });", keeps_var=True, head_sees_binding=False),
    Shape("use(class { [HEAD](NAME) { BODY } });", keeps_var=True, head_sees_binding=False),
    Shape("use(class NAME extends (HEAD) { static { BODY } });", keeps_var=True),
]
BLOCK_DECLARATIONS = ["let N;", "const { a: N } = {};", "class N {}", "function N() {}"]
VAR_DECLARATIONS = [
    "var N;",
    "for (var [N] of []) ;",
    "{ var { N } = {}; }",
    "if (1) { try { var N; } catch {} }",
]


@dataclass(frozen=True)
class Nest:
    shape: Shape
    binds: bool
    body: tuple[object, ...]


LEAVES = st.sampled_from(["USE", "USE", *BLOCK_DECLARATIONS, *VAR_DECLARATIONS])


def nests(bodies):
    return st.builds(Nest, st.sampled_from(SHAPES), st.booleans(), st.lists(bodies, max_size=4).map(tuple))


BODIES = st.lists(st.recursive(LEAVES, nests, max_leaves=25), max_size=6)


def has_var(body):
    return any(
        (has_var(item.body) and not item.shape.keeps_var)
        if isinstance(item, Nest)
        else item in VAR_DECLARATIONS
        for item in body
    )


def written(body, *, is_hidden):
    return " ".join(written_item(item, is_hidden=is_hidden) for item in body)


def written_item(item, *, is_hidden):
    if not isinstance(item, Nest):
        return f"use({'N' if is_hidden else '«N»'});" if item == "USE" else item
    shape = item.shape
    binds = item.binds and "NAME" in shape.text
    declares = any(part in BLOCK_DECLARATIONS for part in item.body)
    hoists = shape.keeps_var and has_var(item.body)
    hides_head = is_hidden or (binds and shape.head_sees_binding)
    inner = written(item.body, is_hidden=is_hidden or binds or declares or hoists)
    text = shape.text.replace("HEAD", "N" if hides_head else "«N»")
    return text.replace("NAME", "N" if binds else "other").replace("BODY", inner)


@given(BODIES, st.sampled_from([TS, JS]))
def test_random_nests_of_scopes(body, dialect):
    snippet = written(body, is_hidden=False)
    assert marked(unmarked(snippet), dialect) == snippet
