"""Peers that cannot be had are left out with a reason, and the scanner takes part as it is installed."""

from __future__ import annotations

from pathlib import Path

import pytest
from contest import measure
from corpora import generated_plan, prepare
from peers import details_of_run, install_peers, scanner_contestant


def test_peers_that_cannot_be_installed_are_missing_and_the_rest_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    peers = install_peers(tmp_path / "tools")

    assert peers.contestants == {}
    assert set(peers.missing) == {"oxc-parser", "ast-grep", "ripgrep"}
    assert "npm" in peers.missing["oxc-parser"]
    assert "ast-grep-cli" in peers.missing["ast-grep"]
    assert "rg" in peers.missing["ripgrep"]
    assert capsys.readouterr().out.count("is left out of the comparison") == 3


@pytest.mark.parametrize("backend", ["inline", "processes"])
def test_the_scanner_takes_part_and_reports_what_it_found(tmp_path: Path, backend: str) -> None:
    corpus = prepare(generated_plan(30), tmp_path)
    contestant = scanner_contestant("own", tmp_path / "scratch", "--backend", backend, details=details_of_run)
    (tmp_path / "scratch").mkdir()
    sample, details = measure(contestant, corpus)

    assert sample.seconds > 0
    assert (details["files"], details["sourceBytes"], details["models"]) == (30, corpus.source_bytes, 6)
    assert details["models"] <= details["filesParsed"] <= details["files"]
    assert len(details["shardSeconds"]) > 0
    assert details["phases"].keys() == details["driverProcessorSeconds"].keys()
