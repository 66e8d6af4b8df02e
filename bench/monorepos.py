"""Scans real monorepos with both ways of finding parents: what each finds, and what following imports costs.

    python bench/monorepos.py [--rounds 5] [--write]

Each corpus is scanned with ``--resolution imports`` and ``--resolution names`` in turn, by the inline backend without a
cache, so that all work is done by one process whose processor time is taken. At depth ``manifest`` following imports
also leads to more files being parsed; at depth ``full`` the same files are, so that the difference is what the looking up
costs. ``--write`` puts the tables into docs/resolution.md. Every base class name that no import decides is printed, to be
looked at.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from corpora import Corpus, prepare
from monorepo_corpus import MONOREPOS, monorepo_plan

REPOSITORY: Final = Path(__file__).parent.parent
WORK: Final = REPOSITORY / "build" / "bench"
PAGE: Final = REPOSITORY / "docs" / "resolution.md"
SCRIPT: Final = Path(sys.executable).with_name("scan-cluster")
RESOLUTIONS: Final = ("imports", "names")
DEPTHS: Final = ("manifest", "full")
BEGIN: Final = "<!-- make bench-monorepos writes from here"
END: Final = "<!-- to here -->"
_COUNTED: Final = ("ambiguous-parent", "ambiguous-type")


@dataclass(frozen=True, slots=True)
class Scan:
    """What one scan found and took.

    Attributes:
        index: Its `index.json`.
        diagnostics: Its diagnostics.
        parsed: How many files were parsed.
        columns: How many columns models declare or inherit.
        user_seconds: Processor time in user mode of the whole command.
    """

    index: dict[str, Any]
    diagnostics: list[dict[str, Any]]
    parsed: int
    columns: int
    user_seconds: float

    def count(self, code: str) -> int:
        """Return how many diagnostics have a code."""
        return Counter(item["code"] for item in self.diagnostics)[code]


def scan(root: Path, resolution: str, depth: str) -> Scan:
    """Scan a corpus once."""
    # An installed tool has its bytecode at hand; a checkout shall not compile itself in every run.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    with tempfile.TemporaryDirectory() as directory:
        out = Path(directory) / "out"
        options = [
            "--backend",
            "inline",
            "--no-cache",
            "--quiet",
            "--fail-on",
            "never",
            "--resolution",
            resolution,
            "--depth",
            depth,
        ]
        subprocess.run([SCRIPT, "run", root, "--out", out, *options], check=False, env=environment)
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        index = json.loads((out / "index.json").read_bytes())
        manifests = [json.loads((out / entry["manifest"]).read_bytes()) for entry in index["packages"]]
        columns = sum(len(model["fields"]) for each in manifests for model in each["objects"].values())
        diagnostics = json.loads((out / "diagnostics.json").read_bytes())["diagnostics"]
        parsed = json.loads((out / "run.json").read_bytes())["work"]["filesParsed"]
    return Scan(index, diagnostics, parsed, columns, seconds)


def measure(corpus: Corpus, depth: str, rounds: int) -> dict[str, list[Scan]]:
    """Scan a corpus with both ways of finding parents, one after the other, the first of them changing."""
    scans: dict[str, list[Scan]] = {resolution: [] for resolution in RESOLUTIONS}
    for number in range(rounds):
        for resolution in RESOLUTIONS[:: 1 if number % 2 else -1]:
            scans[resolution].append(scan(corpus.root, resolution, depth))
    return scans


def found_row(corpus: Corpus, resolution: str, result: Scan) -> str:
    """Return the row of a table that says what a scan found."""
    totals = result.index["totals"]
    cells = [
        corpus.name,
        resolution,
        f"{totals['packages']:,}",
        f"{totals['files']:,}",
        f"{result.parsed:,}",
        f"{totals['models']:,}",
        f"{result.columns:,}",
        *(f"{result.count(code):,}" for code in _COUNTED),
    ]
    return f"| {' | '.join(cells)} |"


def cost_row(corpus: Corpus, depth: str, scans: dict[str, list[Scan]]) -> str:
    """Return the row of a table that says what following imports costs."""
    seconds = {name: [each.user_seconds for each in found] for name, found in scans.items()}
    ratios = [one / other for one, other in zip(seconds["imports"], seconds["names"], strict=True)]
    medians = [f"{statistics.median(seconds[name]):.2f} s" for name in RESOLUTIONS]
    spread = f"{min(ratios):.3f} to {max(ratios):.3f}"
    return f"| {corpus.name} | {depth} | {medians[0]} | {medians[1]} | {statistics.median(ratios):.3f} | {spread} |"


def print_undecided(corpus: Corpus, result: Scan) -> None:
    """Print every base class name that following imports left open."""
    for item in result.diagnostics:
        if item["code"] == "ambiguous-parent":
            print(f"{corpus.name}: {item['filePath']}:{item['line']} {item['message']}")


def write_page(tables: str) -> None:
    """Put tables into the page, between the marks."""
    text = PAGE.read_text(encoding="utf-8")
    begin, end = text.index(BEGIN), text.index(END)
    after_mark = text.index("-->", begin) + len("-->")
    PAGE.write_text(f"{text[:after_mark]}\n\n{tables}\n\n{text[end:]}", encoding="utf-8")


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description="Scan real monorepos with both ways of finding parents.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="put the tables into docs/resolution.md")
    given = parser.parse_args()
    found = [
        "| monorepo | resolution | packages | files | parsed | models | their columns | ambiguous parents | ambiguous types |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    costs = [
        "| monorepo | depth | imports | names | ratio (median of pairs) | pairs |",
        "|---|---|--:|--:|--:|---|",
    ]
    for name in MONOREPOS:
        for has_models in (False, True):
            plan = monorepo_plan(name, WORK / "downloads", has_models=has_models)
            corpus = prepare(plan, WORK / "corpora")
            for depth in DEPTHS:
                scans = measure(corpus, depth, given.rounds)
                costs.append(cost_row(corpus, depth, scans))
                if depth == DEPTHS[0]:
                    found += [found_row(corpus, each, scans[each][0]) for each in RESOLUTIONS]
                    print_undecided(corpus, scans["imports"][0])
    tables = "\n".join([*found, "", *costs])
    print(tables)
    if given.write:
        write_page(tables)


if __name__ == "__main__":
    main()
