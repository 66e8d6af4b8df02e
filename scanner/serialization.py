"""The one place that turns records and JavaScript values into JSON, and reads such JSON back.

Record fields become camelCase keys; internal fields stay out. JavaScript values that JSON does not have follow
spec D27: a bigint is the string ``"10n"``, a regex its source text, a non-finite number null; undefined leaves its
key out of an object and is null in an array. Lone surrogates (from source escapes or file names) are written as
JSON escapes, never fatal.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from operator import attrgetter
from types import NoneType
from typing import Any, Final, NoReturn, TypeAlias

import orjson

from scanner.js.values import UNDEFINED, BigInt, RegExp, Undefined
from scanner.plain_records import field_names, is_record_type
from scanner.records import INTERNAL_FIELDS
from scanner.type_expressions import TypeExpression

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"

_EXACT_INTEGER_LIMIT: Final = 2.0**63


def camel_case(name: str) -> str:
    """Return an attribute name as JSON key: ``is_static`` gives ``isStatic``, ``async_`` gives ``async``."""
    head, *tail = name.rstrip("_").split("_")
    return head + "".join(part.capitalize() for part in tail)


def to_json(value: Any) -> JsonValue:
    """Return *value*, a record or JavaScript value or a container of these, as plain JSON data."""
    kind = _type_of(value)
    result: JsonValue = value if kind in _JSON_TYPES else _converter(kind)(value)
    return result


_type_of: Final[Callable[[Any], Any]] = type
_JSON_TYPES: Final = frozenset({str, int, bool, NoneType})
"""Types whose values are JSON data already."""


@cache
def _converter(kind: Any) -> Callable[[Any], JsonValue]:
    """Return what turns values of a type into JSON data; found once a type, since values come by the million."""
    if kind in _OF_TYPES:
        return _OF_TYPES[kind]
    if issubclass(kind, bool | str | int):
        return _same
    if issubclass(kind, float):
        return _number
    if issubclass(kind, Mapping):
        return _object
    if is_record_type(kind):
        return _record_converter(kind)
    if issubclass(kind, list | tuple):
        return _array
    if issubclass(kind, Enum):
        return lambda value: to_json(value.value)
    return _refuse


_OF_TYPES: Final[Mapping[type, Callable[[Any], JsonValue]]] = {
    Undefined: lambda _: None,
    TypeExpression: lambda value: value.text,
    BigInt: lambda value: f"{value.value}n",
    RegExp: lambda value: value.source,
}


def _same(value: Any) -> JsonValue:
    result: JsonValue = value
    return result


def _refuse(value: Any) -> NoReturn:
    raise TypeError(f"{type(value).__name__} has no JSON form")


def _object(value: Mapping[str, Any]) -> JsonValue:
    return {
        key: item if _type_of(item) in _JSON_TYPES else _converter(_type_of(item))(item)
        for key, item in value.items()
        if item is not UNDEFINED
    }


def _array(value: Sequence[Any]) -> JsonValue:
    return [item if _type_of(item) in _JSON_TYPES else _converter(_type_of(item))(item) for item in value]


def _record_converter(record_type: Any) -> Callable[[Any], JsonValue]:
    shown = _shown_fields(record_type)
    keys = [camel_case(name) for name in shown]
    # Two attributes at least, so that the getter always gives a tuple.
    values_of = attrgetter(*shown, "__class__", "__class__")

    def convert(value: Any) -> JsonValue:
        return {
            key: item if _type_of(item) in _JSON_TYPES else _converter(_type_of(item))(item)
            for key, item in zip(keys, values_of(value), strict=False)
        }

    return convert


def _shown_fields(record_type: Any) -> list[str]:
    if is_dataclass(record_type):
        return [field.name for field in fields(record_type) if not field.metadata.get("internal")]
    internal = INTERNAL_FIELDS.get(record_type, frozenset())
    return [name for name in field_names(record_type) if name not in internal]


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
