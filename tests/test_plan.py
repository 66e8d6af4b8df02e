"""A plan holds every file once, balances bytes, and depends on nothing but the files."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scanner.records import FileRole
from scanner.sources import SourceFile
from workers.plan import PARSED, plan_scan

sizes = st.lists(st.integers(0, 2 * PARSED.most_bytes), max_size=60)


def files_of(given_sizes: list[int]) -> list[SourceFile]:
    return [SourceFile(f"f{number}.ts", size, FileRole.CLASSES) for number, size in enumerate(given_sizes)]


@given(sizes, st.integers(1, 64))
def test_every_file_stands_in_one_shard(given_sizes: list[int], workers: int) -> None:
    files = files_of(given_sizes)
    plan = plan_scan(files, workers)

    assert sorted(file.path for shard in plan.shards for file in shard.files) == sorted(
        file.path for file in files
    )
    assert (plan.files, plan.size) == (len(files), sum(given_sizes))
    assert [shard.number for shard in plan.shards] == list(range(len(plan.shards)))


@given(sizes, st.integers(1, 64))
def test_shards_keep_their_bounds(given_sizes: list[int], workers: int) -> None:
    for shard in plan_scan(files_of(given_sizes), workers).shards:
        assert len(shard.files) <= PARSED.files
        assert shard.size <= PARSED.most_bytes or len(shard.files) == 1


@given(sizes.flatmap(st.permutations), st.integers(1, 8))
def test_the_order_of_files_changes_no_plan(given_sizes: list[int], workers: int) -> None:
    files = files_of(given_sizes)

    assert plan_scan(files, workers) == plan_scan(reversed(files), workers)


def test_the_largest_files_come_first() -> None:
    plan = plan_scan(files_of([10, PARSED.most_bytes, 30]), 1)

    assert [file.size for shard in plan.shards for file in shard.files] == [PARSED.most_bytes, 30, 10]


def test_small_trees_stay_in_few_shards_and_large_ones_are_cut_for_all_workers() -> None:
    assert len(plan_scan(files_of([1000] * 60), 2).shards) == 1
    assert len(plan_scan(files_of([PARSED.least_bytes] * 64), 2).shards) >= 16
    assert plan_scan([], 2).shards == ()
