"""The cache of scan results as the driver uses it: look files up, scan the rest, store what came of it.

Contract: a result that comes out is the one that scanning the files, as they were listed, would give. Whatever is wrong
with the cache (damaged, locked, full, not writable) makes it miss and leaves one remark; it never fails a run. Only the
driver's process uses it, and in this order: open it, list the files, :meth:`ResultCache.packages` for whole packages,
:meth:`ResultCache.lookup` for single files, scanning, :meth:`ResultCache.store`, and the new outcomes of packages.

Storing is free of races because the digest is that of the bytes scanned, made where they were read, and because a file
is noted as unchanged with what it looked like *before* it was read: if it changed since, it looks different at the next
run (see ``workers.cache.stat_index``).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from scanner.file_states import UNKNOWN_STATE
from scanner.options import ScanOptions
from scanner.records import FileScan, Reading, SealedScan
from scanner.sources import SourceFile
from workers.cache.codec import CodecError, decode_scan, encode_scan
from workers.cache.contents import FileContents
from workers.cache.database import BATCH
from workers.cache.guard import GuardedDatabase
from workers.cache.key import entry_id, generation_of, package_generation_of
from workers.cache.packages import PackageCache
from workers.cache.writes import PendingWrites

DEFAULT_MAX_BYTES: Final = 512 * 1024 * 1024
"""Size that the cache keeps to, unless told otherwise."""

NOT_OF_CONTENT: Final = frozenset(
    {
        "file-unreadable",
        "file-vanished",
        "file-too-large",
        "not-a-regular-file",
        "scan-crash",
        "scan-timeout",
    }
)
"""Codes of what befell a file that its bytes do not decide; results that hold one are not kept."""


@dataclass(frozen=True, slots=True)
class CacheLimits:
    """What the cache may take.

    Attributes:
        max_bytes: Size of the database after a run.
        busy_seconds: How long to wait for another run's writing.
    """

    max_bytes: int = DEFAULT_MAX_BYTES
    busy_seconds: float = 5.0


@dataclass(frozen=True, slots=True)
class CacheLookup:
    """What the cache knows about the files of a scan.

    Attributes:
        scans: Known results by path; None for a file that contributes nothing by itself.
        misses: Files to scan, in the order given.
        unread: Results found without reading the file.
        reread: Results found after reading the file.
        damaged: Results that were there but could not be used.
    """

    scans: dict[str, FileScan | None]
    misses: tuple[SourceFile, ...]
    unread: int = 0
    reread: int = 0
    damaged: int = 0


class ResultCache:
    """The results of earlier scans below one directory; a context manager that writes what is left when it ends."""

    def __init__(
        self, directory: Path, options: ScanOptions, limits: CacheLimits, clock_ns: Callable[[], int]
    ) -> None:
        # Files are listed later than this, which is what their states are judged by.
        self._opened_ns = clock_ns()
        self._guard = GuardedDatabase(directory, limits.busy_seconds)
        self._writes = PendingWrites(self._guard, clock_ns)
        self._max_bytes = limits.max_bytes
        self._max_file_bytes = options.max_file_bytes
        self._generation = generation_of(options)
        self._package_generation = package_generation_of(options)
        self._contents: dict[Path, FileContents] = {}
        self._packages: dict[Path, PackageCache] = {}
        self._states: dict[str, bytes] = {}

    @classmethod
    def open(
        cls,
        directory: Path,
        options: ScanOptions,
        limits: CacheLimits | None = None,
        *,
        clock_ns: Callable[[], int] = time.time_ns,
    ) -> ResultCache:
        """Open the cache in a directory, made if need be. It never fails: what cannot be used misses and says so.

        Open it before the files are listed: what a file looked like is trusted only if it was older than the opening.

        Args:
            directory: The cache's own directory.
            options: Options that shape results.
            limits: What it may take; None for the usual.
            clock_ns: The time in nanoseconds since the epoch.
        """
        return cls(directory, options, limits or CacheLimits(), clock_ns)

    @property
    def directory(self) -> Path:
        """Where the cache is."""
        return self._guard.directory

    @property
    def remarks(self) -> list[str]:
        """What went wrong with it, as sentences for the user; empty when nothing did."""
        return self._guard.remarks

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def flush(self) -> None:
        """Write what waits to be written."""
        self._writes.flush()

    def close(self) -> None:
        """Write what is left, keep to the size limit, and close the database; nothing happens the second time."""
        self.flush()
        self._guard.attempt(lambda database: database.evict(self._max_bytes), 0)
        self._guard.close()

    def lookup(
        self, root: Path, files: Sequence[SourceFile], reading: Reading = Reading.RECORDS
    ) -> CacheLookup:
        """Find the results of files that earlier scans saw with the same content.

        Args:
            root: The scanned directory.
            files: The files, with paths relative to *root*. One that does not look as it did is read.
            reading: How far they are to be read.
        """
        contents = self._contents_of(root)
        scans: dict[str, FileScan | None] = {}
        damaged = 0
        if self._guard.holds(self._generation):
            contents.identify(files)
            for start in range(0, len(files), BATCH):
                for file, payload in self._stored(contents, files[start : start + BATCH], reading):
                    try:
                        scans[file.path] = _decoded(payload, file, reading)
                    except CodecError:
                        damaged += 1
                    else:
                        contents.note_result(file.path, reading, payload or b"")
        unread = sum(path in contents.unread for path in scans)
        misses = tuple(file for file in files if file.path not in scans)
        self._states.update((file.path, file.state) for file in misses)
        return CacheLookup(scans, misses, unread, len(scans) - unread, damaged)

    def store(
        self,
        root: Path,
        files: Sequence[SourceFile],
        reading: Reading,
        scans: Sequence[FileScan | SealedScan | None],
        digests: Sequence[bytes | None],
    ) -> None:
        """Keep results; they are on disk within a second or a few hundred calls, and when the cache is closed.

        Args:
            root: The scanned directory.
            files: Files that were looked up before.
            reading: How far they were read.
            scans: Their results.
            digests: For each, :func:`workers.cache.content.content_digest` of the bytes that were scanned; None where
                no bytes were read.
        """
        contents = self._contents_of(root)
        for file, scan, digest in zip(files, scans, digests, strict=True):
            state = self._states.pop(file.path, UNKNOWN_STATE)
            if digest is None or not _is_of_content(scan):
                # Nothing that hangs on the file is kept either.
                contents.forget(file.path)
                continue
            contents.digests[file.path] = digest
            if not self._guard.is_usable:
                continue
            try:
                payload = _encoded(scan)
            except CodecError:
                continue  # such a file is scanned anew each time
            name = entry_id(self._generation, file.path, file.role, reading, digest)
            self._writes.put_result(self._generation, name, payload)
            contents.note_result(file.path, reading, payload)
            contents.note_file(file.path, state, digest)
        self._writes.flush_if_due()

    def packages(self, root: Path) -> PackageCache:
        """Return the outcomes of whole packages below a scanned directory."""
        if root not in self._packages:
            self._packages[root] = PackageCache(
                self._guard, self._writes, self._contents_of(root), self._package_generation, self._generation
            )
        return self._packages[root]

    def unread_of(self, root: Path, files: Sequence[SourceFile]) -> int:
        """Return how many of the files were known from what they look like, without reading them."""
        unread = self._contents_of(root).unread
        return sum(file.path in unread for file in files)

    def _contents_of(self, root: Path) -> FileContents:
        if root not in self._contents:
            self._contents[root] = FileContents(
                root, self._guard, self._writes, self._opened_ns, self._max_file_bytes
            )
        return self._contents[root]

    def unknown_files(self, root: Path, files: Sequence[SourceFile]) -> tuple[SourceFile, ...]:
        """Return the files whose records are not stored, taking note of those that are, without decoding any.

        Args:
            root: The scanned directory.
            files: The files, with paths relative to *root*.
        """
        contents = self._contents_of(root)
        if not self._guard.holds(self._generation):
            return tuple(files)
        contents.identify(files)
        seen: set[str] = set()
        for start in range(0, len(files), BATCH):
            for file, payload in self._stored(contents, files[start : start + BATCH], Reading.RECORDS):
                if payload is not None:
                    contents.note_result(file.path, Reading.RECORDS, payload)
                    seen.add(file.path)
        return tuple(file for file in files if file.path not in seen)

    def _stored(
        self, contents: FileContents, files: Sequence[SourceFile], reading: Reading
    ) -> list[tuple[SourceFile, bytes | None]]:
        """Return the files that have a stored result, with it; None for a damaged one."""
        wanted = {
            entry_id(self._generation, file.path, file.role, reading, contents.digests[file.path]): file
            for file in files
            if file.path in contents.digests
        }
        found: dict[bytes, tuple[bytes | None, int]] = {}
        found = self._guard.attempt(lambda database: database.results(list(wanted)), found)
        for name, (_, used) in found.items():
            self._writes.use_result(name, used)
        return [(wanted[name], payload) for name, (payload, _) in found.items()]


def _encoded(scan: FileScan | SealedScan | None) -> bytes:
    """Return a result as it is stored.

    Raises:
        CodecError: It holds something that has no place in the cache.
    """
    if isinstance(scan, SealedScan):
        return scan.record
    return b"" if scan is None else encode_scan(scan)


def _is_of_content(scan: FileScan | SealedScan | None) -> bool:
    return scan is None or all(diagnostic.code not in NOT_OF_CONTENT for diagnostic in scan.errors)


def _decoded(payload: bytes | None, file: SourceFile, reading: Reading) -> FileScan | None:
    """Return a stored result.

    Raises:
        CodecError: It cannot be used.
    """
    if payload is None:
        raise CodecError(f"The result of {file.path!r} is damaged")
    if not payload and reading is Reading.SIFT:
        return None
    return decode_scan(payload, file.path, file.role)
