"""What an agent sees when it asks what there is."""

from __future__ import annotations

from typing import Final

from scanner.agent_ids.code_units import unit_length
from scanner.serialization import JsonValue, encode_line, to_json
from workers.toolset.catalog import Capability, Catalog, Component
from workers.toolset.scope import Scope

SURFACE_ID: Final = "scan-cluster"


def discover(catalog: Catalog, scope: Scope, budget: int) -> dict[str, JsonValue]:
    """Return the part of a catalog that a scope covers.

    Args:
        catalog: Everything there is.
        scope: What is seen; what it rejected is named in the answer.
        budget: Code units of JSON that the answer may have. Components are dropped to keep to it, those of the lowest
            priority first, and their number is told; procedures never are, so the answer can still be longer.
    """
    components = [
        component_entry(component) for component in catalog.components if scope.covers(component.type)
    ]
    answer: dict[str, JsonValue] = {
        "surfaceId": SURFACE_ID,
        "surfaceVersion": catalog.version,
        "components": [],
        "procedures": [procedure_entry(item) for item in catalog.procedures if scope.covers(item.path)],
        **({"scopeRejected": {"prefixes": list(scope.rejected)}} if scope.rejected else {}),
    }
    fitting = _fitting(components, budget - _size(answer), _size({"truncated": {"droppedComponents": 10**9}}))
    answer["components"] = components[:fitting]
    if fitting < len(components):
        answer["truncated"] = {"droppedComponents": len(components) - fitting}
    return answer


def _fitting(components: list[JsonValue], room: int, room_of_mark: int) -> int:
    """Return how many components fit; what says that some are missing has to fit, too."""
    sizes = [_size(component) + 1 for component in components]
    if sum(sizes) <= room:
        return len(sizes)
    count, taken = 0, room_of_mark
    for size in sizes:
        taken += size
        if taken > room:
            break
        count += 1
    return count


def _size(value: JsonValue) -> int:
    return unit_length(encode_line(value).decode()) - 1


def component_entry(component: Component) -> JsonValue:
    """Return a component as it is listed; observations take no input, so none is shown."""
    return {
        "type": component.type,
        "instanceId": component.instance_id,
        "description": component.description,
        "observations": [_entry(item) for item in component.observations],
        "actions": [],
    }


def procedure_entry(procedure: Capability) -> JsonValue:
    """Return a procedure as it is listed."""
    return {**_entry(procedure), "inputSchema": to_json(procedure.input_schema)}


def _entry(capability: Capability) -> dict[str, JsonValue]:
    return {
        "capabilityId": capability.id,
        "effect": capability.effect.value,
        "description": capability.description,
    }
