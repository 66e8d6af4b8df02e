"""Finding where types, markup, decorators and class heads end, by tokens alone.

Each function takes the index where something begins and returns the index behind it; the index itself means that
nothing of the kind begins there. They follow the language's rules for line ends: which token continues a construct
on the next line, and which one begins something new. Bracket pairs are stepped over, so nothing recurses and the
time is linear in the tokens passed.
"""

from __future__ import annotations

from typing import Final

from scanner.syntax.repair.stream import TokenStream
from scanner.syntax.tokens import TokenKind

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
    if text in {b"{", b"["} or stream.kind(index) in _TYPE_LITERALS:
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
    has_content = stream.text(position) == b"(" and stream.mate(position) > position + 1
    if not (stream.is_word(position) or has_content):
        return index
    position = stream.after(position)
    while position < len(stream):
        text = stream.text(position)
        if text in {b".", b"?."}:
            is_name = stream.is_word(position + 1) or stream.is_kind(position + 1, TokenKind.PRIVATE_NAME)
            behind = position + 2 if is_name else position + (text == b"?.")
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
