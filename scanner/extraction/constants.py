"""Module constants that decorator configs may spread, and what makes their snapshots untrustworthy.

``const`` forbids rebinding, not mutation: a constant's literal is trusted only while no code can have changed the
object (spec section 2, "Taint"). A *change* is the first value reference that is neither a spread nor the whole
config of a decorator; for a constant that holds objects or arrays, a spread outside ``@smrt`` and other module
constants counts too. Changes travel along constants that spread one another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from tree_sitter import Node

from scanner.extraction.classes import TopLevelStatement
from scanner.extraction.config_values import ConfigFault, ConfigReader, ConfigReading, ValuePolicy
from scanner.extraction.names import decorator_arguments, decorator_name, identifier_text
from scanner.js.values import PROTOTYPE_KEYS, JsValue, RegExp
from scanner.syntax.nodes import CAST_TYPES, MAX_CASTS, descend_to, significant_children, without_casts
from scanner.syntax.parsing import ParsedSource
from scanner.syntax.scopes import module_references
from scanner.syntax.source import SourceText

CONFIG_DECORATORS: Final = frozenset({"smrt", "method", "report", "TenantScoped"})
"""Decorators whose first argument is a config."""

_WRAPPERS: Final = CAST_TYPES | {"parenthesized_expression"}
_LITERAL_HOLDERS: Final = _WRAPPERS | {"object", "pair", "array", "spread_element"}


@dataclass(slots=True)
class _Constant:
    """A ``const NAME = {…}`` and how it depends on others.

    ``spreads`` holds each constant spread into this one with the byte where that happens.
    """

    name: str
    values: dict[str, JsValue] = field(default_factory=dict)
    faults: tuple[ConfigFault, ...] = ()
    spreads: list[tuple[_Constant, int]] = field(default_factory=list)
    changes: set[ConfigFault] = field(default_factory=set)

    @property
    def is_nested(self) -> bool:
        return any(isinstance(value, dict | list | RegExp) for value in self.values.values())

    def changes_seen_at(self, start_byte: int) -> set[ConfigFault]:
        """Changes that matter to a spread there: all when values are shared, else those that came before."""
        if self.is_nested:
            return set(self.changes)
        return {change for change in self.changes if change.start_byte < start_byte}

    def known_faults(self) -> dict[ConfigFault, None]:
        """Unreadable values of this constant and of all it spreads."""
        found: dict[ConfigFault, None] = {}
        pending, visited = [self], {id(self)}
        while pending:
            constant = pending.pop()
            found.update(dict.fromkeys(constant.faults))
            for other, _ in reversed(constant.spreads):
                if id(other) not in visited:
                    visited.add(id(other))
                    pending.append(other)
        return found


class _Collector:
    """Spread resolver for the constants themselves: each may spread those declared before it."""

    def __init__(self) -> None:
        self.known: dict[str, _Constant] = {}
        self.current: _Constant | None = None

    def resolve(self, name: str, start_byte: int) -> ConfigReading | None:
        constant = self.known.get(name)
        if constant is None or self.current is None:
            return None
        self.current.spreads.append((constant, start_byte))
        return ConfigReading(constant.values)


class ModuleConstants:
    """Spread resolver for decorators: what each module constant holds and why it may be wrong.

    Few configs spread anything, so the constants are read when the first one does.
    """

    def __init__(self, parsed: ParsedSource, statements: Sequence[TopLevelStatement]) -> None:
        self._parsed = parsed
        self._statements = statements

    @cached_property
    def _known(self) -> dict[str, _Constant]:
        collector = _Collector()
        constants: list[_Constant] = []
        for declarator in _const_declarators(self._statements):
            constant = _read_constant(self._parsed.source, declarator, collector)
            if constant is not None:
                constants.append(constant)
                collector.known[constant.name] = constant
        if constants:
            _mark_changes(self._parsed, collector.known)
            _spread_changes(constants)
        return collector.known

    def resolve(self, name: str, start_byte: int) -> ConfigReading | None:
        """Return what spreading constant *name* at byte *start_byte* gives, its faults and changes included."""
        constant = self._known.get(name)
        if constant is None:
            return None
        faults = constant.known_faults()
        faults.update(dict.fromkeys(sorted(constant.changes_seen_at(start_byte))))
        return ConfigReading(constant.values, tuple(faults))


def _const_declarators(statements: Iterable[TopLevelStatement]) -> Iterable[Node]:
    for statement in statements:
        if statement.kind != "lexical_declaration":
            continue
        kind = statement.inner.child_by_field_name("kind")
        if kind is not None and kind.type == "const":
            yield from (
                part for part in significant_children(statement.inner) if part.type == "variable_declarator"
            )


def _read_constant(source: SourceText, declarator: Node, collector: _Collector) -> _Constant | None:
    name_node, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
    if name_node is None or name_node.type != "identifier" or value is None:
        return None
    literal = without_casts(value, MAX_CASTS)
    name = identifier_text(source, name_node)
    if literal.type != "object" or name in PROTOTYPE_KEYS:
        return None
    constant = _Constant(name)
    collector.current = constant
    reading = ConfigReader(source, collector, ValuePolicy.LITERALS_ONLY).read_object(literal)
    constant.values, constant.faults = reading.values, reading.faults
    return constant


def _mark_changes(parsed: ParsedSource, known: dict[str, _Constant]) -> None:
    """Give each constant its first change."""
    source, root = parsed.source, parsed.root
    for name, constant in known.items():
        hidden = _hidden_reference(parsed, name)
        constant.changes.update([hidden] if hidden else [])
    for reference in module_references(root, source, known):
        constant, node = known[reference.name], reference.node
        if any(change.start_byte < node.start_byte for change in constant.changes):
            continue
        path = list(descend_to(root, node.start_byte, node.end_byte))
        if _is_change(source, path, constant):
            constant.changes = {ConfigFault(node.start_byte, identifier_text(source, node))}


def _hidden_reference(parsed: ParsedSource, name: str) -> ConfigFault | None:
    """Return the first use of a name in an expression that the tree does not show; it may do anything."""
    word = re.compile(rb"(?<![\w$])" + re.escape(name.encode("utf-8", "replace")) + rb"(?![\w$])")
    for start, end in sorted(parsed.hidden):
        match = word.search(parsed.source.data, start, end)
        if match is not None:
            return ConfigFault(match.start(), name)
    return None


def _is_change(source: SourceText, path: Sequence[Node], constant: _Constant) -> bool:
    """Tell whether the reference at the end of *path* may let code change the constant's object."""
    holder = len(path) - 2
    while holder >= 0 and path[holder].type in _WRAPPERS:
        holder -= 1
    if holder < 0:
        return True
    if path[holder].type == "spread_element":
        return constant.is_nested and not _is_trusted_spread(source, path, holder)
    if _is_whole_config(source, path, holder):
        return constant.is_nested and not _is_inside_smrt(source, path)
    return True


