"""JavaScript values that Python has no word for, and the rules of object keys.

A JavaScript value read from source is held as:

=============  =====================================================
JavaScript     Python
=============  =====================================================
null           ``None``
undefined      :data:`UNDEFINED`
boolean        ``bool``
number         ``float`` (float64, as in JavaScript; -0.0 and NaN kept)
bigint         :class:`BigInt`
string         ``str`` (UTF-16 semantics: lone surrogates possible)
regex          :class:`RegExp`
array          ``list``
object         ``dict`` in JavaScript's key order
=============  =====================================================
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias


class Undefined(Enum):
    """The type of JavaScript's ``undefined``; an enum so that pickling keeps its identity."""

    UNDEFINED = "undefined"


UNDEFINED: Final = Undefined.UNDEFINED


@dataclass(frozen=True, slots=True)
class BigInt:
    """A JavaScript bigint."""

    value: int


@dataclass(frozen=True, slots=True)
class RegExp:
    """A regular expression literal, kept as its source text (``/a/g``)."""

    source: str


JsValue: TypeAlias = (
    "Undefined | bool | float | BigInt | str | RegExp | list[JsValue] | dict[str, JsValue] | None"
)

PROTOTYPE_KEYS: Final = frozenset({"__proto__", "constructor", "prototype"})
"""Keys that never become data, since assigning them can reach an object's prototype."""

_MAX_ARRAY_INDEX: Final = 2**32 - 2


def is_array_index(key: str) -> bool:
    """Tell whether JavaScript orders *key* among an object's integer keys (``"7"``, not ``"007"``)."""
    if not key.isascii() or not key.isdigit() or (len(key) > 1 and key[0] == "0"):
        return False
    return len(key) <= len(str(_MAX_ARRAY_INDEX)) and int(key) <= _MAX_ARRAY_INDEX


def in_key_order(entries: Mapping[str, JsValue]) -> dict[str, JsValue]:
    """Return *entries* in JavaScript's property order: integer keys ascending, then insertion order."""
    indices = sorted((key for key in entries if is_array_index(key)), key=int)
    if not indices:
        return dict(entries)
    ordered = {key: entries[key] for key in indices}
    ordered.update(entries)
    return ordered


def is_truthy(value: JsValue) -> bool:
    """Tell whether JavaScript takes *value* for true."""
    if value is UNDEFINED or value is None:
        return False
    if isinstance(value, BigInt):
        return value.value != 0
    if isinstance(value, list | dict):
        return True
    if isinstance(value, float):
        return value != 0 and not math.isnan(value)
    return bool(value)
