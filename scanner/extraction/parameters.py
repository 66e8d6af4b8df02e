"""Method parameters (spec section 1, "A parameter record" and "memberTypes")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from scanner.extraction.member_types import MemberTypes, collect_member_types
from scanner.extraction.names import identifier_text
from scanner.extraction.plain_types import read_annotation
from scanner.extraction.type_names import type_of_annotation
from scanner.records import RawParameter
from scanner.syntax.literals import read_string_constant
from scanner.syntax.nodes import first_significant, significant_children, without_parentheses
from scanner.syntax.source import SourceText
from scanner.type_expressions import TypeExpression, TypeKind

_OPTIONAL: Final = "optional_parameter"
_TYPED: Final = frozenset({"required_parameter", _OPTIONAL})
"""Parameters of the TypeScript grammar; the question mark is what tells the two apart."""

_OBJECT: Final = TypeKind.OBJECT
_ANY = TypeExpression(TypeKind.KEYWORD, "any")
_OBJECT_KEYWORD = TypeExpression(TypeKind.KEYWORD, "object")


@dataclass(slots=True)
class ParameterParts:
    """A parameter's syntax, the same for both grammars."""

    node: Node
    pattern: Node
    pattern_kind: str
    annotation: Node | None
    default: Node | None
    is_marked_optional: bool


def parameter_parts(parameters: Node | None) -> Sequence[ParameterParts]:
    """Take apart the parameters in the parentheses of a method."""
    if parameters is None:
        return ()
    parts = [_split(node) for node in significant_children(parameters)]
    return [part for part in parts if part is not None]


def read_parameters(source: SourceText, parameters: Sequence[ParameterParts]) -> tuple[RawParameter, ...]:
    """Read the parameters of a method, in order; destructured ones that have no name in the contract are left out."""
    read = [_read_parameter(source, parts) for parts in parameters]
    return tuple([parameter for parameter in read if parameter is not None])


def misplaced_parameters(parameters: Sequence[ParameterParts]) -> Sequence[Node]:
    """Return parameters that the language forbids though the grammar takes them.

    A question mark with a default or on a rest parameter, and a required parameter behind an optional one.
    """
    if not any(parts.is_marked_optional for parts in parameters):
        return ()
    faults: list[Node] = []
    seen_optional = False
    for parts in parameters:
        is_rest = parts.pattern_kind == "rest_pattern"
        is_overdone = parts.is_marked_optional and (parts.default is not None or is_rest)
        is_required = not (parts.is_marked_optional or parts.default is not None or is_rest)
        if is_overdone or (seen_optional and is_required):
            faults.append(parts.node)
        seen_optional = seen_optional or parts.is_marked_optional
    return faults


def _split(node: Node) -> ParameterParts | None:
    kind = node.type
    if kind in _TYPED:
        pattern = node.child_by_field_name("pattern")
        if pattern is None:
            return None
        annotation, default = node.child_by_field_name("type"), node.child_by_field_name("value")
        return ParameterParts(node, pattern, pattern.type, annotation, default, kind == _OPTIONAL)
    if kind == "assignment_pattern":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None:
            return None
        return ParameterParts(node, left, left.type, None, right, is_marked_optional=False)
    return ParameterParts(node, node, kind, None, None, is_marked_optional=False)


def _read_parameter(source: SourceText, parts: ParameterParts) -> RawParameter | None:
    match parts.pattern_kind:
        case "identifier" | "this" | "undefined":
            return _parameter(source, parts, identifier_text(source, parts.pattern))
        case "rest_pattern":
            rest = first_significant(parts.pattern)
            if rest is None or rest.type != "identifier":
                return None
            return _parameter(source, parts, f"...{identifier_text(source, rest)}")
        case "object_pattern":
            return _parameter(source, parts, "options")
        case "array_pattern" if parts.default is not None:
            return _parameter(source, parts, "options")
        case _:
            return None


def _parameter(source: SourceText, parts: ParameterParts, name: str) -> RawParameter:
    named = read_annotation(source, parts.annotation)
    members: MemberTypes | None = None
    is_unresolved = False
    if named is None:
        named, is_unresolved = _type_without_name(source, parts)
    elif _holds_object(named) and (annotation := type_of_annotation(parts.annotation)) is not None:
        members = collect_member_types(source, annotation)
        is_unresolved = members.is_unresolved
    default = None if parts.default is None else without_parentheses(parts.default)
    return RawParameter(
        name=name,
        type=named,
        optional=parts.is_marked_optional or default is not None or name.startswith("..."),
        default_value=None if default is None else source.text(default),
        type_unresolved=True if is_unresolved else None,
        member_types=tuple(members.names) if members is not None and members.names else None,
        string_value=None if default is None else read_string_constant(source, default),
    )


def _type_without_name(source: SourceText, parts: ParameterParts) -> tuple[TypeExpression | None, bool]:
    """Return the type of a parameter whose annotation names none, and whether that is for want of a name.

    The bare ``object`` keyword is named here and nowhere else; what is destructured without an annotation is any.
    """
    annotation = type_of_annotation(parts.annotation)
    if annotation is None:
        return (_ANY if parts.pattern_kind in {"object_pattern", "array_pattern"} else None), False
    bare = without_parentheses(annotation)
    if bare.type == "predefined_type" and source.text(bare) == "object":
        return _OBJECT_KEYWORD, False
    return None, True


def _holds_object(named: TypeExpression) -> bool:
    """Tell whether there is an object type in a type; nothing else has members."""
    return named.kind is _OBJECT or any(map(_holds_object, named.parts))
