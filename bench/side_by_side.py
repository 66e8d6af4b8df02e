"""Measures the scanner side by side with its peers and writes a record, a picture and tables.

    python bench/side_by_side.py run [--quick] [--only npm,models] [--rounds 5] [--sizes 1000,200000]
    python bench/side_by_side.py prepare [--quick]     corpora and peers alone
    python bench/side_by_side.py report [RECORD]       tables and picture again, from a record

Everything is kept below ``build/bench``: downloads, corpora and peers are made once, so that a broken-off run goes on
where it was. The record is written after each contest. A full run refreshes docs/benchmarks.md; a quick one does not.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bench_picture import draw
from bench_record import BenchRecord, describe_machine, read_record
from bench_report import refresh, report
from contest import Contestant, adopt_orphans, run_contest
from corpora import Corpus, CorpusPlan, generated_plan, models_plan, npm_plan, prepare
from false_errors import count_false_errors
from goals import SIZE_CONTEST
from peers import details_of_run, install_peers, scanner_contestant

REPOSITORY: Final = Path(__file__).parent.parent
HOME: Final = REPOSITORY / "build/bench"
DOCUMENT: Final = REPOSITORY / "docs/benchmarks.md"
PARTS: Final = ("npm", "models", "sizes", "workers", "oracle")
RECORD: Final = "record.json"


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured.

    Attributes:
        packages: How many npm packages; None for all of the list.
        model_files: Files of the tree in which each holds a model.
        sizes: Files of the generated trees.
        sizes_of_parsers: Up to this many files the parsers among the peers take part in the contests by size.
        rounds: How often each contestant runs.
        long_rounds: The same for contests over large corpora.
    """

    packages: int | None
    model_files: int
    sizes: tuple[int, ...]
    sizes_of_parsers: int
    rounds: int
    long_rounds: int


FULL: Final = Scale(None, 10_000, (1_000, 3_000, 10_000, 30_000, 100_000), 30_000, rounds=5, long_rounds=3)
QUICK: Final = Scale(6, 500, (200, 500, 1_000), 1_000, rounds=2, long_rounds=2)


class Bench:
    """One measurement: its scale, its places and its record."""

    def __init__(self, scale: Scale, home: Path, *, is_quick: bool) -> None:
        self.scale = scale
        self._corpora = HOME / "corpora"
        self._scratch = home / "scratch"
        self._record_path = home / RECORD
        self._home = home
        home.mkdir(parents=True, exist_ok=True)
        adopt_orphans()
        self.peers = install_peers(HOME / "peers")
        versions = {"scan-cluster": _commit(), **self.peers.versions}
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self.record = BenchRecord(
            now, describe_machine(), versions, missing=self.peers.missing, is_quick=is_quick
        )

    def prepare(self) -> None:
        """Build all corpora."""
        plans = [self.npm, models_plan(self.scale.model_files), *map(generated_plan, (1, *self.scale.sizes))]
        for plan in plans:
            self.corpus(plan)

    @property
    def npm(self) -> CorpusPlan:
        """The corpus of real files."""
        return npm_plan(HOME / "downloads", self.scale.packages)

    def corpus(self, plan: CorpusPlan) -> Corpus:
        """Build a corpus if need be and note it in the record."""
        corpus = prepare(plan, self._corpora)
        self.record.corpora[corpus.name] = {
            "description": corpus.description,
            "files": corpus.files,
            "sourceBytes": corpus.source_bytes,
            "digest": corpus.digest,
            "remarks": list(corpus.remarks),
        }
        return corpus

    def run(self, parts: list[str]) -> None:
        """Run the parts that are asked for; the record is written after each contest."""
        measurements = {
            "npm": self._run_npm,
            "models": self._run_models,
            "sizes": self._run_sizes,
            "workers": self._run_workers,
            "oracle": self._run_oracle,
        }
        for part in parts:
            measurements[part]()
            shutil.rmtree(self._scratch, ignore_errors=True)

    def _run_npm(self) -> None:
        own = [self._scanner("manifest"), self._scanner("full")]
        self._contest("npm", self.npm, [*own, *self.peers.contestants.values()], self.scale.long_rounds)

    def _run_models(self) -> None:
        own = [self._scanner("manifest"), self._scanner("full")]
        rivals = self._rivals("oxc", "oxc-2-threads", "oxc-node22-lazy", "ast-grep", "ripgrep")
        self._contest("models", models_plan(self.scale.model_files), [*own, *rivals], self.scale.rounds)

    def _run_sizes(self) -> None:
        for files in self.scale.sizes:
            own = [self._scanner("manifest"), self._scanner("full")]
            plan = generated_plan(files)
            parsers = ("oxc", "ast-grep") if files <= self.scale.sizes_of_parsers else ()
            rivals = self._rivals(*parsers, "ripgrep")
            self._contest(f"{SIZE_CONTEST}{files}", plan, [*own, *rivals], self.scale.long_rounds)

    def _run_workers(self) -> None:
        one = self._scanner("full", "processes", 1, name="processes-1")
        two = self._scanner("full", "processes", 2, name="processes-2")
        inline = self._scanner("full", "inline", 1, name="inline")
        self._contest("start-up", generated_plan(1), [one, inline], self.scale.rounds)
        self._contest("workers", self.npm, [inline, one, two], self.scale.long_rounds)

    def _run_oracle(self) -> None:
        if "oxc" in self.peers.contestants:
            self.record.oracle = count_false_errors(self.corpus(self.npm), HOME / "peers", self._home)
            self.record.write(self._record_path)

    def _contest(self, name: str, plan: CorpusPlan, contestants: list[Contestant], rounds: int) -> None:
        self._scratch.mkdir(parents=True, exist_ok=True)
        self.record.contests.append(run_contest(name, self.corpus(plan), contestants, rounds))
        self.record.write(self._record_path)

    def _rivals(self, *names: str) -> list[Contestant]:
        return [self.peers.contestants[name] for name in names if name in self.peers.contestants]

    def _scanner(
        self, depth: str, backend: str = "processes", workers: int | None = None, name: str | None = None
    ) -> Contestant:
        options = ["--depth", depth, "--backend", backend]
        if workers is not None:
            options += ["--workers", str(workers)]
        details = None if name is None else details_of_run
        return scanner_contestant(name or depth, self._scratch, *options, details=details)


