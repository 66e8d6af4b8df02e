"""JSON Schemas of everything the tool writes for programs, as package data.

Each ``NAME.schema.json`` beside this module describes one document (draft 2020-12). A schema names the others it builds
on by their ``$id``; :func:`load_schema` gives one with all of these inside it, so that what it returns stands alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from typing import Any, Final

import orjson

from scanner.serialization import encode_document

_SUFFIX: Final = ".schema.json"
_ID_PREFIX: Final = "urn:scan-cluster:schema:1:"


def schema_names() -> tuple[str, ...]:
    """Return the names of all schemas, sorted."""
    names = (entry.name for entry in resources.files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX)))


def load_schema(name: str) -> bytes:
    """Return a schema as a JSON document in UTF-8, with every schema that it builds on under ``$defs``.

    Raises:
        LookupError: There is no schema of this name.
    """
    if name not in schema_names():
        raise LookupError(f"There is no schema {name!r}. Schemas are: {', '.join(schema_names())}.")
    schema = _read(name)
    embedded = _needed(schema)
    if embedded:
        schema["$defs"] = {**schema.get("$defs", {}), **embedded}
    return encode_document(schema)


def _read(name: str) -> dict[str, Any]:
    content: dict[str, Any] = orjson.loads((resources.files(__name__) / f"{name}{_SUFFIX}").read_bytes())
    return content


def _needed(schema: dict[str, Any]) -> dict[str, Any]:
    """Return all schemas that *schema* refers to, directly or not, by their ``$id``."""
    found: dict[str, Any] = {schema["$id"]: schema}
    pending = [schema]
    while pending:
        for identity in _foreign_ids(pending.pop()):
            if identity not in found:
                found[identity] = _read(identity.removeprefix(_ID_PREFIX))
                pending.append(found[identity])
    del found[schema["$id"]]
    return dict(sorted(found.items()))


def _foreign_ids(part: Any) -> Iterator[str]:
    """Yield the ``$id`` of every other schema that a part of a schema refers to."""
    if isinstance(part, dict):
        reference = part.get("$ref")
        if isinstance(reference, str) and reference.startswith(_ID_PREFIX):
            yield reference.partition("#")[0]
    parts = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    for item in parts:
        yield from _foreign_ids(item)
