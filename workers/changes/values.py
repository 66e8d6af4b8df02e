"""Comparing JSON values as JavaScript would see them, and walking over what differs between two objects."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from workers.changes.records import ABSENT


def is_same(before: Any, after: Any) -> bool:
    """Tell whether two JSON values are equal: true is not 1, and the order of an object's keys means nothing."""
    if before is ABSENT or after is ABSENT:
        return before is after
    return _canonical(before) == _canonical(after)


def _canonical(value: Any) -> str:
    # Python takes True for 1, so values are compared by their text.
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Yield every key whose values differ, sorted, with both values; ABSENT where an object lacks the key."""
    for key in sorted({*before, *after}):
        old, new = before.get(key, ABSENT), after.get(key, ABSENT)
        if not is_same(old, new):
            yield key, old, new


def is_extended(before: Any, after: Any) -> bool:
    """Tell whether everything in an older list or object is still there, in the order it had, beside new things."""
    if isinstance(before, list) and isinstance(after, list):
        rest = iter(after)
        return all(any(is_same(item, other) for other in rest) for item in before)
    if isinstance(before, dict) and isinstance(after, dict):
        return all(key in after and is_same(item, after[key]) for key, item in before.items())
    return False


def as_mapping(value: Any) -> Mapping[str, Any]:
    """Return an object, or an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def is_told_by_keys(before: Any, after: Any) -> bool:
    """Tell whether two values, which differ, do so in the keys that they have as objects."""
    return not is_same(as_mapping(before), as_mapping(after))


def is_number(value: Any) -> bool:
    """Tell whether a JSON value is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)
