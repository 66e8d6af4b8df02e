"""Decorator expressions that the grammars refuse."""

from __future__ import annotations

import pytest
from repair_readings import fault_texts, members, nodes, parse


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
