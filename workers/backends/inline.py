"""Scanning in this process: no start-up cost, no protection from files that take the process down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from types import TracebackType
from typing import Self

from workers.backends.interface import Backend, ShardOutcome
from workers.shards import ShardTask, scan_shard


class InlineBackend(Backend):
    """Scans one shard after the other, here; time limits for files do not apply."""

    name = "inline"
    workers = 1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def scan(self, tasks: Iterable[ShardTask]) -> Iterator[ShardOutcome]:
        """Scan tasks in order."""
        for task in tasks:
            yield scan_shard(replace(task, file_seconds=None))
