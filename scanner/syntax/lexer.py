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

A source is read run by run: one search finds where the next token stands that cannot be read without knowing what came
before it (a slash, a template, markup, the end of a substitution), and another takes all tokens up to there at once.
What depends on the tokens before is worked out backwards from such a place, and so for few tokens.
"""

from __future__ import annotations

import re
from enum import Enum
from itertools import accumulate, chain
from typing import Final

from scanner.syntax.grammar import Dialect
from scanner.syntax.tokens import (
    BLANK_TAILS,
    LINE_END,
    LINE_TAILS,
    Token,
    TokenKind,
    TokenTable,
    kind_of_plain,
)

_TO_LINE_END: Final = rb"[^\r\n\xe2]*+(?:\xe2(?!\x80[\xa8\xa9])[^\r\n\xe2]*+)*+"
_COMMENT: Final = rb"//" + _TO_LINE_END + rb"|/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/)?+"
_GAP: Final = rb"(?:[ \t\r\n\v\f]++|" + BLANK_TAILS + rb"|" + LINE_TAILS + rb"|" + _COMMENT + rb")++"
_TRIVIA: Final = re.compile(_GAP)
_HASHBANG: Final = re.compile(rb"(?:\xef\xbb\xbf)?#!" + _TO_LINE_END)
_WORD_PIECES: Final = (
    rb"(?:[A-Za-z0-9_$]++|(?!" + BLANK_TAILS + rb"|" + LINE_TAILS + rb")[\x80-\xff]"
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
_PLAIN_TOKEN: Final = rb"|".join(
    (rb"(?![0-9])" + _WORD_PIECES, _NUMBER, rb"\.\.\.", _OPERATOR, _STRING, rb"#" + _WORD_PIECES)
)
_PLAIN: Final = re.compile(rb"(" + _GAP + rb")?+(" + _PLAIN_TOKEN + rb"|[\s\S]|\Z)")
"""The blanks and comments before a token, and the token: any bytes match, at the end of a run nothing does."""


def _run_of_plain(stops: bytes, passed: bytes) -> re.Pattern[bytes]:
    """Return the pattern of bytes that hold none of *stops* outside of strings and comments, but for *passed*."""
    free = rb"[^\"'`/" + stops + rb"]++"
    return re.compile(rb"(?:" + rb"|".join((free, _STRING, _COMMENT, passed)) + rb")*+")


_NO_MARKUP_START: Final = rb"<(?!\s*+[>A-Za-z_$\x80-\xff])"
_NO_BRACE: Final = rb"\\u\{[0-9A-Fa-f]++\}|\\"
_PLAIN_RUNS: Final = {
    (False, False): _run_of_plain(b"", rb"(?!)"),
    (False, True): _run_of_plain(rb"}\\", _NO_BRACE),
    (True, False): _run_of_plain(rb"<", _NO_MARKUP_START),
    (True, True): _run_of_plain(rb"<}\\", _NO_MARKUP_START + rb"|" + _NO_BRACE),
}
"""Runs of tokens behind which code goes on, by whether ``<`` may start markup and ``}`` may end code."""

_MEMBER_DOTS: Final = frozenset((b".", b"?."))
_OPERAND_CLOSERS: Final = frozenset((b")", b"]", b"}"))
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

_STATEMENT_FRAMES: Final = frozenset({_Frame.CONDITION, _Frame.BLOCK})
"""Frames behind which no operand has ended."""

_RESUMING: Final = frozenset({_Frame.SUBSTITUTION, _Frame.MARKUP_VALUE})
"""Frames of code in the midst of a template or markup, which goes on behind their ``}``."""

_BRACKETS: Final = frozenset((b"(", b"[", b"{", b")", b"]", b"}"))


class _Lexer:
    """The state of one run over one source."""

    def __init__(self, table: TokenTable, *, has_markup: bool) -> None:
        self._data = table.data
        self._has_markup = has_markup
        self._offset = 0
        self._table = table
        self._frames: list[_Frame] = []
        self._open = dict.fromkeys(_CLOSERS.values(), 0)
        self._resuming = 0
        self._angles: list[int] = []
        self._told_ends: dict[int, bool] = {}
        self._no_regex_before = 0

    def run(self) -> None:
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

    def _text_back(self, distance: int) -> bytes:
        """Return the text of one of the last tokens, empty before the first."""
        return self._table.text(len(self._table) - distance)

    def _emit(self, kind: TokenKind, end: int, *, ends_operand: bool) -> None:
        table = self._table
        index = len(table)
        table.told_kinds[index] = kind
        self._told_ends[index] = ends_operand
        table.texts.append(self._data[self._offset : end])
        table.starts.append(self._offset)
        table.ends.append(end)
        self._offset = end

    def _ends_operand(self, index: int) -> bool:
        """Tell whether the token at *index* is the last one of an operand, so that a slash behind it divides."""
        table = self._table
        while index >= 0 and index not in self._told_ends and table.texts[index] in _POSTFIX_SIGNS:
            if table.on_new_line(index):
                return False
            index -= 1
        if index < 0 or index in self._told_ends:
            return self._told_ends.get(index, False)
        text = table.texts[index]
        kind = kind_of_plain(text)
        if kind is TokenKind.WORD:
            return text not in _BEFORE_OPERAND or table.text(index - 1) in _MEMBER_DOTS
        return kind is not TokenKind.PUNCTUATION or text in _OPERAND_CLOSERS

    def _read_code(self) -> None:
        """Read tokens up to one that changes what the bytes behind it are, and that one."""
        run = _PLAIN_RUNS[self._has_markup, self._resuming > 0].match(self._data, self._offset)
        end = run.end() if run else self._offset
        if end > self._offset:
            self._read_plain(end)
        byte = self._data[end : end + 1]
        if byte == b"`":
            self._read_template_piece(TokenKind.TEMPLATE, TokenKind.TEMPLATE_HEAD)
        elif byte == b"/":
            self._read_slash()
        elif byte == b"}":
            self._close_code()
        elif byte == b"<" and self._starts_markup():
            self._open_tag(_Frame.TAG)
        elif byte:
            self._emit(TokenKind.PUNCTUATION, end + 1, ends_operand=False)

    def _read_plain(self, end: int) -> None:
        """Read the tokens of a run up to *end*.

        Whole lists are handed to functions that run through them faster than a loop could: a large source consists of
        few runs, and this is where reading it spends its time.
        """
        table = self._table
        found: list[tuple[bytes, bytes]] = _PLAIN.findall(self._data, self._offset, end)
        while found and not found[-1][1]:
            found.pop()
        known = len(table)
        bounds = list(accumulate(map(len, chain.from_iterable(found)), initial=self._offset))
        table.texts += [text for _, text in found]
        table.starts += bounds[1::2]
        table.ends += bounds[2::2]
        self._offset = end
        for index in range(known, len(table)):
            text = table.texts[index]
            if text not in _BRACKETS:
                continue
            if text not in _OPERAND_CLOSERS:
                self._open_bracket(index, text)
            elif self._pop(text) in _STATEMENT_FRAMES:
                self._told_ends[index] = False

    def _read_template_piece(self, closed: TokenKind, opened: TokenKind) -> None:
        match = _TEMPLATE_PIECE.match(self._data, self._offset + 1)
        end = match.end() if match else len(self._data)
        if match and match.group(1) == b"${":
            self._push(_Frame.SUBSTITUTION, b"}")
            self._emit(opened, end, ends_operand=False)
        else:
            self._emit(closed, end, ends_operand=True)

    def _read_slash(self) -> None:
        offset = self._offset
        if not self._read_regex():
            size = 1 + (self._data[offset + 1 : offset + 2] == b"=")
            self._emit(TokenKind.PUNCTUATION, offset + size, ends_operand=False)

    def _read_regex(self) -> bool:
        last = len(self._table) - 1
        if self._offset < self._no_regex_before or self._text_back(1) == b"<" or self._ends_operand(last):
            return False
        match = _REGEX.match(self._data, self._offset)
        if match is None:
            line_end = LINE_END.search(self._data, self._offset)
            self._no_regex_before = line_end.start() if line_end else len(self._data)
            return False
        self._emit(TokenKind.REGEX, match.end(), ends_operand=True)
        return True

    def _starts_markup(self) -> bool:
        data, offset = self._data, self._offset
        if not _MARKUP_START.match(data, offset) or self._ends_operand(len(self._table) - 1):
            return False
        in_value = bool(self._frames) and self._frames[-1] is _Frame.MARKUP_VALUE
        last = self._text_back(1)
        if last == b"<" or (last in _STATEMENT_STARTS and not in_value):
            return False
        if _TYPE_PARAMETERS.match(data, offset):
            return False
        lone = _LONE_PARAMETER.match(data, offset)
        return lone is None or data.find(b"</" + lone.group(1), offset, offset + _CLOSING_TAG_REACH) >= 0

    def _open_bracket(self, index: int, sign: bytes) -> None:
        last = self._table.text(index - 1)
        if sign == b"(":
            is_condition = last in _CONDITION_HEADS and self._table.text(index - 2) not in _MEMBER_DOTS
            self._push(_Frame.CONDITION if is_condition else _Frame.PAREN, b")")
        elif sign == b"[":
            self._push(_Frame.BRACKET, b"]")
        else:
            is_block = last in _BLOCK_OPENERS or self._ends_operand(index - 1)
            self._push(_Frame.BLOCK if is_block else _Frame.OBJECT, b"}")

    def _close_code(self) -> None:
        """Read a ``}`` that may end a substitution or a value in markup."""
        frame = self._pop(b"}")
        if frame is _Frame.SUBSTITUTION:
            self._read_template_piece(TokenKind.TEMPLATE_TAIL, TokenKind.TEMPLATE_MIDDLE)
            return
        self._emit(TokenKind.PUNCTUATION, self._offset + 1, ends_operand=frame not in _STATEMENT_FRAMES)

    def _push(self, frame: _Frame, closer: bytes) -> None:
        self._frames.append(frame)
        self._open[closer] += 1
        self._resuming += frame in _RESUMING

    def _pop(self, sign: bytes) -> _Frame | None:
        if not self._open[sign]:
            return None
        while True:
            frame = self._frames.pop()
            closer = _CLOSERS.get(frame)
            if closer is not None:
                self._open[closer] -= 1
                self._resuming -= frame in _RESUMING
            elif frame is not _Frame.CHILDREN:
                self._angles.pop()
            if closer == sign:
                return frame

    def _read_in_tag(self, frame: _Frame) -> None:
        data = self._data
        gap = _TRIVIA.match(data, self._offset)
        if gap:
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
        is_empty = self._text_back(1) == b"/"
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


def read_tokens(table: TokenTable, dialect: Dialect) -> None:
    """Fill an empty table with the tokens of its source.

    Args:
        table: Holds a source; any bytes will do.
        dialect: Decides whether ``<`` can start markup (TSX, JavaScript) or never does (TypeScript).
    """
    _Lexer(table, has_markup=dialect is not Dialect.TYPESCRIPT).run()


def tokenize(data: bytes, dialect: Dialect) -> list[Token]:
    """Return the tokens of *data* one by one, as :func:`read_tokens` finds them."""
    table = TokenTable(data)
    read_tokens(table, dialect)
    return list(table.tokens())
