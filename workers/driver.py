"""The main job: discover, scan, reduce, write.

The driver knows the order of the work and measures it; results come from the scanner library and do not depend on
anything measured here. ``run.json`` is the only artifact that tells about the run itself.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from scanner.artifacts import FORMAT_VERSION, build_artifacts, tool_version, tool_versions
from scanner.options import ScanOptions
from scanner.packages import assign_packages
from scanner.project import ProjectResult, ToolNames, reduce_project
from scanner.records import FileScan
from scanner.serialization import JsonValue, encode_document, to_json
from scanner.source_files import read_source_file
from scanner.sources import SourceFile, Sources, discover_sources
from workers.cache.store import CacheLookup, ResultCache
from workers.errors import UsageError
from workers.execution import Execution, make_backend
from workers.output import OutputDirectory
from workers.plan import ScanPlan, Shard, plan_scan
from workers.progress import Progress, Step
from workers.recovery import RecoveryFigures, scan_with_recovery
from workers.reporting.sarif import sarif_document
from workers.shards import ShardTask, peak_memory


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What to scan, where to write, and with which options.

    Attributes:
        root: The directory to scan.
        out: The directory for the artifacts.
        options: What shapes results.
        tool_names: Names that tools of models have, to compare intents with.
        execution: How the work is done.
        cache: Directory for results of earlier scans; None to scan every file.
    """

    root: Path
    out: Path
    options: ScanOptions
    tool_names: ToolNames | None = None
    execution: Execution = field(default_factory=Execution)
    cache: Path | None = None


