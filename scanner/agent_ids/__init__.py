"""Names of what an agent can use: capability ids, and the tool names that are sent for them.

Ids and wire names follow the rules of agent-surface core, unit by unit, so that a name made here is the name that any
other implementation makes. Lengths and order are those of JavaScript: UTF-16 code units.
"""

from scanner.agent_ids.grammar import (
    DEFAULT_INSTANCE,
    CapabilityId,
    Plane,
    is_component_type,
    is_instance_id,
    is_strict_domain_path,
    parse_capability_id,
    parse_strict_capability_id,
)
from scanner.agent_ids.wire_names import (
    MAX_WIRE_NAME_UNITS,
    DuplicateCapabilityError,
    WireNames,
    assign_wire_names,
    decode_wire_name,
    encode_wire_name,
    encode_wire_name_for_instance,
    hash36,
)

__all__ = [
    "DEFAULT_INSTANCE",
    "MAX_WIRE_NAME_UNITS",
    "CapabilityId",
    "DuplicateCapabilityError",
    "Plane",
    "WireNames",
    "assign_wire_names",
    "decode_wire_name",
    "encode_wire_name",
    "encode_wire_name_for_instance",
    "hash36",
    "is_component_type",
    "is_instance_id",
    "is_strict_domain_path",
    "parse_capability_id",
    "parse_strict_capability_id",
]