def _is_whole_config(source: SourceText, path: Sequence[Node], holder: int) -> bool:
    decorator = next((node for node in reversed(path[:holder]) if node.type == "decorator"), None)
    if path[holder].type != "arguments" or decorator is None:
        return False
    arguments = decorator_arguments(decorator)
    is_first = bool(arguments) and arguments[0].id == path[holder + 1].id
    return is_first and decorator_name(source, decorator) in CONFIG_DECORATORS


def _is_inside_smrt(source: SourceText, path: Sequence[Node]) -> bool:
    return any(node.type == "decorator" and decorator_name(source, node) == "smrt" for node in path)


def _is_trusted_spread(source: SourceText, path: Sequence[Node], spread: int) -> bool:
    """Tell whether a spread stands in ``@smrt`` or in the object literal of a module constant."""
    if _is_inside_smrt(source, path):
        return True
    top = spread
    while top >= 0 and path[top].type in _LITERAL_HOLDERS:
        top -= 1
    declarator = path[top]
    value = declarator.child_by_field_name("value") if declarator.type == "variable_declarator" else None
    kind = path[top - 1].child_by_field_name("kind")
    return (
        value is not None
        and without_casts(value, MAX_CASTS).type == "object"
        and kind is not None
        and kind.type == "const"
        and all(node.type in {"program", "export_statement", "lexical_declaration"} for node in path[:top])
    )


def _spread_changes(constants: Sequence[_Constant]) -> None:
    """Carry changes along spreads until nothing new is learnt: forwards always, backwards through shared values."""
    is_settled = False
    while not is_settled:
        is_settled = True
        for constant in constants:
            for other, start_byte in constant.spreads:
                before = len(constant.changes), len(other.changes)
                constant.changes |= other.changes_seen_at(start_byte)
                if other.is_nested:
                    other.changes |= constant.changes
                is_settled = is_settled and before == (len(constant.changes), len(other.changes))
