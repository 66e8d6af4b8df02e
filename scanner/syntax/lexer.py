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
from enum import Enum
from typing import Final, NamedTuple

from scanner.syntax.grammar import Dialect


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


_BLANK_TAILS: Final = rb"\xc2\xa0|\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xaf]|\xe2\x81\x9f|\xe3\x80\x80|\xef\xbb\xbf"
_LINE_TAILS: Final = rb"\xe2\x80[\xa8\xa9]"
_TO_LINE_END: Final = rb"[^\r\n\xe2]*+(?:\xe2(?!\x80[\xa8\xa9])[^\r\n\xe2]*+)*+"
_GAP: Final = (
    rb"(?:[ \t\r\n\v\f]++|" + _BLANK_TAILS + rb"|" + _LINE_TAILS + rb"|//" + _TO_LINE_END + rb"|"
    rb"/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/)?+)++"
)
_TRIVIA: Final = re.compile(_GAP)
_LINE_END: Final = re.compile(rb"[\r\n]|" + _LINE_TAILS)
_HASHBANG: Final = re.compile(rb"(?:\xef\xbb\xbf)?#!" + _TO_LINE_END)
_WORD_PIECES: Final = (
    rb"(?:[A-Za-z0-9_$]++|(?!" + _BLANK_TAILS + rb"|" + _LINE_TAILS + rb")[\x80-\xff]"
    rb"|\\u(?:[0-9A-Fa-f]{4}|\{[0-9A-Fa-f]++\}))++"
)
_WORD: Final = re.compile(_WORD_PIECES)
_NUMBER: Final = (
    rb"0[xXbBoO][0-9A-Za-z_]*+"
    rb"|(?:[0-9][0-9_]*+(?:\.[0-9_]*+)?+|\.[0-9][0-9_]*+)(?:[eE][+-]?+[0-9_]++)?+n?+"
)
_STRING: Final = rb"|".join(
    quote + rb"(?:[^\\\r\n" + quote + rb"]++|\\(?:\r\n|[\s\S]))*+" + quote + rb"?+" for quote in (b'"', b"'")
)
_MARKUP_STRINGS: Final = {
    quote: re.compile(quote + rb"[^" + quote + rb"]*+" + quote + rb"?+") for quote in (b'"', b"'")
}
_TEMPLATE_PIECE: Final = re.compile(rb"(?:[^`\\$]++|\\[\s\S]|\$(?!\{))*+(`|\$\{|\\?\Z)")
_REGEX: Final = re.compile(
    rb"/(?![*/])(?:[^/\\\[\r\n]++|\\[^\r\n]|\[(?:[^\]\\\r\n]++|\\[^\r\n])*+\])++/[A-Za-z0-9_$]*+"
)
_MARKUP_TEXT: Final = re.compile(rb"[^<{]++")
_OPERATOR: Final = (
    rb"[,;:.~>@]|=>|=(?:==?+)?+|!(?:==?+)?+|\?\.(?![0-9])|(?:&&|\|\||\?\?|\*\*)=?+|\+\+|--|[-+*%&|^]=?+|\?"
)
_CODE: Final = re.compile(
    rb"[ \t]*+(" + _GAP + rb")?+"
    rb"(?:((?![0-9])" + _WORD_PIECES + rb")|(" + _NUMBER + rb")|(\.\.\.|" + _OPERATOR + rb")"
    rb"|([(\[{])|([)\]}])|(" + _STRING + rb")|(#" + _WORD_PIECES + rb")|(`)|([\s\S])|(\Z))"
)
"""The blanks and comments before a token, and the token: any bytes match, at the end of the source nothing does."""

