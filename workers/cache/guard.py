"""The cache's database behind a guard: whatever goes wrong with it costs results, never the run.

A damaged database is set aside and built anew, once; any other trouble (busy, full, out of reach) ends the use of the
cache for this run. Either leaves one remark for the user.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from workers.cache.database import DATABASE_ERRORS, Database, is_damage
from workers.cache.directory import (
    DAMAGED,
    DATABASE,
    ForeignDirectoryError,
    database_identity,
    prepare,
    set_aside,
)
from workers.cache.key import Generation

_Value = TypeVar("_Value")


class GuardedDatabase:
    """The database below one directory, opened if that can be done.

    Attributes:
        directory: Where the cache is.
        remarks: What went wrong with it, as sentences for the user; empty when nothing did.
    """

    def __init__(self, directory: Path, busy_seconds: float) -> None:
        """Open the database, making directory and database if need be; it never fails.

        Args:
            directory: The cache's own directory.
            busy_seconds: How long to wait for another process's transaction.
        """
        self.directory = directory
        self.remarks: list[str] = []
        self._busy_seconds = busy_seconds
        self._database: Database | None = None
        self._identity: tuple[int, int] | None = None
        self._was_rebuilt = False
        try:
            prepare(directory)
        except ForeignDirectoryError as error:
            self.remarks.append(f"{error}, so no cache was used. Choose another --cache.")
        except OSError as error:
            self._give_up(error)
        else:
            self._connect()

    @property
    def is_usable(self) -> bool:
        """Whether there is a database to work with."""
        return self._database is not None

    def holds(self, generation: Generation) -> bool:
        """Tell whether anything was ever stored for a generation: otherwise the looking can be spared."""
        return self.attempt(
            lambda database: database.generation_number(generation.key) is not None, fallback=False
        )

    def attempt(self, action: Callable[[Database], _Value], fallback: _Value) -> _Value:
        """Do something with the database; on failure set things right as far as possible and return *fallback*."""
        if self._database is None:
            return fallback
        try:
            return action(self._database)
        except DATABASE_ERRORS as error:
            self._recover(error)
            return fallback

    def close(self) -> None:
        """Close the database."""
        if self._database is not None:
            with suppress(*DATABASE_ERRORS):  # everything worth keeping is written by now
                self._database.close()
            self._database = None

    def _connect(self) -> None:
        self._identity = database_identity(self.directory)
        try:
            self._database = Database(self.directory / DATABASE, self._busy_seconds)
            self._identity = database_identity(self.directory)
        except DATABASE_ERRORS as error:
            self._recover(error)

    def _recover(self, error: Exception) -> None:
        self.close()
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
