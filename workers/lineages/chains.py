"""Chains of classes, and where the members of a class come from.

The rules are those by which manifests are made (:mod:`scanner.inheritance`): a class with a table of its own has the
fields that it declares; one that shares the table of its root has those of its whole chain, and of two fields with one
name that of the furthest ancestor.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from scanner.inheritance import MAX_CHAIN_LENGTH
from scanner.lineage import ParentRule
from workers.lineages.records import FoundParent, LineageClass, Member, PackageLineage


class ChainEnd(Enum):
    """Why a chain goes no further."""

    NO_PARENT = "no-parent"
    """The last class extends nothing that has a name."""

    FRAMEWORK = "framework"
    """The next one, or the last one itself, is a base class of the framework."""

    EXTERNAL = "external"
    """The next one is outside of the scanned directory."""

    NOT_FOUND = "not-found"
    """Nothing has the name of the next one."""

    CYCLE = "cycle"
    """The next one is in the chain already."""

    TOO_LONG = "too-long"
    """More ancestors were not followed."""


_ENDS: Final = {
    ParentRule.FRAMEWORK: ChainEnd.FRAMEWORK,
    ParentRule.EXTERNAL: ChainEnd.EXTERNAL,
}


@dataclass(frozen=True, slots=True)
class Chain:
    """A class with its ancestors.

    Attributes:
        classes: The class itself, then its parent, and so on.
        end: Why it goes no further.
        beyond: What the last class extends, if anything.
    """

    classes: tuple[LineageClass, ...]
    end: ChainEnd
    beyond: FoundParent | None


@dataclass(frozen=True, slots=True)
class Declaration:
    """A member with the class that declares it."""

    owner: LineageClass
    member: Member


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a member of a class comes from.

    Attributes:
        name: Its name.
        declared: The declaration that counts; None when the lineage has none.
        overrides: Declarations of ancestors further up that this one replaces, the nearest first.
        redeclared: Declarations nearer to the class that do not count, since the fields of a shared table are those of
            the furthest ancestor; the nearest first.
    """

    name: str
    declared: Declaration | None
    overrides: tuple[Declaration, ...] = ()
    redeclared: tuple[Declaration, ...] = ()


def chain_of(lineage: PackageLineage, start: LineageClass) -> Chain:
    """Return a class of a lineage with its ancestors."""
    classes = [start]
    seen = {(start.place.file_path, start.place.class_name)}
    while True:
        last = classes[-1]
        parent = last.parent
        if parent is None:
            # A class that extends something and still has no parent bears the name of a framework base.
            end = ChainEnd.NO_PARENT if last.extends is None else ChainEnd.FRAMEWORK
            return Chain(tuple(classes), end, None)
        if parent.place is None:
            return Chain(tuple(classes), _ENDS.get(parent.rule, ChainEnd.NOT_FOUND), parent)
        key = parent.place.file_path, parent.place.class_name
        if key in seen:
            return Chain(tuple(classes), ChainEnd.CYCLE, parent)
        found = lineage.classes.get(parent.place)
        if found is None or len(classes) > MAX_CHAIN_LENGTH:
            return Chain(tuple(classes), ChainEnd.TOO_LONG, parent)
        seen.add(key)
        classes.append(found)


def field_origins(chain: Chain, names: Iterable[str]) -> list[Origin]:
    """Return where fields of a class come from, given their names in the manifest."""
    is_shared = chain.classes[0].is_sti
    return [_field_origin(chain.classes, name, is_shared=is_shared) for name in names]


def method_origins(chain: Chain, names: Iterable[str]) -> list[Origin]:
    """Return where methods of a class come from, given their names in the manifest: it lists a class's own."""
    start = chain.classes[0]
    origins = []
    for name in names:
        own = [member for member in start.methods if member.name == name]
        if not own:
            origins.append(Origin(name, None))
            continue
        above = (
            Declaration(owner, member)
            for owner in chain.classes[1:]
            if (member := _member(owner.methods, name, is_static=own[-1].is_static)) is not None
        )
        origins.append(Origin(name, Declaration(start, own[-1]), tuple(above)))
    return origins


def _field_origin(classes: Sequence[LineageClass], name: str, *, is_shared: bool) -> Origin:
    found = [
        Declaration(owner, member)
        for owner in classes
        if (member := _member(owner.fields, name, is_static=False)) is not None
    ]
    if is_shared and found:
        return Origin(name, found[-1], redeclared=tuple(found[:-1]))
    if found and found[0].owner is classes[0]:
        return Origin(name, found[0], overrides=tuple(found[1:]))
    return Origin(name, None)


def _member(members: Iterable[Member], name: str, *, is_static: bool) -> Member | None:
    return next((member for member in members if member.name == name and member.is_static == is_static), None)
