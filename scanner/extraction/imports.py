"""Import declarations: which names they bind, and what they take from SMRT packages (spec section 1, "smrtImports")."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from tree_sitter import Node

from scanner.extraction.exports import DEFAULT_EXPORT
from scanner.extraction.names import identifier_text
from scanner.extraction.plain_clauses import (
    AS_NAME,
    BLANKS,
    MODULE,
    NAME,
    NAMES,
    TYPE_KEYWORD,
    WORD_ENDS,
    match_plain,
    plain_clause,
    plain_names,
)
from scanner.records import ImportBinding, ImportForm
from scanner.syntax.literals import string_value
from scanner.syntax.nodes import children_by_type, significant_children
from scanner.syntax.source import SourceText

IMPORT_DECLARATION: Final = "import_statement"
"""The node type of an import declaration."""

SMRT_MODULE_PREFIX: Final = "@happyvertical/smrt-"
_PASCAL_CASE: Final = re.compile(r"[A-Z][A-Za-z0-9]*")
_WHOLE_MODULE: Final = "*"
_TYPE_KEYWORDS: Final = frozenset({"type", "typeof"})


_PLAIN: Final = plain_clause(
    rf"import{WORD_ENDS}{BLANKS}(?:({TYPE_KEYWORD})?+(?:({NAME})(?:{BLANKS},)?+{BLANKS})?+"
    rf"(?:\{{({NAMES})\}}|\*{BLANKS}({AS_NAME}))?+{BLANKS}from{BLANKS})?+({MODULE})"
)


class ImportDeclaration(NamedTuple):
    """One ``import … from`` declaration: its module specifier and the names it binds (none for a bare one)."""

    module: str
    bindings: tuple[ImportBinding, ...]


def read_import(source: SourceText, statement: Node) -> ImportDeclaration | None:
    """Read an import declaration; None for any other statement and for ``import x = …``."""
    if statement.type != IMPORT_DECLARATION:
        return None
    plain = match_plain(_PLAIN, source, statement)
    return _read_nodes(source, statement) if plain is None else _read_plain(*plain)


def _read_plain(
    type_keyword: str | None, default: str | None, names: str | None, space: str | None, quoted: str | None
) -> ImportDeclaration:
    module, is_type = (quoted or "")[1:-1], type_keyword is not None
    bindings: list[ImportBinding] = []
    if default is not None:
        bindings.append(ImportBinding(default, "default", module, ImportForm.DEFAULT, is_type))
    if space is not None:
        bindings.append(
            ImportBinding(space[2:].strip(), _WHOLE_MODULE, module, ImportForm.NAMESPACE, is_type)
        )
    form = ImportForm.NAMED
    bindings += [
        ImportBinding(local, imported, module, form, is_type or own_type)
        for imported, local, own_type in plain_names(names or "")
    ]
    return ImportDeclaration(module, tuple(bindings))


def _read_nodes(source: SourceText, statement: Node) -> ImportDeclaration | None:
    module_node = statement.child_by_field_name("source")
    if module_node is None or module_node.type != "string":
        return None
    module = string_value(source, module_node)
    if module is None:
        return None
    type_only = not _TYPE_KEYWORDS.isdisjoint(children_by_type(statement))
    bindings = tuple(
        ImportBinding(local, imported, module, form, type_only or own_type)
        for clause in significant_children(statement)
        if clause.type == "import_clause"
        for part in significant_children(clause)
        for local, imported, form, own_type in _names_of(source, part)
    )
    return ImportDeclaration(module, bindings)


def _names_of(source: SourceText, part: Node) -> Iterator[tuple[str, str, ImportForm, bool]]:
    if part.type == "identifier":
        yield identifier_text(source, part), "default", ImportForm.DEFAULT, False
    elif part.type == "namespace_import":
        for name in significant_children(part):
            yield identifier_text(source, name), _WHOLE_MODULE, ImportForm.NAMESPACE, False
    elif part.type == "named_imports":
        for specifier in significant_children(part):
            yield from _names_of_specifier(source, specifier)


def _names_of_specifier(source: SourceText, specifier: Node) -> Iterator[tuple[str, str, ImportForm, bool]]:
    name = specifier.child_by_field_name("name")
    if name is None:
        return
    local = specifier.child_by_field_name("alias") or name
    own_type = specifier.child_count > 1 and not _TYPE_KEYWORDS.isdisjoint(children_by_type(specifier))
    if name.type == "string":
        imported = string_value(source, name)
        if imported is not None and local is not name:
            yield identifier_text(source, local), imported, ImportForm.STRING_NAMED, own_type
        return
    yield identifier_text(source, local), identifier_text(source, name), ImportForm.NAMED, own_type


def may_name_class(name: str) -> bool:
    """Tell whether a module may export a class under a name: one in PascalCase, or its default export."""
    return name == DEFAULT_EXPORT or _PASCAL_CASE.fullmatch(name) is not None


def smrt_imports_of(declarations: Iterable[ImportDeclaration]) -> Mapping[str, tuple[str, ...]]:
    """Collect what import declarations take from SMRT packages.

    Returns:
        Module specifier to sorted names: original names of named imports, the local name of a default import,
        ``*`` for namespace imports and imports that bind nothing. Only PascalCase names are listed; a package
        none of whose names fit keeps an empty list.
    """
    found: dict[str, set[str]] = {}
    for declaration in declarations:
        if declaration.module.startswith(SMRT_MODULE_PREFIX):
            found.setdefault(declaration.module, set()).update(_listed_names(declaration))
    return {module: tuple(sorted(names)) for module, names in found.items()}


def _listed_names(declaration: ImportDeclaration) -> Iterator[str]:
    if not declaration.bindings:
        yield _WHOLE_MODULE
    for binding in declaration.bindings:
        match binding.form:
            case ImportForm.NAMESPACE:
                yield _WHOLE_MODULE
            case ImportForm.DEFAULT if _PASCAL_CASE.fullmatch(binding.local):
                yield binding.local
            case ImportForm.NAMED if _PASCAL_CASE.fullmatch(binding.imported):
                yield binding.imported
            case _:
                pass
