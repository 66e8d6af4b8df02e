"""Small questions about syntax nodes, asked the same way of the TypeScript and the JavaScript grammar."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from scanner.syntax.source import SourceText

CAST_TYPES: Final = frozenset(
    {"as_expression", "satisfies_expression", "non_null_expression", "type_assertion"}
)
"""Type wrappers that leave the value as it is."""

MAX_CASTS: Final = 8
"""How many casts are seen through around a config object or a spread (spec section 2)."""

COMMENTS: Final = frozenset({"comment", "html_comment"})
"""The node types of comments."""

_PARENTHESES: Final = frozenset({"parenthesized_expression", "parenthesized_type"})
_WRAPPERS: Final = _PARENTHESES | CAST_TYPES


def is_comment(node: Node) -> bool:
    """Tell whether *node* is a comment of any form."""
    return node.type in COMMENTS


def significant_children(node: Node) -> list[Node]:
    """Return the named children that are no comments, in source order."""
    return [child for child in node.named_children if child.type not in COMMENTS]


def first_significant(node: Node) -> Node | None:
    """Return the first named child that is no comment."""
    if not node.named_child_count:
        return None
    # Nearly always the first one is it, and a list of all costs more than that one.
    first = node.named_child(0)
    if first is not None and first.type not in COMMENTS:
        return first
    return next(iter(significant_children(node)), None)


def has_token(node: Node, token: str) -> bool:
    """Tell whether *node* has a direct child that is the keyword or sign *token*."""
    return any(child.type == token for child in node.children)


def children_by_type(node: Node) -> dict[str, Node]:
    """Return the direct children, keywords and signs among them, by type (of one type the last): one look for many questions."""
    return {child.type: child for child in node.children}


def text_as_parsed(source: SourceText, node: Node) -> bytes | None:
    """Return the bytes of *node* if the parser understood all of them as they stand, else None.

    What such bytes mean can be told from them alone, once it is known what *node* is. None is for broken syntax, and
    for what a repair rewrote.
    """
    if node.has_error:
        return None
    text = node.text
    return text if text is not None and source.data.startswith(text, node.start_byte) else None


def without_parentheses(node: Node) -> Node:
    """Return what stands inside any number of parentheses around *node*, an expression or a type."""
    while node.type in _PARENTHESES:
        inner = first_significant(node)
        if inner is None:
            return node
        node = inner
    return node


def cast_operand(node: Node) -> Node | None:
    """Return the expression under the cast *node*, or None when *node* is no cast."""
    if node.type not in CAST_TYPES:
        return None
    operands = significant_children(node)
    if not operands:
        return None
    return operands[-1] if node.type == "type_assertion" else operands[0]


def without_casts(node: Node, limit: int | None = None) -> Node:
    """Return *node* without parentheses and casts around it.

    Args:
        node: An expression.
        limit: How many casts at most are taken off; None for any number. Parentheses do not count.
    """
    if node.type not in _WRAPPERS:
        return node
    taken = 0
    node = without_parentheses(node)
    while limit is None or taken < limit:
        inner = cast_operand(node)
        if inner is None:
            return node
        node = without_parentheses(inner)
        taken += 1
    return node


def end_without_comments(node: Node) -> int:
    """Return the byte offset behind the last token of *node* that is no comment.

    The grammars count a comment behind a function's body, where no semicolon stands between, as part of the body.
    """
    index = node.child_count - 1
    while index >= 0:
        last = node.child(index)
        if last.type in COMMENTS:
            index -= 1
        else:
            node, index = last, last.child_count - 1
    return node.end_byte


def descend_to(root: Node, start_byte: int, end_byte: int) -> Iterator[Node]:
    """Yield the nodes from *root* down to the smallest one that covers the byte range.

    A node's ``parent`` costs a walk from the root each time; this gives a whole ancestor path for one.
    """
    cursor = root.walk()
    while True:
        node = cursor.node
        if node is None or node.start_byte > start_byte or node.end_byte < end_byte:
            return
        yield node
        if cursor.goto_first_child_for_byte(start_byte) is None:
            return
