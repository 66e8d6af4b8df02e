"""Mends class members: names that are modifier words, modifiers in odd orders or on lines of their own, line ends.

Every class body is read from tokens (:mod:`scanner.syntax.repair.classes`), and wherever the grammar could see
something else the source is made explicit: modifiers stand on the line of their name in an order that the grammar
reads, a name that looks like a modifier becomes a neutral one, and a member that ends with its line ends with a
semicolon.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from scanner.syntax.repair.classes import MODIFIERS, Member, MemberKind, class_bodies, class_members
from scanner.syntax.repair.edits import Edit, Repair, neutral_name
from scanner.syntax.repair.modifiers import clashing, is_read_by_grammar, readable_order
from scanner.syntax.repair.stream import TokenStream
from scanner.syntax.syntax_errors import SyntaxFault

_BINDS_ACROSS_LINES: Final = frozenset((b"static", b"get", b"set"))


def mend_class_members(stream: TokenStream) -> Repair:
    """Make the members of every class explicit."""
    edits: list[Edit] = []
    faults: list[SyntaxFault] = []
    is_silent = False
    for opener, closer in class_bodies(stream):
        for member in class_members(stream, opener, closer):
            edits.extend(_modifier_edits(stream, member))
            edits.extend(_name_edits(stream, member))
            edits.extend(_end_edits(stream, member, closer))
            faults.extend(_modifier_faults(stream, member))
            is_silent = is_silent or _is_misread(stream, member)
    return Repair("class members", tuple(edits), tuple(faults), is_silent)


def _words(stream: TokenStream, member: Member) -> list[bytes]:
    return [stream.texts[index] for index in member.modifiers]


def _is_misread(stream: TokenStream, member: Member) -> bool:
    """Tell whether a grammar may bind words across line ends where the language does not, or the other way round."""
    if stream.text(member.name) in MODIFIERS and stream.on_new_line(member.name + 1):
        return True
    meets_bracket = stream.is_sign(member.end, b"[") and stream.on_new_line(member.end)
    if member.kind is MemberKind.FIELD and meets_bracket:
        return True
    return any(
        stream.texts[index] in _BINDS_ACROSS_LINES and stream.on_new_line(index + 1)
        for index in member.modifiers
    )


def _modifier_edits(stream: TokenStream, member: Member) -> Iterator[Edit]:
    if not member.modifiers:
        return
    words = _words(stream, member)
    start, end = stream.starts[member.modifiers[0]], stream.starts[member.head]
    is_on_one_line = not any(stream.on_new_line(index + 1) for index in member.modifiers)
    if member.kind is MemberKind.INDEX_SIGNATURE:
        kept = [word for word in words if word == b"readonly"][:1]
        is_read = kept == words
    else:
        is_method = member.kind is MemberKind.METHOD
        kept = readable_order(words, is_method=is_method)
        is_read = is_read_by_grammar(words, is_method=is_method)
    if member.kind is MemberKind.UNKNOWN or (is_read and is_on_one_line):
        return
    text = b" ".join(kept)
    yield Edit(start, text + b" " * (end - start - len(text)))


def _name_edits(stream: TokenStream, member: Member) -> Iterator[Edit]:
    if member.kind in {MemberKind.FIELD, MemberKind.METHOD} and stream.text(member.name) in MODIFIERS:
        yield Edit(stream.starts[member.name], neutral_name(len(stream.texts[member.name])))


def _end_edits(stream: TokenStream, member: Member, closer: int) -> Iterator[Edit]:
    if member.has_body or member.kind is MemberKind.UNKNOWN or member.end >= closer:
        return
    if stream.on_new_line(member.end) and (edit := stream.semicolon_before(member.end)):
        yield edit


def _modifier_faults(stream: TokenStream, member: Member) -> Iterator[SyntaxFault]:
    if member.kind not in {MemberKind.FIELD, MemberKind.METHOD}:
        return
    for position in clashing(_words(stream, member), is_method=member.kind is MemberKind.METHOD):
        index = member.modifiers[position]
        yield SyntaxFault(stream.starts[index], stream.ends[index])
