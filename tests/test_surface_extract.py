"""Which calls are declarations, what they declare, and what is said about those that are none."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from surface_samples import CONTROL, INTENTS, PLAYBOOKS, codes_of, intent, only_intent, surface_of

from scanner.diagnostics import CODES
from scanner.file_scan import parse_source
from scanner.surface.records import AgentSurface

# --- every call yields an entry or a remark -------------------------------------------------------------------------

LAW_IMPORTS = (
    f"import {{ defineIntent, defineIntent as viaAlias }} from '{INTENTS}';"
    f"import * as ns from '{INTENTS}'; import type {{ defineIntent as typed }} from '{INTENTS}';"
    "import { defineIntent as foreign } from './intents';"
)


@dataclass(frozen=True)
class Callee:
    text: str
    is_helper: bool = True
    first_name: str = "defineIntent"


CALLEES = [
    Callee("defineIntent"),
    Callee("viaAlias", first_name="viaAlias"),
    Callee("ns.defineIntent", first_name="ns"),
    Callee("ns['defineIntent']", first_name="ns"),
    Callee("(ns as any)?.defineIntent", first_name="ns"),
    Callee("(defineIntent)"),
    Callee("defineIntent!"),
    Callee("(<any>defineIntent)"),
    Callee("((defineIntent as unknown)!)"),
    Callee("defineIntent?."),
    Callee("defineIntent<string>"),
    Callee("(defineIntent<string>)"),
    Callee("typed", is_helper=False, first_name="typed"),
    Callee("foreign", is_helper=False, first_name="foreign"),
    Callee("other.defineIntent", is_helper=False, first_name="other"),
    Callee("ns.definePlaybook", is_helper=False, first_name="ns"),
    Callee("ns[defineIntent]", is_helper=False, first_name="ns"),
    Callee("(0, defineIntent)", is_helper=False),
]
ARGUMENTS = {
    "{ id: 'a.b', description: 'x', target: { registry: 'control', action: 'focus' } }": None,
    "({ id: 'a.b', description: 'x', target: { registry: 'control', action: 'focus' } } as const)": None,
    "{ id: 'a.b', description: 'x' }": "incomplete-declaration",
    "{ id: 'A', description: 'x', target: { registry: 'control', action: 'focus' } }": "invalid-identity",
    "{ id: 'a.b', [description]: 'x', target: {} }": "non-literal-argument",
    "{ id: 'a.b', ...rest }": "non-literal-argument",
    "options": "non-literal-argument",
    "...options": "non-literal-argument",
    "{}, {}": "argument-count",
    "": "argument-count",
}
WRAPPERS = ["{}", "({})", "{} as any", "{}!", "(({} as unknown) satisfies object)", "<any>{}"]
POSITIONS = {
    "const v = {};": True,
    "export let v: any = {};": True,
    "var first = 1, v = {}, last = 2;": True,
    "({});": True,
    "export default {};": True,
    "const v = [1, , {}, 'x'];": True,
    "export const v = ([{}] as const)!;": True,
    "using v = {};": True,
    "const v = [[{}]];": False,
    "const v = [...[{}]];": False,
    "const v = { held: {} };": False,
    "const v = wrap({});": False,
    "v = {};": False,
    "export default [{}];": False,
    "export = {};": False,
    "{ ({}); }": False,
    "label: ({});": False,
    "if (flag) ({});": False,
    "for (const v of w) ({});": False,
    "function f() { return {}; }": False,
    "const v = () => ({});": False,
    "class C { held = {}; }": False,
    "class C { static { ({}); } }": False,
    "namespace N { export const v = {}; }": False,
    "const v = flag ? {} : 1;": False,
    "const v = await ({});": False,
    "const v = ({}).id;": False,
    "const v = `${{}}`;": False,
    "(({ defineIntent }) => ({}))(w);": False,
    "function g(ns) { return {}; }": False,
}
HIDDEN_BY_POSITION = {
    "(({ defineIntent }) => ({}))(w);": "defineIntent",
    "function g(ns) { return {}; }": "ns",
}


@dataclass(frozen=True)
class Snippet:
    position: str
    wrapper: str
    callee: Callee
    argument: str

    @property
    def text(self) -> str:
        call = f"{self.callee.text}({self.argument})"
        return self.position.replace("{}", self.wrapper.replace("{}", call), 1)

    @property
    def expected(self) -> str | None:
        """``entry``, the code of the remark, or None when no helper is called."""
        if not self.callee.is_helper or HIDDEN_BY_POSITION.get(self.position) == self.callee.first_name:
            return None
        if not POSITIONS[self.position]:
            return "not-module-scope"
        return ARGUMENTS[self.argument] or "entry"


SNIPPETS = st.builds(
    Snippet,
    st.sampled_from(list(POSITIONS)),
    st.sampled_from(WRAPPERS),
    st.sampled_from(CALLEES),
    st.sampled_from(list(ARGUMENTS)),
)


@given(st.lists(SNIPPETS, max_size=8))
def test_every_helper_call_yields_an_entry_or_remarks_and_nothing_else_does(snippets: list[Snippet]) -> None:
    surface = surface_of("\n".join(snippet.text for snippet in snippets), imports=LAW_IMPORTS)

    for line, snippet in enumerate(snippets, start=2):
        entries = [entry for entry in surface.intents if entry.line == line]
        codes = {diagnostic.code for diagnostic in surface.diagnostics if diagnostic.line == line}
        expected = {None: (0, set()), "entry": (1, set())}.get(snippet.expected, (0, {snippet.expected}))
        assert (len(entries), codes) == expected, snippet.text


@given(st.lists(SNIPPETS, max_size=8))
def test_every_remark_is_of_a_known_code_and_names_the_way_out(snippets: list[Snippet]) -> None:
    surface = surface_of("\n".join(snippet.text for snippet in snippets), imports=LAW_IMPORTS)

    for diagnostic in surface.diagnostics:
        assert diagnostic.code in CODES
        assert "useWebMcpTool" in diagnostic.message
        assert diagnostic.message.count(". ") >= 2, "problem, remedy, way out"


# --- what a call is --------------------------------------------------------------------------------------------------


def test_an_entry_knows_where_its_call_begins() -> None:
    found = only_intent(f"/* \N{GRINNING FACE} */ const v = ({intent()[:-1]});")

    assert (found.file_path, found.line, found.column) == ("a.ts", 2, 21)


def test_entries_stand_in_source_order() -> None:
    surface = surface_of(intent(id="'z.z'") + intent(id="'a.a'") + intent(id="'m.m'"))

    assert [entry.id for entry in surface.intents] == ["z.z", "a.a", "m.m"]


def test_constructing_and_tagging_are_no_calls() -> None:
    assert surface_of("new defineIntent({}); defineIntent`x`; <defineIntent />;", "a.jsx") == AgentSurface()


def test_the_namespace_of_one_helper_does_not_hold_the_other() -> None:
    imports = f"import * as books from '{PLAYBOOKS}';"

    assert surface_of("books.defineIntent({}); books.definePlaybook();", imports=imports).diagnostics[
        0
    ].helper == ("definePlaybook")


@pytest.mark.parametrize("path", ["a.ts", "a.tsx", "a.js", "a.jsx"])
def test_every_dialect_is_read(path: str) -> None:
    assert len(surface_of(intent(), path).intents) == 1


def test_comparison_signs_are_no_type_arguments_in_javascript_even_where_it_holds_types() -> None:
    body = f"const typed: number = 1; const odd = defineIntent<Filter>({{ id: 'a.b' }});\n{intent()}"

    assert [entry.line for entry in surface_of(body, "a.js").intents] == [3]
    assert codes_of(body, "a.js") == []
    assert codes_of(body, "a.ts") == ["incomplete-declaration"]


@pytest.mark.parametrize("broken", ["const = ;", "let 1x;", "@;"])
def test_a_declaration_beside_a_broken_statement_is_read(broken: str) -> None:
    assert [entry.line for entry in surface_of(f"{broken}\n{intent()}\n{broken}").intents] == [3]


@pytest.mark.parametrize(
    "call",
    [
        "defineIntent({ id: 'a.b' description: 'x', target: { registry: 'control', action: 'focus' } });",
        "defineIntent({ id: 'a.b', description: 'x', target: { registry: 'control', action: 'focus' } } 7);",
        "defineIntent({ id: 'a.b', description: 'x' @, target: { registry: 'control', action: 'focus' } });",
        "defineIntent({ id: 'a.b', description: 'x', target: { registry: 'control', action: 'focus' }, enum: [1 2] });",
    ],
)
def test_a_call_in_broken_syntax_is_left_to_the_syntax_error(call: str) -> None:
    scan = parse_source(f"import {{ defineIntent }} from '@happyvertical/smrt-web/intents';\n{call}", "a.ts")

    assert scan.agent_surface == AgentSurface()
    assert {error.code for error in scan.errors} == {"syntax-error"}


# --- what an argument may hold ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "column"),
    [
        ("name", 1),
        ("f()", 1),
        ("new F()", 1),
        ("a.b", 1),
        ("a[0]", 1),
        ("`text`", 1),
        ("a ? 1 : 2", 1),
        ("'a' + 'b'", 1),
        ("+1", 1),
        ("!true", 1),
        ("-'1'", 1),
        ("-(-1)", 1),
        ("-(1 as number)", 1),
        ("1n", 1),
        ("-1n", 1),
        ("/x/", 1),
        ("() => 1", 1),
        ("function () {}", 1),
        ("class {}", 1),
        ("(a, 1)", 2),
        ("<any>name", 6),
        ("((name as any)!)", 3),
        ("this", 1),
        ("import.meta", 1),
        ("[1, ...a]", 5),
        ("[[name]]", 3),
        ("{ ...a }", 3),
        ("{ a }", 3),
        ("{ [a]: 1 }", 3),
        ("{ 1: 1 }", 3),
        ("{ 1n: 1 }", 3),
        ("{ __proto__: 1 }", 3),
        ("{ 'constructor': 1 }", 3),
        ("{ f() {} }", 4),
        ("{ async *f<T>() {} }", 11),
        ("{ get f() {} }", 8),
        ("{ a: { b: [{ c: name }] } }", 17),
    ],
)
def test_a_value_that_must_be_computed_is_refused_where_it_stands(value: str, column: int) -> None:
    body = f"defineIntent({{ id: 'a.b', description: 'x', target: {CONTROL}, inputSchema:\n{value} }});"

    (diagnostic,) = surface_of(body).diagnostics

    assert (diagnostic.code, diagnostic.line, diagnostic.column) == ("non-literal-argument", 3, column)


@pytest.mark.parametrize(
    "value",
    [
        "1",
        "-1",
        "- 2.5",
        "-(3)",
        "0x1f",
        "1_000",
        "'s'",
        '"s"',
        "true",
        "null",
        "undefined",
        "[]",
        "[1,]",
        "{}",
        "(('s'))",
        "'s' as const",
        "<any>'s'",
        "'s'!",
        "{ 'a b': [{ \\u0061: 1 }] }",
        "{ get: 1, async: 2 }",
        "[[[]]]",
    ],
)
def test_literals_of_every_form_are_read(value: str) -> None:
    found = only_intent(intent(inputSchema=value))

    assert found.has_input_schema is (value not in {"null", "undefined"})


def test_of_equal_keys_the_last_counts() -> None:
    assert only_intent(intent(id="'a.b', id: 'c.d'")).id == "c.d"


def test_a_refusal_names_the_value_and_its_text() -> None:
    (diagnostic,) = surface_of(intent(target="{ registry: 'control', action: pick(list) }")).diagnostics

    assert "`target.action`" in diagnostic.message
    assert "`pick(list)`" in diagnostic.message


def test_a_long_refused_value_is_shortened() -> None:
    (diagnostic,) = surface_of(intent(description=f"pick({'x' * 100_000})")).diagnostics

    assert len(diagnostic.message) < 500


# --- hostile input ---------------------------------------------------------------------------------------------------

DEPTH = 100_000


def test_depth_of_an_argument_is_no_limit() -> None:
    assert only_intent(intent(inputSchema="[" * DEPTH + "]" * DEPTH)).has_input_schema


def test_depth_of_parentheses_is_no_limit() -> None:
    body = f"{'(' * DEPTH}defineIntent{')' * DEPTH}({'(' * DEPTH}{{}}{')' * DEPTH});"

    assert codes_of(body) == ["incomplete-declaration"]


def test_many_calls_in_many_functions_are_found_in_one_walk() -> None:
    count = 5_000

    assert codes_of("(() => { defineIntent();\n" * count + "})()" * count) == ["not-module-scope"] * count


def test_calls_among_the_pieces_of_one_long_error_declare_nothing() -> None:
    assert surface_of("defineIntent({ a: [\n" * 10_000).intents == ()


def test_the_place_of_a_call_among_broken_syntax_is_not_guessed() -> None:
    faulty = "export const faulty = defineIntent({ id: 'x.faulty', target: { registry: 'control' );"
    before, after = intent(id="'x.before'"), intent(id="'x.after'")
    surface = surface_of(f"{before}\n{faulty}\n{after}")

    assert "x.before" in [entry.id for entry in surface.intents]
    assert surface.diagnostics == ()
