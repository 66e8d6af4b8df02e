"""What packages and whole projects come to in the artifacts, without the records of their files.

An outcome holds finished bytes where the artifacts show a package as it is, and records where they show many packages
together. It is far smaller than the file scans behind it, and all that is needed of a package that did not change.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from scanner.diagnostics import CODES, Diagnostic
from scanner.external_classes import ExternalClasses
from scanner.idle_sources import class_count, class_lines
from scanner.options import Depth, ScanOptions
from scanner.package_fold import PackageResult, in_artifact_order, reduce_package
from scanner.packages import Package
from scanner.project import ToolNames, check_tool_names, merge_surface, surface_diagnostic
from scanner.records import FileRole, FileScan
from scanner.selection import PackageSelection, select_packages
from scanner.serialization import encode_document, encode_line
from scanner.surface.merge import merge_agent_surfaces
from scanner.surface.records import AgentSurface
from scanner.workspaces import Workspaces

_NO_WORKSPACES: Final = Workspaces()


@dataclass(frozen=True, slots=True)
class PackageFacts:
    """What one package comes to, in records.

    Attributes:
        package: The package.
        files: How many sources of classes it has; one without any stands in no list of packages.
        classes: How many classes these hold.
        models: How many of them are models.
        smrt_imports: SMRT modules they import, with the names taken from each.
        external_classes: SMRT classes of other packages that its models use.
        diagnostics: Everything to be said about these sources, sorted.
        other_diagnostics: Everything to be said about the package's other files.
        surface: The agent surface of all its files, merged.
        manifest_digest: SHA-256 of the manifest in hexadecimal.
        lineage_digest: SHA-256 of the lineage in hexadecimal.
        class_line_sizes: Bytes of the class lines of each source that has classes, by path, in path order.
        links: Directories of the other packages that its imports may lead to.
        consulted: Configuration files that say so, those among them that were looked for and are not there.
    """

    package: Package
    files: int
    classes: int
    models: int
    smrt_imports: Mapping[str, tuple[str, ...]]
    external_classes: tuple[ExternalClasses, ...]
    diagnostics: tuple[Diagnostic, ...]
    other_diagnostics: tuple[Diagnostic, ...]
    surface: AgentSurface
    manifest_digest: str
    lineage_digest: str
    class_line_sizes: Mapping[str, int]
    links: tuple[str, ...] = ()
    consulted: tuple[str, ...] = ()

    @property
    def findings(self) -> Iterator[Diagnostic]:
        """Everything to be said about the package's files."""
        yield from self.diagnostics
        yield from self.other_diagnostics


@dataclass(frozen=True, slots=True)
class PackageOutcome:
    """What one package comes to.

    Attributes:
        facts: Its part in what artifacts say about many packages.
        manifest: Its manifest, as the artifact holds it.
        lineage: Where its models come from, as the artifact holds it.
        class_lines: The raw record of every class, one a line, in path order, then source order; empty unless the
            depth is full.
    """

    facts: PackageFacts
    manifest: bytes
    lineage: bytes
    class_lines: bytes

    @property
    def package(self) -> Package:
        """The package."""
        return self.facts.package

    def class_lines_by_path(self) -> Iterator[tuple[str, memoryview]]:
        """Yield the path of each source that has classes with a view of its class lines, in path order."""
        lines, start = memoryview(self.class_lines), 0
        for path, size in self.facts.class_line_sizes.items():
            yield path, lines[start : start + size]
            start += size


@dataclass(frozen=True, slots=True)
class PackageGlimpse:
    """What a package adds to a scan that does not ask for it.

    Attributes:
        package: The package.
        files: How many sources of classes it has.
        surface: The agent surface of all its files, which is weighed against those of others.
        diagnostics: What was to be said about its files on the way.
    """

    package: Package
    files: int
    surface: AgentSurface
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Narrowing:
    """Which packages a scan shows, and what the others add.

    Attributes:
        selection: Which packages are asked for.
        glimpses: What those of the others add that have no outcome.
    """

    selection: PackageSelection
    glimpses: tuple[PackageGlimpse, ...] = ()


@dataclass(frozen=True, slots=True)
class ProjectOutcome:
    """What a whole scan comes to.

    Attributes:
        packages: The packages asked for that have sources of classes, in order of package directory.
        surface: The merged agent surface of the whole root, as far as the packages asked for declare it.
        diagnostics: Every diagnostic about the packages asked for, sorted by path and place.
        listed: All packages that have sources of classes, in order of package directory.
        selection: Which packages are asked for.
        workspaces: The workspaces of the tree.
    """

    packages: tuple[PackageOutcome, ...]
    surface: AgentSurface
    diagnostics: tuple[Diagnostic, ...]
    listed: tuple[Package, ...]
    selection: PackageSelection
    workspaces: Workspaces

    @property
    def has_unscanned_input(self) -> bool:
        """Whether some input could not be scanned at all."""
        return any(CODES[diagnostic.code].is_unscanned for diagnostic in self.diagnostics)

    def package_of_diagnostic(self) -> dict[Diagnostic, Package]:
        """Return the package that each diagnostic about a package's file belongs to."""
        return {
            diagnostic: outcome.package
            for outcome in self.packages
            for diagnostic in outcome.facts.diagnostics
        }


