"""Reading the artifacts of a run back, wherever they are kept.

Whoever compares runs must be able to trust what is read: an artifact that is missing, damaged or of another format is
an error that names it, never an empty result. Keys that this version does not know are left alone, since newer versions
may add some without changing the format.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from scanner.artifacts import FORMAT_VERSION, INDEX_FILE, digest
from scanner.diagnostics import Diagnostic, Severity
from scanner.manifest.adapter import MANIFEST_VERSION
from scanner.serialization import decode_document
from scanner.source_files import read_source_file
from workers.changes.records import ArtifactSet, PackageArtifact
from workers.errors import UsageError
from workers.reporting.wording import visible

SURFACE_FILE: Final = "agent-surface.json"
DIAGNOSTICS_FILE: Final = "diagnostics.json"
_MAX_ARTIFACT_BYTES: Final = 1 << 30
_MAX_DEPTH: Final = 300
"""Levels of nesting; literals that are read from sources have fewer, and more of them could exhaust the stack."""

_MANIFEST_PATH: Final = re.compile(r"packages/[^/]+/manifest\.json")
_REMEDY: Final = "give a directory that `scan-cluster run --out` wrote"
_KINDS: Final[Mapping[type, str]] = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a whole number",
    bool: "true or false",
}


class ArtifactSource(Protocol):
    """A place that holds the artifacts of one run."""

    @property
    def label(self) -> str:
        """What to call it in messages."""

    def read(self, name: str) -> bytes:
        """Return an artifact by its path relative to the index.

        Raises:
            UsageError: It is not there or cannot be read.
        """


@dataclass(frozen=True, slots=True)
class ArtifactDirectory:
    """The directory that a run wrote.

    Attributes:
        path: The directory.
        label: What to call it in messages.
    """

    path: Path
    label: str

    def read(self, name: str) -> bytes:
        """Return an artifact by its path relative to the directory.

        Raises:
            UsageError: It is not there or cannot be read.
        """
        if not self.path.is_dir():
            what = "is no directory" if self.path.exists() else "does not exist"
            raise UsageError(visible(f"{self.label} {what}; {_REMEDY}."))
        outcome = read_source_file(self.path / name, name, _MAX_ARTIFACT_BYTES)
        if isinstance(outcome, bytes):
            return outcome
        if outcome.code != "file-vanished":
            raise UsageError(visible(f"{self.label}: {name} cannot be read: {outcome.message}"))
        remedy = _REMEDY if name == INDEX_FILE else "run the scan again"
        raise UsageError(visible(f"{self.label}: {name} is missing; {remedy}."))


def read_artifacts(source: ArtifactSource) -> ArtifactSet:
    """Read everything about a run that can be compared.

    Raises:
        UsageError: Something is missing, damaged, or of a format that this version does not read.
    """
    index = ArtifactDocument.read(source, INDEX_FILE)
    index.require_version("formatVersion", FORMAT_VERSION)
    contents: dict[str, bytes] = {}

    def document(name: str) -> ArtifactDocument:
        contents[name] = source.read(name)
        return ArtifactDocument.parse(source.label, name, contents[name])

    packages = []
    for place, entry in index.items(index.content, "packages"):
        path = index.value(entry, "manifest", str, place)
        if not _MANIFEST_PATH.fullmatch(path):
            raise index.error(f"{place}.manifest", "a path like packages/NAME/manifest.json", path)
        name = index.optional(entry, "name", str, place)
        manifest = _manifest(document(path))
        packages.append(PackageArtifact(name, index.value(entry, "directory", str, place), manifest))
    surface = document(SURFACE_FILE)
    return ArtifactSet(
        index.content,
        tuple(packages),
        surface.by_key("intents", "id"),
        surface.by_key("playbooks", "key"),
        _diagnostics(document(DIAGNOSTICS_FILE)),
        tuple(_altered(index.content, contents)),
    )


@dataclass(frozen=True, slots=True)
class ArtifactDocument:
    """A decoded artifact that says where it is wrong.

    Attributes:
        label: What to call the run in messages.
        name: The artifact's path relative to the index.
        content: Its object.
    """

    label: str
    name: str
    content: dict[str, Any]

    @classmethod
    def read(cls, source: ArtifactSource, name: str) -> ArtifactDocument:
        """Read and decode an artifact.

        Raises:
            UsageError: It is missing or damaged.
        """
        return cls.parse(source.label, name, source.read(name))

    @classmethod
    def parse(cls, label: str, name: str, data: bytes) -> ArtifactDocument:
        """Decode an artifact.

        Raises:
            UsageError: It is damaged.
        """
        try:
            content = decode_document(data)
        except ValueError as error:
            message = f"{label}: {name} is damaged: {error}. Run the scan again."
            raise UsageError(visible(message)) from error
        document = cls(label, name, content)
        if _is_deeper(content, _MAX_DEPTH):
            raise UsageError(visible(f"{label}: {name} holds values that are nested too deeply."))
        if not isinstance(content, dict):
            raise document.error("the top", "an object", content)
        return document

    def error(self, place: str, expected: str, found: Any) -> UsageError:
        """Return the error that says what stands at a place instead of what is expected there."""
        shown = _KINDS.get(type(found)) if isinstance(found, dict | list) else f"{found!r:.60}"
        return UsageError(
            visible(
                f"{self.label}: {self.name} is damaged: at {place} stands {shown}, where {expected} is expected."
                " Run the scan again."
            )
        )

    def require_version(self, key: str, expected: int | str) -> None:
        """Refuse another version of the format than this one reads, with a UsageError."""
        found = self.content.get(key)
        if type(found) is not type(expected) or found != expected:
            raise UsageError(
                visible(
                    f"{self.label}: {self.name} has {key} {found!r:.40}, but this version of scan-cluster reads"
                    f" {expected!r}. Use the version that wrote it, or run the scan again."
                )
            )

    def value(self, holder: Mapping[str, Any], key: str, kind: type, place: str = "") -> Any:
        """Return the value of an object's key, or raise a UsageError when it is of no such type."""
        found = holder.get(key)
        if type(found) is not kind:
            raise self.error(f"{place}.{key}".lstrip("."), _KINDS[kind], found)
        return found

    def optional(self, holder: Mapping[str, Any], key: str, kind: type, place: str) -> Any:
        """Return the same, or None when the key is absent or null."""
        return None if holder.get(key) is None else self.value(holder, key, kind, place)

    def items(self, holder: Mapping[str, Any], key: str, place: str = "") -> list[tuple[str, dict[str, Any]]]:
        """Return a list of objects, each with its place; or the objects of a map, each with its key."""
        where = f"{place}.{key}".lstrip(".")
        found = holder.get(key)
        if isinstance(found, dict):
            parts = [(f"{where}.{name}", part) for name, part in found.items()]
        else:
            parts = [
                (f"{where}[{number}]", part)
                for number, part in enumerate(self.value(holder, key, list, place))
            ]
        for path, part in parts:
            if not isinstance(part, dict):
                raise self.error(path, "an object", part)
        return parts

    def by_key(self, name: str, key: str) -> dict[str, dict[str, Any]]:
        """Return a list of objects by a text that each of them has for itself."""
        found: dict[str, dict[str, Any]] = {}
        for place, part in self.items(self.content, name):
            identity = self.value(part, key, str, place)
            if identity in found:
                raise self.error(f"{place}.{key}", "a text that no other has", identity)
            found[identity] = part
        return found


