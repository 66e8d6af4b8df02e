"""Mends words that the grammar takes for keywords where the language has names, and the other way round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from scanner.syntax.repair.edits import Edit, Repair, blanks, neutral_name
from scanner.syntax.repair.stream import TokenStream
from scanner.syntax.repair.type_syntax import PREDEFINED_TYPES

_CONST: Final = b"const"
_DECLARED_BY: Final = frozenset(b"type let const var".split())
_OPERATOR_WORDS: Final = frozenset(b"as satisfies".split())
_NEVER_CAST: Final = frozenset(b"return typeof case new void delete throw extends instanceof else do".split())
_FOLLOWS_DECLARED: Final = frozenset(b"= : ; < , ! ) of in".split())
_NOT_DECLARED: Final = frozenset(b"in instanceof of as satisfies".split())


def mend_using(stream: TokenStream) -> Repair:
    """Rename ``using`` where it is a name, and make ``const`` of declarations that the grammar refuses."""
    edits: list[Edit] = []
    is_silent = False
    for index in stream.places((b"using",)):
        if not stream.is_word(index):
            continue
        if _is_declaration(stream, index):
            edits.extend(_declaration_edits(stream, index))
        else:
            edits.append(Edit(stream.starts[index], neutral_name(len(b"using"))))
            is_silent = is_silent or stream.on_new_line(index + 1)
    return Repair("using", tuple(edits), is_silent=is_silent)


def mend_let(stream: TokenStream) -> Repair:
    """Bring what ``let`` declares onto its line: at a line end the grammar takes it for a name."""
    edits = [
        blanks(stream.ends[index], stream.starts[index + 1])
        for index in stream.places((b"let",))
        if stream.on_new_line(index + 1)
        and stream.text(index - 1) not in {b".", b"?."}
        and (stream.is_word(index + 1) or stream.text(index + 1) == b"{")
        and stream.text(index + 1) not in _NOT_DECLARED
    ]
    return Repair("let", tuple(edits), is_silent=bool(edits))


def _is_declaration(stream: TokenStream, index: int) -> bool:
    name = index + 1
    if not stream.is_word(name) or stream.on_new_line(name) or stream.text(index - 1) in {b".", b"?."}:
        return False
    if stream.text(name) in _NOT_DECLARED:
        return stream.text(name) == b"of" and stream.text(name + 1) in {b"=", b":", b"of"}
    return stream.text(name + 1) in {b"=", b":", b"of", b"!"}


def _declaration_edits(stream: TokenStream, index: int) -> Iterator[Edit]:
    before = index - 1
    has_await = stream.text(before) == b"await"
    in_loop = stream.text(before - has_await) == b"(" and stream.text(before - has_await - 1) in {
        b"for",
        b"await",
    }
    is_typed = stream.text(index + 2) in {b":", b"!"}
    if not (in_loop or is_typed):
        return
    yield Edit(stream.starts[index], _CONST)
    if has_await:
        yield blanks(stream.starts[before], stream.ends[before])


def mend_operator_names(stream: TokenStream) -> Repair:
    """Rename ``as`` and ``satisfies`` where no cast can stand: ``type as = 1``, ``let as = 2``, ``f(as)``."""
    edits = [
        Edit(stream.starts[index], neutral_name(len(stream.texts[index])))
        for index in stream.places(_OPERATOR_WORDS)
        if stream.is_word(index) and not _may_be_operator(stream, index)
    ]
    return Repair("operator names", tuple(edits))


def _may_be_operator(stream: TokenStream, index: int) -> bool:
    """Tell whether the word at *index* casts or renames what stands before it: a value, a type, ``!``, ``import *``."""
    before = stream.text(index - 1)
    is_member = stream.text(index - 2) in {b".", b"?."}
    if before in _DECLARED_BY and not is_member:
        return stream.text(index + 1) not in _FOLLOWS_DECLARED and not stream.on_new_line(index + 1)
    if before in _NEVER_CAST and not is_member:
        return False
    return stream.ends_type(index - 1) or before in {b"!", b"*", b"++", b"--"}


_FOLLOWS_MEMBER_NAME: Final = frozenset((b":", b"?", b";", b",", b"(", b"<"))
_FOLLOWS_TYPE_NAME: Final = frozenset(b") , > ] } ; | & = => . ?".split()) | {b""}
_TYPE_LEADS: Final = frozenset(b": | & < (".split())
_MEMBER_NAMES: Final = frozenset((b"abstract", b"accessor", b"in", b"instanceof"))
_TYPE_NAMES: Final = frozenset(b"abstract declare override namespace module type".split())
_OPERATORS: Final = frozenset((b"in", b"instanceof"))
_LABELS: Final = PREDEFINED_TYPES | frozenset(b"readonly infer keyof unique".split())
_NAMES_IN_TYPES: Final = _TYPE_NAMES | _MEMBER_NAMES | _LABELS | {b"asserts"}
_TUPLE_LABEL_LEADS: Final = frozenset((b"[", b",", b"..."))


def mend_type_names(stream: TokenStream) -> Repair:
    """Rename words that are names in types: members called ``abstract`` or ``in``, types ``asserts``, labels."""
    names = [
        index
        for index in stream.places(_NAMES_IN_TYPES)
        if stream.is_word(index) and _is_name_in_type(stream, index, stream.texts[index])
    ]
    edits = [Edit(stream.starts[index], neutral_name(len(stream.texts[index]))) for index in names]
    swallows = any(
        stream.text(index) == b"asserts" and stream.is_word(index + 1) and stream.on_new_line(index + 1)
        for index in names
    )
    return Repair("type names", tuple(edits), is_silent=swallows)


def _is_name_in_type(stream: TokenStream, index: int, text: bytes) -> bool:
    following = stream.text(index + 1)
    if text in _TYPE_NAMES and _stands_alone(stream, index):
        return True
    if text in _MEMBER_NAMES:
        return following in {b":", b"?"} or (text not in _OPERATORS and following in _FOLLOWS_MEMBER_NAME)
    if text == b"asserts":
        return not stream.is_word(index + 1) or stream.on_new_line(index + 1)
    if text in _LABELS:
        return stream.text(index - 1) in _TUPLE_LABEL_LEADS and following in {b":", b"?"}
    return text == b"type" and following == b"extends"


def _stands_alone(stream: TokenStream, index: int) -> bool:
    """Tell whether the modifier word at *index* modifies nothing."""
    is_type = stream.text(index + 1) in {b"[", b"{"} and stream.text(index - 1) in _TYPE_LEADS
    return is_type or stream.text(index + 1) in _FOLLOWS_TYPE_NAME or stream.on_new_line(index + 1)
