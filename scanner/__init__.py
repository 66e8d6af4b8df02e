"""Read SMRT models and agent declarations from TypeScript sources, without running them.

The ladder: :func:`parse_source` for bytes or text, :func:`parse_file` for a file, :func:`scan_project` for a
directory; :class:`InheritanceResolver` and :class:`ManifestAdapter` turn file scans into resolved classes and
manifests. Nothing here prints, exits or reads the environment.
"""

import importlib
import typing

if typing.TYPE_CHECKING:
    from scanner.class_table import ClassTable
    from scanner.completeness import CompletenessReport, CompletenessStatus, verify_manifest_completeness
    from scanner.diagnostics import CODES, CodeRule, Diagnostic, Severity
    from scanner.discovery import (
        Discovery,
        DiscoveryPolicy,
        FoundFile,
        discover_source_files,
        explain_path,
        is_agent_surface_source_path,
        is_pruned_agent_surface_path,
    )
    from scanner.file_scan import extract_smrt_imports, parse_file, parse_source
    from scanner.inheritance import (
        FRAMEWORK_BASES,
        InheritanceResolver,
        Resolution,
        ResolvedClass,
        ResolvedField,
    )
    from scanner.manifest import Manifest, ManifestAdapter
    from scanner.numeric_precision import (
        NumericKind,
        NumericPrecisionFinding,
        classify_numeric_field_name,
        lint_numeric_precision,
        source_may_contain_numeric_precision_issue,
    )
    from scanner.options import Depth, ScanOptions, SurfaceOptions
    from scanner.package_fold import PackageResult
    from scanner.packages import Package
    from scanner.project import ProjectResult
    from scanner.records import (
        Accessibility,
        DecoratorUse,
        FileScan,
        RawClass,
        RawField,
        RawMethod,
        RawParameter,
    )
    from scanner.rounds import scan_project
    from scanner.serialization import encode_document, encode_line, to_json
    from scanner.surface.merge import merge_agent_surfaces
    from scanner.surface.records import AgentSurface, Intent, Playbook, SurfaceDiagnostic
    from scanner.surface.tool_names import check_agent_surface_tool_names
    from scanner.type_expressions import TypeExpression, TypeKind

__all__ = [
    "CODES",
    "FRAMEWORK_BASES",
    "Accessibility",
    "AgentSurface",
    "ClassTable",
    "CodeRule",
    "CompletenessReport",
    "CompletenessStatus",
    "DecoratorUse",
    "Depth",
    "Diagnostic",
    "Discovery",
    "DiscoveryPolicy",
    "FileScan",
    "FoundFile",
    "InheritanceResolver",
    "Intent",
    "Manifest",
    "ManifestAdapter",
    "NumericKind",
    "NumericPrecisionFinding",
    "Package",
    "PackageResult",
    "Playbook",
    "ProjectResult",
    "RawClass",
    "RawField",
    "RawMethod",
    "RawParameter",
    "Resolution",
    "ResolvedClass",
    "ResolvedField",
    "ScanOptions",
    "Severity",
    "SurfaceDiagnostic",
    "SurfaceOptions",
    "TypeExpression",
    "TypeKind",
    "check_agent_surface_tool_names",
    "classify_numeric_field_name",
    "discover_source_files",
    "encode_document",
    "encode_line",
    "explain_path",
    "extract_smrt_imports",
    "is_agent_surface_source_path",
    "is_pruned_agent_surface_path",
    "lint_numeric_precision",
    "merge_agent_surfaces",
    "parse_file",
    "parse_source",
    "scan_project",
    "source_may_contain_numeric_precision_issue",
    "to_json",
    "verify_manifest_completeness",
]

_HOMES: typing.Final = {
    "scanner.class_table": ("ClassTable",),
    "scanner.completeness": (
        "CompletenessReport",
        "CompletenessStatus",
        "verify_manifest_completeness",
    ),
    "scanner.diagnostics": (
        "CODES",
        "CodeRule",
        "Diagnostic",
        "Severity",
    ),
    "scanner.discovery": (
        "Discovery",
        "DiscoveryPolicy",
        "FoundFile",
        "discover_source_files",
        "explain_path",
        "is_agent_surface_source_path",
        "is_pruned_agent_surface_path",
    ),
    "scanner.file_scan": (
        "extract_smrt_imports",
        "parse_file",
        "parse_source",
    ),
    "scanner.inheritance": (
        "FRAMEWORK_BASES",
        "InheritanceResolver",
        "Resolution",
        "ResolvedClass",
        "ResolvedField",
    ),
    "scanner.manifest": (
        "Manifest",
        "ManifestAdapter",
    ),
    "scanner.numeric_precision": (
        "NumericKind",
        "NumericPrecisionFinding",
        "classify_numeric_field_name",
        "lint_numeric_precision",
        "source_may_contain_numeric_precision_issue",
    ),
    "scanner.options": (
        "Depth",
        "ScanOptions",
        "SurfaceOptions",
    ),
    "scanner.package_fold": ("PackageResult",),
    "scanner.packages": ("Package",),
    "scanner.project": ("ProjectResult",),
    "scanner.records": (
        "Accessibility",
        "DecoratorUse",
        "FileScan",
        "RawClass",
        "RawField",
        "RawMethod",
        "RawParameter",
    ),
    "scanner.rounds": ("scan_project",),
    "scanner.serialization": (
        "encode_document",
        "encode_line",
        "to_json",
    ),
    "scanner.surface.merge": ("merge_agent_surfaces",),
    "scanner.surface.records": (
        "AgentSurface",
        "Intent",
        "Playbook",
        "SurfaceDiagnostic",
    ),
    "scanner.surface.tool_names": ("check_agent_surface_tool_names",),
    "scanner.type_expressions": (
        "TypeExpression",
        "TypeKind",
    ),
}
"""The module of each public name; a part that is not used is not imported, which keeps commands quick to start."""

_HOME_OF: typing.Final = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> typing.Any:
    """Import a public name when it is first asked for."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(_HOME_OF[name]), name)
    return value


def __dir__() -> list[str]:
    """List the public names, imported or not."""
    return sorted({*__all__, *globals()})
