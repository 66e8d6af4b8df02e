"""Tool names for capability ids: short enough for every client, reversible where that is possible, never ambiguous.

The rules are those of agent-surface core, down to the hash, so that the names agree with those of a running page. A
name is shortened when it is too long, or when its id holds the underscore that names are made with. The table of names
that :func:`assign_wire_names` returns is what tells which capability is meant; decoding serves people and tests.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scanner.agent_ids.code_units import code_units, first_units, unit_length
from scanner.agent_ids.grammar import Plane, parse_capability_id
from scanner.surface.identity import utf16_order

MAX_WIRE_NAME_UNITS: Final = 64
_SHORTENED: Final = "_0_"
_INSTANCE: Final = "_at_"
_LAST_LEVEL: Final = 3
_HASH_UNITS: Final = 7
_HASH_UNITS_PER_LEVEL: Final = 2

_OFFSET_BASIS: Final = 0x811C9DC5
_PRIME: Final = 0x01000193
_WORD: Final = 0xFFFFFFFF
_CHUNK: Final = 7
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"

_LONG_RUN: Final = re.compile("_{3,}")


class DuplicateCapabilityError(ValueError):
    """Two capabilities have the same id and instance, so no name could tell them apart."""


@dataclass(frozen=True, slots=True)
class WireNames:
    """The names of a set of capabilities.

    Attributes:
        names: One name an entry, in the order of the entries.
        ids: The capability id of each name.
    """

    names: tuple[str, ...]
    ids: Mapping[str, str]


def hash36(text: str, length: int) -> str:
    """Return *length* characters of base 36 that depend on every code unit of a text.

    Rounds of FNV-1a's form, each with another start value, over whole 16-bit units; seven digits a round.
    """
    units = code_units(text)
    digits = ""
    turn = 0
    while len(digits) < length:
        state = _OFFSET_BASIS ^ turn
        for unit in units:
            state = (state ^ unit) * _PRIME & _WORD
        digits += _base36(state)
        turn += 1
    return digits[:length]


def _base36(number: int) -> str:
    digits = ""
    for _ in range(_CHUNK):
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return digits


def encode_wire_name(capability_id: str) -> str:
    """Return the name of a capability that needs no instance."""
    return encode_wire_name_for_instance(capability_id, None)


def encode_wire_name_for_instance(capability_id: str, instance_id: str | None, level: int = 0) -> str:
    """Return the name of a capability of one instance.

    Args:
        capability_id: The id; it is not checked.
        instance_id: The instance; None or empty where the name needs none.
        level: How much of the name is hash, from 0 to 3. Above 0 the name is always shortened.

    Returns:
        A name of at most 64 code units.
    """
    raw = capability_id.replace(":", "_", 1).replace(".", "__")
    if instance_id:
        raw += _INSTANCE + instance_id
    if level == 0 and unit_length(raw) <= MAX_WIRE_NAME_UNITS and "_" not in capability_id:
        return raw
    hash_units = _HASH_UNITS + _HASH_UNITS_PER_LEVEL * level
    kept = first_units(raw, MAX_WIRE_NAME_UNITS - len(_SHORTENED) - hash_units)
    return f"{kept}{_SHORTENED}{hash36(f'{_key(capability_id, instance_id)}#{level}', hash_units)}"


def _key(capability_id: str, instance_id: str | None) -> str:
    return f"{capability_id}#{instance_id or ''}"


def assign_wire_names(entries: Sequence[tuple[str, str | None]]) -> WireNames:
    """Give each capability a name that no other of them has; order of the entries never shows in a name.

    Args:
        entries: Id and instance of each; the instance is None or empty where the name needs none.

    Raises:
        DuplicateCapabilityError: Two entries have the same id and instance.
    """
    keys = [_key(*entry) for entry in entries]
    parts = dict(zip(keys, entries, strict=True))
    if len(parts) < len(keys):
        twice = next(key for key, count in Counter(keys).items() if count > 1)
        raise DuplicateCapabilityError(_duplicate(*parts[twice]))
    levels = dict.fromkeys(parts, 0)
    names = _encoded(parts, levels)
    for _ in range(_LAST_LEVEL):
        for key in _colliding(names):
            levels[key] += 1
        names = _encoded(parts, levels)
    for rank, key in enumerate(sorted(_colliding(names), key=utf16_order)):
        ending = f"{_SHORTENED}{rank}"
        names[key] = first_units(names[key], MAX_WIRE_NAME_UNITS - len(ending)) + ending
    return WireNames(tuple(names[key] for key in keys), {names[key]: parts[key][0] for key in keys})


def _encoded(parts: Mapping[str, tuple[str, str | None]], levels: Mapping[str, int]) -> dict[str, str]:
    return {key: encode_wire_name_for_instance(*entry, levels[key]) for key, entry in parts.items()}


def _colliding(names: Mapping[str, str]) -> list[str]:
    """Return the keys whose name another key has, too."""
    holders = defaultdict[str, list[str]](list)
    for key, name in names.items():
        holders[name].append(key)
    return [key for keys in holders.values() if len(keys) > 1 for key in keys]


def _duplicate(capability_id: str, instance_id: str | None) -> str:
    of_instance = f" of the instance {instance_id!r}" if instance_id else ""
    return f"The capability {capability_id!r}{of_instance} is registered twice; give one of them another id."


def decode_wire_name(name: str) -> str | None:
    """Return the id of a name that stands for one id and no instance; None for every other name.

    Shortened names and those of instances say too little or too much to be read back, so they are refused, as is every
    name that encoding would not give.
    """
    plane, mark, rest = name.partition("_")
    if not mark or plane not in tuple(Plane) or _LONG_RUN.search(rest):
        return None
    path = rest.replace("__", ".")
    if "_" in path or "" in path.split("."):
        return None
    capability_id = f"{plane}:{path}"
    if parse_capability_id(capability_id) is None or encode_wire_name(capability_id) != name:
        return None
    return capability_id
