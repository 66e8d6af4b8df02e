"""What a class offers through `api`, `mcp` and `cli`, as the page shows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scanner.serialization import JsonValue
from workers.changes.access import SURFACES, read_access
from workers.changes.records import ABSENT


def surface_entries(config: Mapping[str, Any], *, is_model: bool) -> list[JsonValue]:
    """Return the state of each surface, in the order of :data:`SURFACES`.

    A surface that the config does not mention is open (seed, "Gotchas"). The states are `default` (open, since nothing
    is said), `open` (open by the config), `except` (open but for some actions), `only` (some actions), `closed`,
    `unknown` (the value is none that says), and `none` for a class without `@smrt()`, which has no surfaces.

    Args:
        config: The config of the class's `@smrt()`.
        is_model: Whether the class has `@smrt()`, or may have.
    """
    return [_entry(config.get(key, ABSENT), is_model=is_model) for key in SURFACES]


def _entry(value: Any, *, is_model: bool) -> JsonValue:
    if not is_model:
        return {"state": "none"}
    if value is ABSENT:
        return {"state": "default"}
    access = read_access(value)
    if access is None:
        return {"state": "unknown"}
    names: list[JsonValue] = [*sorted(access.names)]
    if access.is_open:
        return {"state": "except", "actions": names} if names else {"state": "open"}
    return {"state": "only", "actions": names} if names else {"state": "closed"}
