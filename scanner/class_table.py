"""The classes and type aliases of one package, and what a name written in a file means among them.

A name is looked up where the code says it is: the same file, then the import that binds it (through re-exports), then
the bare name in the whole package (spec D15 and D22). Files are kept in path order, so nothing here depends on the order of arrival.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Protocol

from scanner.diagnostics import Diagnostic
from scanner.extraction.exports import DEFAULT_EXPORT
from scanner.js.values import JsValue
from scanner.module_paths import resolve_relative_module
from scanner.packages import Package
from scanner.published_classes import PublishedClass, PublishedScan
from scanner.records import DeclaredNames, ExportKind, FileScan, ImportBinding, RawClass
from scanner.resolution.modules import ModuleRoute, relative_route
from scanner.resolution.names import Followed, Hop, follow, follow_into
from scanner.type_expressions import TypeExpression


class LookupRule(Enum):
    """How the record of a parent was found."""

    SAME_FILE = "same-file"
    IMPORT = "import"
    BARE_NAME = "bare-name"


@dataclass(frozen=True, slots=True)
class ParentLookup:
    """What a class's ``extends`` means.

    Attributes:
        name: The parent's name as chains show it.
        raw: The parent's record when it is a class of the scan.
        rivals: Further classes that the bare name fits equally well, when only the name decided.
        member: The parent's own name when an import leads out of the package and gives it another one.
        rule: How the record was found; None without one.
        hops: The imports and re-exports that were followed, whether or not they led to the record.
    """

    name: str
    raw: RawClass | None
    rivals: tuple[RawClass, ...] = ()
    member: str | None = None
    rule: LookupRule | None = None
    hops: tuple[Hop, ...] = ()


@dataclass(frozen=True, slots=True)
class AliasLookup:
    """What a type name means.

    Attributes:
        path: The file that declares the alias.
        expression: What it stands for.
        rivals: Further files that declare the name with another meaning, when only the name decided.
    """

    path: str
    expression: TypeExpression
    rivals: tuple[str, ...] = ()


@dataclass(slots=True)
class WantedDeclarations:
    """What was looked up so far; a file that is not parsed yet and may declare any of it could change an answer.

    Attributes:
        exports: Unparsed files that imports lead to, with the names looked for in each.
        classes: Names of classes looked for in the whole package.
        aliases: Names of type aliases looked for in the whole package.
    """

    exports: dict[str, set[str]] = field(default_factory=dict)
    classes: set[str] = field(default_factory=set)
    aliases: set[str] = field(default_factory=set)

    def may_be_in(self, path: str, names: DeclaredNames) -> bool:
        """Tell whether a file may declare any of it, judged by the names that its bytes show."""
        sought = self.exports.get(path, ())
        return (
            (bool(sought) and (names.exports_others or DEFAULT_EXPORT in sought))
            or names.is_opaque
            or any(name in sought or name in self.classes for name in names.classes)
            or any(name in sought or name in self.aliases for name in names.aliases)
        )


class Neighbours(Protocol):
    """The packages around one package."""

    def route(self, importer: str, specifier: str) -> ModuleRoute:
        """Return where a module specifier leads from a file."""

    def table_of(self, path: str) -> ClassTable:
        """Return the table of the package that a file belongs to."""

    def package_of(self, path: str) -> Package:
        """Return the package that a file belongs to."""


class ClassTable:
    """The files of one package.

    Args:
        scans: The records of its parsed files.
        unparsed: Paths of its other files; imports that lead to them are noted as wanted.
        neighbours: The packages around it; without them, only relative imports within the package are followed.
        follows: Whether a name means what its file and imports say; else it means what bears it in the package.

    Attributes:
        wanted: What was looked up so far.
        remarks: What is wrong with configuration files that look-ups were led by.
        serves_others: Whether a class of another package was looked up here.
    """

    def __init__(
        self,
        scans: Iterable[FileScan],
        unparsed: Iterable[str] = (),
        neighbours: Neighbours | None = None,
        *,
        follows: bool = True,
    ) -> None:
        self._follows = follows
        self._neighbours = neighbours
        self.remarks: set[Diagnostic] = set()
        self.serves_others = False
        self._files = {scan.file_path: scan for scan in sorted(scans, key=lambda scan: scan.file_path)}
        self._unparsed = frozenset(unparsed)
        self._known_paths = self._files.keys() | self._unparsed
        self.wanted = WantedDeclarations()
        self._bindings: dict[str, dict[str, ImportBinding]] = {}
        self._by_name: dict[str, list[RawClass]] = {}
        self._aliases: dict[str, list[tuple[str, TypeExpression]]] = {}
        for scan in self._files.values():
            for raw in scan.classes:
                self._by_name.setdefault(raw.class_name, []).append(raw)
            for name, expression in scan.type_aliases.items():
                self._aliases.setdefault(name, []).append((scan.file_path, expression))

    @property
    def classes(self) -> list[RawClass]:
        """Every class record in path order, then source order."""
        return [raw for scan in self._files.values() for raw in scan.classes]

    def namesakes(self) -> Mapping[str, list[RawClass]]:
        """Return the classes of each name, in path order, then source order."""
        return self._by_name

    def parent(self, raw: RawClass) -> ParentLookup | None:
        """Return what *raw* extends; None when it extends nothing that has a name."""
        if raw.parent_name is None or raw.extends_clause is None:
            return None
        if isinstance(raw, PublishedClass):
            return self._published_parent(raw, raw.extends_clause)
        if (owner := self._owner_of(raw.file_path)) is not self:
            return owner.parent(raw)
        names = tuple(raw.parent_name.split("."))
        if not self._follows:
            return self._by_bare_name(raw, raw.extends_clause)
        own = self.declared_here(raw.file_path, names[0]) if len(names) == 1 else None
        if own is not None:
            return _known(own, LookupRule.SAME_FILE)
        followed = self.follow_class(raw.file_path, names)
        if followed.found is not None:
            return _known(followed.found, LookupRule.IMPORT, followed.hops)
        outside = None if followed.outside is None else followed.outside.name
        return replace(self._by_last_name(raw, names, outside), hops=followed.hops)

    def _published_parent(self, raw: PublishedClass, name: str) -> ParentLookup:
        """Look the parent of a published model up: in the same manifest, then in packages that its own depends on."""
        scan = self.scan_at(raw.file_path, name)
        own = None if scan is None else declared_class(scan, name)
        if own is not None:
            return _known(own, LookupRule.SAME_FILE)
        modules = scan.dependencies if isinstance(scan, PublishedScan) else ()
        followed = follow_into(self, raw.file_path, modules, name, declared_class)
        if followed.found is not None:
            return _known(followed.found, LookupRule.IMPORT, followed.hops)
        return ParentLookup(name, None)

    def declared_here(self, path: str, name: str) -> RawClass | None:
        """Return the class that a file of the package itself declares under a name."""
        scan = self._files.get(path)
        return None if scan is None else declared_class(scan, name)

    def follow_class(self, path: str, names: tuple[str, ...]) -> Followed[RawClass]:
        """Follow a name, a dotted one in its parts, that an import of a file binds, to the class that it means."""
        return follow(self, path, names, declared_class)

    def _by_last_name(self, raw: RawClass, names: tuple[str, ...], outside: str | None) -> ParentLookup:
        """Look a parent up that no import led to: by its bare name, else by the name that it has outside."""
        written = raw.extends_clause or names[-1]
        if len(names) == 1:
            found = self._by_bare_name(raw, written)
            is_renamed = found.raw is None and outside not in {None, written, DEFAULT_EXPORT}
            return replace(found, member=outside) if is_renamed else found
        if self.binding(raw.file_path, names[0]) is None:
            return ParentLookup(written, None)
        member = outside or names[-1]
        found = self._by_bare_name(raw, member)
        return found if found.raw is not None else ParentLookup(written, None, member=member)

    def _by_bare_name(self, child: RawClass, name: str) -> ParentLookup:
        self.wanted.classes.add(name)
        candidates = self._by_name.get(name, [])
        if not candidates:
            return ParentLookup(name, None)
        best = preferred_class(candidates)
        rivals = tuple(raw for raw in candidates if raw is not best and raw.file_path != best.file_path)
        return ParentLookup(
            best.class_name, best, rivals if child not in rivals else (), rule=LookupRule.BARE_NAME
        )

    def scan_at(self, path: str, name: str) -> FileScan | None:
        """Return the record of a file; what is looked for in an unparsed one is wanted from now on."""
        if (owner := self._owner_of(path)) is not self:
            return owner.scan_at(path, name)
        if path in self._unparsed:
            self.wanted.exports.setdefault(path, set()).add(name)
        return self._files.get(path)

    def binding(self, path: str, name: str) -> ImportBinding | None:
        """Return the import that binds a name in a file, the last of several."""
        if (owner := self._owner_of(path)) is not self:
            return owner.binding(path, name)
        if path not in self._bindings:
            scan = self._files.get(path)
            imports = () if scan is None else scan.imports
            self._bindings[path] = {binding.local: binding for binding in imports}
        return self._bindings[path].get(name)

    def target(self, importer: str, specifier: str) -> str | None:
        """Return the file that a module specifier means."""
        route = self.route(importer, specifier)
        self.remarks.update(route.diagnostics)
        return route.target

    def route(self, importer: str, specifier: str) -> ModuleRoute:
        """Return where a module specifier leads from a file, and what says so."""
        if self._neighbours is None:
            return relative_route(resolve_relative_module(importer, specifier, self._known_paths))
        return self._neighbours.route(importer, specifier)

    def is_own(self, path: str) -> bool:
        """Tell whether a file belongs to this package."""
        return self._neighbours is None or path in self._known_paths

    def foreign_package(self, path: str) -> Package | None:
        """Return the other package that a file belongs to; None for a file of this one."""
        return None if self._neighbours is None or self.is_own(path) else self._neighbours.package_of(path)

    def _owner_of(self, path: str) -> ClassTable:
        """Return the table of the package that a file belongs to."""
        if self._neighbours is None or path in self._known_paths:
            return self
        owner = self._neighbours.table_of(path)
        owner.serves_others = True
        return owner

    def alias(self, path: str, name: str) -> AliasLookup | None:
        """Return the type alias that *name* means in the file *path*."""
        if (table := self._owner_of(path)) is not self:
            return table.alias(path, name)
        scan = self._files.get(path) if self._follows else None
        found = None if scan is None else declared_alias(scan, name)
        if found is None and self._follows:
            found = follow(self, path, (name,), declared_alias).found
        if found is not None:
            return found
        self.wanted.aliases.add(name)
        owners = self._aliases.get(name)
        if owners is None:
            return None
        (owner, expression), *others = owners
        return AliasLookup(
            owner, expression, tuple(other for other, meaning in others if meaning != expression)
        )


def _known(raw: RawClass, rule: LookupRule, hops: tuple[Hop, ...] = ()) -> ParentLookup:
    return ParentLookup(raw.class_name, raw, rule=rule, hops=hops)


def declared_class(scan: FileScan, name: str) -> RawClass | None:
    """Return the class that a file declares under a name, the last of several; ``default`` means its default export."""
    if name == DEFAULT_EXPORT:
        return next((raw for raw in scan.classes if raw.export_kind is ExportKind.DEFAULT), None)
    return next((raw for raw in reversed(scan.classes) if raw.class_name == name), None)


def declared_alias(scan: FileScan, name: str) -> AliasLookup | None:
    """Return the type alias that a file declares under a name."""
    expression = scan.type_aliases.get(name)
    return None if expression is None else AliasLookup(scan.file_path, expression)


def preferred_class(candidates: Iterable[RawClass]) -> RawClass:
    """Return the class that wins a shared name: decorated before undecorated, then the smaller path, then the later."""
    ordered = sorted(
        enumerate(candidates), key=lambda item: (not item[1].has_smart_decorator, item[1].file_path, -item[0])
    )
    return ordered[0][1]


def config_value(raw: RawClass | None, key: str) -> JsValue:
    """Return a value of a class's decorator config, None when there is none."""
    return None if raw is None or raw.decorator_config is None else raw.decorator_config.get(key)
