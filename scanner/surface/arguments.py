"""Reading the one argument of a helper call: an object literal of literals, and nothing else.

A declaration has to be visible in the source as it stands (spec, "What it refuses"). So this reader is stricter than
the one for decorator options: it looks up no name, resolves no spread and computes nothing, and takes neither
templates nor computed, numeric or prototype keys. Each refusal names its place; all of a call's are found at once.
Nothing here recurses, so nesting is no limit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Final

from tree_sitter import Node

from scanner.extraction.names import identifier_text
from scanner.js.numbers import parse_number_literal
from scanner.js.values import PROTOTYPE_KEYS, UNDEFINED, JsValue
from scanner.surface.wording import shown
from scanner.syntax.literals import string_value
from scanner.syntax.nodes import (
    has_token,
    is_comment,
    significant_children,
    without_casts,
    without_parentheses,
)
from scanner.syntax.source import SourceText


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something in an argument that cannot be read.

    Attributes:
        start_byte: Where it begins; None for what is not there, as a hole of an array is.
        problem: What it is, as a sentence without its full stop.
        remedy: What to write instead, likewise.
    """

    start_byte: int | None
    problem: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Argument:
    """What reading an argument gave.

    Attributes:
        entries: The entries by key, of equal keys the last; only of use when nothing was refused.
        refusals: What could not be read, in the order in which it was met.
    """

    entries: Mapping[str, JsValue]
    refusals: tuple[Refusal, ...]


