"""The bytes and file rungs: one source to one :class:`FileScan`.

``parse_source`` is pure: the same bytes and path always give the same record, nothing is read, printed or kept.
``parse_file`` adds reading, and turns everything that can go wrong with a file into a diagnostic.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from typing import Final

from scanner.diagnostics import CODES, Diagnostic, Severity, diagnose
from scanner.extraction.aliases import read_alias, too_deep_alias
from scanner.extraction.classes import ClassReader, LabelledFault, is_class_statement, top_level_statements
from scanner.extraction.config_values import FaultKind
from scanner.extraction.constants import ModuleConstants
from scanner.extraction.imports import extract_smrt_imports, read_import
from scanner.extraction.type_names import MAX_TYPE_DEPTH
from scanner.records import FileScan
from scanner.syntax.grammar import dialect_of_path
from scanner.syntax.parsing import ParsedSource, SyntaxFault, parse_source_bytes
from scanner.syntax.source import SourceText
from scanner.type_expressions import TypeExpression

DEFAULT_MAX_FILE_BYTES: Final = 8 * 1024 * 1024
"""Files larger than this are reported instead of scanned."""

_SHOWN_EXPRESSION_LENGTH: Final = 120


def parse_source(source: bytes | str, file_path: str) -> FileScan:
    """Extract everything from one source text.

    Args:
        source: The file's bytes, or its text.
        file_path: The path to record; its suffix chooses the grammar.

    Returns:
        The file's record. Broken source never raises: what stands is extracted, the rest is in ``errors``.
    """
    data = source.encode("utf-8", "replace") if isinstance(source, str) else source
    parsed = parse_source_bytes(data, dialect_of_path(file_path))
    text = parsed.source
    statements = list(top_level_statements(parsed.root))
    declarations = [
        declaration
        for declaration in (read_import(text, statement.outer) for statement in statements)
        if declaration is not None
    ]
    imports = tuple(binding for declaration in declarations for binding in declaration.bindings)
    constants = ModuleConstants(text, parsed.root, [statement.inner for statement in statements])
    reader = ClassReader(text, file_path, constants, imports)
    classes = tuple(reader.read(statement) for statement in statements if is_class_statement(statement))
    aliases: dict[str, TypeExpression] = {}
    for statement in statements:
        alias = read_alias(text, statement.inner)
        if alias is not None:
            aliases[alias[0]] = alias[1]
        reader.too_deep.extend(too_deep_alias(text, statement.inner))
    return FileScan(
        file_path=file_path,
        classes=classes,
        errors=_errors(parsed, file_path, reader),
        type_aliases=aliases,
        smrt_imports=extract_smrt_imports(declarations),
        imports=imports,
    )


def parse_file(path: str | os.PathLike[str], file_path: str, max_bytes: int = DEFAULT_MAX_FILE_BYTES) -> FileScan:
    """Read and scan one file.

    Args:
        path: Where the file is.
        file_path: The path to record, relative to the scan root.
        max_bytes: Size over which a file is reported instead of scanned.

    Returns:
        The file's record; a file that cannot be read gives a record that holds only its diagnostic.
    """
    outcome = read_source_file(path, file_path, max_bytes)
    if isinstance(outcome, Diagnostic):
        return FileScan(file_path, errors=(outcome,))
    return scan_bytes(outcome, file_path)


def read_source_file(path: str | os.PathLike[str], file_path: str, max_bytes: int) -> bytes | Diagnostic:
    """Read a regular file of bounded size, or say why that is not possible.

    The file is opened without blocking, so that a FIFO put in its place cannot hold up the scan.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return diagnose(
            "file-vanished", file_path, "The file was listed but is gone.", hint="Run the scan again on a quiet tree."
        )
    except (OSError, ValueError) as error:
        return _unreadable(file_path, error)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return diagnose(
                "not-a-regular-file",
                file_path,
                "This is no regular file, so it was not opened for reading.",
                hint="Remove it, or exclude its path.",
            )
        if status.st_size > max_bytes:
            return _too_large(file_path, status.st_size, max_bytes)
        data = _read_up_to(descriptor, max_bytes + 1)
    except OSError as error:
        return _unreadable(file_path, error)
    finally:
        os.close(descriptor)
    return data if len(data) <= max_bytes else _too_large(file_path, len(data), max_bytes)


def _read_up_to(descriptor: int, limit: int) -> bytes:
    chunks: list[bytes] = []
    while limit > 0:
        chunk = os.read(descriptor, min(limit, 1 << 20))
        if not chunk:
            break
        chunks.append(chunk)
        limit -= len(chunk)
    return chunks[0] if len(chunks) == 1 else b"".join(chunks)


def scan_bytes(data: bytes, file_path: str) -> FileScan:
    """Scan bytes as read from disk: odd bytes are reported, binary content is not scanned."""
    remarks = _byte_remarks(data, file_path)
    if any(CODES[remark.code].is_unscanned for remark in remarks):
        return FileScan(file_path, errors=tuple(remarks))
    scan = parse_source(data, file_path)
    if not remarks:
        return scan
    return FileScan(
        scan.file_path,
        scan.classes,
        (*remarks, *scan.errors),
        scan.type_aliases,
        scan.smrt_imports,
        scan.imports,
    )


