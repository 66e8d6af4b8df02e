"""Tables and pictures are made from the record alone."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from bench_picture import draw
from bench_record import BenchRecord
from bench_report import BEGIN, END, disagreements, refresh, report
from bench_samples import contest, entry, record, worker_contests
from goals import GOALS


@pytest.fixture
def whole() -> BenchRecord:
    measured = {"manifest": [1.0, 1.5], "full": [8.0, 9.0], "oxc": [20.0, 21.0], "ripgrep": [0.5, 0.5]}
    sizes = [
        contest(f"size-{files}", files, {"manifest": [files / 1e4]}) for files in (1_000, 10_000, 100_000)
    ]
    npm = contest("npm", 20_500, {**measured, "ast-grep": []})
    npm.entries[-1].failure = "It ended with 7: no such rule"
    corpus = {
        "description": "Sources.",
        "files": 20_500,
        "sourceBytes": 133_000_000,
        "digest": "0",
        "remarks": [],
    }
    return record(
        npm,
        *sizes,
        *worker_contests(),
        corpora={"npm": corpus},
        missing={"pearl": "`npm install` ended with 1."},
    )


def test_a_report_tells_goals_contestants_and_who_is_missing(whole: BenchRecord) -> None:
    text = report(whole)

    assert all(goal.what in text for goal in GOALS)
    assert "| manifest | 1.25 | 1.00 | 1.50 | 2.50 | 16,400 | 16.4 |  |  |" in text
    assert "Without pearl: `npm install` ended with 1." in text
    assert "ast-grep is out: It ended with 7: no such rule" in text
    assert "| npm | Sources. | 20,500 | 133.0 |" in text


def test_each_table_is_rectangular(whole: BenchRecord) -> None:
    tables = re.findall(r"(?:^\|.*\n)+", report(whole), re.MULTILINE)

    assert len(tables) == 2 + len(whole.contests) + 1
    for found in tables:
        assert len({line.count("|") for line in found.splitlines()}) == 1


def test_predicted_and_measured_workers_stand_side_by_side(whole: BenchRecord) -> None:
    assert re.search(r"^\| 1 \| 103\.50 \| 103\.50 \|", report(whole), re.MULTILINE)
    assert re.search(r"^\| 64 \| [\d.]+ \|  \|", report(whole), re.MULTILINE)


def test_contestants_that_read_or_found_something_else_are_named() -> None:
    measured = contest("npm", 10, {})
    measured.entries = [entry("one", [1.0], files=10, models=4), entry("two", [1.0], files=9, models=4)]

    assert list(disagreements(measured)) == ["**two read 9 files, not 10.**"]
    measured.entries[1].details = {"models": 3}
    assert list(disagreements(measured)) == ["**They did not find the same models: one 4, two 3.**"]
    measured.entries[1].details = {}
    assert list(disagreements(measured)) == []


def test_a_short_measurement_says_that_it_proves_nothing() -> None:
    assert "proves nothing" not in report(record())
    assert "prove nothing" in report(record(is_quick=True))


def test_a_document_gets_the_new_tables_and_keeps_all_else(tmp_path: Path) -> None:
    document = tmp_path / "benchmarks.md"
    document.write_text(f"# Title\n\n{BEGIN}\nold\n{END}\n\nThe rest.\n")
    refresh(document, "new")
    refresh(document, "newer")

    assert document.read_text() == f"# Title\n\n{BEGIN}\n\nnewer\n{END}\n\nThe rest.\n"


def test_a_document_without_the_marks_is_left_alone(tmp_path: Path) -> None:
    document = tmp_path / "benchmarks.md"
    document.write_text("# Title\n")

    with pytest.raises(ValueError, match="lacks the lines"):
        refresh(document, "new")
    assert document.read_text() == "# Title\n"


def test_the_document_of_this_project_has_the_marks() -> None:
    document = Path(__file__).parent.parent / "docs/benchmarks.md"

    assert BEGIN in document.read_text()
    assert END in document.read_text()


def test_a_picture_is_well_formed_and_the_same_again(whole: BenchRecord, tmp_path: Path) -> None:
    draw(whole, tmp_path / "one.svg")
    draw(whole, tmp_path / "two.svg")

    assert ET.parse(tmp_path / "one.svg").getroot().tag.endswith("svg")
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_a_picture_of_an_empty_record_has_empty_charts(tmp_path: Path) -> None:
    draw(record(), tmp_path / "empty.svg")

    assert (tmp_path / "empty.svg").stat().st_size > 0
