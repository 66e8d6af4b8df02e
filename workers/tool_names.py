"""Tool names that are registered beside the intents of a scan, from a JSON file that a build step writes.

The file holds a list of names, an object whose keys are the names, or an object with ``generatedToolNames`` and,
if wanted, ``uiToolPrefixes``. Names are taken as they are: nothing here derives one (spec seed, "Collisions").
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import orjson

from scanner.diagnostics import Diagnostic
from scanner.project import ToolNames
from scanner.source_files import read_source_file
from workers.errors import UsageError

_MAX_BYTES: Final = 64 * 1024 * 1024
_NAMES: Final = "generatedToolNames"
_PREFIXES: Final = "uiToolPrefixes"


def load_tool_names(path: Path) -> ToolNames:
    """Read a file of tool names.

    Raises:
        UsageError: It cannot be read, is no JSON, or has another shape.
    """
    outcome = read_source_file(path, str(path), _MAX_BYTES)
    if isinstance(outcome, Diagnostic):
        raise UsageError(f"Cannot read the tool names {path}: {outcome.message}")
    try:
        return _tool_names(orjson.loads(outcome))
    except ValueError as error:
        raise UsageError(f"{path} holds no tool names: {error}.") from error


def _tool_names(content: Any) -> ToolNames:
    if isinstance(content, dict) and (_NAMES in content or _PREFIXES in content):
        names = _texts(content.get(_NAMES, []), _NAMES)
        return (
            ToolNames(names, _texts(content[_PREFIXES], _PREFIXES))
            if _PREFIXES in content
            else ToolNames(names)
        )
    return ToolNames(_texts(list(content) if isinstance(content, dict) else content, "the file"))


def _texts(value: Any, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError(f"{where} must be a list of strings, or an object whose keys are the names")
    return tuple(value)
