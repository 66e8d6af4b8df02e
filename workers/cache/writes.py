"""What a run is about to write to the cache: gathered, and written in transactions of a bearable size."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from workers.cache.database import Database, FileRow
from workers.cache.guard import GuardedDatabase
from workers.cache.key import Generation

USE_SECONDS: Final = 3600
"""How old a time of use gets before it is renewed; renewing all of them in each run would cost more than it gives."""

_FLUSH_ENTRIES: Final = 256
_FLUSH_BYTES: Final = 4_000_000
_FLUSH_SECONDS: Final = 1.0
_NANOSECONDS: Final = 1_000_000_000


@dataclass(slots=True)
class _Pending:
    """What is still to be written."""

    results: dict[Generation, dict[bytes, bytes]] = field(default_factory=dict)
    files: dict[bytes, FileRow] = field(default_factory=dict)
    used_results: list[bytes] = field(default_factory=list)
    used_files: list[bytes] = field(default_factory=list)
    entries: int = 0
    size: int = 0


class PendingWrites:
    """Writes to the cache's database that wait for their turn.

    Args:
        guard: The database.
        clock_ns: The time in nanoseconds since the epoch.
    """

    def __init__(self, guard: GuardedDatabase, clock_ns: Callable[[], int]) -> None:
        self._guard = guard
        self._clock_ns = clock_ns
        self._pending = _Pending()
        self._flushed_at = time.monotonic()

    def put_result(self, generation: Generation, name: bytes, payload: bytes) -> None:
        """Enter a result."""
        self._pending.results.setdefault(generation, {})[name] = payload
        self._pending.entries += 1
        self._pending.size += len(payload)

    def put_file(self, row: FileRow) -> None:
        """Enter what a file looked like."""
        self._pending.files[row.id] = row
        self._pending.entries += 1

    def use_result(self, name: bytes, used: int) -> None:
        """Note that a result, last used at *used*, was of use now."""
        if self.is_old(used):
            self._pending.used_results.append(name)
            self._pending.entries += 1

    def use_file(self, name: bytes, used: int) -> None:
        """Note that a row of the index, last used at *used*, was of use now."""
        if self.is_old(used):
            self._pending.used_files.append(name)
            self._pending.entries += 1

    def is_old(self, used: int) -> bool:
        """Tell whether a time of use, in seconds since the epoch, is so old that it is worth renewing."""
        return self._clock_ns() // _NANOSECONDS - used > USE_SECONDS

    def flush_if_due(self) -> None:
        """Write if there is much to write, or something that waits for a second."""
        is_due = time.monotonic() - self._flushed_at >= _FLUSH_SECONDS
        if is_due or self._pending.entries >= _FLUSH_ENTRIES or self._pending.size >= _FLUSH_BYTES:
            self.flush()

    def flush(self) -> None:
        """Write what there is."""
        pending, self._pending = self._pending, _Pending()
        self._flushed_at = time.monotonic()
        if pending.entries:
            self._guard.attempt(lambda database: self._write(database, pending), None)

    def _write(self, database: Database, pending: _Pending) -> None:
        now = self._clock_ns() // _NANOSECONDS
        with database.transaction():
            for generation, results in pending.results.items():
                # Another run may have evicted the generation meanwhile, so its number is asked for each time.
                database.put_results(database.add_generation(generation), results, now)
            database.put_files(pending.files.values(), now)
            database.mark_used(pending.used_results, pending.used_files, now)
