"""A source as a list of tokens with brackets and angles paired: what every repair rule reads.

Indices run over tokens. Reading outside the list gives empty text, so that rules can look behind and ahead freely.
"""

from __future__ import annotations

from typing import Final

from scanner.syntax.grammar import Dialect
from scanner.syntax.lexer import Token, TokenKind, tokenize
from scanner.syntax.repair.edits import Edit

_OPENERS: Final = {b"(": b")", b"[": b"]", b"{": b"}"}
_CLOSERS: Final = frozenset(_OPENERS.values())
_TEMPLATE: Final = b"`"

_NEVER_IN_ANGLES: Final = frozenset(
    b"; && || ?? == === != !== + * / % ++ -- ** += -= *= /= %= &= ^= ^ ~ &&= ||= ??= **= @".split()
)
_PAIRED: Final = frozenset(_OPENERS) | _CLOSERS | _NEVER_IN_ANGLES | {b"<", b">"}
_TEMPLATE_ENDS: Final = frozenset({TokenKind.TEMPLATE_HEAD, TokenKind.TEMPLATE_TAIL})
_VALUE_ENDS: Final = frozenset((b")", b"]", b"}"))
_TEMPLATE_STARTS: Final = frozenset({TokenKind.TEMPLATE, TokenKind.TEMPLATE_HEAD})
_VALUE_KINDS: Final = frozenset(
    {
        TokenKind.WORD,
        TokenKind.PRIVATE_NAME,
        TokenKind.NUMBER,
        TokenKind.STRING,
        TokenKind.REGEX,
        TokenKind.TEMPLATE,
        TokenKind.TEMPLATE_TAIL,
    }
)


class TokenStream:
    """The tokens of one source.

    Attributes:
        data: The source.
        dialect: What it is written in.
        tokens: Its tokens in order.
        texts: Their texts.
    """

    __slots__ = ("_angles", "_mates", "data", "dialect", "texts", "tokens")

    def __init__(self, data: bytes, dialect: Dialect) -> None:
        self.data = data
        self.dialect = dialect
        self.tokens: list[Token] = tokenize(data, dialect)
        self.texts: list[bytes] = [data[token.start : token.end] for token in self.tokens]
        self._mates = [-1] * len(self.tokens)
        self._angles = [-1] * len(self.tokens)
        self._pair()

    def __len__(self) -> int:
        return len(self.tokens)

    def text(self, index: int) -> bytes:
        """Return the text of the token at *index*, empty outside the list."""
        return self.texts[index] if 0 <= index < len(self.texts) else b""

    def is_kind(self, index: int, kind: TokenKind) -> bool:
        """Tell whether the token at *index* exists and is a *kind*."""
        return 0 <= index < len(self.tokens) and self.tokens[index].kind is kind

    def is_word(self, index: int) -> bool:
        """Tell whether a word stands at *index*."""
        return self.is_kind(index, TokenKind.WORD)

    def is_sign(self, index: int, sign: bytes) -> bool:
        """Tell whether the punctuation *sign* stands at *index*."""
        return self.text(index) == sign and self.is_kind(index, TokenKind.PUNCTUATION)

    def starts_template(self, index: int) -> bool:
        """Tell whether a template literal begins at *index*."""
        return 0 <= index < len(self.tokens) and self.tokens[index].kind in _TEMPLATE_STARTS

    def is_value(self, index: int) -> bool:
        """Tell whether the token at *index* is an operand of its own: a word, a literal, a private name."""
        return 0 <= index < len(self.tokens) and self.tokens[index].kind in _VALUE_KINDS

    def ends_value(self, index: int) -> bool:
        """Tell whether the token at *index* can be the last one of an operand."""
        return self.is_value(index) or (self.text(index) in _VALUE_ENDS)

    def ends_type(self, index: int) -> bool:
        """Tell whether the token at *index* can be the last one of a type."""
        return self.ends_value(index) or self.is_sign(index, b">")

    def on_new_line(self, index: int) -> bool:
        """Tell whether a line ends right before the token at *index*."""
        return 0 <= index < len(self.tokens) and self.tokens[index].newline_before

    def mate(self, index: int) -> int:
        """Return the index of the bracket that closes the one at *index*, or -1; templates pair head and tail."""
        return self._mates[index] if 0 <= index < len(self._mates) else -1

    def angle_mate(self, index: int) -> int:
        """Return the index of the ``>`` that seems to close the ``<`` at *index*, or -1."""
        return self._angles[index] if 0 <= index < len(self._angles) else -1

    def after(self, index: int) -> int:
        """Return the index behind the token at *index*, or behind its bracket pair when it opens one."""
        return max(index, self.mate(index)) + 1

    def after_angles(self, index: int) -> int:
        """Return the index behind the ``<…>`` that begins at *index*, or *index* when none does."""
        mate = self.angle_mate(index)
        return mate + 1 if mate > index else index

    def semicolon_before(self, index: int) -> Edit | None:
        """Return the edit that puts a ``;`` between the token at *index* and the one before, where a gap allows."""
        start, end = self.tokens[index - 1].end, self.tokens[index].start
        if start == end:
            return None
        gap = self.data[start:end]
        if gap[:1].isspace():
            return Edit(start, b";")
        # A comment begins the gap: it gives way, since a semicolon behind a line comment would be part of it.
        return Edit(start, b";" + b" " * (len(gap) - 1))

    def _pair(self) -> None:
        open_count = dict.fromkeys((*_CLOSERS, _TEMPLATE), 0)
        stack: list[tuple[bytes, int]] = []
        angles: list[list[int]] = [[]]
        for index, token in enumerate(self.tokens):
            text = self.texts[index]
            if text not in _PAIRED and token.kind not in _TEMPLATE_ENDS:
                continue
            closer = _bracket_opened(token.kind, text)
            if closer:
                stack.append((closer, index))
                open_count[closer] += 1
                angles.append([])
                continue
            closer = _bracket_closed(token.kind, text)
            if closer and open_count[closer]:
                self._close(closer, index, stack, open_count)
                del angles[len(stack) + 1 :]
            elif text == b"<":
                angles[-1].append(index)
            elif text == b">":
                if angles[-1]:
                    self._angles[angles[-1].pop()] = index
            elif text in _NEVER_IN_ANGLES:
                angles[-1].clear()

    def _close(
        self, closer: bytes, index: int, stack: list[tuple[bytes, int]], open_count: dict[bytes, int]
    ) -> None:
        while True:
            wanted, opener = stack.pop()
            open_count[wanted] -= 1
            if wanted == closer:
                self._mates[opener] = index
                self._mates[index] = opener
                return


def _bracket_opened(kind: TokenKind, text: bytes) -> bytes | None:
    if kind is TokenKind.TEMPLATE_HEAD:
        return _TEMPLATE
    return _OPENERS.get(text) if kind is TokenKind.PUNCTUATION else None


def _bracket_closed(kind: TokenKind, text: bytes) -> bytes | None:
    if kind is TokenKind.TEMPLATE_TAIL:
        return _TEMPLATE
    return text if kind is TokenKind.PUNCTUATION and text in _CLOSERS else None
