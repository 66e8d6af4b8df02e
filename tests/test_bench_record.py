"""A record keeps what was measured, and tells medians and ratios."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bench_record import describe_machine, read_record
from bench_samples import contest, entry, record
from hypothesis import given
from hypothesis import strategies as st

seconds = st.lists(st.floats(0.001, 1000), min_size=1, max_size=9)


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    written = record(contest("npm", 10, {"full": [2.0, 1.0], "oxc": []}), missing={"ast-grep": "gone"})
    written.contests[0].entries[1].failure = "It ended with 7."
    written.write(tmp_path / "record.json")

    assert read_record(tmp_path / "record.json") == written
    assert [path.name for path in tmp_path.iterdir()] == ["record.json"]


def test_a_record_of_another_version_is_refused(tmp_path: Path) -> None:
    record().write(tmp_path / "record.json")
    content = json.loads((tmp_path / "record.json").read_bytes())
    (tmp_path / "record.json").write_text(json.dumps({**content, "recordVersion": 99}))

    with pytest.raises(ValueError, match="version 99, expected 1"):
        read_record(tmp_path / "record.json")


@given(seconds)
def test_a_median_lies_within_the_spread(values: list[float]) -> None:
    measured = entry("full", values)
    low, high = measured.spread

    assert low <= measured.median <= high
    assert measured.median_processor == pytest.approx(2 * measured.median)


def test_ratios_are_taken_within_rounds() -> None:
    # The machine was three times slower in the second round, for both.
    measured = record(contest("npm", 10, {"full": [1.0, 3.0, 1.0], "oxc": [4.0, 12.0, 5.0]}))
    ratio = measured.ratio("npm", slower="oxc", faster="full")

    assert ratio is not None
    assert (ratio.median, ratio.low, ratio.high) == (4.0, 4.0, 5.0)


@pytest.mark.parametrize(("contest_name", "name"), [("npm", "ripgrep"), ("npm", "failed"), ("models", "oxc")])
def test_there_is_no_ratio_to_what_did_not_run(contest_name: str, name: str) -> None:
    measured = record(contest("npm", 10, {"full": [1.0], "oxc": [1.0], "failed": []}))

    assert measured.ratio(contest_name, slower=name, faster="full") is None


def test_the_machine_is_described() -> None:
    machine = describe_machine()

    assert machine["processors"] >= 1
    assert machine["processor"]
    assert str(Path.home()) not in json.dumps(machine)
