"""The main job: discover, scan, reduce, write.

The driver knows the order of the work and measures it; results come from the scanner library and do not depend on
anything measured here.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from scanner.artifacts import build_artifacts, tool_version
from scanner.options import Depth
from scanner.outcomes import ProjectOutcome, conclude_project, linked_to
from scanner.packages import assign_packages, files_by_package
from scanner.records import FileScan, Reading, SealedScan
from scanner.rounds import ProjectRounds
from scanner.serialization import encode_document
from scanner.sources import SourceFile, Sources, discover_sources
from workers.collector import collector_paused
from workers.errors import UsageError
from workers.execution import BackendSupply, planned_workers
from workers.figures import RunFigures, run_document
from workers.history import RUN_FILE
from workers.output import OutputDirectory
from workers.plan import ScanPlan
from workers.progress import Progress
from workers.reporting.sarif import sarif_document
from workers.request import RunRequest
from workers.scanning import Scanning, plan_round
from workers.shards import opened


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """What a run found and what it took."""

    result: ProjectOutcome
    figures: RunFigures


def execute_run(request: RunRequest, progress: Progress) -> RunOutcome:
    """Scan a directory and write its artifacts.

    Raises:
        UsageError: The root is no directory, or the output directory or the history cannot be used.
        CommandError: Writing failed; the previous artifacts are untouched.
    """
    require_directory(request.root)
    figures = RunFigures(datetime.now(UTC))
    with OutputDirectory(request.out, request.root) as output, BackendSupply(request.execution) as supply:
        if request.history is not None:
            request.history.prepare(output.path)
        result = _scan(request, output.path, supply, figures, progress)
        with figures.phase("write"):
            sarif = encode_document(sarif_document(result.diagnostics, tool_version()))
            artifacts = build_artifacts(result, request.options, {"diagnostics.sarif": sarif})
            _write(request, output, figures, artifacts)
    return RunOutcome(result, figures)


def _write(
    request: RunRequest, output: OutputDirectory, figures: RunFigures, artifacts: dict[str, bytes]
) -> None:
    """Write the artifacts, kept ones first: a run that fails to be kept has written nothing."""
    complete = {**artifacts, RUN_FILE: encode_document(run_document(figures, artifacts))}
    if request.history is not None:
        figures.history_remarks = request.history.keep(figures.started_at, complete, request.retention)
    output.write(complete)


def _scan(
    request: RunRequest, out: Path, supply: BackendSupply, figures: RunFigures, progress: Progress
) -> ProjectOutcome:
    """Come to the result of a run, by way of the cache where there is one."""
    # The cache is opened first: it trusts what files look like only if they are older than that.
    with Scanning(request, supply, figures, progress) as scanning:
        with figures.phase("discover"):
            found = find_sources(request, out)
            assignment = assign_packages(request.root, [file.path for file in found.files])
            packages = files_by_package(found.files, assignment)
        figures.files = len(found.files)
        figures.source_bytes = sum(file.size for file in found.files)
        progress.start(figures.files)
        outcomes = scanning.known_packages(packages)
        rest = [item for item in packages if item.package.directory not in outcomes]
        read: dict[SourceFile, FileScan | SealedScan | None] = {}
        if request.options.depth is Depth.FULL:
            read = scanning.read_changed(rest)
            outcomes |= scanning.confirmed_packages(rest, read)
            rest = [item for item in rest if item.package.directory not in outcomes]
        scanning.take_back(packages, outcomes, linked_to({item.package.directory for item in rest}, outcomes))
        rest = [item for item in packages if item.package.directory not in outcomes]
        wanted = [item.package for item in rest]
        rounds = ProjectRounds(found, assignment, request.options, request.root, wanted, opened)
        for item in rest:
            for file in item.files:
                if file in read:
                    rounds.add(file, Reading.RECORDS, read.pop(file))
        scanning.read_all(rounds)
        with figures.phase("reduce"), collector_paused():
            for item in rest:
                outcome = outcomes[item.package.directory] = rounds.take_outcome(item.package)
                scanning.keep(item, outcome)
            remarks = [*found.diagnostics, *assignment.diagnostics]
            return conclude_project(outcomes.values(), remarks, request.tool_names)


def find_sources(request: RunRequest, out: Path) -> Sources:
    """List the files of a run; neither its artifacts nor its cache nor kept ones are among them."""
    history = None if request.history is None else request.history.directory
    own = [os.path.realpath(path) for path in (out, request.cache, history) if path is not None]
    return discover_sources(request.root, request.options, skip_dirs=own)


def require_directory(root: Path) -> None:
    """Check that a scan root is a directory.

    Raises:
        UsageError: It is not.
    """
    if not root.is_dir():
        what = "is no directory" if root.exists() else "does not exist"
        raise UsageError(f"The directory to scan, {root}, {what}.")


def plan_run(request: RunRequest) -> ScanPlan:
    """Return how the files of a run's first round would be split, if none of them is in the cache.

    Raises:
        UsageError: The root is no directory, or choices contradict each other.
    """
    require_directory(request.root)
    files = find_sources(request, request.out).files
    reading = Reading.RECORDS if request.options.depth is Depth.FULL else Reading.SIFT
    return plan_round(files, reading, planned_workers(request.execution, files))
