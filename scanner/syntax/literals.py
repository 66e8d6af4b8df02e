"""The values of literal expressions, read off the syntax without running anything.

Decorator options and static initialisers are code, and a scanner must not run the code it scans. This module
works out the values of expressions that mean the same wherever they stand: literals, arrays and objects of them,
casts, spreads, and arithmetic on primitives (spec section 4). It promises that a :class:`Literal` holds exactly
what JavaScript would compute; everything else is :class:`Unreadable`, with the place and the reason, so that a
caller can say what was lost. Two deliberate differences from JavaScript: holes of arrays are undefined elements,
and keys that reach an object's prototype are left out at every depth.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NoReturn, TypeAlias

from scanner.js.numbers import (
    ARITHMETIC,
    Primitive,
    bigint_arithmetic,
    number_arithmetic,
    parse_number_literal,
    to_numeric,
)
from scanner.js.strings import (
    code_units,
    join_surrogates,
    primitive_to_string,
    unescape_identifier,
    unescape_string,
    unescape_template,
)
from scanner.js.values import PROTOTYPE_KEYS, UNDEFINED, BigInt, JsValue, RegExp, in_key_order
from scanner.syntax.nodes import cast_operand, is_comment, significant_children, without_parentheses

if TYPE_CHECKING:
    from tree_sitter import Node

    from scanner.syntax.source import SourceText

MAX_DEPTH: Final = 200
"""How deep arrays, objects and operators may nest. Real options stay below ten; the limit keeps the reader, and
everything that walks its values, far from Python's recursion limit. Left operands of operators do not count."""


@dataclass(frozen=True, slots=True)
class Literal:
    """The value of an expression that could be read."""

    value: JsValue


@dataclass(frozen=True, slots=True)
class Unreadable:
    """What keeps an expression from being read.

    Attributes:
        expression: Source text of the first and innermost part that is no literal.
        start_byte: Where that part begins.
        reason: What it is instead, as a clause that fits behind "because": ``it is a call``.
    """

    expression: str
    start_byte: int
    reason: str


Reading: TypeAlias = Literal | Unreadable


def read_literal(source: SourceText, node: Node) -> Reading:
    """Return the value of the expression *node*, or what keeps it from being read."""
    try:
        return Literal(_Reader(source).read(node, 0))
    except _RefusalError as refusal:
        return refusal.unreadable


def read_object_entries(source: SourceText, node: Node) -> dict[str, Reading] | None:
    """Return each key of an object literal with its value's own reading.

    One unreadable entry does not hide the others here: a caller learns which keys are stated although the object
    as a whole has no known value.

    Args:
        source: The file's text.
        node: An expression; casts and parentheses around the object literal are seen through.

    Returns:
        Readings by key in source order, of equal keys the last one's; None when *node* is no object literal.
        Entries of readable spreads are among them; spreads and keys that cannot be read are missing, as are the
        prototype keys.
    """
    reader = _Reader(source)
    try:
        node = reader.unwrapped(node)
    except _RefusalError:
        return None
    return reader.object_entries(node) if node.type == "object" else None


STRING_CONSTANTS: Final = frozenset(
    {"string", "template_string", "binary_expression", "parenthesized_expression"}
)
"""The node types of what :func:`read_string_constant` can read."""


def read_string_constant(source: SourceText, node: Node) -> str | None:
    """Return the value of a string literal, of a template without substitutions, or of a sum of these.

    Parentheses are seen through, casts are not. Everything else gives None.
    """
    kind = node.type
    if kind not in STRING_CONSTANTS or node.has_error:
        return None
    if kind == "string":
        return string_value(source, node)
    pieces = []
    pending = [node]
    while pending:
        part = without_parentheses(pending.pop())
        if part.type == "binary_expression" and _operator(part) == "+":
            pending.extend(reversed(significant_children(part)))
            continue
        text = template_value(source, part) if part.type == "template_string" else string_value(source, part)
        if text is None:
            return None
        pieces.append(text)
    return join_surrogates("".join(pieces))


def string_value(source: SourceText, node: Node) -> str | None:
    """Return the value of a ``string`` node; None for other nodes, malformed escapes and unclosed strings."""
    if node.type != "string" or node.has_error:
        return None
    return unescape_string(source.slice(node.start_byte + 1, node.end_byte - 1))


