"""A scan's results as files: names and bytes, nothing written.

Artifacts hold no clock, host or absolute path, and every list in them has a defined order, so that equal trees give
equal bytes.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from importlib.metadata import version
from operator import itemgetter
from types import MappingProxyType
from typing import Final

from scanner.diagnostics import Diagnostic
from scanner.options import Depth, ScanOptions
from scanner.outcomes import PackageOutcome, ProjectOutcome
from scanner.packages import Package, package_slugs
from scanner.serialization import JsonValue, encode_document, to_json, without_absent

TOOL_NAME: Final = "scan-cluster"
FORMAT_VERSION: Final = 1
INDEX_FILE: Final = "index.json"
_GRAMMARS: Final = ("tree-sitter", "tree-sitter-typescript", "tree-sitter-javascript")


def build_artifacts(
    result: ProjectOutcome, options: ScanOptions, reports: Mapping[str, bytes] = MappingProxyType({})
) -> dict[str, bytes]:
    """Return every artifact of a scan but ``run.json``: relative POSIX path to content.

    Args:
        result: What the scan found.
        options: Options that shape results.
        reports: Further renderings of the result that belong among the artifacts.
    """
    slugs = package_slugs(result.listed)
    artifacts: dict[str, bytes] = {}
    digests: dict[str, str] = {}
    for item in result.packages:
        manifest, lineage = _package_files(slugs[item.package])
        artifacts |= {manifest: item.manifest, lineage: item.lineage}
        digests |= {manifest: item.facts.manifest_digest, lineage: item.facts.lineage_digest}
    artifacts["agent-surface.json"] = encode_document(to_json(result.surface))
    packages = result.package_of_diagnostic()
    artifacts["diagnostics.json"] = encode_document(diagnostics_document(result.diagnostics, packages))
    artifacts.update(reports)
    if options.depth is Depth.FULL:
        artifacts["classes.ndjson"] = _class_lines(result.packages)
    digests.update((path, digest(content)) for path, content in artifacts.items() if path not in digests)
    entries: list[JsonValue] = [
        {
            **_package_entry(item, slugs[item.package], options),
            "workspace": _shown_directory(result.workspaces.root_of.get(item.package.directory)),
        }
        for item in result.packages
    ]
    listing: dict[str, JsonValue] = {
        path: {"bytes": len(content), "sha256": digests[path]} for path, content in sorted(artifacts.items())
    }
    artifacts[INDEX_FILE] = encode_document(_index(entries, result, options, listing))
    return dict(sorted(artifacts.items()))


def _package_files(slug: str) -> tuple[str, str]:
    """Return the paths of a package's manifest and lineage."""
    return f"packages/{slug}/manifest.json", f"packages/{slug}/lineage.json"


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
    entries: list[JsonValue],
    result: ProjectOutcome,
    options: ScanOptions,
    listing: dict[str, JsonValue],
) -> dict[str, JsonValue]:
    return {
        "formatVersion": FORMAT_VERSION,
        **tool_versions(),
        "options": to_json(options),
        "totals": {
            "packages": len(result.packages),
            "files": sum(item.facts.files for item in result.packages),
            **_class_count(result.packages, options),
            "models": sum(item.facts.models for item in result.packages),
            "intents": len(result.surface.intents),
            "playbooks": len(result.surface.playbooks),
            "diagnostics": _severity_counts(result.diagnostics),
        },
        "packages": entries,
        "workspaces": to_json(result.workspaces.stated),
        "artifacts": listing,
    }


def _class_count(packages: Iterable[PackageOutcome], options: ScanOptions) -> dict[str, JsonValue]:
    """Return how many classes there are, which is known where every class is recorded."""
    if options.depth is not Depth.FULL:
        return {}
    return {"classes": sum(item.facts.classes for item in packages)}


def _package_entry(item: PackageOutcome, slug: str, options: ScanOptions) -> dict[str, JsonValue]:
    facts = item.facts
    manifest, lineage = _package_files(slug)
    return {
        "name": facts.package.name,
        "version": facts.package.version,
        "directory": _shown_directory(facts.package.directory),
        "manifest": manifest,
        "sha256": facts.manifest_digest,
        "lineage": lineage,
        "files": facts.files,
        **_class_count([item], options),
        "models": facts.models,
        "diagnostics": _severity_counts(facts.diagnostics),
        "smrtImports": to_json(facts.smrt_imports),
        "externalClasses": to_json(facts.external_classes),
    }


def _shown_directory(directory: str | None) -> str | None:
    return "." if directory == "" else directory


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


def _class_lines(packages: Iterable[PackageOutcome]) -> bytes:
    """Return the raw record of every class, one a line, sorted by path, then source order."""
    # Packages nest, so that the files of one can stand between those of another.
    parts = sorted((part for item in packages for part in item.class_lines_by_path()), key=itemgetter(0))
    return b"".join(content for _, content in parts)
