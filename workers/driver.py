"""The main job: discover, scan, reduce, write.

The driver knows the order of the work and measures it; results come from the scanner library and do not depend on
anything measured here.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from scanner.artifacts import build_artifacts, tool_version
from scanner.options import Depth
from scanner.outcomes import Narrowing, ProjectOutcome, conclude_project, linked_to
from scanner.packages import PackageAssignment, PackageFiles, assign_packages, files_by_package
from scanner.records import FileScan, Reading, SealedScan
from scanner.rounds import ProjectRounds, WantedPackages
from scanner.selection import PackageSelection, SelectionError, select_packages
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
from workers.reporting.wording import visible
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
        UsageError: The root is no directory, the output directory or the history cannot be used, or no package is the
            one asked for.
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
            assignment = assign_packages(request.root, [file.path for file in found.files], found.packages)
            selection = _selected(request, assignment)
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
        wanted = _wanted_of(rest, selection)
        rounds = ProjectRounds(found, assignment, request.options, request.root, wanted, opened)
        for item in rest:
            for file in item.files:
                if file in read:
                    rounds.add(file, Reading.RECORDS, read.pop(file))
        scanning.read_all(rounds)
        with figures.phase("reduce"), collector_paused():
            narrowing = Narrowing(selection, tuple(map(rounds.glimpse, wanted.glimpsed)))
            outcomes |= {package.directory: rounds.take_outcome(package) for package in wanted.concluded}
            if selection.is_whole:
                scanning.keep(rest, outcomes)
            remarks = [*found.diagnostics, *assignment.diagnostics]
            return conclude_project(
                outcomes.values(), remarks, narrowing, assignment.workspaces, request.tool_names
            )


def _wanted_of(packages: Iterable[PackageFiles], selection: PackageSelection) -> WantedPackages:
    """Return what is wanted of packages: the outcomes of those that are asked for, a glimpse of others."""
    found = [item.package for item in packages]
    return WantedPackages(
        tuple(package for package in found if package in selection.chosen),
        tuple(package for package in found if package not in selection.chosen),
    )


def _selected(request: RunRequest, assignment: PackageAssignment) -> PackageSelection:
    """Return the packages that a run asks for.

    Raises:
        UsageError: There are no such packages.
    """
    try:
        return select_packages(request.options.packages, assignment.of_file.values())
    except SelectionError as error:
        raise UsageError(visible(f"--package: {error}")) from error


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
        UsageError: The root is no directory, choices contradict each other, or no package is the one asked for.
    """
    require_directory(request.root)
    files = find_sources(request, request.out).files
    _selected(request, assign_packages(request.root, [file.path for file in files]))
    reading = Reading.RECORDS if request.options.depth is Depth.FULL else Reading.SIFT
    return plan_round(files, reading, planned_workers(request.execution, files))
