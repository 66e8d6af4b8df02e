"""A made-up record with round figures, for tests of what is made of records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bench_record import BenchRecord, ContestRecord, EntryRecord, Sample


def entry(name: str, seconds: Sequence[float], **details: Any) -> EntryRecord:
    return EntryRecord(name, [Sample(value, value * 2) for value in seconds], details)


def contest(name: str, files: int, entries: Mapping[str, Sequence[float]]) -> ContestRecord:
    return ContestRecord(name, "npm", files, files * 1000, [entry(*item) for item in entries.items()])


def run_details(shards: Sequence[float], scan: float, driver: float) -> dict[str, Any]:
    """What a run of the scanner tells: its shards, and the wall and driver's time of its scan phase."""
    return {
        "shardSeconds": list(shards),
        "phases": {"discover": 0.1, "scan": scan, "reduce": 0.2},
        "driverProcessorSeconds": {"discover": 0.1, "scan": driver, "reduce": 0.2},
    }


def record(*contests: ContestRecord, **fields: Any) -> BenchRecord:
    machine = {
        "processor": "Abacus",
        "processors": 2,
        "memoryGigabytes": 24,
        "system": "Linux 6",
        "python": "3.11",
        "loadBefore": 0.1,
    }
    return BenchRecord("2026-01-01T00:00:00+00:00", machine, {"ripgrep": "13.0.0"}, list(contests), **fields)


def worker_contests() -> list[ContestRecord]:
    """Thousand shards of a tenth of a second; the driver spends a millisecond on each, packing takes another one."""
    one = entry("processes-1", [103.5], **run_details([0.1] * 1000, scan=102.5, driver=1.1))
    empty = entry("processes-1", [1.5], **run_details([], scan=0.5, driver=0.1))
    return [
        ContestRecord("start-up", "generated-1", 1, 3000, [empty]),
        ContestRecord("workers", "npm", 100_000, 512_000_000, [one, entry("processes-2", [54.0])]),
    ]
