"""Names as the grammar writes them: identifiers, dotted chains, property keys, decorators."""

from __future__ import annotations

from tree_sitter import Node

from scanner.js.strings import unescape_identifier
from scanner.syntax.literals import string_value
from scanner.syntax.nodes import first_significant, has_token, significant_children, without_parentheses
from scanner.syntax.source import SourceText


def identifier_text(source: SourceText, node: Node) -> str:
    """Return an identifier's name with its escapes worked out."""
    return unescape_identifier(source.text(node))


def member_name(source: SourceText, node: Node) -> str | None:
    """Return the name of a class member written as identifier or string; None for any other key."""
    if node.type == "property_identifier":
        return identifier_text(source, node)
    if node.type == "string":
        return string_value(source, node)
    return None


def computed_string_name(source: SourceText, node: Node) -> str | None:
    """Return the name that a computed key with a plain string in it gives (``['name']``)."""
    if node.type != "computed_property_name":
        return None
    inner = first_significant(node)
    inner = None if inner is None else without_parentheses(inner)
    return string_value(source, inner) if inner is not None and inner.type == "string" else None


def dotted_name(source: SourceText, node: Node) -> str | None:
    """Return the plain or dotted name that an expression is (spec D25).

    ``a.b`` and ``a['b']`` give ``a.b``; calls, casts, optional chains and other subscripts give None.
    """
    parts: list[str] = []
    node = without_parentheses(node)
    while node.type in {"member_expression", "subscript_expression"}:
        part = _last_part(source, node)
        target = node.child_by_field_name("object")
        if part is None or target is None or node.child_by_field_name("optional_chain") is not None:
            return None
        parts.append(part)
        node = without_parentheses(target)
    if node.type != "identifier":
        return None
    parts.append(identifier_text(source, node))
    return ".".join(reversed(parts))


def _last_part(source: SourceText, node: Node) -> str | None:
    if node.type == "member_expression":
        prop = node.child_by_field_name("property")
        return (
            identifier_text(source, prop) if prop is not None and prop.type == "property_identifier" else None
        )
    index = node.child_by_field_name("index")
    index = None if index is None else without_parentheses(index)
    return string_value(source, index) if index is not None and index.type == "string" else None


def decorator_expression(node: Node) -> Node | None:
    """Return the expression of a decorator node without parentheses."""
    inner = first_significant(node)
    return None if inner is None else without_parentheses(inner)


def decorator_name(source: SourceText, node: Node) -> str | None:
    """Return the name of a decorator written as a plain identifier, called or not; else None."""
    expression = decorator_expression(node)
    if expression is None:
        return None
    if expression.type == "call_expression":
        callee = expression.child_by_field_name("function")
        if callee is None or has_token(expression, "?.") or _has_optional_chain(expression):
            return None
        expression = without_parentheses(callee)
    return identifier_text(source, expression) if expression.type == "identifier" else None


def _has_optional_chain(node: Node) -> bool:
    return any(child.type == "optional_chain" for child in node.children)


def decorator_arguments(node: Node) -> list[Node]:
    """Return the argument nodes of a decorator; empty when it is not called."""
    expression = decorator_expression(node)
    if expression is None or expression.type != "call_expression":
        return []
    arguments = expression.child_by_field_name("arguments")
    if arguments is None or arguments.type != "arguments":
        return []
    return significant_children(arguments)
