"""Replacements that keep a source's length, and bundles of them.

Extraction takes every name, text and position from the original bytes; a rewritten source only serves to make a
grammar build the right tree. So each replacement is exactly as long as what it replaces, and offsets hold for both.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scanner.syntax.syntax_errors import SyntaxFault


@dataclass(frozen=True, slots=True)
class Edit:
    """One replacement: *text* for the bytes from *start* to ``start + len(text)``."""

    start: int
    text: bytes

    @property
    def end(self) -> int:
        """Offset behind the replaced bytes."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Repair:
    """What one rule wants to rewrite in one source.

    Attributes:
        name: The rule.
        edits: The replacements. A plan holds them in source order without overlaps.
        faults: Errors in the source that the replacements would hide.
        is_silent: Whether something mended here is misread without the tree showing an error.
        is_opaque: Whether the replacements hide expressions, so that names in them have no node.
    """

    name: str
    edits: tuple[Edit, ...]
    faults: tuple[SyntaxFault, ...] = ()
    is_silent: bool = False
    is_opaque: bool = False


def blanks(start: int, end: int) -> Edit:
    """Return the edit that blanks the bytes between two offsets, line ends included."""
    return Edit(start, b" " * (end - start))


def neutral_name(length: int) -> bytes:
    """Return an identifier of *length* bytes that is no keyword in any position."""
    return b"_" * length


def dotted_name(length: int) -> bytes:
    """Return a member expression of *length* bytes, at least 3."""
    return b"_." + b"_" * (length - 2)


def outermost(edits: Iterable[Edit]) -> list[Edit]:
    """Return those of *edits* that lie in no other one, in source order; of two that cross, the first."""
    kept: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, -edit.end)):
        if edit.text and (not kept or edit.start >= kept[-1].end):
            kept.append(edit)
    return kept


def apply_repairs(data: bytes, repairs: Iterable[Repair]) -> bytes:
    """Return *data* rewritten by *repairs*; the length stays.

    Where two edits overlap, the one of the earlier repair stands and the later one is left out.
    """
    rewritten = bytearray(data)
    taken = bytearray(len(data))
    for repair in repairs:
        for edit in repair.edits:
            if 1 not in taken[edit.start : edit.end]:
                rewritten[edit.start : edit.end] = edit.text
                taken[edit.start : edit.end] = b"\1" * len(edit.text)
    return bytes(rewritten)
