"""The capabilities of one loaded run, checked when they are put together.

A component is something on show that has observations, which take no input; a procedure is asked with an input. What
would make a name ambiguous or a tool unusable fails here, when a run is loaded, and not when an agent calls it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final

from scanner.agent_ids import (
    DEFAULT_INSTANCE,
    Plane,
    assign_wire_names,
    is_component_type,
    is_instance_id,
    parse_strict_capability_id,
)
from scanner.agent_ids.code_units import unit_length
from scanner.serialization import JsonValue, encode_line
from scanner.surface.identity import utf16_order
from workers.toolset.scope import Scope

MAX_COMPONENT_DESCRIPTION: Final = 500
MAX_CAPABILITY_DESCRIPTION: Final = 300
MAX_SCHEMA_UNITS: Final = 16_384
MAX_SCHEMA_DEPTH: Final = 8
NO_INPUT: Final[Mapping[str, Any]] = MappingProxyType(
    {"type": "object", "properties": {}, "additionalProperties": False}
)
"""The input schema of every observation."""


class CatalogError(ValueError):
    """Capabilities break a rule that every surface keeps; the message names the one at fault."""


class Effect(StrEnum):
    """What a capability does; nothing here does more than look things up."""

    READ = "read"
    SERVER_QUERY = "server-query"


Run = Callable[[Mapping[str, Any]], JsonValue]
"""What answers a capability, given its input; it raises :class:`~workers.toolset.failures.ToolError`."""


@dataclass(frozen=True, slots=True)
class Capability:
    """Something that can be asked for.

    Attributes:
        id: Its id; a ``view:`` id makes it an observation, a ``domain:`` id a procedure.
        effect: What it does.
        description: What it is for; at most 300 code units.
        run: What answers it.
        input_schema: JSON Schema of its input, an object; at most 16,384 code units and 8 levels.
    """

    id: str
    effect: Effect
    description: str
    run: Run = field(repr=False, compare=False)
    input_schema: Mapping[str, Any] = field(default_factory=lambda: NO_INPUT, repr=False)

    @property
    def is_observation(self) -> bool:
        """Whether it belongs to a component and takes no input."""
        return self.id.startswith(f"{Plane.VIEW}:")

    @property
    def path(self) -> str:
        """What stands behind the plane."""
        return self.id.partition(":")[2]


@dataclass(frozen=True, slots=True)
class Component:
    """Something on show.

    Attributes:
        type: Its dotted type.
        description: What it shows; at most 500 code units.
        observations: What can be read of it.
        instance: Which one it is of those of its type; None where there is never more than one. Tools of a type with
            instances always carry them in their names, so that a rescan which brings a second one renames none.
        priority: Components of higher priority come first and are dropped last.
    """

    type: str
    description: str
    observations: tuple[Capability, ...]
    instance: str | None = None
    priority: int = 0

    @property
    def instance_id(self) -> str:
        """The id that a request names it by."""
        return self.instance or DEFAULT_INSTANCE


@dataclass(frozen=True, slots=True)
class Target:
    """A capability where it is offered.

    Attributes:
        capability: The capability.
        component: The component that offers it; None for a procedure.
    """

    capability: Capability
    component: Component | None = None

    @property
    def scoped_path(self) -> str:
        """What scopes are compared with: the component's type, or the procedure's path."""
        return self.capability.path if self.component is None else self.component.type


@dataclass(frozen=True)
class Catalog:
    """Everything that can be asked about one run.

    Attributes:
        version: Digest of the run's artifacts: equal for equal runs, otherwise without meaning.
        components: What is on show, by priority, then type, then instance.
        procedures: What can be asked with an input, by id.

    Raises:
        CatalogError: An id, description or schema breaks a rule, or something is there twice.
    """

    version: str
    components: tuple[Component, ...]
    procedures: tuple[Capability, ...]
    _by_id: dict[str, list[Target]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _check(self.components, self.procedures)
        object.__setattr__(self, "components", tuple(sorted(self.components, key=_component_order)))
        object.__setattr__(
            self, "procedures", tuple(sorted(self.procedures, key=lambda item: utf16_order(item.id)))
        )
        by_id: dict[str, list[Target]] = {}
        for target in self.targets():
            by_id.setdefault(target.capability.id, []).append(target)
        object.__setattr__(self, "_by_id", by_id)

    def targets(self) -> Iterable[Target]:
        """Yield every capability where it is offered: components with their observations, then procedures."""
        for component in self.components:
            yield from (Target(capability, component) for capability in component.observations)
        yield from map(Target, self.procedures)

    @cached_property
    def by_tool_name(self) -> dict[str, Target]:
        """Each capability where it is offered, by the name of the tool that stands for it."""
        targets = list(self.targets())
        entries = [
            (target.capability.id, None if target.component is None else target.component.instance)
            for target in targets
        ]
        return dict(zip(assign_wire_names(entries).names, targets, strict=True))

    def hits(
        self, capability_id: str, instance_id: str | None = None, floor: Scope | None = None
    ) -> tuple[Target, ...]:
        """Return where a capability is offered.

        Args:
            capability_id: The id, which need not exist.
            instance_id: The component that is meant; procedures have none and are found whatever it is.
            floor: What is seen; None for everything.
        """
        return tuple(
            target
            for target in self._by_id.get(capability_id, ())
            if (
                target.component is None or instance_id is None or target.component.instance_id == instance_id
            )
            and (floor is None or floor.covers(target.scoped_path))
        )

    def input_schema_of_target(
        self, capability_id: str, instance_id: str | None, floor: Scope
    ) -> Mapping[str, Any] | None:
        """Return the input schema of the one target that is seen; None for none, several, or an observation."""
        hits = self.hits(capability_id, instance_id, floor)
        if len(hits) != 1 or hits[0].capability.is_observation:
            return None
        return hits[0].capability.input_schema


def _component_order(component: Component) -> tuple[int, bytes, bytes]:
    return (-component.priority, utf16_order(component.type), utf16_order(component.instance_id))


def _check(components: Iterable[Component], procedures: Iterable[Capability]) -> None:
    instances: dict[str, list[str | None]] = {}
    for component in components:
        _check_component(component)
        instances.setdefault(component.type, []).append(component.instance)
    for component_type, found in instances.items():
        if len(set(found)) < len(found) or (None in found and len(found) > 1):
            raise CatalogError(
                f"Components of the type {component_type!r} cannot be told apart; give each an instance of its own."
            )
    _check_distinct([procedure.id for procedure in procedures])
    for procedure in procedures:
        found_id = parse_strict_capability_id(procedure.id)
        if found_id is None or found_id.plane is not Plane.DOMAIN:
            raise CatalogError(
                f"{procedure.id!r} is no procedure id; write domain:, then dotted segments of letters."
            )
        _check_sizes(procedure)


def _check_component(component: Component) -> None:
    if not is_component_type(component.type):
        raise CatalogError(f"{component.type!r} is no component type; write dotted lower-case segments.")
    if component.instance is not None and not is_instance_id(component.instance):
        raise CatalogError(
            f"{component.instance!r} is no instance id; use 1 to 128 letters, digits, hyphens and underscores."
        )
    if unit_length(component.description) > MAX_COMPONENT_DESCRIPTION:
        raise CatalogError(
            f"The description of {component.type!r} is longer than {MAX_COMPONENT_DESCRIPTION} characters."
        )
    _check_distinct([observation.id for observation in component.observations])
    for observation in component.observations:
        found = parse_strict_capability_id(observation.id)
        if found is None or found.component_type != component.type:
            raise CatalogError(
                f"{observation.id!r} is no id of an observation of {component.type!r}; write"
                f" view:{component.type}. and a name."
            )
        if observation.effect is not Effect.READ or observation.input_schema != NO_INPUT:
            raise CatalogError(f"{observation.id!r} is an observation, so it only reads and takes no input.")
        _check_sizes(observation)


def _check_distinct(ids: list[str]) -> None:
    twice = next((item for position, item in enumerate(ids) if item in ids[:position]), None)
    if twice is not None:
        raise CatalogError(f"The capability {twice!r} is registered twice; give one of them another id.")


def _check_sizes(capability: Capability) -> None:
    if unit_length(capability.description) > MAX_CAPABILITY_DESCRIPTION:
        raise CatalogError(
            f"The description of {capability.id!r} is longer than {MAX_CAPABILITY_DESCRIPTION} characters."
        )
    if _is_deeper(capability.input_schema, MAX_SCHEMA_DEPTH):
        raise CatalogError(f"The input schema of {capability.id!r} has more than {MAX_SCHEMA_DEPTH} levels.")
    if unit_length(encode_line(dict(capability.input_schema)).decode()) - 1 > MAX_SCHEMA_UNITS:
        raise CatalogError(
            f"The input schema of {capability.id!r} is longer than {MAX_SCHEMA_UNITS} characters."
        )


def _is_deeper(schema: Mapping[str, Any], levels: int) -> bool:
    """Tell whether a schema has more levels of objects and lists than that, itself being the first."""
    level: list[Any] = [schema]
    for _ in range(levels):
        parts = (
            part for holder in level for part in (holder.values() if isinstance(holder, Mapping) else holder)
        )
        level = [part for part in parts if isinstance(part, Mapping | list | tuple)]
    return bool(level)
