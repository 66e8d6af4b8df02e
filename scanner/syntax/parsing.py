"""From the bytes of one file to a syntax tree, its faults, and the text to read names from.

A file is parsed once as it stands. Only when its tree shows an error, or a cheap look at the bytes finds something
that the grammars misread in silence, do the rewrites of :mod:`scanner.syntax.repair` get their chance; the tree that
suffers least is kept. Nothing is raised for any input.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from tree_sitter import Node, Tree

from scanner.syntax.grammar import Dialect, parse_bytes
from scanner.syntax.repair import Repair, apply_repairs, may_be_misread, plan_repairs, plan_silent_repairs
from scanner.syntax.source import SourceText
from scanner.syntax.syntax_errors import MAX_FAULTS, SyntaxFault, error_cost, find_syntax_faults

ParseFunction: TypeAlias = Callable[[bytes, Dialect], Tree]

_MAX_BYTES_TO_SELECT: Final = 256 * 1024
"""Sources up to this length get their repairs tried one by one when all at once leave an error."""

_MAX_BYTES_TO_MEND: Final = 4 * 1024 * 1024
"""Longer sources are read as they are: no person writes them, and tokenizing them takes seconds."""


@dataclass(frozen=True, slots=True)
class ParsedSource:
    """One parsed file.

    Attributes:
        source: The original bytes; every text and position comes from here, by the offsets of nodes.
        root: The root of the tree. Node types hold, those of keyword tokens too (``static``, ``private``); names
            and texts are read from *source*, since a node's own ``text`` may be rewritten, and a keyword may
            stand where the source has another modifier.
        tree: The tree that owns *root*.
        syntax_errors: Where the source breaks the grammar, sorted by position; empty for a sound file.
        hidden: Byte ranges of expressions that a rewrite took out of the tree; names in them have no node.
    """

    source: SourceText
    root: Node
    tree: Tree
    syntax_errors: tuple[SyntaxFault, ...]
    hidden: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class _Reading:
    """A tree and the repairs that led to it."""

    tree: Tree
    cost: int
    repairs: tuple[Repair, ...] = ()


class _Readings:
    """Makes trees of one text under different repairs and keeps the best."""

    def __init__(self, text: bytes, dialect: Dialect, parse: ParseFunction) -> None:
        self._text = text
        self._dialect = dialect
        self._parse = parse

    def best(self, max_bytes_to_mend: int) -> _Reading:
        """Return the reading that suffers least from errors; longer texts are read as they are."""
        first = self._with_repairs(())
        if len(self._text) > max_bytes_to_mend:
            return first
        if first.cost:
            return self._mended(first)
        return self._silently_mended(first) if may_be_misread(self._text, first.tree.root_node) else first

    def _with_repairs(self, repairs: tuple[Repair, ...]) -> _Reading:
        """Parse the text rewritten by *repairs*."""
        tree = self._parse(apply_repairs(self._text, repairs) if repairs else self._text, self._dialect)
        return _Reading(tree, error_cost(tree.root_node), repairs)

    def _silently_mended(self, first: _Reading) -> _Reading:
        """Return the reading of an error-free text with its silent misreadings mended."""
        repairs = plan_silent_repairs(self._text, self._dialect)
        if not any(repair.edits for repair in repairs):
            return replace(first, repairs=repairs)
        mended = self._with_repairs(repairs)
        return mended if mended.cost == 0 else replace(first, repairs=repairs)

    def _mended(self, first: _Reading) -> _Reading:
        """Return the best reading of a text with errors: all repairs at once, else those that help one by one."""
        repairs = plan_repairs(self._text, self._dialect)
        if not repairs:
            return first
        best = self._better(first, self._with_repairs(repairs))
        if best.cost == 0 or len(repairs) == 1 or len(self._text) > _MAX_BYTES_TO_SELECT:
            return best
        selected = first
        for repair in repairs:
            selected = self._better(selected, self._with_repairs((*selected.repairs, repair)))
        return self._better(best, selected)

    @staticmethod
    def _better(old: _Reading, new: _Reading) -> _Reading:
        return new if new.cost < old.cost else old


def _best_reading(text: bytes, dialect: Dialect, parse: ParseFunction) -> _Reading:
    best = _Readings(text, dialect, parse).best(_MAX_BYTES_TO_MEND)
    if best.cost and dialect is Dialect.JAVASCRIPT:
        # Plain JavaScript with types in it is common enough, and its declarations are worth reading.
        typed = _Readings(text, Dialect.TSX, parse).best(_MAX_BYTES_TO_SELECT)
        return best if typed.cost else typed
    return best


def parse_source_bytes(data: bytes, dialect: Dialect, parse: ParseFunction = parse_bytes) -> ParsedSource:
    """Parse one source.

    Args:
        data: The file's bytes, of any encoding and content. NUL bytes are read as blanks.
        dialect: The language that the path names.
        parse: Makes a tree of bytes; a sound source without anything to mend is parsed exactly once.

    Returns:
        The tree with its faults. A source that breaks the language in a way that only a rewrite made readable
        keeps that fault.
    """
    text = data.replace(b"\0", b" ") if b"\0" in data else data
    reading = _best_reading(text, dialect, parse)
    faults = {fault for repair in reading.repairs for fault in repair.faults}
    faults.update(find_syntax_faults(reading.tree.root_node))
    ordered = sorted(faults, key=lambda fault: fault.sort_key)
    return ParsedSource(
        SourceText(data),
        reading.tree.root_node,
        reading.tree,
        tuple(ordered[:MAX_FAULTS]),
        tuple(
            (edit.start, edit.end) for repair in reading.repairs if repair.is_opaque for edit in repair.edits
        ),
    )
