"""One package of a scan: from the scans of its files to its result, as far as they were added."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from scanner.class_table import ClassTable, Neighbours
from scanner.diagnostics import Diagnostic
from scanner.external_classes import ExternalClasses, external_classes
from scanner.idle_sources import leads_of_record
from scanner.inheritance import ClassResolver, ResolvedClass
from scanner.lineage import lineage_document
from scanner.manifest import ManifestAdapter
from scanner.module_paths import stays_within
from scanner.numeric_precision import finding_diagnostic, lint_numeric_precision
from scanner.options import Resolution, ScanOptions
from scanner.packages import Package
from scanner.records import DeclaredNames, FileRole, FileScan, SealedScan
from scanner.serialization import JsonValue


@dataclass(frozen=True, slots=True)
class PackageResult:
    """What one package holds.

    Attributes:
        package: The package.
        file_count: How many files of it are read for classes.
        scans: Those of them that were parsed, in path order.
        classes: Its models.
        manifest: Its manifest as JSON data.
        lineage: Where its models come from, as JSON data.
        smrt_imports: SMRT modules it imports, with the names taken from each.
        external_classes: SMRT classes of other packages that its models use.
        diagnostics: Everything to be said about its files, sorted.
        links: Directories of the other packages that its imports may lead to.
        consulted: Configuration files outside the scan's sources that say so, absent ones too.
        idle: Its idle sources by path; those that models led to are among the scans as well.
    """

    package: Package
    file_count: int
    scans: tuple[FileScan, ...]
    classes: tuple[ResolvedClass, ...]
    manifest: dict[str, JsonValue]
    lineage: dict[str, JsonValue]
    smrt_imports: Mapping[str, tuple[str, ...]]
    external_classes: tuple[ExternalClasses, ...]
    diagnostics: tuple[Diagnostic, ...]
    links: tuple[str, ...] = ()
    consulted: tuple[str, ...] = ()
    idle: Mapping[str, FileScan | SealedScan] = field(default_factory=dict)


class Neighbourhood(Neighbours, Protocol):
    """The packages around one package, in the making.

    Attributes:
        state: A number that is another one after each change of any of the packages.
    """

    state: int

    def reached_from(self, fold: PackageFold) -> list[PackageFold]:
        """Return the packages that imports may lead to from a package, over others too, itself among them."""


@dataclass(frozen=True, slots=True)
class PackageReduction:
    """What a package comes to, and which states of it and of the packages that it can reach that hangs on."""

    result: PackageResult
    states: tuple[tuple[str, int], ...]


class PackageFold:
    """The files of one package: parsed, known by the names they may declare, or not looked at.

    Args:
        package: The package.
        paths: Its files that are read for classes.
        options: Options that shape results.
        around: The packages around it.
    """

    def __init__(
        self, package: Package, paths: Iterable[str], options: ScanOptions, around: Neighbourhood
    ) -> None:
        self.package = package
        self._options = options
        self._around = around
        self._paths = frozenset(paths)
        self._parsed: dict[str, FileScan] = {}
        self._listed: dict[str, DeclaredNames] = {}
        self._idle: dict[str, FileScan | SealedScan] = {}
        self._remarks: dict[str, tuple[Diagnostic, ...]] = {}
        self._state = 0
        self._checked_at = -1
        self._bases: tuple[int, frozenset[str]] = (-1, frozenset())
        self._table: ClassTable | None = None
        self._reduction: PackageReduction | None = None
        self._consulted: set[str] = set()
        self._published: set[str] = set()
        self._suspects: set[str] = set()
        self.links: set[str] = set()

    def add(self, scan: FileScan) -> None:
        """Add the scan of a file, the names that it may declare, or the modules that it may take classes from."""
        path = scan.file_path
        self._note_links(path, _modules_of(scan))
        if scan.is_parsed:
            self._listed.pop(path, None)
            self._remarks.pop(path, None)
            self._parsed[path] = scan
            self._change()
            return
        if scan.declared is not None:
            self._listed[path] = scan.declared
        self._note_remarks(path, scan.errors)

    def add_idle(self, scan: FileScan | SealedScan) -> None:
        """Add the record of an idle source, to be taken in when models may lead to it."""
        self._idle[scan.file_path] = scan
        self._note_links(scan.file_path, leads_of_record(scan))
        self._note_remarks(scan.file_path, scan.errors)

    def take_in_idle(self, opened: Callable[[SealedScan], FileScan]) -> bool:
        """Add the records of idle sources like any others; tell whether there were more of them."""
        waiting = [self._idle[path] for path in sorted(self._idle.keys() - self._parsed.keys())]
        for scan in waiting:
            self.add(opened(scan) if isinstance(scan, SealedScan) else scan)
        return bool(waiting)

    def _note_remarks(self, path: str, remarks: tuple[Diagnostic, ...]) -> None:
        if remarks != self._remarks.get(path, ()):
            self._remarks[path] = remarks
            self._change()

    def _change(self) -> None:
        self._state += 1
        self._around.state += 1
        self._table = None

    def _note_links(self, path: str, modules: Iterable[str]) -> None:
        if self._options.resolution is Resolution.NAMES:
            return
        for module in dict.fromkeys(modules):
            # What stays within the package may be in a package below it, to which the fold leads anyway.
            if stays_within(path, module, self.package.directory):
                continue
            route = self._around.route(path, module)
            new = route.packages - self.links - {self.package.directory}
            if new:
                self.links |= new
                self._around.state += 1
            self._consulted.update(route.consulted)
            if not route.published <= self._published:
                self._published |= route.published
                self._around.state += 1
            if route.has_unknown_models:
                self._suspects.add(path)

    def scans(self) -> Iterator[FileScan]:
        """Yield the scans of the files that were parsed, and what is to be said about the others."""
        yield from self._parsed.values()
        for path, remarks in self._remarks.items():
            yield FileScan(path, FileRole.CLASSES, errors=remarks)

    @property
    def table(self) -> ClassTable:
        """What names mean in the package, as far as it is parsed."""
        if self._table is None:
            unparsed = self._paths - self._parsed.keys()
            is_alone = self._options.resolution is Resolution.NAMES
            self._table = ClassTable(
                self._parsed.values(), unparsed, None if is_alone else self._around, follows=not is_alone
            )
        return self._table

    def reduced(self) -> PackageReduction:
        """Resolve and adapt what is parsed so far."""
        if self._reduction is not None and self._checked_at == self._around.state:
            return self._reduction
        reached = self._around.reached_from(self)
        states = tuple((fold.package.directory, fold._state) for fold in reached)  # noqa: SLF001 -- its own kind
        if self._reduction is None or self._reduction.states != states:
            remarks = [remark for remarks in self._remarks.values() for remark in remarks]
            unparsed = self._paths - self._parsed.keys()
            result = reduce_package(
                self.package, self._parsed.values(), self._options, self.table, unparsed, remarks
            )
            result = replace(
                result,
                links=tuple(sorted(self.links)),
                consulted=tuple(sorted(self._consulted)),
                idle=dict(self._idle),
            )
            self._reduction = PackageReduction(result, states)
        self._checked_at = self._around.state
        return self._reduction

    def take_result(self) -> PackageResult:
        """Return what the package comes to, and keep no copy; what names mean in it can still be asked."""
        result = self.reduced().result
        self._reduction = None
        return result

    def has_models(self) -> bool:
        """Tell whether any class parsed so far is a model."""
        return any(scan.classes for scan in self._parsed.values()) and bool(self.reduced().result.classes)

    def may_have_models(self) -> bool:
        """Tell whether any class parsed so far is a model, or may be one by way of names that its base has elsewhere.

        That is so where a file exports what may be a base under another name, and where imports lead to models that
        an installed package publishes.
        """
        # Resolving comes first in any case: it notes what other packages are wanted for.
        return (
            self.has_models()
            or self._leads_to_published()
            or any(any(scan.renamed_exports()) for scan in self._parsed.values())
        )

    def _leads_to_published(self) -> bool:
        return bool(self._published) or self.has_unknown_bases()

    def has_unknown_bases(self) -> bool:
        """Tell whether an import may lead to an installed package whose models are not all known."""
        return bool(self._suspects)

    def may_lead_to_models(self) -> bool:
        """Tell whether any class or export parsed so far could be a model, or the way to one."""
        return self._leads_to_published() or any(
            scan.classes or scan.exports for scan in self._parsed.values()
        )

    def is_consulted(self) -> bool:
        """Tell whether a class of another package led to names whose meaning unparsed files here may decide."""
        wanted = self.table.wanted
        return self.table.serves_others and bool(wanted.exports or wanted.classes or wanted.aliases)

    def unknown_paths(self) -> frozenset[str]:
        """Return the files of which nothing is known yet."""
        return self._paths - self._parsed.keys() - self._listed.keys()

    def wanted_paths(self) -> set[str]:
        """Return the unparsed files that could change what the package or one that imports it comes to.

        These are files that an import leads to if they may have what it imports, files that may declare a class or
        type looked up by its bare name, namesakes of models, files with a class that may extend a model, and, where
        an import may lead to an installed package whose models are not all known, files with a class that extends
        anything.
        """
        models = self._model_names()
        reached = self._around.reached_from(self)
        bases = set().union(*(fold.base_names() for fold in reached))
        any_base = any(fold.has_unknown_bases() for fold in reached)
        wanted = self.table.wanted
        return {
            path
            for path, names in self._listed.items()
            if wanted.may_be_in(path, names)
            or path in self._suspects
            or (any_base and names.parents)
            or not models.isdisjoint(names.classes)
            or not bases.isdisjoint(names.parents)
        }

    def _model_names(self) -> set[str]:
        return {resolved.raw.class_name for resolved in self.reduced().result.classes}

    def base_names(self) -> frozenset[str]:
        """Return the names under which models of the package, or bases that it exports anew, may be extended."""
        if self._bases[0] != self._around.state:
            renamed = (scan.renamed_exports() for scan in self._parsed.values())
            self._bases = self._around.state, frozenset(self._model_names().union(self._published, *renamed))
        return self._bases[1]


def _modules_of(scan: FileScan) -> Iterator[str]:
    """Yield the modules that a file may take classes from."""
    yield from scan.leads or ()
    yield from (binding.module for binding in scan.imports)
    yield from (export.module for export in scan.exports if export.module is not None)


def reduce_package(
    package: Package,
    scans: Iterable[FileScan],
    options: ScanOptions,
    table: ClassTable | None = None,
    unparsed: Collection[str] = (),
    remarks: Iterable[Diagnostic] = (),
) -> PackageResult:
    """Resolve and adapt the files of one package.

    Args:
        package: The package.
        scans: Its parsed files, in any order.
        options: Options that shape results.
        table: The table that these make among their neighbours; one of their own when None.
        unparsed: Paths of its other files.
        remarks: What is to be said about the bytes of these.
    """
    ordered = tuple(sorted(scans, key=lambda scan: scan.file_path))
    table = table or ClassTable(ordered, unparsed)
    resolver = ClassResolver(table, options.framework_bases)
    resolution = resolver.resolve_all()
    manifest = ManifestAdapter(table, package.name, package.version).to_manifest(resolution.classes)
    diagnostics = [*remarks, *resolution.diagnostics, *manifest.diagnostics, *table.remarks]
    return PackageResult(
        package,
        len(ordered) + len(unparsed),
        ordered,
        resolution.classes,
        manifest.document,
        lineage_document(package, resolution, table, resolver.bases),
        merge_smrt_imports(ordered),
        external_classes(table, resolution.derivations, resolver),
        in_artifact_order((*diagnostics, *_remarks_of(ordered))),
    )


def _remarks_of(scans: Iterable[FileScan]) -> Iterator[Diagnostic]:
    """Yield what is to be said about parsed files one by one."""
    scans = list(scans)
    yield from (error for scan in scans for error in scan.errors)
    yield from map(finding_diagnostic, lint_numeric_precision(scans))


def merge_smrt_imports(scans: Iterable[FileScan]) -> dict[str, tuple[str, ...]]:
    """Unite what several files import from SMRT packages, modules and names sorted."""
    merged: dict[str, set[str]] = {}
    for scan in scans:
        for module, names in scan.smrt_imports.items():
            merged.setdefault(module, set()).update(names)
    return {module: tuple(sorted(merged[module])) for module in sorted(merged)}


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
