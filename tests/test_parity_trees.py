"""Each parity tree gives what it expects, through the same code as ``inspect DIR``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from parity_cases import CASES, difference, errors_difference, warnings_difference

from workers.tree_inspection import inspect_tree, load_tree_request

TREES = sorted(path for path in (CASES / "trees").glob("*.options.json"))


@pytest.mark.parametrize("options", TREES, ids=lambda path: path.name.removesuffix(".options.json"))
def test_tree_gives_the_expected_result(options: Path, tmp_path: Path) -> None:
    name = options.name.removesuffix(".options.json")
    root = options.with_name(name)
    placed = tmp_path / "options.json"
    placed.write_text(options.read_text("utf-8").replace("<ROOT>", str(root)))
    want = json.loads(options.with_name(f"{name}.expected.json").read_text("utf-8"))
    got = json.loads(inspect_tree(load_tree_request(root, placed)).line)
    is_lower_bound = want.get("match") == "contains"

    assert errors_difference(want["errors"], got["errors"], want) is None
    assert warnings_difference(want.get("warnings", []), got["warnings"]) is None
    for part in ("files", "classes", "smrtImports", "typeAliases", "manifest", "agentSurface"):
        assert difference(want[part], got[part], is_lower_bound=is_lower_bound, path=part) is None
    if not is_lower_bound:
        assert got["stats"] == want["stats"]


def test_there_are_trees() -> None:
    assert len(TREES) > 10
