"""Mends expressions that the grammar refuses or joins with the next line.

Each rewrite keeps what kind of expression the reader of a value meets: a chain of ``new`` stays a ``new``, an arrow
function stays one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from scanner.syntax.repair.edits import Edit, Repair, blanks, neutral_name
from scanner.syntax.repair.stream import TokenStream
from scanner.syntax.tokens import TokenKind

_PARAMETER_WORDS: Final = frozenset((b"as", b"satisfies", b"undefined"))


def mend_new_chains(stream: TokenStream) -> Repair:
    """Blank every ``new`` but the first of ``new new A()()``."""
    edits = [
        blanks(stream.starts[index], stream.ends[index])
        for index in stream.places((b"new",))
        if stream.text(index - 1) == b"new" and stream.text(index - 2) not in {b".", b"?."}
    ]
    return Repair("chains of new", tuple(edits))


def mend_arrow_parameters(stream: TokenStream) -> Repair:
    """Mend arrow functions whose lone parameter looks like a keyword: ``async as => b``, ``for (async of => {};;)``."""
    edits = [edit for index in stream.places((b"=>",)) for edit in _lone(stream, index - 1)]
    return Repair("arrow parameters", tuple(edits))


def _lone(stream: TokenStream, index: int) -> Iterator[Edit]:
    before, text = stream.text(index - 1), stream.text(index)
    if not stream.is_word(index):
        return
    if text in _PARAMETER_WORDS:
        yield Edit(stream.starts[index], neutral_name(len(text)))
    elif text == b"of" and before == b"async" and stream.text(index - 2) == b"(":
        yield blanks(stream.starts[index - 1], stream.ends[index - 1])


def mend_arrow_ends(stream: TokenStream) -> Repair:
    """End an arrow function with a body at its line: nothing on the next line can continue it."""
    edits: list[Edit] = []
    for index in stream.places((b"=>",)):
        if stream.text(index + 1) != b"{":
            continue
        behind = stream.after(index + 1)
        continues = stream.text(behind) in {b"(", b"["} or stream.starts_template(behind)
        if stream.on_new_line(behind) and (continues or stream.is_kind(behind, TokenKind.REGEX)):
            edit = stream.semicolon_before(behind)
            edits.extend([edit] if edit else [])
    return Repair("arrow function ends", tuple(edits), is_silent=bool(edits))
