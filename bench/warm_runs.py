"""Measures what the cache saves: runs without it, with nothing changed, and with one file of a hundred changed.

A file is changed in one of two ways: by a line that declares nothing which artifacts show, as most edits do, or by a
class more, so that the whole package has to be put together anew ("declaring").

    python bench/warm_runs.py [--files 20000 | --tree DIRECTORY] [--repeats 5] [--depth full]

Each repeat runs all three after one another, so that a noisy machine slows all of them; ratios are taken pair by pair.
Seconds are those of the whole command, processor seconds those of the command and the workers that it waited for.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from generated_tree import write_tree

SCRIPT = Path(sys.executable).with_name("scan-cluster")
CHANGED_EVERY = 100
SETTLING_SECONDS = 2.5  # files that changed just now are read again, so wait until they count as settled
GOALS = {"warm": 10, "changed": 6}


@dataclass(frozen=True, slots=True)
class Cost:
    """What one run took, in seconds."""

    wall: float
    processor: float


def run_once(root: Path, out: Path, depth: str, *options: str | Path) -> Cost:
    """Scan *root* once."""
    # An installed tool has its bytecode at hand; a checkout shall not compile itself in every run.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    begin, before = time.perf_counter(), _children_seconds()
    subprocess.run(
        [SCRIPT, "run", root, "--out", out, "--depth", depth, "--fail-on", "never", "--quiet", *options],
        check=True,
        env=environment,
    )
    return Cost(time.perf_counter() - begin, _children_seconds() - before)


def _children_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def change_some(root: Path, repeat: int, line: str) -> None:
    """Add a line to one file of a hundred, other ones each time, and wait until they count as settled."""
    for path in sorted(root.rglob("*.ts"))[repeat::CHANGED_EVERY]:
        with path.open("a", encoding="utf-8") as file:
            file.write(f"\n{line}\n")
    time.sleep(SETTLING_SECONDS)


def measure(directory: Path, given: argparse.Namespace) -> None:
    """Write or copy a tree below *directory* and print medians of all kinds of runs."""
    root, out, cache = directory / "tree", directory / "out", directory / "cache"
    repeats, depth = given.repeats, given.depth
    if given.tree is None:
        write_tree(root, given.files)
    else:
        shutil.copytree(given.tree, root)
    time.sleep(SETTLING_SECONDS)
    run_once(root, out, depth, "--cache", cache)
    costs: dict[str, list[Cost]] = {"cold": [], "warm": [], "changed": [], "declaring": []}
    for repeat in range(repeats):
        costs["cold"].append(run_once(root, out, depth, "--no-cache"))
        costs["warm"].append(run_once(root, out, depth, "--cache", cache))
        change_some(root, repeat, f"export const changed{repeat} = 1;")
        costs["changed"].append(run_once(root, out, depth, "--cache", cache))
        change_some(root, repeat, f"export class Changed{repeat} {{}}")
        costs["declaring"].append(run_once(root, out, depth, "--cache", cache))
        run_once(root, out, depth, "--cache", cache)
    report(costs)
    peaks = json.loads((out / "run.json").read_bytes())["peakMemoryBytes"]
    print(f"driver's peak memory in the last warm run: {peaks['driver'] / 1e6:.0f} MB")


def report(costs: dict[str, list[Cost]]) -> None:
    """Print the median of each kind of runs, and of its ratios to the cold run beside it."""
    for name, kind in costs.items():
        wall = statistics.median(cost.wall for cost in kind)
        processor = statistics.median(cost.processor for cost in kind)
        ratio = statistics.median(
            cold.wall / cost.wall for cold, cost in zip(costs["cold"], kind, strict=True)
        )
        goal = f"   goal 1/{GOALS[name]}" if name in GOALS else ""
        print(f"{name:9} {wall:7.2f} s   {processor:7.2f} processor s   1/{ratio:.1f} of cold{goal}")


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description="Compare cold, warm and slightly changed runs.")
    parser.add_argument("--files", type=int, default=20_000)
    parser.add_argument("--tree", type=Path, help="a directory to copy, in the place of a generated tree")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--depth", choices=("manifest", "full"), default="full")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        measure(Path(directory), given)


if __name__ == "__main__":
    main()
