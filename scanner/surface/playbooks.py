"""The rules of ``definePlaybook``: which argument is a playbook, and what it says.

These mirror what the runtime helper checks (spec, "What it refuses"). Here ``null`` in an optional entry is the same as
leaving it out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from scanner.js.values import UNDEFINED, JsValue
from scanner.surface.faults import Fault, incomplete, invalid, lacking, text_of, unknown_key
from scanner.surface.records import IntentStep, OperationStep, Plane, Playbook, Step, StepFailure
from scanner.surface.wording import listed, shown
from scanner.syntax.source import Position

_KEYS: Final = ("key", "title", "description", "steps", "planes", "onStepFailure", "enabled")
_REQUIRED: Final = MappingProxyType(
    {
        "key": "a non-empty string",
        "title": "a non-empty string",
        "description": "a non-empty string",
        "steps": "an array of steps",
    }
)
_STEP_FORMS: Final = "{ kind: 'operation', model, action } or { kind: 'intent', id }"
_QUALIFIED_MODEL: Final = re.compile(r"[^\s:]+:[^\s:]+")
_PLANES: Final = frozenset(Plane)
_ABSENT: Final = (UNDEFINED, None)


def read_playbook(entries: Mapping[str, JsValue], file_path: str, place: Position) -> Playbook | Fault:
    """Return the playbook that the argument of a ``definePlaybook`` call declares.

    Args:
        entries: The argument's entries.
        file_path: Root-relative path of the source.
        place: Where the call begins.
    """
    key, title, description = (text_of(entries, name) for name in ("key", "title", "description"))
    stated = entries.get("steps")
    if key is None or title is None or description is None or not isinstance(stated, list):
        found = {"key": key, "title": title, "description": description}
        return lacking(
            "playbook", {**found, "steps": stated if isinstance(stated, list) else None}, _REQUIRED
        )
    steps = _read_steps(stated)
    if isinstance(steps, Fault):
        return steps
    fault = unknown_key("playbook", entries, _KEYS) or _steps_fault(steps) or _options_fault(entries)
    if fault is not None:
        return fault
    planes = _stated_planes(entries)
    return Playbook(
        key=key,
        title=title,
        description=description,
        steps=steps,
        planes=_default_planes(steps) if planes is None else planes,
        planes_declared=planes is not None,
        on_step_failure=_stated_policy(entries),
        enabled=entries.get("enabled") is not False,
        file_path=file_path,
        line=place.line,
        column=place.column,
    )


def _read_steps(stated: list[JsValue]) -> tuple[Step, ...] | Fault:
    steps: list[Step] = []
    for number, value in enumerate(stated):
        step = _read_step(value)
        if step is None:
            return incomplete(
                f"`steps[{number}]` is no step", f"Write it as {_STEP_FORMS}, with non-empty strings"
            )
        steps.append(step)
    return tuple(steps)


def _read_step(value: JsValue) -> Step | None:
    if not isinstance(value, dict):
        return None
    if value.get("kind") == "operation":
        model, action = text_of(value, "model"), text_of(value, "action")
        return None if model is None or action is None else OperationStep(model, action)
    identifier = text_of(value, "id")
    return None if value.get("kind") != "intent" or identifier is None else IntentStep(identifier)


def _steps_fault(steps: tuple[Step, ...]) -> Fault | None:
    if not steps:
        return invalid("The playbook has no steps", f"Give it at least one: {_STEP_FORMS}")
    for number, step in enumerate(steps):
        if isinstance(step, OperationStep) and _QUALIFIED_MODEL.fullmatch(step.model) is None:
            problem = (
                f"`steps[{number}].model`, `{shown(step.model)}`, does not say which package the model is in"
            )
            return invalid(problem, "Write it as '@scope/package:ClassName'")
    return None


def _options_fault(entries: Mapping[str, JsValue]) -> Fault | None:
    planes = entries.get("planes")
    if planes not in _ABSENT and (
        not isinstance(planes, list) or not planes or not all(map(_is_plane, planes))
    ):
        return invalid(
            "`planes` is no array of known planes", f"List one or more of {listed(Plane)}, or leave it out"
        )
    policy = entries.get("onStepFailure")
    if policy not in _ABSENT and (not isinstance(policy, str) or policy not in frozenset(StepFailure)):
        return invalid("`onStepFailure` is not one of its known values", f"Use one of {listed(StepFailure)}")
    if not isinstance(entries.get("enabled", UNDEFINED), bool) and entries.get("enabled") not in _ABSENT:
        return invalid("`enabled` is no boolean", "Write true or false, or leave it out")
    return None


def _is_plane(value: JsValue) -> bool:
    return isinstance(value, str) and value in _PLANES


def _stated_planes(entries: Mapping[str, JsValue]) -> tuple[Plane, ...] | None:
    """Return the planes that a sound declaration states, sorted and with repetitions; None when it states none."""
    planes = entries.get("planes")
    if not isinstance(planes, list):
        return None
    return tuple(sorted(Plane(plane) for plane in planes if isinstance(plane, str)))


def _default_planes(steps: tuple[Step, ...]) -> tuple[Plane, ...]:
    """An intent needs a page to act on; operations run anywhere."""
    needs_page = any(isinstance(step, IntentStep) for step in steps)
    return (Plane.BROWSER,) if needs_page else (Plane.BROWSER, Plane.SERVER)


def _stated_policy(entries: Mapping[str, JsValue]) -> StepFailure:
    policy = entries.get("onStepFailure")
    return StepFailure(policy) if isinstance(policy, str) else StepFailure.ABORT
