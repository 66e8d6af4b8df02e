"""Scanning on Ray: on an instance started for the run, or on a cluster that exists already.

Ray itself is used in a process of its own, see :mod:`workers.backends.ray_host`. It starts when the backend is entered,
and nothing waits for it until the first shard is to be scanned, so it starts while the driver looks for files. An
instance of our own lives in a temporary directory and ends with the run; a cluster is joined and left, and its other
work is not touched.
"""

from __future__ import annotations

import contextlib
import importlib.util
import multiprocessing
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from types import TracebackType
from typing import Any, Final, Self

from workers.backends.child_processes import starting_safely
from workers.backends.interface import Backend, ShardOutcome
from workers.backends.ray_host import Assignment, Failed, Ready, Word, address_text, serve
from workers.errors import CommandError, UsageError
from workers.shards import ShardTask

_START_SECONDS: Final = 90.0  # a start takes some 4 s, and a token is refused after 20 s
_LEAVE_SECONDS: Final = 10.0
_ABANDON_SECONDS: Final = 1.0
_DIRECTORY_PREFIX: Final = "sc-"
_LONGEST_PARENT: Final = 30  # Ray's sockets lie some 75 characters deeper, and their paths may have 107
_SHORT_PARENT: Final = "/tmp"  # noqa: S108 -- mkdtemp makes a name of its own in it
_ADDRESS: Final = re.compile(r"(?:\[(?P<v6>[0-9A-Fa-f:.]+)\]|(?P<name>[^\s:/\[\]]+)):(?P<port>[0-9]{1,5})")


def parse_address(text: str) -> tuple[str, int]:
    """Return host and port of an address.

    Raises:
        UsageError: It is not HOST:PORT.
    """
    match = _ADDRESS.fullmatch(text)
    if match is None or not 0 < int(match["port"]) < 1 << 16:
        raise UsageError(
            f"--address takes the HOST:PORT of a Ray cluster's head, as 'ray start --head' printed it, not {text!r}."
        )
    return match["v6"] or match["name"], int(match["port"])


class RayBackend(Backend):
    """Scans with tasks of one processor each, a bounded number of them at a time."""

    name = "ray"

    def __init__(
        self, workers: int | None, address: str | None = None, start_seconds: float = _START_SECONDS
    ) -> None:
        """Describe the backend.

        Args:
            workers: Most tasks that run at once; None for all processors of a cluster. An instance of our own has as
                many processors, and needs the number.
            address: Where a cluster is that exists already, as HOST:PORT; None to start an instance for this run.
            start_seconds: Time after which a start is given up.

        Raises:
            UsageError: The address is none, or Ray is not installed.
        """
        if importlib.util.find_spec("ray") is None:
            raise UsageError("Ray is not installed; install it with: pip install 'scan-cluster[ray]'")
        self._address = None if address is None else parse_address(address)
        self._asked_workers = workers
        self._start_seconds = start_seconds
        self._workers: int | None = None
        self._directory: str | None = None
        self._connection: Connection | None = None
        self._host: SpawnProcess | None = None

    def __enter__(self) -> Self:
        """Begin to start Ray or to join the cluster, without waiting for it."""
        try:
            self._start_host()
        except BaseException:
            self._close(_ABANDON_SECONDS)
            raise
        return self

    def _start_host(self) -> None:
        parent = tempfile.gettempdir()
        parent = parent if len(parent) <= _LONGEST_PARENT else _SHORT_PARENT
        self._directory = tempfile.mkdtemp(prefix=_DIRECTORY_PREFIX, dir=parent)
        context = multiprocessing.get_context("spawn")
        self._connection, far_end = context.Pipe()
        assignment = Assignment(self._address, self._asked_workers, self._directory)
        self._host = context.Process(target=serve, args=(far_end, assignment))
        try:
            with starting_safely():
                self._host.start()
        finally:
            far_end.close()

    @property
    def workers(self) -> int:
        """How many workers there are; waits until Ray is there.

        Raises:
            CommandError: There is no way to start or reach it.
        """
        if self._workers is None:
            ready: Ready = self._receive(self._start_seconds)
            self._workers = ready.workers
        return self._workers

    def scan(self, tasks: Iterable[ShardTask]) -> Iterator[ShardOutcome]:
        """Have the tasks scanned and yield what comes back.

        Raises:
            CommandError: There is no way to start or reach Ray, or one of its workers is unfit.
        """
        _ = self.workers  # they are there, or this raises
        waiting = iter(tasks)
        self._send(Word.SCAN)
        while (message := self._receive()) is not Word.DONE:
            if message is Word.WANT_TASK:
                self._send(next(waiting, None))
            else:
                yield message

    def _send(self, message: Any) -> None:
        if self._connection is None:
            raise RuntimeError("the backend is not entered")
        # If the host is gone, what it said last tells more than the broken connection.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self._connection.send(message)

    def _receive(self, seconds: float | None = None) -> Any:
        if self._connection is None:
            raise RuntimeError("the backend is not entered")
        try:
            if not self._connection.poll(seconds):
                raise CommandError(f"{self._place()} is not ready after {seconds:g} s.")
            message = self._connection.recv()
        except (EOFError, ConnectionResetError) as error:
            raise CommandError(
                f"The process that talks to {self._place()} ended unexpectedly. Is there enough memory, and does Ray"
                " still run on this machine?"
            ) from error
        if isinstance(message, Failed):
            raise CommandError(message.reason)
        return message

    def _place(self) -> str:
        return "Ray" if self._address is None else f"the Ray cluster at {address_text(self._address)}"

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        is_at_ease = kind is None and self._workers is not None
        if is_at_ease:
            self._send(Word.STOP)
            if self._host is not None:
                self._host.join(_LEAVE_SECONDS)
        self._close(_ABANDON_SECONDS)

    def _close(self, seconds: float) -> None:
        """Close the connection, which is the host's sign to end all that it started, and clean up after it."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._host is not None and self._host.pid is not None:
            self._host.join(seconds)
            if self._host.is_alive():
                self._host.kill()
                self._host.join()
        self._host = self._workers = None
        if self._directory is not None:
            shutil.rmtree(self._directory, ignore_errors=True)
            self._directory = None