def publish(record: BenchRecord, directory: Path) -> str:
    """Write the picture and the tables of a record into *directory*; return the tables."""
    text = report(record)
    draw(record, directory / "benchmarks.svg")
    (directory / "report.md").write_text(text)
    return text


def publish_in_documentation(record: BenchRecord) -> None:
    """Make a record the one that the documentation shows."""
    record.write(DOCUMENT.with_suffix(".json"))
    draw(record, DOCUMENT.with_suffix(".svg"))
    refresh(
        DOCUMENT, f"![Throughput by contestant, by size and by workers](benchmarks.svg)\n\n{report(record)}"
    )
    print(f"{DOCUMENT.relative_to(REPOSITORY)} shows this record now.", flush=True)


def _commit() -> str:
    finished = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    return finished.stdout.strip() or "of unknown commit"


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(int(size) for size in text.split(","))


def run(given: argparse.Namespace) -> None:
    """Measure as the command line says."""
    parts = given.only.split(",") if given.only else list(PARTS)
    unknown = sorted(set(parts) - set(PARTS))
    if unknown:
        raise SystemExit(f"--only knows {', '.join(PARTS)}; it does not know {', '.join(unknown)}.")
    scale = QUICK if given.quick else FULL
    if given.rounds:
        scale = replace(scale, rounds=given.rounds, long_rounds=given.rounds)
    if given.sizes:
        scale = replace(scale, sizes=given.sizes)
    is_whole = not given.quick and not given.only
    home = HOME / ("quick" if given.quick else "full" if is_whole else "partial")
    bench = Bench(scale, home, is_quick=given.quick)
    bench.run(parts)
    print(publish(bench.record, home))
    print(f"The record, its picture and these tables are in {home}.", flush=True)
    if is_whole:
        publish_in_documentation(bench.record)


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description="Measure the scanner side by side with its peers.")
    commands = parser.add_subparsers(required=True)
    runner = commands.add_parser("run", help="measure")
    runner.add_argument("--quick", action="store_true", help="few files and rounds, to see that all works")
    runner.add_argument("--only", help=f"parts to measure, with commas: {', '.join(PARTS)}")
    runner.add_argument("--rounds", type=int, help="how often each contestant runs")
    runner.add_argument("--sizes", type=_sizes, help="files of the generated trees, with commas: 1000,200000")
    runner.set_defaults(do=run)
    maker = commands.add_parser("prepare", help="install the peers and build the corpora alone")
    maker.add_argument("--quick", action="store_true", help="those of the short form")
    maker.set_defaults(
        do=lambda given: Bench(
            QUICK if given.quick else FULL, HOME / "partial", is_quick=given.quick
        ).prepare()
    )
    reporter = commands.add_parser("report", help="refresh the documentation from a record")
    reporter.add_argument("record", type=Path, nargs="?", default=DOCUMENT.with_suffix(".json"))
    reporter.set_defaults(do=lambda given: publish_in_documentation(read_record(given.record)))
    given = parser.parse_args()
    given.do(given)


if __name__ == "__main__":
    main()
