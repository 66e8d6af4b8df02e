"""Showing how far a run is, without the run knowing how."""

from __future__ import annotations

from types import TracebackType
from typing import IO, Any, Final, Protocol, Self

from tqdm import tqdm

_BAR: Final = "{l_bar}{bar}| {n_fmt}/{total_fmt} files [{elapsed}<{remaining}, {rate_fmt}{postfix}]"


class Progress(Protocol):
    """What a run tells about its progress."""

    def start(self, total_files: int) -> None:
        """Say how many files there are."""

    def advance(self, size: int) -> None:
        """Say that one file of *size* bytes is done."""


class SilentProgress:
    """Shows nothing."""

    def start(self, total_files: int) -> None:
        """Take note of nothing."""

    def advance(self, size: int) -> None:
        """Take note of nothing."""


class BarProgress:
    """A bar on a terminal: files done, speed in MB/s, time left. A context manager, so that the line is cleared."""

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

    def advance(self, size: int) -> None:
        """Move the bar by one file."""
        if self._bar is None:
            return
        self._bytes += size
        self._bar.update()
        elapsed = self._bar.format_dict["elapsed"]
        if elapsed:
            self._bar.set_postfix_str(f"{self._bytes / 1e6 / elapsed:.1f} MB/s", refresh=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()
