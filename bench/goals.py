"""What the scanner is to reach, and how far a record shows that it does."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from bench_record import BenchRecord

SIZE_CONTEST: Final = "size-"
"""Contests over generated trees of growing size begin with this; the number of files follows."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a record says of a goal.

    Attributes:
        what: What is measured.
        goal: What is to be reached, in words.
        figure: What was measured, in words.
        verdict: ``met``, ``missed``, ``reported`` where there is nothing to reach, or ``not measured``.
    """

    what: str
    goal: str
    figure: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Goal:
    """One row of the table.

    Attributes:
        what: What is measured.
        goal: What is to be reached, in words.
        judge: Reads figure and verdict from a record; the verdict is None where there is nothing to reach. None as a
            whole when the record does not hold the measurement.
    """

    what: str
    goal: str
    judge: Callable[[BenchRecord], tuple[str, bool | None] | None]


def outcomes(record: BenchRecord) -> list[Outcome]:
    """Hold all goals against a record."""
    return [_outcome(goal, goal.judge(record)) for goal in GOALS]


def _outcome(goal: Goal, judged: tuple[str, bool | None] | None) -> Outcome:
    if judged is None:
        return Outcome(goal.what, goal.goal, "-", "not measured")
    figure, is_met = judged
    verdict = "reported" if is_met is None else "met" if is_met else "missed"
    return Outcome(goal.what, goal.goal, figure, verdict)


def _is_faster(
    contest: str, own: str, peer: str, bound: float | None, record: BenchRecord
) -> tuple[str, bool | None] | None:
    """Judge how many times faster the scanner is than a peer."""
    seconds, ratio = _medians(record, contest, own, peer), record.ratio(contest, peer, own)
    if seconds is None or ratio is None:
        return None
    figure = f"{seconds}: {ratio.median:.2f} times as fast ({ratio.low:.2f} to {ratio.high:.2f})"
    return figure, None if bound is None else ratio.median >= bound


def _is_at_most_slower(
    contest: str, own: str, peer: str, bound: float, record: BenchRecord
) -> tuple[str, bool | None] | None:
    """Judge how many times slower the scanner is than a peer."""
    seconds, ratio = _medians(record, contest, own, peer), record.ratio(contest, own, peer)
    if seconds is None or ratio is None:
        return None
    figure = f"{seconds}: {ratio.median:.2f} times as long ({ratio.low:.2f} to {ratio.high:.2f})"
    return figure, ratio.median <= bound


def _medians(record: BenchRecord, contest: str, own: str, peer: str) -> str | None:
    found = record.contest(contest)
    entries = () if found is None else (found.entry(own), found.entry(peer))
    return " against ".join(f"{entry.median:.2f} s" for entry in entries if entry is not None) or None


def _is_efficient(bound: float, record: BenchRecord) -> tuple[str, bool | None] | None:
    """Judge how much of twice one process two workers reach."""
    ratio = record.ratio("workers", "inline", "processes-2")
    if ratio is None:
        return None
    figure = f"{ratio.median / 2:.0%} ({ratio.low / 2:.0%} to {ratio.high / 2:.0%})"
    return figure, ratio.median / 2 >= bound


def _is_linear(name: str, bound: float, record: BenchRecord) -> tuple[str, bool | None] | None:
    """Judge how far the median of any size is from one line through all."""
    points = size_points(record, name)
    if len(points) < 3:  # noqa: PLR2004 -- two points always lie on a line
        return None
    start, per_file = relative_line(points)
    worst = max(points, key=lambda point: abs(point[1] / (start + per_file * point[0]) - 1))
    distance = worst[1] / (start + per_file * worst[0]) - 1
    figure = f"{start:.2f} s and {per_file * 1e6:.0f} µs a file; farthest off: {distance:+.1%} at {worst[0]:,} files"
    return figure, abs(distance) <= bound


def size_points(record: BenchRecord, name: str) -> list[tuple[int, float]]:
    """Return (files, median seconds) of a contestant over generated trees, ascending."""
    contests = [contest for contest in record.contests if contest.name.startswith(SIZE_CONTEST)]
    entries = [(contest.files, contest.entry(name)) for contest in contests]
    return sorted((files, entry.median) for files, entry in entries if entry is not None)


def relative_line(points: Sequence[tuple[int, float]]) -> tuple[float, float]:
    """Return intercept and slope of the line whose relative distances from the points are least, by least squares.

    The intercept is never below zero: nothing ends before it starts.
    """
    weights = [1 / seconds**2 for _, seconds in points]
    total = sum(weights)
    mean_x = sum(weight * x for weight, (x, _) in zip(weights, points, strict=True)) / total
    mean_y = sum(weight * y for weight, (_, y) in zip(weights, points, strict=True)) / total
    above = sum(weight * (x - mean_x) * (y - mean_y) for weight, (x, y) in zip(weights, points, strict=True))
    below = sum(weight * (x - mean_x) ** 2 for weight, (x, _) in zip(weights, points, strict=True))
    slope = above / below
    start = mean_y - slope * mean_x
    if start >= 0:
        return start, slope
    return 0.0, statistics.harmonic_mean([y / x for x, y in points])


def _has_no_false_errors(record: BenchRecord) -> tuple[str, bool | None] | None:
    if record.oracle is None:
        return None
    count = record.oracle["falseErrors"]
    return f"{count} of {record.oracle['files']:,} files", count == 0


GOALS: Final = (
    Goal(
        "`run --depth manifest`, cold, few models, against oxc-parser materialising every file",
        "at least 20 times faster",
        partial(_is_faster, "npm", "manifest", "oxc", 20),
    ),
    Goal(
        "the same against oxc-parser on 2 threads",
        "reported",
        partial(_is_faster, "npm", "manifest", "oxc-2-threads", None),
    ),
    Goal(
        "the same against ripgrep counting the prefilter's tokens",
        "at most 4 times slower",
        partial(_is_at_most_slower, "npm", "manifest", "ripgrep", 4),
    ),
    Goal(
        "the same against ast-grep searching the classes",
        "reported",
        partial(_is_faster, "npm", "manifest", "ast-grep", None),
    ),
    Goal(
        "`run --depth full`, cold, every class, import and type alias recorded, against oxc-parser",
        "at least 2 times faster",
        partial(_is_faster, "npm", "full", "oxc", 2),
    ),
    Goal(
        "the same against oxc-parser on 2 threads",
        "reported",
        partial(_is_faster, "npm", "full", "oxc-2-threads", None),
    ),
    Goal(
        "the same against oxc-parser on Node 22",
        "reported",
        partial(_is_faster, "npm", "full", "oxc-node22", None),
    ),
    Goal("… with its raw transfer", "reported", partial(_is_faster, "npm", "full", "oxc-node22-raw", None)),
    Goal("… with its lazy transfer", "reported", partial(_is_faster, "npm", "full", "oxc-node22-lazy", None)),
    Goal(
        "`run --depth full` over a tree where every file holds a model, against oxc-parser",
        "at least 2 times faster",
        partial(_is_faster, "models", "full", "oxc", 2),
    ),
    Goal("cost by size, `--depth manifest`", "a line, within 10 %", partial(_is_linear, "manifest", 0.1)),
    Goal("cost by size, `--depth full`", "a line, within 10 %", partial(_is_linear, "full", 0.1)),
    Goal("false syntax errors on the npm corpus, against oxc-parser", "0", _has_no_false_errors),
    Goal(
        "two worker processes against twice one process, `--depth full`",
        "at least 90 %",
        partial(_is_efficient, 0.9),
    ),
)