def template_value(source: SourceText, node: Node) -> str | None:
    """Return the value of a ``template_string`` node; None when it has substitutions or a malformed escape."""
    if node.type != "template_string" or node.has_error:
        return None
    if any(child.type == "template_substitution" for child in node.named_children):
        return None
    return unescape_template(source.slice(node.start_byte + 1, node.end_byte - 1))


class _RefusalError(Exception):
    """Ends a reading; it never leaves this module."""

    def __init__(self, unreadable: Unreadable) -> None:
        super().__init__(unreadable.reason)
        self.unreadable = unreadable


_FUNCTION: Final = "it is a function"
_MEMBER: Final = "it is a member of something else"
_BROKEN: Final = "the syntax is broken here"
_REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "identifier": "it is a name, and names are not looked up",
        "shorthand_property_identifier": "it is a name, and names are not looked up",
        "member_expression": _MEMBER,
        "subscript_expression": _MEMBER,
        "call_expression": "it is a call",
        "new_expression": "it constructs an object",
        "ternary_expression": "it depends on a condition",
        "template_string": "it is a template with substitutions",
        "regex": "it is a regular expression",
        "arrow_function": _FUNCTION,
        "function_expression": _FUNCTION,
        "generator_function": _FUNCTION,
        "method_definition": "it is a method or an accessor",
        "class": "it is a class",
        "await_expression": "it is awaited",
        "assignment_expression": "it is an assignment",
        "augmented_assignment_expression": "it is an assignment",
        "update_expression": "it is an assignment",
        "sequence_expression": "it is a sequence of expressions",
        "ERROR": _BROKEN,
    }
)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the expressions of one file; a part that is no literal raises :class:`_RefusalError`.

    Each level of nesting costs two or three Python calls, so that :data:`MAX_DEPTH` levels are safe.
    """

    source: SourceText

    def read(self, node: Node, depth: int) -> JsValue:
        """Return the value of *node*, which *depth* arrays, objects and operators stand around."""
        node = self.unwrapped(node)
        if depth > MAX_DEPTH:
            self._refuse(node, "it is nested too deep")
        self._require_sound(node)
        handler = _HANDLERS.get(node.type)
        if handler is None:
            return self._read_other(node)
        return handler(self, node, depth)

    def unwrapped(self, node: Node) -> Node:
        """Return *node* without casts and parentheses, in any number."""
        while True:
            inner = self._operand(node) if node.type == "parenthesized_expression" else cast_operand(node)
            if inner is None:
                return node
            node = inner

    def object_entries(self, node: Node) -> dict[str, Reading]:
        """Return the readings of the object literal *node*'s entries."""
        entries: dict[str, Reading] = {}
        stated: str | None = None  # the entry that no comma has ended yet
        for member in node.children:
            if member.is_error and stated is not None:
                entries[stated] = Unreadable(self.source.text(member), member.start_byte, _BROKEN)
            elif not member.is_named:
                stated = None
            elif not is_comment(member):
                stated = self._add_entry(member, entries)
        return entries

    def _add_entry(self, member: Node, entries: dict[str, Reading]) -> str | None:
        """Add what *member* states to *entries*; return its key when it is a single entry with a known key."""
        try:
            if member.type == "spread_element":
                spread = self._spread_entries(member, 0)
                entries.update((key, Literal(value)) for key, value in spread.items())
                return None
            key = self._member_key(member, 0)
        except _RefusalError:
            return None
        if key in PROTOTYPE_KEYS:
            return None
        entries[key] = self._member_reading(member)
        return key

    def _member_reading(self, member: Node) -> Reading:
        try:
            return Literal(self.read(self._member_value(member), 1))
        except _RefusalError as refusal:
            return refusal.unreadable

    def _read_other(self, node: Node) -> JsValue:
        # The one name whose value is certain can also be written with escapes.
        if node.type == "identifier" and unescape_identifier(self.source.text(node)) == "undefined":
            return UNDEFINED
        return self._refuse(node, _REASONS.get(node.type, "it is no literal"))

    def read_number(self, node: Node, _depth: int) -> JsValue:
        value = parse_number_literal(self.source.text(node))
        if value is None:
            self._refuse(node, "it is no valid number, or too large a bigint")
        return value

    def read_string(self, node: Node, _depth: int) -> JsValue:
        value = string_value(self.source, node)
        if value is None:
            self._refuse(node, "it holds a malformed escape")
        return value

    def read_template(self, node: Node, _depth: int) -> JsValue:
        value = template_value(self.source, node)
        if value is None:
            has_holes = any(child.type == "template_substitution" for child in node.named_children)
            self._refuse(node, _REASONS[node.type] if has_holes else "it holds a malformed escape")
        return value

    def read_array(self, node: Node, depth: int) -> JsValue:
        elements: list[JsValue] = []
        is_hole = True
        for child in _elements_and_commas(node):
            if child.type == ",":
                if is_hole:
                    elements.append(UNDEFINED)
                is_hole = True
                continue
            is_hole = False
            if child.type != "spread_element":
                elements.append(self.read(child, depth + 1))
                continue
            spread = self.read(self._operand(child), depth + 1)
            if not isinstance(spread, list | str):
                self._refuse(child, "it spreads something that is no list")
            elements.extend(spread)
        return elements

    def read_object(self, node: Node, depth: int) -> JsValue:
        entries: dict[str, JsValue] = {}
        for member in significant_children(node):
            if member.type == "spread_element":
                entries.update(self._spread_entries(member, depth))
                continue
            key = self._member_key(member, depth)
            if key not in PROTOTYPE_KEYS:
                entries[key] = self.read(self._member_value(member), depth + 1)
        return in_key_order(entries)

    def _spread_entries(self, member: Node, depth: int) -> Mapping[str, JsValue]:
        """Return the own properties of what an object spread spreads; most primitives have none."""
        operand = self._operand(member)
        value = self.read(operand, depth + 1)
        if isinstance(value, dict):
            return value
        if isinstance(value, str):
            return dict(zip(map(str, range(len(value) * 2)), code_units(value), strict=False))
        if not isinstance(value, list):
            return {}
        if _has_holes(self.unwrapped(operand)):
            self._refuse(member, "it spreads a list with holes")
        return {str(index): element for index, element in enumerate(value)}

    def _member_key(self, member: Node, depth: int) -> str:
        if member.type == "shorthand_property_identifier":
            return unescape_identifier(self.source.text(member))
        key = member.child_by_field_name("key" if member.type == "pair" else "name")
        if key is None:
            self._refuse(member, _REASONS.get(member.type, "it is no entry of an object"))
        if key.type == "property_identifier":
            return unescape_identifier(self.source.text(key))
        if key.type == "computed_property_name":
            key = self._operand(key)
        value = self.read(key, depth + 1)
        if isinstance(value, list | dict | RegExp):
            self._refuse(key, "it is an object used as a key")
        return primitive_to_string(value)

    def _member_value(self, member: Node) -> Node:
        self._require_sound(member)
        value = member.child_by_field_name("value") if member.type == "pair" else None
        if value is None:
            self._refuse(member, _REASONS.get(member.type, "it is no entry of an object"))
        return value

    def read_unary(self, node: Node, depth: int) -> JsValue:
        sign = _operator(node)
        if sign not in _UNARY_SIGNS:
            self._refuse(node, f"the operator {sign} is not worked out")
        value = self._primitive(node, self.read(self._operand(node), depth + 1))
        if sign == "!":
            return not _is_truthy(value)
        number = to_numeric(value)
        if isinstance(number, BigInt):
            if sign == "+":
                self._refuse(node, "a bigint cannot be made a number by a sign")
            return BigInt(-number.value)
        return -number if sign == "-" else number

    def read_binary(self, node: Node, depth: int) -> JsValue:
        """Return the value of arithmetic or of a concatenation.

        Sums of very many terms nest to the left, so that side is walked instead of recursed into, and the pieces
        of a growing string are joined once: one by one they would take quadratic time.
        """
        operations, first = self._left_spine(node)
        value = self.read(first, depth + 1)
        pieces: list[str] = []  # of the string that stands on the left, when there is one
        for operation in reversed(operations):
            right = self.read(significant_children(operation)[1], depth + 1)
            if not pieces and isinstance(value, str):
                pieces = [value]
            if _operator(operation) == "+" and (pieces or isinstance(right, str)):
                pieces = pieces or [self._text(operation, value)]
                pieces.append(self._text(operation, right))
            else:
                value = self._calculate(operation, "".join(pieces) if pieces else value, right)
                pieces = []
        return join_surrogates("".join(pieces)) if pieces else value

    def _left_spine(self, node: Node) -> tuple[list[Node], Node]:
        """Return the nested arithmetic operations from *node* leftwards, outermost first, and their first operand."""
        operations = []
        while node.type == "binary_expression":
            self._require_sound(node)
            sign = _operator(node)
            operands = significant_children(node)
            if sign not in ARITHMETIC or len(operands) != _OPERANDS_OF_BINARY:
                self._refuse(node, f"the operator {sign} is not worked out")
            if sign == "**" and operands[0].type in _NO_BASES:
                self._refuse(node, "the base of a power needs parentheses around its sign")
            operations.append(node)
            node = self.unwrapped(operands[0])
        return operations, node

    def _calculate(self, operation: Node, left: JsValue, right: JsValue) -> float | BigInt:
        sign = _operator(operation)
        left_number = to_numeric(self._primitive(operation, left))
        right_number = to_numeric(self._primitive(operation, right))
        if isinstance(left_number, float) and isinstance(right_number, float):
            return number_arithmetic(sign, left_number, right_number)
        if isinstance(left_number, float) or isinstance(right_number, float):
            self._refuse(operation, "numbers and bigints do not mix")
        result = bigint_arithmetic(sign, left_number, right_number)
        if result is None:
            self._refuse(operation, "its value is no bigint, or too large a one")
        return result

    def _text(self, operation: Node, value: JsValue) -> str:
        return primitive_to_string(self._primitive(operation, value))

    def _primitive(self, operation: Node, value: JsValue) -> Primitive:
        if isinstance(value, list | dict | RegExp):
            self._refuse(operation, "it uses an operator on an object")
        return value

    def _operand(self, node: Node) -> Node:
        """Return the only expression inside *node*."""
        self._require_sound(node)
        operands = significant_children(node)
        if len(operands) != 1:
            self._refuse(node, "it is no single expression")
        return operands[0]

    def _require_sound(self, node: Node) -> None:
        """Refuse *node* when the parser had to skip or invent something directly inside it."""
        if not node.has_error:
            return
        if node.is_missing or any(child.is_error or child.is_missing for child in node.children):
            self._refuse(node, _BROKEN)

    def _refuse(self, node: Node, reason: str) -> NoReturn:
        raise _RefusalError(Unreadable(self.source.text(node), node.start_byte, reason))


