"""Goals are held against a record: met, missed, reported, or not measured."""

from __future__ import annotations

import pytest
from bench_samples import contest, record
from goals import GOALS, Outcome, outcomes, relative_line
from hypothesis import given
from hypothesis import strategies as st


def outcome(of: str, **measured: list[float]) -> Outcome:
    """The first outcome whose text holds a phrase, for a record of the npm contest."""
    entries = {name.replace("_", "-"): seconds for name, seconds in measured.items()}
    return next(row for row in outcomes(record(contest("npm", 20_000, entries))) if of in row.what)


def test_without_measurements_every_goal_says_so() -> None:
    rows = outcomes(record())

    assert len(rows) == len(GOALS)
    assert {row.verdict for row in rows} == {"not measured"}


@pytest.mark.parametrize(("seconds", "verdict"), [(20.0, "met"), (19.9, "missed")])
def test_a_speed_goal_is_met_from_its_bound_on(seconds: float, verdict: str) -> None:
    row = outcome("against oxc-parser materialising", manifest=[1.0] * 3, oxc=[seconds] * 3)

    assert row.verdict == verdict
    assert (
        row.figure
        == f"1.00 s against {seconds:.2f} s: {seconds:.2f} times as fast ({seconds:.2f} to {seconds:.2f})"
    )


@pytest.mark.parametrize(("seconds", "verdict"), [(4.0, "met"), (4.1, "missed")])
def test_a_floor_is_kept_up_to_its_bound(seconds: float, verdict: str) -> None:
    row = outcome("ripgrep", manifest=[seconds] * 3, ripgrep=[1.0] * 3)

    assert row.verdict == verdict


def test_a_comparison_without_a_bound_is_reported() -> None:
    assert outcome("lazy transfer", full=[2.0], oxc_node22_lazy=[1.0]).verdict == "reported"


def by_size(seconds: dict[int, float]) -> Outcome:
    contests = [contest(f"size-{files}", files, {"manifest": [value]}) for files, value in seconds.items()]
    return next(row for row in outcomes(record(*contests)) if "cost by size" in row.what)


def test_cost_that_grows_in_line_meets_the_goal_whatever_the_start_up() -> None:
    assert by_size({1_000: 0.5 + 0.1, 10_000: 0.5 + 1.0, 100_000: 0.5 + 10.0}).verdict == "met"


def test_cost_that_grows_faster_misses_it_and_names_a_size() -> None:
    row = by_size({1_000: 0.1, 10_000: 1.0, 100_000: 20.0})

    assert row.verdict == "missed"
    assert " files" in row.figure


@pytest.mark.parametrize(("efficient", "verdict"), [(1.8, "met"), (1.7, "missed")])
def test_two_workers_are_held_against_twice_one_process(efficient: float, verdict: str) -> None:
    measured = contest("workers", 10, {"inline": [efficient] * 3, "processes-2": [1.0] * 3})
    row = next(row for row in outcomes(record(measured)) if "two worker" in row.what)

    assert (row.verdict, row.figure[:3]) == (verdict, f"{efficient / 2:.0%}")


@pytest.mark.parametrize(("count", "verdict"), [(0, "met"), (1, "missed")])
def test_a_single_false_error_is_one_too_many(count: int, verdict: str) -> None:
    rows = outcomes(record(oracle={"files": 20_000, "falseErrors": count, "first": []}))
    row = next(row for row in rows if "false syntax errors" in row.what)

    assert (row.verdict, row.figure) == (verdict, f"{count} of 20,000 files")


@given(
    st.floats(0, 5),
    st.floats(1e-6, 1e-2),
    st.lists(st.integers(1, 200_000), min_size=3, max_size=8, unique=True),
)
def test_points_on_a_line_give_that_line(start: float, per_file: float, sizes: list[int]) -> None:
    found_start, found_per_file = relative_line([(files, start + per_file * files) for files in sizes])

    for files in sizes:
        assert found_start + found_per_file * files == pytest.approx(start + per_file * files, rel=1e-3)


def test_a_line_never_begins_below_nothing() -> None:
    start, per_file = relative_line([(1_000, 0.05), (10_000, 1.0), (100_000, 10.0)])

    assert start == 0
    assert per_file > 0
