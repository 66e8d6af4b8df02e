"""Inheritance across files: chains, table strategies, inherited fields (spec section 3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from scanner.class_table import ClassTable, ParentLookup, config_value
from scanner.diagnostics import Diagnostic, Severity
from scanner.js.values import JsValue, is_truthy
from scanner.published_classes import PublishedClass
from scanner.records import FileScan, RawClass, RawField

FRAMEWORK_BASES: Final = frozenset(
    {
        *(
            "SmrtObject",
            "SmrtClass",
            "SmrtCollection",
            "SmrtJunction",
            "SmrtJunctionBase",
            "SmrtHierarchical",
        ),
        *("SmrtPolymorphicAssociation", "SmrtReport", "SmrtReportCollection"),
    }
)
"""Base classes that the framework itself provides; a chain ends at them."""

MAX_CHAIN_LENGTH: Final = 1000
"""Ancestors that are followed; more is hostile, since every class repeats its whole chain."""

_STI: Final = "sti"
_CTI: Final = "cti"


@dataclass(frozen=True, slots=True)
class ResolvedField:
    """A field of a class's table with the class that declares it."""

    field: RawField
    owner: RawClass


@dataclass(frozen=True, slots=True)
class ResolvedClass:
    """A model: a class with ``@smrt``, or one whose chain reaches a framework base.

    Attributes:
        raw: The class's own record.
        inheritance_chain: Names from the furthest known ancestor down to the class.
        sti_base: The first class in the chain that declares single-table inheritance.
        effective_table_strategy: ``sti``, ``cti``, or the class's own word for it.
        is_framework_base: Whether the class itself bears a framework base's name.
        all_fields: Under STI the fields of the whole chain, ancestors first; else the class's own.
    """

    raw: RawClass
    inheritance_chain: tuple[str, ...]
    sti_base: str | None
    effective_table_strategy: JsValue
    is_framework_base: bool
    all_fields: tuple[ResolvedField, ...]

    @property
    def is_sti(self) -> bool:
        """Whether the class's rows live in its root's table."""
        return self.effective_table_strategy == _STI


@dataclass(frozen=True, slots=True)
class Derivation:
    """A model, or an ancestor of one, with what it extends; None when that is nothing or beyond the chain's end."""

    raw: RawClass
    parent: ParentLookup | None


@dataclass(frozen=True, slots=True)
class Resolution:
    """All models of a package and what resolving them met.

    Attributes:
        classes: The models, in path order, then source order.
        diagnostics: What is to be said about them.
        derivations: The models and all their ancestors, also those of other packages, each once, in order of
            path and line.
    """

    classes: tuple[ResolvedClass, ...]
    diagnostics: tuple[Diagnostic, ...]
    derivations: tuple[Derivation, ...] = ()


class InheritanceResolver:
    """Resolves the classes of one package.

    Args:
        framework_bases: Further names that count as framework bases (spec section 3).
    """

    def __init__(self, framework_bases: Iterable[str] = ()) -> None:
        self._bases = tuple(framework_bases)
        self._scans: list[FileScan] = []

    def add_files(self, scans: Iterable[FileScan]) -> None:
        """Add scanned files; the order does not matter."""
        self._scans.extend(scans)

    def resolve_all(self) -> Resolution:
        """Resolve every class added so far, in path order, then source order.

        Of several classes with one name only the preferred one is resolved (spec D22); each other one that could
        have taken the manifest key is a ``duplicate-class`` diagnostic.
        """
        return resolve_classes(ClassTable(self._scans), self._bases)


def resolve_classes(table: ClassTable, framework_bases: Iterable[str] = ()) -> Resolution:
    """Resolve every class of a table; see :meth:`InheritanceResolver.resolve_all`.

    Args:
        table: The classes of one package.
        framework_bases: Further names that count as framework bases.
    """
    return ClassResolver(table, framework_bases).resolve_all()


