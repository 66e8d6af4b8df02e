"""Which names a source may declare, read from its bytes: the second sieve.

Classes, type aliases and enums are found by their keyword and the name behind it, wherever these stand: in strings and
nested code too, since a name too many only costs a parse. What a class extends is listed as well. A source in which
that cannot be told (a name with escapes, a base that an import renames, exports under other names) is *opaque*: it
may declare anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from scanner.records import ANONYMOUS_CLASS, DeclaredNames
from scanner.sieve.module_exports import may_export_others, may_rename_exports
from scanner.syntax.grammar import Dialect

_TRIVIA: Final = rb"(?:[ \t\n\v\f\r]|/\*(?s:.){0,2000}?\*/|//[\x00-\x09\x0b\x0c\x0e-\x7f]*+[\n\r])*+"  # blanks and comments
_NAME: Final = rb"[A-Za-z_$][A-Za-z0-9_$]*+"
_CLASS_GOES_ON: Final = re.compile(_TRIVIA + rb"(?:\{|extends(?![A-Za-z0-9_$]))")
_TYPED_CLASS_GOES_ON: Final = re.compile(_TRIVIA + rb"(?:[{<]|(?:extends|implements)(?![A-Za-z0-9_$]))")
_HEAD: Final = re.compile(
    rb"(?:class|enum|type|extends)(?![A-Za-z0-9_$])" + _TRIVIA + rb"(" + _NAME + rb")?+"
)
_MEMBERS: Final = re.compile(rb"(?:\.(" + _NAME + rb"))*+" + _TRIVIA)
_BRACKETED_BASE: Final = re.compile(
    rb"(?:\(" + _TRIVIA + rb")++(?:" + _NAME + _TRIVIA + rb"[).\[/\\\x80-\xff]|[/\\\x80-\xff])"
)
_GIVES_A_NAME: Final = re.compile(rb"(?:^|[^A-Za-z0-9_$])(?:as|import|type)$")
"""What stands before a name that an import gives to something with another name."""

_REACH_BACK: Final = 200

_UNCLEAR: Final = frozenset(b"\\/" + bytes(range(0x80, 0x100)))
"""Bytes that a name may go on with, or behind which a comment hides what follows."""

_NAME_BYTES: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$")
_HERITAGE: Final = frozenset({b"extends", b"implements"})
_ANONYMOUS_FOLLOWS: Final = frozenset(b"{<")
_MAX_HEADS: Final = 20_000
_PROSE_REACH: Final = 300
_PROSE_STARTS: Final = (b"*", b"//", b"/*")
_PROSE_END: Final = re.compile(rb"\*/|[`<'\";{}\r\xe2]")

_OPAQUE: Final = DeclaredNames(is_opaque=True)


class _Unclear(Exception):  # noqa: N818 -- no error: a way out of nested searches
    """The bytes do not tell what is declared."""


def declared_names(data: bytes, dialect: Dialect) -> DeclaredNames:
    """Return the names that a source may declare; more than it does declare, never fewer.

    Args:
        data: The source's bytes.
        dialect: What it is written in.
    """
    if may_rename_exports(data):
        return _OPAQUE
    try:
        classes = set(_class_names(data, dialect))
        aliases = {
            name.decode()
            for keyword in (b"type", b"enum")
            for name, _ in _declared(data, keyword)
            if name is not None
        }
        parents = set(_parents(data)) if classes else set()
    except _Unclear:
        return _OPAQUE
    return DeclaredNames(
        tuple(sorted(classes)), tuple(sorted(aliases)), tuple(sorted(parents)), may_export_others(data)
    )


def may_declare_records(data: bytes) -> bool:
    """Tell whether a source may declare a class, a type alias or an enum; False is a proof."""
    try:
        return any(True for keyword in (b"class", b"type", b"enum") for _ in _declared(data, keyword))
    except _Unclear:
        return True


def _class_names(data: bytes, dialect: Dialect) -> Iterator[str]:
    """Yield the names of classes; a head that goes on oddly is broken, and then a parser may find another name."""
    goes_on = _CLASS_GOES_ON if dialect is Dialect.JAVASCRIPT else _TYPED_CLASS_GOES_ON
    for name, end in _declared(data, b"class"):
        is_anonymous = name is None or name in _HERITAGE
        if not is_anonymous and goes_on.match(data, end) is None:
            raise _Unclear
        if name is not None:
            yield name.decode()
        if is_anonymous:
            yield ANONYMOUS_CLASS


def _declared(data: bytes, keyword: bytes) -> Iterator[tuple[bytes | None, int]]:
    """Yield the name behind each keyword, None for a class without one, and where it ends."""
    for head in _heads(data, keyword):
        name, end = head[1], head.end()
        follows = data[end] if end < len(data) else 0
        if follows in _UNCLEAR:
            raise _Unclear
        if name is not None or (keyword == b"class" and follows in _ANONYMOUS_FOLLOWS):
            yield name, end


def _heads(data: bytes, keyword: bytes) -> Iterator[re.Match[bytes]]:
    """Yield where a keyword stands, with the name behind it, except in what is prose for sure."""
    found = 0
    place = data.find(keyword)
    while place >= 0:
        head = None if _is_inside_name(data, place) else _HEAD.match(data, place)
        if head is not None and not _is_prose(data, place):
            found += 1
            if found > _MAX_HEADS:
                raise _Unclear
            yield head
        place = data.find(keyword, place + len(keyword))


def _is_inside_name(data: bytes, place: int) -> bool:
    return place > 0 and data[place - 1] in _NAME_BYTES


def _is_prose(data: bytes, place: int) -> bool:
    """Tell whether a place lies in a line that began as a comment and has nothing in it that could end one.

    A line that starts with a star may be code, but then the star is an operator and no declaration follows it.
    """
    start = data.rfind(b"\n", max(0, place - _PROSE_REACH), place) + 1
    if start == 0 and place > _PROSE_REACH:
        return False
    before = data[start:place].lstrip(b" \t")
    return before.startswith(_PROSE_STARTS) and _PROSE_END.search(before) is None


def _parents(data: bytes) -> Iterator[str]:
    """Yield the last part of every name behind ``extends``, as far as its file alone tells what it means."""
    seen: set[bytes] = set()
    for head in _heads(data, b"extends"):
        name, end = head[1], head.end()
        if name is None:
            if _is_unclear_at(data, end) or _BRACKETED_BASE.match(data, end) is not None:
                raise _Unclear
            continue
        members = _MEMBERS.match(data, end)
        if members is None or _is_unclear_at(data, members.end(), b".["):
            raise _Unclear
        if members[1] is None and name not in seen and _may_be_renamed(data, name):
            raise _Unclear
        seen.add(name)
        yield (members[1] or name).decode()


def _is_unclear_at(data: bytes, place: int, further: bytes = b"") -> bool:
    return place < len(data) and (data[place] in _UNCLEAR or data[place] in further)


def _may_be_renamed(data: bytes, name: bytes) -> bool:
    """Tell whether an import may give a name to a class that has another one in its own file."""
    if b"\\u" in data:
        return True
    place = data.find(name)
    while place >= 0:
        before = data[max(0, place - _REACH_BACK) : place]
        if not _is_inside_name(data, place) and _ends_as_renaming(before):
            return True
        place = data.find(name, place + len(name))
    return False


def _ends_as_renaming(before: bytes) -> bool:
    code = before.rstrip(b" \t\n\v\f\r")
    if not code or code.endswith(b"*/") or code[-1] >= 0x80:  # noqa: PLR2004 -- no ASCII
        return True
    if code.endswith((b"as", b"import", b"type")):
        return _GIVES_A_NAME.search(code) is not None
    blanks = before[len(code) :]
    return (b"\n" in blanks or b"\r" in blanks) and b"//" in code[code.rfind(b"\n") + 1 :]
