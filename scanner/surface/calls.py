"""Finding helper calls, and the places where a helper call is a declaration.

Calls are found from the names that lead to a helper, whatever stands around them; whether one stands at module scope is
decided from the statements down. Both walks are linear in the tree, and neither recurses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from scanner.extraction.classes import TopLevelStatement
from scanner.extraction.names import identifier_text
from scanner.surface.helpers import HelperBinding
from scanner.surface.records import Helper
from scanner.syntax.grammar import Dialect
from scanner.syntax.literals import string_value
from scanner.syntax.nodes import CAST_TYPES, has_token, significant_children, without_casts
from scanner.syntax.scopes import module_references
from scanner.syntax.source import SourceText

_WRAPPERS: Final = CAST_TYPES | {"parenthesized_expression", "instantiation_expression"}
_MISTAKEN_CALLEES: Final = frozenset({"await_expression", "unary_expression", "binary_expression"})
"""What the grammar takes for callees in ``await f<T>()`` and ``a && f<T>()``, where the language calls ``f`` alone."""

_MEMBERS: Final = frozenset({"member_expression", "subscript_expression"})
_VARIABLE_DECLARATIONS: Final = frozenset(
    {"lexical_declaration", "variable_declaration", "using_declaration"}
)


@dataclass(frozen=True, slots=True)
class HelperCall:
    """A call of a helper.

    Attributes:
        helper: The helper.
        node: The whole ``call_expression``.
        is_among_broken: Whether it stands in a stretch that the parser could not read as a whole.
    """

    helper: Helper
    node: Node
    is_among_broken: bool


def helper_calls(
    root: Node, source: SourceText, bindings: Mapping[str, HelperBinding], dialect: Dialect
) -> Iterator[HelperCall]:
    """Yield the calls whose callee is a helper, in the order of the callees.

    Parentheses, casts, optional calls and string members of the callee are seen through (spec D20). In plain JavaScript
    there are no type arguments: what looks like some are comparisons. Calls that are broken
    themselves are left out: the file's syntax error speaks for them (spec D16).
    """
    path = _Path(root)
    for reference in module_references(root, source, bindings):
        path.lead_to(reference.node)
        call = _called(path.nodes, source, bindings[reference.name])
        if call is None:
            continue
        if dialect is Dialect.JAVASCRIPT and call.child_by_field_name("type_arguments") is not None:
            continue
        if not call.has_error:
            yield HelperCall(bindings[reference.name].helper, call, path.is_broken)


class _Path:
    """The nodes from the root down to one leaf after another.

    Asking a node for its parent costs a walk from the root; a path that follows the leaves costs only what differs.
    """

    def __init__(self, root: Node) -> None:
        self._cursor = root.walk()
        self._errors = int(root.is_error)
        self.nodes = [root]

    @property
    def is_broken(self) -> bool:
        """Whether the path leads through something that the parser could not read."""
        return self._errors > 0

    def lead_to(self, leaf: Node) -> None:
        """Make the path end at *leaf*; leaves have to come in source order."""
        nodes, cursor = self.nodes, self._cursor
        while len(nodes) > 1 and nodes[-1].end_byte <= leaf.start_byte:
            self._leave(leaf.start_byte)
        while nodes[-1].id != leaf.id and cursor.goto_first_child_for_byte(leaf.start_byte) is not None:
            if cursor.node is not None:
                self._enter(cursor.node)

    def _enter(self, node: Node) -> None:
        self._errors += node.is_error
        self.nodes.append(node)

    def _leave(self, offset: int) -> None:
        """Go towards *offset*, which lies behind the last node: up, or along the pieces of broken syntax."""
        self._errors -= self.nodes.pop().is_error
        # Finding a child by its offset is quick in a balanced tree, but the pieces of an error are one long list.
        parent = self.nodes[-1]
        while parent.is_error and parent.end_byte > offset and self._cursor.goto_next_sibling():
            node = self._cursor.node
            if node is not None and node.end_byte > offset:
                self._enter(node)
                return
        self._cursor.goto_parent()


def _called(path: Sequence[Node], source: SourceText, binding: HelperBinding) -> Node | None:
    """Return the call whose callee the name at the end of *path* leads to."""
    depth = _outermost_wrapper(path, len(path) - 1)
    if binding.is_namespace:
        member = path[depth - 1]
        if not _is_member(source, member, path[depth], binding.helper):
            return None
        depth = _outermost_wrapper(path, depth - 1)
    depth = _outermost_operator(path, depth)
    call = path[depth - 1]
    if call.type != "call_expression" or not _is_field(call, "function", path[depth]):
        return None
    arguments = call.child_by_field_name("arguments")
    return call if arguments is not None and arguments.type == "arguments" else None


def _outermost_operator(path: Sequence[Node], depth: int) -> int:
    """Step over operators when the grammar has them within the callee of a call with type arguments."""
    outer = depth
    while outer > 1 and _ends_mistaken_callee(path[outer - 1], path[outer]):
        outer -= 1
    has_arguments = path[outer - 1].child_by_field_name("type_arguments") is not None
    return outer if has_arguments else depth


def _ends_mistaken_callee(callee: Node, operand: Node) -> bool:
    return callee.type in _MISTAKEN_CALLEES and callee.end_byte == operand.end_byte


def _outermost_wrapper(path: Sequence[Node], depth: int) -> int:
    while depth > 1 and path[depth - 1].type in _WRAPPERS:
        depth -= 1
    return depth


def _is_member(source: SourceText, member: Node, namespace: Node, name: str) -> bool:
    if member.type not in _MEMBERS or not _is_field(member, "object", namespace):
        return False
    if member.type == "member_expression":
        prop = member.child_by_field_name("property")
        return (
            prop is not None and prop.type == "property_identifier" and identifier_text(source, prop) == name
        )
    index = member.child_by_field_name("index")
    return index is not None and string_value(source, without_casts(index)) == name


def _is_field(node: Node, field: str, child: Node) -> bool:
    found = node.child_by_field_name(field)
    return found is not None and found.id == child.id


def module_scope_calls(statements: Iterable[TopLevelStatement]) -> frozenset[int]:
    """Return the ids of the call nodes that stand where a declaration may stand.

    That is the initialiser of a variable at module scope, an element of an array there, a statement of its own, or a
    default export; parentheses and casts may surround each.
    """
    return frozenset(node.id for node in _declared_values(statements) if _is_plain_call(node))


def _is_plain_call(node: Node) -> bool:
    callee = node.child_by_field_name("function") if node.type == "call_expression" else None
    return callee is not None and callee.type not in _MISTAKEN_CALLEES


def _declared_values(statements: Iterable[TopLevelStatement]) -> Iterator[Node]:
    for statement in statements:
        inner = statement.inner
        if inner.type in _VARIABLE_DECLARATIONS:
            for declarator in significant_children(inner):
                yield from _initialised(declarator.child_by_field_name("value"))
        elif inner.type == "expression_statement":
            yield from _stated(inner)
        elif inner.type == "export_statement":
            value = inner.child_by_field_name("value")  # of a default export; `export =` has none
            if value is not None:
                yield without_casts(value)


def _initialised(value: Node | None) -> Iterator[Node]:
    if value is None:
        return
    value = without_casts(value)
    if value.type != "array":
        yield value
        return
    for element in significant_children(value):
        yield without_casts(element)


def _stated(statement: Node) -> Iterator[Node]:
    """Yield the expression of a statement, or the initialisers when it is a ``using`` declaration.

    The TypeScript grammar takes ``using a = x, b = y`` for a sequence of assignments whose first begins with a keyword.
    """
    for expression in significant_children(statement):
        parts = significant_children(expression) if expression.type == "sequence_expression" else [expression]
        if not parts or not _begins_with_using(parts[0]):
            yield without_casts(expression)
            continue
        for part in parts:
            assignment = _using_assignment(part)
            if assignment.type == "assignment_expression":
                yield from _initialised(assignment.child_by_field_name("right"))


def _using_assignment(node: Node) -> Node:
    operands = significant_children(node) if node.type == "await_expression" else []
    return operands[0] if operands else node


def _begins_with_using(node: Node) -> bool:
    assignment = _using_assignment(node)
    return assignment.type == "assignment_expression" and has_token(assignment, "using")
