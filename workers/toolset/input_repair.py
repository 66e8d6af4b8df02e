"""Inputs that a client sent as text though they are objects.

Some clients write the object of an argument as a JSON text. Where the one capability that is meant takes an object and
nothing else, such a text has only one meaning; everywhere else it stays what it is, for the capability to judge.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn


def repaired_input(value: object, schema: Mapping[str, Any] | None) -> object:
    """Return the object that a text spells, if it spells one and the schema asks for just that; else the value itself.

    Args:
        value: What was given as input.
        schema: Input schema of the single capability that is meant; None where it is unclear which is meant.
    """
    if not isinstance(value, str) or schema is None or schema.get("type") != "object":
        return value
    try:
        spelled = json.loads(value, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return value
    return spelled if isinstance(spelled, dict) else value


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
