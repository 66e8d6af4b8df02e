"""Which SMRT classes of other packages a package really uses, so that everything else can be shaken off.

A class counts when an import of the package leads to it and one of the package's models, or an ancestor of these in
the package, has it as parent, type argument of the parent, type of a field, or target of a relation. In the tree,
classes that are models count; outside of it, framework bases and what SMRT packages export.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from scanner.class_table import ClassTable, LookupRule
from scanner.extraction.imports import SMRT_MODULE_PREFIX, may_name_class
from scanner.inheritance import ClassResolver, Derivation
from scanner.manifest.field_options import RELATION_DECORATORS
from scanner.manifest.inference import META_TYPE
from scanner.module_paths import is_relative
from scanner.plain_records import PlainRecord
from scanner.records import RawClass, RawField
from scanner.resolution.names import Hop
from scanner.type_expressions import TypeExpression, TypeKind

_Use: TypeAlias = tuple[RawClass | None, tuple[Hop, ...]]
"""The class that a name means, None when it is none of the tree, and the imports and re-exports that were followed."""


@dataclass(frozen=True, slots=True)
class ExternalClasses(PlainRecord):
    """SMRT classes that a package takes from one module of another package.

    Attributes:
        module: The module specifier as the package writes it.
        names: Their names in that module, sorted; ``default`` for its default export, dotted for a member of a
            namespace that it exports.
    """

    module: str
    names: tuple[str, ...]


def external_classes(
    table: ClassTable, derivations: Iterable[Derivation], resolver: ClassResolver
) -> tuple[ExternalClasses, ...]:
    """Return the SMRT classes of other packages that models of a package use, sorted by module.

    Args:
        table: The classes of the package.
        derivations: Its models with their ancestors.
        resolver: Tells which classes are models, and which names are framework bases.
    """
    used: dict[str, set[str]] = {}
    for found, hops in _uses(table, derivations):
        hop = _border(table, found, hops) if _is_smrt_class(table, found, hops, resolver) else None
        if hop is not None:
            used.setdefault(hop.module, set()).add(hop.name)
    return tuple(ExternalClasses(module, tuple(sorted(used[module]))) for module in sorted(used))


def _uses(table: ClassTable, derivations: Iterable[Derivation]) -> Iterator[_Use]:
    """Yield what each imported name means that models use, with the way to it."""
    seen: set[tuple[str, str]] = set()
    for derivation in derivations:
        raw, parent = derivation.raw, derivation.parent
        path = raw.file_path
        if not table.is_own(path):
            continue
        is_parent_known = parent is not None and bool(parent.hops)
        if parent is not None and is_parent_known:
            yield parent.raw if parent.rule is LookupRule.IMPORT else None, parent.hops
        for name in _names_used_by(raw, has_parent=not is_parent_known):
            first = name.partition(".")[0]
            if table.binding(path, first) is None or (path, name) in seen:
                continue
            seen.add((path, name))
            if table.declared_here(path, first) is None:
                followed = table.follow_class(path, tuple(name.split(".")))
                yield followed.found, followed.hops


def _names_used_by(raw: RawClass, *, has_parent: bool) -> Iterator[str]:
    if raw.parent_name is not None and has_parent:
        yield raw.parent_name
    if raw.extends_type_arg is not None:
        yield from _names_in(raw.extends_type_arg)
    for field in raw.fields:
        if field.type_annotation is not None and field.type_annotation.kind is not TypeKind.KEYWORD:
            yield from _names_in(field.type_annotation)
        if field.decorators:
            yield from _relation_targets(field)


def _names_in(expression: TypeExpression) -> Iterator[str]:
    if expression.kind is TypeKind.REFERENCE:
        yield expression.word
    for part in expression.parts:
        yield from _names_in(part)


def _relation_targets(field: RawField) -> Iterator[str]:
    for use in field.decorators:
        target = use.readings[0].relation if use.readings and use.name in RELATION_DECORATORS else None
        if target is not None:
            yield target


def _is_smrt_class(
    table: ClassTable, found: RawClass | None, hops: tuple[Hop, ...], resolver: ClassResolver
) -> bool:
    if found is not None:
        return resolver.is_model(found)
    if not hops or is_relative(hops[-1].module):
        return False
    if table.route(hops[-1].file_path, hops[-1].module).is_in_tree:
        return False
    module, name = hops[-1].module, hops[-1].name.rpartition(".")[2]
    is_from_smrt = module.startswith(SMRT_MODULE_PREFIX) and name != META_TYPE
    return name in resolver.bases or (is_from_smrt and may_name_class(name))


def _border(table: ClassTable, found: RawClass | None, hops: tuple[Hop, ...]) -> Hop | None:
    """Return the first import or re-export of the package that leads out of it; None when none does."""
    ends = (*(hop.file_path for hop in hops[1:]), None if found is None else found.file_path)
    return next(
        (hop for hop, end in zip(hops, ends, strict=True) if end is None or not table.is_own(end)), None
    )
