"""Export clauses: names that a module gives to others without declaring them there (re-exports, barrels, renames)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from scanner.extraction.names import identifier_text
from scanner.extraction.plain_clauses import (
    AS_NAME,
    BLANKS,
    MODULE,
    NAMES,
    TYPE_KEYWORD,
    WORD_ENDS,
    match_plain,
    plain_clause,
    plain_names,
)
from scanner.records import ExportBinding
from scanner.syntax.literals import string_value
from scanner.syntax.nodes import has_token, significant_children, without_casts
from scanner.syntax.source import SourceText

EXPORT_STATEMENT: Final = "export_statement"
"""The node type of every export."""

WHOLE_MODULE: Final = "*"
DEFAULT_EXPORT: Final = "default"


_PLAIN: Final = plain_clause(
    rf"export{WORD_ENDS}{BLANKS}(?:(?:{TYPE_KEYWORD})?+\{{({NAMES})\}}|\*(?:{BLANKS}({AS_NAME}))?+)"
    rf"(?:{BLANKS}from{BLANKS}({MODULE}))?+"
)


def read_exports(source: SourceText, statement: Node) -> Iterator[ExportBinding]:
    """Yield the names that an export statement gives on; none for an exported declaration or any other statement."""
    if statement.type != EXPORT_STATEMENT:
        return
    plain = match_plain(_PLAIN, source, statement)
    yield from _read_nodes(source, statement) if plain is None else _read_plain(*plain)


def _read_plain(names: str | None, space: str | None, quoted: str | None) -> Iterator[ExportBinding]:
    module = None if quoted is None else quoted[1:-1]
    if names is not None:
        for imported, exported, _ in plain_names(names):
            yield ExportBinding(exported, imported, module)
    else:
        yield ExportBinding(WHOLE_MODULE if space is None else space[2:].strip(), WHOLE_MODULE, module)


def _read_nodes(source: SourceText, statement: Node) -> Iterator[ExportBinding]:
    value = statement.child_by_field_name("value")
    if value is not None:
        name = without_casts(value)
        if name.type == "identifier" and has_token(statement, DEFAULT_EXPORT):
            yield ExportBinding(DEFAULT_EXPORT, identifier_text(source, name), None)
        return
    module_node = statement.child_by_field_name("source")
    module = None if module_node is None else string_value(source, module_node)
    if module is None and module_node is not None:
        return
    if module is not None and has_token(statement, WHOLE_MODULE):
        yield ExportBinding(WHOLE_MODULE, WHOLE_MODULE, module)
    for part in significant_children(statement):
        if part.type == "export_clause":
            yield from _names_of_clause(source, part, module)
        elif part.type == "namespace_export" and module is not None:
            yield from _names_of_namespace(source, part, module)


def _names_of_namespace(source: SourceText, part: Node, module: str) -> Iterator[ExportBinding]:
    if has_token(part, DEFAULT_EXPORT):  # a keyword to the grammar of JavaScript, a name to the other
        yield ExportBinding(DEFAULT_EXPORT, WHOLE_MODULE, module)
    for name in significant_children(part):
        exported = _module_name(source, name)
        if exported is not None:
            yield ExportBinding(exported, WHOLE_MODULE, module)


def _names_of_clause(source: SourceText, clause: Node, module: str | None) -> Iterator[ExportBinding]:
    for specifier in significant_children(clause):
        name = specifier.child_by_field_name("name")
        if name is None:
            continue
        imported = _module_name(source, name)
        exported = _module_name(source, specifier.child_by_field_name("alias") or name)
        if imported is not None and exported is not None:
            yield ExportBinding(exported, imported, module)


def _module_name(source: SourceText, node: Node) -> str | None:
    return string_value(source, node) if node.type == "string" else identifier_text(source, node)
