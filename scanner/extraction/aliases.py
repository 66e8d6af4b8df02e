"""Top-level type aliases and string enums (spec section 1, "typeAliases")."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from scanner.extraction.names import identifier_text
from scanner.extraction.plain_types import read_aliased
from scanner.extraction.type_names import is_too_deep
from scanner.js.values import PROTOTYPE_KEYS
from scanner.syntax.literals import string_value
from scanner.syntax.nodes import without_parentheses
from scanner.syntax.source import SourceText
from scanner.type_expressions import TypeExpression, TypeKind

ALIAS_DECLARATIONS: Final = frozenset({"type_alias_declaration", "enum_declaration"})
"""The node types of declarations that can give an alias."""

_INTRINSIC: Final = TypeExpression(TypeKind.REFERENCE, "intrinsic")
"""As the whole of an alias this word is a keyword for a type that only the compiler knows."""


def read_alias(source: SourceText, declaration: Node) -> tuple[str, TypeExpression] | None:
    """Read a type alias or enum declaration.

    Returns:
        Its name and what it stands for; None when that has no name, when the name could reach an object's
        prototype, or for any other node.
    """
    match declaration.type:
        case "type_alias_declaration":
            expression = read_aliased(source, declaration.child_by_field_name("value"))
            if expression == _INTRINSIC:
                return None
        case "enum_declaration":
            expression = _enum_union(source, declaration.child_by_field_name("body"))
        case _:
            return None
    name_node = declaration.child_by_field_name("name")
    if name_node is None:
        return None
    name = identifier_text(source, name_node)
    if expression is None or name in PROTOTYPE_KEYS:
        return None
    return name, expression


def too_deep_alias(source: SourceText, declaration: Node) -> Iterator[Node]:
    """Yield what a type alias stands for when it is nested too deep to have a name."""
    value = declaration.child_by_field_name("value") if declaration.type == "type_alias_declaration" else None
    if value is not None and is_too_deep(source, value):
        yield value


def _enum_union(source: SourceText, body: Node | None) -> TypeExpression | None:
    """Return the union of an enum's string values; a number among them rules the alias out."""
    values: list[TypeExpression] = []
    for member in body.named_children if body is not None else ():
        value = member.child_by_field_name("value") if member.type == "enum_assignment" else None
        value = None if value is None else without_parentheses(value)
        if value is None:
            continue
        if value.type == "number" and not source.text(value).endswith("n"):
            return None
        text = string_value(source, value) if value.type == "string" else None
        if text is not None:
            values.append(TypeExpression(TypeKind.STRING_LITERAL, text))
    if len(values) > 1:
        return TypeExpression(TypeKind.UNION, parts=tuple(values))
    return values[0] if values else None
