"""When two declarations are the same one, and in what order a surface stands.

JavaScript compares strings by UTF-16 units; so does this module, since a surface's order is part of its contract.
"""

from __future__ import annotations

from typing import Final

from scanner.surface.records import SurfaceDiagnostic

RESERVED_TOOL_NAME_PREFIX: Final = "smrt_ui_"
"""Where the fixed UI tools live by default. Not configurable: the runtime refuses such ids wherever an application
has moved its UI tools to."""

_FLATTENED: Final = str.maketrans(".-", "__")


def tool_name(intent_id: str) -> str:
    """Return the WebMCP tool name of an intent id: dots and hyphens become underscores, so names can meet."""
    return intent_id.translate(_FLATTENED)


def utf16_order(text: str) -> bytes:
    """Return a sort key that orders strings as JavaScript does."""
    return text.encode("utf-16-be", "surrogatepass")


def diagnostic_order(diagnostic: SurfaceDiagnostic) -> tuple[bytes, int, int, str, bytes, str]:
    """Return the sort key of a diagnostic: path, line, column, code, message; remarks without a place come first."""
    return (
        utf16_order(diagnostic.file_path),
        diagnostic.line or 0,
        diagnostic.column or 0,
        diagnostic.code,
        utf16_order(diagnostic.message),
        diagnostic.helper,
    )
