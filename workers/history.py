"""Kept artifacts of earlier runs: a directory that holds every run that differs, and every equal artifact once.

    history.json   marks the directory
    lock           held while something is written or removed, shared while something is read
    objects/       contents by their SHA-256, compressed
    runs/          one small file a run, named by the time in UTC at which it began

A run's file is written last, in one step, so a run that is killed leaves objects that nobody refers to, never a run
whose artifacts are missing; the next run removes what is left over. Files of runs are never changed.
"""

from __future__ import annotations

import fcntl
import gzip
import os
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from scanner.artifacts import TOOL_NAME, digest
from scanner.serialization import JsonValue, decode_document, encode_document
from workers.errors import CommandError, UsageError
from workers.output import write_file

RUN_FILE: Final = "run.json"
_FORMAT_VERSION: Final = 1
_MARKER: Final = "history.json"
_MARK: Final[Mapping[str, JsonValue]] = MappingProxyType(
    {"formatVersion": _FORMAT_VERSION, "tool": TOOL_NAME}
)
_LOCK: Final = "lock"
_OBJECTS: Final = "objects"
_RUNS: Final = "runs"
_OURS: Final = frozenset({_MARKER, f".{_MARKER}.partial", _LOCK, _OBJECTS, _RUNS})
_STAMP: Final = "%Y-%m-%dT%H-%M-%SZ"
_RUN_NAME: Final = re.compile(r"(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ)(?:\.(\d+))?")
_DIGEST: Final = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Retention:
    """Which runs are kept; one that either rule is against goes.

    Attributes:
        keep: How many of the newest runs; None for all.
        days: How many days before the newest run; None for any number.
    """

    keep: int | None = None
    days: float | None = None


class RunRecord(NamedTuple):
    """Where the artifacts of a kept run are.

    Attributes:
        contents: Digest of the object that lists all artifacts but `run.json` with their digests.
        run: Digest of `run.json`.
    """

    contents: str
    run: str


class DamagedHistoryError(Exception):
    """A file of a history is not what was written; the message names it."""


