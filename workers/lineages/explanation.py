"""Explaining one class of a run: its chain, and where each of its fields and methods comes from."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from workers.changes.records import ArtifactSet, PackageArtifact
from workers.changes.values import as_mapping
from workers.errors import UsageError
from workers.lineages.chains import Chain, Origin, chain_of, field_origins, method_origins
from workers.lineages.records import LineageClass, PackageLineage
from workers.reporting.wording import one_line

_MAX_LISTED: Final = 20
_MAX_NEAR: Final = 5
_PATH_MARK: Final = "#"
_KEY_MARK: Final = ":"


@dataclass(frozen=True, slots=True)
class KnownClass:
    """A class of a run.

    Attributes:
        lineage: The lineage that has it with its ancestors: that of its own package, if this lists it.
        entry: The class.
        key: Its key in the manifest; None for an ancestor that is in none.
        content: Its manifest entry; empty for such an ancestor.
    """

    lineage: PackageLineage
    entry: LineageClass
    key: str | None
    content: Mapping[str, Any]

    @property
    def address(self) -> str:
        """What it is called where its name alone is not enough."""
        return f"{self.entry.place.file_path}{_PATH_MARK}{self.entry.place.class_name}"


@dataclass(frozen=True, slots=True)
class Explanation:
    """Where a class and its members come from.

    Attributes:
        known: The class.
        chain: The class with its ancestors.
        fields: Origins of the fields that its manifest entry has; of those that it declares when it is in no manifest.
        methods: The same for methods.
    """

    known: KnownClass
    chain: Chain
    fields: tuple[Origin, ...]
    methods: tuple[Origin, ...]


def known_classes(artifacts: ArtifactSet, lineages: Sequence[PackageLineage]) -> list[KnownClass]:
    """Return every model of a run and every ancestor of one, each once, sorted by file and name.

    Args:
        artifacts: What the run wrote.
        lineages: The lineages of its packages, in the order of these.
    """
    found: dict[tuple[str, str], KnownClass] = {}
    for package, lineage in zip(artifacts.packages, lineages, strict=True):
        objects = dict(_by_place(package))
        for entry in lineage.classes.values():
            place = entry.place.file_path, entry.place.class_name
            key, content = objects.get(place, (None, {})) if entry.is_listed else (None, {})
            if place not in found or entry.is_listed:
                found[place] = KnownClass(lineage, entry, key, content)
    return [found[place] for place in sorted(found)]


def _by_place(package: PackageArtifact) -> Iterator[tuple[tuple[str, str], tuple[str, Mapping[str, Any]]]]:
    for key, content in package.manifest["objects"].items():
        yield (str(content.get("filePath", "")), str(content.get("className", ""))), (key, content)


def find_class(classes: Sequence[KnownClass], text: str) -> KnownClass:
    """Return the class that a text means: its name, `@package/name:Class`, or `path/to/file.ts#Class`.

    Raises:
        UsageError: It means none, or several.
    """
    found = [item for item in classes if _is_meant(item, text)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise UsageError(_unknown(classes, text))
    lines = [f"  {one_line(item.address)}{_owner(item)}" for item in found[:_MAX_LISTED]]
    if len(found) > _MAX_LISTED:
        lines.append(f"  and {len(found) - _MAX_LISTED} more")
    several = f"{one_line(text)} names {len(found)} classes; say which one you mean:"
    raise UsageError("\n".join([several, *lines]))


def _is_meant(item: KnownClass, text: str) -> bool:
    place = item.entry.place
    if _PATH_MARK in text:
        path, _, name = text.rpartition(_PATH_MARK)
        return (place.file_path, place.class_name) == (path.removeprefix("./"), name)
    if text == item.key:
        return True
    package, mark, name = text.rpartition(_KEY_MARK)
    return place.class_name == name and (not mark or item.entry.package.name == package)


def _owner(item: KnownClass) -> str:
    name = item.entry.package.name
    return "" if name is None else f" of {one_line(name)}"


def _unknown(classes: Sequence[KnownClass], text: str) -> str:
    """Return the message about a text that names no class, with names that are near to it."""
    wanted = text.rpartition(_PATH_MARK)[2].rpartition(_KEY_MARK)[2]
    folded: dict[str, list[KnownClass]] = {}
    for item in classes:
        folded.setdefault(item.entry.place.class_name.lower(), []).append(item)
    near = difflib.get_close_matches(wanted.lower(), folded, _MAX_NEAR)
    names = dict.fromkeys(_nearest_form(item, wanted) for match in near for item in folded[match])
    shown = [one_line(name) for name in list(names)[:_MAX_NEAR]]
    hint = f" Near to it: {', '.join(shown)}." if shown else ""
    return f"No model, nor any ancestor of one, is called {one_line(text)}.{hint}"


def _nearest_form(item: KnownClass, wanted: str) -> str:
    """Return the name of a class; its address when the name is just what was asked for, in another place."""
    name = item.entry.place.class_name
    return item.address if name == wanted else name


def explain_class(known: KnownClass) -> Explanation:
    """Return where a class and its members come from."""
    chain = chain_of(known.lineage, known.entry)
    if known.key is None:
        fields = [member.name for member in known.entry.fields if not member.is_static]
        methods = [member.name for member in known.entry.methods]
    else:
        fields = list(as_mapping(known.content.get("fields")))
        methods = list(as_mapping(known.content.get("methods")))
    return Explanation(
        known,
        chain,
        tuple(field_origins(chain, dict.fromkeys(fields))),
        tuple(method_origins(chain, dict.fromkeys(methods))),
    )
