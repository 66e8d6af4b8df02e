"""The process that talks to Ray on behalf of a scan.

Ray makes the process that starts it the leader of a group, sets environment variables and signal handlers in it,
prints on its standard output, and adds its current directory to the import path of workers. All that happens here, in
a process that starts while the scan still looks for files, has a session of its own, and ends with everything in that
session when the scan closes the connection or dies.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import queue
import secrets
import shutil
import signal
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final, NoReturn

from workers.backends.interface import ShardOutcome
from workers.errors import CommandError
from workers.shards import ShardTask

_KNOCK_SECONDS: Final = 5.0
_TOKEN_BYTES: Final = 32


class Word(Enum):
    """Messages without content between a scan and its host."""

    SCAN = auto()
    """To the host: scan the tasks that I give when asked."""
    STOP = auto()
    """To the host: leave the cluster and end."""
    WANT_TASK = auto()
    """To the scan: give me the next task, or None if there is no more."""
    DONE = auto()
    """To the scan: all tasks given have come back."""


@dataclass(frozen=True, slots=True)
class Ready:
    """To the scan: Ray is there, with this many workers."""

    workers: int


@dataclass(frozen=True, slots=True)
class Failed:
    """To the scan: it cannot go on, for this reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class Assignment:
    """What a host is to do.

    Attributes:
        address: Host and port of a cluster that exists already; None to start an instance.
        workers: Most tasks at once; None for the processors of the cluster.
        directory: An empty directory for all files of an instance.
    """

    address: tuple[str, int] | None
    workers: int | None
    directory: str


def serve(connection: Connection, assignment: Assignment) -> None:
    """Do what a scan asks for until it is over; the target of the host's process."""
    os.setsid()  # what is in this session is ours to end, and the terminal's Ctrl-C is not for us
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _silence()
    os.chdir(assignment.directory)  # Ray lets workers import from here, so it must not be the tree
    messages: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(connection, messages, assignment), daemon=True).start()
    try:
        _work(connection, messages, assignment)
    except CommandError as error:
        reason = str(error)
    except Exception as error:  # noqa: BLE001 -- whatever it is, the scan has to hear of it
        reason = f"Scanning on Ray failed: {_first_line(error)}."
    with contextlib.suppress(OSError):
        connection.send(Failed(reason))
    threading.Event().wait()  # the scan closes the connection when it has read this, and the listener ends us


def _silence() -> None:
    """Keep Ray's remarks about dead workers, and whatever else it prints, out of the command's output."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (1, 2):
        os.dup2(nowhere, stream)


def _listen(connection: Connection, messages: queue.SimpleQueue[Any], assignment: Assignment) -> None:
    """Pass messages on; at the end of the connection end everything, whatever the main thread is at."""
    with contextlib.suppress(EOFError, OSError):
        while True:
            messages.put(connection.recv())
    _end(assignment)


def _work(connection: Connection, messages: queue.SimpleQueue[Any], assignment: Assignment) -> NoReturn:
    cluster, crew = _entered(assignment)
    connection.send(Ready(crew.workers))
    while messages.get() is Word.SCAN:
        outcomes: Iterator[ShardOutcome] = cluster.scan_on_cluster(
            _tasks(connection, messages), crew.in_flight
        )
        for outcome in outcomes:
            connection.send(outcome)
        connection.send(Word.DONE)
    if assignment.address is not None:
        cluster.leave()
    _end(assignment)


def _tasks(connection: Connection, messages: queue.SimpleQueue[Any]) -> Iterator[ShardTask]:
    while True:
        connection.send(Word.WANT_TASK)
        task: ShardTask | None = messages.get()
        if task is None:
            return
        yield task


def _entered(assignment: Assignment) -> tuple[Any, Any]:
    """Start or join Ray; return the module that scans on it, and who scans.

    Raises:
        CommandError: That does not succeed.
    """
    if assignment.address is None:
        _take_a_token()
    else:
        _knock(assignment.address)
    # Not before the environment is right, of which Ray takes notes when it is imported.
    cluster: Any = importlib.import_module("workers.backends.ray_cluster")
    try:
        if assignment.address is None:
            return cluster, cluster.start_instance(assignment.workers, assignment.directory)
        return cluster, cluster.join_cluster(address_text(assignment.address), assignment.workers)
    except CommandError:
        raise
    except (Exception, SystemExit) as error:  # Ray gives up by many kinds
        raise CommandError(_explained(assignment, error)) from error


def address_text(address: tuple[str, int]) -> str:
    """Return an address as HOST:PORT."""
    host, port = address
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _take_a_token() -> None:
    """Let an instance of our own ask for a token that nobody else knows.

    Left alone, Ray writes one into the user's home, and clusters started later would ask for it. Other settings are
    meant for other clusters.
    """
    for name in [name for name in os.environ if name.startswith("RAY_")]:
        del os.environ[name]
    os.environ["RAY_AUTH_MODE"] = "token"
    os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(_TOKEN_BYTES)
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"


def _knock(address: tuple[str, int]) -> None:
    """Find out at once what would take Ray two minutes: that nobody listens at an address.

    Raises:
        CommandError: Nobody does.
    """
    try:
        socket.create_connection(address, _KNOCK_SECONDS).close()
    except OSError as error:
        raise CommandError(
            f"Nothing answers at {address_text(address)} ({error.strerror or error}). Give --address the HOST:PORT"
            " that 'ray start --head' printed."
        ) from error


def _explained(assignment: Assignment, error: BaseException) -> str:
    reason = _first_line(error)
    if assignment.address is None:
        return f"Ray does not start: {reason}."
    return (
        f"The Ray cluster at {address_text(assignment.address)} does not let this process in: {reason}. Run the scan on"
        " a machine of the cluster. If the cluster asks for a token, put the token into ~/.ray/auth_token and set"
        " RAY_AUTH_MODE=token."
    )


def _first_line(error: BaseException) -> str:
    return (str(error).strip().partition("\n")[0] or type(error).__name__).removesuffix(".")


def _end(assignment: Assignment) -> NoReturn:
    """End this process and what it started. An instance of our own holds nothing that a kill could harm."""
    for _ in range(2):  # one may have started another meanwhile
        for pid in _session():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
    shutil.rmtree(assignment.directory, ignore_errors=True)
    os._exit(0)


def _session() -> Iterator[int]:
    """Yield the other processes of the session that this process leads."""
    own = os.getpid()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != own:
            with contextlib.suppress(ProcessLookupError):
                if os.getsid(int(entry.name)) == own:
                    yield int(entry.name)
