"""Inputs of procedures, checked against their JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator, ValidationError

from workers.toolset.calls import invalid_capability_input
from workers.toolset.failures import Issue, ToolError


def check_input(capability_id: str, schema: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """Check an input against the schema of its procedure.

    Raises:
        ToolError: It does not fit; each thing that is wrong is an issue, in order of its path.
    """
    errors = Draft202012Validator(dict(schema)).iter_errors(dict(given))
    issues = sorted(map(_issue, errors), key=lambda issue: (issue.path, issue.message))
    if issues:
        raise ToolError(invalid_capability_input(capability_id, issues))


def _issue(error: ValidationError) -> Issue:
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path)
    return Issue(path.removeprefix("."), error.message)
