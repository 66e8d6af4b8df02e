"""Finding where types, initialisers, decorators and class heads end, by tokens alone.

Each function takes the index where something begins and returns the index behind it; the index itself means that
nothing of the kind begins there. They follow the language's rules for line ends: which token continues a construct
on the next line, and which one begins something new. Bracket pairs are stepped over, so nothing recurses and the
time is linear in the tokens passed.
"""

from __future__ import annotations

from typing import Final

from scanner.syntax.lexer import TokenKind
from scanner.syntax.repair.stream import TokenStream

_TYPE_PREFIXES: Final = frozenset(b"keyof unique readonly infer typeof asserts new abstract".split())
_ALWAYS_PREFIXES: Final = frozenset((b"typeof", b"new", b"keyof"))
_WORD_PREFIXES: Final = frozenset((b"asserts", b"infer", b"unique", b"abstract"))
_TYPE_LITERALS: Final = frozenset(
    {TokenKind.STRING, TokenKind.NUMBER, TokenKind.TEMPLATE, TokenKind.TEMPLATE_HEAD, TokenKind.WORD}
)


def skip_type(stream: TokenStream, index: int) -> int:
    """Return the index behind the type that begins at *index*."""
    conditions = branches = 0
    wants_operand = True
    while index < len(stream):
        if wants_operand:
            behind, wants_operand = _type_operand(stream, index)
            if behind == index:
                return index
            index = behind
            continue
        text = stream.text(index)
        fresh_line = stream.on_new_line(index)
        if text in {b"|", b"&", b"."} or (text == b"is" and not fresh_line):
            wants_operand = True
        elif text == b"extends" and not fresh_line:
            conditions += 1
            wants_operand = True
        elif text == b"?" and conditions:
            conditions, branches, wants_operand = conditions - 1, branches + 1, True
        elif text == b":" and branches:
            branches, wants_operand = branches - 1, True
        elif not (text in {b"[", b"<"} and not fresh_line):
            return index
        behind = stream.after_angles(index) if text == b"<" else stream.after(index)
        if behind == index:
            return index
        index = behind
    return index


def _type_operand(stream: TokenStream, index: int) -> tuple[int, bool]:
    """Return the index behind one part of a type's operand, and whether more of the operand must follow."""
    text = stream.text(index)
    if text in {b"|", b"&", b"-"} or _is_type_prefix(stream, index):
        return index + 1, True
    if text == b"<":
        return stream.after_angles(index), True
    if text == b"(":
        behind = stream.after(index)
        return (behind + 1, True) if stream.text(behind) == b"=>" else (behind, False)
    if text == b"import" and stream.text(index + 1) == b"(":
        return stream.after(index + 1), False
    if text in {b"{", b"["} or stream.tokens[index].kind in _TYPE_LITERALS:
        return stream.after(index), False
    return index, True


def _is_type_prefix(stream: TokenStream, index: int) -> bool:
    text = stream.text(index)
    if text not in _TYPE_PREFIXES:
        return False
    if text in _ALWAYS_PREFIXES:
        return stream.is_word(index + 1) or stream.text(index + 1) in {b"(", b"[", b"{", b"<"}
    if stream.is_word(index + 1):
        return not stream.on_new_line(index + 1) and stream.text(index + 1) not in {b"is", b"extends"}
    return text not in _WORD_PREFIXES and stream.text(index + 1) in {b"(", b"["}


_PREFIX_SIGNS: Final = frozenset(b"! ~ + - ++ -- ... .".split())
_PREFIX_WORDS: Final = frozenset(b"typeof void delete await new yield".split())
_BINARY: Final = frozenset(
    b"+ - * / % ** & | ^ && || ?? == != === !== < > = += -= *= /= %= **= &= |= ^= &&= ||= ??= in instanceof".split()
)
_CASTS: Final = frozenset((b"as", b"satisfies"))


