"""One source file as one JSON line: raw records, what they resolve to, and the manifest of the file alone."""

from __future__ import annotations

from dataclasses import dataclass

from scanner.diagnostics import CODES, Diagnostic, Severity
from scanner.file_scan import scan_bytes
from scanner.inheritance import InheritanceResolver, ResolvedClass
from scanner.manifest import ManifestAdapter
from scanner.numeric_precision import lint_numeric_precision
from scanner.records import FileRole, FileScan
from scanner.serialization import JsonValue, encode_line, to_json, without_absent
from scanner.surface.merge import merge_agent_surfaces

_KINDS = {"syntax-error": "syntax"}


@dataclass(frozen=True, slots=True)
class InspectionSettings:
    """As which package a single file is inspected."""

    package_name: str = "@acme/pkg"
    package_version: str = "1.2.3"
    framework_bases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Inspection:
    """The JSON line of one file, and whether the file could be scanned."""

    line: bytes
    is_unscanned: bool


def inspect_source(source: bytes, file_path: str, settings: InspectionSettings | None = None) -> bytes:
    """Inspect source bytes; see :func:`inspect_scan`."""
    return inspect_scan(scan_bytes(source, file_path), settings or InspectionSettings()).line


def inspect_scan(scan: FileScan, settings: InspectionSettings) -> Inspection:
    """Resolve and adapt one file by itself and put everything on one JSON line; components give ``svelte`` alone."""
    if scan.role is FileRole.MARKUP:
        return _inspect_markup(scan)
    resolver = InheritanceResolver(settings.framework_bases)
    resolver.add_files([scan])
    resolution = resolver.resolve_all()
    adapter = ManifestAdapter([scan], settings.package_name, settings.package_version)
    manifest = adapter.to_manifest(resolution.classes)
    remarks = [error for error in scan.errors if error.severity is not Severity.ERROR]
    document: dict[str, JsonValue] = {
        "file": scan.file_path,
        "raw": {
            "classes": to_json(scan.classes),
            "typeAliases": to_json(scan.type_aliases),
            "smrtImports": to_json(scan.smrt_imports),
            "errors": [error_entry(error) for error in scan.errors if error.severity is Severity.ERROR],
        },
        "resolved": [_resolved_entry(resolved) for resolved in resolution.classes],
        "manifest": manifest.document,
        "agentSurface": to_json(merge_agent_surfaces([scan.agent_surface])),
        "numericPrecision": to_json(lint_numeric_precision([scan])),
        "warnings": [
            warning_entry(item) for item in (*remarks, *resolution.diagnostics, *manifest.diagnostics)
        ],
    }
    is_unscanned = any(CODES[error.code].is_unscanned for error in scan.errors)
    return Inspection(encode_line(document), is_unscanned)


def _inspect_markup(scan: FileScan) -> Inspection:
    document: dict[str, JsonValue] = {
        "file": scan.file_path,
        "svelte": to_json(scan.agent_surface.diagnostics),
        "warnings": [warning_entry(error) for error in scan.errors],
    }
    return Inspection(encode_line(document), any(CODES[error.code].is_unscanned for error in scan.errors))


def _resolved_entry(resolved: ResolvedClass) -> JsonValue:
    return {
        "className": resolved.raw.class_name,
        "inheritanceChain": list(resolved.inheritance_chain),
        "stiBase": resolved.sti_base,
        "effectiveTableStrategy": to_json(resolved.effective_table_strategy),
        "isSTI": resolved.is_sti,
        "isFrameworkBase": resolved.is_framework_base,
        "allFields": [item.field.name for item in resolved.all_fields],
    }


def error_entry(error: Diagnostic) -> dict[str, JsonValue]:
    """Return an error in the shape of parity cases."""
    entry: dict[str, JsonValue] = {
        "kind": _KINDS.get(error.code, error.code),
        "expression": error.expression,
        "decorator": error.decorator,
        "filePath": error.file_path,
        "line": error.line,
        "column": error.column,
        "severity": error.severity.value,
        "message": error.message,
        "hint": error.hint,
    }
    return without_absent(entry)


def warning_entry(warning: Diagnostic) -> JsonValue:
    """Return a warning or remark, absent values left out."""
    entry = to_json(warning)
    return without_absent(entry) if isinstance(entry, dict) else entry
