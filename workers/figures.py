"""What a run measures about itself, and ``run.json``, the one artifact that tells it."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from scanner.artifacts import FORMAT_VERSION, tool_versions
from scanner.serialization import JsonValue, to_json
from workers.cache.store import CacheLookup
from workers.recovery import RecoveryFigures
from workers.shards import ShardResult, peak_memory


@dataclass(slots=True)
class WorkCounts:
    """How much was done, in numbers that no clock decides.

    Attributes:
        rounds: Rounds of reading.
        files_scanned: Files that workers read, a file that was read in two rounds twice.
        files_parsed: Files that were parsed.
        bytes_shipped: Bytes of sources that travelled with tasks.
    """

    rounds: int = 0
    files_scanned: int = 0
    files_parsed: int = 0
    bytes_shipped: int = 0


@dataclass(slots=True)
class CacheCounts:
    """What the cache was asked for, over all rounds.

    Attributes:
        hits: Results found.
        misses: Results not found.
        hits_without_reading: Results found without reading the file.
        damaged: Results that were there but could not be used.
        packages: Packages that were taken over whole.
    """

    hits: int = 0
    misses: int = 0
    hits_without_reading: int = 0
    damaged: int = 0
    packages: int = 0

    def add(self, found: CacheLookup) -> None:
        """Add what one lookup came to."""
        self.hits += len(found.scans)
        self.misses += len(found.misses)
        self.hits_without_reading += found.unread
        self.damaged += found.damaged


@dataclass(slots=True)
class RunFigures:
    """What a run measured about itself."""

    started_at: datetime
    phases: dict[str, float] = field(default_factory=dict)
    processor_phases: dict[str, float] = field(default_factory=dict)
    files: int = 0
    source_bytes: int = 0
    backend: str = "inline"
    workers: int = 1
    shards: int = 0
    shard_seconds: list[float] = field(default_factory=list)
    work: WorkCounts = field(default_factory=WorkCounts)
    recovery: RecoveryFigures = field(default_factory=RecoveryFigures)
    peak_memory: dict[int, int] = field(default_factory=dict)
    cached: CacheCounts | None = None
    cache_remarks: list[str] = field(default_factory=list)
    history_remarks: list[str] = field(default_factory=list)

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Time one phase: its seconds, and the processor seconds of this process."""
        begin, processor_begin = time.perf_counter(), time.process_time()
        try:
            yield
        finally:
            self.phases[name] = self.phases.get(name, 0.0) + time.perf_counter() - begin
            spent = time.process_time() - processor_begin
            self.processor_phases[name] = self.processor_phases.get(name, 0.0) + spent

    @property
    def seconds(self) -> float:
        """Duration of all phases so far."""
        return sum(self.phases.values())

    def note(self, result: ShardResult) -> None:
        """Take over what the worker of a shard measured."""
        self.shard_seconds.append(result.seconds)
        self.work.files_scanned += len(result.scans)
        self.work.files_parsed += result.parsed
        peak = self.peak_memory.get(result.worker, 0)
        self.peak_memory[result.worker] = max(peak, result.peak_memory)


def run_document(figures: RunFigures, artifacts: dict[str, bytes]) -> JsonValue:
    """Return ``run.json``: what a run measured, and the size of the other artifacts."""
    seconds = figures.seconds
    return {
        "formatVersion": FORMAT_VERSION,
        **tool_versions(),
        "startedAt": figures.started_at.isoformat(timespec="seconds"),
        "seconds": round(seconds, 3),
        "phases": {name: round(value, 3) for name, value in figures.phases.items()},
        "driverProcessorSeconds": {name: round(value, 3) for name, value in figures.processor_phases.items()},
        "backend": figures.backend,
        "workers": figures.workers,
        "shards": figures.shards,
        "shardSeconds": [round(seconds, 4) for seconds in figures.shard_seconds],
        "work": to_json(figures.work),
        "lostShards": figures.recovery.lost,
        "retriedShards": figures.recovery.retried,
        "cache": to_json(figures.cached),
        "files": figures.files,
        "sourceBytes": figures.source_bytes,
        "artifactBytes": sum(map(len, artifacts.values())),
        "megabytesPerSecond": round(figures.source_bytes / 1e6 / seconds, 2) if seconds else None,
        "peakMemoryBytes": {
            "driver": peak_memory(),
            "workers": to_json(
                sorted(peak for pid, peak in figures.peak_memory.items() if pid != os.getpid())
            ),
        },
        "python": platform.python_version(),
        "platform": platform.platform(),
    }