class History:
    """A directory of kept runs.

    Args:
        directory: The directory; it is only made when something is kept.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def prepare(self, out: Path) -> None:
        """Make sure that runs can be kept here, before any work is done.

        Args:
            out: The directory for the artifacts of this run; each run replaces it.

        Raises:
            UsageError: The directory is in *out*, holds something else, or cannot be written.
        """
        place = Path(os.path.realpath(self.directory))
        if place == out or out in place.parents:
            raise UsageError(
                f"The history {self.directory} is in the output directory {out}, which every run replaces. Choose another"
                " --history."
            )
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            self._require_ours()
            for name in (_OBJECTS, _RUNS):
                (self.directory / name).mkdir(exist_ok=True)
            with self._locked(fcntl.LOCK_EX):
                if not self.is_history():
                    write_file(self.directory / _MARKER, encode_document(dict(_MARK)))
        except OSError as error:
            raise UsageError(
                f"Cannot keep a history in {self.directory}: {error.strerror or error}. Choose another --history."
            ) from error

    def _require_ours(self) -> None:
        """Check that nothing but a history of this version is in the directory."""
        if self.is_history():
            return
        if (self.directory / _MARKER).exists():
            raise UsageError(
                f"{self.directory / _MARKER} is not of this version of {TOOL_NAME}, or damaged. Choose another --history."
            )
        if not set(os.listdir(self.directory)) <= _OURS:  # noqa: PTH208 -- names are wanted, not paths
            raise UsageError(
                f"{self.directory} holds files that are none of a history, so it was left alone. Choose another"
                " --history."
            )

    def is_history(self) -> bool:
        """Tell whether the directory is a history that this version reads."""
        try:
            content = decode_document((self.directory / _MARKER).read_bytes())
        except (OSError, ValueError):
            return False
        return isinstance(content, dict) and all(content.get(key) == value for key, value in _MARK.items())

    def keep(self, started_at: datetime, artifacts: Mapping[str, bytes], retention: Retention) -> list[str]:
        """Keep a run, and remove what the rule is against.

        Args:
            started_at: When the run began.
            artifacts: All artifacts by path, `run.json` among them.
            retention: Which runs stay; this one may be among those that go, if its clock is behind.

        Returns:
            What a user should know, one sentence each.

        Raises:
            CommandError: The run cannot be kept; all earlier ones are untouched.
        """
        try:
            with self._locked(fcntl.LOCK_EX):
                contents = {
                    name: self._store(content)
                    for name, content in sorted(artifacts.items())
                    if name != RUN_FILE
                }
                record = RunRecord(
                    self._store(encode_document(dict(contents))), self._store(artifacts[RUN_FILE])
                )
                document = {"formatVersion": _FORMAT_VERSION, **record._asdict()}
                write_file(self._run_path(self._new_name(started_at)), encode_document(document))
                return self._tidy(retention)
        except OSError as error:
            raise CommandError(
                f"Cannot keep the run in {self.directory}: {error.strerror or error}."
            ) from error

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Keep other processes from removing anything for a while.

        Raises:
            UsageError: The directory is no history, or cannot be read.
        """
        if not self.is_history():
            raise UsageError(
                f"{self.directory} is no history. Give the directory that runs were given with --history."
            )
        with ExitStack() as stack:
            try:
                stack.enter_context(self._locked(fcntl.LOCK_SH))
            except OSError as error:
                raise UsageError(f"{self.directory} cannot be read: {error.strerror or error}.") from error
            yield

    def names(self) -> list[str]:
        """Return the names of all kept runs, the oldest first."""
        found = (path.stem for path in (self.directory / _RUNS).glob("*.json"))
        return sorted(filter(_is_run_name, found), key=_order)

    def record(self, name: str) -> RunRecord:
        """Return where the artifacts of a run are.

        Raises:
            DamagedHistoryError: The run's file is not what was written.
        """
        path = self._run_path(name)
        try:
            content = decode_document(path.read_bytes())
        except (OSError, ValueError) as error:
            raise DamagedHistoryError(f"{path} cannot be read: {error}.") from error
        found = [content.get(key) for key in RunRecord._fields] if isinstance(content, dict) else []
        if len(found) != len(RunRecord._fields) or not all(map(_is_digest, found)):
            raise DamagedHistoryError(f"{path} does not say where the artifacts of its run are.")
        return RunRecord(*map(str, found))

    def contents(self, record: RunRecord) -> dict[str, str]:
        """Return the digest of every artifact of a run but `run.json`, by path.

        Raises:
            DamagedHistoryError: The object that lists them is gone or damaged.
        """
        try:
            content = decode_document(self.content(record.contents))
        except ValueError:
            content = None
        if not isinstance(content, dict) or not all(map(_is_digest, content.values())):
            raise DamagedHistoryError(f"{self._object_path(record.contents)} is no list of artifacts.")
        return content

    def content(self, name: str) -> bytes:
        """Return an object by its digest.

        Raises:
            DamagedHistoryError: It is gone or damaged.
        """
        path = self._object_path(name)
        try:
            content = gzip.decompress(path.read_bytes())
        except (OSError, EOFError, zlib.error) as error:
            raise DamagedHistoryError(f"{path} cannot be read: {error}.") from error
        if digest(content) != name:
            raise DamagedHistoryError(f"{path} does not hold what its name says.")
        return content

    def objects(self) -> dict[str, Path]:
        """Return the files of all objects by digest."""
        found = (self.directory / _OBJECTS).glob("*/*.gz")
        return {path.name.removesuffix(".gz"): path for path in found}

    def _store(self, content: bytes) -> str:
        """Keep an object, if it is not there yet, and return its digest."""
        name = digest(content)
        path = self._object_path(name)
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            write_file(path, gzip.compress(content, compresslevel=6, mtime=0))
        return name

    def _new_name(self, started_at: datetime) -> str:
        stamp = started_at.astimezone(UTC).strftime(_STAMP)
        numbers = [_order(name)[1] for name in self.names() if _order(name)[0] == stamp]
        return f"{stamp}.{max(numbers) + 1}" if numbers else stamp

    def _tidy(self, retention: Retention) -> list[str]:
        """Remove runs that the rule is against, then every object that no run needs; return what hindered that."""
        names = self.names()
        try:
            for name in set(names) - set(_retained(names, retention)):
                self._run_path(name).unlink()
            for leftover in self.directory.glob("*/**/.*.partial"):
                leftover.unlink()
            needed = set(self._needed(self.names()))
            for name in self.objects().keys() - needed:
                self._object_path(name).unlink()
        except DamagedHistoryError as error:
            return [f"The history is damaged, so no object was removed: {error}"]
        except OSError as error:
            return [f"Not all could be removed from the history {self.directory}: {error.strerror or error}."]
        return []

    def _needed(self, names: Iterable[str]) -> Iterator[str]:
        listed: set[str] = set()
        for record in map(self.record, names):
            yield from record
            if record.contents not in listed:
                listed.add(record.contents)
                yield from self.contents(record).values()

    def _run_path(self, name: str) -> Path:
        return self.directory / _RUNS / f"{name}.json"

    def _object_path(self, name: str) -> Path:
        return self.directory / _OBJECTS / name[:2] / f"{name}.gz"

    @contextmanager
    def _locked(self, kind: int) -> Iterator[None]:
        flags = os.O_RDONLY if kind == fcntl.LOCK_SH else os.O_RDWR | os.O_CREAT
        descriptor = os.open(self.directory / _LOCK, flags | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(descriptor, kind)
            yield
        finally:
            os.close(descriptor)


def _order(name: str) -> tuple[str, int]:
    stamp, _, number = name.partition(".")
    return stamp, int(number or 1)


def _retained(names: list[str], retention: Retention) -> list[str]:
    """Return which of the runs stay, given all of them, the oldest first."""
    kept = names if retention.keep is None else names[-retention.keep :]
    if retention.days is None or not kept:
        return kept
    newest = _time(kept[-1])
    seconds = timedelta(days=1).total_seconds() * retention.days
    return [name for name in kept if not (newest - _time(name)).total_seconds() > seconds]


def _time(name: str) -> datetime:
    return datetime.strptime(_order(name)[0], _STAMP).replace(tzinfo=UTC)


def _is_run_name(name: str) -> bool:
    try:
        return _RUN_NAME.fullmatch(name) is not None and _time(name) is not None
    except ValueError:
        return False


def _is_digest(value: object) -> bool:
    return isinstance(value, str) and _DIGEST.fullmatch(value) is not None
