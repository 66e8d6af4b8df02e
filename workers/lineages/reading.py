"""Reading the lineages of a run, wherever its artifacts are kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum
from typing import Any, Final, TypeVar

from scanner.artifacts import digest
from scanner.lineage import LINEAGE_VERSION, ParentRule
from scanner.resolution.modules import RouteRule
from workers.artifact_sets import ArtifactDocument, ArtifactSource
from workers.changes.values import as_mapping
from workers.errors import UsageError
from workers.lineages.records import (
    ClassPlace,
    FoundParent,
    LineageClass,
    Member,
    ModuleHop,
    NamedPackage,
    PackageLineage,
)
from workers.reporting.wording import visible

_LINEAGE_PATH: Final = re.compile(r"packages/[^/]+/lineage\.json")
_Choice = TypeVar("_Choice", bound=Enum)


def has_lineages(index: Mapping[str, Any]) -> bool:
    """Tell whether a run recorded where classes come from, given its `index.json`."""
    return all(
        isinstance(entry.get("lineage"), str) and _LINEAGE_PATH.fullmatch(entry["lineage"])
        for entry in index["packages"]
    )


def read_lineages(source: ArtifactSource, index: Mapping[str, Any]) -> tuple[list[PackageLineage], list[str]]:
    """Read the lineage of every package of a run, in the order of the packages.

    Args:
        source: Where the artifacts are.
        index: The run's `index.json`, already checked.

    Returns:
        The lineages, and the names of those that something changed after the run.

    Raises:
        UsageError: One is missing or damaged, or the run wrote none.
    """
    if not has_lineages(index):
        raise UsageError(
            visible(
                f"{source.label} does not say where classes come from: the version that wrote it did not record that."
                " Run the scan again."
            )
        )
    lineages: list[PackageLineage] = []
    altered: list[str] = []
    stated = as_mapping(index.get("artifacts"))
    for name in (str(entry["lineage"]) for entry in index["packages"]):
        data = source.read(name)
        if as_mapping(stated.get(name)).get("sha256") != digest(data):
            altered.append(name)
        lineages.append(_Reading(ArtifactDocument.parse(source.label, name, data)).lineage())
    return lineages, altered


class _Reading:
    """Reads one lineage; what is not as it should be is an error that names the place."""

    def __init__(self, document: ArtifactDocument) -> None:
        self._document = document
        document.require_version("formatVersion", LINEAGE_VERSION)
        self._own = self._package(document.content, "")

    def lineage(self) -> PackageLineage:
        listed = (
            self._class(entry, place)
            for place, entry in self._document.items(self._document.content, "classes")
        )
        return PackageLineage(self._own, {item.place: item for item in listed})

    def _package(self, holder: Mapping[str, Any], place: str) -> NamedPackage:
        entry = self._document.value(holder, "package", dict, place)
        where = f"{place}.package".lstrip(".")
        return NamedPackage(
            self._document.optional(entry, "name", str, where),
            self._document.value(entry, "directory", str, where),
        )

    def _class(self, entry: Mapping[str, Any], place: str) -> LineageClass:
        value, optional = self._document.value, self._document.optional
        parent = optional(entry, "parent", dict, place)
        return LineageClass(
            self._place(entry, place),
            self._own if entry.get("package") is None else self._package(entry, place),
            value(entry, "isListed", bool, place),
            value(entry, "isSti", bool, place),
            value(entry, "isDecorated", bool, place),
            optional(entry, "extends", str, place),
            None if parent is None else self._parent(parent, f"{place}.parent"),
            self._members(entry, "fields", place),
            self._members(entry, "methods", place),
        )

    def _place(self, entry: Mapping[str, Any], place: str) -> ClassPlace:
        value = self._document.value
        return ClassPlace(
            value(entry, "className", str, place),
            value(entry, "filePath", str, place),
            value(entry, "startLine", int, place),
        )

    def _members(self, entry: Mapping[str, Any], key: str, place: str) -> tuple[Member, ...]:
        value = self._document.value
        return tuple(
            Member(
                value(item, "name", str, where), value(item, "line", int, where), item.get("isStatic") is True
            )
            for where, item in self._document.items(entry, key, place)
        )

    def _parent(self, entry: Mapping[str, Any], place: str) -> FoundParent:
        document = self._document
        found = document.optional(entry, "class", dict, place)
        return FoundParent(
            document.value(entry, "name", str, place),
            self._choice(ParentRule, entry, place),
            None if found is None else self._place(found, f"{place}.class"),
            tuple(self._hop(item, where) for where, item in self._listed(entry, "via", place)),
            document.optional(entry, "viaOmitted", int, place) or 0,
            tuple(self._place(item, where) for where, item in self._listed(entry, "rivals", place)),
            document.optional(entry, "rivalsOmitted", int, place) or 0,
        )

    def _listed(self, entry: Mapping[str, Any], key: str, place: str) -> list[tuple[str, dict[str, Any]]]:
        return [] if entry.get(key) is None else self._document.items(entry, key, place)

    def _hop(self, entry: Mapping[str, Any], place: str) -> ModuleHop:
        value, optional = self._document.value, self._document.optional
        return ModuleHop(
            value(entry, "filePath", str, place),
            value(entry, "module", str, place),
            value(entry, "name", str, place),
            None if entry.get("rule") is None else self._choice(RouteRule, entry, place),
            optional(entry, "config", str, place),
            optional(entry, "target", str, place),
        )

    def _choice(self, kind: type[_Choice], entry: Mapping[str, Any], place: str) -> _Choice:
        word = self._document.value(entry, "rule", str, place)
        known = {member.value: member for member in kind}
        if word not in known:
            raise self._document.error(f"{place}.rule", f"one of {', '.join(known)}", word)
        return known[word]
