"""Where a class comes from as a JSON document; its schema is `explain`."""

from __future__ import annotations

from typing import Any

from scanner.artifacts import FORMAT_VERSION
from scanner.serialization import JsonValue, to_json, without_absent
from workers.changes.values import as_mapping
from workers.lineages.chains import Declaration, Origin
from workers.lineages.explanation import Explanation
from workers.lineages.records import FoundParent, LineageClass, ModuleHop


def explanation_document(explanation: Explanation) -> JsonValue:
    """Return where a class and its members come from as JSON data."""
    known, chain = explanation.known, explanation.chain
    fields = as_mapping(known.content.get("fields"))
    return {
        "formatVersion": FORMAT_VERSION,
        "key": known.key,
        "isSti": known.entry.is_sti,
        "chain": [_class(entry) for entry in chain.classes],
        "end": chain.end.value,
        "fields": [
            {"name": origin.name, "type": as_mapping(fields.get(origin.name)).get("type"), **_origin(origin)}
            for origin in explanation.fields
        ],
        "methods": [{"name": origin.name, **_origin(origin)} for origin in explanation.methods],
    }


def _class(entry: LineageClass) -> JsonValue:
    return without_absent(
        {
            **_place(entry),
            "package": to_json(entry.package),
            "isDecorated": entry.is_decorated,
            "extends": entry.extends,
            "parent": None if entry.parent is None else _parent(entry.parent),
        }
    )


def _place(entry: LineageClass) -> dict[str, Any]:
    return dict(as_mapping(to_json(entry.place)))


def _parent(parent: FoundParent) -> JsonValue:
    return without_absent(
        {
            "name": parent.name,
            "rule": parent.rule.value,
            "class": to_json(parent.place),
            "via": [_hop(hop) for hop in parent.via] or None,
            "viaOmitted": parent.via_omitted or None,
            "rivals": to_json(parent.rivals) or None,
            "rivalsOmitted": parent.rivals_omitted or None,
        }
    )


def _hop(hop: ModuleHop) -> JsonValue:
    return without_absent(as_mapping(to_json(hop)))


def _origin(origin: Origin) -> dict[str, Any]:
    return {
        "declaredBy": None if origin.declared is None else _declaration(origin.declared),
        "overrides": [_declaration(item) for item in origin.overrides],
        "redeclaredBy": [_declaration(item) for item in origin.redeclared],
    }


def _declaration(item: Declaration) -> JsonValue:
    place = item.owner.place
    return {"className": place.class_name, "filePath": place.file_path, "line": item.member.line}
