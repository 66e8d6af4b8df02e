"""What can be read of a run as it stands: its totals, packages, declarations and diagnostics.

Every list of declarations comes with the remarks about those that were refused, so that "there is none" is never said
where one was written and could not be taken. What can be long is given in pages that say how much there is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, Final

from scanner.agent_ids import is_instance_id
from scanner.artifacts import diagnostic_entry
from scanner.diagnostics import CODES, Diagnostic, Severity
from scanner.serialization import JsonValue, to_json
from scanner.surface.records import Helper
from workers.changes.records import ArtifactSet, PackageArtifact
from workers.reporting.wording import counted, in_order, one_line

_MANIFEST: Final = re.compile(r"packages/([^/]+)/manifest\.json")
_HASHED: Final = re.compile(r"-[0-9a-f]{12}")
_NOT_IN_INSTANCE: Final = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST_INSTANCE: Final = 100
_MODEL_KEYS: Final = ("qualifiedName", "className", "filePath", "collection", "extends")

DEFAULT_LIMIT: Final = 20
MAX_LIMIT: Final = 100
KINDS: Final[Mapping[str, Helper]] = {"intent": Helper.INTENT, "playbook": Helper.PLAYBOOK}
"""Kinds of declarations, each with the function that makes one."""


@dataclass(frozen=True, slots=True)
class ServedPackage:
    """A package as it is offered.

    Attributes:
        instance: Its instance id.
        entry: What the index says about it.
        artifact: Its manifest.
        diagnostics: What is said about its files.
    """

    instance: str
    entry: Mapping[str, Any]
    artifact: PackageArtifact
    diagnostics: tuple[Diagnostic, ...]

    @property
    def name(self) -> str:
        """What to call it, on one line."""
        return "no package" if self.artifact.name is None else one_line(f"`{self.artifact.name}`")

    @property
    def description(self) -> str:
        """One line for people and agents."""
        name = "Files of no package" if self.artifact.name is None else f"Package {self.name}"
        models = counted(len(self.artifact.manifest["objects"]), "model")
        remarks = counted(len(self.diagnostics), "diagnostic")
        return one_line(f"{name} in `{self.artifact.directory}`: {models}, {remarks}.")

    def models(self) -> JsonValue:
        """Return the models of the package by name, without their fields."""
        objects = self.artifact.manifest["objects"]
        return {
            "package": self.artifact.name,
            "models": [
                {key: to_json(model[key]) for key in _MODEL_KEYS if key in model}
                for _, model in sorted(objects.items())
            ],
        }

    def remarks(self) -> JsonValue:
        """Return what is said about the files of the package."""
        return {
            "package": self.artifact.name,
            "diagnostics": [dict(diagnostic_entry(item)) for item in in_order(self.diagnostics)],
        }


@dataclass(frozen=True)
class ServedRun:
    """A run as it is offered.

    Attributes:
        artifacts: What it wrote.
        surface_remarks: What `agent-surface.json` says about declarations that could not be taken as they are.
    """

    artifacts: ArtifactSet
    surface_remarks: tuple[Mapping[str, Any], ...]

    @cached_property
    def packages(self) -> tuple[ServedPackage, ...]:
        """The packages, by instance id."""
        by_name: dict[str | None, list[Diagnostic]] = {}
        for diagnostic, name in self.artifacts.diagnostics.items():
            by_name.setdefault(name, []).append(diagnostic)
        entries = zip(self.artifacts.index["packages"], self.artifacts.packages, strict=True)
        found = (
            ServedPackage(
                _instance_of(entry["manifest"]),
                entry,
                artifact,
                # Two packages may have one name.
                tuple(
                    item
                    for item in by_name.get(artifact.name, ())
                    if _is_below(item.file_path, artifact.directory)
                ),
            )
            for entry, artifact in entries
        )
        return tuple(sorted(found, key=lambda package: package.instance))

    def summary(self) -> JsonValue:
        """Return what wrote the run, with which options, and what it came to."""
        kept = ("tool", "grammars", "options", "totals")
        index = {key: to_json(self.artifacts.index[key]) for key in kept if key in self.artifacts.index}
        return {**index, "alteredSinceTheRun": list(self.artifacts.altered)}

    def declarations(self, kind: str) -> JsonValue:
        """Return all intents or all playbooks, and the remarks about those that are missing or changed."""
        listed = self.artifacts.intents if kind == "intent" else self.artifacts.playbooks
        return {
            f"{kind}s": [to_json(entry) for entry in listed.values()],
            "remarks": [to_json(remark) for remark in self._remarks([kind], "")],
        }

    def diagnostic_codes(self) -> JsonValue:
        """Return how often each code occurs, and what it means."""
        diagnostics = self.artifacts.diagnostics
        counts = Counter((item.code, item.severity.value) for item in diagnostics)
        severities = Counter(item.severity for item in diagnostics)
        return {
            "counts": {severity.value: severities[severity] for severity in Severity},
            "codes": [
                {"code": code, "severity": severity, "count": count, **_meaning(code)}
                for (code, severity), count in sorted(counts.items())
            ],
        }

    def list_packages(self, given: Mapping[str, Any]) -> JsonValue:
        """Return a page of packages: those whose name or directory has a text in it."""
        text = given.get("text", "").lower()
        listed: list[JsonValue] = [
            {
                "instanceId": package.instance,
                **{key: to_json(package.entry.get(key)) for key in ("name", "version", "directory")},
                **{key: to_json(package.entry.get(key)) for key in ("files", "models", "diagnostics")},
            }
            for package in self.packages
            if text in f"{package.artifact.name or ''}\n{package.artifact.directory}".lower()
        ]
        return _page("packages", listed, given)

    def find_diagnostics(self, given: Mapping[str, Any]) -> JsonValue:
        """Return a page of diagnostics with a code, a severity, below a path, of a package."""
        listed: list[JsonValue] = [
            {**diagnostic_entry(item), **({} if package is None else {"package": package})}
            for item, package in self.artifacts.diagnostics.items()
            if given.get("code") in {None, item.code}
            and given.get("severity") in {None, item.severity.value}
            and given.get("package") in {None, package}
            and _is_below(item.file_path, given.get("path", ""))
        ]
        return _page("diagnostics", listed, given)

    def find_declarations(self, given: Mapping[str, Any]) -> JsonValue:
        """Return a page of intents and playbooks: of a kind, with a text in them, below a path."""
        text, path = given.get("text", "").lower(), given.get("path", "")
        kinds = [given["kind"]] if "kind" in given else list(KINDS)
        everything = {"intent": self.artifacts.intents, "playbook": self.artifacts.playbooks}
        listed = [
            to_json(entry)
            for kind in kinds
            for identity, entry in everything[kind].items()
            if _is_below(str(entry.get("filePath")), path)
            and text in "\n".join((identity, *_texts_of(entry))).lower()
        ]
        refused = self._remarks(kinds, path)
        return {**_page("declarations", listed, given), "remarksInThesePlaces": len(refused)}

    def _remarks(self, kinds: Sequence[str], path: str) -> list[Mapping[str, Any]]:
        helpers = {KINDS[kind].value for kind in kinds}
        return [
            remark
            for remark in self.surface_remarks
            if remark.get("helper") in helpers and _is_below(str(remark.get("filePath")), path)
        ]


def _instance_of(manifest_path: str) -> str:
    """Return the instance id of a package: the directory of its manifest, if that is one, else a text made of it.

    What is made ends with a hash of what it was made of, and so does what merely looks like that; two packages never meet.
    """
    found = _MANIFEST.fullmatch(manifest_path)
    slug = found[1] if found else manifest_path
    if is_instance_id(slug) and len(slug) <= _LONGEST_INSTANCE and not _HASHED.fullmatch(slug[-13:]):
        return slug
    digest = sha256(slug.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{_NOT_IN_INSTANCE.sub('-', slug)[:_LONGEST_INSTANCE]}-{digest}"


def _meaning(code: str) -> dict[str, JsonValue]:
    rule = CODES.get(code)
    return {} if rule is None else {"meaning": rule.summary, "isUnscanned": rule.is_unscanned}


def _is_below(path: str, place: str) -> bool:
    """Tell whether a path is a place or lies in the directory; everything lies in the empty one."""
    place = place.removesuffix("/")
    return place in {"", "."} or path == place or path.startswith(f"{place}/")


def _texts_of(entry: Mapping[str, Any]) -> Iterable[str]:
    return (str(entry[key]) for key in ("title", "description") if key in entry)


def _page(name: str, listed: list[JsonValue], given: Mapping[str, Any]) -> dict[str, JsonValue]:
    offset = int(given.get("offset", 0))
    end = offset + int(given.get("limit", DEFAULT_LIMIT))
    rest: dict[str, JsonValue] = {"nextOffset": end} if end < len(listed) else {}
    return {"total": len(listed), "offset": offset, name: listed[offset:end], **rest}
