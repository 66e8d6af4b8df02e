"""Each parity case of the agent surface gives what it expects: one source, extracted and merged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from parity_cases import EMPTY_SURFACE, difference, expected_of, source_cases

from scanner.extraction.classes import top_level_statements
from scanner.extraction.imports import read_import
from scanner.serialization import to_json
from scanner.surface.extract import extract_agent_surface
from scanner.surface.helpers import may_declare_agent_surface
from scanner.surface.merge import merge_agent_surfaces
from scanner.surface.records import AgentSurface
from scanner.surface.svelte import scan_svelte_agent_surface
from scanner.syntax.grammar import dialect_of_path
from scanner.syntax.parsing import parse_source_bytes

CASES = source_cases("agent-surface")
MODULES = [case for case in CASES if case.suffix != ".svelte"]
COMPONENTS = [case for case in CASES if case.suffix == ".svelte"]


def surface_of(path: Path) -> AgentSurface:
    dialect = dialect_of_path(path.name)
    parsed = parse_source_bytes(path.read_bytes(), dialect)
    statements = list(top_level_statements(parsed.root))
    imports = [found for one in statements if (found := read_import(parsed.source, one.inner)) is not None]
    return extract_agent_surface(parsed.source, parsed.root, statements, imports, dialect, path.name)


@pytest.mark.parametrize("case", MODULES, ids=lambda case: case.name)
def test_module_gives_the_expected_surface(case: Path) -> None:
    want: dict[str, Any] = expected_of(case)
    got = to_json(merge_agent_surfaces([surface_of(case)]))
    assert isinstance(got, dict)
    is_lower_bound = want.get("match") == "contains"
    surface = want["agentSurface"] or EMPTY_SURFACE

    assert difference(surface, got, is_lower_bound=is_lower_bound) is None
    for expected, found in zip(surface["diagnostics"], got["diagnostics"], strict=not is_lower_bound):
        if not is_lower_bound:
            place = [expected.get("line"), expected.get("column"), expected["code"]]
            assert [found["line"], found["column"], found["code"]] == place


@pytest.mark.parametrize("case", COMPONENTS, ids=lambda case: case.name)
def test_component_gives_the_expected_remarks(case: Path) -> None:
    got = to_json(scan_svelte_agent_surface(case.read_bytes(), case.name))

    assert difference(expected_of(case)["svelte"], got) is None


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_no_file_with_something_to_say_is_sifted_out(case: Path) -> None:
    surface = (
        surface_of(case)
        if case.suffix != ".svelte"
        else scan_svelte_agent_surface(case.read_bytes(), case.name)
    )

    assert may_declare_agent_surface(case.read_bytes()) or surface in (AgentSurface(), ())


def test_all_cases_are_found() -> None:
    assert len(CASES) == len(list(CASES[0].parent.glob("*.expected.json"))) > 60