def _is_deeper(value: Any, levels: int) -> bool:
    """Tell whether a JSON value has more levels than that, without recursion."""
    level = [value]
    for _ in range(levels):
        level = [
            item
            for part in level
            if isinstance(part, dict | list)
            for item in (part.values() if isinstance(part, dict) else part)
        ]
        if not level:
            return False
    return True


def _manifest(document: ArtifactDocument) -> Mapping[str, Any]:
    document.require_version("version", MANIFEST_VERSION)
    document.value(document.content, "objects", dict)
    for place, model in document.items(document.content, "objects"):
        for key in ("fields", "methods"):
            document.value(model, key, dict, place)
            parts = document.items(model, key, place)
            if key == "methods":
                for where, method in parts:
                    document.items(method, "parameters", where)
    return document.content


def _diagnostics(document: ArtifactDocument) -> dict[Diagnostic, str | None]:
    document.require_version("formatVersion", FORMAT_VERSION)
    return {
        _diagnostic(document, entry, place): document.optional(entry, "package", str, place)
        for place, entry in document.items(document.content, "diagnostics")
    }


def _diagnostic(document: ArtifactDocument, entry: Mapping[str, Any], place: str) -> Diagnostic:
    try:
        severity = Severity(entry.get("severity"))
    except ValueError as error:
        names = ", ".join(item.value for item in Severity)
        raise document.error(f"{place}.severity", f"one of {names}", entry.get("severity")) from error
    return Diagnostic(
        document.value(entry, "code", str, place),
        severity,
        document.value(entry, "filePath", str, place),
        document.optional(entry, "line", int, place),
        document.optional(entry, "column", int, place),
        document.value(entry, "message", str, place),
        document.optional(entry, "hint", str, place),
        document.optional(entry, "expression", str, place),
        document.optional(entry, "decorator", str, place),
    )


def _altered(index: Mapping[str, Any], contents: Mapping[str, bytes]) -> Iterable[str]:
    """Yield the names of artifacts whose digest is not the one that the index states."""
    stated = index.get("artifacts")
    if not isinstance(stated, dict):
        return
    for name, content in contents.items():
        entry = stated.get(name)
        if isinstance(entry, dict) and entry.get("sha256") != digest(content):
            yield name
