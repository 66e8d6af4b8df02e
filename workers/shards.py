"""Scanning one shard: the one function that every backend runs, wherever it runs it.

A task is plain data and so is its result. Workers that do not see the tree get the files' bytes along with the task.
"""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scanner.diagnostics import Diagnostic
from scanner.file_scan import scan_bytes
from scanner.records import FileScan
from scanner.source_files import read_source_file
from scanner.sources import SourceFile
from workers.cache.content import content_digest

_RSS_UNIT: Final = 1024  # Linux counts peak memory in KiB


@dataclass(frozen=True, slots=True)
class ShardTask:
    """What a worker needs in order to scan a shard.

    Attributes:
        number: The shard's number in the plan.
        root: Path of the scanned directory on the worker's machine.
        files: The files, with paths relative to *root*.
        max_file_bytes: Size over which a file is reported instead of scanned.
        file_seconds: Time after which a file's worker ends itself; None for no limit.
        contents: The files' bytes, or diagnostics about them, for workers that do not see *root*.
    """

    number: int
    root: str
    files: tuple[SourceFile, ...]
    max_file_bytes: int
    file_seconds: float | None = None
    contents: tuple[bytes | Diagnostic, ...] | None = None


@dataclass(frozen=True, slots=True)
class ShardResult:
    """What a shard came to.

    Attributes:
        number: The shard's number in the plan.
        scans: One record a file, in the order of the task.
        digests: For each file the digest of the bytes scanned; None where there were none.
        seconds: Time that scanning took.
        worker: Process id of the worker, unique on its machine.
        peak_memory: Most memory that the worker has held so far, in bytes.
    """

    number: int
    scans: tuple[FileScan, ...]
    digests: tuple[bytes | None, ...]
    seconds: float
    worker: int
    peak_memory: int


def scan_shard(task: ShardTask) -> ShardResult:
    """Scan the files of a task; nothing but the task decides what the scans are."""
    begin = time.perf_counter()
    guard = _time_guard(task.file_seconds)
    scans: list[FileScan] = []
    digests: list[bytes | None] = []
    for index, file in enumerate(task.files):
        guard(task.file_seconds or 0.0)
        data = _bytes_of(task, index, file)
        if isinstance(data, Diagnostic):
            scans.append(FileScan(file.path, file.role, errors=(data,)))
            digests.append(None)
        else:
            scans.append(scan_bytes(data, file.path, file.role))
            digests.append(content_digest(data))
    guard(0.0)
    seconds = time.perf_counter() - begin
    return ShardResult(task.number, tuple(scans), tuple(digests), seconds, os.getpid(), peak_memory())


def peak_memory() -> int:
    """Return the most memory that this process has held so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _RSS_UNIT


def _bytes_of(task: ShardTask, index: int, file: SourceFile) -> bytes | Diagnostic:
    if task.contents is not None:
        return task.contents[index]
    return read_source_file(Path(task.root, file.path), file.path, task.max_file_bytes)


def _time_guard(limit: float | None) -> Callable[[float], object]:
    """Return what arms the alarm of a worker process; without a limit, nothing.

    The parser holds the interpreter's lock, so no Python code could interrupt it. The alarm keeps its default action,
    which ends the process; whoever handed out the task sees the loss.
    """
    if limit is None:
        return lambda _: None
    return lambda seconds: signal.setitimer(signal.ITIMER_REAL, seconds)
