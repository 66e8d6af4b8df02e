"""Where and how a scan's work is done: choices that must not show in any result."""

from __future__ import annotations

import importlib
import os
from dataclasses import dataclass
from typing import Final

from scanner.sources import SourceFile
from workers.backends.inline import InlineBackend
from workers.backends.interface import Backend
from workers.backends.processes import ProcessBackend
from workers.errors import UsageError

BACKENDS: Final = ("auto", "inline", "processes", "ray")
DEFAULT_FILE_SECONDS: Final = 30.0

# Starting two workers takes about a tenth of a second, in which one process scans about a megabyte.
_INLINE_BYTES: Final = 1_500_000
_INLINE_FILES: Final = 800


@dataclass(frozen=True, slots=True)
class Execution:
    """How the work is done.

    Attributes:
        backend: One of :data:`BACKENDS`.
        workers: How many workers; None for one a processor.
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
        UsageError: An address is given for another backend than Ray.
    """
    if execution.address is not None and execution.backend not in {"auto", "ray"}:
        raise UsageError(f"--address names a Ray cluster, but the backend is {execution.backend}.")
    if execution.backend != "auto":
        return execution.backend
    if execution.address is not None:
        return "ray"
    is_little = sum(file.size for file in files) < _INLINE_BYTES and len(files) < _INLINE_FILES
    workers = execution.workers or available_processors()
    return "inline" if is_little or workers == 1 else "processes"


def make_backend(execution: Execution, files: tuple[SourceFile, ...]) -> Backend:
    """Return the backend for a scan, not yet entered.

    Raises:
        UsageError: The choices make no sense together, or Ray is asked for and not installed.
    """
    workers = execution.workers or available_processors()
    match chosen_backend(execution, files):
        case "inline":
            return InlineBackend()
        case "processes":
            return ProcessBackend(workers)
        case _:
            return _ray_backend(workers, execution.address)


def _ray_backend(workers: int, address: str | None) -> Backend:
    module = importlib.import_module("workers.backends.ray_cluster")
    backend: Backend = module.RayBackend(workers, address)
    return backend
