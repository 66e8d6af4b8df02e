"""What every backend offers, and what comes back from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from workers.shards import ShardResult, ShardTask


@dataclass(frozen=True, slots=True)
class LostShard:
    """A task whose worker died over it.

    Attributes:
        task: The task.
        seconds: Time between handing it out and learning of its loss.
        detail: What is known about the death, as half a sentence.
    """

    task: ShardTask
    seconds: float
    detail: str


ShardOutcome: TypeAlias = ShardResult | LostShard


class Backend(AbstractContextManager["Backend"], Protocol):
    """A place where shards are scanned; entered before use, left afterwards whatever happened."""

    name: str

    @property
    def workers(self) -> int:
        """How many workers there are; of an entered backend only."""

    def scan(self, tasks: Iterable[ShardTask]) -> Iterator[ShardOutcome]:
        """Scan tasks and yield outcomes as they come.

        Tasks are taken from the iterable only when a worker is about to be free, so that little is in flight. A
        worker that dies is replaced; its task is yielded as lost and not tried again here.
        """