def outcome_of(result: PackageResult, others: Iterable[FileScan], options: ScanOptions) -> PackageOutcome:
    """Return what artifacts show of a package.

    Args:
        result: What its sources of classes come to.
        others: The scans of its other files.
        options: Options that shape results.
    """
    others = list(others)
    manifest, lineage = encode_document(result.manifest), encode_line(result.lineage)
    lines = dict(_class_lines(result)) if options.depth is Depth.FULL else {}
    facts = PackageFacts(
        package=result.package,
        files=result.file_count,
        classes=_class_count(result),
        models=len(result.classes),
        smrt_imports=result.smrt_imports,
        external_classes=result.external_classes,
        diagnostics=result.diagnostics,
        other_diagnostics=in_artifact_order(error for scan in others for error in scan.errors),
        surface=merge_surface([*result.scans, *others], options),
        manifest_digest=hashlib.sha256(manifest).hexdigest(),
        lineage_digest=hashlib.sha256(lineage).hexdigest(),
        class_line_sizes={path: len(content) for path, content in lines.items()},
        links=result.links,
        consulted=result.consulted,
    )
    return PackageOutcome(facts, manifest, lineage, b"".join(lines.values()))


def conclude_package(package: Package, scans: Iterable[FileScan], options: ScanOptions) -> PackageOutcome:
    """Reduce the files of one package, all of them parsed and in any order, to what artifacts show of them."""
    given = list(scans)
    sources = [scan for scan in given if scan.role is FileRole.CLASSES]
    others = [scan for scan in given if scan.role is not FileRole.CLASSES]
    return outcome_of(reduce_package(package, sources, options), others, options)


def _class_lines(result: PackageResult) -> Iterator[tuple[str, bytes]]:
    scans = {scan.file_path: scan for scan in result.scans}
    for path in sorted({*scans, *result.idle}):
        lines = class_lines(result.idle.get(path) or scans[path])
        if lines:
            yield path, lines


def _class_count(result: PackageResult) -> int:
    others = [scan for scan in result.scans if scan.file_path not in result.idle]
    return sum(map(class_count, (*others, *result.idle.values())))


def linked_to(changed: Collection[str], outcomes: Mapping[str, PackageOutcome]) -> set[str]:
    """Return the directories of those packages whose imports may lead to a changed one, over others too.

    Args:
        changed: Directories of packages.
        outcomes: What other packages came to before, by directory.
    """
    importers: dict[str, list[str]] = {}
    for directory, outcome in outcomes.items():
        for link in outcome.facts.links:
            importers.setdefault(link, []).append(directory)
    found: set[str] = set()
    pending = list(changed)
    while pending:
        new = set(importers.get(pending.pop(), ())) - found
        found |= new
        pending.extend(new)
    return found


def conclude_project(
    outcomes: Iterable[PackageOutcome],
    remarks: Iterable[Diagnostic] = (),
    narrowing: Narrowing | None = None,
    workspaces: Workspaces = _NO_WORKSPACES,
    tool_names: ToolNames | None = None,
) -> ProjectOutcome:
    """Put the outcomes of packages together.

    Args:
        outcomes: One outcome a package, in any order; packages that are not asked for may be among them.
        remarks: Diagnostics from discovery and from package.json files.
        narrowing: Which packages are shown, and what those without an outcome add; all are shown when None.
        workspaces: The workspaces of the tree.
        tool_names: Tool names registered elsewhere, to be compared with those of intents.
    """
    ordered = sorted(outcomes, key=lambda outcome: outcome.package.directory)
    narrowing = narrowing or Narrowing(select_packages((), (outcome.package for outcome in ordered)))
    selection, glimpses = narrowing.selection, narrowing.glimpses
    parts = [*(outcome.facts.surface for outcome in ordered), *(glimpse.surface for glimpse in glimpses)]
    surface = check_tool_names(merge_agent_surfaces(parts), tool_names)
    diagnostics = [
        *remarks,
        *(finding for outcome in ordered for finding in outcome.facts.findings),
        *(finding for glimpse in glimpses for finding in glimpse.diagnostics),
        *map(surface_diagnostic, surface.diagnostics),
    ]
    listed = [outcome.package for outcome in ordered if outcome.facts.files]
    listed += [glimpse.package for glimpse in glimpses if glimpse.files]
    return ProjectOutcome(
        tuple(item for item in ordered if item.facts.files and item.package in selection.chosen),
        selection.surface_of(surface),
        in_artifact_order(selection.diagnostics_of(diagnostics)),
        tuple(sorted(listed, key=lambda package: package.directory)),
        selection,
        workspaces,
    )
