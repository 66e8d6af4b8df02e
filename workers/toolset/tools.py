"""Tools as a client lists them: the three of meta mode, or one a capability."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scanner.agent_ids import Plane
from workers.toolset.catalog import Capability, Catalog
from workers.toolset.scope import Scope
from workers.toolset.verbs import VERBS


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as a client lists it.

    Attributes:
        name: Its name; at most 64 code units.
        description: What it is for, with plane and effect, or the mode, in brackets before it.
        input_schema: JSON Schema of its arguments.
    """

    name: str
    description: str
    input_schema: Mapping[str, Any]


def meta_tools() -> tuple[Tool, ...]:
    """Return the three tools that reach everything; the same for every run."""
    return tuple(Tool(verb.name, verb.description, verb.input_schema()) for verb in VERBS.values())


def direct_tools(catalog: Catalog, floor: Scope) -> tuple[Tool, ...]:
    """Return one tool for each capability that the floor covers, in the order of the catalog."""
    return tuple(
        _tool(name, target.capability)
        for name, target in catalog.by_tool_name.items()
        if floor.covers(target.scoped_path)
    )


def direct_capability(catalog: Catalog, floor: Scope, name: str) -> Capability | None:
    """Return the capability that a tool stands for, if there is such a tool."""
    target = catalog.by_tool_name.get(name)
    return target.capability if target is not None and floor.covers(target.scoped_path) else None


def _tool(name: str, capability: Capability) -> Tool:
    plane = Plane.VIEW if capability.is_observation else Plane.DOMAIN
    description = f"[{plane} · {capability.effect}] {capability.description}"
    return Tool(name, description, capability.input_schema)
