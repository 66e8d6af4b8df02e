"""A source as a list of tokens with brackets and angles paired: what every repair rule reads.

Indices run over tokens. Reading outside the list gives empty text, so that rules can look behind and ahead freely.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from typing import Final

from scanner.syntax.grammar import Dialect
from scanner.syntax.lexer import read_tokens
from scanner.syntax.repair.edits import Edit
from scanner.syntax.tokens import TokenKind, TokenTable

_TEMPLATE_SIGNS: Final = {TokenKind.TEMPLATE_HEAD: b"`${", TokenKind.TEMPLATE_TAIL: b"}`"}
"""Signs to pair templates by, whatever text they hold."""

_OPENERS: Final = {b"(": b")", b"[": b"]", b"{": b"}", b"`${": b"}`"}
_NEVER_IN_ANGLES: Final = frozenset(
    b"; && || ?? == === != !== + * / % ++ -- ** += -= *= /= %= &= ^= ^ ~ &&= ||= ??= **= @".split()
)
_PAIRED: Final = frozenset(b"( [ { ) ] } < >".split()) | _NEVER_IN_ANGLES
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


class TokenStream(TokenTable):
    """The tokens of one source, as a table that knows their pairs and where each text stands.

    Attributes:
        dialect: What the source is written in.
    """

    __slots__ = ("_angles", "_mates", "_places", "dialect")

    def __init__(self, data: bytes, dialect: Dialect) -> None:
        super().__init__(data)
        self.dialect = dialect
        read_tokens(self, dialect)
        self._places: defaultdict[bytes, list[int]] = defaultdict(list)
        self._mates = [-1] * len(self)
        self._angles = [-1] * len(self)
        self._pair()

    def places(self, texts: Collection[bytes]) -> list[int]:
        """Return the indices of the tokens that read like one of *texts*, ascending.

        Most rules have something to say where a few words or signs stand, and most sources have few of those.
        """
        if not self._places:
            for index, text in enumerate(self.texts):
                self._places[text].append(index)
        return sorted(index for text in texts for index in self._places.get(text, ()))

    def places_of_kinds(self, kinds: Collection[TokenKind]) -> list[int]:
        """Return the indices of the tokens of *kinds* that bytes alone do not tell, ascending: templates, markup."""
        return [index for index, kind in self.told_kinds.items() if kind in kinds]

    def is_kind(self, index: int, kind: TokenKind) -> bool:
        """Tell whether the token at *index* exists and is a *kind*."""
        return self.kind(index) is kind

    def is_word(self, index: int) -> bool:
        """Tell whether a word stands at *index*."""
        return self.kind(index) is TokenKind.WORD

    def is_sign(self, index: int, sign: bytes) -> bool:
        """Tell whether the punctuation *sign* stands at *index*."""
        return self.text(index) == sign and self.kind(index) is TokenKind.PUNCTUATION

    def starts_template(self, index: int) -> bool:
        """Tell whether a template literal begins at *index*."""
        return self.kind(index) in _TEMPLATE_STARTS

    def is_value(self, index: int) -> bool:
        """Tell whether the token at *index* is an operand of its own: a word, a literal, a private name."""
        return self.kind(index) in _VALUE_KINDS

    def ends_value(self, index: int) -> bool:
        """Tell whether the token at *index* can be the last one of an operand."""
        return self.is_value(index) or (self.text(index) in _VALUE_ENDS)

    def ends_type(self, index: int) -> bool:
        """Tell whether the token at *index* can be the last one of a type."""
        return self.ends_value(index) or self.is_sign(index, b">")

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
        start, end = self.ends[index - 1], self.starts[index]
        if start == end:
            return None
        gap = self.data[start:end]
        if gap[:1].isspace():
            return Edit(start, b";")
        # A comment begins the gap: it gives way, since a semicolon behind a line comment would be part of it.
        return Edit(start, b";" + b" " * (len(gap) - 1))

    def _pair(self) -> None:
        open_count = dict.fromkeys(_OPENERS.values(), 0)
        stack: list[tuple[bytes, int]] = []
        angles: list[list[int]] = [[]]
        told = self.told_kinds
        paired = [index for index, text in enumerate(self.texts) if text in _PAIRED]
        for index in sorted(paired + self.places_of_kinds(_TEMPLATE_SIGNS)):
            text = self.texts[index]
            kind = told.get(index, TokenKind.PUNCTUATION)
            sign = text if kind is TokenKind.PUNCTUATION else _TEMPLATE_SIGNS.get(kind, b"")
            if sign in _OPENERS:
                closer = _OPENERS[sign]
                stack.append((closer, index))
                open_count[closer] += 1
                angles.append([])
            elif open_count.get(sign):
                self._close(sign, index, stack, open_count)
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
