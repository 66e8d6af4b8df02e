"""The cache of scan results as the driver uses it: look files up, scan the rest, store what came of it.

Contract: a result that comes out is the one that scanning the file now would give. Whatever is wrong with the cache
(damaged, locked, full, not writable) makes it miss and leaves one remark; it never fails a run. Only the driver's
process uses it, and in this order: :meth:`ResultCache.lookup`, scanning, :meth:`ResultCache.store`.

Storing is free of races because the digest is that of the bytes scanned, made where they were read, and because a file
is noted as unchanged with what it looked like *before* it was read: if it changed since, it looks different at the next
run (see ``workers.cache.stat_index``).
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeVar

from scanner.diagnostics import Diagnostic
from scanner.options import ScanOptions
from scanner.records import FileScan, Reading
from scanner.source_files import read_source_file
from scanner.sources import SourceFile
from workers.cache.codec import CodecError, decode_scan, encode_scan
from workers.cache.content import content_digest
from workers.cache.database import BATCH, DATABASE_ERRORS, Database, FileRow, is_damage
from workers.cache.directory import (
    DAMAGED,
    DATABASE,
    ForeignDirectoryError,
    database_identity,
    prepare,
    set_aside,
)
from workers.cache.key import entry_id, generation_of
from workers.cache.stat_index import FileLook, look_at

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

_FLUSH_ENTRIES: Final = 256
_FLUSH_SECONDS: Final = 1.0
_USE_SECONDS: Final = 3600
_DIGEST_BYTES: Final = 32
_NANOSECONDS: Final = 1_000_000_000

_Value = TypeVar("_Value")


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


@dataclass(slots=True)
class _Findings:
    """What a lookup has come to so far."""

    scans: dict[str, FileScan | None] = field(default_factory=dict)
    unread: int = 0
    damaged: int = 0


@dataclass(slots=True)
class _Pending:
    """What is still to be written."""

    results: dict[bytes, bytes] = field(default_factory=dict)
    files: dict[bytes, FileRow] = field(default_factory=dict)
    used_results: list[bytes] = field(default_factory=list)
    used_files: list[bytes] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.results) + len(self.files) + len(self.used_results) + len(self.used_files)


class ResultCache:
    """The results of earlier scans below one directory; a context manager that writes what is left when it ends.

    Attributes:
        directory: Where the cache is.
        remarks: What went wrong with it, as sentences for the user; empty when nothing did.
    """

    def __init__(
        self, directory: Path, options: ScanOptions, limits: CacheLimits, clock_ns: Callable[[], int]
    ) -> None:
        self.directory = directory
        self.remarks: list[str] = []
        self._limits = limits
        self._clock_ns = clock_ns
        self._max_file_bytes = options.max_file_bytes
        self._generation = generation_of(options)
        self._database: Database | None = None
        self._identity: tuple[int, int] | None = None
        self._was_rebuilt = False
        self._pending = _Pending()
        self._looks: dict[str, FileLook] = {}
        self._flushed_at = time.monotonic()

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

        Args:
            directory: The cache's own directory.
            options: Options that shape results.
            limits: What it may take; None for the usual.
            clock_ns: The time in nanoseconds since the epoch.
        """
        cache = cls(directory, options, limits or CacheLimits(), clock_ns)
        try:
            prepare(directory)
        except ForeignDirectoryError as error:
            cache.remarks.append(f"{error}, so no cache was used. Choose another --cache.")
            return cache
        except OSError as error:
            cache._give_up(error)
            return cache
        cache._connect()
        return cache

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Write what is left, keep to the size limit, and close the database."""
        self._flush()
        self._guarded(lambda database: database.evict(self._limits.max_bytes), 0)
        self._disconnect()

    def lookup(
        self, root: Path, files: Sequence[SourceFile], reading: Reading = Reading.RECORDS
    ) -> CacheLookup:
        """Find the results of files that earlier scans saw with the same content.

        Args:
            root: The scanned directory.
            files: The files, with paths relative to *root*. Each is looked at once; one that looks changed is read.
            reading: How far they are to be read.
        """
        base = _base_of(root)
        found = _Findings()
        with _collector_paused():
            for start in range(0, len(files), BATCH):
                seen = self._seen(base, files[start : start + BATCH])
                self._guarded(
                    partial(self._look_up, base=base, reading=reading, seen=seen, found=found), None
                )
        misses = tuple(file for file in files if file.path not in found.scans)
        reread = len(found.scans) - found.unread
        return CacheLookup(found.scans, misses, found.unread, reread, found.damaged)

    def store(
        self,
        root: Path,
        files: Sequence[SourceFile],
        reading: Reading,
        scans: Sequence[FileScan | None],
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
        base = _base_of(root)
        for file, scan, digest in zip(files, scans, digests, strict=True):
            look = self._looks.pop(base + file.path, None)
            if self._database is None or digest is None or not _is_of_content(scan):
                continue
            try:
                payload = b"" if scan is None else encode_scan(scan)
            except CodecError:
                continue  # such a file is scanned anew each time
            self._pending.results[entry_id(self._generation, file.path, file.role, reading, digest)] = payload
            if look is not None:
                self._note(look, digest)
        is_due = time.monotonic() - self._flushed_at >= _FLUSH_SECONDS
        if is_due or len(self._pending) >= _FLUSH_ENTRIES:
            self._flush()

    def _seen(self, base: str, files: Sequence[SourceFile]) -> list[tuple[SourceFile, FileLook]]:
        """Look at files and remember what they look like, for when their results are stored."""
        now = self._clock_ns()
        seen: list[tuple[SourceFile, FileLook]] = []
        for file in files:
            path = base + file.path
            look = look_at(path, now)
            if look is not None:
                seen.append((file, look))
                self._looks[path] = look
        return seen

    def _look_up(
        self,
        database: Database,
        *,
        base: str,
        reading: Reading,
        seen: Sequence[tuple[SourceFile, FileLook]],
        found: _Findings,
    ) -> None:
        if database.generation_number(self._generation.key) is None:
            return  # nothing was ever stored: spare the reading
        now = self._now()
        known = database.known_files([look.path_id for _, look in seen])
        wanted: dict[bytes, tuple[SourceFile, bool]] = {}
        for file, look in seen:
            state, content, used = known.get(look.path_id, (b"", b"", 0))
            is_unchanged = look.is_settled and state == look.state and _is_digest(content)
            digest = content if is_unchanged else self._digest_of(base, file, look)
            if digest is None:
                continue
            wanted[entry_id(self._generation, file.path, file.role, reading, digest)] = (file, is_unchanged)
            if is_unchanged and now - used > _USE_SECONDS:
                self._pending.used_files.append(look.path_id)
        for name, (payload, used) in database.results(list(wanted)).items():
            file, is_unchanged = wanted[name]
            try:
                found.scans[file.path] = _decoded(payload, file, reading)
            except CodecError:
                found.damaged += 1
                continue
            found.unread += is_unchanged
            if now - used > _USE_SECONDS:
                self._pending.used_results.append(name)

    def _digest_of(self, base: str, file: SourceFile, look: FileLook) -> bytes | None:
        """Return the digest of a file's content, noted for the next time; None if it cannot be read."""
        if look.size > self._max_file_bytes:
            return None
        data = read_source_file(base + file.path, file.path, self._max_file_bytes)
        if isinstance(data, Diagnostic):
            return None
        digest = content_digest(data)
        self._note(look, digest)
        return digest

    def _note(self, look: FileLook, digest: bytes) -> None:
        if look.is_settled:
            self._pending.files[look.path_id] = FileRow(look.path_id, look.state, digest)

    def _flush(self) -> None:
        pending, self._pending = self._pending, _Pending()
        self._flushed_at = time.monotonic()
        if pending:
            self._guarded(lambda database: self._write(database, pending), None)

    def _write(self, database: Database, pending: _Pending) -> None:
        now = self._now()
        with database.transaction():
            if pending.results:
                # Another run may have evicted the generation meanwhile, so its number is asked for each time.
                database.put_results(database.add_generation(self._generation), pending.results, now)
            database.put_files(pending.files.values(), now)
            database.mark_used(pending.used_results, pending.used_files, now)

    def _now(self) -> int:
        return self._clock_ns() // _NANOSECONDS

    def _guarded(self, action: Callable[[Database], _Value], fallback: _Value) -> _Value:
        """Do something with the database; on failure return *fallback* after setting things right as far as possible."""
        if self._database is None:
            return fallback
        try:
            return action(self._database)
        except DATABASE_ERRORS as error:
            self._recover(error)
            return fallback

    def _connect(self) -> None:
        self._identity = database_identity(self.directory)
        try:
            self._database = Database(self.directory / DATABASE, self._limits.busy_seconds)
            self._identity = database_identity(self.directory)
        except DATABASE_ERRORS as error:
            self._recover(error)

    def _recover(self, error: Exception) -> None:
        self._disconnect()
        if not is_damage(error) or self._was_rebuilt:
            self._give_up(error)
            return
        self._was_rebuilt = True
        try:
            set_aside(self.directory, self._identity)
        except OSError as failure:
            self._give_up(failure)
            return
        self.remarks.append(
            f"The cache of scan results in {self.directory} was damaged; it was set aside as {DAMAGED} and is"
            " built anew."
        )
        self._connect()

    def _give_up(self, error: Exception) -> None:
        reason = getattr(error, "strerror", None) or str(error)
        self.remarks.append(
            f"The cache of scan results in {self.directory} cannot be used: {reason}. The scan goes on without it."
        )

    def _disconnect(self) -> None:
        if self._database is not None:
            with suppress(*DATABASE_ERRORS):  # everything worth keeping is written by now
                self._database.close()
            self._database = None


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Keep the collector of cyclic garbage from searching records while they are made by the million.

    They hold no cycles, and searching them again and again takes twice the time of making them.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _base_of(root: Path) -> str:
    return os.path.realpath(root).rstrip("/") + "/"


def _is_digest(content: object) -> bool:
    return isinstance(content, bytes) and len(content) == _DIGEST_BYTES


def _is_of_content(scan: FileScan | None) -> bool:
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
