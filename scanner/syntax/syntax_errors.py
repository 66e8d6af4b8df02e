"""Where a syntax tree says that its source breaks the grammar.

A file that holds an error is still extracted; the faults found here become its ``syntax-error`` diagnostics. One
mistake often litters a tree with error nodes, so only the outermost of them count, and only the first few are
kept: people mend the first one and look again. Subtrees without an error are never entered, and nothing recurses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node, TreeCursor

MAX_FAULTS: Final = 20
"""How many faults of one file are reported."""

_ERROR_COST: Final = 24


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """One place where the source breaks the grammar.

    Attributes:
        start_byte: Offset of the first byte that does not fit.
        end_byte: Offset behind it; equal to ``start_byte`` where something is missing.
        expected: The token that is missing there, or None when something stands there that should not.
    """

    start_byte: int
    end_byte: int
    expected: str | None = None

    @property
    def sort_key(self) -> tuple[int, int, str]:
        """Position first; faults at one place in a fixed order."""
        return (self.start_byte, self.end_byte, self.expected or "")


def _error_nodes(root: Node) -> Iterator[Node]:
    """Yield the outermost error nodes and the missing tokens under *root*, in source order."""
    if not root.has_error:
        return
    cursor = root.walk()
    while True:
        node = cursor.node
        if node is None:
            return
        is_found = node.is_error or node.is_missing
        if is_found:
            yield node
        can_enter = node.has_error and not is_found
        if (can_enter and cursor.goto_first_child()) or cursor.goto_next_sibling():
            continue
        if not _goto_next_above(cursor):
            return


def _goto_next_above(cursor: TreeCursor) -> bool:
    while cursor.goto_parent():
        if cursor.goto_next_sibling():
            return True
    return False


def _fault_at(node: Node) -> SyntaxFault:
    if node.is_missing:
        return SyntaxFault(node.start_byte, node.end_byte, node.type)
    inner = next((found for child in node.children if child.has_error for found in _error_nodes(child)), None)
    if inner is not None and inner.is_missing:
        return SyntaxFault(inner.start_byte, inner.end_byte, inner.type)
    found = inner or node
    return SyntaxFault(found.start_byte, found.end_byte)


def find_syntax_faults(root: Node) -> tuple[SyntaxFault, ...]:
    """Return the first :data:`MAX_FAULTS` faults under *root*, sorted by position.

    An error node that holds a smaller one is reported there: the smaller one is nearer to the mistake.
    """
    faults: set[SyntaxFault] = set()
    for node in _error_nodes(root):
        faults.add(_fault_at(node))
        if len(faults) == MAX_FAULTS:
            break
    return tuple(sorted(faults, key=lambda fault: fault.sort_key))


def error_cost(root: Node) -> int:
    """Return how badly a tree suffers from errors: 0 for none, more for more and for larger error nodes.

    Two readings of one source are compared by it. An error node that swallows a whole class is worse than two
    small ones inside it, so bytes count besides numbers.
    """
    return sum(_ERROR_COST + node.end_byte - node.start_byte for node in _error_nodes(root))
