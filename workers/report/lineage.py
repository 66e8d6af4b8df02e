"""Which class a class extends, as far as artifacts tell, and which class a field comes from.

Artifacts hold the name after `extends`, not the class that it means. A class of that name in the same package is
taken first; then a base class of the framework; then the one class of that name elsewhere. When several packages have
one, the page has to say so instead of choosing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workers.changes.values import as_mapping


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
    """What stands after `extends`.

    Attributes:
        known: Number of the class that is meant.
        candidates: Numbers of the classes that may be meant, when there are several.
        is_framework: Whether it is a base class of the framework.
    """

    known: int | None = None
    candidates: tuple[int, ...] = ()
    is_framework: bool = False


@dataclass(slots=True)
class Lineage:
    """The parents of all classes of a page.

    Attributes:
        classes: All classes; their numbers are their places here.
        framework_bases: Names of the framework's base classes.
    """

    classes: Sequence[ListedClass]
    framework_bases: Collection[str]
    parents: list[Parent] = field(init=False)

    def __post_init__(self) -> None:
        named: defaultdict[str, list[int]] = defaultdict(list)
        for number, listed in enumerate(self.classes):
            named[listed.name].append(number)
        self.parents = [self._parent(number, named) for number in range(len(self.classes))]

    def _parent(self, number: int, named: Mapping[str, list[int]]) -> Parent:
        listed = self.classes[number]
        name = (listed.extended_name or "").rpartition(".")[2]
        found = [other for other in named.get(name, ()) if other != number]
        near = [other for other in found if self.classes[other].package == listed.package]
        if not near and name in self.framework_bases:
            return Parent(is_framework=True)
        fitting = near or found
        in_manifests = [other for other in fitting if self.classes[other].is_in_manifest]
        fitting = in_manifests or fitting
        return Parent(fitting[0]) if len(fitting) == 1 else Parent(candidates=tuple(fitting))

    def ancestors(self, number: int) -> Iterator[int]:
        """Yield the classes that one is derived from, the nearest first, as far as they are known."""
        seen = {number}
        parent = self.parents[number].known
        while parent is not None and parent not in seen:
            yield parent
            seen.add(parent)
            parent = self.parents[parent].known

    def strategy(self, number: int) -> str:
        """Return the table strategy: the class's own word, else `sti` when any ancestor says so, else `cti`."""
        own = self.classes[number].config.get("tableStrategy")
        if isinstance(own, str):
            return own
        told = (self.classes[other].config.get("tableStrategy") for other in self.ancestors(number))
        return "sti" if "sti" in told else "cti"

    def origins(self, number: int) -> dict[str, int]:
        """Return the class that each field comes from, for those that come from an ancestor.

        With one table for a family (`sti`), a class lists the fields of its whole chain, and of two fields with one
        name that of the furthest ancestor counts.
        """
        if self.strategy(number) != "sti":
            return {}
        found: dict[str, int] = {}
        for other in self.ancestors(number):
            found.update(
                {name: other for name in self.classes[other].fields if name in self.classes[number].fields}
            )
        return found
