"""Which part of a surface is looked at: what the server allows, met with what a request asks for.

Scopes are lists of prefixes of component types and procedure paths, whole segments each. An empty list means that
nothing is specified, so "nothing fits" needs a state of its own; confusing the two would open everything to a request
that asked for something forbidden.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scanner.surface.identity import utf16_order


@dataclass(frozen=True, slots=True)
class Scope:
    """The part of a surface that a request sees.

    Attributes:
        prefixes: Prefixes that are seen, by code unit; None for everything.
        rejected: Prefixes that were asked for but are not allowed, in the order of the request.
    """

    prefixes: tuple[str, ...] | None = None
    rejected: tuple[str, ...] = ()

    def covers(self, path: str) -> bool:
        """Tell whether a component type or procedure path is seen."""
        return self.prefixes is None or any(_extends(path, prefix) for prefix in self.prefixes)


def intersect_scopes(floor: Iterable[str], requested: Iterable[str]) -> Scope:
    """Return what a request sees: of two prefixes that extend each other the narrower one.

    Args:
        floor: Prefixes that the server allows; empty for everything.
        requested: Prefixes that a request names; empty for everything.
    """
    allowed, asked = tuple(dict.fromkeys(floor)), tuple(dict.fromkeys(requested))
    if not allowed or not asked:
        only = allowed or asked
        return Scope(tuple(sorted(only, key=utf16_order)) if only else None)
    met = {
        narrower for wish in asked for limit in allowed if (narrower := _narrower(wish, limit)) is not None
    }
    rejected = tuple(wish for wish in asked if all(_narrower(wish, limit) is None for limit in allowed))
    return Scope(tuple(sorted(met, key=utf16_order)), rejected)


def _narrower(one: str, other: str) -> str | None:
    if _extends(one, other):
        return one
    return other if _extends(other, one) else None


def _extends(path: str, prefix: str) -> bool:
    return path == prefix or path.startswith(f"{prefix}.")
