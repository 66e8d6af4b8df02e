"""Finding where the initialiser of a field ends, by tokens alone.

The expression is walked as a chain of operands and operators at one bracket level. What matters is the language's
rule for line ends: a token on the next line that can continue the expression does so, anything else begins the next
member.
"""

from __future__ import annotations

from typing import Final

from scanner.syntax.repair.skipping import (
    class_body,
    is_class_keyword,
    skip_decorator,
    skip_markup,
    skip_type,
)
from scanner.syntax.repair.stream import TokenStream
from scanner.syntax.tokens import TokenKind

_PREFIX_SIGNS: Final = frozenset(b"! ~ + - ++ -- ... .".split())
_PREFIX_WORDS: Final = frozenset(b"typeof void delete await new yield".split())
_BINARY: Final = frozenset(
    b"+ - * / % ** & | ^ && || ?? == != === !== < > = += -= *= /= %= **= &= |= ^= &&= ||= ??= in instanceof".split()
)
_OPENERS: Final = frozenset((b"(", b"[", b"{"))
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
        elif (
            text in _PREFIX_SIGNS
            or text in _PREFIX_WORDS
            or self._is_second_sign(text)
            or self._is_async(text)
        ):
            self.index += 1
        elif text == b"<":
            self.index = stream.after_angles(index)
        elif text == b"function":
            self._take(_skip_function(stream, index))
        elif is_class_keyword(stream, index) and (body := class_body(stream, index)) >= 0:
            self._take(stream.after(body))
        elif text == b"@":
            self.index = skip_decorator(stream, index)
        elif text in _OPENERS or stream.starts_template(index) or stream.is_value(index):
            self._take(stream.after(index))

    def _is_async(self, text: bytes) -> bool:
        return text == b"async" and self.stream.text(self.index + 1) == b"function"

    def _is_second_sign(self, text: bytes) -> bool:
        """Tell whether *text* is the rest of ``>=``, ``>>``, ``<=`` and the like, which are read sign by sign."""
        stream = self.stream
        if text not in {b"<", b">", b"="} or not self.index:
            return False
        return (
            stream.text(self.index - 1) in {b"<", b">"}
            and stream.ends[self.index - 1] == stream.starts[self.index]
        )

    def _take(self, behind: int) -> None:
        self.wants_operand = behind == self.index
        self.takes_no_member = False
        self.index = behind

    def _operator(self) -> None:
        text = self.stream.text(self.index)
        if text == b":" and self.ternaries:
            self.ternaries -= 1
            self._want_operand()
        elif self.is_closed:
            return
        elif text == b"?":
            self.ternaries += 1
            self._want_operand()
        elif text == b"<" and _are_type_arguments(self.stream, self.index):
            self.index = self.stream.after_angles(self.index)
        elif text in _BINARY:
            self._want_operand()
        elif text in _CASTS and not self.stream.on_new_line(self.index):
            self.index = skip_type(self.stream, self.index + 1)
            self.takes_no_member = True
        elif text in {b"=>", b":"} or self.stream.text(self.index - 1) == b"async":
            self._arrow(text)
        else:
            self._suffix(text)

    def _suffix(self, text: bytes) -> None:
        if text in {b"++", b"--", b"!"}:
            self.index += not self.stream.on_new_line(self.index)
            self.takes_no_member = self.takes_no_member or text != b"!"
        elif self.takes_no_member:
            return
        elif text in {b"(", b"["} or self.stream.starts_template(self.index):
            self.index = self.stream.after(self.index)
        elif text in {b".", b"?."}:
            self.index += 1
            is_private = self.stream.is_kind(self.index, TokenKind.PRIVATE_NAME)
            self.index += self.stream.is_word(self.index) or is_private

    def _want_operand(self) -> None:
        self.index += 1
        self.wants_operand = True
        self.takes_no_member = False
        self.is_closed = False

    def _arrow(self, text: bytes) -> None:
        """Step over part of an arrow function behind its parameters, which were read as an operand or a call."""
        stream, index = self.stream, self.index
        if text == b"=>" and stream.text(index + 1) == b"{":
            self.index = stream.after(index + 1)
            self.is_closed = True
        elif text == b"=>":
            self._want_operand()
        elif text == b":" and stream.text(index - 1) == b")":
            behind = skip_type(stream, index + 1)
            self.index = behind if stream.text(behind) == b"=>" else index
        elif stream.is_word(index) and stream.text(index + 1) == b"=>" and not stream.on_new_line(index):
            self.index += 1
        else:
            self._suffix(text)


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