@dataclass(slots=True)
class RunFigures:
    """What a run measured about itself."""

    started_at: datetime
    phases: dict[str, float] = field(default_factory=dict)
    files: int = 0
    source_bytes: int = 0
    backend: str = "inline"
    workers: int = 1
    shards: int = 0
    recovery: RecoveryFigures = field(default_factory=RecoveryFigures)
    peak_memory: dict[int, int] = field(default_factory=dict)
    cached: CacheLookup | None = None
    cache_remarks: list[str] = field(default_factory=list)

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Time one phase, in seconds."""
        begin = time.perf_counter()
        try:
            yield
        finally:
            self.phases[name] = self.phases.get(name, 0.0) + time.perf_counter() - begin

    @property
    def seconds(self) -> float:
        """Duration of all phases so far."""
        return sum(self.phases.values())


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """What a run found and what it took."""

    result: ProjectResult
    figures: RunFigures


def execute_run(request: RunRequest, progress: Progress) -> RunOutcome:
    """Scan a directory and write its artifacts.

    Raises:
        UsageError: The root is no directory, or the output directory cannot be used.
        CommandError: Writing failed; the previous artifacts are untouched.
    """
    require_directory(request.root)
    figures = RunFigures(datetime.now(UTC))
    with OutputDirectory(request.out, request.root) as output:
        with figures.phase("discover"):
            found = find_sources(request, output.path)
        figures.files = len(found.files)
        figures.source_bytes = sum(file.size for file in found.files)
        with figures.phase("scan"):
            scans = scan_sources(request, found, figures, progress)
        with figures.phase("reduce"):
            assignment = assign_packages(request.root, [file.path for file in found.files])
            result = reduce_project(scans, assignment, request.options, found.diagnostics, request.tool_names)
        with figures.phase("write"):
            sarif = encode_document(sarif_document(result.diagnostics, tool_version()))
            artifacts = build_artifacts(result, request.options, {"diagnostics.sarif": sarif})
            output.write({**artifacts, "run.json": encode_document(_run_document(figures, artifacts))})
    return RunOutcome(result, figures)


def find_sources(request: RunRequest, out: Path) -> Sources:
    """List the files of a run; neither its artifacts nor its cache are among them."""
    own = [out] if request.cache is None else [out, request.cache]
    return discover_sources(request.root, request.options, skip_dirs=[os.path.realpath(path) for path in own])


def require_directory(root: Path) -> None:
    """Check that a scan root is a directory.

    Raises:
        UsageError: It is not.
    """
    if not root.is_dir():
        what = "is no directory" if root.exists() else "does not exist"
        raise UsageError(f"The directory to scan, {root}, {what}.")


def plan_run(request: RunRequest) -> ScanPlan:
    """Return how the files of a run would be split, if none of them is in the cache.

    Raises:
        UsageError: The root is no directory, or choices contradict each other.
    """
    require_directory(request.root)
    found = find_sources(request, request.out)
    return plan_scan(found.files, make_backend(request.execution, found.files).workers)


def scan_sources(
    request: RunRequest, found: Sources, figures: RunFigures, progress: Progress
) -> list[FileScan]:
    """Take results from the cache and scan all other files; the order of what is returned is chance."""
    progress.start(len(found.files))
    with _cache_of(request) as cache:
        if cache is None:
            return _scan_files(request, found.files, None, figures, progress)
        cached = figures.cached = cache.lookup(request.root, found.files)
        progress.advance(_step(cached.scans.values(), {file.path: file.size for file in found.files}))
        scans = [*cached.scans.values(), *_scan_files(request, cached.misses, cache, figures, progress)]
    figures.cache_remarks = cache.remarks
    return scans


def _cache_of(request: RunRequest) -> AbstractContextManager[ResultCache | None]:
    return nullcontext() if request.cache is None else ResultCache.open(request.cache, request.options)


def _scan_files(
    request: RunRequest,
    files: tuple[SourceFile, ...],
    cache: ResultCache | None,
    figures: RunFigures,
    progress: Progress,
) -> list[FileScan]:
    """Scan files on the backend that the request asks for."""
    sizes = {file.path: file.size for file in files}
    scans: list[FileScan] = []
    with make_backend(request.execution, files) as backend:
        progress.employ(backend.workers)
        plan = plan_scan(files, backend.workers)
        figures.backend, figures.workers, figures.shards = backend.name, backend.workers, len(plan.shards)
        tasks = (_task(request, shard) for shard in plan.shards)
        for result in scan_with_recovery(backend, tasks, figures.recovery):
            scans.extend(result.scans)
            if cache is not None:
                cache.store(request.root, result.scans, result.digests)
            peak = figures.peak_memory.get(result.worker, 0)
            figures.peak_memory[result.worker] = max(peak, result.peak_memory)
            progress.advance(_step(result.scans, sizes))
    return scans


def _step(scans: Collection[FileScan], sizes: Mapping[str, int]) -> Step:
    findings = sum(len(scan.errors) + len(scan.agent_surface.diagnostics) for scan in scans)
    return Step(len(scans), sum(sizes[scan.file_path] for scan in scans), findings)


def _task(request: RunRequest, shard: Shard) -> ShardTask:
    limit = request.options.max_file_bytes
    root = request.root.absolute()
    contents = None
    if request.execution.ship_sources:
        contents = tuple(read_source_file(root / file.path, file.path, limit) for file in shard.files)
    return ShardTask(shard.number, str(root), shard.files, limit, request.execution.file_seconds, contents)


def _run_document(figures: RunFigures, artifacts: dict[str, bytes]) -> JsonValue:
    seconds = figures.seconds
    return {
        "formatVersion": FORMAT_VERSION,
        **tool_versions(),
        "startedAt": figures.started_at.isoformat(timespec="seconds"),
        "seconds": round(seconds, 3),
        "phases": {name: round(value, 3) for name, value in figures.phases.items()},
        "backend": figures.backend,
        "workers": figures.workers,
        "shards": figures.shards,
        "lostShards": figures.recovery.lost,
        "retriedShards": figures.recovery.retried,
        "cache": None if figures.cached is None else _cache_figures(figures.cached),
        "files": figures.files,
        "sourceBytes": figures.source_bytes,
        "artifactBytes": sum(map(len, artifacts.values())),
        "megabytesPerSecond": round(figures.source_bytes / 1e6 / seconds, 2) if seconds else None,
        "peakMemoryBytes": {
            "driver": peak_memory(),
            "workers": to_json(
                sorted(peak for pid, peak in figures.peak_memory.items() if pid != os.getpid())
            ),
        },
        "python": platform.python_version(),
        "platform": platform.platform(),
    }


def _cache_figures(cached: CacheLookup) -> JsonValue:
    return {
        "hits": len(cached.scans),
        "misses": len(cached.misses),
        "hitsWithoutReading": cached.unread,
        "damaged": cached.damaged,
    }
