"""Showing how far a run is, without the run knowing how."""

from __future__ import annotations

import importlib
import time
from dataclasses import dataclass
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Final, Protocol, Self

from workers.reporting.wording import counted

if TYPE_CHECKING:
    from tqdm import tqdm

LINE_SECONDS: Final = 30.0
"""How often a run that writes to no terminal says how far it is."""

_BAR: Final = "{l_bar}{bar}| {n_fmt}/{total_fmt} files [{elapsed}<{remaining}{postfix}]"


@dataclass(frozen=True, slots=True)
class Step:
    """What came in since the last step.

    Attributes:
        files: Files that are done.
        size: Their bytes together.
        findings: What is to be said about them, as far as single files show it.
    """

    files: int
    size: int
    findings: int


class Progress(Protocol):
    """What a run tells about its progress; a context manager, so that a terminal is left clean."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def start(self, total_files: int) -> None:
        """Say how many files there are."""

    def employ(self, workers: int) -> None:
        """Say how many workers scan."""

    def advance(self, step: Step) -> None:
        """Say what more is done."""


class SilentProgress:
    """Shows nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def start(self, total_files: int) -> None:
        """Take note of nothing."""

    def employ(self, workers: int) -> None:
        """Take note of nothing."""

    def advance(self, step: Step) -> None:
        """Take note of nothing."""


class _Count:
    """Adds steps up and says what they come to."""

    def __init__(self) -> None:
        self.files = self._bytes = self._findings = 0
        self._workers = 1
        self._begin = time.monotonic()

    def employ(self, workers: int) -> None:
        self._workers = workers

    def add(self, step: Step) -> None:
        self.files += step.files
        self._bytes += step.size
        self._findings += step.findings

    def __str__(self) -> str:
        speed = self._bytes / 1e6 / max(time.monotonic() - self._begin, 1e-9)
        return f"{speed:.1f} MB/s, {counted(self._findings, 'finding')}, {counted(self._workers, 'worker')}"


class LineProgress(SilentProgress):
    """Writes a line every half minute: for pipes and the logs of build services."""

    def __init__(self, stream: IO[str], seconds: float = LINE_SECONDS) -> None:
        self._stream = stream
        self._seconds = seconds
        self._count = _Count()
        self._told = time.monotonic()
        self._total = 0

    def start(self, total_files: int) -> None:
        """Begin to count."""
        self._count = _Count()
        self._told = time.monotonic()
        self._total = total_files

    def employ(self, workers: int) -> None:
        """Note the workers."""
        self._count.employ(workers)

    def advance(self, step: Step) -> None:
        """Count, and write a line when it is time."""
        self._count.add(step)
        now = time.monotonic()
        if now - self._told >= self._seconds:
            self._told = now
            self._stream.write(f"{self._count.files} of {self._total} files, {self._count}\n")
            self._stream.flush()


class BarProgress:
    """A bar on a terminal: files done, time left, speed, findings, workers."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._bar: tqdm[Any] | None = None
        self._count = _Count()

    def start(self, total_files: int) -> None:
        """Draw the bar."""
        self._count = _Count()
        # Loaded here, since it takes as long as a good part of a run that has nothing to scan.
        self._bar = importlib.import_module("tqdm").tqdm(
            total=total_files,
            file=self._stream,
            unit="file",
            leave=False,
            bar_format=_BAR,
            dynamic_ncols=True,
        )

    def employ(self, workers: int) -> None:
        """Note the workers."""
        self._count.employ(workers)

    def advance(self, step: Step) -> None:
        """Move the bar."""
        if self._bar is None:
            return
        self._count.add(step)
        self._bar.set_postfix_str(str(self._count), refresh=False)
        self._bar.update(step.files)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()
