"""Showing how far a run is, without the run knowing how."""

from __future__ import annotations

import time
from types import TracebackType
from typing import IO, Any, Final, Protocol, Self

from tqdm import tqdm

LINE_SECONDS: Final = 30.0
"""How often a run that writes to no terminal says how far it is."""

_BAR: Final = "{l_bar}{bar}| {n_fmt}/{total_fmt} files [{elapsed}<{remaining}{postfix}]"


class Progress(Protocol):
    """What a run tells about its progress; a context manager, so that a terminal is left clean."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def start(self, total_files: int) -> None:
        """Say how many files there are."""

    def advance(self, files: int, size: int) -> None:
        """Say that *files* more files of together *size* bytes are done."""


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

    def advance(self, files: int, size: int) -> None:
        """Take note of nothing."""


class LineProgress(SilentProgress):
    """Writes a line every half minute: for pipes and the logs of build services."""

    def __init__(self, stream: IO[str], seconds: float = LINE_SECONDS) -> None:
        self._stream = stream
        self._seconds = seconds
        self._begin = self._told = time.monotonic()
        self._total = self._files = self._bytes = 0

    def start(self, total_files: int) -> None:
        """Begin to count."""
        self._begin = self._told = time.monotonic()
        self._total = total_files

    def advance(self, files: int, size: int) -> None:
        """Count, and write a line when it is time."""
        self._files += files
        self._bytes += size
        now = time.monotonic()
        if now - self._told >= self._seconds:
            self._told = now
            speed = self._bytes / 1e6 / max(now - self._begin, 1e-9)
            self._stream.write(f"{self._files} of {self._total} files, {speed:.1f} MB/s\n")
            self._stream.flush()


class BarProgress:
    """A bar on a terminal: files done, speed in MB/s, time left."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._bar: tqdm[Any] | None = None
        self._bytes = 0

    def start(self, total_files: int) -> None:
        """Draw the bar."""
        self._bar = tqdm(
            total=total_files,
            file=self._stream,
            unit="file",
            leave=False,
            bar_format=_BAR,
            dynamic_ncols=True,
        )

    def advance(self, files: int, size: int) -> None:
        """Move the bar."""
        if self._bar is None:
            return
        self._bytes += size
        elapsed = self._bar.format_dict["elapsed"]
        if elapsed:
            self._bar.set_postfix_str(f"{self._bytes / 1e6 / elapsed:.1f} MB/s", refresh=False)
        self._bar.update(files)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()
