"""The grammar of capability ids.

An id names its plane first: ``view:`` for what a component on show offers, ``domain:`` for what has a meaning by
itself. Behind ``view:`` stand a component type and a capability name, behind ``domain:`` any text that is not empty
(agent-surface core, id grammar). Since such a text can hold what no tool name may hold, whoever registers capabilities
here keeps to the strict form of domain paths.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from scanner.agent_ids.code_units import unit_length

DEFAULT_INSTANCE: Final = "default"
"""The instance id of a component that there is once."""

_MAX_ID_UNITS: Final = 128
_MAX_TYPE_UNITS: Final = 128
_COMPONENT_TYPE: Final = re.compile(r"[a-z][a-z0-9-]*(?:\.[a-z][a-z0-9-]*)*")
_CAPABILITY_NAME: Final = re.compile(r"[a-z][A-Za-z0-9]*")
_INSTANCE: Final = re.compile(r"[A-Za-z0-9_-]{1,128}")
_STRICT_PATH: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]*(?:\.[A-Za-z][A-Za-z0-9-]*)*")


class Plane(StrEnum):
    """What a capability belongs to; the value is the prefix of its id, without the colon."""

    VIEW = "view"
    DOMAIN = "domain"


@dataclass(frozen=True, slots=True)
class CapabilityId:
    """A capability id in its parts.

    Attributes:
        plane: What it belongs to.
        component_type: The dotted type of the component; None for a domain capability.
        name: Name of the capability in its component; the whole path of a domain capability.
    """

    plane: Plane
    component_type: str | None
    name: str

    def __str__(self) -> str:
        owner = "" if self.component_type is None else f"{self.component_type}."
        return f"{self.plane}:{owner}{self.name}"


def parse_capability_id(value: object) -> CapabilityId | None:
    """Return the parts of a capability id, or None for anything that is none, of whatever type."""
    if not isinstance(value, str) or unit_length(value) > _MAX_ID_UNITS:
        return None
    plane, _, rest = value.partition(":")
    if plane == Plane.DOMAIN and rest:
        return CapabilityId(Plane.DOMAIN, None, rest)
    if plane != Plane.VIEW:
        return None
    component_type, dot, name = rest.rpartition(".")
    if not dot or not is_component_type(component_type) or not _CAPABILITY_NAME.fullmatch(name):
        return None
    return CapabilityId(Plane.VIEW, component_type, name)


def parse_strict_capability_id(value: object) -> CapabilityId | None:
    """Return the parts of a capability id whose domain path is strict, too; None for anything else."""
    found = parse_capability_id(value)
    is_lax = found is not None and found.plane is Plane.DOMAIN and not is_strict_domain_path(found.name)
    return None if is_lax else found


def is_component_type(text: str) -> bool:
    """Tell whether a text is a component type: dotted lower-case segments of at most 128 units."""
    return unit_length(text) <= _MAX_TYPE_UNITS and _COMPONENT_TYPE.fullmatch(text) is not None


def is_instance_id(text: str) -> bool:
    """Tell whether a text can name one of several components of a type."""
    return _INSTANCE.fullmatch(text) is not None


def is_strict_domain_path(text: str) -> bool:
    """Tell whether a domain path keeps to ASCII letters, digits, hyphens and dots between segments that have a letter first.

    Such a path never needs a shortened wire name unless it is long, and its wire name fits every client.
    """
    return _STRICT_PATH.fullmatch(text) is not None
