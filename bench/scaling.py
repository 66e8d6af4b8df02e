"""Predicts how long a scan takes with many workers, from what its parts cost with one.

The driver is one process: it hands out shards and takes results one after the other, so it bounds any number of
workers. The model simulates that: a free worker waits for the driver, the driver spends its handling time, the worker
its shard's time. What the driver does before and after (start-up, discovery, reducing, writing) is added as measured.

Where more workers make the driver cut smaller shards, handling shrinks with them, since nearly all of it is reading
results. Workers are taken to start side by side, and not to slow each other through memory or clock speed: what a
measurement with two shows beyond the prediction is the price of sharing this machine.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Final

from bench_record import BenchRecord, ContestRecord

from workers.plan import shard_limit

PREDICTED_WORKERS: Final = (1, 2, 8, 16, 32, 64)


@dataclass(frozen=True, slots=True)
class ScanCosts:
    """What the parts of a scan cost, in seconds.

    Attributes:
        serial: All that happens outside the scan phase.
        start: From the beginning of the scan phase until a worker works.
        handling: The driver's time for handing out one shard and taking its result.
        shards: Each shard's time in its worker, in the order of handing out.
        source_bytes: Size of all sources.
    """

    serial: float
    start: float
    handling: float
    shards: tuple[float, ...]
    source_bytes: int


def scan_costs(record: BenchRecord) -> ScanCosts | None:
    """Return the costs that a record tells; None when it lacks the contests ``workers`` and ``start-up``."""
    long, short = record.contest("workers"), record.contest("start-up")
    one = None if long is None else long.entry("processes-1")
    empty = None if short is None else short.entry("processes-1")
    if long is None or one is None or empty is None:
        return None
    count = max(1, len(one.details["shardSeconds"]))
    start = _beyond_shards(empty.details)
    around = max(0.0, _beyond_shards(one.details) - start) / count
    handling = max(0.0, _driver_seconds(one.details) - _driver_seconds(empty.details)) / count
    # What is neither a shard nor the driver's work is a worker's: packing its results.
    packing = max(0.0, around - handling)
    shards = tuple(seconds + packing for seconds in one.details["shardSeconds"])
    # The phases are those of the last run, so its wall time belongs to them.
    serial = one.samples[-1].seconds - one.details["phases"]["scan"]
    return ScanCosts(serial, start, handling, shards, long.source_bytes)


def _beyond_shards(details: dict[str, Any]) -> float:
    seconds: float = details["phases"]["scan"] - sum(details["shardSeconds"])
    return max(0.0, seconds)


def _driver_seconds(details: dict[str, Any]) -> float:
    seconds: float = details["driverProcessorSeconds"]["scan"]
    return seconds


def predicted_seconds(costs: ScanCosts, workers: int) -> float:
    """Return how long a scan should take with *workers* workers."""
    pieces = ceil(shard_limit(costs.source_bytes, 1) / shard_limit(costs.source_bytes, workers))
    shards = recut(costs.shards, pieces)
    return costs.serial + costs.start + scheduled(shards, workers, costs.handling / pieces)


def recut(shards: Sequence[float], pieces: int) -> list[float]:
    """Return the costs of shards that are cut into so many equal pieces each."""
    return [cost / pieces for cost in shards for _ in range(pieces)]


def scheduled(shards: Sequence[float], workers: int, handling: float) -> float:
    """Return when the last result is in, if a driver hands shards in order to whoever is free.

    Args:
        shards: Seconds that each shard takes its worker.
        workers: How many workers there are.
        handling: Seconds that the driver spends on each shard; it handles one at a time.
    """
    free = [0.0] * workers
    driver = 0.0
    for cost in shards:
        driver = max(driver, heapq.heappop(free)) + handling
        heapq.heappush(free, driver + cost)
    return max(driver, *free)


def predictions(record: BenchRecord) -> dict[int, float]:
    """Return predicted seconds by number of workers; empty when the record does not tell costs."""
    costs = scan_costs(record)
    return {} if costs is None else {count: predicted_seconds(costs, count) for count in PREDICTED_WORKERS}


def measured(contest: ContestRecord) -> dict[int, float]:
    """Return the median seconds by number of workers, of those that ran."""
    entries = {count: contest.entry(f"processes-{count}") for count in PREDICTED_WORKERS}
    return {count: entry.median for count, entry in entries.items() if entry is not None}
