"""Scanning with Ray tasks, on an instance started for the run or on a cluster that exists already.

The only module that imports Ray. It runs in a process of its own (:mod:`workers.backends.ray_host`), since Ray changes
the process that it is started in: its group, its environment, its signal handlers, its standard output.
"""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import ray
from ray import exceptions as ray_errors

from scanner.artifacts import tool_versions
from scanner.serialization import JsonValue, encode_line
from workers.backends.interface import LostShard, ShardOutcome
from workers.errors import CommandError
from workers.shards import ShardResult, ShardTask, scan_shard

_IN_FLIGHT_PER_PROCESSOR: Final = 2  # the next task is there when one is done

_MOST_REFUSALS: Final = 3

_LOSSES: Final = (
    ray_errors.WorkerCrashedError,
    ray_errors.NodeDiedError,
    ray_errors.OutOfMemoryError,
    ray_errors.ObjectLostError,
    ray_errors.LocalRayletDiedError,
)


class WorkerUnfitError(Exception):
    """A worker would not give the results that this machine would: it lacks the tree, or has another version."""


@dataclass(slots=True)
class _Job:
    """A task that Ray has, and when its worker began with it, as far as that is known.

    Attributes:
        task: The task.
        handed_out: When Ray got it; this and the next on the clock of this process.
        heard: When the worker's word arrived that it has begun.
        began: The time of day at which it began, on the worker's clock.
        refused: How often the task was lost before a worker was heard to begin with it.
    """

    task: ShardTask
    handed_out: float
    heard: float | None = None
    began: float = 0.0
    refused: int = 0

    def was_refused(self) -> bool:
        """Return whether it is safe to say that the task is not why it was lost.

        Ray may still give a task to a worker that has just died of another one. A worker that dies at once may not be
        heard to have begun, so this cannot be said for ever.
        """
        return self.heard is None and self.refused < _MOST_REFUSALS

    def seconds(self) -> float:
        """Return the time since the worker began; waiting for a free processor does not count."""
        now = time.monotonic()
        if self.heard is None:
            return 0.0
        # The word may have lain here for a while, and clocks of two machines may differ: each bounds the other.
        return min(now - self.handed_out, max(now - self.heard, time.time() - self.began))


@dataclass(frozen=True, slots=True)
class Crew:
    """Who scans.

    Attributes:
        workers: Most tasks that run at once.
        in_flight: Most tasks that Ray has at once.
    """

    workers: int
    in_flight: int


def start_instance(workers: int, directory: str) -> Crew:
    """Start an instance with a processor for each worker, and all its files in a directory."""
    _initialize(address="local", num_cpus=workers, include_dashboard=False, _temp_dir=directory)
    return Crew(workers, workers * _IN_FLIGHT_PER_PROCESSOR)


def join_cluster(address: str, workers: int | None) -> Crew:
    """Join the cluster at an address, with as many workers as asked for, else one for each of its processors.

    Raises:
        CommandError: It has no processor.
    """
    _initialize(address=address)
    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    processors = int(resources.get("CPU", 0))
    if processors == 0:
        raise CommandError(
            f"The Ray cluster at {address} has no processor that could scan. Add a machine to it with 'ray start"
            f" --address={address}'."
        )
    if workers is not None and workers < processors:
        return Crew(workers, workers)  # a task more would not wait, but take a processor more than asked for
    return Crew(workers or processors, processors * _IN_FLIGHT_PER_PROCESSOR)


def leave() -> None:
    """Leave a cluster."""
    ray.shutdown()


def _initialize(**options: Any) -> None:
    ray.init(logging_level=logging.ERROR, log_to_driver=False, **options)


def scan_on_cluster(tasks: Iterable[ShardTask], in_flight: int) -> Iterator[ShardOutcome]:
    """Keep at most *in_flight* tasks with Ray and yield what comes back.

    Raises:
        CommandError: A worker does not see the directory to scan, or has other versions.
    """
    # Losses are this project's to handle: Ray would retry a file that kills its worker, and know no halves.
    scan = ray.remote(num_cpus=1, max_retries=0, num_returns="streaming")(scan_visible_shard)
    versions = tool_versions()
    waiting = iter(tasks)
    running: dict[Any, _Job] = {}
    while True:
        while len(running) < in_flight and (task := next(waiting, None)) is not None:
            running[scan.remote(task, versions)] = _Job(task, time.monotonic())
        if not running:
            return
        done, _ = ray.wait(list(running), num_returns=1)
        for stream in done:
            job = running[stream]
            outcome = _next_outcome(stream, job)
            if outcome is None:
                continue
            del running[stream]
            if isinstance(outcome, LostShard) and job.was_refused():
                again = _Job(job.task, time.monotonic(), refused=job.refused + 1)
                running[scan.remote(job.task, versions)] = again
            else:
                yield outcome


def scan_visible_shard(task: ShardTask, versions: dict[str, JsonValue]) -> Iterator[float | ShardResult]:
    """Scan a shard on a worker that may be on a machine without the tree, or with another version of the tool.

    Args:
        task: The shard.
        versions: What results depend on, in the versions of the machine that asks.

    Yields:
        The time of day at which the worker begins, then the result.

    Raises:
        WorkerUnfitError: The result would not be the one that the asking machine would get.
    """
    here = tool_versions()
    if here != versions:
        raise WorkerUnfitError(
            f"The Ray worker on {socket.gethostname()} has other versions than this machine: {_shown(here)} there,"
            f" {_shown(versions)} here. Install the same version of scan-cluster on all machines of the cluster."
        )
    if task.contents is None and not Path(task.root).is_dir():
        raise WorkerUnfitError(
            f"The Ray worker on {socket.gethostname()} does not see {task.root}. Give its machine the same path, or"
            " send the files along with --ship-sources."
        )
    yield time.time()
    yield scan_shard(task)


def _shown(versions: dict[str, JsonValue]) -> str:
    return encode_line(versions).decode().strip()


def _next_outcome(stream: Any, job: _Job) -> ShardOutcome | None:
    """Take the next word of a worker; None if it has but begun."""
    try:
        word: float | ShardResult = ray.get(next(stream))
    except _LOSSES as error:
        return LostShard(job.task, job.seconds(), f"its Ray worker died ({_first_line(error)})")
    except WorkerUnfitError as error:
        raise CommandError(str(getattr(error, "cause", error))) from error
    except ray_errors.RayError as error:
        raise CommandError(
            f"A Ray worker cannot scan: {str(error).strip().splitlines()[-1]}. Install scan-cluster with Ray, in the"
            " same version, on all machines of the cluster."
        ) from error
    if isinstance(word, ShardResult):
        return word
    job.heard, job.began = time.monotonic(), word
    return None


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0]
