"""Schemas, what validates against them, and their parts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema
import referencing

from scanner.schemas import load_schema

NAMES = (
    "agent-surface",
    "classes",
    "diagnostics",
    "diff",
    "explain",
    "index",
    "inspect",
    "lineage",
    "manifest",
    "run",
    "verify",
)


@cache
def validator(name: str) -> jsonschema.Draft202012Validator:
    """A validator that knows nothing but the one schema."""
    schema = json.loads(load_schema(name))
    resource = referencing.Resource.from_contents(schema)
    registry = referencing.Registry().with_resource(schema["$id"], resource).crawl()
    return jsonschema.Draft202012Validator(schema, registry=registry)


def subschemas(part: Any) -> Iterator[dict[str, Any]]:
    """The parts of a schema that describe values; conditions only narrow what these say."""
    if isinstance(part, dict):
        yield part
    items = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for key, item in items:
        if key not in {"if", "then", "else"}:
            yield from subschemas(item)


def described_properties(name: str) -> Iterator[tuple[str, Any]]:
    """The properties that a schema itself describes, not those of schemas inside it."""
    schema = json.loads(load_schema(name))
    own = {key: part for key, part in schema.get("$defs", {}).items() if "$id" not in part}
    for part in subschemas({**schema, "$defs": own}):
        if isinstance(part.get("properties"), dict):
            yield from part["properties"].items()


def property_of(name: str, *path: str) -> Any:
    """What a schema says at a path, seen through references within it and through one branch of a choice."""
    schema = part = json.loads(load_schema(name))
    for key in path:
        part = part[int(key)] if isinstance(part, list) else part[key]
        while isinstance(part, dict) and part.get("$ref", "").startswith("#/$defs/"):
            part = schema["$defs"][part["$ref"].rpartition("/")[2]]
    return part
