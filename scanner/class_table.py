"""The classes and type aliases of one package, and what a name written in a file means among them.

A name is looked up where the code says it is: the same file, then the import that binds it, then the bare name in
the whole package (spec D15 and D22). Files are kept in path order, so nothing here depends on the order of arrival.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from scanner.js.values import JsValue
from scanner.module_paths import resolve_relative_module
from scanner.records import ExportKind, FileScan, ImportBinding, ImportForm, RawClass
from scanner.type_expressions import TypeExpression


@dataclass(frozen=True, slots=True)
class ParentLookup:
    """What a class's ``extends`` means.

    Attributes:
        name: The parent's name as chains show it.
        raw: The parent's record when it is one of the package's classes.
        rivals: Further classes that the bare name fits equally well, when only the name decided.
        member: The member's own name when the parent is reached through a namespace import.
    """

    name: str
    raw: RawClass | None
    rivals: tuple[RawClass, ...] = ()
    member: str | None = None


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
        paths: Unparsed files that imports lead to.
        classes: Names of classes looked for in the whole package.
        aliases: Names of type aliases looked for in the whole package.
    """

    paths: set[str] = field(default_factory=set)
    classes: set[str] = field(default_factory=set)
    aliases: set[str] = field(default_factory=set)


class ClassTable:
    """The files of one package.

    Args:
        scans: The records of its parsed files.
        unparsed: Paths of its other files; imports that lead to them are noted as wanted.
    """

    def __init__(self, scans: Iterable[FileScan], unparsed: Iterable[str] = ()) -> None:
        self._files = {scan.file_path: scan for scan in sorted(scans, key=lambda scan: scan.file_path)}
        self._unparsed = frozenset(unparsed)
        self._known_paths = self._files.keys() | self._unparsed
        self.wanted = WantedDeclarations()
        self._bindings: dict[str, Mapping[str, ImportBinding]] = {}
        self._by_name: dict[str, list[RawClass]] = {}
        self._aliases: dict[str, list[tuple[str, TypeExpression]]] = {}
        for scan in self._files.values():
            self._bindings[scan.file_path] = {binding.local: binding for binding in scan.imports}
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
        owner, _, member = raw.parent_name.partition(".")
        binding = self._bindings[raw.file_path].get(owner) if raw.file_path in self._bindings else None
        if not member:
            found = self._class_in_file(raw.file_path, owner) or self._imported_class(raw.file_path, binding)
            return _known(found) if found is not None else self._by_bare_name(raw, raw.extends_clause)
        if binding is None or binding.form is not ImportForm.NAMESPACE or "." in member:
            return ParentLookup(raw.extends_clause, None)
        found = self._member_class(raw.file_path, binding, member)
        self.wanted.classes.add(member)
        if found is not None or member in self._by_name:
            return _known(found) if found is not None else self._by_bare_name(raw, member)
        return ParentLookup(raw.extends_clause, None, member=member)

    def _by_bare_name(self, child: RawClass, name: str) -> ParentLookup:
        self.wanted.classes.add(name)
        candidates = self._by_name.get(name, [])
        if not candidates:
            return ParentLookup(name, None)
        best = preferred_class(candidates)
        rivals = tuple(raw for raw in candidates if raw is not best and raw.file_path != best.file_path)
        return ParentLookup(best.class_name, best, rivals if child not in rivals else ())

    def _class_in_file(self, path: str, name: str) -> RawClass | None:
        scan = self._files.get(path)
        found = None
        for raw in scan.classes if scan is not None else ():
            if raw.class_name == name:
                found = raw
        return found

    def _imported_file(self, path: str, binding: ImportBinding) -> str | None:
        target = resolve_relative_module(path, binding.module, self._known_paths)
        if target is not None and target in self._unparsed:
            self.wanted.paths.add(target)
            return None
        return target

    def _imported_class(self, path: str, binding: ImportBinding | None) -> RawClass | None:
        target = None if binding is None else self._imported_file(path, binding)
        if binding is None or target is None:
            return None
        if binding.imported == "default":
            exported = (raw for raw in self._files[target].classes if raw.export_kind is ExportKind.DEFAULT)
            return next(exported, None) or self._class_in_file(target, binding.local)
        return self._class_in_file(target, binding.imported)

    def _member_class(self, path: str, binding: ImportBinding, member: str) -> RawClass | None:
        target = self._imported_file(path, binding)
        return None if target is None else self._class_in_file(target, member)

    def alias(self, path: str, name: str) -> AliasLookup | None:
        """Return the type alias that *name* means in the file *path*."""
        scan = self._files.get(path)
        if scan is not None and name in scan.type_aliases:
            return AliasLookup(path, scan.type_aliases[name])
        binding = self._bindings.get(path, {}).get(name)
        target = None if binding is None else self._imported_file(path, binding)
        if (
            binding is not None
            and target is not None
            and binding.imported in self._files[target].type_aliases
        ):
            return AliasLookup(target, self._files[target].type_aliases[binding.imported])
        self.wanted.aliases.add(name)
        owners = self._aliases.get(name)
        if owners is None:
            return None
        (owner, expression), *others = owners
        return AliasLookup(
            owner, expression, tuple(other for other, meaning in others if meaning != expression)
        )


def _known(raw: RawClass) -> ParentLookup:
    return ParentLookup(raw.class_name, raw)


def preferred_class(candidates: Iterable[RawClass]) -> RawClass:
    """Return the class that wins a shared name: decorated before undecorated, then the smaller path, then the later."""
    ordered = sorted(
        enumerate(candidates), key=lambda item: (not item[1].has_smart_decorator, item[1].file_path, -item[0])
    )
    return ordered[0][1]


def config_value(raw: RawClass | None, key: str) -> JsValue:
    """Return a value of a class's decorator config, None when there is none."""
    return None if raw is None or raw.decorator_config is None else raw.decorator_config.get(key)
