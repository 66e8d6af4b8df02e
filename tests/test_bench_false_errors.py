"""What the comparison of syntax errors reports is counted, and its absence is no count of zero."""

from __future__ import annotations

from pathlib import Path

import false_errors
import pytest
from corpora import Corpus, generated_plan, prepare

REPORTS = """
import json, pathlib, sys
root, report = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[sys.argv.index("--report") + 1])
kinds = ["false error", "missed error", "class"]
report.write_text("".join(json.dumps({"path": str(root / f"{kind}.ts"), "kind": kind}) + "\\n" for kind in kinds))
sys.exit(1)
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return prepare(generated_plan(3), tmp_path)


def counted(corpus: Corpus, script: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setattr(false_errors, "ORACLE", script)
    return false_errors.count_false_errors(corpus, script.parent / "tools", script.parent)


def test_errors_that_only_the_scanner_sees_are_counted(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "oracle.py"
    script.write_text(REPORTS)

    assert counted(corpus, script, monkeypatch) == {"files": 3, "falseErrors": 1, "first": ["false error.ts"]}


def test_a_comparison_that_is_missing_or_fails_counts_nothing(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "oracle.py"

    assert counted(corpus, script, monkeypatch) is None
    script.write_text("raise SystemExit('no parser')")
    assert counted(corpus, script, monkeypatch) is None
    said = capsys.readouterr().out
    assert "there is no oracle.py" in said
    assert "ended with 1: no parser" in said
