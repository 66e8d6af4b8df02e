"""Tokens of TypeScript and JavaScript, kept as parallel lists.

A large source has a hundred thousand tokens, and most questions about them are asked of a few. So a table keeps what
every question rests on, texts and offsets; what a token is and whether a line ends before it is worked out when asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple

BLANK_TAILS: Final = rb"\xc2\xa0|\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xaf]|\xe2\x81\x9f|\xe3\x80\x80|\xef\xbb\xbf"
"""Pattern of the blanks beyond ASCII."""

LINE_TAILS: Final = rb"\xe2\x80[\xa8\xa9]"
"""Pattern of the line ends beyond ASCII."""

LINE_END: Final = re.compile(rb"[\r\n]|" + LINE_TAILS)
"""Finds what ends a line."""


class TokenKind(Enum):
    """What a token is."""

    __hash__ = (
        object.__hash__
    )  # the one of enumerations is Python code; kinds are looked up in sets by the million

    WORD = "word"
    PRIVATE_NAME = "private name"
    NUMBER = "number"
    STRING = "string"
    REGEX = "regex"
    TEMPLATE = "template"
    TEMPLATE_HEAD = "template head"
    TEMPLATE_MIDDLE = "template middle"
    TEMPLATE_TAIL = "template tail"
    MARKUP_START = "markup start"
    MARKUP_TEXT = "markup text"
    PUNCTUATION = "punctuation"


class Token(NamedTuple):
    """One token.

    Attributes:
        kind: What it is. A template without substitutions is ``TEMPLATE``; with substitutions it is a head, any
            number of middles and a tail, with the tokens of the expressions in between. ``MARKUP_START`` is the
            ``<`` of a tag, opening or closing.
        start: Offset of its first byte.
        end: Offset behind its last byte.
        newline_before: Whether a line ends between the token before and this one.
    """

    kind: TokenKind
    start: int
    end: int
    newline_before: bool


def _kind_by_first_byte() -> tuple[TokenKind, ...]:
    kinds = [TokenKind.PUNCTUATION] * 0x80 + [TokenKind.WORD] * 0x80
    for byte in b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$":
        kinds[byte] = TokenKind.WORD
    for byte in b"0123456789":
        kinds[byte] = TokenKind.NUMBER
    for byte in b"\"'":
        kinds[byte] = TokenKind.STRING
    return tuple(kinds)


_KIND_BY_FIRST_BYTE: Final = _kind_by_first_byte()
_KIND_OF_LONGER: Final = {
    ord("\\"): TokenKind.WORD,
    ord("#"): TokenKind.PRIVATE_NAME,
}
"""What a token of more than one byte is that begins with a sign of its own."""


def kind_of_plain(text: bytes) -> TokenKind:
    """Return what the token *text* is, where nothing but its bytes decides: a word, number, string, name or sign."""
    first = text[0]
    if len(text) > 1:
        if first in _KIND_OF_LONGER:
            return _KIND_OF_LONGER[first]
        if first == ord(".") and text[1:2].isdigit():
            return TokenKind.NUMBER
    return _KIND_BY_FIRST_BYTE[first]


class TokenTable:
    """The tokens of one source; the token at one index has its parts in lists of equal length.

    Attributes:
        data: The source.
        texts: The bytes of each token, never empty.
        starts: The offset of each token's first byte.
        ends: The offset behind each token's last byte.
        told_kinds: What those tokens are whose bytes alone do not tell, by ascending index: templates, regular
            expressions, everything in markup, and some signs.
    """

    __slots__ = ("data", "ends", "starts", "texts", "told_kinds")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.texts: list[bytes] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.told_kinds: dict[int, TokenKind] = {}

    def __len__(self) -> int:
        return len(self.texts)

    def text(self, index: int) -> bytes:
        """Return the text of the token at *index*, empty outside the list."""
        return self.texts[index] if 0 <= index < len(self.texts) else b""

    def kind(self, index: int) -> TokenKind | None:
        """Return what the token at *index* is, None outside the list."""
        told = self.told_kinds.get(index)
        if told is not None:
            return told
        return kind_of_plain(self.texts[index]) if 0 <= index < len(self.texts) else None

    def on_new_line(self, index: int) -> bool:
        """Tell whether a line ends right before the token at *index*."""
        if not 0 <= index < len(self.texts):
            return False
        behind, start = self.ends[index - 1] if index else 0, self.starts[index]
        return start > behind and LINE_END.search(self.data, behind, start) is not None

    def tokens(self) -> Iterator[Token]:
        """Yield the tokens in order."""
        for index, (text, start, end) in enumerate(zip(self.texts, self.starts, self.ends, strict=True)):
            yield Token(
                self.told_kinds.get(index) or kind_of_plain(text), start, end, self.on_new_line(index)
            )