def _byte_remarks(data: bytes, file_path: str) -> Sequence[Diagnostic]:
    has_nul = b"\0" in data
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        if has_nul:
            return [
                diagnose(
                    "file-binary",
                    file_path,
                    "The file holds NUL bytes and is not valid UTF-8, so it is taken for binary.",
                    hint="Exclude it, or convert it to UTF-8 if it is source text.",
                )
            ]
        position = SourceText(data).position(error.start)
        return [
            Diagnostic(
                "invalid-encoding",
                Severity.WARNING,
                file_path,
                position.line,
                position.column,
                f"Byte 0x{data[error.start]:02x} is not valid UTF-8; it was read as U+FFFD.",
                "Save the file as UTF-8.",
            )
        ]
    if not has_nul:
        return []
    position = SourceText(data).position(data.index(b"\0"))
    return [
        Diagnostic(
            "nul-bytes",
            Severity.WARNING,
            file_path,
            position.line,
            position.column,
            "The source holds a NUL character.",
            "Write it as \\0 inside a string, or remove it.",
        )
    ]


def _too_large(file_path: str, size: int, max_bytes: int) -> Diagnostic:
    return diagnose(
        "file-too-large",
        file_path,
        f"The file has {size} bytes, more than the limit of {max_bytes}.",
        hint="Raise --max-file-bytes, or exclude the file.",
    )


def _unreadable(file_path: str, error: OSError | ValueError) -> Diagnostic:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return diagnose(
        "file-unreadable", file_path, f"The file cannot be read: {reason}.", hint="Check its permissions, or exclude it."
    )


def _errors(parsed: ParsedSource, file_path: str, reader: ClassReader) -> tuple[Diagnostic, ...]:
    text = parsed.source
    found = [_syntax_error(text, file_path, fault) for fault in parsed.syntax_errors]
    found.extend(_misplaced_parameter(text, file_path, node.start_byte) for node in reader.misplaced)
    found.extend(_too_deep(text, file_path, node.start_byte) for node in reader.too_deep)
    found.extend(_unresolved_config(text, file_path, fault) for fault in reader.faults)
    return tuple(sorted(dict.fromkeys(found), key=lambda diagnostic: diagnostic.sort_key))


def _syntax_error(text: SourceText, file_path: str, fault: SyntaxFault) -> Diagnostic:
    position = text.position(fault.start_byte)
    if fault.expected is not None:
        message = f"Expected {fault.expected} here."
    else:
        message = f"Cannot read this as part of the program: {_shown(text.slice(fault.start_byte, fault.end_byte))}"
    return Diagnostic(
        "syntax-error",
        Severity.ERROR,
        file_path,
        position.line,
        position.column,
        message,
        "Mend the source: declarations near the error may be missing from the artifacts.",
    )


def _misplaced_parameter(text: SourceText, file_path: str, start_byte: int) -> Diagnostic:
    position = text.position(start_byte)
    return Diagnostic(
        "syntax-error",
        Severity.ERROR,
        file_path,
        position.line,
        position.column,
        "An optional parameter takes no default, is no rest parameter, and has no required one behind it.",
        "Reorder the parameters, or drop the question mark.",
    )


def _too_deep(text: SourceText, file_path: str, start_byte: int) -> Diagnostic:
    position = text.position(start_byte)
    return Diagnostic(
        "nesting-too-deep",
        Severity.WARNING,
        file_path,
        position.line,
        position.column,
        f"This type is nested more than {MAX_TYPE_DEPTH} levels deep, so it was read as a type without a name.",
        "Give its inner parts names of their own.",
    )


def _unresolved_config(text: SourceText, file_path: str, labelled: LabelledFault) -> Diagnostic:
    position = text.position(labelled.fault.start_byte)
    if labelled.fault.kind is FaultKind.EMPTY_KEY:
        return Diagnostic(
            "empty-config-key",
            Severity.WARNING,
            file_path,
            position.line,
            position.column,
            f"The config of {labelled.decorator} has an entry with an empty key; it was left out.",
            "Give the entry a name, or remove it.",
            labelled.fault.expression,
            labelled.decorator,
        )
    return Diagnostic(
        "unresolved-config",
        Severity.ERROR,
        file_path,
        position.line,
        position.column,
        f"The config of {labelled.decorator} depends on `{_shown(labelled.fault.expression)}`, which cannot be known"
        " without running the code.",
        "Write the value as a literal, or spread a constant of this file that nothing changes; a key that is"
        " missing here is open by default.",
        labelled.fault.expression,
        labelled.decorator,
    )


def _shown(expression: str) -> str:
    """Shorten source text for a message: one line, bounded."""
    flat = " ".join(expression.split())
    return flat if len(flat) <= _SHOWN_EXPRESSION_LENGTH else f"{flat[: _SHOWN_EXPRESSION_LENGTH - 1]}…"
