"""Scanning on Ray: on an instance started for the run, or on a cluster that exists already.

The only module that imports Ray, and only when a backend is made. An instance of our own lives in a temporary
directory and ends with the run; a cluster that exists is joined and left, and its other work is not touched.
"""

from __future__ import annotations

import logging
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from workers.backends.interface import Backend, LostShard, ShardOutcome
from workers.errors import CommandError, UsageError
from workers.shards import ShardResult, ShardTask, scan_shard

try:
    import ray
    from ray import exceptions as ray_errors
except ImportError as error:
    raise UsageError("Ray is not installed; install it with: pip install 'scan-cluster[ray]'") from error

_IN_FLIGHT_PER_WORKER: Final = 2
_TEMPORARY_PREFIX: Final = "scan-cluster-"

_LOSSES: Final = (
    ray_errors.WorkerCrashedError,
    ray_errors.NodeDiedError,
    ray_errors.OutOfMemoryError,
    ray_errors.ObjectLostError,
    ray_errors.LocalRayletDiedError,
)


class RootNotVisibleError(Exception):
    """A worker does not see the directory to scan."""


class RayBackend(Backend):
    """Scans with tasks of one processor each, a bounded number of them at a time."""

    name = "ray"

    def __init__(self, workers: int, address: str | None) -> None:
        """Describe the backend.

        Args:
            workers: Most tasks that run at once; an instance of our own has as many processors.
            address: Where a cluster is that exists already; None to start an instance for this run.
        """
        self.workers = workers
        self._address = address
        self._directory: str | None = None
        self._scan: Any = None

    def __enter__(self) -> Self:
        """Connect to the cluster, or start one.

        Raises:
            CommandError: There is no way to reach it.
        """
        try:
            self._connect()
        except (ConnectionError, RuntimeError, ValueError, TimeoutError) as error:
            self._remove_directory()
            raise CommandError(_unreachable(self._address, error)) from error
        # Losses are this project's to handle: Ray would retry a file that kills its worker, and know no halves.
        self._scan = ray.remote(num_cpus=1, max_retries=0)(scan_visible_shard)
        return self

    def _connect(self) -> None:
        if self._address is not None:
            ray.init(address=self._address, logging_level=logging.ERROR, log_to_driver=False)
            return
        self._directory = tempfile.mkdtemp(prefix=_TEMPORARY_PREFIX)
        ray.init(
            num_cpus=self.workers,
            include_dashboard=False,
            logging_level=logging.ERROR,
            log_to_driver=False,
            _temp_dir=self._directory,
        )

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        ray.shutdown()
        self._remove_directory()

    def _remove_directory(self) -> None:
        if self._directory is not None:
            shutil.rmtree(self._directory, ignore_errors=True)
            self._directory = None

    def scan(self, tasks: Iterable[ShardTask]) -> Iterator[ShardOutcome]:
        """Keep a bounded number of tasks in flight and yield what comes back.

        Raises:
            CommandError: A worker does not see the directory to scan.
        """
        waiting = iter(tasks)
        running: dict[Any, tuple[ShardTask, float]] = {}
        while True:
            while len(running) < self.workers * _IN_FLIGHT_PER_WORKER:
                task = next(waiting, None)
                if task is None:
                    break
                running[self._scan.remote(task)] = (task, time.monotonic())
            if not running:
                return
            done, _ = ray.wait(list(running), num_returns=1)
            for reference in done:
                task, begin = running.pop(reference)
                yield _outcome(reference, task, begin)


def scan_visible_shard(task: ShardTask) -> ShardResult:
    """Scan a shard on a worker that may be on a machine without the tree.

    Raises:
        RootNotVisibleError: It is, and the task does not bring the files along.
    """
    if task.contents is None and not Path(task.root).is_dir():
        raise RootNotVisibleError(task.root)
    return scan_shard(task)


def _outcome(reference: Any, task: ShardTask, begin: float) -> ShardOutcome:
    try:
        result: ShardResult = ray.get(reference)
    except _LOSSES as error:
        first_line = str(error).partition("\n")[0]
        return LostShard(task, time.monotonic() - begin, f"its Ray worker died ({first_line})")
    except RootNotVisibleError as error:
        raise CommandError(
            f"A Ray worker does not see {task.root}. Give its machine the same path, or send the files along with"
            " --ship-sources."
        ) from error
    return result


def _unreachable(address: str | None, error: Exception) -> str:
    if address is None:
        return f"Ray does not start: {error}"
    return (
        f"There is no way to reach the Ray cluster at {address}: {error}. If it asks for a token, as Ray does by"
        " default, put the token into ~/.ray/auth_token and set RAY_AUTH_MODE=token."
    )
