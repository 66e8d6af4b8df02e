"""The rules of ``defineIntent``: which argument is an intent, and what it says.

These mirror what the runtime helper checks (spec, "What it refuses"), since an entry that the runtime refuses to make
must not be emitted. Nothing is repaired: what is left out gets a default, what is wrong gets a fault. ``null`` counts
as a value here, and as a wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from scanner.js.values import UNDEFINED, JsValue
from scanner.surface.faults import Fault, invalid, lacking, text_of, unknown_key
from scanner.surface.identity import RESERVED_TOOL_NAME_PREFIX, tool_name
from scanner.surface.records import Capability, Effect, Intent
from scanner.surface.wording import listed, shown
from scanner.syntax.source import Position

_KEYS: Final = ("id", "description", "capability", "inputSchema", "target")
_CAPABILITY_KEYS: Final = ("effect", "idempotent", "openWorld")
_REQUIRED: Final = {
    "id": "a lower-case dotted name such as 'orders.open'",
    "description": "a non-empty string",
    "target": "an object",
}
_ID: Final = re.compile(r"[a-z][a-z0-9]*(?:\.[a-z0-9][a-z0-9_]*)+")
_MAX_ID_LENGTH: Final = 128
_EFFECTS: Final = frozenset(Effect)


@dataclass(frozen=True, slots=True)
class _TargetRule:
    """What a target in one registry consists of.

    Attributes:
        options: Its keys beside ``registry``, each with the values it can have; None for any non-empty string.
        required: The one key that has to be there.
    """

    options: Mapping[str, tuple[str, ...] | None]
    required: str


_CONTROL_ACTIONS: Final = (
    "focus",
    "reveal",
    "highlight",
    "explain",
    "validate",
    "stage",
    "apply",
    "discard",
    "clear",
    "undo",
)
# The spec calls the kinds of data surface a closed set without listing it; these cover the views in common use.
_SURFACE_KINDS: Final = (
    "table",
    "list",
    "grid",
    "cards",
    "board",
    "calendar",
    "timeline",
    "gallery",
    "chart",
    "map",
    "tree",
    "custom",
)
_TARGETS: Final[Mapping[str, _TargetRule]] = MappingProxyType(
    {
        "control": _TargetRule({"action": _CONTROL_ACTIONS, "formId": None, "controlId": None}, "action"),
        "dataSurface": _TargetRule(
            {"controlId": None, "surfaceId": None, "kind": _SURFACE_KINDS}, "controlId"
        ),
    }
)


def read_intent(entries: Mapping[str, JsValue], file_path: str, place: Position) -> Intent | Fault:
    """Return the intent that the argument of a ``defineIntent`` call declares.

    Args:
        entries: The argument's entries.
        file_path: Root-relative path of the source.
        place: Where the call begins.
    """
    identifier, description, target = (
        text_of(entries, "id"),
        text_of(entries, "description"),
        entries.get("target"),
    )
    if identifier is None or description is None or not isinstance(target, dict):
        found = {
            "id": identifier,
            "description": description,
            "target": target if isinstance(target, dict) else None,
        }
        return lacking("intent", found, _REQUIRED)
    fault = unknown_key("intent", entries, _KEYS) or _id_fault(identifier) or _target_fault(target)
    if fault is not None:
        return fault
    capability = _read_capability(entries.get("capability", UNDEFINED))
    if isinstance(capability, Fault):
        return capability
    return Intent(
        id=identifier,
        description=description,
        capability=capability,
        target=_stated_target(target),
        has_input_schema=entries.get("inputSchema", UNDEFINED) not in (UNDEFINED, None),
        file_path=file_path,
        line=place.line,
        column=place.column,
    )


def _id_fault(identifier: str) -> Fault | None:
    remedy = "Use lower-case words of letters and digits with dots between, such as 'orders.open'"
    if len(identifier) > _MAX_ID_LENGTH:
        return invalid(
            f"The id `{shown(identifier)}` is longer than {_MAX_ID_LENGTH} characters", "Shorten it"
        )
    if _ID.fullmatch(identifier) is None:
        return invalid(f"The id `{shown(identifier)}` is no lower-case dotted name", remedy)
    if tool_name(identifier).startswith(RESERVED_TOOL_NAME_PREFIX):
        problem = (
            f"The id `{identifier}` makes the tool name `{tool_name(identifier)}`, and names that begin with"
        )
        return invalid(f"{problem} `{RESERVED_TOOL_NAME_PREFIX}` belong to the UI tools", "Choose another id")
    return None


def _target_fault(target: Mapping[str, JsValue]) -> Fault | None:
    registry = target.get("registry")
    rule = _TARGETS.get(registry) if isinstance(registry, str) else None
    if rule is None:
        return invalid("`target.registry` names no registry", f"Use one of {listed(_TARGETS)}")
    fault = unknown_key(f"`{registry}` target", target, ("registry", *rule.options))
    if fault is not None:
        return fault
    for key, choices in rule.options.items():
        value = target.get(key, UNDEFINED)
        if value is UNDEFINED:
            if key == rule.required:
                return invalid(f"A `{registry}` target needs `{key}`, and there is none", f"Add `{key}`")
            continue
        if choices is None and not (isinstance(value, str) and value):
            return invalid(
                f"`target.{key}` is no non-empty string",
                "Give it one, or leave it out where it is optional",
            )
        if choices is not None and not (isinstance(value, str) and value in choices):
            return invalid(f"`target.{key}` is not one of its known values", f"Use one of {listed(choices)}")
    return None


def _stated_target(target: Mapping[str, JsValue]) -> dict[str, str]:
    """Return the entries of a sound target in a fixed order, without undefined ones."""
    order = ("registry", *(key for rule in _TARGETS.values() for key in rule.options))
    return {key: value for key in order if isinstance(value := target.get(key), str)}


def _read_capability(value: JsValue) -> Capability | Fault:
    if value is UNDEFINED:
        return Capability()
    if not isinstance(value, dict):
        return invalid("`capability` is no object", f"Give it {listed(_CAPABILITY_KEYS)}, or leave it out")
    fault = unknown_key("capability", value, _CAPABILITY_KEYS)
    if fault is not None:
        return fault
    worst = Capability()
    effect, idempotent, open_world = (
        worst_value if (stated := value.get(key, UNDEFINED)) is UNDEFINED else stated
        for key, worst_value in zip(
            _CAPABILITY_KEYS, (worst.effect, worst.idempotent, worst.open_world), strict=True
        )
    )
    if not (isinstance(effect, str) and effect in _EFFECTS):
        return invalid("`capability.effect` is not one of its known values", f"Use one of {listed(Effect)}")
    if not isinstance(idempotent, bool) or not isinstance(open_world, bool):
        return invalid(
            "`capability.idempotent` or `capability.openWorld` is no boolean", "Write true or false"
        )
    return Capability(Effect(effect), idempotent, open_world)
