"""Measures how much memory a scan holds at most, in the driver and in each worker.

    python bench/peak_memory.py [--files 50000]

Every combination of backend, depth and cache is run once on a generated tree; with a cache, a first run fills it and a
second one finds everything in it. A peak is what the operating system counted as resident (``run.json``).
"""

from __future__ import annotations

import argparse
import itertools
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from generated_tree import write_tree

SCRIPT = Path(sys.executable).with_name("scan-cluster")
MEGABYTE = 1_000_000
DRIVER_LIMIT = 300 * MEGABYTE
WORKER_LIMIT = 250 * MEGABYTE


def peaks_of(root: Path, out: Path, *options: str | Path) -> tuple[int, list[int]]:
    """Scan *root* and return the peak of the driver and those of its workers, in bytes."""
    subprocess.run(
        [SCRIPT, "run", root, "--out", out, "--fail-on", "never", "--quiet", *options],
        check=True,
    )
    peaks: dict[str, Any] = json.loads((out / "run.json").read_bytes())["peakMemoryBytes"]
    return peaks["driver"], peaks["workers"]


def measure(directory: Path, files: int) -> bool:
    """Write a tree below *directory*, print the peaks of all combinations, and tell whether all are within limits."""
    root, out = directory / "tree", directory / "out"
    write_tree(root, files)
    is_within = True
    print(f"{'backend':10} {'depth':9} {'cache':6} {'driver':>8} {'workers':>8}   MB on {files} files")
    for number, (backend, depth) in enumerate(
        itertools.product(("inline", "processes"), ("manifest", "full"))
    ):
        cache = directory / f"cache{number}"
        for name, options in (
            ("none", ("--no-cache",)),
            ("cold", ("--cache", cache)),
            ("warm", ("--cache", cache)),
        ):
            driver, workers = peaks_of(root, out, "--backend", backend, "--depth", depth, *options)
            largest = max(workers, default=0)
            shown = f"{largest / MEGABYTE:8.0f}" if workers else f"{'-':>8}"
            print(f"{backend:10} {depth:9} {name:6} {driver / MEGABYTE:8.0f} {shown}", flush=True)
            is_within &= driver <= DRIVER_LIMIT and largest <= WORKER_LIMIT
    return is_within


def main() -> int:
    """Measure as the command line says; 1 when a limit is broken."""
    parser = argparse.ArgumentParser(description="Measure the peak memory of the driver and its workers.")
    parser.add_argument("--files", type=int, default=50_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        is_within = measure(Path(directory), given.files)
    limits = f"{DRIVER_LIMIT // MEGABYTE} MB for the driver and {WORKER_LIMIT // MEGABYTE} MB for a worker"
    print(f"{'Within' if is_within else 'NOT within'} the limits of {limits}.")
    return 0 if is_within else 1


if __name__ == "__main__":
    sys.exit(main())
