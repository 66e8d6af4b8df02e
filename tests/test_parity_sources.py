"""Each parity case of a single source gives what it expects, through the same code as ``inspect``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from parity_cases import difference, errors_difference, expected_of, source_cases, warnings_difference

from workers.inspection import inspect_source

FOLDERS = ("classes-fields", "methods-types", "decorator-config", "manifest")


@pytest.mark.parametrize(
    "case",
    [case for folder in FOLDERS for case in source_cases(folder)],
    ids=lambda case: f"{case.parent.name}/{case.name}",
)
def test_case_gives_the_expected_result(case: Path) -> None:
    want = expected_of(case)
    got = json.loads(inspect_source(case.read_bytes(), case.name))
    is_lower_bound = want.get("match") == "contains"

    assert errors_difference(want["raw"].pop("errors"), got["raw"].pop("errors"), want) is None
    assert warnings_difference(want.get("warnings", []), got["warnings"]) is None
    for part in ("raw", "resolved", "manifest", "numericPrecision"):
        assert difference(want[part], got[part], is_lower_bound=is_lower_bound, path=part) is None


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_folder_holds_cases(folder: str) -> None:
    assert len(source_cases(folder)) > 30
