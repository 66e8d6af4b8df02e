"""Mends literals, markup and line separators that the grammar's scanner stumbles over.

All of these keep the shape of the tree; their contents are read from the original bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from scanner.syntax.grammar import Dialect
from scanner.syntax.lexer import Token, TokenKind
from scanner.syntax.repair.edits import Edit, Repair
from scanner.syntax.repair.skipping import skip_type
from scanner.syntax.repair.stream import TokenStream

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
        for index, token in enumerate(stream.tokens):
            is_attribute = token.kind is TokenKind.STRING and stream.text(index - 1) == b"="
            if is_attribute or token.kind is TokenKind.MARKUP_TEXT:
                edits.extend(_replace_all(stream.data, token, b"&", b"_"))
    return Repair("markup ampersands", tuple(edits))


def _replace_all(data: bytes, token: Token, old: bytes, new: bytes) -> Iterator[Edit]:
    offset = data.find(old, token.start, token.end)
    while offset >= 0:
        yield Edit(offset, new)
        offset = data.find(old, offset + 1, token.end)


def mend_template_escapes(stream: TokenStream) -> Repair:
    r"""Replace invalid escapes in tagged templates, which the language allows, and any escapes in template types."""
    edits: list[Edit] = []
    is_tagged = False
    type_end = 0
    for index, token in enumerate(stream.tokens):
        if index >= type_end and stream.texts[index] == b"type":
            type_end = _alias_end(stream, index)
        if token.kind not in _TEMPLATE_PIECES:
            continue
        if stream.starts_template(index):
            is_tagged = stream.ends_value(index - 1) or stream.text(index - 1) == b">"
        if is_tagged or index < type_end:
            pattern = _ANY_ESCAPE if index < type_end else _BAD_ESCAPE
            matches = pattern.finditer(stream.data, token.start, token.end)
            edits.extend(Edit(match.start(1), b"_" * len(match.group(1))) for match in matches)
    return Repair("template escapes", tuple(edits))


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
        for token in stream.tokens:
            gaps = _LINE_SEPARATOR.finditer(stream.data, behind, token.start)
            edits.extend(Edit(match.start(), b"\n  ") for match in gaps)
            behind = token.end
        gaps = _LINE_SEPARATOR.finditer(stream.data, behind)
        edits.extend(Edit(match.start(), b"\n  ") for match in gaps)
    return Repair("line separators", tuple(edits))


def mend_fractions_behind_question(stream: TokenStream) -> Repair:
    """Rewrite ``a ?.5 : b``, whose ``?.`` the grammar takes for an optional chain."""
    edits = [
        Edit(token.start, b"1")
        for index, token in enumerate(stream.tokens)
        if token.kind is TokenKind.NUMBER
        and stream.texts[index][:1] == b"."
        and stream.text(index - 1) == b"?"
        and stream.tokens[index - 1].end == token.start
    ]
    return Repair("fractions behind a question mark", tuple(edits))


def mend_closing_tags(stream: TokenStream) -> Repair:
    """Close the gap in ``< /a>``; the grammar wants ``</`` in one piece."""
    edits: list[Edit] = []
    for index in range(len(stream)):
        if stream.is_kind(index, TokenKind.MARKUP_START) and stream.text(index + 1) == b"/":
            start, end = stream.tokens[index].start, stream.tokens[index + 1].end
            edits.extend([Edit(start, b"</".ljust(end - start))] if end - start > len(b"</") else [])
    return Repair("closing tags", tuple(edits))
