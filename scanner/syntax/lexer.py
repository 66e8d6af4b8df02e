"""A tolerant tokenizer for TypeScript and JavaScript, with markup where the dialect has it.

The syntax trees answer almost every question about a source. Where a grammar refuses valid code, the repairs in
:mod:`scanner.syntax.repair` need a second opinion that does not depend on that grammar: a flat list of tokens
with byte offsets. Contract:

* Any bytes give a list; nothing is raised. What is not closed ends at its line (strings) or at the end of the
  source (templates, block comments, markup strings); a regular expression that is not closed is a sign.
* Time is linear in the source, whatever it holds, and nothing recurses.
* Tokens never overlap, stand in source order, and leave out only blanks, line ends, comments and the hashbang.
* ``<`` and ``>`` are always tokens of their own (``>>`` is two), so that type arguments can be paired. ``=>`` is
  one token.
* A slash is told from a regular expression by the tokens before it, and markup from comparisons and type
  parameters by the tokens before and behind a ``<``. Both are guesses that hold for code as people write it; a
  wrong one yields odd tokens, never a failure. Callers drop what does not add up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final

from scanner.syntax.grammar import Dialect


class TokenKind(Enum):
    """What a token is."""

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


@dataclass(frozen=True, slots=True)
class Token:
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


_BLANK_TAILS: Final = rb"\xc2\xa0|\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xaf]|\xe2\x81\x9f|\xe3\x80\x80|\xef\xbb\xbf"
_LINE_TAILS: Final = rb"\xe2\x80[\xa8\xa9]"
_TO_LINE_END: Final = rb"[^\r\n\xe2]*+(?:\xe2(?!\x80[\xa8\xa9])[^\r\n\xe2]*+)*+"
_TRIVIA: Final = re.compile(
    rb"(?:[ \t\r\n\v\f]++|" + _BLANK_TAILS + rb"|" + _LINE_TAILS + rb"|//" + _TO_LINE_END + rb"|"
    rb"/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/)?+)*+"
)
_LINE_END: Final = re.compile(rb"[\r\n]|" + _LINE_TAILS)
_HASHBANG: Final = re.compile(rb"(?:\xef\xbb\xbf)?#!" + _TO_LINE_END)
_WORD: Final = re.compile(
    rb"(?:[A-Za-z0-9_$]++|(?!" + _BLANK_TAILS + rb"|" + _LINE_TAILS + rb")[\x80-\xff]"
    rb"|\\u(?:[0-9A-Fa-f]{4}|\{[0-9A-Fa-f]++\}))++"
)
_NUMBER: Final = re.compile(
    rb"0[xXbBoO][0-9A-Za-z_]*+"
    rb"|(?:[0-9][0-9_]*+(?:\.[0-9_]*+)?+|\.[0-9][0-9_]*+)(?:[eE][+-]?+[0-9_]++)?+n?+"
)
_STRINGS: Final = {
    quote: re.compile(quote + rb"(?:[^\\\r\n" + quote + rb"]++|\\(?:\r\n|[\s\S]))*+" + quote + rb"?+")
    for quote in (b'"', b"'")
}
_MARKUP_STRINGS: Final = {
    quote: re.compile(quote + rb"[^" + quote + rb"]*+" + quote + rb"?+") for quote in (b'"', b"'")
}
_TEMPLATE_PIECE: Final = re.compile(rb"(?:[^`\\$]++|\\[\s\S]|\$(?!\{))*+(`|\$\{|\\?\Z)")
_REGEX: Final = re.compile(
    rb"/(?![*/])(?:[^/\\\[\r\n]++|\\[^\r\n]|\[(?:[^\]\\\r\n]++|\\[^\r\n])*+\])++/[A-Za-z0-9_$]*+"
)
_MARKUP_TEXT: Final = re.compile(rb"[^<{]++")
_PUNCTUATION: Final = re.compile(
    rb"=>|===?+|!==?+|\.\.\.|\?\.(?![0-9])|(?:&&|\|\||\?\?|\*\*)=?+|\+\+|--|[-+*/%&|^]=|[\s\S]"
)
_MAY_START_TRIVIA: Final = frozenset(b" \t\r\n\v\f/\xc2\xe1\xe2\xe3\xef")
_PLAIN_SIGNS: Final = frozenset(bytes((sign,)) for sign in b"()[]{},;:=+-*%&|^!~?>@")
_MARKUP_START: Final = re.compile(rb"<\s*+(?:>|(?!const\b)[A-Za-z_$\x80-\xff])")
_TYPE_PARAMETERS: Final = re.compile(rb"<\s*+[\w$]++\s*+(?:,|=|extends\b)")
_LONE_PARAMETER: Final = re.compile(rb"<\s*+([\w$]++)\s*+>\s*+\(")
_CLOSING_TAG_REACH: Final = 4096

_NEVER_IN_TAGS: Final = frozenset((b";", b"(", b")", b"]", b"}"))

_BEFORE_OPERAND: Final = frozenset(
    b"await case delete do else extends in instanceof new of return throw typeof void yield default".split()
)
_CONDITION_HEADS: Final = frozenset(b"if while for with await".split())
_BLOCK_OPENERS: Final = frozenset(
    (b"", b")", b";", b"{", b"}", b"=>", b">", b"else", b"do", b"try", b"finally")
)


class _Frame(Enum):
    PAREN = "("
    CONDITION = "if ("
    BRACKET = "["
    BLOCK = "block {"
    OBJECT = "object {"
    SUBSTITUTION = "${"
    MARKUP_VALUE = "markup {"
    TAG = "<tag"
    CLOSING_TAG = "</tag"
    CHILDREN = "<tag>…"


_CLOSED_BY: Final = {
    b")": frozenset({_Frame.PAREN, _Frame.CONDITION}),
    b"]": frozenset({_Frame.BRACKET}),
    b"}": frozenset({_Frame.BLOCK, _Frame.OBJECT, _Frame.SUBSTITUTION, _Frame.MARKUP_VALUE}),
}


class _Lexer:
    """The state of one run over one source."""

    def __init__(self, data: bytes, *, has_markup: bool) -> None:
        self._data = data
        self._has_markup = has_markup
        self._offset = 0
        self._newline = False
        self._tokens: list[Token] = []
        self._frames: list[_Frame] = []
        self._open = dict.fromkeys(_CLOSED_BY, 0)
        self._angles: list[int] = []
        self._last = b""
        self._before_last = b""
        self._ends_operand = False
        self._no_regex_before = 0

    def run(self) -> list[Token]:
        """Read the whole source."""
        hashbang = _HASHBANG.match(self._data)
        if hashbang:
            self._offset = hashbang.end()
        size = len(self._data)
        while self._offset < size:
            frame = self._frames[-1] if self._frames else None
            if frame is _Frame.CHILDREN:
                self._read_children()
                continue
            if self._data[self._offset] in _MAY_START_TRIVIA:
                self._skip_trivia()
                if self._offset >= size:
                    break
            if frame is _Frame.TAG or frame is _Frame.CLOSING_TAG:
                self._read_in_tag(frame)
            else:
                self._read_in_code()
        return self._tokens

    def _skip_trivia(self) -> None:
        match = _TRIVIA.match(self._data, self._offset)
        if match and match.end() > self._offset:
            if not self._newline:
                self._newline = _LINE_END.search(self._data, self._offset, match.end()) is not None
            self._offset = match.end()

    def _emit(self, kind: TokenKind, end: int, *, ends_operand: bool) -> None:
        self._tokens.append(Token(kind, self._offset, end, self._newline))
        self._newline = False
        self._before_last = self._last
        self._last = self._data[self._offset : end]
        self._ends_operand = ends_operand
        self._offset = end

    def _read_in_code(self) -> None:
        data, offset = self._data, self._offset
        byte = data[offset : offset + 1]
        if byte in _PLAIN_SIGNS:
            self._read_sign()
        elif byte.isdigit() or (byte == b"." and data[offset + 1 : offset + 2].isdigit()):
            self._read_number()
        elif word := _WORD.match(data, offset):
            self._read_word(word.end())
        elif byte in _STRINGS:
            self._emit(TokenKind.STRING, _match_end(_STRINGS[byte], data, offset), ends_operand=True)
        elif byte == b"`":
            self._read_template_piece(TokenKind.TEMPLATE, TokenKind.TEMPLATE_HEAD)
        elif byte == b"#" and (word := _WORD.match(data, offset + 1)):
            self._emit(TokenKind.PRIVATE_NAME, word.end(), ends_operand=True)
        elif byte == b"/" and self._read_regex():
            return
        elif byte == b"<" and self._starts_markup():
            self._open_tag(_Frame.TAG)
        else:
            self._read_sign()

    def _read_number(self) -> None:
        end = _match_end(_NUMBER, self._data, self._offset)
        self._emit(TokenKind.NUMBER, end, ends_operand=True)

    def _read_word(self, end: int) -> None:
        is_member = self._last in {b".", b"?."}
        text = self._data[self._offset : end]
        self._emit(TokenKind.WORD, end, ends_operand=is_member or text not in _BEFORE_OPERAND)

    def _read_template_piece(self, closed: TokenKind, opened: TokenKind) -> None:
        match = _TEMPLATE_PIECE.match(self._data, self._offset + 1)
        end = match.end() if match else len(self._data)
        if match and match.group(1) == b"${":
            self._push(_Frame.SUBSTITUTION, b"}")
            self._emit(opened, end, ends_operand=False)
        else:
            self._emit(closed, end, ends_operand=True)

    def _read_regex(self) -> bool:
        if self._ends_operand or self._last == b"<" or self._offset < self._no_regex_before:
            return False
        match = _REGEX.match(self._data, self._offset)
        if match is None:
            line_end = _LINE_END.search(self._data, self._offset)
            self._no_regex_before = line_end.start() if line_end else len(self._data)
            return False
        self._emit(TokenKind.REGEX, match.end(), ends_operand=True)
        return True

    def _starts_markup(self) -> bool:
        data, offset = self._data, self._offset
        if not self._has_markup or self._ends_operand or not _MARKUP_START.match(data, offset):
            return False
        in_value = bool(self._frames) and self._frames[-1] is _Frame.MARKUP_VALUE
        if self._last == b"<" or (self._last in {b";", b"{", b"}", b""} and not in_value):
            return False
        if _TYPE_PARAMETERS.match(data, offset):
            return False
        lone = _LONE_PARAMETER.match(data, offset)
        return lone is None or data.find(b"</" + lone.group(1), offset, offset + _CLOSING_TAG_REACH) >= 0

    def _read_sign(self) -> None:
        end = _match_end(_PUNCTUATION, self._data, self._offset)
        sign = self._data[self._offset : end]
        if sign in {b"(", b"[", b"{"}:
            self._open_bracket(sign, end)
        elif sign in _CLOSED_BY:
            self._close_bracket(sign, end)
        else:
            keeps_operand = sign in {b"++", b"--", b"!"} and self._ends_operand and not self._newline
            self._emit(TokenKind.PUNCTUATION, end, ends_operand=keeps_operand)

    def _open_bracket(self, sign: bytes, end: int) -> None:
        if sign == b"(":
            is_condition = self._last in _CONDITION_HEADS and self._before_last not in {b".", b"?."}
            self._push(_Frame.CONDITION if is_condition else _Frame.PAREN, b")")
        elif sign == b"[":
            self._push(_Frame.BRACKET, b"]")
        else:
            is_block = self._last in _BLOCK_OPENERS or self._ends_operand
            self._push(_Frame.BLOCK if is_block else _Frame.OBJECT, b"}")
        self._emit(TokenKind.PUNCTUATION, end, ends_operand=False)

    def _close_bracket(self, sign: bytes, end: int) -> None:
        frame = self._pop(sign)
        if frame is _Frame.SUBSTITUTION:
            self._read_template_piece(TokenKind.TEMPLATE_TAIL, TokenKind.TEMPLATE_MIDDLE)
            return
        is_statement = frame is _Frame.CONDITION or frame is _Frame.BLOCK
        self._emit(TokenKind.PUNCTUATION, end, ends_operand=not is_statement)

    def _push(self, frame: _Frame, closer: bytes) -> None:
        self._frames.append(frame)
        self._open[closer] += 1

    def _pop(self, sign: bytes) -> _Frame | None:
        if not self._open[sign]:
            return None
        while True:
            frame = self._frames.pop()
            for closer, closed in _CLOSED_BY.items():
                if frame in closed:
                    self._open[closer] -= 1
            if frame is _Frame.TAG or frame is _Frame.CLOSING_TAG:
                self._angles.pop()
            if frame in _CLOSED_BY[sign]:
                return frame

    def _read_in_tag(self, frame: _Frame) -> None:
        data, offset = self._data, self._offset
        byte = data[offset : offset + 1]
        if byte in _MARKUP_STRINGS:
            self._emit(TokenKind.STRING, _match_end(_MARKUP_STRINGS[byte], data, offset), ends_operand=True)
        elif word := _WORD.match(data, offset):
            self._emit(TokenKind.WORD, word.end(), ends_operand=True)
        elif byte == b"{":
            self._push(_Frame.MARKUP_VALUE, b"}")
            self._emit(TokenKind.PUNCTUATION, offset + 1, ends_operand=False)
        elif byte == b">":
            self._close_angle(frame)
        elif byte in _NEVER_IN_TAGS:
            self._angles.pop()
            self._frames.pop()
        else:
            if byte == b"<":
                self._angles[-1] += 1
            self._emit(TokenKind.PUNCTUATION, offset + 1, ends_operand=False)

    def _open_tag(self, frame: _Frame) -> None:
        self._frames.append(frame)
        self._angles.append(0)
        self._emit(TokenKind.MARKUP_START, self._offset + 1, ends_operand=False)

    def _close_angle(self, frame: _Frame) -> None:
        is_empty = self._last == b"/"
        if self._angles[-1]:
            self._angles[-1] -= 1
        else:
            self._angles.pop()
            self._frames.pop()
            if frame is _Frame.CLOSING_TAG:
                if self._frames and self._frames[-1] is _Frame.CHILDREN:
                    self._frames.pop()
            elif not is_empty:
                self._frames.append(_Frame.CHILDREN)
        self._emit(TokenKind.PUNCTUATION, self._offset + 1, ends_operand=True)

    def _read_children(self) -> None:
        text = _MARKUP_TEXT.match(self._data, self._offset)
        if text:
            self._emit(TokenKind.MARKUP_TEXT, text.end(), ends_operand=False)
        elif self._data[self._offset : self._offset + 1] == b"{":
            self._push(_Frame.MARKUP_VALUE, b"}")
            self._emit(TokenKind.PUNCTUATION, self._offset + 1, ends_operand=False)
        else:
            is_closing = self._data[self._offset + 1 : self._offset + 2] == b"/"
            self._open_tag(_Frame.CLOSING_TAG if is_closing else _Frame.TAG)


def _match_end(pattern: re.Pattern[bytes], data: bytes, offset: int) -> int:
    match = pattern.match(data, offset)
    return match.end() if match and match.end() > offset else offset + 1


def tokenize(data: bytes, dialect: Dialect) -> list[Token]:
    """Split *data* into tokens.

    Args:
        data: A source; any bytes will do.
        dialect: Decides whether ``<`` can start markup (TSX, JavaScript) or never does (TypeScript).
    """
    return _Lexer(data, has_markup=dialect is not Dialect.TYPESCRIPT).run()
