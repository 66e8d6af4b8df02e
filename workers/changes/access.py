"""Who may do what through the surfaces of a class: its `api`, `mcp` and `cli`.

A surface that the config of `@smrt()` does not mention is open: all actions are offered (seed, "Gotchas"). `false`
closes it, `include` and `exclude` name actions. Whatever else stands there is not known to be open or closed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from workers.changes.records import ABSENT, EVERY_OTHER, Exposure

SURFACES: Final = ("api", "mcp", "cli")
"""Keys of a config that open or close a surface."""

LISTS: Final = ("include", "exclude")
"""Keys of a surface's config that name actions."""


@dataclass(frozen=True, slots=True)
class Access:
    """The actions that a surface offers.

    Attributes:
        names: Action names.
        is_open: Whether it offers everything but *names*, rather than *names* alone.
    """

    names: frozenset[str]
    is_open: bool

    def beyond(self, other: Access) -> tuple[str, ...]:
        """Return the actions that this one offers and the other does not, sorted; EVERY_OTHER for the unnamed ones."""
        if self.is_open:
            named = other.names - self.names if other.is_open else frozenset()
            return tuple(sorted(named)) if other.is_open else (EVERY_OTHER,)
        return tuple(sorted(self.names & other.names if other.is_open else self.names - other.names))

    def offers(self, name: str) -> bool:
        """Tell whether the surface offers one action."""
        return (name in self.names) != self.is_open


_EVERYTHING: Final = Access(frozenset(), is_open=True)
_NOTHING: Final = Access(frozenset(), is_open=False)


def read_access(value: Any) -> Access | None:
    """Return what a surface offers by its config; None when that is not known."""
    if value is ABSENT or value is True:
        return _EVERYTHING
    if value is False:
        return _NOTHING
    if not isinstance(value, dict):
        return None
    included, excluded = (_names(value.get(key, ABSENT)) for key in LISTS)
    if included is None or excluded is None:
        return None
    if "include" in value:
        return Access(included - excluded, is_open=False)
    return Access(excluded, is_open=True)


def _names(value: Any) -> frozenset[str] | None:
    if value is ABSENT:
        return frozenset()
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return frozenset(value)
    return None


def compare_access(before: Any, after: Any) -> Iterator[tuple[Exposure, tuple[str, ...]]]:
    """Yield what a changed config opens and closes, each with the actions concerned."""
    old, new = read_access(before), read_access(after)
    if old is None or new is None:
        yield Exposure.SHIFTED, ()
        return
    for exposure, actions in ((Exposure.OPENED, new.beyond(old)), (Exposure.CLOSED, old.beyond(new))):
        if actions:
            yield exposure, actions


def is_offering_anything(config: Mapping[str, Any]) -> bool:
    """Tell whether a class can be reached through any surface, or may be."""
    accesses = [read_access(config.get(key, ABSENT)) for key in SURFACES]
    return any(access is None or access.is_open or access.names for access in accesses)


def is_offered(config: Mapping[str, Any], method: Mapping[str, Any]) -> bool:
    """Tell whether a method of a class can be reached through any surface, or may be."""
    stated = method.get("decoratorConfig")
    if isinstance(stated, dict) and stated.get("expose", ABSENT) is False:
        return False
    name = str(method.get("name", ""))
    accesses = [read_access(config.get(key, ABSENT)) for key in SURFACES]
    return any(access is None or access.offers(name) for access in accesses)
