"""Texts as JavaScript counts them: in UTF-16 code units."""

from __future__ import annotations

import struct
from typing import Final

_ENCODING: Final = "utf-16-be"


def code_units(text: str) -> tuple[int, ...]:
    """Return the code units of a text, each a number below 65,536; lone surrogates are units, too."""
    data = text.encode(_ENCODING, "surrogatepass")
    return struct.unpack(f">{len(data) // 2}H", data)


def unit_length(text: str) -> int:
    """Return how many code units a text has."""
    return len(text) if text.isascii() else len(text.encode(_ENCODING, "surrogatepass")) // 2


def first_units(text: str, count: int) -> str:
    """Return the first *count* code units of a text; half of a pair may be left at the end, as in JavaScript."""
    if text.isascii():
        return text[:count]
    return text.encode(_ENCODING, "surrogatepass")[: 2 * count].decode(_ENCODING, "surrogatepass")


def shortened(text: str, count: int) -> str:
    """Return a text of at most *count* code units, with an ellipsis where something was cut; pairs stay whole."""
    if unit_length(text) <= count:
        return text
    return first_units(text, count - 1).encode(_ENCODING, "surrogatepass").decode(_ENCODING, "ignore") + "…"
