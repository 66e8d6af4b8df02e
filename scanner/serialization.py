"""The one place that turns records and JavaScript values into JSON, and reads such JSON back.

Record fields become camelCase keys; internal fields stay out. JavaScript values that JSON does not have follow
spec D27: a bigint is the string ``"10n"``, a regex its source text, a non-finite number null; undefined leaves its
key out of an object and is null in an array. Lone surrogates (from source escapes or file names) are written as
JSON escapes, never fatal.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, Final, NoReturn, TypeAlias

import orjson

from scanner.js.values import UNDEFINED, BigInt, RegExp
from scanner.type_expressions import TypeExpression

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"

_EXACT_INTEGER_LIMIT: Final = 2.0**63


def camel_case(name: str) -> str:
    """Return an attribute name as JSON key: ``is_static`` gives ``isStatic``, ``async_`` gives ``async``."""
    head, *tail = name.rstrip("_").split("_")
    return head + "".join(part.capitalize() for part in tail)


@cache
def _shown_fields(record_type: type[Any]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (field.name, camel_case(field.name))
        for field in fields(record_type)
        if not field.metadata.get("internal")
    )


def to_json(value: Any) -> JsonValue:
    """Return *value*, a record or JavaScript value or a container of these, as plain JSON data."""
    if value is None or value is UNDEFINED:
        return None
    if isinstance(value, bool | str | int):
        return value
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, Mapping):
        return {key: to_json(item) for key, item in value.items() if item is not UNDEFINED}
    if isinstance(value, list | tuple):
        return [to_json(item) for item in value]
    return _record(value)


def _record(value: Any) -> JsonValue:
    if isinstance(value, TypeExpression):
        return value.text
    if isinstance(value, BigInt):
        return f"{value.value}n"
    if isinstance(value, RegExp):
        return value.source
    if isinstance(value, Enum):
        return to_json(value.value)
    if is_dataclass(value) and not isinstance(value, type):
        return {key: to_json(getattr(value, name)) for name, key in _shown_fields(type(value))}
    raise TypeError(f"{type(value).__name__} has no JSON form")


def _number(value: float) -> int | float | None:
    if not math.isfinite(value):
        return None
    return int(value) if value.is_integer() and abs(value) < _EXACT_INTEGER_LIMIT else value


def without_absent(entries: Mapping[str, Any]) -> dict[str, Any]:
    """Return *entries* without those that are None: an absent value is left out of a manifest."""
    return {key: value for key, value in entries.items() if value is not None}


def encode_line(value: JsonValue) -> bytes:
    """Encode JSON data as one line of UTF-8, LF at the end."""
    return _encode(value, orjson.OPT_APPEND_NEWLINE, {"separators": (",", ":")})


def encode_document(value: JsonValue) -> bytes:
    """Encode JSON data as an indented UTF-8 document, LF at the end."""
    return _encode(value, orjson.OPT_APPEND_NEWLINE | orjson.OPT_INDENT_2, {"indent": 2})


def _encode(value: JsonValue, options: int, fallback: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(value, option=options)
    except TypeError:
        # orjson takes no lone surrogates; the standard library does, and its escape is JSON's own.
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, **fallback)
        return f"{text}\n".encode("utf-8", "backslashreplace")


def decode_document(data: bytes) -> Any:
    """Read what :func:`encode_document` wrote, or any other JSON in UTF-8; lone surrogates may be escaped in it.

    Raises:
        ValueError: It is no JSON, or nested too deeply.
    """
    try:
        return orjson.loads(data)
    except ValueError:
        # orjson takes no lone surrogates here either.
        try:
            return json.loads(data.decode("utf-8"), parse_constant=_refuse_constant)
        except RecursionError as error:
            raise ValueError("the JSON is nested too deeply") from error


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
