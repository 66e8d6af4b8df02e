"""The sentences of the agent surface's remarks: each says what is wrong, what to do, and which way out there is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_LONGEST_SHOWN: Final = 60
_WAY_OUT: Final = (
    "Tools made from computed or fetched data do not need a declaration: register them with `useWebMcpTool`."
)


def remark(problem: str, remedy: str) -> str:
    """Return a message: the problem, the remedy, and the way out for what cannot be declared.

    Args:
        problem: What is wrong, as a sentence without its full stop.
        remedy: What to do about it, likewise.
    """
    return f"{problem}. {remedy}. {_WAY_OUT}"


def shown(text: str) -> str:
    """Return source text in a form that fits into a sentence: on one line, and not too long."""
    flat = " ".join(text[: 4 * _LONGEST_SHOWN].split())
    return flat if len(flat) <= _LONGEST_SHOWN else f"{flat[: _LONGEST_SHOWN - 1]}…"


def listed(names: Iterable[str]) -> str:
    """Return the members of a closed set as text for a sentence."""
    return ", ".join(f"`{name}`" for name in names)
