"""Reading decorator configs as data, with every departure from a literal named (spec section 2).

A config is never run. A value that is no literal still comes through as its name or source text, so that people see
what the author wrote, but it is a fault: dropping it in silence could open a surface that its author closed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final, Protocol

from tree_sitter import Node

from scanner.extraction.names import computed_string_name, identifier_text, member_name
from scanner.js.numbers import number_to_string, parse_number_literal
from scanner.js.values import PROTOTYPE_KEYS, UNDEFINED, BigInt, JsValue, RegExp, in_key_order
from scanner.syntax.literals import string_value
from scanner.syntax.nodes import (
    MAX_CASTS,
    first_significant,
    is_comment,
    significant_children,
    without_casts,
    without_parentheses,
)
from scanner.syntax.source import SourceText

MAX_CONFIG_DEPTH: Final = 100
"""Configs nested deeper than this are reported instead of read."""


class FaultKind(Enum):
    """Why a part of a config is worth a word."""

    NOT_LITERAL = "not-literal"
    EMPTY_KEY = "empty-key"


@dataclass(frozen=True, slots=True, order=True)
class ConfigFault:
    """Something in a config that could not be taken over: where it starts, how it is written, and why."""

    start_byte: int
    expression: str
    kind: FaultKind = field(default=FaultKind.NOT_LITERAL, compare=False)


@dataclass(frozen=True, slots=True)
class ConfigReading:
    """What a config says, and what in it is not known."""

    values: dict[str, JsValue]
    faults: tuple[ConfigFault, ...] = ()


class ValuePolicy(Enum):
    """Whether values that are no literals are faults (``@smrt``, ``@method``) or pass (``@report``, ``@TenantScoped``)."""

    LITERALS_ONLY = "literals-only"
    LENIENT = "lenient"


class SpreadResolver(Protocol):
    """Knows which names may be spread into a config."""

    def resolve(self, name: str, start_byte: int) -> ConfigReading | None:
        """Return what spreading *name* at byte *start_byte* gives, or None when it is no known constant."""


class ConfigReader:
    """Reads one config; faults gather while it reads."""

    def __init__(self, source: SourceText, spreads: SpreadResolver, policy: ValuePolicy) -> None:
        self._source = source
        self._spreads = spreads
        self._policy = policy
        self._faults: list[ConfigFault] = []

    def read_argument(self, argument: Node | None) -> ConfigReading:
        """Read a decorator's first argument; no argument gives an empty config (spec D1)."""
        if argument is None:
            return ConfigReading({})
        inner = without_casts(argument, MAX_CASTS)
        if inner.type == "object":
            return self.read_object(inner)
        values: dict[str, JsValue] = {}
        if not self._spread_constant(inner, values):
            self._fault(without_parentheses(argument))
        return self._finish(values)

    def read_object(self, node: Node) -> ConfigReading:
        """Read an object literal."""
        return self._finish(self._object(node, 0))

    def _finish(self, values: dict[str, JsValue]) -> ConfigReading:
        return ConfigReading(in_key_order(values), tuple(dict.fromkeys(self._faults)))

    def _fault(self, node: Node, start: Node | None = None) -> str:
        start_byte = (start or node).start_byte
        expression = self._source.slice(start_byte, node.end_byte)
        self._faults.append(ConfigFault(start_byte, expression))
        return expression

    def _object(self, node: Node, depth: int) -> dict[str, JsValue]:
        values: dict[str, JsValue] = {}
        for member in significant_children(node):
            self._member(member, values, depth)
        return in_key_order(values)

    def _member(self, member: Node, values: dict[str, JsValue], depth: int) -> None:
        match member.type:
            case "spread_element":
                self._object_spread(member, values, depth)
            case "pair":
                self._pair(member, values, depth)
            case "method_definition":
                self._method(member, values)
            case _:
                self._fault(member)

    def _object_spread(self, spread: Node, values: dict[str, JsValue], depth: int) -> None:
        argument = first_significant(spread)
        inner = None if argument is None else without_casts(argument, MAX_CASTS)
        if inner is not None and inner.type == "object" and depth < MAX_CONFIG_DEPTH:
            values.update(self._object(inner, depth + 1))
        elif inner is None or not self._spread_constant(inner, values):
            self._fault(spread)

    def _spread_constant(self, node: Node, values: dict[str, JsValue]) -> bool:
        if node.type != "identifier":
            return False
        reading = self._spreads.resolve(identifier_text(self._source, node), node.start_byte)
        if reading is None:
            return False
        values.update(reading.values)
        self._faults.extend(reading.faults)
        return True

    def _key(self, key: Node) -> str | None:
        if key.type == "number":
            number = parse_number_literal(self._source.text(key))
            if isinstance(number, BigInt):
                return str(number.value)
            return None if number is None else number_to_string(number)
        name = member_name(self._source, key)
        return computed_string_name(self._source, key) if name is None else name

    def _pair(self, pair: Node, values: dict[str, JsValue], depth: int) -> None:
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        name = None if key is None else self._key(key)
        if name is None:
            self._fault(pair)
        elif not name:
            self._faults.append(ConfigFault(pair.start_byte, self._source.text(pair), FaultKind.EMPTY_KEY))
        elif name not in PROTOTYPE_KEYS and value is not None:
            values[name] = self._value(value, depth + 1)

    def _method(self, method: Node, values: dict[str, JsValue]) -> None:
        key = method.child_by_field_name("name")
        function = method.child_by_field_name("type_parameters") or method.child_by_field_name("parameters")
        name = None if key is None else self._key(key)
        if name is None:
            self._fault(method)
        elif name not in PROTOTYPE_KEYS:
            values[name] = self._opaque(method, function)

    def _value(self, node: Node, depth: int) -> JsValue:
        node = without_casts(node)
        if depth > MAX_CONFIG_DEPTH:
            return self._fault(node)
        match node.type:
            case "object":
                return self._object(node, depth)
            case "array":
                return self._array(node, depth)
            case _:
                known, value = literal_value(self._source, node)
                return value if known else self._opaque(node)

    def _array(self, node: Node, depth: int) -> list[JsValue]:
        items: list[JsValue] = []
        for item in node.named_children:
            if item.type == "spread_element":
                self._fault(item)
            elif not is_comment(item):
                items.append(self._value(item, depth + 1))
        return items

    def _opaque(self, node: Node, start: Node | None = None) -> str:
        """Keep an expression as its name or text; a fault where literals are asked for."""
        if self._policy is ValuePolicy.LITERALS_ONLY:
            text = self._fault(node, start)
        else:
            text = self._source.slice((start or node).start_byte, node.end_byte)
        return identifier_text(self._source, node) if node.type == "identifier" else text


