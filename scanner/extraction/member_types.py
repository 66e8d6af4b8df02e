"""The types that a parameter's inline object literals hold (spec section 1, "memberTypes")."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from tree_sitter import Node

from scanner.extraction.type_names import (
    generic_arguments,
    is_mapped_type,
    read_type,
    type_of_annotation,
    union_branches,
)
from scanner.syntax.nodes import first_significant, significant_children, without_parentheses
from scanner.syntax.source import SourceText

MAX_MEMBER_DEPTH: Final = 4
"""Levels of objects, arrays, unions and type arguments that are looked into."""


@dataclass(slots=True)
class MemberTypes:
    """Distinct member type names in order, and whether a member had none."""

    names: dict[str, None] = field(default_factory=dict)
    is_unresolved: bool = False


def collect_member_types(source: SourceText, node: Node) -> MemberTypes:
    """Collect member types from the annotation type *node*."""
    found = MemberTypes()
    _visit(source, node, 0, found)
    return found


def _visit(source: SourceText, node: Node, depth: int, found: MemberTypes) -> None:
    node = without_parentheses(node)
    if depth > MAX_MEMBER_DEPTH:
        return
    if node.type == "object_type" and not is_mapped_type(node):
        for member in significant_children(node):
            _visit_member(source, member, depth, found)
        return
    for part in _wrapped_types(node):
        _visit(source, part, depth + 1, found)


def _wrapped_types(node: Node) -> list[Node]:
    match node.type:
        case "array_type":
            element = first_significant(node)
            return [] if element is None else [element]
        case "union_type":
            return union_branches(node)
        case "generic_type":
            return generic_arguments(node)
        case _:
            return []


def _visit_member(source: SourceText, member: Node, depth: int, found: MemberTypes) -> None:
    if member.type == "method_signature":
        found.names["Function"] = None
        return
    if member.type not in {"property_signature", "index_signature"}:
        return
    member_type = type_of_annotation(member.child_by_field_name("type"))
    if member_type is None:
        return
    expression = read_type(source, member_type)
    if expression is None:
        found.is_unresolved = True
    else:
        found.names[expression.text] = None
    _visit(source, member_type, depth + 1, found)
