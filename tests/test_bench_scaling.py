"""The scaling model: what it takes from a record, and the laws that any schedule keeps."""

from __future__ import annotations

import pytest
from bench_samples import record, worker_contests
from hypothesis import given
from hypothesis import strategies as st
from scaling import measured, predicted_seconds, predictions, recut, scan_costs, scheduled

shards = st.lists(st.floats(0, 10), max_size=40)
counts = st.integers(1, 64)
handling = st.floats(0, 0.1)


@given(shards, counts, handling)
def test_no_schedule_beats_the_work_the_longest_shard_or_the_driver(
    costs: list[float], workers: int, each: float
) -> None:
    seconds = scheduled(costs, workers, each)

    assert seconds >= sum(costs) / workers - 1e-6
    assert seconds >= max(costs, default=0.0) - 1e-6
    assert seconds >= each * len(costs) - 1e-6


@given(shards, counts, handling)
def test_no_worker_idles_while_shards_wait(costs: list[float], workers: int, each: float) -> None:
    driver = each * len(costs)

    assert scheduled(costs, workers, each) <= sum(costs) / workers + max(costs, default=0.0) + driver + 1e-6


@given(shards, handling)
def test_one_worker_does_all_after_one_another(costs: list[float], each: float) -> None:
    assert scheduled(costs, 1, each) == pytest.approx(sum(costs) + each * len(costs))


@given(shards, st.integers(1, 8))
def test_cutting_shards_keeps_the_work(costs: list[float], pieces: int) -> None:
    cut = recut(costs, pieces)

    assert len(cut) == len(costs) * pieces
    assert sum(cut) == pytest.approx(sum(costs))


def test_costs_are_told_apart() -> None:
    costs = scan_costs(record(*worker_contests()))

    assert costs is not None
    assert costs.serial == pytest.approx(1.0)
    assert costs.start == pytest.approx(0.5)
    assert costs.handling == pytest.approx(0.001)
    assert costs.shards == pytest.approx([0.101] * 1000)


def test_the_measurement_with_one_worker_is_predicted_from_its_parts() -> None:
    costs = scan_costs(record(*worker_contests()))

    assert costs is not None
    assert predicted_seconds(costs, 1) == pytest.approx(103.5)
    assert predicted_seconds(costs, 2) == pytest.approx(1.5 + 0.102 * 500, rel=0.01)


def test_many_workers_are_bound_by_the_driver() -> None:
    found = predictions(record(*worker_contests()))

    assert list(found) == sorted(found)
    assert sorted(found.values(), reverse=True) == list(found.values())
    assert found[64] >= 1.5 + 0.001 * 1000


def test_measured_workers_stand_beside_the_predicted_ones() -> None:
    assert measured(worker_contests()[1]) == {1: 103.5, 2: 54.0}


def test_without_measurements_nothing_is_predicted() -> None:
    assert predictions(record()) == {}
