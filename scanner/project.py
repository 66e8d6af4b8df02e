"""The project rung: from a directory to the results of every package in it.

``reduce_project`` is a fold over file scans in path order; it does not matter where or in which order the files
were scanned. ``scan_project`` is the whole way in one process.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from scanner.diagnostics import CODES, Diagnostic
from scanner.discovery import is_agent_surface_source_path
from scanner.file_scan import parse_file
from scanner.inheritance import InheritanceResolver, ResolvedClass
from scanner.manifest import ManifestAdapter
from scanner.numeric_precision import finding_diagnostic, lint_numeric_precision
from scanner.options import ScanOptions
from scanner.packages import Package, PackageAssignment, assign_packages
from scanner.records import FileRole, FileScan
from scanner.serialization import JsonValue
from scanner.sources import discover_sources
from scanner.surface.identity import RESERVED_TOOL_NAME_PREFIX
from scanner.surface.merge import merge_agent_surfaces
from scanner.surface.records import AgentSurface, SurfaceDiagnostic
from scanner.surface.tool_names import check_agent_surface_tool_names


@dataclass(frozen=True, slots=True)
class PackageResult:
    """What one package holds.

    Attributes:
        package: The package.
        scans: Its files, in path order.
        classes: Its models.
        manifest: Its manifest as JSON data.
        smrt_imports: SMRT modules it imports, with the names taken from each.
        diagnostics: Everything to be said about its files, sorted.
    """

    package: Package
    scans: tuple[FileScan, ...]
    classes: tuple[ResolvedClass, ...]
    manifest: dict[str, JsonValue]
    smrt_imports: Mapping[str, tuple[str, ...]]
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class ToolNames:
    """Names that others register beside the intents: generated model tools, and the prefixes of UI tools."""

    generated: tuple[str, ...]
    ui_prefixes: tuple[str, ...] = (RESERVED_TOOL_NAME_PREFIX,)


@dataclass(frozen=True, slots=True)
class ProjectResult:
    """What a whole scan found.

    Attributes:
        packages: Results by package, in order of package directory.
        surface: The merged agent surface of the whole root.
        diagnostics: Every diagnostic of the scan, sorted by path and place.
    """

    packages: tuple[PackageResult, ...]
    surface: AgentSurface
    diagnostics: tuple[Diagnostic, ...]

    @property
    def has_unscanned_input(self) -> bool:
        """Whether some input could not be scanned at all."""
        return any(CODES[diagnostic.code].is_unscanned for diagnostic in self.diagnostics)

    def package_of_diagnostic(self) -> dict[Diagnostic, Package]:
        """Return the package that each diagnostic about a package's file belongs to."""
        return {diagnostic: result.package for result in self.packages for diagnostic in result.diagnostics}


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
    """
    ordered = sorted(scans, key=lambda scan: scan.file_path)
    members: dict[Package, list[FileScan]] = {}
    for scan in ordered:
        if scan.role is FileRole.CLASSES:
            members.setdefault(assignment.of_file[scan.file_path], []).append(scan)
    packages = tuple(
        reduce_package(package, members[package], options)
        for package in sorted(members, key=lambda package: package.directory)
    )
    surface = merge_surface(ordered, options, tool_names)
    own = (diagnostic for result in packages for diagnostic in result.diagnostics)
    others = (error for scan in ordered if scan.role is not FileRole.CLASSES for error in scan.errors)
    diagnostics = {
        *remarks,
        *assignment.diagnostics,
        *own,
        *others,
        *map(surface_diagnostic, surface.diagnostics),
    }
    return ProjectResult(
        packages, surface, tuple(sorted(diagnostics, key=lambda diagnostic: diagnostic.sort_key))
    )


def merge_surface(
    scans: Iterable[FileScan], options: ScanOptions, tool_names: ToolNames | None = None
) -> AgentSurface:
    """Merge the agent surfaces of files and check their tool names against those registered elsewhere.

    Files that the surface pass prunes by their path add nothing, though their classes are read (spec seed).
    """
    if not options.surface.is_on:
        return AgentSurface()
    merged = merge_agent_surfaces(
        scan.agent_surface
        for scan in scans
        if scan.role is not FileRole.CLASSES or is_agent_surface_source_path(scan.file_path)
    )
    if tool_names is None:
        return merged
    collisions = check_agent_surface_tool_names(merged, tool_names.generated, tool_names.ui_prefixes)
    return merge_agent_surfaces([merged, AgentSurface(diagnostics=collisions)])


def surface_diagnostic(remark: SurfaceDiagnostic) -> Diagnostic:
    """Return a remark of the agent surface as a diagnostic like any other."""
    severity = CODES[remark.code].severity
    return Diagnostic(remark.code, severity, remark.file_path, remark.line, remark.column, remark.message)


def reduce_package(package: Package, scans: Iterable[FileScan], options: ScanOptions) -> PackageResult:
    """Resolve and adapt the files of one package."""
    ordered = tuple(sorted(scans, key=lambda scan: scan.file_path))
    resolver = InheritanceResolver(options.framework_bases)
    resolver.add_files(ordered)
    resolution = resolver.resolve_all()
    manifest = ManifestAdapter(ordered, package.name, package.version).to_manifest(resolution.classes)
    diagnostics = {
        *(error for scan in ordered for error in scan.errors),
        *resolution.diagnostics,
        *manifest.diagnostics,
        *(finding_diagnostic(finding) for finding in lint_numeric_precision(ordered)),
    }
    return PackageResult(
        package,
        ordered,
        resolution.classes,
        manifest.document,
        merge_smrt_imports(ordered),
        tuple(sorted(diagnostics, key=lambda diagnostic: diagnostic.sort_key)),
    )


def merge_smrt_imports(scans: Iterable[FileScan]) -> dict[str, tuple[str, ...]]:
    """Unite what several files import from SMRT packages, modules and names sorted."""
    merged: dict[str, set[str]] = {}
    for scan in scans:
        for module, names in scan.smrt_imports.items():
            merged.setdefault(module, set()).update(names)
    return {module: tuple(sorted(merged[module])) for module in sorted(merged)}


def scan_project(root: str | os.PathLike[str], options: ScanOptions | None = None) -> ProjectResult:
    """Discover, scan and reduce a directory in this process.

    Args:
        root: The directory.
        options: Options that shape results; defaults when None.

    Raises:
        FileNotFoundError: There is no such directory.
        NotADirectoryError: *root* is no directory.
    """
    options = options or ScanOptions()
    found = discover_sources(root, options)
    scans = (
        parse_file(Path(root, file.path), file.path, options.max_file_bytes, file.role)
        for file in found.files
    )
    assignment = assign_packages(root, [file.path for file in found.files])
    return reduce_project(scans, assignment, options, found.diagnostics)
