"""The members of every class in a source, read from tokens by the language's own rules for line ends.

``static``, ``get`` and ``set`` bind to a name on the next line; every other modifier at a line's end is a field of
that name. A field ends where its type or value does, at a ``;``, or at a line end that nothing continues.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from scanner.syntax.repair.initializers import skip_initializer
from scanner.syntax.repair.skipping import class_body, is_class_keyword, skip_decorator, skip_type
from scanner.syntax.repair.stream import TokenStream
from scanner.syntax.tokens import TokenKind

MODIFIERS: Final = frozenset(
    b"public protected private static abstract override readonly declare async accessor get set".split()
)
"""Words that stand before a member's name, and can be one."""

_BINDS_ACROSS_LINES: Final = frozenset((b"static", b"get", b"set"))
_ACCESSOR_KINDS: Final = frozenset((b"get", b"set"))
_NAME_KINDS: Final = frozenset({TokenKind.WORD, TokenKind.STRING, TokenKind.NUMBER, TokenKind.PRIVATE_NAME})


class MemberKind(Enum):
    """What a class member is."""

    FIELD = "field"
    METHOD = "method"
    INDEX_SIGNATURE = "index signature"
    STATIC_BLOCK = "static block"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Member:
    """One member; all numbers are token indices.

    Attributes:
        kind: What it is; UNKNOWN when it does not read as a member.
        modifiers: The modifier words before the name, ``get`` and ``set`` included.
        head: The first token behind the modifiers: ``*``, the name or the bracket around it.
        name: The name, or the bracket that opens a computed one.
        end: Index behind the last token of the member; a ``;`` is not part of it.
        has_body: Whether it ends with a body in braces and so needs nothing behind it.
    """

    kind: MemberKind
    modifiers: tuple[int, ...]
    head: int
    name: int
    end: int
    has_body: bool = False


def class_bodies(stream: TokenStream) -> Iterator[tuple[int, int]]:
    """Yield the indices of the braces around each class body, at any depth, in source order."""
    for index in stream.places((b"class",)):
        if is_class_keyword(stream, index):
            opener = class_body(stream, index)
            if opener >= 0:
                yield opener, stream.mate(opener)


def class_members(stream: TokenStream, opener: int, closer: int) -> Iterator[Member]:
    """Yield the members between the braces at *opener* and *closer*."""
    index = opener + 1
    while index < closer:
        if stream.text(index) == b";":
            index += 1
            continue
        while stream.is_sign(index, b"@"):
            behind = skip_decorator(stream, index)
            if behind == index:
                break
            index = behind
        member = _read_member(stream, index)
        yield member
        index = member.end if member.end > index else _resume(stream, index, closer)


def _resume(stream: TokenStream, index: int, closer: int) -> int:
    """Return where reading goes on behind something that is no member: the next line or semicolon."""
    index = stream.after(index)
    while index < closer and stream.text(index) != b";" and not stream.on_new_line(index):
        index = stream.after(index)
    return index


def _read_member(stream: TokenStream, index: int) -> Member:
    if stream.text(index) == b"static" and stream.text(index + 1) == b"{":
        end = stream.after(index + 1)
        return Member(MemberKind.STATIC_BLOCK, (), index, index, end, has_body=True)
    modifiers: list[int] = []
    while _is_modifier(stream, index, modifiers):
        modifiers.append(index)
        index += 1
    head = index
    if stream.is_sign(index, b"*"):
        index += 1
    name = index
    behind = _behind_name(stream, name)
    if behind == name:
        return Member(MemberKind.UNKNOWN, tuple(modifiers), head, name, head)
    return _read_tail(stream, tuple(modifiers), head, name, behind)


def _is_modifier(stream: TokenStream, index: int, before: list[int]) -> bool:
    text = stream.text(index)
    if text not in MODIFIERS or not stream.is_word(index):
        return False
    if before and (stream.text(before[-1]) in _ACCESSOR_KINDS or text == b"static"):
        seen = [stream.text(modifier) for modifier in before]
        if text in seen or seen[-1] in _ACCESSOR_KINDS:
            return False
    following = index + 1
    if text not in _BINDS_ACROSS_LINES and stream.on_new_line(following):
        return False
    if stream.is_sign(following, b"*"):
        return text not in _ACCESSOR_KINDS
    return stream.is_sign(following, b"[") or stream.kind(following) in _NAME_KINDS


def _behind_name(stream: TokenStream, index: int) -> int:
    if index >= len(stream):
        return index
    if stream.is_sign(index, b"["):
        return stream.after(index)
    return index + (stream.kind(index) in _NAME_KINDS)


def _read_tail(stream: TokenStream, modifiers: tuple[int, ...], head: int, name: int, index: int) -> Member:
    if stream.is_sign(name, b"[") and stream.is_word(name + 1) and stream.text(name + 2) == b":":
        end = skip_type(stream, index + 1) if stream.text(index) == b":" else index
        return Member(MemberKind.INDEX_SIGNATURE, modifiers, head, name, end)
    if stream.text(index) == b"?" or (stream.text(index) == b"!" and not stream.on_new_line(index)):
        index += 1
    behind_angles = stream.after_angles(index)
    if stream.text(behind_angles) == b"(":
        return _read_method(stream, modifiers, head, name, behind_angles)
    if stream.text(index) == b":":
        index = skip_type(stream, index + 1)
    if stream.text(index) == b"=":
        index = skip_initializer(stream, index + 1)
    return Member(MemberKind.FIELD, modifiers, head, name, index)


def _read_method(stream: TokenStream, modifiers: tuple[int, ...], head: int, name: int, index: int) -> Member:
    index = stream.after(index)
    if stream.text(index) == b":":
        index = skip_type(stream, index + 1)
    has_body = stream.text(index) == b"{"
    end = stream.after(index) if has_body else index
    return Member(MemberKind.METHOD, modifiers, head, name, end, has_body=has_body)
