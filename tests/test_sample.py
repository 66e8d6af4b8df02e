"""The sample monorepo gives exactly the artifacts that the repository expects of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from conftest import EXAMPLE

from workers.cli.main import main

EXPECTED = Path(__file__).parent / "expected" / "harbour-market"
# The index names the versions of tool and grammars, and digests of files that do.
VERSIONED = {"index.json", "diagnostics.sarif"}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:

    out = tmp_path_factory.mktemp("sample") / "out"
    with pytest.raises(SystemExit):
        main(["run", str(EXAMPLE), "--out", str(out), "--depth", "full", "--quiet"])
    return out


def paths_below(directory: Path) -> set[str]:
    return {path.relative_to(directory).as_posix() for path in directory.rglob("*") if path.is_file()}


def test_the_artifacts_are_those_expected(written: Path) -> None:
    assert paths_below(written) - {"run.json"} == paths_below(EXPECTED)


@pytest.mark.parametrize("path", sorted(paths_below(EXPECTED) - VERSIONED))
def test_an_artifact_has_the_expected_bytes(written: Path, path: str) -> None:
    assert (written / path).read_bytes() == (EXPECTED / path).read_bytes()


def unversioned(value: Any) -> Any:
    document = dict(value)
    for key in ("tool", "grammars"):
        document.pop(key)
    document["artifacts"] = {
        path: entry for path, entry in document["artifacts"].items() if path not in VERSIONED
    }
    return document


def test_the_index_says_the_same_but_for_versions(written: Path) -> None:
    found, expected = (json.loads((root / "index.json").read_bytes()) for root in (written, EXPECTED))

    assert unversioned(found) == unversioned(expected)


def test_every_finding_of_the_sample_is_a_deliberate_one(written: Path) -> None:
    found = {
        (item["code"], item["filePath"])
        for item in json.loads((written / "diagnostics.json").read_bytes())["diagnostics"]
    }

    for code, path in found:
        assert "Deliberate:" in (EXAMPLE / path).read_text(encoding="utf-8"), (code, path)
    assert len(found) == 8


def test_the_sample_holds_what_it_is_meant_to_show(written: Path) -> None:
    totals = json.loads((written / "index.json").read_bytes())["totals"]

    assert totals["packages"] == 8
    assert totals["models"] >= 40
    assert (totals["intents"], totals["playbooks"]) == (8, 4)


def test_the_sarif_file_is_valid(written: Path) -> None:
    schema = json.loads((Path(__file__).parent / "data/sarif-schema-2.1.0.json").read_bytes())
    document = json.loads((written / "diagnostics.sarif").read_bytes())

    jsonschema.validate(document, schema)
    rules = {rule["id"]: rule for rule in document["runs"][0]["tool"]["driver"]["rules"]}
    assert {result["ruleId"] for result in document["runs"][0]["results"]} <= rules.keys()
    assert all(rule["help"]["text"] for rule in rules.values())
