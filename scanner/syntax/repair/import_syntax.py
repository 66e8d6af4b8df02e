"""Mends forms of ``import`` and ``export`` that the grammar does not know.

Words that only mark a form (``type`` before ``*``, ``defer``, ``source``, attributes behind a re-export) are
blanked. Names that look like such words (``{ type as as X }``, ``import type from from``) become neutral ones:
extraction reads the name from the original bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from scanner.syntax.repair.edits import Edit, Repair, blanks, neutral_name
from scanner.syntax.repair.skipping import skip_type
from scanner.syntax.repair.stream import TokenStream
from scanner.syntax.tokens import TokenKind

_PHASES: Final = frozenset((b"defer", b"source"))
_NAMED_SIGNATURE: Final = b"declare function _"
_CLASS_TAILS: Final = frozenset((b"{", b"extends", b"implements", b"<"))
_RENAMED: Final = 3
"""How many words ``a as b`` has."""


def mend_imports(stream: TokenStream) -> Repair:
    """Mend every import and export of *stream*."""
    edits: list[Edit] = []
    for index in stream.places((b"import", b"export", b"from")):
        text = stream.texts[index]
        if text == b"import" and stream.text(index - 1) not in {b".", b"?."}:
            edits.extend(_import_edits(stream, index))
        elif text == b"export" and stream.text(index - 1) not in {b".", b"?."}:
            edits.extend(_export_edits(stream, index))
        elif text == b"from" and stream.is_kind(index + 1, TokenKind.STRING):
            edits.extend(_attribute_edits(stream, index + 2))
    return Repair("imports", tuple(edits))


def _blank(stream: TokenStream, first: int, last: int) -> Edit:
    return blanks(stream.starts[first], stream.ends[last])


def _rename(stream: TokenStream, index: int) -> Edit:
    return Edit(stream.starts[index], neutral_name(len(stream.texts[index])))


def _import_edits(stream: TokenStream, index: int) -> Iterator[Edit]:
    following = stream.text(index + 1)
    behind = index + 1
    if following == b"." and stream.text(index + 2) in _PHASES and stream.text(index + 3) == b"(":
        yield _blank(stream, index + 1, index + 2)
    elif following in _PHASES and _is_phase(stream, index + 1):
        yield _blank(stream, index + 1, index + 1)
        behind = index + 2
    elif following == b"type" and stream.text(index + 2) == b"from" and stream.text(index + 3) == b"from":
        yield _rename(stream, index + 2)
    if stream.text(behind) == b"type" and stream.text(behind + 1) == b"{":
        behind += 1
    elif stream.is_word(behind) and stream.text(behind + 1) == b",":
        behind += 2
    if stream.text(behind) == b"{":
        yield from _specifier_edits(stream, behind)


def _is_phase(stream: TokenStream, index: int) -> bool:
    """Tell whether ``defer`` or ``source`` at *index* marks the import and is not what it imports."""
    following = stream.text(index + 1)
    if following == b"from":
        return stream.text(index + 2) == b"from"
    return following == b"*" or (stream.is_word(index + 1) and stream.text(index + 2) == b"from")


def _export_edits(stream: TokenStream, index: int) -> Iterator[Edit]:
    following = stream.text(index + 1)
    if following == b"import":
        yield _blank(stream, index, index)
    elif following == b"type" and stream.text(index + 2) == b"*":
        yield _blank(stream, index + 1, index + 1)
    elif following == b"default" and _is_anonymous_abstract_class(stream, index + 2):
        yield _blank(stream, index + 2, index + 2)
    elif following == b"default" and _is_anonymous_signature(stream, index + 2):
        start, end = stream.starts[index], stream.ends[index + 2]
        yield Edit(start, _NAMED_SIGNATURE.ljust(end - start))
    opener = index + 2 if following == b"type" else index + 1
    if stream.text(opener) != b"{":
        return
    yield from _specifier_edits(stream, opener)
    source = stream.mate(opener) + 1
    if source and stream.text(source) == b"from" and stream.on_new_line(source):
        yield blanks(stream.ends[source - 1], stream.starts[source])


def _is_anonymous_abstract_class(stream: TokenStream, index: int) -> bool:
    words = (stream.text(index), stream.text(index + 1))
    return words == (b"abstract", b"class") and stream.text(index + 2) in _CLASS_TAILS


def _is_anonymous_signature(stream: TokenStream, index: int) -> bool:
    """Tell whether a function without name and body begins at *index*, as declaration files have it."""
    opener = stream.after_angles(index + 1)
    if stream.text(index) != b"function" or stream.text(opener) != b"(":
        return False
    behind = stream.after(opener)
    if stream.text(behind) == b":":
        behind = skip_type(stream, behind + 1)
    return stream.text(behind) != b"{"


def _specifier_edits(stream: TokenStream, opener: int) -> Iterator[Edit]:
    """Rename ``type`` and ``as`` where they are names between the braces of an import or export."""
    start = index = opener + 1
    while index <= stream.mate(opener):
        if stream.text(index) in {b",", b"}"}:
            yield from _one_specifier(stream, start, index)
            start = index + 1
        index = stream.after(index)


def _one_specifier(stream: TokenStream, start: int, end: int) -> Iterator[Edit]:
    words = stream.texts[start:end]
    if words == [b"type"] or (words[:2] == [b"type", b"as"] and len(words) == _RENAMED):
        yield _rename(stream, start)
    elif words[:2] == [b"type", b"as"]:
        yield _rename(stream, start + 1)


def _attribute_edits(stream: TokenStream, index: int) -> Iterator[Edit]:
    opener = index + 1
    if stream.text(index) in {b"with", b"assert"} and stream.text(opener) == b"{" and stream.mate(opener) > 0:
        yield _blank(stream, index, stream.mate(opener))
