"""What a user sees of a run while it goes on."""

from __future__ import annotations

import io

import pytest

from workers.progress import BarProgress, LineProgress, Progress, SilentProgress, Step


def shown(progress: Progress) -> None:
    with progress:
        progress.start(10)
        progress.employ(3)
        progress.advance(Step(4, 4_000_000, 1))
        progress.advance(Step(6, 2_000_000, 1))


def test_a_line_tells_files_speed_findings_and_workers() -> None:
    stream = io.StringIO()
    shown(LineProgress(stream, seconds=0))
    first, second = stream.getvalue().splitlines()

    assert first.startswith("4 of 10 files, ")
    assert first.endswith(" MB/s, 1 finding, 3 workers")
    assert second.startswith("10 of 10 files, ")
    assert second.endswith(" MB/s, 2 findings, 3 workers")


def test_lines_come_every_half_minute_and_not_sooner() -> None:
    stream = io.StringIO()
    shown(LineProgress(stream))

    assert stream.getvalue() == ""


def test_a_bar_tells_the_same_and_is_gone_at_the_end() -> None:
    stream = io.StringIO()
    progress = BarProgress(stream)
    with progress:
        progress.start(10)
        progress.employ(1)
        for _ in range(10):
            progress.advance(Step(1, 1_000_000, 2))
            progress._bar.refresh()  # type: ignore[union-attr] # drawing is bounded in time otherwise

    assert "10/10 files" in stream.getvalue()
    assert "MB/s, 20 findings, 1 worker" in stream.getvalue()
    assert stream.getvalue().rpartition("\r")[0].rpartition("\r")[2].strip() == ""


@pytest.mark.parametrize(
    "progress", [SilentProgress(), BarProgress(io.StringIO())], ids=lambda it: type(it).__name__
)
def test_progress_that_was_never_started_ends_quietly(progress: Progress) -> None:
    with progress:
        progress.advance(Step(1, 1, 0))
