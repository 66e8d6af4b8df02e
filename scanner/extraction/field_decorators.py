"""Decorators on fields: their source texts, and their arguments read in every way inference may need."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from scanner.extraction.names import decorator_arguments, decorator_name, dotted_name
from scanner.records import ArgumentReading, DecoratorUse, OptionReading, Place
from scanner.syntax.literals import Literal, Reading, read_literal, read_object_entries, read_string_constant
from scanner.syntax.nodes import first_significant, significant_children, without_casts, without_parentheses
from scanner.syntax.source import SourceText

FIELD_DECORATORS: Final = frozenset(
    {
        *("field", "meta", "foreignKey", "crossPackageRef", "oneToMany", "manyToMany", "tenantId"),
        *("groupBy", "aggregate", "sum", "avg", "min", "max", "count"),
        *("minute", "hour", "day", "week", "month", "quarter", "year"),
    }
)
"""Decorators whose arguments inference reads; all others are kept as text alone."""


def read_field_decorator(source: SourceText, decorator: Node) -> DecoratorUse | None:
    """Read one decorator of a field; None when it is not a plain name, called or not."""
    name = decorator_name(source, decorator)
    if name is None:
        return None
    arguments = decorator_arguments(decorator)
    readings = tuple(read_argument(source, node) for node in arguments) if name in FIELD_DECORATORS else ()
    return DecoratorUse(
        name,
        tuple(source.text(without_parentheses(node)) for node in arguments),
        place_of(source, decorator),
        readings,
    )


def read_argument(source: SourceText, node: Node) -> ArgumentReading:
    """Read one expression as literal value, as object entries and as relationship target."""
    entries = read_object_entries(source, node)
    return ArgumentReading(
        place_of(source, node),
        _option(read_literal(source, node)),
        None if entries is None else {key: _option(reading) for key, reading in entries.items()},
        relation_target(source, node),
    )


def place_of(source: SourceText, node: Node) -> Place:
    """Return the line and column where *node* starts."""
    position = source.position(node.start_byte)
    return Place(position.line, position.column)


def _option(reading: Reading) -> OptionReading:
    if isinstance(reading, Literal):
        return OptionReading(is_readable=True, value=reading.value)
    return OptionReading(is_readable=False, unreadable=reading.expression, reason=reading.reason)


def relation_target(source: SourceText, node: Node) -> str | None:
    """Return the target that a relationship decorator's argument names (spec section 4 and D24).

    A string or sum of strings gives its trimmed value, a plain or dotted name itself, a parameterless thunk what
    it returns. Casts and parentheses are seen through. Anything else has no name.
    """
    node = without_casts(node)
    if node.type == "arrow_function":
        returned = _thunk_result(node)
        if returned is None:
            return None
        node = without_casts(returned)
    text = read_string_constant(source, node)
    if text is not None:
        return text.strip() or None
    if node.type == "subscript_expression":
        return None
    name = dotted_name(source, node) if _is_plain_chain(node) else None
    return None if name == "undefined" else name


def _is_plain_chain(node: Node) -> bool:
    """Tell whether a member chain is written with dots alone."""
    while node.type == "member_expression":
        target = node.child_by_field_name("object")
        if target is None:
            return False
        node = target
    return node.type == "identifier"


def _thunk_result(arrow: Node) -> Node | None:
    """Return the expression that a parameterless, synchronous arrow function returns."""
    parameters, body = arrow.child_by_field_name("parameters"), arrow.child_by_field_name("body")
    if parameters is None or body is None or significant_children(parameters):
        return None
    if any(child.type == "async" for child in arrow.children):
        return None
    if body.type != "statement_block":
        return body
    statements = significant_children(body)
    if len(statements) != 1 or statements[0].type != "return_statement":
        return None
    return first_significant(statements[0])
