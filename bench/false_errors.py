"""Counts false syntax errors on a corpus, by the comparison that ``syntax_oracle.py`` makes with oxc-parser."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from corpora import Corpus

ORACLE: Final = Path(__file__).with_name("syntax_oracle.py")


def count_false_errors(corpus: Corpus, tools: Path, scratch: Path) -> dict[str, Any] | None:
    """Compare the scanner's syntax errors with oxc-parser's.

    Args:
        corpus: The files.
        tools: Where oxc-parser is installed.
        scratch: Directory for the list of differences.

    Returns:
        How many files there were, how many only the scanner rejects, and the first of those; None when the
        comparison could not be made.
    """
    if not ORACLE.exists():
        print(f"False syntax errors are not counted, since there is no {ORACLE.name}.", flush=True)
        return None
    print("Comparing syntax errors with those of oxc-parser; large corpora take minutes.", flush=True)
    differences = scratch / "syntax-differences.ndjson"
    differences.unlink(missing_ok=True)
    options: list[str | Path] = ["--tools", tools.absolute(), "--report", differences]
    command = [sys.executable, ORACLE, corpus.root, *options]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    if not differences.exists():
        last = finished.stderr.strip().splitlines()[-1:]
        print(
            f"The comparison of syntax errors ended with {finished.returncode}: {''.join(last)}", flush=True
        )
        return None
    found = [json.loads(line) for line in differences.read_text().splitlines()]
    paths = [
        Path(item["path"]).relative_to(corpus.root).as_posix()
        for item in found
        if item["kind"] == "false error"
    ]
    return {"files": corpus.files, "falseErrors": len(paths), "first": paths[:20]}
