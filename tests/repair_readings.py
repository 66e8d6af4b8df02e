"""Reads sources as the scanner does, and says what their trees hold."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from scanner.syntax.grammar import Dialect
from scanner.syntax.parsing import ParsedSource, parse_source_bytes

FIELDS = {"public_field_definition", "field_definition"}
HIDDEN = {"abstract", "accessor"}


def parse(source: str, dialect: Dialect = Dialect.TYPESCRIPT) -> ParsedSource:
    return parse_source_bytes(source.encode(), dialect)


def nodes(root: Node, *types: str) -> Iterator[Node]:
    """Yield the nodes of some types, in source order."""
    pending = [root]
    while pending:
        node = pending.pop()
        if node.type in types:
            yield node
        pending.extend(reversed(node.children))


def member_name(parsed: ParsedSource, member: Node) -> str:
    name = member.child_by_field_name("name") or member.child_by_field_name("property")
    assert name is not None
    return parsed.source.text(name)


def members_of(parsed: ParsedSource, body: Node) -> list[str]:
    """Return the members of a class as people would list them: modifiers that matter, name, ``()`` for methods."""
    found = []
    for member in body.named_children:
        words = {child.type for child in member.children}
        if member.type not in FIELDS | {"method_definition", "method_signature"} or words & HIDDEN:
            continue
        access = [
            child.children[0].type for child in member.children if child.type == "accessibility_modifier"
        ]
        flags = [word for word in ("static", "readonly", "async", "get", "set") if word in words]
        call = "" if member.type in FIELDS else "()"
        found.append(" ".join([*access, *flags, member_name(parsed, member) + call]))
    return found


def members(source: str, dialect: Dialect = Dialect.TYPESCRIPT) -> list[str]:
    parsed = parse(source, dialect)
    return [name for body in nodes(parsed.root, "class_body") for name in members_of(parsed, body)]


def fault_texts(source: str, dialect: Dialect = Dialect.TYPESCRIPT) -> list[str]:
    parsed = parse(source, dialect)
    return [parsed.source.slice(fault.start_byte, fault.end_byte) for fault in parsed.syntax_errors]