def read_argument(source: SourceText, node: Node) -> Argument:
    """Read the argument *node* of a helper call; parentheses and casts around it are seen through."""
    reader = _Reader(source)
    return Argument(reader.read(node), tuple(reader.refusals))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a value stands in the argument; rendered only when something is wrong there."""

    parent: _Place | None
    segment: str

    def __str__(self) -> str:
        segments: list[str] = []
        place: _Place | None = self
        while place is not None and len(segments) < _SHOWN_SEGMENTS:
            segments.append(place.segment)
            place = place.parent
        path = "".join(reversed(segments)).removeprefix(".")
        return path if place is None else f"…{path}"


@dataclass(frozen=True, slots=True)
class _Task:
    """A value still to be read, and where to put it."""

    node: Node
    place: _Place
    store: Callable[[JsValue], None]


_SHOWN_SEGMENTS: Final = 4

_WRITE_LITERAL: Final = (
    "Write the value itself there, as a string, number, boolean, null, array or object literal"
)
_WRITE_OUT: Final = "Write out what it stands for, in the literal itself"
_WRITE_KEY: Final = "Write the key as a plain name or a quoted string"
_ODD_KEY: Final = ("a shorthand for a variable", "Write the value itself behind it, as a literal")
_KEY_FAULTS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "reserved": ("reserved, since it can reach the object's prototype", "Use another key"),
        "computed_property_name": ("computed", _WRITE_KEY),
        "number": ("a number", _WRITE_KEY),
        "string": ("a string with a malformed escape", _WRITE_KEY),
        "private_property_identifier": ("a private name", _WRITE_KEY),
    }
)
"""What is wrong with a key of each kind, and what to do about it; a shorthand has no key of its own."""


_KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "identifier": "a name",
        "call_expression": "a call",
        "new_expression": "a construction",
        "member_expression": "a member of something else",
        "subscript_expression": "a member of something else",
        "ternary_expression": "a conditional",
        "binary_expression": "a computation",
        "unary_expression": "a computation",
        "template_string": "a template literal",
        "regex": "a regular expression",
        "arrow_function": "a function",
        "function_expression": "a function",
        "generator_function": "a function",
        "class": "a class",
        "await_expression": "an awaited value",
        "assignment_expression": "an assignment",
        "spread_element": "a spread",
    }
)
_CONSTANTS: Final[Mapping[str, JsValue]] = MappingProxyType(
    {"true": True, "false": False, "null": None, "undefined": UNDEFINED}
)


class _Reader:
    """Reads one argument; what it cannot read gathers in :attr:`refusals`, with undefined in its place."""

    def __init__(self, source: SourceText) -> None:
        self.refusals: list[Refusal] = []
        self._source = source
        self._tasks: list[_Task] = []

    def read(self, argument: Node) -> dict[str, JsValue]:
        """Return the entries of the argument."""
        node = without_casts(argument)
        if node.type != "object":
            kind = _KINDS.get(node.type, "no object literal")
            problem = f"The argument {self._shown(node)} is {kind}, so what it declares is not known without running it"
            self._refuse(node.start_byte, problem, "Pass one object literal, written in the call itself")
            return {}
        entries = self._object(node, None)
        while self._tasks:
            task = self._tasks.pop()
            task.store(self._value(task.node, task.place))
        return entries

    def _value(self, node: Node, place: _Place) -> JsValue:
        inner = without_casts(node)
        if inner.type in _CONSTANTS:
            return _CONSTANTS[inner.type]
        if inner.type == "object":
            return self._object(inner, place)
        if inner.type == "array":
            return self._array(inner, place)
        value = string_value(self._source, inner) if inner.type == "string" else self._number(inner)
        if value is None:
            self._refuse_value(inner.start_byte, place, _KINDS.get(inner.type, "no literal of JSON"), inner)
            return UNDEFINED
        return value

    def _number(self, node: Node) -> float | None:
        """Return the value of a number literal, with or without a minus; every other operator computes."""
        sign = 1.0
        if node.type == "unary_expression" and has_token(node, "-"):
            operand = node.child_by_field_name("argument")
            if operand is None:
                return None
            node, sign = without_parentheses(operand), -1.0
        if node.type != "number":
            return None
        value = parse_number_literal(self._source.text(node))
        return sign * value if isinstance(value, float) else None

    def _array(self, node: Node, place: _Place) -> list[JsValue]:
        elements: list[JsValue] = []
        tasks: list[_Task] = []
        is_hole = True
        for child in node.children:
            if not child.is_named and child.type != ",":
                continue
            if is_comment(child):
                continue
            if child.type == "," and not is_hole:
                is_hole = True
                continue
            index = len(elements)
            elements.append(UNDEFINED)
            element_place = _Place(place, f"[{index}]")
            if child.type == ",":
                self._refuse(
                    None,
                    f"`{element_place}` is a hole in an array",
                    "Write an element there, or drop the comma",
                )
                continue
            is_hole = False
            if child.type == "spread_element":
                self._refuse_value(child.start_byte, element_place, "a spread", child)
            else:
                tasks.append(_Task(child, element_place, partial(elements.__setitem__, index)))
        self._tasks.extend(reversed(tasks))
        return elements

    def _object(self, node: Node, place: _Place | None) -> dict[str, JsValue]:
        entries: dict[str, JsValue] = {}
        tasks: list[_Task] = []
        for member in significant_children(node):
            key = self._key(member, place)
            if key is None:
                continue
            value_place = _Place(place, f".{key}")
            value = member.child_by_field_name("value") if member.type == "pair" else None
            if value is None:
                self._refuse_value(_function_start(member), value_place, "a method or an accessor", member)
            else:
                tasks.append(_Task(value, value_place, partial(entries.__setitem__, key)))
        self._tasks.extend(reversed(tasks))
        return entries

    def _key(self, member: Node, place: _Place | None) -> str | None:
        """Return the key of an object's member; None when the member was refused because of it."""
        node = member.child_by_field_name("key" if member.type == "pair" else "name")
        key = None
        if node is not None and node.type == "property_identifier":
            key = identifier_text(self._source, node)
        elif node is not None and node.type == "string":
            key = string_value(self._source, node)
        if key is not None and key not in PROTOTYPE_KEYS:
            return key
        where = "the argument" if place is None else f"`{place}`"
        if member.type == "spread_element":
            self._refuse(member.start_byte, f"{self._shown(member)} in {where} is a spread", _WRITE_OUT)
            return None
        kind, remedy = _KEY_FAULTS.get("reserved" if key is not None else _type_of(node), _ODD_KEY)
        shown_key = self._shown(member if node is None else node)
        self._refuse(member.start_byte, f"The key {shown_key} in {where} is {kind}", remedy)
        return None

    def _refuse_value(self, start_byte: int, place: _Place, kind: str, node: Node) -> None:
        problem = f"`{place}` is {kind}, {self._shown(node)}, so its value is not known without running it"
        self._refuse(start_byte, problem, _WRITE_OUT if kind == "a spread" else _WRITE_LITERAL)

    def _refuse(self, start_byte: int | None, problem: str, remedy: str) -> None:
        self.refusals.append(Refusal(start_byte, problem, remedy))

    def _shown(self, node: Node) -> str:
        return _excerpt(self._source, node)


_MOST_BYTES_SHOWN: Final = 400


def _excerpt(source: SourceText, node: Node) -> str:
    """Return the beginning of a node's text, quoted; a refused value can be most of the file."""
    end = min(node.end_byte, node.start_byte + _MOST_BYTES_SHOWN)
    return f"`{shown(source.slice(node.start_byte, end))}`"


def _function_start(member: Node) -> int:
    """Return where the function of a method begins, behind its name."""
    for field in ("type_parameters", "parameters"):
        part = member.child_by_field_name(field)
        if part is not None:
            return part.start_byte
    return member.start_byte


def _type_of(node: Node | None) -> str:
    return "" if node is None else node.type