_Handler: TypeAlias = Callable[[_Reader, "Node", int], JsValue]

_OPERANDS_OF_BINARY: Final = 2
_UNARY_SIGNS: Final = frozenset({"-", "+", "!"})
_NO_BASES: Final = frozenset({"unary_expression", "type_assertion"})
"""Left operands of ``**`` that JavaScript and TypeScript reject."""

_HANDLERS: Final[Mapping[str, _Handler]] = MappingProxyType(
    {
        "null": lambda _reader, _node, _depth: None,
        "undefined": lambda _reader, _node, _depth: UNDEFINED,
        "true": lambda _reader, _node, _depth: True,
        "false": lambda _reader, _node, _depth: False,
        "number": _Reader.read_number,
        "string": _Reader.read_string,
        "template_string": _Reader.read_template,
        "array": _Reader.read_array,
        "object": _Reader.read_object,
        "unary_expression": _Reader.read_unary,
        "binary_expression": _Reader.read_binary,
    }
)


def _operator(node: Node) -> str:
    """Return the operator token of a unary or binary expression."""
    token = node.child_by_field_name("operator")
    return "" if token is None else token.type


def _elements_and_commas(array: Node) -> list[Node]:
    return [child for child in array.children if child.type not in {"[", "]"} and not is_comment(child)]


def _has_holes(node: Node) -> bool:
    """Tell whether *node* is an array literal in which a comma has no element before it."""
    if node.type != "array":
        return False
    are_commas = [child.type == "," for child in _elements_and_commas(node)]
    return are_commas[:1] == [True] or (True, True) in pairwise(are_commas)


def _is_truthy(value: Primitive) -> bool:
    if isinstance(value, BigInt):
        return value.value != 0
    if isinstance(value, float):
        return value != 0 and not math.isnan(value)
    return value is not UNDEFINED and bool(value)