def literal_value(source: SourceText, node: Node) -> tuple[bool, JsValue]:
    """Read a config value that is one literal.

    Returns:
        Whether *node* is a literal, and its value. A minus counts only directly before a number, and templates
        never count (spec section 2 and its cases).
    """
    match node.type:
        case "string":
            text = string_value(source, node)
            return text is not None, text
        case "number":
            number = parse_number_literal(source.text(node))
            return number is not None, number
        case "true" | "false":
            return True, node.type == "true"
        case "null":
            return True, None
        case "regex":
            return True, RegExp(source.text(node))
        case "unary_expression":
            return _negative_number(source, node)
        case "undefined":
            return True, UNDEFINED
        case "identifier" if source.text(node) == "undefined":
            return True, UNDEFINED
        case _:
            return False, None


def _negative_number(source: SourceText, node: Node) -> tuple[bool, JsValue]:
    number = negated_number(source, node)
    return number is not None, number


def negated_number(source: SourceText, node: Node) -> float | None:
    """Return the value of a minus sign directly before a number literal (parentheses between are fine)."""
    operator, argument = node.child_by_field_name("operator"), node.child_by_field_name("argument")
    if operator is None or operator.type != "-" or argument is None:
        return None
    argument = without_parentheses(argument)
    number = parse_number_literal(source.text(argument)) if argument.type == "number" else None
    return -number if isinstance(number, float) else None
