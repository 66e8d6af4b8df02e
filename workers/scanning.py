"""Reading the files of a run, round by round: from the cache where it knows them, else by a backend's workers."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path
from typing import Final, Self

from scanner.diagnostics import Diagnostic
from scanner.options import Depth
from scanner.outcomes import PackageOutcome
from scanner.packages import PackageFiles
from scanner.records import FileScan, Reading, SealedScan
from scanner.rounds import ProjectRounds, Round
from scanner.source_files import read_source_file
from scanner.sources import SourceFile
from workers.cache.store import ResultCache
from workers.collector import collector_paused
from workers.execution import BackendSupply
from workers.figures import CacheCounts, RunFigures
from workers.plan import PARSED, SIFTED, ScanPlan, Shard, plan_scan
from workers.progress import Progress, Step
from workers.recovery import scan_with_recovery
from workers.request import RunRequest
from workers.shards import ShardTask

_BOUNDS: Final = {Reading.SIFT: SIFTED, Reading.NAMES: SIFTED, Reading.RECORDS: PARSED}


def plan_round(files: Sequence[SourceFile], reading: Reading, workers: int) -> ScanPlan:
    """Split the files of a round into shards."""
    return plan_scan(files, workers, _BOUNDS[reading])


class Scanning(AbstractContextManager["Scanning"]):
    """Reads rounds of files; holds the cache open between them.

    Args:
        request: What is asked for.
        supply: Gives the backend for the files that the cache does not know.
        figures: Takes what is measured.
        progress: Is told how far the scan is.
    """

    def __init__(
        self, request: RunRequest, supply: BackendSupply, figures: RunFigures, progress: Progress
    ) -> None:
        self._request = request
        self._root = request.root.absolute()
        self._supply = supply
        self._figures = figures
        self._progress = progress
        self._held = ExitStack()
        self._cache: ResultCache | None = None

    def __enter__(self) -> Self:
        self._cache = self._held.enter_context(_cache_of(self._request))
        return self

    def __exit__(self, *error: object) -> None:
        try:
            self._held.__exit__(*error)  # type: ignore[arg-type]
        finally:
            if self._cache is not None:
                self._figures.cache_remarks = self._cache.remarks

    def known_packages(self, packages: Sequence[PackageFiles]) -> dict[str, PackageOutcome]:
        """Return the outcomes of packages that the cache knows as a whole, by package directory."""
        if self._cache is None:
            return {}
        with self._figures.phase("scan"), collector_paused():
            found = self._cache.packages(self._request.root).lookup(packages)
        self._figures.cached = CacheCounts(
            found.unread + found.reread, 0, found.unread, packages=len(found.outcomes)
        )
        for item in packages:
            if item.package.directory in found.outcomes:
                self._tell_outcome(item.files, found.outcomes[item.package.directory])
        return found.outcomes

    def read_changed(
        self, packages: Sequence[PackageFiles]
    ) -> dict[SourceFile, FileScan | SealedScan | None]:
        """Scan those files of packages whose records the cache does not know."""
        if self._cache is None:
            return {}
        with self._figures.phase("scan"):
            listed = [file for item in packages for file in item.files]
            files = self._cache.unknown_files(self._request.root, listed)
            self._figures.work.rounds += bool(files)
            return dict(self._read(Round(files, Reading.RECORDS)))

    def confirmed_packages(
        self, packages: Sequence[PackageFiles], scanned: Container[SourceFile]
    ) -> dict[str, PackageOutcome]:
        """Return the outcomes of packages whose files changed in nothing that matters, by package directory."""
        confirmed: dict[str, PackageOutcome] = {}
        cache, figures = self._cache, self._figures.cached
        if cache is None or figures is None:
            return confirmed
        with self._figures.phase("scan"), collector_paused():
            for item in packages:
                outcome = cache.packages(self._request.root).confirm(item)
                if outcome is not None:
                    confirmed[item.package.directory] = outcome
                    known = [file for file in item.files if file not in scanned]
                    self._tell_outcome(known, outcome)
                    figures.packages += 1
                    figures.hits += len(known)
                    figures.hits_without_reading += cache.unread_of(self._request.root, known)
        return confirmed

    def take_back(
        self, packages: Sequence[PackageFiles], outcomes: dict[str, PackageOutcome], stale: Container[str]
    ) -> None:
        """Remove known outcomes that hang on packages which changed, and no longer count them as known."""
        for item in packages:
            if item.package.directory not in stale or self._cache is None or self._figures.cached is None:
                continue
            outcome = outcomes.pop(item.package.directory)
            counts = self._figures.cached
            counts.packages -= 1
            counts.hits -= len(item.files)
            counts.hits_without_reading -= self._cache.unread_of(self._request.root, item.files)
            size = sum(file.size for file in item.files)
            self._progress.advance(Step(-len(item.files), -size, -sum(1 for _ in outcome.facts.findings)))

    def keep(self, packages: Iterable[PackageFiles], outcomes: Mapping[str, PackageOutcome]) -> None:
        """Let the cache know the outcomes of packages, all of whose files were read.

        Outcomes of some packages alone would make those that import them look as if nothing had changed around them.
        """
        if self._cache is None:
            return
        for item in packages:
            outcome = outcomes[item.package.directory]
            self._cache.packages(self._request.root).store(item, outcome, outcome.facts.consulted)

    def _tell_outcome(self, files: Sequence[SourceFile], outcome: PackageOutcome) -> None:
        size = sum(file.size for file in files)
        self._progress.advance(Step(len(files), size, sum(1 for _ in outcome.facts.findings)))

    def read_all(self, rounds: ProjectRounds) -> None:
        """Read rounds until nothing is missing."""
        while True:
            with self._figures.phase("reduce"):
                step = rounds.next()
            if step is None:
                return
            self._figures.work.rounds += 1
            with self._figures.phase("scan"):
                for file, scan in self._read(step):
                    rounds.add(file, step.reading, scan)

    def _read(self, step: Round) -> Iterator[tuple[SourceFile, FileScan | SealedScan | None]]:
        if self._cache is None:
            yield from self._scan(step)
            return
        with collector_paused():
            found = self._cache.lookup(self._request.root, step.files, step.reading)
        self._figures.cached = self._figures.cached or CacheCounts()
        self._figures.cached.add(found)
        known = [(file, found.scans[file.path]) for file in step.files if file.path in found.scans]
        self._tell(known)
        yield from known
        yield from self._scan(Round(found.misses, step.reading))

    def _scan(self, step: Round) -> Iterator[tuple[SourceFile, FileScan | SealedScan | None]]:
        if not step.files:
            return
        backend = self._supply.backend_for(step.files)
        self._figures.backend, self._figures.workers = backend.name, backend.workers
        self._progress.employ(backend.workers)
        plan = plan_round(step.files, step.reading, backend.workers)
        tasks = (self._task(shard, step.reading) for shard in plan.shards)
        for result in scan_with_recovery(backend, tasks, self._figures.recovery):
            shard = plan.shards[result.number]
            files = shard.files[result.first : result.first + len(result.scans)]
            if self._cache is not None:
                self._cache.store(self._request.root, files, step.reading, result.scans, result.digests)
            self._figures.note(result)
            scans = list(zip(files, result.scans, strict=True))
            self._tell(scans)
            yield from scans

    def _task(self, shard: Shard, reading: Reading) -> ShardTask:
        options = self._request.options
        self._figures.shards += 1
        return ShardTask(
            shard.number,
            str(self._root),
            shard.files,
            options.max_file_bytes,
            reading=reading,
            further_bases=options.framework_bases,
            file_seconds=self._request.execution.file_seconds,
            is_digested=self._cache is not None,
            is_sealing=options.depth is Depth.FULL,
            contents=self._contents(shard) if self._request.execution.ship_sources else None,
        )

    def _contents(self, shard: Shard) -> tuple[bytes | Diagnostic, ...]:
        limit = self._request.options.max_file_bytes
        contents = tuple(
            read_source_file(Path(self._root, file.path), file.path, limit) for file in shard.files
        )
        self._figures.work.bytes_shipped += sum(len(data) for data in contents if isinstance(data, bytes))
        return contents

    def _tell(self, scans: Sequence[tuple[SourceFile, FileScan | SealedScan | None]]) -> None:
        """Say how far the scan is; files count in the first round, in which each is read."""
        findings = sum(scan.finding_count for _, scan in scans if scan is not None)
        is_first = self._figures.work.rounds <= 1
        size = sum(file.size for file, _ in scans)
        self._progress.advance(Step(len(scans), size, findings) if is_first else Step(0, 0, findings))


def _cache_of(request: RunRequest) -> AbstractContextManager[ResultCache | None]:
    return nullcontext() if request.cache is None else ResultCache.open(request.cache, request.options)
