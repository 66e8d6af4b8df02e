"""The text of one source file, addressed by byte offsets.

Syntax nodes speak in byte offsets; people and editors speak in lines and UTF-16 columns. This module is the
only place that converts. A line ends at LF alone (a CR is one more column, U+2028 is an ordinary character),
and a byte order mark counts as one column of the first line.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import Final, NamedTuple, Protocol

_LINE_FEED: Final = re.compile(rb"\n")
_LAST_SINGLE_UNIT: Final = "\uffff"
"""The last character that takes one UTF-16 unit."""


class Position(NamedTuple):
    """A place in a source file: 1-based line, 1-based column in UTF-16 code units."""

    line: int
    column: int


class Span(Protocol):
    """Anything with a byte range; syntax nodes are spans."""

    @property
    def start_byte(self) -> int:
        """Offset of the first byte."""

    @property
    def end_byte(self) -> int:
        """Offset behind the last byte."""


def decode_source(data: bytes) -> str:
    """Decode source bytes as UTF-8; bytes that are none become U+FFFD, as every JavaScript tool reads them."""
    return data.decode("utf-8", "replace")


def _utf16_length(data: bytes) -> int:
    text = decode_source(data)
    return len(text) + sum(1 for char in text if char > _LAST_SINGLE_UNIT)


class SourceText:
    """Original bytes of a file with text and position lookup by byte offset."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        # Places are asked for in source order mostly, and a minified source is one line: count on from the last one.
        self._nearest = (0, 0)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(line_feed.end() for line_feed in _LINE_FEED.finditer(self.data))]

    def text(self, span: Span) -> str:
        """Return the original text of *span*."""
        return self.data[span.start_byte : span.end_byte].decode("utf-8", "replace")

    def slice(self, start: int, end: int) -> str:
        """Return the original text between two byte offsets."""
        return decode_source(self.data[start:end])

    def line(self, offset: int) -> int:
        """Return the 1-based line of byte *offset*."""
        return bisect_right(self._line_starts, offset)

    def position(self, offset: int) -> Position:
        """Return the line and UTF-16 column of byte *offset*."""
        starts = self._line_starts
        line = bisect_right(starts, offset)
        start = starts[line - 1]
        known, units = self._nearest if start <= self._nearest[0] <= offset else (start, 0)
        passed = self.data[known:offset]
        units += len(passed) if passed.isascii() else _utf16_length(passed)
        self._nearest = (offset, units)
        return Position(line, units + 1)
