"""Mends decorator expressions that the grammar refuses.

The grammar reads a name, a dotted name, a call of either, and (for TypeScript) one of those in a single pair of
parentheses. The language also allows parentheses around the callee (``@(a)()``) and several pairs; those are blanked, since a
parenthesised name is the same name. Every other expression (``@a()()``, ``@(a as T)``, ``@(b ?? c)``) becomes a
dotted name, which no extraction takes for a plain decorator; the arguments of its first call stay where they fit,
so that what they refer to is still seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from scanner.syntax.grammar import Dialect
from scanner.syntax.repair.edits import Edit, Repair, blanks, dotted_name
from scanner.syntax.repair.hidden import reads_alone
from scanner.syntax.repair.skipping import skip_decorator
from scanner.syntax.repair.stream import TokenStream
from scanner.syntax.syntax_errors import SyntaxFault

_SHORTEST_DOTTED: Final = 3


def mend_decorators(stream: TokenStream) -> Repair:
    """Give every decorator a form that the grammar reads."""
    edits: list[Edit] = []
    faults: list[SyntaxFault] = []
    for index in stream.places((b"@",)):
        behind = skip_decorator(stream, index) if stream.is_sign(index, b"@") else index
        if behind > index:
            known = len(edits)
            edits.extend(_decorator_edits(stream, index + 1, behind))
            faults.extend(_decorator_faults(stream, index + 1, behind))
            if len(edits) > known and not _is_sound(stream, index + 1, behind):
                faults.append(SyntaxFault(stream.starts[index], stream.ends[behind - 1]))
    return Repair("decorators", tuple(edits), tuple(faults), is_opaque=True)


def _is_sound(stream: TokenStream, start: int, end: int) -> bool:
    expression = stream.data[stream.starts[start] : stream.ends[end - 1]]
    return reads_alone(b"_ = ", expression, stream.dialect)


def _decorator_faults(stream: TokenStream, start: int, end: int) -> Iterator[SyntaxFault]:
    """Yield what the language allows in a decorator only between parentheses: ``?.``, type arguments at the end."""
    index = start
    while index < end:
        behind = max(stream.after(index), stream.after_angles(index))
        is_typed_end = behind == end and stream.is_sign(index, b"<")
        if stream.is_sign(index, b"?.") or is_typed_end:
            yield SyntaxFault(stream.starts[index], stream.ends[behind - 1])
        index = behind


def _decorator_edits(stream: TokenStream, start: int, end: int) -> list[Edit]:
    parentheses = _parentheses_of_plain(stream, start, end)
    if parentheses is None:
        return _unlike_plain(stream, start, end)
    is_typed = stream.dialect is not Dialect.JAVASCRIPT
    is_read = not parentheses or (is_typed and parentheses == [start, end - 1])
    if is_read:
        return []
    return [blanks(stream.starts[index], stream.ends[index]) for index in parentheses]


def _parentheses_of_plain(stream: TokenStream, start: int, end: int) -> list[int] | None:
    """Return the parentheses around (parts of) a plain decorator, in source order; None when it is not plain."""
    opened: list[int] = []
    found: list[int] = []
    while stream.text(start) == b"(":
        opened.append(start)
        found.append(start)
        start += 1
    if not stream.is_word(start) or stream.text(start) == b"new":
        return None
    state = "name"
    index = start + 1
    while index < end:
        text = stream.text(index)
        if opened and index == stream.mate(opened[-1]):
            opened.pop()
            found.append(index)
            index += 1
        elif text == b"." and state == "name" and stream.is_word(index + 1):
            index += 2
        elif text == b"<" and state == "name" and stream.angle_mate(index) > 0:
            state, index = "typed", stream.after_angles(index)
        elif text == b"(" and state != "called":
            state, index = "called", stream.after(index)
        else:
            return None
    return found if state != "typed" and not opened else None


def _unlike_plain(stream: TokenStream, start: int, end: int) -> list[Edit]:
    first, last = stream.starts[start], stream.ends[end - 1]
    index = stream.after(start)
    while index < end and not stream.is_sign(index, b"("):
        index = max(stream.after(index), stream.after_angles(index))
    if index < end and stream.ends[index - 1] - first >= _SHORTEST_DOTTED:
        name_end = stream.ends[index - 1]
        arguments_end = stream.ends[stream.after(index) - 1]
        return [Edit(first, dotted_name(name_end - first)), blanks(arguments_end, last)]
    if last - first >= _SHORTEST_DOTTED:
        return [Edit(first, dotted_name(last - first))]
    return [blanks(stream.starts[start - 1], last)]
