"""The bytes and file rungs: one source to one :class:`FileScan`.

``parse_source`` is pure: the same bytes and path always give the same record, nothing is read, printed or kept.
``parse_file`` adds reading, and turns everything that can go wrong with a file into a diagnostic.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace

from scanner.diagnostics import CODES, Diagnostic
from scanner.extraction.aliases import ALIAS_DECLARATIONS, read_alias, too_deep_alias
from scanner.extraction.classes import ClassReader, is_class_statement, top_level_statements
from scanner.extraction.constants import ModuleConstants
from scanner.extraction.exports import EXPORT_STATEMENT, read_exports
from scanner.extraction.imports import IMPORT_DECLARATION, read_import, smrt_imports_of
from scanner.file_remarks import misplaced_parameter, syntax_error, too_deep_type, unresolved_config
from scanner.records import FileRole, FileScan
from scanner.source_files import DEFAULT_MAX_FILE_BYTES, byte_remarks, read_source_file
from scanner.surface.extract import extract_agent_surface
from scanner.surface.helpers import may_declare_agent_surface
from scanner.surface.records import AgentSurface
from scanner.surface.svelte import scan_svelte_agent_surface
from scanner.syntax.grammar import dialect_of_path
from scanner.syntax.parsing import ParsedSource, parse_source_bytes
from scanner.type_expressions import TypeExpression


def parse_source(source: bytes | str, file_path: str) -> FileScan:
    """Extract everything from one source text.

    Args:
        source: The file's bytes, or its text.
        file_path: The path to record; its suffix chooses the grammar.

    Returns:
        The file's record. Broken source never raises: what stands is extracted, the rest is in ``errors``.
    """
    module = _Module(source, file_path)
    text, statements = module.text, module.statements
    imports = tuple(binding for declaration in module.imports for binding in declaration.bindings)
    constants = ModuleConstants(module.parsed, statements)
    reader = ClassReader(text, file_path, constants, imports)
    classes = tuple(reader.read(statement) for statement in statements if is_class_statement(statement))
    aliases: dict[str, TypeExpression] = {}
    for statement in statements:
        if statement.kind not in ALIAS_DECLARATIONS:
            continue
        alias = read_alias(text, statement.inner)
        if alias is not None:
            aliases[alias[0]] = alias[1]
        else:
            reader.too_deep.extend(too_deep_alias(text, statement.inner))
    return FileScan(
        file_path=file_path,
        classes=classes,
        errors=_errors(module.parsed, file_path, reader),
        type_aliases=aliases,
        smrt_imports=smrt_imports_of(module.imports),
        imports=imports,
        exports=tuple(
            export
            for statement in statements
            if statement.kind == EXPORT_STATEMENT  # any other kind is declared where it is exported
            for export in read_exports(text, statement.outer)
        ),
        agent_surface=module.agent_surface(),
    )


def parse_surface_source(source: bytes, file_path: str) -> FileScan:
    """Extract the agent surface of one source and nothing else.

    A source whose bytes prove that it declares none is not parsed.
    """
    if not may_declare_agent_surface(source):
        return FileScan(file_path, FileRole.SURFACE)
    module = _Module(source, file_path)
    errors = tuple(syntax_error(module.text, file_path, fault) for fault in module.parsed.syntax_errors)
    return FileScan(file_path, FileRole.SURFACE, errors=errors, agent_surface=module.agent_surface())


def extract_smrt_imports(source: bytes | str, file_path: str) -> Mapping[str, tuple[str, ...]]:
    """Return what one source takes from SMRT packages (spec section 1, "smrtImports").

    Returns:
        Module specifier to sorted names: original names of named imports, the local name of a default import,
        ``*`` for namespace imports and imports that bind nothing. Only PascalCase names are listed.
    """
    return smrt_imports_of(_Module(source, file_path).imports)


class _Module:
    """One source as its readers need it: parsed, its statements taken out, its imports read."""

    def __init__(self, source: bytes | str, file_path: str) -> None:
        self._data = source.encode("utf-8", "replace") if isinstance(source, str) else source
        self._file_path = file_path
        self.parsed = parse_source_bytes(self._data, dialect_of_path(file_path))
        self.text = self.parsed.source
        self.statements = list(top_level_statements(self.parsed.root))
        declarations = (
            read_import(self.text, statement.outer)
            for statement in self.statements
            if statement.kind == IMPORT_DECLARATION
        )
        self.imports = [declaration for declaration in declarations if declaration is not None]

    def agent_surface(self) -> AgentSurface:
        """Return the declarations of the module, unmerged."""
        if not may_declare_agent_surface(self._data):
            return AgentSurface()
        return extract_agent_surface(
            self.text,
            self.parsed.root,
            self.statements,
            self.imports,
            dialect_of_path(self._file_path),
            self._file_path,
        )


def parse_file(
    path: str | os.PathLike[str],
    file_path: str,
    max_bytes: int = DEFAULT_MAX_FILE_BYTES,
    role: FileRole = FileRole.CLASSES,
) -> FileScan:
    """Read and scan one file.

    Args:
        path: Where the file is.
        file_path: The path to record, relative to the scan root.
        max_bytes: Size over which a file is reported instead of scanned.
        role: What the file is read for.

    Returns:
        The file's record; a file that cannot be read gives a record that holds only its diagnostic.
    """
    outcome = read_source_file(path, file_path, max_bytes)
    if isinstance(outcome, Diagnostic):
        return FileScan(file_path, role, errors=(outcome,))
    return scan_bytes(outcome, file_path, role)


def scan_bytes(data: bytes, file_path: str, role: FileRole = FileRole.CLASSES) -> FileScan:
    """Scan bytes as read from disk: odd bytes are reported, binary content is not scanned."""
    remarks = byte_remarks(data, file_path)
    if any(CODES[remark.code].is_unscanned for remark in remarks):
        return FileScan(file_path, role, errors=tuple(remarks))
    match role:
        case FileRole.CLASSES:
            scan = parse_source(data, file_path)
        case FileRole.SURFACE:
            scan = parse_surface_source(data, file_path)
        case FileRole.MARKUP:
            found = scan_svelte_agent_surface(data, file_path)
            scan = FileScan(file_path, role, agent_surface=AgentSurface(diagnostics=found))
    return replace(scan, errors=(*remarks, *scan.errors)) if remarks else scan


def _errors(parsed: ParsedSource, file_path: str, reader: ClassReader) -> tuple[Diagnostic, ...]:
    text = parsed.source
    found = [syntax_error(text, file_path, fault) for fault in parsed.syntax_errors]
    found.extend(misplaced_parameter(text, file_path, node.start_byte) for node in reader.misplaced)
    found.extend(too_deep_type(text, file_path, node.start_byte) for node in reader.too_deep)
    found.extend(unresolved_config(text, file_path, fault) for fault in reader.faults)
    return tuple(sorted(dict.fromkeys(found), key=lambda diagnostic: diagnostic.sort_key))
