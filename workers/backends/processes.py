"""Scanning in worker processes of this machine.

Every worker is an executor of its own with one process, so that a death is known to belong to one task and leaves the
other workers alone.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import forkserver
from multiprocessing.context import ForkServerContext
from types import TracebackType
from typing import Final, Self

from workers.backends.child_processes import starting_safely
from workers.backends.interface import Backend, LostShard, ShardOutcome
from workers.shards import ShardResult, ShardTask, scan_shard

_CONTEXT: Final = "forkserver"


@dataclass(slots=True)
class _Job:
    slot: int
    task: ShardTask
    begin: float


class ProcessBackend(Backend):
    """Scans with *workers* processes, one task in each at a time."""

    name = "processes"

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._context = _context()
        self._executors: list[ProcessPoolExecutor] = []

    @property
    def workers(self) -> int:
        """As many as asked for."""
        return self._workers

    def __enter__(self) -> Self:
        self._executors = [self._executor() for _ in range(self.workers)]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            # What still runs is of no use any more, and nothing else may outlive this process's work.
            for child in multiprocessing.active_children():
                child.kill()
        for executor in self._executors:
            executor.shutdown(wait=kind is None, cancel_futures=True)
        self._executors = []

    def _executor(self) -> ProcessPoolExecutor:
        start_fork_server()  # the executor would do so by itself, but not safely
        return ProcessPoolExecutor(1, mp_context=self._context, initializer=prepare_worker)

    def scan(self, tasks: Iterable[ShardTask]) -> Iterator[ShardOutcome]:
        """Hand out tasks, one to each worker, and yield what comes back."""
        waiting = iter(tasks)
        running: dict[Future[ShardResult], _Job] = {}
        free = list(range(self.workers))
        while True:
            while free and (task := next(waiting, None)) is not None:
                slot = free.pop()
                future = self._executors[slot].submit(scan_shard, task)
                running[future] = _Job(slot, task, time.monotonic())
            if not running:
                return
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                job = running.pop(future)
                outcome = self._outcome(future, job)
                free.append(job.slot)
                yield outcome

    def _outcome(self, future: Future[ShardResult], job: _Job) -> ShardOutcome:
        try:
            return future.result()
        except (BrokenProcessPool, MemoryError) as error:
            self._executors[job.slot].shutdown(wait=False, cancel_futures=True)
            self._executors[job.slot] = self._executor()
            return LostShard(job.task, time.monotonic() - job.begin, f"its worker process died ({error})")


def _context() -> ForkServerContext:
    context = multiprocessing.get_context(_CONTEXT)
    context.set_forkserver_preload(["workers.shards"])
    return context


def start_fork_server() -> None:
    """Start the process that all workers come from, unless it runs; it is ready a few tenths of a second later."""
    _context()
    with starting_safely():
        forkserver.ensure_running()


def prepare_worker() -> None:
    """Make a worker end when it should: at a file's time limit, at Ctrl-C, and with the process that it works for."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with_driver, daemon=True).start()


def _end_with_driver() -> None:
    driver = multiprocessing.parent_process()
    if driver is not None:
        driver.join()
        os._exit(1)
