"""A small catalog whose capabilities say what they were given."""

from __future__ import annotations

from typing import Any

from workers.toolset.calls import Call, Outcome, call_verb
from workers.toolset.catalog import Capability, Catalog, Component, Effect

ECHO_SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}}


def observation(capability_id: str, output: Any = None) -> Capability:
    return Capability(capability_id, Effect.READ, "What is there.", lambda _input: output)


def procedure(capability_id: str, schema: Any = None) -> Capability:
    return Capability(
        capability_id,
        Effect.SERVER_QUERY,
        "Says what it got.",
        lambda given: {"got": dict(given)},
        schema or ECHO_SCHEMA,
    )


def component(
    component_type: str, instance: str | None = None, priority: int = 0, name: str = "state"
) -> Component:
    shown = observation(f"view:{component_type}.{name}", instance or "only")
    return Component(component_type, f"The {component_type}.", (shown,), instance, priority)


def catalog(*components: Component, procedures: tuple[Capability, ...] = ()) -> Catalog:
    return Catalog("v1", components, procedures)


def sample() -> Catalog:
    return catalog(
        component("devices.table", "one"),
        component("devices.table", "two"),
        component("run", priority=1),
        procedures=(procedure("domain:devices.echo"), procedure("domain:query.echo")),
    )


def ask(tool: str, arguments: object = None, *floor: str) -> Outcome:
    return call_verb(sample(), Call(tool, arguments, floor))
