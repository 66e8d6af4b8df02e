"""The classes of the page: models with fields, methods and surfaces, and at full depth all other classes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from scanner.serialization import JsonValue, without_absent
from workers.changes.records import ABSENT, PackageArtifact
from workers.changes.values import as_mapping
from workers.report.inputs import ReportedRun
from workers.report.lineage import FieldOrigin, Lineage, ListedClass, Parent
from workers.report.surfaces import surface_entries

_FIELD_NOTES: Final = (
    ("required", "required"),
    ("readonly", "read-only"),
    ("sensitive", "sensitive"),
    ("transient", "not stored"),
)
_FIELD_DETAILS: Final = ("readPermission", "min", "max", "minLength", "maxLength")


def list_classes(run: ReportedRun) -> list[ListedClass]:
    """Return every class of a run: those of the manifests by package, then all others by path."""
    records = run.records or ()
    by_place = {_place(item): item for item in records}
    listed = list(_of_manifests(run.artifacts.packages, by_place))
    taken = {id(item.record) for item in listed if item.record is not None}
    others = [item for item in records if id(item) not in taken]
    return [*listed, *_of_records(others, run.artifacts.packages)]


def _of_manifests(
    packages: Sequence[PackageArtifact], records: Mapping[tuple[str, str], Mapping[str, Any]]
) -> Iterator[ListedClass]:
    keys: set[str] = set()
    for number, package in enumerate(packages):
        for key, content in package.manifest["objects"].items():
            name = str(content.get("className", key))
            # Packages of one name, or without any, may have the same keys.
            unique = f"{package.directory}:{key}" if key in keys else key
            keys.add(unique)
            yield ListedClass(
                unique, number, name, content, records.get(_place(content)), is_in_manifest=True
            )


def _place(content: Mapping[str, Any]) -> tuple[str, str]:
    return str(content.get("filePath", "")), str(content.get("className", ""))


def _of_records(
    records: Iterable[Mapping[str, Any]], packages: Sequence[PackageArtifact]
) -> Iterator[ListedClass]:
    by_directory = {package.directory.removeprefix("."): number for number, package in enumerate(packages)}
    for item in records:
        path, name = _place(item)
        key = f"{path}:{item.get('startLine', 0)}:{name}"
        yield ListedClass(key, _package_of(path, by_directory), name, item, item, is_in_manifest=False)


def _package_of(path: str, by_directory: Mapping[str, int]) -> int | None:
    """Return the package whose directory is the nearest above a file."""
    while path:
        path = path.rpartition("/")[0]
        if path in by_directory:
            return by_directory[path]
    return None


def class_entries(lineage: Lineage, files_in_doubt: frozenset[str]) -> list[JsonValue]:
    """Return the data of every class.

    Args:
        lineage: All classes.
        files_in_doubt: Files in which a decorator config could not be read, so that surfaces may be other than shown.
    """
    return [_entry(lineage, number, files_in_doubt) for number in range(len(lineage.classes))]


def _entry(lineage: Lineage, number: int, files_in_doubt: frozenset[str]) -> JsonValue:
    listed, parent = lineage.classes[number], lineage.parent(number)
    path = str(listed.content.get("filePath", ""))
    common: dict[str, JsonValue] = {
        "key": listed.key,
        "name": listed.name,
        "package": listed.package,
        "file": path,
        "line": None if listed.record is None else listed.record.get("startLine"),
        "extends": listed.extended_name if parent.found is None else parent.found.name,
        "parent": parent.number,
        **_parent(parent),
    }
    if listed.is_in_manifest:
        common.update(_model(lineage, number))
        if path in files_in_doubt:
            common["isInDoubt"] = True
    return without_absent(common)


def _parent(parent: Parent) -> dict[str, JsonValue]:
    """Return what says which class a parent is, where that stands when the page does not list it, and its rivals."""
    found = parent.found
    if found is None:
        return {}
    is_elsewhere = found.place is not None and parent.number is None
    return {
        "rule": found.rule.value,
        "at": found.place.file_path if found.place is not None and is_elsewhere else None,
        "rivals": [rival.file_path for rival in found.rivals] or None,
    }


def _model(lineage: Lineage, number: int) -> dict[str, JsonValue]:
    listed = lineage.classes[number]
    is_model = listed.record is None or listed.record.get("hasSmartDecorator") is True
    origins = lineage.origins(number)
    methods = as_mapping(listed.content.get("methods"))
    return {
        "isListed": True,
        "isModel": is_model,
        "strategy": lineage.strategy(number),
        "collection": listed.content.get("collection"),
        "config": _json(listed.config) if listed.config else None,
        "surfaces": surface_entries(listed.config, is_model=is_model),
        "fields": [_field(name, as_mapping(item), origins.get(name)) for name, item in listed.fields.items()],
        "methods": [_method(name, as_mapping(item)) for name, item in methods.items()],
    }


def _field(name: str, content: Mapping[str, Any], origin: FieldOrigin | None) -> JsonValue:
    notes: list[JsonValue] = [word for key, word in _FIELD_NOTES if content.get(key) is True]
    notes += [f"{key} {_json(content[key])}" for key in _FIELD_DETAILS if key in content]
    told: dict[str, JsonValue] = {
        "name": name,
        "type": str(content.get("type", "")),
        "related": content.get("related"),
        "default": _json(content["default"]) if "default" in content else None,
        "notes": notes or None,
        "about": content.get("description"),
        "origin": None if origin is None else origin.number,
        "from": _named(origin) if origin is not None and origin.number is None else None,
    }
    return without_absent(told)


def _named(origin: FieldOrigin) -> str:
    place = origin.declared.owner.place
    return f"{place.class_name} in {place.file_path}"


def _method(name: str, content: Mapping[str, Any]) -> JsonValue:
    config = as_mapping(content.get("decoratorConfig"))
    parameters = content.get("parameters")
    shown = (
        ", ".join(_parameter(as_mapping(item)) for item in parameters) if isinstance(parameters, list) else ""
    )
    words = [word for key, word in (("isStatic", "static"), ("async", "async")) if content.get(key) is True]
    about = config.get("description")
    told: dict[str, JsonValue] = {
        "name": name,
        "signature": " ".join([*words, f"{name}({shown}): {content.get('returnType', 'unknown')}"]),
        "about": about if isinstance(about, str) else None,
        "isWithheld": True if config.get("expose", ABSENT) is False else None,
    }
    return without_absent(told)


def _parameter(content: Mapping[str, Any]) -> str:
    mark = "?" if content.get("optional") is True and "default" not in content else ""
    default = f" = {_json(content['default'])}" if "default" in content else ""
    return f"{content.get('name', '_')}{mark}: {content.get('type', 'unknown')}{default}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
