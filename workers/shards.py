"""Scanning one shard: the one function that every backend runs, wherever it runs it.

A task is plain data and so is its result. Workers that do not see the tree get the files' bytes along with the task.
"""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

from scanner.diagnostics import Diagnostic
from scanner.idle_sources import is_idle, sealed
from scanner.inheritance import FRAMEWORK_BASES
from scanner.records import FileRole, FileScan, Reading, SealedScan
from scanner.sifting import sift_bytes
from scanner.source_files import read_source_file
from scanner.sources import SourceFile
from workers.cache.codec import CodecError, decode_scan, encode_scan
from workers.cache.content import content_digest
from workers.collector import collector_paused

_RSS_UNIT: Final = 1024  # Linux counts peak memory in KiB


@dataclass(frozen=True, slots=True)
class ShardTask:
    """What a worker needs in order to scan a shard.

    Attributes:
        number: The shard's number in the plan.
        root: Path of the scanned directory on the worker's machine.
        files: The files, with paths relative to *root*.
        max_file_bytes: Size over which a file is reported instead of scanned.
        first: Where the first of them stands in the plan's shard, for a task that is a part of one.
        reading: How far the files are read.
        further_bases: Class names that count as framework bases beside the framework's own.
        file_seconds: Time after which a file's worker ends itself; None for no limit.
        is_digested: Whether the digests of the files' bytes are wanted.
        is_sealing: Whether records of idle sources are to come sealed.
        contents: The files' bytes, or diagnostics about them, for workers that do not see *root*.
    """

    number: int
    root: str
    files: tuple[SourceFile, ...]
    max_file_bytes: int
    first: int = 0
    reading: Reading = Reading.RECORDS
    further_bases: tuple[str, ...] = ()
    file_seconds: float | None = None
    is_digested: bool = True
    is_sealing: bool = False
    contents: tuple[bytes | Diagnostic, ...] | None = None


@dataclass(frozen=True, slots=True)
class ShardResult:
    """What a shard came to.

    Attributes:
        number: The shard's number in the plan.
        first: Where the first file of the task stands in that shard.
        scans: For each file of the task its record, sealed or not; None for one that contributes nothing by itself.
        digests: For each file the digest of the bytes scanned; None where there were none or none is wanted.
        parsed: How many of the files were parsed.
        seconds: Time that scanning took.
        worker: Process id of the worker, unique on its machine.
        peak_memory: Most memory that the worker has held so far, in bytes.
    """

    number: int
    first: int
    scans: tuple[FileScan | SealedScan | None, ...]
    digests: tuple[bytes | None, ...]
    parsed: int
    seconds: float
    worker: int
    peak_memory: int


def scan_shard(task: ShardTask) -> ShardResult:
    """Scan the files of a task; nothing but the task decides what the scans are."""
    begin = time.perf_counter()
    guard = _time_guard(task.file_seconds)
    bases = FRAMEWORK_BASES.union(task.further_bases)
    scans: list[FileScan | SealedScan | None] = []
    digests: list[bytes | None] = []
    parsed = 0
    with collector_paused():
        for index, file in enumerate(task.files):
            guard(task.file_seconds or 0.0)
            data = _bytes_of(task, index, file)
            if isinstance(data, Diagnostic):
                scans.append(FileScan(file.path, file.role, errors=(data,)))
                digests.append(None)
                continue
            sifted = sift_bytes(data, file.path, file.role, task.reading, task.further_bases)
            parsed += sifted.is_parsed
            scans.append(_sealed(sifted.scan, bases) if task.is_sealing and sifted.scan else sifted.scan)
            digests.append(content_digest(data) if task.is_digested else None)
    guard(0.0)
    seconds = time.perf_counter() - begin
    return ShardResult(
        task.number, task.first, tuple(scans), tuple(digests), parsed, seconds, os.getpid(), peak_memory()
    )


def opened(scan: SealedScan) -> FileScan:
    """Return the record that a shard's result holds sealed."""
    return decode_scan(scan.record, scan.file_path, FileRole.CLASSES)


def _sealed(scan: FileScan, bases: Collection[str]) -> FileScan | SealedScan:
    """Seal a record if models of others decide whether what is in it matters."""
    if not is_idle(scan, bases):
        return scan
    try:
        record = encode_scan(scan)
    except CodecError:
        return scan  # what cannot be written travels as it is
    return sealed(scan, record) if record else scan


def peak_memory() -> int:
    """Return the most memory that this process has held so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _RSS_UNIT


def _bytes_of(task: ShardTask, index: int, file: SourceFile) -> bytes | Diagnostic:
    if task.contents is not None:
        return task.contents[index]
    return read_source_file(f"{task.root}/{file.path}", file.path, task.max_file_bytes)


def _time_guard(limit: float | None) -> Callable[[float], object]:
    """Return what arms the alarm of a worker process; without a limit, nothing.

    The parser holds the interpreter's lock, so no Python code could interrupt it. The alarm keeps its default action,
    which ends the process; whoever handed out the task sees the loss.
    """
    if limit is None:
        return lambda _: None
    return lambda seconds: signal.setitimer(signal.ITIMER_REAL, seconds)
