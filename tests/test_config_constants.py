"""Constants are trusted only while nothing can have changed them."""

from __future__ import annotations

import pytest

from scanner.file_scan import parse_source

FLAT = "const C = { api: 'closed' };"
NESTED = "const C = { api: { include: ['list'] } };"


def faults(source: str) -> list[tuple[str | None, int | None, str | None]]:
    return [
        (error.expression, error.line, error.decorator)
        for error in parse_source(source, "a.ts").errors
        if error.code == "unresolved-config"
    ]


@pytest.mark.parametrize(
    "use",
    [
        "C.api = 'open';",
        "touch(C);",
        "export { C };",
        "export default C;",
        "class D { @other(a)(C) x = 1; }",
        "class D { @(wrap(C) as any) x = 1; }",
        "const view = <T extends typeof C>(x: T) => [C, x];",
        "let { api } = C;",
        "for (const key in C) delete C[key];",
        "const d = { get c() { return C; } };",
        "enum E { A = C.api.length }",
        "if (a) { var x = C; }",
    ],
)
def test_a_use_before_the_spread_is_reported_at_its_place(use: str) -> None:
    source = f"{FLAT}\n{use}\n@smrt({{ ...C }}) class A {{}}"

    assert [(expression, line) for expression, line, _ in faults(source)] == [("C", 2)]


@pytest.mark.parametrize(
    "use",
    [
        "type T = typeof C;",
        "const x = { C: 1 }; x.C;",
        "function f(C) { C.api = 1; }",
        "C: for (;;) break C;",
        "interface I { C: string }",
        "import { C as D } from './d';",
        "export { C as E } from './e';",
        "const copy = { ...C };",
        "const list = [...[], { ...(C as object) }];",
        "@smrt(C) class Z {}",
        "class C2 { C = 1; static C() {} }",
    ],
)
def test_what_is_no_use_leaves_a_flat_constant_trusted(use: str) -> None:
    assert faults(f"{FLAT}\n{use}\n@smrt({{ ...C }}) class A {{}}") == []


def test_a_use_behind_the_spread_matters_only_where_values_are_shared() -> None:
    after = "@smrt({ ...C }) class A {}\nC.api = 1;"

    assert faults(f"{FLAT}\n{after}") == []
    assert faults(f"{NESTED}\n{after}") == [("C", 3, "@smrt()")]


def test_each_decorator_that_spreads_the_constant_reports_it_under_its_own_name() -> None:
    source = f"{NESTED} touch(C);\n@smrt({{ ...C }}) class A {{ @method({{ ...C }}) run() {{}} }}"

    assert sorted(decorator for _, _, decorator in faults(source)) == ["@method()", "@smrt()"]


def test_a_long_ring_of_constants_settles() -> None:
    consts = ["const C0 = { deep: { a: 1 } };"] + [f"const C{n} = {{ ...C{n - 1} }};" for n in range(1, 300)]
    source = "\n".join(
        [*consts, "touch(C150);", "@smrt({ ...C299 }) class A {}", "@smrt({ ...C0 }) class B {}"]
    )

    assert {(expression, line) for expression, line, _ in faults(source)} == {("C150", 301)}


def test_nothing_of_a_config_is_lost_when_a_key_cannot_be_read() -> None:
    scan = parse_source("@smrt({ a: 1, [key]: 2, b: call(), ...other, c: 3 }) class A {}", "a.ts")

    assert scan.classes[0].decorator_config == {"a": 1, "b": "call()", "c": 3}
    assert [error.expression for error in scan.errors] == ["[key]: 2", "call()", "...other"]
