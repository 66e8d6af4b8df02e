"""Mends literals, markup and line separators that the grammar's scanner stumbles over.

All of these keep the shape of the tree; their contents are read from the original bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from scanner.syntax.grammar import Dialect
from scanner.syntax.repair.edits import Edit, Repair
from scanner.syntax.repair.skipping import skip_type
from scanner.syntax.repair.stream import TokenStream
from scanner.syntax.tokens import TokenKind

_LINE_SEPARATOR: Final = re.compile(rb"\xe2\x80[\xa8\xa9]")
_BAD_ESCAPE: Final = re.compile(
    rb"(?<!\\)(?:\\\\)*+(\\)(?=u(?![0-9A-Fa-f]{4}|\{[0-9A-Fa-f]++\})|x(?![0-9A-Fa-f]{2})|[1-9]|0[0-9])"
)
_ANY_ESCAPE: Final = re.compile(rb"(\\[^\r\n])")
_TEMPLATE_PIECES: Final = frozenset(
    {TokenKind.TEMPLATE, TokenKind.TEMPLATE_HEAD, TokenKind.TEMPLATE_MIDDLE, TokenKind.TEMPLATE_TAIL}
)


def mend_markup_ampersands(stream: TokenStream) -> Repair:
    """Replace ``&`` in markup text and in attribute strings, which the grammar takes for broken entities."""
    edits: list[Edit] = []
    if stream.dialect is not Dialect.TYPESCRIPT:
        attributes = [
            index + 1 for index in stream.places((b"=",)) if stream.is_kind(index + 1, TokenKind.STRING)
        ]
        for index in sorted(attributes + stream.places_of_kinds({TokenKind.MARKUP_TEXT})):
            edits.extend(_replace_all(stream, index, b"&", b"_"))
    return Repair("markup ampersands", tuple(edits))


def _replace_all(stream: TokenStream, index: int, old: bytes, new: bytes) -> Iterator[Edit]:
    end = stream.ends[index]
    offset = stream.data.find(old, stream.starts[index], end)
    while offset >= 0:
        yield Edit(offset, new)
        offset = stream.data.find(old, offset + 1, end)


def mend_template_escapes(stream: TokenStream) -> Repair:
    r"""Replace invalid escapes in tagged templates, which the language allows, and any escapes in template types."""
    pieces = stream.places_of_kinds(_TEMPLATE_PIECES)
    has_escapes = any(b"\\" in stream.texts[index] for index in pieces)
    return Repair("template escapes", tuple(_template_edits(stream, pieces)) if has_escapes else ())


def _template_edits(stream: TokenStream, pieces: list[int]) -> Iterator[Edit]:
    is_tagged = False
    type_end = 0
    for index in sorted(stream.places((b"type",)) + pieces):
        if stream.texts[index] == b"type":
            type_end = _alias_end(stream, index) if index >= type_end else type_end
            continue
        if stream.starts_template(index):
            is_tagged = stream.ends_value(index - 1) or stream.text(index - 1) == b">"
        if is_tagged or index < type_end:
            pattern = _ANY_ESCAPE if index < type_end else _BAD_ESCAPE
            matches = pattern.finditer(stream.data, stream.starts[index], stream.ends[index])
            yield from (Edit(match.start(1), b"_" * len(match.group(1))) for match in matches)


def _alias_end(stream: TokenStream, index: int) -> int:
    """Return the index behind the type of the alias that begins at *index*, or *index* when none does."""
    if not stream.is_word(index + 1):
        return index
    behind = stream.after_angles(index + 2)
    return skip_type(stream, behind + 1) if stream.text(behind) == b"=" else index


def mend_line_separators(stream: TokenStream) -> Repair:
    """Make a line feed of U+2028 and U+2029 between tokens; in strings they are ordinary characters."""
    edits: list[Edit] = []
    behind = 0
    if _LINE_SEPARATOR.search(stream.data):
        for start, end in zip(stream.starts, stream.ends, strict=True):
            gaps = _LINE_SEPARATOR.finditer(stream.data, behind, start)
            edits.extend(Edit(match.start(), b"\n  ") for match in gaps)
            behind = end
        gaps = _LINE_SEPARATOR.finditer(stream.data, behind)
        edits.extend(Edit(match.start(), b"\n  ") for match in gaps)
    return Repair("line separators", tuple(edits))


def mend_fractions_behind_question(stream: TokenStream) -> Repair:
    """Rewrite ``a ?.5 : b``, whose ``?.`` the grammar takes for an optional chain."""
    edits = [
        Edit(stream.ends[index], b"1")
        for index in stream.places((b"?",))
        if stream.text(index + 1)[:1] == b"."
        and stream.is_kind(index + 1, TokenKind.NUMBER)
        and stream.ends[index] == stream.starts[index + 1]
    ]
    return Repair("fractions behind a question mark", tuple(edits))


def mend_closing_tags(stream: TokenStream) -> Repair:
    """Close the gap in ``< /a>``; the grammar wants ``</`` in one piece."""
    edits: list[Edit] = []
    for index in stream.places_of_kinds({TokenKind.MARKUP_START}):
        if stream.text(index + 1) == b"/":
            start, end = stream.starts[index], stream.ends[index + 1]
            edits.extend([Edit(start, b"</".ljust(end - start))] if end - start > len(b"</") else [])
    return Repair("closing tags", tuple(edits))
