"""Which SMRT classes of other packages a package really uses, so that everything else can be shaken off.

A class counts when an import of the package leads to it and one of the package's models, or an ancestor of these in
the package, has it as parent, type argument of the parent, type of a field, or target of a relation. In the tree,
classes that are models count; outside of it, framework bases and what SMRT packages export.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scanner.class_table import ClassTable
from scanner.extraction.imports import SMRT_MODULE_PREFIX, may_name_class
from scanner.inheritance import ClassResolver, Derivation
from scanner.manifest.field_options import RELATION_DECORATORS
from scanner.manifest.inference import META_TYPE
from scanner.module_paths import is_relative
from scanner.plain_records import PlainRecord
from scanner.records import RawClass, RawField
from scanner.resolution.names import Followed, Hop
from scanner.type_expressions import TypeExpression, TypeKind


@dataclass(frozen=True, slots=True)
class ExternalClasses(PlainRecord):
    """SMRT classes that a package takes from one module of another package.

    Attributes:
        module: The module specifier as the package writes it.
        names: Their names in that module, sorted; ``default`` for its default export.
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
    for path, name in _uses(table, derivations):
        followed = table.follow_class(path, tuple(name.split(".")))
        hop = _border(table, followed) if _is_smrt_class(followed, resolver) else None
        if hop is not None:
            used.setdefault(hop.module, set()).add(hop.name)
    return tuple(ExternalClasses(module, tuple(sorted(used[module]))) for module in sorted(used))


def _uses(table: ClassTable, derivations: Iterable[Derivation]) -> Iterator[tuple[str, str]]:
    """Yield each file of the package with each imported name that its models use, once."""
    seen: set[tuple[str, str]] = set()
    for derivation in derivations:
        path = derivation.raw.file_path
        if not table.is_own(path):
            continue
        for name in _names_used_by(derivation.raw):
            if (path, name) not in seen:
                seen.add((path, name))
                first = name.partition(".")[0]
                is_imported = table.binding(path, first) is not None
                if is_imported and table.declared_here(path, first) is None:
                    yield path, name


def _names_used_by(raw: RawClass) -> Iterator[str]:
    if raw.parent_name is not None:
        yield raw.parent_name
    if raw.extends_type_arg is not None:
        yield from _names_in(raw.extends_type_arg)
    for field in raw.fields:
        if field.type_annotation is not None:
            yield from _names_in(field.type_annotation)
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


def _is_smrt_class(followed: Followed[RawClass], resolver: ClassResolver) -> bool:
    if followed.found is not None:
        return resolver.is_model(followed.found)
    outside = followed.outside
    if outside is None or is_relative(outside.module):
        return False
    is_from_smrt = outside.module.startswith(SMRT_MODULE_PREFIX) and outside.name != META_TYPE
    return outside.name in resolver.bases or (is_from_smrt and may_name_class(outside.name))


def _border(table: ClassTable, followed: Followed[RawClass]) -> Hop | None:
    """Return the first import or re-export of the package that leads out of it; None when none does."""
    paths = [hop.file_path for hop in followed.hops[1:]]
    ends = (*paths, None if followed.found is None else followed.found.file_path)
    return next(
        (hop for hop, end in zip(followed.hops, ends, strict=True) if end is None or not table.is_own(end)),
        None,
    )
