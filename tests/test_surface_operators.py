"""Helper calls among operators, which the grammar joins with a callee that has type arguments."""

from __future__ import annotations

import pytest

from scanner.file_scan import parse_surface_source
from scanner.surface.records import AgentSurface

IMPORTS = """import { defineIntent } from '@happyvertical/smrt-web/intents';
import * as web from '@happyvertical/smrt-web/intents';
"""
ARGUMENTS = "({ id: 'a.b', description: 'x', target: { registry: 'control', action: 'focus' } })"


def surface_of(body: str) -> AgentSurface:
    return parse_surface_source(f"{IMPORTS}{body}\n".encode(), "a.ts").agent_surface


@pytest.mark.parametrize("types", ["", "<T>", "<T, U[]>"])
@pytest.mark.parametrize("callee", ["defineIntent", "web.defineIntent", "(defineIntent)"])
@pytest.mark.parametrize(
    "operator", ["await", "!", "!!", "void", "typeof", "-", "a &&", "a ??", "a || !", "1 + b *"]
)
def test_a_call_behind_an_operator_is_told_to_be_out_of_place(operator: str, callee: str, types: str):
    surface = surface_of(f"export const a = {operator} {callee}{types}{ARGUMENTS};")
    assert not surface.intents
    assert [diagnostic.code for diagnostic in surface.diagnostics] == ["not-module-scope"]


@pytest.mark.parametrize("types", ["", "<T>"])
def test_a_call_without_an_operator_declares(types: str):
    surface = surface_of(f"export const a = defineIntent{types}{ARGUMENTS};")
    assert [intent.id for intent in surface.intents] == ["a.b"]
    assert not surface.diagnostics


@pytest.mark.parametrize(
    "expression", ["defineIntent + f<T>()", "(await defineIntent)<T>()", "!defineIntent < a"]
)
def test_a_helper_that_is_not_called_says_nothing(expression: str):
    surface = surface_of(f"export const a = {expression};")
    assert not surface.intents
    assert not surface.diagnostics
