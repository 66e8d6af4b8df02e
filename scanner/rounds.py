"""Reading a project in rounds, so that only what matters is parsed, and the whole way in one process.

At depth ``manifest`` the first round parses what mentions SMRT. In packages that turn out to have models, the second
round lists the names that every other file may declare; then whatever could change a model is parsed (its parents,
classes that extend it, its namesakes, the type aliases of its fields), round by round, until nothing is missing. At
depth ``full`` one round reads everything. Manifests and surfaces are equal at both depths.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from scanner.diagnostics import Diagnostic
from scanner.idle_sources import is_idle
from scanner.inheritance import FRAMEWORK_BASES
from scanner.options import Depth, ScanOptions
from scanner.outcomes import (
    Narrowing,
    PackageGlimpse,
    PackageOutcome,
    ProjectOutcome,
    conclude_project,
    outcome_of,
)
from scanner.package_fold import PackageFold, in_artifact_order
from scanner.packages import Package, PackageAssignment, assign_packages, files_by_package
from scanner.project import ProjectFold, ProjectResult, ToolNames, merge_surface
from scanner.records import FileRole, FileScan, Reading, SealedScan
from scanner.selection import select_packages
from scanner.sifting import sift_bytes
from scanner.source_files import read_source_file
from scanner.sources import SourceFile, Sources, discover_sources


@dataclass(frozen=True, slots=True)
class Round:
    """Files to be read next, and how far."""

    files: tuple[SourceFile, ...]
    reading: Reading


@dataclass(frozen=True, slots=True)
class WantedPackages:
    """Which packages of a project matter.

    Attributes:
        concluded: Those whose outcomes are wanted. Others are read when imports lead to them.
        glimpsed: Those of which only a glimpse is wanted.
    """

    concluded: tuple[Package, ...]
    glimpsed: tuple[Package, ...] = ()


class ProjectRounds:
    """What to read of a project, depending on what was read before.

    Args:
        sources: All files of the scan.
        assignment: The package of each file.
        options: Options that shape results.
        root: The scan root, where configuration files are; None when there are none.
        wanted: The packages that matter; the outcomes of all when None.
        opened: Opens sealed records, where such are added.
    """

    def __init__(
        self,
        sources: Sources,
        assignment: PackageAssignment,
        options: ScanOptions,
        root: str | os.PathLike[str] | None = None,
        wanted: WantedPackages | None = None,
        opened: Callable[[SealedScan], FileScan] | None = None,
    ) -> None:
        self._files = {file.path: file for file in sources.files}
        self._options = options
        self._opened = opened or _opened
        self._bases = FRAMEWORK_BASES.union(options.framework_bases)
        self._is_full = options.depth is Depth.FULL
        self._read: set[str] = set()
        self._begun: set[str] = set()
        self._fold = ProjectFold(
            (file.path for file in sources.files if file.role is FileRole.CLASSES), assignment, options, root
        )
        self._concluded = None if wanted is None else {package.directory for package in wanted.concluded}
        self._glimpsed = set() if wanted is None else {package.directory for package in wanted.glimpsed}
        self._files_of: dict[str, list[str]] = {}
        for file in sources.files:
            self._files_of.setdefault(assignment.of_file[file.path].directory, []).append(file.path)

    def next(self) -> Round | None:
        """Return the next round, or None when nothing is missing; all scans of the last one have to be added."""
        while True:
            folds = self._needed_folds()
            begun = self._files_of.keys() if self._concluded is None else self._concluded
            new = sorted({*begun, *self._glimpsed, *(fold.package.directory for fold in folds)} - self._begun)
            if new:
                self._begun.update(new)
                unread = {path for directory in new for path in self._files_of[directory]} - self._read
                first = self._round(unread, Reading.RECORDS if self._is_full else Reading.SIFT)
                if first is not None:
                    return first
            elif not self._is_full:
                return self._next_of(folds)
            elif not self._take_in_what_may_matter(folds):
                return None

    def _next_of(self, folds: Sequence[PackageFold]) -> Round | None:
        """Return the files whose names or records could change what packages come to, all of which were sifted."""
        reached = [self._fold.reached_from(fold) for fold in folds]
        sources = {fold.package.directory for fold in folds if fold.may_have_models()}
        active = [
            fold
            for fold, others in zip(folds, reached, strict=True)
            if fold.is_consulted() or any(other.package.directory in sources for other in others)
        ]
        return self._round_of(active, PackageFold.unknown_paths, Reading.NAMES) or self._round_of(
            active, PackageFold.wanted_paths, Reading.RECORDS
        )

    def _take_in_what_may_matter(self, folds: Iterable[PackageFold]) -> bool:
        """Take in the idle sources of packages from which a model may be reached, and of all that these reach.

        They may lead on; tell whether there were any.
        """
        reached = [self._fold.reached_from(fold) for fold in folds]
        mattering = {
            other.package.directory: other
            for others in reached
            if any(other.may_lead_to_models() for other in others)
            for other in others
        }
        taken = [fold.take_in_idle(self._opened) for fold in mattering.values()]
        return True in taken

    def _needed_folds(self) -> list[PackageFold]:
        """Return the packages whose outcomes are wanted, those that lead to them, and all that imports lead to from these.

        Those that lead to a package have no say in its manifest, but in which of its files are parsed and reported on.
        """
        concluded = self._concluded
        if concluded is None:
            return self._fold.packages
        needed: dict[str, PackageFold] = {}
        for start in self._fold.packages:
            directory = start.package.directory
            if directory in concluded or directory in self._glimpsed:
                reached = {fold.package.directory: fold for fold in self._fold.reached_from(start)}
                if directory in concluded or not concluded.isdisjoint(reached):
                    needed |= reached
        return [needed[directory] for directory in sorted(needed)]

    def _round_of(
        self, folds: Iterable[PackageFold], paths_of: Callable[[PackageFold], Iterable[str]], reading: Reading
    ) -> Round | None:
        return self._round((path for fold in folds for path in paths_of(fold)), reading)

    def _round(self, paths: Iterable[str], reading: Reading) -> Round | None:
        files = tuple(self._files[path] for path in sorted(paths))
        return Round(files, reading) if files else None

    def add(self, file: SourceFile, reading: Reading, scan: FileScan | SealedScan | None) -> None:
        """Add what reading a file gave; None for a source that contributes nothing by itself.

        What is read to the full and added before the first round is in no round.
        """
        if reading is Reading.RECORDS:
            self._read.add(file.path)
        if isinstance(scan, SealedScan):
            self._fold.add_idle(scan)
        elif scan is not None:
            is_waiting = self._is_full and is_idle(scan, self._bases)
            (self._fold.add_idle if is_waiting else self._fold.add)(scan)
        elif reading is Reading.RECORDS and not self._is_full:
            self._fold.add(FileScan(file.path, file.role))

    def result(
        self, remarks: Iterable[Diagnostic] = (), tool_names: ToolNames | None = None
    ) -> ProjectResult:
        """Return what the project holds; see :meth:`scanner.project.ProjectFold.result`."""
        return self._fold.result(remarks, tool_names)

    def take_outcome(self, package: Package) -> PackageOutcome:
        """Return what a package comes to, and keep no copy of it."""
        result, others = self._fold.take(package)
        return outcome_of(result, others, self._options)

    def glimpse(self, package: Package) -> PackageGlimpse:
        """Return what a package adds to a scan that does not ask for it."""
        scans = self._fold.declared_by(package)
        files = sum(file.role is FileRole.CLASSES for file in self._files_in(package))
        errors = in_artifact_order(error for scan in scans for error in scan.errors)
        return PackageGlimpse(package, files, merge_surface(scans, self._options), errors)

    def _files_in(self, package: Package) -> Iterable[SourceFile]:
        return (self._files[path] for path in self._files_of[package.directory])


def _opened(scan: SealedScan) -> FileScan:
    raise TypeError(f"The record of {scan.file_path} is sealed, and nothing is there that opens it.")


def scan_project(root: str | os.PathLike[str], options: ScanOptions | None = None) -> ProjectResult:
    """Discover, scan and reduce a directory in this process.

    Args:
        root: The directory.
        options: Options that shape results; defaults when None.

    Raises:
        FileNotFoundError: There is no such directory.
        NotADirectoryError: *root* is no directory.
        SelectionError: The options ask for packages that there are not.
    """
    options = options or ScanOptions()
    found = discover_sources(root, options)
    assignment = assign_packages(root, [file.path for file in found.files], found.packages)
    return _read_here(root, found, assignment, options).result(found.diagnostics)


def conclude_directory(root: str | os.PathLike[str], options: ScanOptions | None = None) -> ProjectOutcome:
    """Discover, scan and reduce a directory in this process to what its artifacts show.

    Args:
        root: The directory.
        options: Options that shape results; defaults when None.

    Raises:
        FileNotFoundError: There is no such directory.
        NotADirectoryError: *root* is no directory.
        SelectionError: The options ask for packages that there are not.
    """
    options = options or ScanOptions()
    found = discover_sources(root, options)
    assignment = assign_packages(root, [file.path for file in found.files], found.packages)
    selection = select_packages(options.packages, assignment.of_file.values())
    rounds = _read_here(root, found, assignment, options)
    outcomes = [rounds.take_outcome(item.package) for item in files_by_package(found.files, assignment)]
    return conclude_project(
        outcomes, [*found.diagnostics, *assignment.diagnostics], Narrowing(selection), assignment.workspaces
    )


def _read_here(
    root: str | os.PathLike[str], found: Sources, assignment: PackageAssignment, options: ScanOptions
) -> ProjectRounds:
    rounds = ProjectRounds(found, assignment, options, root)
    while (step := rounds.next()) is not None:
        for file in step.files:
            rounds.add(file, step.reading, _read(Path(root, file.path), file, step.reading, options))
    return rounds


def _read(path: Path, file: SourceFile, reading: Reading, options: ScanOptions) -> FileScan | None:
    data = read_source_file(path, file.path, options.max_file_bytes)
    if isinstance(data, Diagnostic):
        return FileScan(file.path, file.role, errors=(data,))
    return sift_bytes(data, file.path, file.role, reading, options.framework_bases).scan