class _Initializer:
    """The state of stepping over one expression."""

    def __init__(self, stream: TokenStream, index: int) -> None:
        self.stream = stream
        self.index = index
        self.wants_operand = True
        self.ternaries = 0
        self.takes_no_member = False
        self.is_closed = False

    def skip(self) -> int:
        """Step to the end and return the index behind."""
        while self.index < len(self.stream):
            before = self.index
            if self.wants_operand:
                self._operand()
            else:
                self._operator()
            if self.index == before:
                break
        return self.index

    def _operand(self) -> None:
        stream, index = self.stream, self.index
        text = stream.text(index)
        if stream.is_kind(index, TokenKind.MARKUP_START):
            self._take(skip_markup(stream, index))
            self.takes_no_member = True
        elif text in _PREFIX_SIGNS or text in _PREFIX_WORDS or self._is_second_sign(text) or self._is_async(text):
            self.index += 1
        elif text == b"<":
            self.index = stream.after_angles(index)
        elif text == b"function":
            self._take(_skip_function(stream, index))
        elif is_class_keyword(stream, index) and (body := class_body(stream, index)) >= 0:
            self._take(stream.after(body))
        elif text == b"@":
            self.index = skip_decorator(stream, index)
        elif text in {b"(", b"[", b"{"} or stream.ends_value(index) or stream.starts_template(index):
            if text not in {b")", b"]", b"}"}:
                self._take(stream.after(index))

    def _is_async(self, text: bytes) -> bool:
        return text == b"async" and self.stream.text(self.index + 1) == b"function"

    def _is_second_sign(self, text: bytes) -> bool:
        """Tell whether *text* is the rest of ``>=``, ``>>``, ``<=`` and the like, which are read sign by sign."""
        tokens = self.stream.tokens
        if text not in {b"<", b">", b"="} or not self.index:
            return False
        return (
            self.stream.text(self.index - 1) in {b"<", b">"}
            and tokens[self.index - 1].end == tokens[self.index].start
        )

    def _take(self, behind: int) -> None:
        self.wants_operand = behind == self.index
        self.takes_no_member = False
        self.index = behind

    def _operator(self) -> None:
        stream, index = self.stream, self.index
        text = stream.text(index)
        if text == b":" and self.ternaries:
            self.ternaries -= 1
            self._want_operand()
        elif self.is_closed:
            return
        elif text == b"=>":
            self._arrow()
        elif text in {b"(", b"["} or stream.starts_template(index):
            self.index = index if self.takes_no_member else stream.after(index)
        elif text in {b".", b"?."}:
            self._member()
        elif text in {b"++", b"--", b"!"}:
            self.index += not stream.on_new_line(index)
            self.takes_no_member = self.takes_no_member or text != b"!"
        elif text == b"?":
            self.ternaries += 1
            self._want_operand()
        elif text == b":" and stream.text(index - 1) == b")":
            behind = skip_type(stream, index + 1)
            self.index = behind if stream.text(behind) == b"=>" else index
        elif text == b"<" and _are_type_arguments(stream, index):
            self.index = stream.after_angles(index)
        elif text in _BINARY:
            self._want_operand()
        elif text in _CASTS and not stream.on_new_line(index):
            self.index = skip_type(stream, index + 1)
            self.takes_no_member = True
        elif stream.text(index - 1) == b"async" and stream.is_word(index) and not stream.on_new_line(index):
            self.index += stream.text(index + 1) == b"=>"

    def _want_operand(self) -> None:
        self.index += 1
        self.wants_operand = True
        self.takes_no_member = False
        self.is_closed = False

    def _arrow(self) -> None:
        if self.stream.text(self.index + 1) == b"{":
            self.index = self.stream.after(self.index + 1)
            self.is_closed = True
        else:
            self._want_operand()

    def _member(self) -> None:
        if self.takes_no_member:
            return
        self.index += 1
        if self.stream.is_word(self.index) or self.stream.is_kind(self.index, TokenKind.PRIVATE_NAME):
            self.index += 1


def skip_initializer(stream: TokenStream, index: int) -> int:
    """Return the index behind the expression that begins at *index*: a value without commas at its own level."""
    return _Initializer(stream, index).skip()


def _are_type_arguments(stream: TokenStream, index: int) -> bool:
    """Tell whether the ``<`` behind an operand opens type arguments, by what follows the ``>``."""
    mate = stream.angle_mate(index)
    if mate < 0:
        return False
    following = stream.text(mate + 1)
    if not (
        stream.starts_template(mate + 1)
        or following in {b"", b"(", b")", b"]", b"}", b",", b";", b".", b"?.", b":"}
        or stream.on_new_line(mate + 1)
    ):
        return False
    inner = index + 1
    while inner < mate:
        if stream.text(inner) in {b"=", b":"}:
            return False
        inner = max(stream.after(inner), stream.after_angles(inner))
    return True


