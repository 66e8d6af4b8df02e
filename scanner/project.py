"""The project rung: from the scans of files to the results of every package.

The fold does not depend on where or in which order the files were scanned.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from scanner.class_table import ClassTable
from scanner.diagnostics import CODES, Diagnostic
from scanner.discovery import is_agent_surface_source_path
from scanner.options import Resolution, ScanOptions
from scanner.package_fold import PackageFold, PackageResult, in_artifact_order
from scanner.packages import Package, PackageAssignment
from scanner.records import FileRole, FileScan, SealedScan
from scanner.resolution.config_files import ConfigFiles
from scanner.resolution.modules import ModuleRoute, ProjectModules
from scanner.selection import select_packages
from scanner.surface.identity import RESERVED_TOOL_NAME_PREFIX
from scanner.surface.merge import merge_agent_surfaces
from scanner.surface.records import AgentSurface, SurfaceDiagnostic
from scanner.surface.tool_names import check_agent_surface_tool_names

_NOTHING_DECLARED: Final = AgentSurface()


@dataclass(frozen=True, slots=True)
class ToolNames:
    """Names that others register beside the intents: generated model tools, and the prefixes of UI tools."""

    generated: tuple[str, ...]
    ui_prefixes: tuple[str, ...] = (RESERVED_TOOL_NAME_PREFIX,)


@dataclass(frozen=True, slots=True)
class ProjectResult:
    """What a whole scan found.

    Attributes:
        packages: Results of the packages asked for, in order of package directory.
        surface: The merged agent surface of the whole root, as far as these declare it.
        diagnostics: Every diagnostic about them, sorted by path and place.
    """

    packages: tuple[PackageResult, ...]
    surface: AgentSurface
    diagnostics: tuple[Diagnostic, ...]

    @property
    def has_unscanned_input(self) -> bool:
        """Whether some input could not be scanned at all."""
        return any(CODES[diagnostic.code].is_unscanned for diagnostic in self.diagnostics)


def reduce_project(
    scans: Iterable[FileScan],
    assignment: PackageAssignment,
    options: ScanOptions,
    remarks: Iterable[Diagnostic] = (),
    tool_names: ToolNames | None = None,
) -> ProjectResult:
    """Fold file scans into package results.

    Args:
        scans: One record a file, in any order.
        assignment: The package of each file.
        options: Options that shape results.
        remarks: Diagnostics from discovery.
        tool_names: Tool names registered elsewhere, to be compared with those of intents.

    Raises:
        SelectionError: The options ask for packages that there are not.
    """
    given = list(scans)
    paths = [scan.file_path for scan in given if scan.role is FileRole.CLASSES]
    fold = ProjectFold(paths, assignment, options)
    for scan in given:
        fold.add(scan)
    return fold.result(remarks, tool_names)


class ProjectFold:
    """Scans of a project's files, added in any order, and what they come to so far.

    Args:
        paths: The files that are read for classes, whether or not their scans will be added.
        assignment: The package of each file.
        options: Options that shape results.
        root: The scan root, where configuration files are; None when there are none.
    """

    def __init__(
        self,
        paths: Iterable[str],
        assignment: PackageAssignment,
        options: ScanOptions,
        root: str | os.PathLike[str] | None = None,
    ) -> None:
        self._assignment = assignment
        self._options = options
        self._others: dict[Package, list[FileScan]] = {}
        members: dict[Package, list[str]] = {}
        for path in paths:
            members.setdefault(assignment.of_file[path], []).append(path)
        listed = sorted(members, key=lambda package: package.directory)
        known = {path for files in members.values() for path in files}
        self.state = 0
        self._reached: dict[str, list[PackageFold]] = {}
        self._reached_at = 0
        self._published: dict[str, ClassTable] = {}
        self._modules = ProjectModules(ConfigFiles(root), known, listed)
        self._fold_of = {package: PackageFold(package, members[package], options, self) for package in listed}
        self._by_directory = {fold.package.directory: fold for fold in self._fold_of.values()}
        for package in listed:
            if package.directory:
                self._link_outer(package.directory)

    def _link_outer(self, directory: str) -> None:
        """Let the package around another one lead to it: relative imports downwards are not noted one by one."""
        outer = posixpath.dirname(directory)
        while outer and outer not in self._by_directory:
            outer = posixpath.dirname(outer)
        if outer in self._by_directory and self._options.resolution is Resolution.IMPORTS:
            self._by_directory[outer].links.add(directory)

    @property
    def packages(self) -> list[PackageFold]:
        """The packages that have sources of classes, in order of their directories."""
        return list(self._fold_of.values())

    def route(self, importer: str, specifier: str) -> ModuleRoute:
        """Return where a module specifier leads from a file."""
        return self._modules.route(importer, specifier)

    def table_of(self, path: str) -> ClassTable:
        """Return the table of the package that a file belongs to."""
        installed = self._modules.installed_at(path)
        if installed is None or installed.models is None:
            return self._fold_of[self._assignment.of_file[path]].table
        if path not in self._published:
            self._published[path] = ClassTable([installed.models], (), self)
        return self._published[path]

    def package_of(self, path: str) -> Package:
        """Return the package that a file belongs to."""
        installed = self._modules.installed_at(path)
        if installed is None or installed.package is None:
            return self._assignment.of_file[path]
        return installed.package

    def reached_from(self, fold: PackageFold) -> list[PackageFold]:
        """Return the packages that imports may lead to from a package, over others too, itself among them."""
        if self._reached_at != self.state:
            self._reached_at = self.state
            self._reached.clear()
        start = fold.package.directory
        if start not in self._reached:
            self._reached[start] = self._reachable(start)
        return self._reached[start]

    def _reachable(self, start: str) -> list[PackageFold]:
        reached: dict[str, PackageFold] = {}
        pending = [start]
        while pending:
            directory = pending.pop()
            next_fold = self._by_directory.get(directory)
            if next_fold is not None and directory not in reached:
                reached[directory] = next_fold
                pending.extend(next_fold.links)
        return [reached[directory] for directory in sorted(reached)]

    def take(self, package: Package) -> tuple[PackageResult, tuple[FileScan, ...]]:
        """Return what a package holds, and the scans of its files that are no sources of classes."""
        fold = self._fold_of.get(package) or PackageFold(package, (), self._options, self)
        return fold.take_result(), tuple(self._others.pop(package, ()))

    def add_idle(self, scan: FileScan | SealedScan) -> None:
        """Add the record of an idle source; see :meth:`scanner.package_fold.PackageFold.add_idle`."""
        self._fold_of[self._assignment.of_file[scan.file_path]].add_idle(scan)

    def declared_by(self, package: Package) -> list[FileScan]:
        """Return the scans of a package's files, as far as these were read."""
        fold = self._fold_of.get(package)
        return [*(() if fold is None else fold.scans()), *self._others.get(package, ())]

    def add(self, scan: FileScan) -> None:
        """Add the scan of a file; of two scans of one file the later one counts."""
        package = self._assignment.of_file[scan.file_path]
        if scan.role is FileRole.CLASSES:
            self._fold_of[package].add(scan)
        else:
            self._others.setdefault(package, []).append(scan)

    def result(
        self, remarks: Iterable[Diagnostic] = (), tool_names: ToolNames | None = None
    ) -> ProjectResult:
        """Return what the project holds as far as its files were added.

        Args:
            remarks: Diagnostics from discovery.
            tool_names: Tool names registered elsewhere, to be compared with those of intents.

        Raises:
            SelectionError: The options ask for packages that there are not.
        """
        selection = select_packages(self._options.packages, self._assignment.of_file.values())
        packages = tuple(fold.reduced().result for fold in self.packages)
        others = [scan for scans in self._others.values() for scan in scans]
        scans = [*others, *(scan for package in packages for scan in package.scans)]
        surface = check_tool_names(merge_surface(scans, self._options), tool_names)
        diagnostics = [
            *remarks,
            *self._assignment.diagnostics,
            *(diagnostic for package in packages for diagnostic in package.diagnostics),
            *(error for scan in others for error in scan.errors),
            *map(surface_diagnostic, surface.diagnostics),
        ]
        return ProjectResult(
            tuple(result for result in packages if result.package in selection.chosen),
            selection.surface_of(surface),
            in_artifact_order(selection.diagnostics_of(diagnostics)),
        )


def merge_surface(scans: Iterable[FileScan], options: ScanOptions) -> AgentSurface:
    """Merge the agent surfaces of files.

    Files that the surface pass prunes by their path add nothing, though their classes are read (spec seed).
    """
    if not options.surface.is_on:
        return AgentSurface()
    return merge_agent_surfaces(
        scan.agent_surface
        for scan in scans
        if scan.agent_surface != _NOTHING_DECLARED
        and (scan.role is not FileRole.CLASSES or is_agent_surface_source_path(scan.file_path))
    )


def check_tool_names(merged: AgentSurface, tool_names: ToolNames | None) -> AgentSurface:
    """Add remarks about tool names that are registered elsewhere, if these are known."""
    if tool_names is None:
        return merged
    collisions = check_agent_surface_tool_names(merged, tool_names.generated, tool_names.ui_prefixes)
    return merge_agent_surfaces([merged, AgentSurface(diagnostics=collisions)])


def surface_diagnostic(remark: SurfaceDiagnostic) -> Diagnostic:
    """Return a remark of the agent surface as a diagnostic like any other."""
    severity = CODES[remark.code].severity
    return Diagnostic(remark.code, severity, remark.file_path, remark.line, remark.column, remark.message)
