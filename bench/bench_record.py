"""The record of a measurement: plain data, written as JSON, from which tables and pictures are made later."""

from __future__ import annotations

import json
import os
import platform
import statistics
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

RECORD_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Sample:
    """One run of one contestant.

    Attributes:
        seconds: Wall time of the whole process, start-up included.
        processor_seconds: Processor time of it and of all processes that it started.
    """

    seconds: float
    processor_seconds: float


@dataclass(slots=True)
class EntryRecord:
    """A contestant's runs in one contest.

    Attributes:
        name: The contestant.
        samples: Its runs, one a round.
        details: What it reported in its last run.
        failure: Why it dropped out, if it did.
    """

    name: str
    samples: list[Sample] = field(default_factory=list)
    details: dict[str, Any] = field(default_factory=dict)
    failure: str | None = None

    @property
    def median(self) -> float:
        """Median of the wall times, in seconds."""
        return statistics.median(sample.seconds for sample in self.samples)

    @property
    def median_processor(self) -> float:
        """Median of the processor times, in seconds."""
        return statistics.median(sample.processor_seconds for sample in self.samples)

    @property
    def spread(self) -> tuple[float, float]:
        """Shortest and longest wall time, in seconds."""
        seconds = [sample.seconds for sample in self.samples]
        return min(seconds), max(seconds)


@dataclass(slots=True)
class ContestRecord:
    """Several contestants over one corpus, in alternation."""

    name: str
    corpus: str
    files: int
    source_bytes: int
    entries: list[EntryRecord]

    def entry(self, name: str) -> EntryRecord | None:
        """Return a contestant's entry, if it has any run."""
        return next((entry for entry in self.entries if entry.name == name and entry.samples), None)


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times longer one contestant took than another, within rounds."""

    median: float
    low: float
    high: float


@dataclass(slots=True)
class BenchRecord:
    """Everything that one measurement came to.

    Attributes:
        started_at: When it began, with offset from UTC.
        machine: What it ran on.
        versions: Versions of all programs.
        contests: The contests, by and by.
        corpora: Facts about each corpus, by name.
        missing: Peers that took no part, and why.
        oracle: What the comparison of syntax errors found; None when it did not run.
        is_quick: Whether this was the short form, whose figures prove nothing.
    """

    started_at: str
    machine: dict[str, Any]
    versions: dict[str, str]
    contests: list[ContestRecord] = field(default_factory=list)
    corpora: dict[str, dict[str, Any]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    oracle: dict[str, Any] | None = None
    is_quick: bool = False

    def contest(self, name: str) -> ContestRecord | None:
        """Return the contest of this name, if it took place."""
        return next((contest for contest in self.contests if contest.name == name), None)

    def ratio(self, contest: str, slower: str, faster: str) -> Ratio | None:
        """Return how many times longer *slower* took than *faster*; None when one of them did not run."""
        found = self.contest(contest)
        pair = (None, None) if found is None else (found.entry(slower), found.entry(faster))
        if pair[0] is None or pair[1] is None:
            return None
        ratios = [
            one.seconds / two.seconds for one, two in zip(pair[0].samples, pair[1].samples, strict=False)
        ]
        return Ratio(statistics.median(ratios), min(ratios), max(ratios))

    def write(self, path: Path) -> None:
        """Write the record as JSON, in one step."""
        fresh = path.with_suffix(".fresh")
        fresh.write_text(json.dumps({"recordVersion": RECORD_VERSION, **asdict(self)}, indent=1) + "\n")
        fresh.replace(path)


def read_record(path: Path) -> BenchRecord:
    """Read a record.

    Raises:
        ValueError: The file is no record of this version.
    """
    content = json.loads(path.read_bytes())
    version = content.pop("recordVersion", None)
    if version != RECORD_VERSION:
        raise ValueError(
            f"{path} has record version {version}, expected {RECORD_VERSION}. Run the bench again."
        )
    contests = [_contest(item) for item in content.pop("contests")]
    return BenchRecord(**content, contests=contests)


def _contest(content: dict[str, Any]) -> ContestRecord:
    entries = [
        EntryRecord(**{**item, "samples": [Sample(**sample) for sample in item["samples"]]})
        for item in content.pop("entries")
    ]
    return ContestRecord(**content, entries=entries)


def describe_machine() -> dict[str, Any]:
    """Return what is to be known about this machine."""
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {
        "processor": _processor_name(),
        "processors": len(os.sched_getaffinity(0)),
        "memoryGigabytes": round(pages / 1e9),
        "system": platform.system() + " " + platform.release(),
        "python": platform.python_version(),
        "loadBefore": round(os.getloadavg()[0], 2),
    }


def _processor_name() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()
