"""The project rung: from the scans of files to the results of every package.

The fold does not depend on where or in which order the files were scanned.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from scanner.class_table import ClassTable, WantedDeclarations
from scanner.diagnostics import CODES, Diagnostic
from scanner.discovery import is_agent_surface_source_path
from scanner.inheritance import ResolvedClass, resolve_classes
from scanner.manifest import ManifestAdapter
from scanner.numeric_precision import finding_diagnostic, lint_numeric_precision
from scanner.options import ScanOptions
from scanner.packages import Package, PackageAssignment
from scanner.records import DeclaredNames, FileRole, FileScan
from scanner.serialization import JsonValue
from scanner.surface.identity import RESERVED_TOOL_NAME_PREFIX
from scanner.surface.merge import merge_agent_surfaces
from scanner.surface.records import AgentSurface, SurfaceDiagnostic
from scanner.surface.tool_names import check_agent_surface_tool_names

_NOTHING_DECLARED: Final = AgentSurface()


@dataclass(frozen=True, slots=True)
class PackageResult:
    """What one package holds.

    Attributes:
        package: The package.
        file_count: How many files of it are read for classes.
        scans: Those of them that were parsed, in path order.
        classes: Its models.
        manifest: Its manifest as JSON data.
        smrt_imports: SMRT modules it imports, with the names taken from each.
        diagnostics: Everything to be said about its files, sorted.
    """

    package: Package
    file_count: int
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
    """

    def __init__(self, paths: Iterable[str], assignment: PackageAssignment, options: ScanOptions) -> None:
        self._assignment = assignment
        self._options = options
        self._others: dict[Package, list[FileScan]] = {}
        members: dict[Package, list[str]] = {}
        for path in paths:
            members.setdefault(assignment.of_file[path], []).append(path)
        self._fold_of = {
            package: PackageFold(package, members[package], options)
            for package in sorted(members, key=lambda package: package.directory)
        }

    @property
    def packages(self) -> list[PackageFold]:
        """The packages that have sources of classes, in order of their directories."""
        return list(self._fold_of.values())

    def take(self, package: Package) -> tuple[PackageResult, tuple[FileScan, ...]]:
        """Return what a package holds, and the scans of its files that are no sources of classes, and let go of both."""
        fold = self._fold_of.pop(package, None) or PackageFold(package, (), self._options)
        return fold.reduced().result, tuple(self._others.pop(package, ()))

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
        """
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
        return ProjectResult(packages, surface, in_artifact_order(diagnostics))


@dataclass(frozen=True, slots=True)
class PackageReduction:
    """What the parsed files of a package come to, and which declarations that hangs on."""

    result: PackageResult
    wanted: WantedDeclarations


class PackageFold:
    """The files of one package: parsed, known by the names they may declare, or not looked at."""

    def __init__(self, package: Package, paths: Iterable[str], options: ScanOptions) -> None:
        self.package = package
        self._options = options
        self._paths = frozenset(paths)
        self._parsed: dict[str, FileScan] = {}
        self._listed: dict[str, DeclaredNames] = {}
        self._remarks: dict[str, tuple[Diagnostic, ...]] = {}
        self._reduction: PackageReduction | None = None

    def add(self, scan: FileScan) -> None:
        """Add the scan of a file, or the names that it may declare."""
        path = scan.file_path
        if scan.declared is None:
            self._listed.pop(path, None)
            self._remarks.pop(path, None)
            self._parsed[path] = scan
            self._reduction = None
            return
        self._listed[path] = scan.declared
        if scan.errors != self._remarks.get(path, ()):
            self._remarks[path] = scan.errors
            self._reduction = None

    def reduced(self) -> PackageReduction:
        """Resolve and adapt what is parsed so far."""
        if self._reduction is None:
            unparsed = self._paths - self._parsed.keys()
            remarks = [remark for remarks in self._remarks.values() for remark in remarks]
            self._reduction = reduce_package(
                self.package, self._parsed.values(), self._options, unparsed, remarks
            )
        return self._reduction

    def has_models(self) -> bool:
        """Tell whether any class parsed so far is a model."""
        return any(scan.classes for scan in self._parsed.values()) and bool(self.reduced().result.classes)

    def unknown_paths(self) -> frozenset[str]:
        """Return the files of which nothing is known yet."""
        return self._paths - self._parsed.keys() - self._listed.keys()

    def wanted_paths(self) -> set[str]:
        """Return the unparsed files that could change what the package comes to.

        These are files that an import leads to if they may have what it imports, files that may declare a class or
        type looked up by its bare name, namesakes of models, and files with a class that may extend a model.
        """
        reduction = self.reduced()
        models = {resolved.raw.class_name for resolved in reduction.result.classes}
        bases = models.union(*(scan.renamed_exports() for scan in self._parsed.values()))
        return {
            path
            for path, names in self._listed.items()
            if reduction.wanted.may_be_in(path, names)
            or not models.isdisjoint(names.classes)
            or not bases.isdisjoint(names.parents)
        }

    def may_have_models(self) -> bool:
        """Tell whether any class parsed so far is a model, or a file exports what may be a base under another name."""
        return self.has_models() or any(any(scan.renamed_exports()) for scan in self._parsed.values())


def in_artifact_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return diagnostics, each once, in the one order of all artifacts."""
    return tuple(sorted(set(diagnostics), key=_total_order))


def _total_order(diagnostic: Diagnostic) -> tuple[object, ...]:
    # What ties in place, code and message would otherwise stand in the order of a set, which is chance.
    rest = (diagnostic.decorator, diagnostic.expression, diagnostic.hint)
    return (
        diagnostic.sort_key,
        tuple((text is not None, text or "") for text in rest),
        diagnostic.severity.value,
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


def reduce_package(
    package: Package,
    scans: Iterable[FileScan],
    options: ScanOptions,
    unparsed: Collection[str] = (),
    remarks: Iterable[Diagnostic] = (),
) -> PackageReduction:
    """Resolve and adapt the files of one package.

    Args:
        package: The package.
        scans: Its parsed files, in any order.
        options: Options that shape results.
        unparsed: Paths of its other files.
        remarks: What is to be said about the bytes of these.
    """
    ordered = tuple(sorted(scans, key=lambda scan: scan.file_path))
    table = ClassTable(ordered, unparsed)
    resolution = resolve_classes(table, options.framework_bases)
    manifest = ManifestAdapter(table, package.name, package.version).to_manifest(resolution.classes)
    diagnostics = [
        *remarks,
        *(error for scan in ordered for error in scan.errors),
        *resolution.diagnostics,
        *manifest.diagnostics,
        *(finding_diagnostic(finding) for finding in lint_numeric_precision(ordered)),
    ]
    result = PackageResult(
        package,
        len(ordered) + len(unparsed),
        ordered,
        resolution.classes,
        manifest.document,
        merge_smrt_imports(ordered),
        in_artifact_order(diagnostics),
    )
    return PackageReduction(result, table.wanted)


def merge_smrt_imports(scans: Iterable[FileScan]) -> dict[str, tuple[str, ...]]:
    """Unite what several files import from SMRT packages, modules and names sorted."""
    merged: dict[str, set[str]] = {}
    for scan in scans:
        for module, names in scan.smrt_imports.items():
            merged.setdefault(module, set()).update(names)
    return {module: tuple(sorted(merged[module])) for module in sorted(merged)}