(
    _GAP_GROUP,
    _WORD_GROUP,
    _NUMBER_GROUP,
    _SIGN_GROUP,
    _OPENER_GROUP,
    _CLOSER_GROUP,
    _STRING_GROUP,
    _PRIVATE_GROUP,
    _TEMPLATE_GROUP,
    _OTHER_GROUP,
    _END_GROUP,
) = range(1, _CODE.groups + 1)
_LITERAL_KINDS: Final = {
    _NUMBER_GROUP: TokenKind.NUMBER,
    _STRING_GROUP: TokenKind.STRING,
    _PRIVATE_GROUP: TokenKind.PRIVATE_NAME,
}
_MEMBER_DOTS: Final = frozenset((b".", b"?."))
_STATEMENT_STARTS: Final = frozenset((b";", b"{", b"}", b""))
_POSTFIX_SIGNS: Final = frozenset((b"++", b"--", b"!"))
_MARKUP_START: Final = re.compile(rb"<\s*+(?:>|(?!const\b)[A-Za-z_$\x80-\xff])")
_CLOSING_START: Final = re.compile(rb"<\s*+/")
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
    __hash__ = object.__hash__

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


_CLOSERS: Final = {
    _Frame.PAREN: b")",
    _Frame.CONDITION: b")",
    _Frame.BRACKET: b"]",
    _Frame.BLOCK: b"}",
    _Frame.OBJECT: b"}",
    _Frame.SUBSTITUTION: b"}",
    _Frame.MARKUP_VALUE: b"}",
}
"""The sign that ends each frame; those of markup end otherwise."""


