"""What happens to shards whose worker died: retried, split, and at last isolated to the file at fault.

A first loss may have nothing to do with the files (memory ran out, a machine went away), so the shard is tried again.
A shard lost twice is split in halves until one file is left that no worker survives; that file is reported, and every
other file arrives.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from scanner.diagnostics import diagnose
from scanner.records import FileScan
from workers.backends.interface import Backend, LostShard
from workers.shards import ShardResult, ShardTask


@dataclass(slots=True)
class RecoveryFigures:
    """What losses a scan met."""

    lost: int = 0
    retried: int = 0
    given_up: list[str] = field(default_factory=list)


def scan_with_recovery(
    backend: Backend, tasks: Iterable[ShardTask], figures: RecoveryFigures | None = None
) -> Iterator[ShardResult]:
    """Scan tasks on a backend and yield a result for every file of every task.

    Args:
        backend: An entered backend.
        tasks: The tasks.
        figures: Counts losses, if given.
    """
    figures = figures if figures is not None else RecoveryFigures()
    losses: dict[tuple[str, ...], int] = {}
    pending: Iterable[ShardTask] = tasks
    while True:
        again: list[ShardTask] = []
        for outcome in backend.scan(pending):
            if isinstance(outcome, ShardResult):
                yield outcome
                continue
            figures.lost += 1
            again.extend(_next_tasks(outcome, losses))
            given_up = _given_up(outcome, losses)
            if given_up is not None:
                figures.given_up.append(outcome.task.files[0].path)
                yield given_up
        if not again:
            return
        figures.retried += len(again)
        pending = again


def _key(task: ShardTask) -> tuple[str, ...]:
    return tuple(file.path for file in task.files)


def _next_tasks(lost: LostShard, losses: dict[tuple[str, ...], int]) -> list[ShardTask]:
    task = lost.task
    losses[_key(task)] = losses.get(_key(task), 0) + 1
    if losses[_key(task)] == 1:
        return [task]
    if len(task.files) == 1:
        return []
    middle = len(task.files) // 2
    return [_part(task, 0, middle), _part(task, middle, len(task.files))]


def _part(task: ShardTask, start: int, end: int) -> ShardTask:
    contents = None if task.contents is None else task.contents[start:end]
    return replace(task, files=task.files[start:end], first=task.first + start, contents=contents)


def _given_up(lost: LostShard, losses: dict[tuple[str, ...], int]) -> ShardResult | None:
    """Return the report about a file that no worker survived, once that is certain."""
    task = lost.task
    if len(task.files) > 1 or losses[_key(task)] < 2:  # noqa: PLR2004 -- the first loss may be chance
        return None
    file = task.files[0]
    if task.file_seconds is not None and lost.seconds >= task.file_seconds:
        remark = diagnose(
            "scan-timeout",
            file.path,
            f"Scanning this file took more than {task.file_seconds:g} s, so it was given up.",
            hint="Exclude the file, or raise --file-timeout.",
        )
    else:
        remark = diagnose(
            "scan-crash",
            file.path,
            f"Every worker that scanned this file died: {lost.detail}.",
            hint="Exclude the file, and please report it.",
        )
    scan = FileScan(file.path, file.role, errors=(remark,))
    return ShardResult(task.number, task.first, (scan,), (None,), 0, lost.seconds, 0, 0)
