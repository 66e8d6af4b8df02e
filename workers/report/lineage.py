"""Which class a class of the page extends, and which class a field comes from, as the lineages of the run say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workers.changes.values import as_mapping
from workers.lineages.chains import Declaration, chain_of, field_origins
from workers.lineages.records import ClassPlace, FoundParent, LineageClass, PackageLineage


@dataclass(frozen=True, slots=True)
class ListedClass:
    """A class of the page.

    Attributes:
        key: What links call it; no other class has the same.
        package: Number of its package; None when that is not known.
        name: Class name.
        content: Its manifest entry, or its raw record when no manifest has it.
        record: Its raw record, where the run wrote these.
        is_in_manifest: Whether *content* is a manifest entry.
    """

    key: str
    package: int | None
    name: str
    content: Mapping[str, Any]
    record: Mapping[str, Any] | None
    is_in_manifest: bool

    @property
    def place(self) -> tuple[str, str]:
        """Its file and name."""
        return str(self.content.get("filePath", "")), self.name

    @property
    def extended_name(self) -> str | None:
        """The text after `extends`."""
        value = self.content.get("extends" if self.is_in_manifest else "extendsClause")
        return value if isinstance(value, str) else None

    @property
    def config(self) -> Mapping[str, Any]:
        """The config of its `@smrt()`."""
        return as_mapping(self.content.get("decoratorConfig"))

    @property
    def fields(self) -> Mapping[str, Any]:
        """Its columns by name, as its manifest has them."""
        return as_mapping(self.content.get("fields")) if self.is_in_manifest else {}


@dataclass(frozen=True, slots=True)
class Parent:
    """What a class extends.

    Attributes:
        found: What its lineage says; None when it extends nothing that has a name, or has no lineage.
        number: Number of the parent among the classes of the page; None when it is none of them.
    """

    found: FoundParent | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class FieldOrigin:
    """An ancestor that declares a field.

    Attributes:
        declared: The declaration.
        number: Number of that class among those of the page; None when it is none of them.
    """

    declared: Declaration
    number: int | None


class Lineage:
    """Where all classes of a page come from.

    Args:
        classes: All classes; their numbers are their places here.
        lineages: The lineages of all packages, in their order; empty for a run that wrote none.
    """

    def __init__(self, classes: Sequence[ListedClass], lineages: Sequence[PackageLineage]) -> None:
        self.classes = classes
        self._numbers: dict[tuple[str, str], int] = {}
        for place, listed in enumerate(classes):
            self._numbers.setdefault(listed.place, place)
        self._entries: dict[int, tuple[PackageLineage, LineageClass]] = {}
        for lineage in lineages:
            for entry in lineage.classes.values():
                number = self._number(entry)
                if number is not None and (entry.is_listed or number not in self._entries):
                    self._entries[number] = lineage, entry

    def _number(self, entry: LineageClass | ClassPlace) -> int | None:
        place = entry.place if isinstance(entry, LineageClass) else entry
        return self._numbers.get((place.file_path, place.class_name))

    def parent(self, number: int) -> Parent:
        """Return what a class extends."""
        if number not in self._entries:
            return Parent()
        found = self._entries[number][1].parent
        at_page = None if found is None or found.place is None else self._number(found.place)
        return Parent(found, at_page)

    def strategy(self, number: int) -> str:
        """Return the table strategy: the class's own word, else `sti` when it shares the table of its root, else `cti`."""
        own = self.classes[number].config.get("tableStrategy")
        if isinstance(own, str) and own:
            return own
        return "sti" if number in self._entries and self._entries[number][1].is_sti else "cti"

    def origins(self, number: int) -> dict[str, FieldOrigin]:
        """Return the class that each field comes from, for those that come from an ancestor."""
        if number not in self._entries:
            return {}
        lineage, entry = self._entries[number]
        return {
            origin.name: FieldOrigin(origin.declared, self._number(origin.declared.owner))
            for origin in field_origins(chain_of(lineage, entry), self.classes[number].fields)
            if origin.declared is not None and origin.declared.owner is not entry
        }