def _skip_function(stream: TokenStream, index: int) -> int:
    behind = index + 1
    while stream.text(behind) == b"*" or (stream.is_word(behind) and stream.text(behind + 1) in {b"(", b"<"}):
        behind += 1
    behind = stream.after_angles(behind)
    if stream.text(behind) != b"(":
        return index
    behind = stream.after(behind)
    if stream.text(behind) == b":":
        behind = skip_type(stream, behind + 1)
    return stream.after(behind) if stream.text(behind) == b"{" else index


_NEVER_IN_TAGS: Final = frozenset((b";", b"(", b")", b"]", b"}"))


def skip_markup(stream: TokenStream, index: int) -> int:
    """Return the index behind the markup element whose first tag begins at *index*."""
    depth = 0
    position = index
    while position < len(stream):
        if stream.is_kind(position, TokenKind.MARKUP_START):
            is_closing = stream.text(position + 1) == b"/"
            position = _skip_tag(stream, position + 1)
            is_empty = stream.text(position - 2) == b"/" and not is_closing
            depth += -1 if is_closing else (not is_empty)
            if depth <= 0 or stream.text(position - 1) != b">":
                return position if depth == 0 else index
        elif stream.is_kind(position, TokenKind.MARKUP_TEXT) or stream.text(position) == b"{":
            position = stream.after(position)
        else:
            return index
    return index


def _skip_tag(stream: TokenStream, position: int) -> int:
    angles = 0
    while position < len(stream) and stream.text(position) not in _NEVER_IN_TAGS:
        text = stream.text(position)
        position = stream.after(position)
        if text == b"<":
            angles += 1
        elif text == b">":
            if not angles:
                return position
            angles -= 1
    return position


def skip_decorator(stream: TokenStream, index: int) -> int:
    """Return the index behind the decorator whose ``@`` stands at *index*.

    Brackets ``[…]`` behind a decorator belong to the member's computed name, as the language has it.
    """
    position = index + 1
    while stream.text(position) == b"new":
        position += 1
    if not (stream.is_word(position) or (stream.text(position) == b"(" and stream.mate(position) > 0)):
        return index
    position = stream.after(position)
    while position < len(stream):
        text = stream.text(position)
        if text in {b".", b"?."}:
            behind = position + 1
            if stream.is_word(behind) or stream.is_kind(behind, TokenKind.PRIVATE_NAME):
                behind += 1
        elif text == b"(" or stream.starts_template(position):
            behind = stream.after(position)
        elif text == b"<":
            behind = stream.after_angles(position)
        elif text == b"!" and not stream.on_new_line(position):
            behind = position + 1
        else:
            behind = position
        if behind == position:
            return position
        position = behind
    return position


_NO_CLASS_NAME: Final = frozenset((b":", b"(", b"=", b",", b")", b"}", b";", b"?", b"!", b".", b"", b"-"))
_HEAD_STOPS: Final = frozenset((b";", b"}", b")", b"]", b"=>", b"=", b"class"))


def is_class_keyword(stream: TokenStream, index: int) -> bool:
    """Tell whether the token at *index* is the keyword ``class`` and no property of that name."""
    return (
        stream.text(index) == b"class"
        and stream.is_word(index)
        and stream.text(index - 1) not in {b".", b"?."}
        and stream.text(index + 1) not in _NO_CLASS_NAME
    )


def class_body(stream: TokenStream, index: int) -> int:
    """Return the index of the ``{`` of the class whose keyword stands at *index*, or -1 when none is found."""
    position = index + 1
    if stream.is_word(position) and stream.text(position) not in {b"extends", b"implements"}:
        position += 1
    position = stream.after_angles(position)
    if stream.text(position) not in {b"{", b"extends", b"implements"}:
        return -1
    while position < len(stream):
        text = stream.text(position)
        if text == b"{":
            return position if stream.mate(position) >= 0 else -1
        if text in _HEAD_STOPS:
            return -1
        position = max(stream.after(position), stream.after_angles(position))
    return -1
