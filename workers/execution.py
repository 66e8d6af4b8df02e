"""Where and how a scan's work is done: choices that must not show in any result."""

from __future__ import annotations

import os
import threading
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self

from scanner.sources import SourceFile
from workers.backends.inline import InlineBackend
from workers.backends.interface import Backend
from workers.backends.processes import ProcessBackend, start_fork_server
from workers.backends.ray_backend import RayBackend, parse_address
from workers.errors import UsageError

BACKENDS: Final = ("auto", "inline", "processes", "ray")
DEFAULT_FILE_SECONDS: Final = 30.0

# Starting two workers takes about a tenth of a second, in which one process scans about a megabyte.
_INLINE_BYTES: Final = 1_500_000
_INLINE_FILES: Final = 800

_LONG_SEARCH_SECONDS: Final = 0.03


@dataclass(frozen=True, slots=True)
class Execution:
    """How the work is done.

    Attributes:
        backend: One of :data:`BACKENDS`.
        workers: How many workers; None for one a processor, of this machine or of the cluster.
        address: Address of an existing Ray cluster.
        ship_sources: Whether files' bytes travel with the tasks, for workers that do not see the tree.
        file_seconds: Time after which a file is given up.
    """

    backend: str = "auto"
    workers: int | None = None
    address: str | None = None
    ship_sources: bool = False
    file_seconds: float = DEFAULT_FILE_SECONDS


def available_processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0))


def chosen_backend(execution: Execution, files: tuple[SourceFile, ...]) -> str:
    """Return the backend that ``auto`` means for a set of files; any other choice stands.

    Little work is done in this process, more in processes of this machine, and Ray is for more than one machine.

    Raises:
        UsageError: An address is given for another backend than Ray, or is none.
    """
    if _is_ray_certain(execution):
        return "ray"
    if execution.backend != "auto":
        return execution.backend
    is_little = sum(file.size for file in files) < _INLINE_BYTES and len(files) < _INLINE_FILES
    return "inline" if is_little or _workers_here(execution) == 1 else "processes"


def _workers_here(execution: Execution) -> int:
    """Return how many workers this machine is to have."""
    return execution.workers or available_processors()


def _is_ray_certain(execution: Execution) -> bool:
    if execution.address is not None and execution.backend not in {"auto", "ray"}:
        raise UsageError(f"--address names a Ray cluster, but the backend is {execution.backend}.")
    if execution.address is not None:
        parse_address(execution.address)
    return execution.backend == "ray" or execution.address is not None


def planned_workers(execution: Execution, files: tuple[SourceFile, ...]) -> int:
    """Return how many workers a scan would have, without starting anything.

    Raises:
        UsageError: The choices make no sense together, or only a cluster knows the number.
    """
    if chosen_backend(execution, files) == "inline":
        return 1
    if execution.address is not None and execution.workers is None:
        raise UsageError(
            f"How many workers there are is known only to the Ray cluster at {execution.address}; state --workers to"
            " see a plan."
        )
    return _workers_here(execution)


class BackendSupply(AbstractContextManager["BackendSupply"]):
    """Gives the backend that suits the files to scan, and ends what it gave when it is left.

    What takes long to start begins to start while the files are still looked for: Ray at once where it is certain, the
    process that workers come from when the search takes so long that there must be many files.
    """

    def __init__(self, execution: Execution) -> None:
        self._execution = execution
        self._held = ExitStack()
        self._open: Backend | None = None
        self._early = threading.Timer(_LONG_SEARCH_SECONDS, start_fork_server)

    def __enter__(self) -> Self:
        """Start the backend if it is certain and slow to start.

        Raises:
            UsageError: The choices make no sense together, or Ray is asked for and not installed.
        """
        if _is_ray_certain(self._execution):
            self._open = self._held.enter_context(_ray_backend(self._execution))
        elif self._execution.backend in {"auto", "processes"} and _workers_here(self._execution) > 1:
            self._early.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._early.cancel()
        self._held.__exit__(kind, error, trace)

    def backend_for(self, files: tuple[SourceFile, ...]) -> Backend:
        """Return the backend that is open, or the one that suits the files; more files may call for a larger one."""
        self._early.cancel()
        if self._open is None or self._open.name == "inline":
            name = chosen_backend(self._execution, files)
            if self._open is None or self._open.name != name:
                backend = (
                    InlineBackend() if name == "inline" else ProcessBackend(_workers_here(self._execution))
                )
                self._open = self._held.enter_context(backend)
        return self._open


def _ray_backend(execution: Execution) -> RayBackend:
    if execution.address is not None:
        return RayBackend(execution.workers, execution.address)
    return RayBackend(_workers_here(execution))
