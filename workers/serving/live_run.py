"""The run that a directory holds at the moment.

A run replaces its output directory as a whole, so the index of the artifacts is another file afterwards. That is looked
at before every answer, which costs one system call; only when it differs is the run read again. A run that cannot be read
is an error, never an answer from the run before it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Final

from scanner.artifacts import INDEX_FILE
from workers.errors import UsageError
from workers.toolset.catalog import Catalog, CatalogError

_ATTEMPTS: Final = 3

_Identity = tuple[int, int, int, int]


class RunUnreadableError(Exception):
    """The artifacts cannot be read as they stand; the message says why and what to do."""


class LiveRun:
    """What can be asked about the run that a directory holds, for threads that ask at the same time.

    Args:
        directory: The directory.
        read: What reads it; raises UsageError or CatalogError where it cannot.
    """

    def __init__(self, directory: Path, read: Callable[[Path], Catalog]) -> None:
        self._directory = directory
        self._read = read
        self._lock = Lock()
        self._loaded: tuple[_Identity, Catalog] | None = None

    def current(self) -> Catalog:
        """Return what can be asked about the run that is there now.

        Raises:
            RunUnreadableError: There is none, or it cannot be read.
        """
        with self._lock:
            identity = self._identity()
            if self._loaded is None or self._loaded[0] != identity:
                self._loaded = None
                self._loaded = self._load(identity)
            return self._loaded[1]

    def _load(self, identity: _Identity) -> tuple[_Identity, Catalog]:
        """Read the run; where another run takes its place meanwhile, that one."""
        for _ in range(_ATTEMPTS):
            problem: Exception | None = None
            try:
                catalog = self._read(self._directory)
            except (UsageError, CatalogError) as error:
                problem = error
            before, identity = identity, self._identity()
            if identity != before:
                continue
            if problem is not None:
                raise RunUnreadableError(str(problem)) from problem
            return identity, catalog
        raise RunUnreadableError(
            f"{self._directory} changes faster than it can be read. Ask again in a moment."
        )

    def _identity(self) -> _Identity:
        try:
            state = (self._directory / INDEX_FILE).stat()
        except (OSError, ValueError) as error:
            raise RunUnreadableError(
                f"{self._directory} holds no run at the moment; give a directory that `scan-cluster run --out` wrote."
            ) from error
        return state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns
