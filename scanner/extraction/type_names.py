"""Reading type annotations into :class:`TypeExpression` trees (spec section 1, "Type names").

Anything that is not listed here has no name, and one nameless part makes the whole union, array or reference
nameless.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from types import MappingProxyType
from typing import Final

from tree_sitter import Node

from scanner.js.numbers import number_to_string, parse_number_literal
from scanner.js.strings import unescape_identifier
from scanner.syntax.literals import string_value
from scanner.syntax.nodes import first_significant, significant_children, without_parentheses
from scanner.syntax.source import SourceText
from scanner.type_expressions import TypeExpression, TypeKind

MAX_TYPE_DEPTH: Final = 100
"""Types nested deeper than this have no name, so that hostile source cannot exhaust the stack."""

_DOTTED: Final = frozenset({"nested_type_identifier", "nested_identifier", "member_expression"})
"""Forms that the grammar gives the parts of a qualified type name."""

_FLAT: Final = frozenset({"parenthesized_type", "union_type", "intersection_type"})
"""Types that nest in the tree without being nested in the source."""

NAMED_KEYWORDS: Final = MappingProxyType(
    {
        word: TypeExpression(TypeKind.KEYWORD, word)
        for word in ("string", "number", "boolean", "any", "unknown", "never", "bigint", "symbol", "void")
    }
)
"""Keywords that have a name in the contract. Most types are one of these, so each is made once."""

_MAPPED_KEY: Final = re.compile(rb"\[(?!\])")
"""How the keys of a mapped type begin; brackets with nothing in them make an array."""

_THIS: Final = TypeExpression(TypeKind.KEYWORD, "this")


def type_of_annotation(annotation: Node | None) -> Node | None:
    """Return the type node inside ``: T``, or None when there is no annotation or it holds no plain type."""
    return None if annotation is None else first_significant(annotation)


def read_type(source: SourceText, node: Node | None, depth: int = 0) -> TypeExpression | None:
    """Read a type node.

    Args:
        source: The file's text.
        node: A type, not the annotation around it; None gives None.
        depth: How many types this one is nested in.

    Returns:
        The type, or None when it has no name.
    """
    if node is None or depth > MAX_TYPE_DEPTH:
        return None
    reader = _READERS.get(node.type)
    return None if reader is None else reader(source, node, depth)


def is_too_deep(source: SourceText, node: Node) -> bool:
    """Tell whether a type has no name only because it is nested deeper than :data:`MAX_TYPE_DEPTH`."""
    if node.end_byte - node.start_byte <= MAX_TYPE_DEPTH or node.descendant_count <= MAX_TYPE_DEPTH:
        return False
    if read_type(source, node) is not None:
        return False
    pending = [(node, 0)]
    while pending:
        current, depth = pending.pop()
        if depth > MAX_TYPE_DEPTH:
            return True
        if depth + current.descendant_count > MAX_TYPE_DEPTH:
            step = current.type not in _FLAT
            pending.extend((child, depth + step) for child in current.named_children)
    return False


def union_branches(node: Node) -> list[Node]:
    """Return the branches of a union in source order; unions nested by parentheses stay one branch."""
    branches: list[Node] = []
    current: Node | None = node
    while current is not None:
        parts = significant_children(current)
        nested = parts[0] if parts and parts[0].type == "union_type" else None
        branches.extend(reversed(parts[1:] if nested is not None else parts))
        current = nested
    branches.reverse()
    return branches


def is_mapped_type(node: Node) -> bool:
    """Tell whether the object type *node* is a mapped type (``{ [K in T]: V }``)."""
    if not node.has_error and node.text is not None and _MAPPED_KEY.search(node.text) is None:
        return False
    return any(
        part.type == "mapped_type_clause"
        for member in node.named_children
        if member.type == "index_signature"
        for part in member.named_children
    )


def generic_arguments(node: Node) -> list[Node]:
    """Return the type arguments of a generic reference."""
    arguments = node.child_by_field_name("type_arguments")
    return [] if arguments is None else significant_children(arguments)


def _keyword(source: SourceText, node: Node, _depth: int) -> TypeExpression | None:
    return NAMED_KEYWORDS.get(source.text(node))


def _this(_source: SourceText, _node: Node, _depth: int) -> TypeExpression:
    return _THIS


def _name(source: SourceText, node: Node, _depth: int) -> TypeExpression | None:
    word = dotted_type_name(source, node)
    return None if word is None else TypeExpression(TypeKind.REFERENCE, word)


def dotted_type_name(source: SourceText, node: Node) -> str | None:
    """Return the plain or dotted name that a reference is written with, or None for anything else."""
    parts: list[str] = []
    current: Node | None = node
    while current is not None and current.type in _DOTTED:
        last = current.child_by_field_name("name") or current.child_by_field_name("property")
        if last is None:
            return None
        parts.append(unescape_identifier(source.text(last)))
        current = current.child_by_field_name("module") or current.child_by_field_name("object")
    if current is None or current.type not in {"type_identifier", "identifier"}:
        return None
    parts.append(unescape_identifier(source.text(current)))
    return ".".join(reversed(parts))


def _generic(source: SourceText, node: Node, depth: int) -> TypeExpression | None:
    name_node = node.child_by_field_name("name")
    word = None if name_node is None else dotted_type_name(source, name_node)
    if word is None:
        return None
    arguments = _read_all(source, generic_arguments(node), depth)
    return None if arguments is None else TypeExpression(TypeKind.REFERENCE, word, arguments)


def _read_all(source: SourceText, nodes: list[Node], depth: int) -> tuple[TypeExpression, ...] | None:
    read: list[TypeExpression] = []
    for node in nodes:
        expression = read_type(source, node, depth + 1)
        if expression is None:
            return None
        read.append(expression)
    return tuple(read)


def _array(source: SourceText, node: Node, depth: int) -> TypeExpression | None:
    element = read_type(source, first_significant(node), depth + 1)
    return None if element is None else TypeExpression(TypeKind.ARRAY, parts=(element,))


def _union(source: SourceText, node: Node, depth: int) -> TypeExpression | None:
    branches = _read_all(source, union_branches(node), depth)
    return None if not branches else TypeExpression(TypeKind.UNION, parts=branches)


def _parenthesized(source: SourceText, node: Node, depth: int) -> TypeExpression | None:
    inner = without_parentheses(node)
    return None if inner.type == "parenthesized_type" else read_type(source, inner, depth)


def _literal(source: SourceText, node: Node, _depth: int) -> TypeExpression | None:
    value = first_significant(node)
    if value is None:
        return None
    match value.type:
        case "string":
            text = string_value(source, value)
            return None if text is None else TypeExpression(TypeKind.STRING_LITERAL, text)
        case "number":
            number = parse_number_literal(source.text(value))
            return (
                TypeExpression(TypeKind.NUMBER_LITERAL, number_to_string(number))
                if isinstance(number, float)
                else None
            )
        case "true" | "false":
            return TypeExpression(TypeKind.BOOLEAN_LITERAL, value.type)
        case "null" | "undefined":
            return TypeExpression(TypeKind.KEYWORD, value.type)
        case _:
            return None


def _object(_source: SourceText, node: Node, _depth: int) -> TypeExpression | None:
    return None if is_mapped_type(node) else TypeExpression(TypeKind.OBJECT)


def _function(_source: SourceText, _node: Node, _depth: int) -> TypeExpression:
    return TypeExpression(TypeKind.FUNCTION)


_READERS: Final[dict[str, Callable[[SourceText, Node, int], TypeExpression | None]]] = {
    "predefined_type": _keyword,
    "this_type": _this,
    "type_identifier": _name,
    "identifier": _name,
    "nested_type_identifier": _name,
    "generic_type": _generic,
    "array_type": _array,
    "union_type": _union,
    "parenthesized_type": _parenthesized,
    "literal_type": _literal,
    "object_type": _object,
    "function_type": _function,
}
