"""Measures what the cache saves: runs without it, with nothing changed, and with one file of a hundred changed.

    python bench/warm_runs.py [--files 20000] [--repeats 5]

Each repeat runs all three after one another, so that a noisy machine slows all of them; medians and ratios are printed.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from generated_tree import write_tree

SCRIPT = Path(sys.executable).with_name("scan-cluster")
CHANGED_EVERY = 100
SETTLING_SECONDS = 2.5  # files that changed just now are read again, so wait until they count as settled


def timed_run(root: Path, out: Path, *options: str | Path) -> float:
    """Scan *root* and return the seconds it took."""
    begin = time.perf_counter()
    subprocess.run(
        [SCRIPT, "run", root, "--out", out, "--depth", "full", "--fail-on", "never", "--quiet", *options],
        check=True,
    )
    return time.perf_counter() - begin


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description="Compare cold, warm and slightly changed runs.")
    parser.add_argument("--files", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        measure(Path(directory), given.files, given.repeats)


def measure(directory: Path, files: int, repeats: int) -> None:
    """Write a tree below *directory* and print medians of the three kinds of runs."""
    root, out, cache = directory / "tree", directory / "out", directory / "cache"
    write_tree(root, files)
    time.sleep(SETTLING_SECONDS)
    timed_run(root, out, "--cache", cache)
    seconds: dict[str, list[float]] = {"cold": [], "warm": [], "changed": []}
    for repeat in range(repeats):
        seconds["cold"].append(timed_run(root, out, "--no-cache"))
        seconds["warm"].append(timed_run(root, out, "--cache", cache))
        for path in sorted(root.rglob("*.ts"))[repeat::CHANGED_EVERY]:
            path.write_text(path.read_text() + f"export const changed{repeat} = 1;\n")
        time.sleep(SETTLING_SECONDS)
        seconds["changed"].append(timed_run(root, out, "--cache", cache))
        timed_run(root, out, "--cache", cache)
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    for name, median in medians.items():
        print(f"{name:8} {median:7.2f} s   1/{medians['cold'] / median:.1f} of cold")
    peaks = json.loads((out / "run.json").read_bytes())["peakMemoryBytes"]
    print(f"driver's peak memory in the last warm run: {peaks['driver'] / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
