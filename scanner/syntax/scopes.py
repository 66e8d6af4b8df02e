"""Which words of a file mean a binding of its module scope.

Reading a config or a declaration needs to know whether a name at some place is the module's own constant or import,
or another variable that happens to be spelled alike (spec section 2 "Taint", differences D4, D5, D19, D26).
:func:`module_references` answers that for a set of names at once.

Every declaration that can hide a name is itself an occurrence of the name. So one walk from occurrence to occurrence
finds both the references and what hides them; it enters a node once, however many names are below it, and costs
time in proportion to the part of the tree above the occurrences. Nothing recurses, so depth is no limit.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scanner.js.strings import unescape_identifier
from scanner.syntax.scopes_rules import (
    BINDING_LEAVES,
    JSX_TAGS,
    VALUE_LEAVES,
    Frame,
    Mode,
    Opening,
    Scope,
    enter,
    opening,
)
from scanner.syntax.source import decode_source

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from tree_sitter import Node

    from scanner.syntax.source import SourceText

# Runs of characters that the grammars take for one word: letters, escapes, and all of Unicode but its blanks
# (U+0085, U+00A0, U+1680, U+2000 to U+200B, U+2028, U+2029, U+202F, U+205F, U+2060, U+3000, U+FEFF).
_WORD: Final = re.compile(
    rb"(?:[\w$]++|\\u(?:[0-9A-Fa-f]{4}|\{[0-9A-Fa-f]++\})"
    rb"|(?!\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2\x80[\x80-\x8b\xa8\xa9\xaf]|\xe2\x81[\x9f\xa0]|\xe3\x80\x80|\xef\xbb\xbf)"
    rb"[\xc0-\xff][\x80-\xbf]*+)++"
)


@dataclass(frozen=True, slots=True)
class Reference:
    """A place where a module-scope name is used as a value.

    Attributes:
        name: The name, its escapes worked out.
        node: The identifier (a shorthand property when it is one).
    """

    name: str
    node: Node


def module_references(root: Node, source: SourceText, names: Collection[str]) -> tuple[Reference, ...]:
    """Find the value references that mean the module scope's binding of a name.

    Declarations, property keys, member names, labels, type positions, import clauses, exports of other modules and
    names that an inner scope hides are no references; assignment targets, local exports, JSX tags and shorthand
    properties are. Declarations at module scope hide nothing, a ``var`` in a top-level block among them.

    Args:
        root: The whole program's node.
        source: The text that *root* was parsed from.
        names: Names to look for; whether the module declares them is the caller's knowledge.

    Returns:
        The references in source order. Where broken syntax leaves a doubt, the name counts as a reference.
    """
    wanted = frozenset(names)
    if not wanted:
        return ()
    walk = _Walk(root, source, wanted)
    for offset in _occurrences(source.data, wanted):
        if offset >= root.end_byte:
            break
        walk.visit(offset)
    return walk.visible_references()


def _occurrences(data: bytes, names: frozenset[str]) -> Iterator[int]:
    """Yield where a word spelled like one of *names* begins, comments and strings included."""
    plain = {name.encode() for name in names if name.isascii()}
    for match in _WORD.finditer(data):
        word = match[0]
        is_plain = word.isascii() and b"\\" not in word
        if word in plain if is_plain else unescape_identifier(decode_source(word)) in names:
            yield match.start()


class _Walk:
    """One pass over the occurrences of names, in source order, with the nodes above the current one at hand."""

    def __init__(self, root: Node, source: SourceText, names: frozenset[str]) -> None:
        self._source = source
        self._names = names
        self._cursor = root.walk()
        module = Scope(0, None, None)
        self._scope_parents = [0]
        self._frame = Frame(root, root.type, root.end_byte, None, Mode.VALUE, module, module, ())
        self._references: list[tuple[Reference, int]] = []
        self._declarations: dict[str, set[int]] = {}

    def visit(self, offset: int) -> None:
        """Take note of the word that begins at byte *offset*; offsets must rise and stay in the root."""
        while self._frame.end_byte <= offset:
            self._leave(offset)
        while self._frame.mode is not Mode.IGNORED and self._descend(offset):
            pass
        if self._frame.node.start_byte == offset:
            self._record(self._frame)

    def visible_references(self) -> tuple[Reference, ...]:
        """Return the references found that no scope hides."""
        ranges = _scope_ranges(self._scope_parents)
        hiding = {
            name: _outermost(ranges[scope] for scope in scopes) for name, scopes in self._declarations.items()
        }
        return tuple(
            reference
            for reference, scope in self._references
            if not _is_covered(ranges[scope].start, hiding.get(reference.name, ()))
        )

    def _leave(self, offset: int) -> None:
        """Go towards *offset*, which lies behind the current node: up, or along the pieces of broken syntax."""
        parent = self._frame.parent
        if parent is None:
            raise ValueError("An occurrence lies behind the end of the tree.")
        # Finding a child by its offset is quick in a balanced tree, but the pieces of an error are one long list.
        if parent.kind == "ERROR" and parent.end_byte > offset:
            while self._cursor.goto_next_sibling():
                node = self._cursor.node
                if node is not None and node.end_byte > offset >= node.start_byte:
                    self._enter(parent, node)
                    return
        self._cursor.goto_parent()
        self._frame = parent

    def _descend(self, offset: int) -> bool:
        """Go one level down towards *offset*; tell whether there was a node to go to."""
        cursor, parent = self._cursor, self._frame
        if cursor.goto_first_child_for_byte(offset) is None:
            return False
        node = cursor.node
        if node is None or node.start_byte > offset:
            cursor.goto_parent()
            return False
        self._enter(parent, node)
        return True

    def _enter(self, parent: Frame, node: Node) -> None:
        kind = node.type
        mode, outer, targets = enter(parent, node, self._cursor.field_name)
        opened = opening(parent, kind, mode)
        scope = outer if opened is None else self._open_scope(outer, opened)
        self._frame = Frame(node, kind, node.end_byte, parent, mode, outer, scope, targets)

    def _open_scope(self, parent: Scope, opened: Opening) -> Scope:
        function = None if opened is Opening.FUNCTION else parent.hoists_to
        scope = Scope(len(self._scope_parents), parent, function)
        self._scope_parents.append(parent.index)
        return scope

    def _record(self, leaf: Frame) -> None:
        if leaf.kind not in BINDING_LEAVES or leaf.mode is Mode.IGNORED:
            return
        name = unescape_identifier(self._source.text(leaf.node))
        if name not in self._names:
            return
        if leaf.mode is Mode.BINDING:
            hiding = (scope.index for scope in leaf.targets if scope.parent is not None)
            self._declarations.setdefault(name, set()).update(hiding)
        elif leaf.kind in VALUE_LEAVES and not _is_intrinsic_tag(leaf, name):
            self._references.append((Reference(name, leaf.node), leaf.outer.index))


def _is_intrinsic_tag(leaf: Frame, name: str) -> bool:
    return leaf.parent is not None and leaf.parent.kind in JSX_TAGS and "a" <= name[0] <= "z"


def _scope_ranges(parents: Sequence[int]) -> list[range]:
    """Renumber scopes so that each has a range which holds those of its descendants and no others.

    The order in which a walk meets scopes does not do: a computed key stands in a method but not in its scope.

    Args:
        parents: Each scope's parent, which comes before it; scope 0 has none.
    """
    sizes = [1] * len(parents)
    for scope in range(len(parents) - 1, 0, -1):
        sizes[parents[scope]] += sizes[scope]
    starts, free = [0] * len(parents), [1] * len(parents)
    for scope in range(1, len(parents)):
        parent = parents[scope]
        starts[scope] = free[parent]
        free[parent] += sizes[scope]
        free[scope] = starts[scope] + 1
    return [range(start, start + size) for start, size in zip(starts, sizes, strict=True)]


def _outermost(ranges: Iterable[range]) -> list[range]:
    """Return those of nested or disjoint *ranges* that lie in no other of them, ascending."""
    outermost: list[range] = []
    for candidate in sorted(ranges, key=lambda one: (one.start, -one.stop)):
        if not outermost or candidate.start >= outermost[-1].stop:
            outermost.append(candidate)
    return outermost


def _is_covered(number: int, ranges: Sequence[range]) -> bool:
    """Tell whether one of the disjoint, ascending *ranges* holds *number*."""
    nearest = bisect_right(ranges, number, key=lambda one: one.start) - 1
    return nearest >= 0 and number in ranges[nearest]
