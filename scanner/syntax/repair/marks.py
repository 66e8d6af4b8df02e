"""Mends comments beside the question mark of an optional part, which the grammars' scanner does not step over."""

from __future__ import annotations

from typing import Final

from scanner.syntax.repair.edits import Edit, Repair, blanks
from scanner.syntax.repair.stream import TokenStream

_BEHIND_MARK: Final = frozenset({b",", b")", b";", b"="})
_BEFORE_MARK: Final = frozenset({b"-", b"+"})


def mend_optional_marks(stream: TokenStream) -> Repair:
    """Close the gaps in ``a? /* c */ : T`` and ``]- /* c */ ?:``; mapped types want their mark in one piece."""
    edits: list[Edit] = []
    for index in stream.places((b"?",)):
        if not stream.is_sign(index, b"?"):
            continue
        first = index - (stream.text(index - 1) in _BEFORE_MARK)
        last = index + (stream.text(index + 1) == b":")
        if last > first:
            edits.extend(_joined(stream, first, last))
        if last == index and stream.text(index + 1) in _BEHIND_MARK:
            gap = stream.ends[index], stream.starts[index + 1]
            edits.extend([blanks(*gap)] if b"/" in stream.data[slice(*gap)] else [])
    return Repair("comments beside optional marks", tuple(edits))


def _joined(stream: TokenStream, first: int, last: int) -> list[Edit]:
    """Return the edit that puts the tokens from *first* to *last* side by side, if they are not."""
    start, end = stream.starts[first], stream.ends[last]
    mark = b"".join(stream.texts[first : last + 1])
    return [] if len(mark) == end - start else [Edit(start, mark.ljust(end - start))]
