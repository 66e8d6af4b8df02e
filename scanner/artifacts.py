"""A scan's results as files: names and bytes, nothing written.

Artifacts hold no clock, host or absolute path, and every list in them has a defined order, so that equal trees give
equal bytes.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from importlib.metadata import version
from types import MappingProxyType
from typing import Final

from scanner.diagnostics import Diagnostic
from scanner.options import Depth, ScanOptions
from scanner.packages import Package, package_slugs
from scanner.project import PackageResult, ProjectResult
from scanner.serialization import JsonValue, encode_document, encode_line, to_json, without_absent

TOOL_NAME: Final = "scan-cluster"
FORMAT_VERSION: Final = 1
INDEX_FILE: Final = "index.json"
_GRAMMARS: Final = ("tree-sitter", "tree-sitter-typescript", "tree-sitter-javascript")


def build_artifacts(
    result: ProjectResult, options: ScanOptions, reports: Mapping[str, bytes] = MappingProxyType({})
) -> dict[str, bytes]:
    """Return every artifact of a scan but ``run.json``: relative POSIX path to content.

    Args:
        result: What the scan found.
        options: Options that shape results.
        reports: Further renderings of the result that belong among the artifacts.
    """
    slugs = package_slugs(item.package for item in result.packages)
    manifests = {slugs[item.package]: encode_document(item.manifest) for item in result.packages}
    artifacts = {f"packages/{slug}/manifest.json": content for slug, content in manifests.items()}
    artifacts["agent-surface.json"] = encode_document(to_json(result.surface))
    packages = result.package_of_diagnostic()
    artifacts["diagnostics.json"] = encode_document(diagnostics_document(result.diagnostics, packages))
    artifacts.update(reports)
    if options.depth is Depth.FULL:
        artifacts["classes.ndjson"] = b"".join(_class_lines(result))
    entries: list[JsonValue] = [
        _package_entry(item, slugs[item.package], manifests[slugs[item.package]], options)
        for item in result.packages
    ]
    artifacts[INDEX_FILE] = encode_document(_index(entries, result, options, artifacts))
    return dict(sorted(artifacts.items()))


def tool_version() -> str:
    """Return the version of the installed tool."""
    return version(TOOL_NAME)


def tool_versions() -> dict[str, JsonValue]:
    """Return the versions that results depend on: the tool's own and the grammars'."""
    return {
        "tool": {"name": TOOL_NAME, "version": tool_version()},
        "grammars": {name: version(name) for name in _GRAMMARS},
    }


def _index(
    entries: list[JsonValue], result: ProjectResult, options: ScanOptions, artifacts: Mapping[str, bytes]
) -> dict[str, JsonValue]:
    return {
        "formatVersion": FORMAT_VERSION,
        **tool_versions(),
        "options": to_json(options),
        "totals": {
            "packages": len(result.packages),
            "files": sum(item.file_count for item in result.packages),
            **_class_count(result.packages, options),
            "models": sum(len(item.classes) for item in result.packages),
            "intents": len(result.surface.intents),
            "playbooks": len(result.surface.playbooks),
            "diagnostics": _severity_counts(result.diagnostics),
        },
        "packages": entries,
        "artifacts": {
            path: {"bytes": len(content), "sha256": digest(content)}
            for path, content in sorted(artifacts.items())
        },
    }


def _class_count(packages: Iterable[PackageResult], options: ScanOptions) -> dict[str, JsonValue]:
    """Return how many classes there are, which is known where every class is recorded."""
    if options.depth is not Depth.FULL:
        return {}
    return {"classes": sum(len(scan.classes) for item in packages for scan in item.scans)}


def _package_entry(item: PackageResult, slug: str, manifest: bytes, options: ScanOptions) -> JsonValue:
    return {
        "name": item.package.name,
        "version": item.package.version,
        "directory": item.package.directory or ".",
        "manifest": f"packages/{slug}/manifest.json",
        "sha256": digest(manifest),
        "files": item.file_count,
        **_class_count([item], options),
        "models": len(item.classes),
        "diagnostics": _severity_counts(item.diagnostics),
        "smrtImports": to_json(item.smrt_imports),
    }


def _severity_counts(diagnostics: Iterable[Diagnostic]) -> JsonValue:
    counts = Counter(diagnostic.severity.value for diagnostic in diagnostics)
    return {severity: counts.get(severity, 0) for severity in ("error", "warning", "info")}


def digest(content: bytes) -> str:
    """Return the SHA-256 of *content* in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def diagnostics_document(
    diagnostics: Collection[Diagnostic], packages: Mapping[Diagnostic, Package] = MappingProxyType({})
) -> dict[str, JsonValue]:
    """Return diagnostics as a document, in the order given, each with its package where that is known."""
    entries: list[JsonValue] = []
    for diagnostic in diagnostics:
        package = packages.get(diagnostic)
        entry = diagnostic_entry(diagnostic)
        if package is not None and package.name is not None:
            entry["package"] = package.name
        entries.append(entry)
    return {"formatVersion": FORMAT_VERSION, "counts": _severity_counts(diagnostics), "diagnostics": entries}


def diagnostic_entry(diagnostic: Diagnostic) -> dict[str, JsonValue]:
    """Return one diagnostic as JSON data, absent values left out."""
    entry = to_json(diagnostic)
    return without_absent(entry) if isinstance(entry, dict) else {}


def _class_lines(result: ProjectResult) -> Iterable[bytes]:
    """Yield the raw record of every class, sorted by path, then source order."""
    scans = sorted((scan for item in result.packages for scan in item.scans), key=lambda scan: scan.file_path)
    for scan in scans:
        for raw in scan.classes:
            yield encode_line(to_json(raw))
