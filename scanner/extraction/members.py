"""Members of a class body: fields and methods (spec section 1, "A field record", "A method record")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from tree_sitter import Node

from scanner.extraction.config_values import ConfigReading, negated_number
from scanner.extraction.field_decorators import read_argument, read_field_decorator
from scanner.extraction.names import computed_string_name, member_name
from scanner.extraction.parameters import ParameterParts, read_parameters
from scanner.extraction.plain_types import read_annotation
from scanner.extraction.type_names import MAX_TYPE_DEPTH, is_too_deep, type_of_annotation
from scanner.js.numbers import parse_number_literal
from scanner.js.values import PROTOTYPE_KEYS, JsValue
from scanner.records import Accessibility, RawField, RawMethod
from scanner.syntax.literals import STRING_CONSTANTS, read_string_constant
from scanner.syntax.nodes import COMMENTS, children_by_type, end_without_comments, without_parentheses
from scanner.syntax.source import SourceText

STATIC_PROPERTIES: Final = ("uiSlots", "adminRoutes", "signalSubscriptions")
"""Static properties whose values reach the manifest."""

_FIELDS: Final = frozenset({"public_field_definition", "field_definition"})
_MEMBERS: Final = _FIELDS | {"method_definition", "method_signature"}
_NO_METHODS: Final = frozenset({"get", "set", "abstract"})


@dataclass(slots=True)
class Member:
    """A field or method.

    Attributes:
        node: The whole definition.
        kind: Its node type.
        decorators: The decorators that stand before or in it.
        parts: Its direct children by type: modifiers and signs are asked for by name.
    """

    node: Node
    kind: str
    decorators: tuple[Node, ...]
    parts: dict[str, Node]

    @property
    def is_field(self) -> bool:
        """Whether it is a property definition."""
        return self.kind in _FIELDS

    @property
    def name_node(self) -> Node | None:
        """Its name as it is written; None in broken syntax."""
        plain = self.parts.get("property_identifier")
        if plain is not None:
            return plain
        return self.node.child_by_field_name("name") or self.node.child_by_field_name("property")


def class_members(body: Node) -> Iterator[Member]:
    """Yield fields and methods of a class body in source order, also those that stand among broken ones."""
    decorators: list[Node] = []
    pending = list(reversed(body.children))
    while pending:
        node = pending.pop()
        kind = node.type
        if kind in _MEMBERS:
            parts = children_by_type(node)
            if "decorator" in parts:
                decorators.extend(child for child in node.children if child.type == "decorator")
            yield Member(node, kind, tuple(decorators), parts)
            decorators.clear()
        elif kind == "decorator":
            decorators.append(node)
        elif kind == "ERROR":
            pending.extend(reversed(node.children))
        elif kind not in COMMENTS:
            decorators.clear()


def read_field(source: SourceText, member: Member) -> RawField | None:
    """Read a property definition; None when it gives no field record.

    Abstract and ``accessor`` members give none, nor do computed, numeric, private (``#``) and prototype names.
    """
    parts = member.parts
    name_node = member.name_node
    name = None if name_node is None else member_name(source, name_node)
    if name_node is None or name is None or name in PROTOTYPE_KEYS:
        return None
    if "abstract" in parts or "accessor" in parts:
        return None
    value = member.node.child_by_field_name("value") if "=" in parts else None
    value = None if value is None else without_parentheses(value)
    start = _UNINITIALIZED if value is None else _read_initializer(source, value)
    is_static = "static" in parts
    place = source.position(name_node.start_byte)
    uses = [read_field_decorator(source, decorator) for decorator in member.decorators]
    return RawField(
        name=name,
        type_annotation=read_annotation(source, parts.get("type_annotation")),
        initializer=start.text,
        has_decimal_point=start.has_decimal_point,
        numeric_value=start.number,
        decorators=tuple([use for use in uses if use is not None]),
        optional="?" in parts,
        is_static=is_static,
        readonly="readonly" in parts,
        accessibility=_accessibility(member),
        line=place.line,
        column=place.column,
        string_value=start.string,
        static_reading=read_argument(source, value)
        if is_static and value and name in STATIC_PROPERTIES
        else None,
    )


def too_deep_types(source: SourceText, member: Member) -> Sequence[Node]:
    """Return the types of a member that are nested too deep to have a name."""
    if member.node.descendant_count <= MAX_TYPE_DEPTH:
        return ()
    body = member.parts.get("statement_block")
    if body is not None and body.start_byte - member.node.start_byte <= MAX_TYPE_DEPTH:
        return ()
    found: list[Node] = []
    parameters = member.parts.get("formal_parameters")
    holders = (member.node, *(parameters.named_children if parameters is not None else ()))
    for holder in holders:
        for name in ("type", "return_type"):
            annotated = type_of_annotation(holder.child_by_field_name(name))
            if annotated is not None and is_too_deep(source, annotated):
                found.append(annotated)
    return found


class _Initializer(NamedTuple):
    """What a field starts as: its text, and its value where that is a number or a string.

    A number counts plain or under one minus; the text decides on the point.
    """

    text: str | None = None
    number: float | None = None
    has_decimal_point: bool = False
    string: str | None = None


_UNINITIALIZED: Final = _Initializer()


def _read_initializer(source: SourceText, value: Node) -> _Initializer:
    text = source.slice(value.start_byte, end_without_comments(value))
    kind = value.type
    if kind in STRING_CONSTANTS:
        return _Initializer(text, string=read_string_constant(source, value))
    number: JsValue = None
    literal: Node | None = value
    if kind == "number":
        number = parse_number_literal(text)
    elif kind == "unary_expression":
        number = negated_number(source, value)
        literal = value.child_by_field_name("argument")
    if not isinstance(number, float) or literal is None:
        return _Initializer(text)
    return _Initializer(text, number, "." in source.text(without_parentheses(literal)))


def _accessibility(member: Member) -> Accessibility:
    """Return the access modifier by its token, since a repair may have moved modifiers within their span."""
    for child in member.node.children if "accessibility_modifier" in member.parts else ():
        if child.type == "accessibility_modifier" and child.children:
            return Accessibility(child.children[0].type)
    return Accessibility.PUBLIC


@dataclass(slots=True)
class MethodHead:
    """A method's name and what decides whether it is one at all."""

    name: str
    line: int
    member: Member


def method_head(source: SourceText, member: Member) -> MethodHead | None:
    """Return the name of a method; None for constructors, accessors, abstract and computed members (spec D11)."""
    name_node = member.name_node
    if name_node is None or not _NO_METHODS.isdisjoint(member.parts):
        return None
    computed = computed_string_name(source, name_node)
    name = computed if computed is not None else member_name(source, name_node)
    is_constructor = name == "constructor" and computed is None and "static" not in member.parts
    if name is None or is_constructor:
        return None
    return MethodHead(name, source.line(name_node.start_byte), member)


def read_method(
    source: SourceText, head: MethodHead, parameters: Sequence[ParameterParts], config: ConfigReading | None
) -> RawMethod:
    """Read a method record; *config* is that of its ``@method`` decorator, None where there is none."""
    parts = head.member.parts
    return RawMethod(
        name=head.name,
        async_="async" in parts,
        is_static="static" in parts,
        accessibility=_accessibility(head.member),
        parameters=read_parameters(source, parameters),
        return_type=read_annotation(source, parts.get("type_annotation")),
        description=None,
        line=head.line,
        decorator_config=None if config is None else config.values,
    )