class ClassResolver:
    """One pass over a package's classes; each chain is built once.

    Args:
        table: The classes of the package.
        framework_bases: Further names that count as framework bases.

    Attributes:
        bases: All names that count as framework bases.
    """

    def __init__(self, table: ClassTable, framework_bases: Iterable[str] = ()) -> None:
        self._table = table
        self.bases = FRAMEWORK_BASES | frozenset(framework_bases)
        self._parents: dict[int, ParentLookup | None] = {}
        self._models: dict[int, bool] = {}

    def resolve_all(self) -> Resolution:
        """Resolve every class; see :meth:`InheritanceResolver.resolve_all`."""
        chosen = {id(self._choose(rivals)): rivals for rivals in self._table.namesakes().values()}
        resolved: list[ResolvedClass] = []
        diagnostics: list[Diagnostic] = []
        derived: dict[int, RawClass] = {}
        for raw in self._table.classes:
            rivals = chosen.get(id(raw))
            if rivals is None or not self.is_model(raw):
                continue
            chain = self._chain(raw)
            resolved.append(self._resolve(raw, chain))
            derived.update((id(step.raw), step.raw) for step in chain if step.raw is not None)
            diagnostics.extend(self._duplicates(raw, rivals))
            diagnostics.extend(_ambiguous_parents(raw, chain))
            if len(chain) > MAX_CHAIN_LENGTH:
                diagnostics.append(_too_deep(raw))
        return Resolution(
            tuple(resolved),
            tuple(sorted(diagnostics, key=lambda diagnostic: diagnostic.sort_key)),
            tuple(map(self._derivation, sorted(derived.values(), key=_place))),
        )

    def _derivation(self, raw: RawClass) -> Derivation:
        return Derivation(raw, None if raw.class_name in self.bases else self._parent(raw))

    def _choose(self, rivals: Sequence[RawClass]) -> RawClass:
        """Return the class that gets a shared name: decorated, then any other model, then the smaller path."""
        if len(rivals) == 1:
            return rivals[0]

        def rank(item: tuple[int, RawClass]) -> tuple[bool, bool, str, int]:
            index, raw = item
            return (not raw.has_smart_decorator, not self.is_model(raw), raw.file_path, -index)

        return min(enumerate(rivals), key=rank)[1]

    def _parent(self, raw: RawClass) -> ParentLookup | None:
        """Return what a class extends; a base reached through a namespace import has its plain name (spec D15)."""
        if id(raw) not in self._parents:
            parent = self._table.parent(raw)
            if parent is not None and parent.member is not None and parent.member in self.bases:
                parent = replace(parent, name=parent.member, member=None)
            self._parents[id(raw)] = parent
        return self._parents[id(raw)]

    def _chain(self, raw: RawClass) -> list[ParentLookup]:
        """Return the lookups from *raw* (first) to its furthest known ancestor; a cycle ends at its first repeat."""
        chain = [ParentLookup(raw.class_name, raw)]
        seen = {(raw.file_path, raw.class_name)}
        while (
            chain[-1].raw is not None and chain[-1].name not in self.bases and len(chain) <= MAX_CHAIN_LENGTH
        ):
            parent = self._parent(chain[-1].raw)
            if parent is None:
                break
            key = ("", parent.name) if parent.raw is None else (parent.raw.file_path, parent.raw.class_name)
            if key in seen:
                break
            seen.add(key)
            chain.append(parent)
        return chain

    def is_model(self, raw: RawClass) -> bool:
        """Tell whether a class, also one of another package, has ``@smrt`` or derives from a framework base."""
        if id(raw) not in self._models:
            self._models[id(raw)] = (
                raw.has_smart_decorator or isinstance(raw, PublishedClass) or self._ends_at_base(raw)
            )
        return self._models[id(raw)]

    def _ends_at_base(self, raw: RawClass) -> bool:
        """Tell whether a chain ends at a framework base, also where a published model hides the end of it."""
        chain = self._chain(raw)
        if chain[-1].name in self.bases:
            return True
        return chain[-1].raw is None and any(isinstance(step.raw, PublishedClass) for step in chain[-2:])

    def _resolve(self, raw: RawClass, chain: Sequence[ParentLookup]) -> ResolvedClass:
        descending = list(reversed(chain))
        sti = [step.name for step in descending if config_value(step.raw, "tableStrategy") == _STI]
        own = config_value(raw, "tableStrategy")
        inherits_sti = any(config_value(step.raw, "tableStrategy") == _STI for step in chain[1:])
        strategy = own if is_truthy(own) else _STI if inherits_sti else _CTI
        return ResolvedClass(
            raw=raw,
            inheritance_chain=tuple(step.name for step in descending),
            sti_base=sti[0] if sti else None,
            effective_table_strategy=strategy,
            is_framework_base=raw.class_name in self.bases,
            all_fields=tuple(_chain_fields(descending) if strategy == _STI else _own_fields(raw)),
        )

    def _duplicates(self, winner: RawClass, rivals: Sequence[RawClass]) -> Iterator[Diagnostic]:
        for loser in rivals:
            if loser is winner:
                continue
            yield Diagnostic(
                "duplicate-class",
                Severity.ERROR if self.is_model(loser) else Severity.WARNING,
                loser.file_path,
                loser.start_line,
                1,
                f"A class named {loser.class_name} also stands in {winner.file_path}, line {winner.start_line}; that one"
                " was kept under the package's one manifest key.",
                "Rename one of the two classes.",
            )


def _place(raw: RawClass) -> tuple[str, int]:
    return raw.file_path, raw.start_line


def _too_deep(raw: RawClass) -> Diagnostic:
    return Diagnostic(
        "chain-too-deep",
        Severity.ERROR,
        raw.file_path,
        raw.start_line,
        1,
        f"{raw.class_name} has more than {MAX_CHAIN_LENGTH} ancestors; those further up were not followed.",
        "Shorten the chain of base classes.",
    )


def _own_fields(raw: RawClass) -> Iterator[ResolvedField]:
    return (ResolvedField(field, raw) for field in raw.fields)


def _chain_fields(descending: Sequence[ParentLookup]) -> Iterator[ResolvedField]:
    """Yield the fields of a whole chain, ancestors first; the first of a name wins (spec section 3)."""
    taken: set[str] = set()
    for step in descending:
        for field in step.raw.fields if step.raw is not None else ():
            if field.name not in taken:
                taken.add(field.name)
                yield ResolvedField(field, step.raw)  # type: ignore[arg-type]


def _ambiguous_parents(raw: RawClass, chain: Sequence[ParentLookup]) -> Iterator[Diagnostic]:
    for child, parent in pairwise(chain):
        if not parent.rivals or parent.raw is None or child.raw is not raw:
            continue
        others = ", ".join(rival.file_path for rival in parent.rivals)
        yield Diagnostic(
            "ambiguous-parent",
            Severity.WARNING,
            raw.file_path,
            raw.start_line,
            1,
            f"{raw.class_name} extends {parent.name}, which stands in {parent.raw.file_path} and also in {others}; no"
            f" import decides, so {parent.raw.file_path} was taken.",
            f"Import {parent.name} from the file that is meant.",
        )