class _Lexer:
    """The state of one run over one source."""

    def __init__(self, data: bytes, *, has_markup: bool) -> None:
        self._data = data
        self._has_markup = has_markup
        self._offset = 0
        self._newline = False
        self._tokens: list[Token] = []
        self._texts = [b"", b""]
        self._frames: list[_Frame] = []
        self._open = dict.fromkeys(_CLOSERS.values(), 0)
        self._angles: list[int] = []
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
            elif frame is _Frame.TAG or frame is _Frame.CLOSING_TAG:
                self._read_in_tag(frame)
            else:
                self._read_code()
        return self._tokens

    def _emit(self, kind: TokenKind, end: int, *, ends_operand: bool) -> None:
        self._tokens.append(Token(kind, self._offset, end, self._newline))
        self._texts.append(self._data[self._offset : end])
        self._newline = False
        self._ends_operand = ends_operand
        self._offset = end

    def _read_code(self) -> None:
        """Read tokens up to one that changes what the bytes behind it are, and that one."""
        data, texts, add = self._data, self._texts, self._tokens.append
        offset, newline, ends_operand = self._offset, self._newline, self._ends_operand
        while (match := _CODE.match(data, offset)) and (group := match.lastindex):
            gap = match[_GAP_GROUP]
            if gap is not None and not newline:
                newline = b"\n" in gap or _LINE_END.search(gap) is not None
            if group == _WORD_GROUP:
                text, kind = match[_WORD_GROUP], TokenKind.WORD
                ends_operand = text not in _BEFORE_OPERAND or texts[-1] in _MEMBER_DOTS
            elif group == _SIGN_GROUP:
                text, kind = match[_SIGN_GROUP], TokenKind.PUNCTUATION
                ends_operand = ends_operand and text in _POSTFIX_SIGNS and not newline
            elif group in _LITERAL_KINDS:
                text, kind = match[group], _LITERAL_KINDS[group]
                ends_operand = True
            else:
                self._offset, self._newline, self._ends_operand = match.start(group), newline, ends_operand
                self._read_turn(group)
                return
            offset = match.end()
            add(Token(kind, offset - len(text), offset, newline))
            texts.append(text)
            newline = False

    def _read_turn(self, group: int) -> None:
        """Read a token that opens or closes something, or whose first byte does not tell what it is."""
        offset = self._offset
        byte = self._data[offset : offset + 1]
        if group == _OPENER_GROUP:
            self._open_bracket(byte)
        elif group == _CLOSER_GROUP:
            self._close_bracket(byte)
        elif group == _TEMPLATE_GROUP:
            self._read_template_piece(TokenKind.TEMPLATE, TokenKind.TEMPLATE_HEAD)
        elif byte == b"/" and self._read_regex():
            return
        elif byte == b"<" and self._starts_markup():
            self._open_tag(_Frame.TAG)
        elif group == _OTHER_GROUP:
            size = 1 + (byte == b"/" and self._data[offset + 1 : offset + 2] == b"=")
            self._emit(TokenKind.PUNCTUATION, offset + size, ends_operand=False)

    def _read_template_piece(self, closed: TokenKind, opened: TokenKind) -> None:
        match = _TEMPLATE_PIECE.match(self._data, self._offset + 1)
        end = match.end() if match else len(self._data)
        if match and match.group(1) == b"${":
            self._push(_Frame.SUBSTITUTION, b"}")
            self._emit(opened, end, ends_operand=False)
        else:
            self._emit(closed, end, ends_operand=True)

    def _read_regex(self) -> bool:
        if self._ends_operand or self._texts[-1] == b"<" or self._offset < self._no_regex_before:
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
        last = self._texts[-1]
        if last == b"<" or (last in _STATEMENT_STARTS and not in_value):
            return False
        if _TYPE_PARAMETERS.match(data, offset):
            return False
        lone = _LONE_PARAMETER.match(data, offset)
        return lone is None or data.find(b"</" + lone.group(1), offset, offset + _CLOSING_TAG_REACH) >= 0

    def _open_bracket(self, sign: bytes) -> None:
        last, before_last = self._texts[-1], self._texts[-2]
        if sign == b"(":
            is_condition = last in _CONDITION_HEADS and before_last not in _MEMBER_DOTS
            self._push(_Frame.CONDITION if is_condition else _Frame.PAREN, b")")
        elif sign == b"[":
            self._push(_Frame.BRACKET, b"]")
        else:
            is_block = last in _BLOCK_OPENERS or self._ends_operand
            self._push(_Frame.BLOCK if is_block else _Frame.OBJECT, b"}")
        self._emit(TokenKind.PUNCTUATION, self._offset + 1, ends_operand=False)

    def _close_bracket(self, sign: bytes) -> None:
        frame = self._pop(sign)
        if frame is _Frame.SUBSTITUTION:
            self._read_template_piece(TokenKind.TEMPLATE_TAIL, TokenKind.TEMPLATE_MIDDLE)
            return
        is_statement = frame is _Frame.CONDITION or frame is _Frame.BLOCK
        self._emit(TokenKind.PUNCTUATION, self._offset + 1, ends_operand=not is_statement)

    def _push(self, frame: _Frame, closer: bytes) -> None:
        self._frames.append(frame)
        self._open[closer] += 1

    def _pop(self, sign: bytes) -> _Frame | None:
        if not self._open[sign]:
            return None
        while True:
            frame = self._frames.pop()
            closer = _CLOSERS.get(frame)
            if closer is not None:
                self._open[closer] -= 1
            elif frame is not _Frame.CHILDREN:
                self._angles.pop()
            if closer == sign:
                return frame

    def _read_in_tag(self, frame: _Frame) -> None:
        data = self._data
        gap = _TRIVIA.match(data, self._offset)
        if gap:
            self._newline = self._newline or _LINE_END.search(data, self._offset, gap.end()) is not None
            self._offset = gap.end()
            if self._offset == len(data):
                return
        offset = self._offset
        byte = data[offset : offset + 1]
        if byte in _MARKUP_STRINGS:
            self._read_markup_string(_MARKUP_STRINGS[byte])
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

    def _read_markup_string(self, pattern: re.Pattern[bytes]) -> None:
        match = pattern.match(self._data, self._offset)
        self._emit(TokenKind.STRING, match.end() if match else self._offset + 1, ends_operand=True)

    def _open_tag(self, frame: _Frame) -> None:
        self._frames.append(frame)
        self._angles.append(0)
        self._emit(TokenKind.MARKUP_START, self._offset + 1, ends_operand=False)

    def _close_angle(self, frame: _Frame) -> None:
        is_empty = self._texts[-1] == b"/"
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
            is_closing = _CLOSING_START.match(self._data, self._offset) is not None
            self._open_tag(_Frame.CLOSING_TAG if is_closing else _Frame.TAG)


def tokenize(data: bytes, dialect: Dialect) -> list[Token]:
    """Split *data* into tokens.

    Args:
        data: A source; any bytes will do.
        dialect: Decides whether ``<`` can start markup (TSX, JavaScript) or never does (TypeScript).
    """
    return _Lexer(data, has_markup=dialect is not Dialect.TYPESCRIPT).run()
