"""Where models come from: each model and ancestor with its members, what it extends, and how that was found.

A manifest repeats what a class inherits without saying from where. The lineage of a package says it, in a document
beside the manifest: for programs, and for ``scan-cluster explain``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import Enum
from typing import Final

from scanner.class_table import ClassTable, LookupRule, ParentLookup
from scanner.inheritance import Derivation, Resolution, ResolvedClass
from scanner.packages import Package
from scanner.records import RawClass, RawField, RawMethod
from scanner.resolution.names import Hop
from scanner.serialization import JsonValue, without_absent

LINEAGE_VERSION: Final = 1
MAX_SHOWN_HOPS: Final = 32
"""Imports and re-exports on the way to one parent that are listed; the first ones are."""

MAX_SHOWN_RIVALS: Final = 20
"""Further classes that a bare name fits that are listed."""


class ParentRule(Enum):
    """What says which class a class extends."""

    SAME_FILE = "same-file"
    """It stands in the same file."""

    IMPORT = "import"
    """An import leads to it, maybe by way of re-exports."""

    BARE_NAME = "bare-name"
    """No import leads to a class, and one class of the package has the name."""

    AMBIGUOUS = "ambiguous"
    """As before, but several have it, so that the preferred one was taken."""

    FRAMEWORK = "framework"
    """It has the name of a base class of the framework."""

    EXTERNAL = "external"
    """An import leads out of the scanned directory."""

    NOT_FOUND = "not-found"
    """Nothing here has the name."""


_FOUND_BY: Final = {
    LookupRule.SAME_FILE: ParentRule.SAME_FILE,
    LookupRule.IMPORT: ParentRule.IMPORT,
    LookupRule.BARE_NAME: ParentRule.BARE_NAME,
}


def lineage_document(
    package: Package, resolution: Resolution, table: ClassTable, bases: Collection[str]
) -> dict[str, JsonValue]:
    """Return where the models of a package come from, as JSON data.

    Args:
        package: The package.
        resolution: Its models with their ancestors.
        table: The table that these were found in.
        bases: All names that count as framework bases.
    """
    models = {id(resolved.raw): resolved for resolved in resolution.classes}
    return {
        "formatVersion": LINEAGE_VERSION,
        "package": _package(package),
        "classes": [
            _class(derivation, models.get(id(derivation.raw)), table, bases)
            for derivation in resolution.derivations
        ],
    }


def _package(package: Package) -> JsonValue:
    return {"name": package.name, "directory": package.directory or "."}


def _class(
    derivation: Derivation, model: ResolvedClass | None, table: ClassTable, bases: Collection[str]
) -> JsonValue:
    raw, parent = derivation.raw, derivation.parent
    other = table.foreign_package(raw.file_path)
    return without_absent(
        {
            **_place(raw),
            "package": None if other is None else _package(other),
            "isListed": model is not None,
            "isSti": model is not None and model.is_sti,
            "isDecorated": raw.has_smart_decorator,
            "extends": raw.extends_clause,
            "parent": None if parent is None else _parent(parent, table, bases),
            "fields": _members(raw.fields),
            "methods": _members(raw.methods),
        }
    )


def _place(raw: RawClass) -> dict[str, JsonValue]:
    return {"className": raw.class_name, "filePath": raw.file_path, "startLine": raw.start_line}


def _members(members: Iterable[RawField] | Iterable[RawMethod]) -> list[JsonValue]:
    return [
        {"name": member.name, "line": member.line, **({"isStatic": True} if member.is_static else {})}
        for member in members
    ]


def _parent(parent: ParentLookup, table: ClassTable, bases: Collection[str]) -> JsonValue:
    hops, rivals = parent.hops[:MAX_SHOWN_HOPS], parent.rivals[:MAX_SHOWN_RIVALS]
    return without_absent(
        {
            "name": parent.name,
            "rule": _rule_of(parent, table, bases).value,
            "class": None if parent.raw is None else _place(parent.raw),
            "via": [_hop(hop, table) for hop in hops] or None,
            "viaOmitted": len(parent.hops) - len(hops) or None,
            "rivals": [_place(rival) for rival in rivals] or None,
            "rivalsOmitted": len(parent.rivals) - len(rivals) or None,
        }
    )


def _rule_of(parent: ParentLookup, table: ClassTable, bases: Collection[str]) -> ParentRule:
    if parent.rule is not None:
        return ParentRule.AMBIGUOUS if parent.rivals else _FOUND_BY[parent.rule]
    if parent.name in bases:
        return ParentRule.FRAMEWORK
    if not parent.hops:
        return ParentRule.NOT_FOUND
    route = table.route(parent.hops[-1].file_path, parent.hops[-1].module)
    leads_nowhere = route.is_in_tree or (route.target is None and route.packages)
    return ParentRule.NOT_FOUND if leads_nowhere else ParentRule.EXTERNAL


def _hop(hop: Hop, table: ClassTable) -> JsonValue:
    route = table.route(hop.file_path, hop.module)
    return without_absent(
        {
            "filePath": hop.file_path,
            "module": hop.module,
            "name": hop.name,
            "rule": None if route.rule is None else route.rule.value,
            "config": route.config,
            "target": route.target,
        }
    )
