"""Whether code that a rewrite takes out of sight is sound.

A few rewrites blank or replace whole expressions. The second parse cannot see mistakes in those, so they are parsed
alone, in a position where the grammar has no trouble with them.
"""

from __future__ import annotations

from typing import Final

from scanner.syntax.grammar import Dialect, parse_bytes

_MAX_BYTES: Final = 4096
"""Longer code is taken as sound: nested decorators would be parsed over and over."""


def reads_alone(before: bytes, code: bytes, dialect: Dialect) -> bool:
    """Tell whether *code* behind the few bytes *before* is read without an error."""
    return len(code) > _MAX_BYTES or not parse_bytes(before + code, dialect).root_node.has_error
