"""One directory as one JSON document, read as one package whatever package.json files lie in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import orjson

from scanner.class_table import ClassTable
from scanner.diagnostics import CODES, Diagnostic, Severity
from scanner.discovery import (
    AGENT_SURFACE_INCLUDE,
    DEFAULT_EXCLUDE,
    DEFAULT_INCLUDE,
    SVELTE_INCLUDE,
    DiscoveryPolicy,
)
from scanner.file_scan import parse_file
from scanner.inheritance import InheritanceResolver, ResolvedClass
from scanner.manifest import Manifest, ManifestAdapter
from scanner.options import ScanOptions, SurfaceOptions
from scanner.package_fold import merge_smrt_imports
from scanner.packages import read_package
from scanner.project import merge_surface
from scanner.records import FileRole, FileScan
from scanner.serialization import JsonValue, encode_line, to_json
from scanner.sources import discover_sources
from workers.errors import UsageError
from workers.inspection import Inspection, error_entry, warning_entry


@dataclass(frozen=True, slots=True)
class TreeRequest:
    """A directory to inspect, and how."""

    root: Path
    options: ScanOptions


def load_tree_request(root: Path, options_file: Path | None) -> TreeRequest:
    """Read the options of a tree inspection.

    Raises:
        UsageError: The file cannot be read, is no JSON object, or holds an option that does not exist.
    """
    if options_file is None:
        return TreeRequest(root, ScanOptions())
    try:
        content = orjson.loads(options_file.read_bytes())
    except OSError as error:
        raise UsageError(f"Cannot read the options {options_file}: {error.strerror or error}.") from error
    except orjson.JSONDecodeError as error:
        raise UsageError(f"{options_file} is no valid JSON: {error}.") from error
    if not isinstance(content, dict):
        raise UsageError(f"{options_file} must hold a JSON object.")
    return _request_of(root, _checked(content, options_file))


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_text_list(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


_OPTIONS: Final[Mapping[str, tuple[Callable[[object], bool], str]]] = {
    "cwd": (_is_text, "a string"),
    "include": (_is_text_list, "a list of strings"),
    "exclude": (_is_text_list, "a list of strings"),
    "followSymbolicLinks": (_is_flag, "true or false"),
    "agentSurface": (_is_flag, "true or false"),
    "agentSurfaceInclude": (_is_text_list, "a list of strings"),
    "svelteInclude": (_is_text_list, "a list of strings"),
    "baseClasses": (_is_text_list, "a list of strings"),
}


def _checked(content: Mapping[str, Any], options_file: Path) -> Mapping[str, Any]:
    for key, value in content.items():
        if key not in _OPTIONS:
            raise UsageError(f"{options_file} has the option {key!r}. Options are: {', '.join(_OPTIONS)}.")
        is_valid, expected = _OPTIONS[key]
        if not is_valid(value):
            raise UsageError(f"{options_file} sets {key} to {value!r}; it takes {expected}.")
    return content


def _request_of(root: Path, content: Mapping[str, Any]) -> TreeRequest:
    policy = DiscoveryPolicy(
        include=tuple(content.get("include", DEFAULT_INCLUDE)),
        exclude=tuple(content.get("exclude", DEFAULT_EXCLUDE)),
        follow_symlinks=content.get("followSymbolicLinks", False),
    )
    surface = SurfaceOptions(
        is_on=content.get("agentSurface", True),
        include=tuple(content.get("agentSurfaceInclude", AGENT_SURFACE_INCLUDE)),
        markup_include=tuple(content.get("svelteInclude", SVELTE_INCLUDE)),
    )
    options = ScanOptions(policy, surface, framework_bases=tuple(content.get("baseClasses", ())))
    return TreeRequest(Path(content.get("cwd", root)), options)


def inspect_tree(request: TreeRequest) -> Inspection:
    """Scan a directory as one package and put everything in one JSON document."""
    options = request.options
    found = discover_sources(request.root, options)
    everything = [
        parse_file(request.root / file.path, file.path, options.max_file_bytes, file.role)
        for file in found.files
    ]
    scans = [scan for scan in everything if scan.role is FileRole.CLASSES]
    resolver = InheritanceResolver(options.framework_bases)
    resolver.add_files(scans)
    resolution = resolver.resolve_all()
    manifest = _manifest(request.root, scans, resolution.classes)
    remarks = (
        *found.diagnostics,
        *(error for scan in everything for error in scan.errors),
        *resolution.diagnostics,
    )
    document: dict[str, JsonValue] = {
        "files": [scan.file_path for scan in scans],
        "classes": to_json(
            sorted(f"{scan.file_path}:{raw.class_name}" for scan in scans for raw in scan.classes)
        ),
        "smrtImports": to_json(merge_smrt_imports(scans)),
        "typeAliases": to_json(
            {name: alias for scan in reversed(scans) for name, alias in scan.type_aliases.items()}
        ),
        "errors": [_error(remark) for remark in remarks if remark.severity is Severity.ERROR],
        "manifest": manifest.document,
        "agentSurface": to_json(merge_surface(everything, options)),
        "stats": _stats(scans, resolution.classes),
        "warnings": [
            warning_entry(remark)
            for remark in (*remarks, *manifest.diagnostics)
            if remark.severity is not Severity.ERROR
        ],
    }
    return Inspection(encode_line(document), any(CODES[remark.code].is_unscanned for remark in remarks))


def _manifest(root: Path, scans: list[FileScan], resolved: tuple[ResolvedClass, ...]) -> Manifest:
    package, _ = read_package(root)
    name, version = (None, None) if package is None else (package.name, package.version)
    return ManifestAdapter(scans, name, version).to_manifest(resolved)


def _error(remark: Diagnostic) -> JsonValue:
    """Return an error; one about a class as a whole has no place in this document's shape."""
    entry = error_entry(remark)
    if remark.code == "duplicate-class":
        entry.pop("line"), entry.pop("column")
    return entry


def _stats(scans: list[FileScan], resolved: tuple[ResolvedClass, ...]) -> JsonValue:
    """Count classes by name, and among the decorated ones those below a single-table root and the longest chain."""
    decorated = [item for item in resolved if item.raw.has_smart_decorator]
    return {
        "totalClasses": len(ClassTable(scans).namesakes()),
        "smrtClasses": len(decorated),
        "stiClasses": sum(item.sti_base is not None for item in decorated),
        "maxInheritanceDepth": max((len(item.inheritance_chain) for item in decorated), default=0),
        "fileCount": len(scans),
    }
