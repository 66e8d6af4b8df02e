"""One source line as it can be shown in a terminal, with the cells that a finding concerns.

Columns of findings count UTF-16 units of the source; a terminal counts cells. This module is the only place that
converts: a tab takes four cells, wide characters two, combining ones none, and what would move the cursor, reorder
text or show nothing at all is replaced by a one-cell sign. Lines that are too long are cut to a window around the
column.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from scanner.syntax.source import decode_source

MAX_CELLS: Final = 120
"""Most cells of a source line that are shown, marks of omission not counted."""

_CELLS_BEFORE: Final = 72
_TAB: Final = "    "
_OMISSION: Final = "…"
_UNSHOWABLE: Final = "\ufffd"
_CONTROL_PICTURES: Final = 0x2400
_DELETE: Final = "\x7f"
_FIRST_PRINTABLE: Final = " "
# These two join or part letters and emoji, take no cell and do no harm; all other format characters are made visible.
_JOINERS: Final = frozenset("\u200c\u200d")
_BYTE_ORDER_MARK: Final = "\ufeff"
_UNSHOWABLE_CATEGORIES: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_COMBINING_CATEGORIES: Final = frozenset({"Mn", "Me"})
_WIDE: Final = frozenset({"W", "F"})
# A character may take no cell at all, so cells alone do not bound a window.
_MAX_CHARACTERS: Final = 4 * MAX_CELLS


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A source line, ready to be shown.

    Attributes:
        text: The line or a window of it, without anything that a terminal would act on.
        marker_start: Cells before the marked ones.
        marker_length: Number of marked cells, at least 1; 0 when nothing is marked.
    """

    text: str
    marker_start: int
    marker_length: int


class SourceLine:
    """One line, with the way from UTF-16 units to characters.

    A minified file can have all its findings on one line of millions of characters, so nothing here looks at the
    whole line more than once, but for lines with characters beyond U+FFFF.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _utf16(self) -> bytes | None:
        """The line in UTF-16, or None when each of its characters is one unit."""
        if self.text.isascii():
            return None
        encoded = self.text.encode("utf-16-le")
        return encoded if len(encoded) > 2 * len(self.text) else None

    def index(self, units: int) -> int:
        """Return the index of the character that UTF-16 unit *units*, from 0, is part of; at most the line's length."""
        units = max(units, 0)
        if self._utf16 is None:
            return min(units, len(self.text))
        # Half a surrogate pair at the end is left out: the unit then is the second one of that character.
        return len(self._utf16[: 2 * units].decode("utf-16-le", "ignore"))


class SourceLines:
    """The lines of one file, decoded one at a time.

    A line ends at LF alone, as positions count them; a CR before it is no part of it.
    """

    def __init__(self, data: bytes) -> None:
        self._lines = data.split(b"\n")
        self._number = 0
        self._line = SourceLine("")

    def line(self, number: int) -> SourceLine | None:
        """Return a line by its 1-based number, or None when the file has no such line."""
        if not 1 <= number <= len(self._lines):
            return None
        if number != self._number:
            text = decode_source(self._lines[number - 1]).removesuffix("\r")
            self._number, self._line = number, SourceLine(text)
        return self._line


def make_excerpt(source: SourceLine, column: int | None, expression: str | None = None) -> Excerpt:
    """Show a line and mark what a finding concerns.

    Args:
        source: The line.
        column: 1-based column in UTF-16 units; one beyond the end marks the place behind the line, None marks nothing.
        expression: The source text concerned. It is marked whole, as far as it stands on this line, when the line has
            it at *column*; otherwise one character is marked.
    """
    line = source.text
    start = 0 if column is None else source.index(column - 1)
    first, end = _window(line, start)
    before = _OMISSION if first > 0 else ""
    text = f"{before}{_shown(line[first:end])}{_OMISSION if end < len(line) else ''}"
    if column is None:
        return Excerpt(text, 0, 0)
    marked_end = min(start + _marked_length(line, start, expression), end)
    return Excerpt(text, len(before) + _cells(line[first:start]), max(_cells(line[start:marked_end]), 1))


def _marked_length(line: str, start: int, expression: str | None) -> int:
    if not expression:
        return 1
    shown = expression.split("\n", 1)[0].rstrip()
    return len(shown) if shown and line.startswith(shown, start) else 1


def _window(line: str, start: int) -> tuple[int, int]:
    """Return the range of characters around *start* that fits; a line that fits is taken whole."""
    before = _fitting(reversed(line[max(start - _MAX_CHARACTERS, 0) : start]), _CELLS_BEFORE)
    after = _fitting(line[start : start + _MAX_CHARACTERS], MAX_CELLS - _cells(line[start - before : start]))
    room = MAX_CELLS - _cells(line[start : start + after])
    before = _fitting(reversed(line[max(start - _MAX_CHARACTERS, 0) : start]), room)
    return start - before, start + after


def _fitting(characters: Iterable[str], room: int) -> int:
    count = 0
    for character in characters:
        room -= _width(character)
        if room < 0:
            break
        count += 1
    return count


def _cells(text: str) -> int:
    return sum(map(_width, text))


def _shown(text: str) -> str:
    return "".join(map(_shown_character, text))


def _width(character: str) -> int:
    return _character_cells(character)[1]


def _shown_character(character: str) -> str:
    return _character_cells(character)[0]


@lru_cache(maxsize=4096)
def _character_cells(character: str) -> tuple[str, int]:
    """Return how a character is shown and how many cells that takes."""
    if character == "\t":
        return _TAB, len(_TAB)
    if character < _FIRST_PRINTABLE:
        return chr(_CONTROL_PICTURES + ord(character)), 1
    if character == _DELETE:
        return "\u2421", 1
    if character == _BYTE_ORDER_MARK:
        return "", 0
    if character in _JOINERS:
        return character, 0
    category = unicodedata.category(character)
    if category in _UNSHOWABLE_CATEGORIES:
        return _UNSHOWABLE, 1
    if category in _COMBINING_CATEGORIES:
        return character, 0
    return character, 2 if unicodedata.east_asian_width(character) in _WIDE else 1
