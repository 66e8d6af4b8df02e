"""Whether one type, given by its name, takes in another.

Manifests hold types as text (spec section 1), which leaves some arrays of unions unclear: ``(string | null)[]`` and
``string | null[]`` print alike. Such types are never said to be wider or narrower.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

_TOP: Final = frozenset({"any", "unknown"})
_NUMBER: Final = re.compile(r"-?\d[\d.]*(?:e[+-]?\d+)?", re.IGNORECASE)
_OPENING: Final = "<("
_CLOSING: Final = ">)"
_PROMISE: Final = "Promise<"


class Width(Enum):
    """How a type relates to the one it replaces."""

    SAME = "same"
    WIDER = "wider"
    NARROWER = "narrower"
    OTHER = "other"


def compare_types(before: str, after: str) -> Width:
    """Return how the type named *after* relates to the one named *before*."""
    if _is_promise_alone(before) and _is_promise_alone(after):
        return compare_types(before[len(_PROMISE) : -1], after[len(_PROMISE) : -1])
    old, new = _branches(before), _branches(after)
    if _is_unclear(old) or _is_unclear(new):
        return Width.SAME if before == after else Width.OTHER
    is_wider, is_narrower = _takes_in(new, old), _takes_in(old, new)
    if is_wider and is_narrower:
        return Width.SAME
    return Width.WIDER if is_wider else Width.NARROWER if is_narrower else Width.OTHER


def is_promise(name: str) -> bool:
    """Tell whether a type is a promise."""
    return name.startswith(_PROMISE)


def _is_promise_alone(name: str) -> bool:
    return is_promise(name) and name.endswith(">") and len(_branches(name)) == 1


def _branches(name: str) -> list[str]:
    """Split a union at its own bars: not those inside quotes or type arguments."""
    branches, depth, quoted, start = [], 0, False, 0
    for place, char in enumerate(name):
        if char == "'":
            quoted = not quoted
        elif not quoted:
            depth += (char in _OPENING) - (char in _CLOSING)
            if char == "|" and depth == 0:
                branches.append(name[start:place].strip())
                start = place + 1
    return [*branches, name[start:].strip()]


def _is_unclear(branches: list[str]) -> bool:
    return any(branch.endswith("[]") for branch in branches[1:])


def _takes_in(wide: list[str], narrow: list[str]) -> bool:
    return all(any(_holds(one, other) for one in wide) or _is_split(wide, other) for other in narrow)


def _holds(wide: str, narrow: str) -> bool:
    if wide == narrow or wide in _TOP or narrow == "never":
        return True
    if wide.endswith("[]") and narrow.endswith("[]"):
        return _holds(wide[:-2], narrow[:-2])
    match wide:
        case "string":
            return narrow.startswith("'")
        case "number":
            return _NUMBER.fullmatch(narrow) is not None
        case "boolean":
            return narrow in {"true", "false"}
        case _:
            return False


def _is_split(wide: list[str], narrow: str) -> bool:
    return narrow == "boolean" and {"true", "false"} <= set(wide)
