"""The completeness guard: did every model in a package's source reach its published manifest (spec section 6)?

Meant for ``prepack`` and CI: it scans ``src/`` anew and compares manifest keys, so that a table or an API is never lost
between a build and a release.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Final

from scanner.diagnostics import Diagnostic, Severity
from scanner.discovery import DiscoveryPolicy, discover_source_files
from scanner.file_scan import parse_file
from scanner.inheritance import InheritanceResolver, Resolution
from scanner.manifest import ManifestAdapter
from scanner.packages import PACKAGE_FILE
from scanner.records import FileScan
from scanner.resolution.package_targets import manifest_export
from scanner.serialization import decode_document
from scanner.source_files import DEFAULT_MAX_FILE_BYTES, read_source_file

EXEMPT_DIRECTORIES: Final = frozenset({"core", "types", "config", "scanner", "vitest", "smrt-playground"})
"""Directories of packages that publish no models of their own."""

SOURCE_POLICY: Final = DiscoveryPolicy(
    include=("src/**/*.ts",),
    exclude=(
        *("**/*.test.ts", "**/*.spec.ts", "**/__tests__/**", "**/*.svelte", "**/*.svelte.ts"),
        *("**/*.d.ts", "**/dist/**", "**/node_modules/**"),
    ),
)
_MAX_MANIFEST_BYTES: Final = 256 * 1024 * 1024
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


class CompletenessStatus(Enum):
    """What the guard found out about a package."""

    OK = "ok"
    INCOMPLETE = "incomplete"
    MISSING_MANIFEST = "missing-manifest"
    SCAN_ERROR = "scan-error"
    SKIPPED = "skipped"

    @property
    def is_failure(self) -> bool:
        """Whether a package with this status must not be published."""
        return self not in {CompletenessStatus.OK, CompletenessStatus.SKIPPED}


@dataclass(frozen=True, slots=True)
class CompletenessReport:
    """The guard's word on one package.

    Attributes:
        directory: The package directory as given.
        status: What was found out.
        reason: Why, in one sentence.
        package_name: Name from package.json.
        manifest_path: Where the manifest is published, relative to the package directory.
        expected: Manifest keys that the source calls for, sorted.
        missing: Those of them that the manifest lacks, sorted.
        diagnostics: Errors that stopped the comparison.
    """

    directory: str
    status: CompletenessStatus
    reason: str
    package_name: str | None = None
    manifest_path: str | None = None
    expected: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def verify_manifest_completeness(
    package_dir: str | os.PathLike[str], framework_bases: Iterable[str] = ()
) -> CompletenessReport:
    """Compare the models in a package's source with its published manifest.

    Args:
        package_dir: Directory of the package.
        framework_bases: Further class names that count as framework bases.

    Returns:
        A report; errors in the source give ``scan-error`` before anything is compared.
    """
    return _Guard(Path(package_dir), tuple(framework_bases)).report()


@dataclass(frozen=True, slots=True)
class _JsonFile:
    """What a JSON file holds, or why that is not known, as the end of a sentence that begins with its path."""

    value: Any = None
    fault: str | None = None


class _Guard:
    def __init__(self, directory: Path, framework_bases: tuple[str, ...]) -> None:
        self._directory = directory
        self._bases = framework_bases
        self._name: str | None = None

    def report(self) -> CompletenessReport:
        skipped = CompletenessStatus.SKIPPED
        if Path(os.path.realpath(self._directory)).name in EXEMPT_DIRECTORIES:
            return self._report(
                skipped, "Packages in a directory of this name publish no models of their own."
            )
        package = self._read_json(PACKAGE_FILE).value
        if not isinstance(package, dict):
            return self._report(skipped, f"There is no readable {PACKAGE_FILE}.")
        self._name = package["name"] if isinstance(package.get("name"), str) and package["name"] else None
        target = manifest_export(package.get("exports"))
        if target is None:
            return self._report(skipped, f"{PACKAGE_FILE} exports no ./manifest.")
        return self._compare(target)

    def _compare(self, target: str) -> CompletenessReport:
        scans, remarks = self._scan()
        resolver = InheritanceResolver(self._bases)
        resolver.add_files(scans)
        resolution = resolver.resolve_all()
        errors = _errors(scans, resolution, remarks)
        if errors:
            reason = "The source has errors, so what it calls for is not certain."
            return self._report(CompletenessStatus.SCAN_ERROR, reason, diagnostics=errors)
        manifest = ManifestAdapter(scans, self._name).to_manifest(resolution.classes)
        expected = tuple(sorted(_keys(manifest.document)))
        if not expected:
            return self._report(CompletenessStatus.SKIPPED, "There are no models below src/.")
        return self._compare_keys(target, expected)

    def _compare_keys(self, target: str, expected: tuple[str, ...]) -> CompletenessReport:
        path = posixpath.normpath(target)
        if self._is_outside(path):
            reason = f"{PACKAGE_FILE} exports the manifest from {target}, outside the package."
            return self._report(CompletenessStatus.MISSING_MANIFEST, reason, expected=expected)
        published = self._read_json(path)
        objects = published.value.get("objects") if isinstance(published.value, dict) else None
        if not isinstance(objects, dict):
            reason = f"{path} {published.fault or 'is no manifest'}; build the package first."
            return self._report(CompletenessStatus.MISSING_MANIFEST, reason, path, expected)
        missing = tuple(key for key in expected if key not in objects)
        if missing:
            reason = f"{path} lacks {len(missing)} of {len(expected)} models; build the package anew."
            return self._report(CompletenessStatus.INCOMPLETE, reason, path, expected, missing)
        reason = f"All {len(expected)} models are in {path}."
        return self._report(CompletenessStatus.OK, reason, path, expected)

    def _is_outside(self, path: str) -> bool:
        """Tell whether a normalised path leaves the package, by its text or through a link."""
        if path.startswith(("../", "/")) or path == "..":
            return True
        package = os.path.realpath(self._directory)
        try:
            target = os.path.realpath(self._directory / path)
        except ValueError:
            return False  # no file can have such a name, so reading it says what is wrong
        return os.path.commonpath((package, target)) != package

    def _scan(self) -> tuple[list[FileScan], tuple[Diagnostic, ...]]:
        found = discover_source_files(self._directory, SOURCE_POLICY)
        return [parse_file(self._directory / file.path, file.path) for file in found.files], found.diagnostics

    def _read_json(self, path: str) -> _JsonFile:
        limit = DEFAULT_MAX_FILE_BYTES if path == PACKAGE_FILE else _MAX_MANIFEST_BYTES
        outcome = read_source_file(self._directory / path, path, limit)
        if isinstance(outcome, Diagnostic):
            return _JsonFile(fault="does not exist" if outcome.code == "file-vanished" else "cannot be read")
        try:
            return _JsonFile(decode_document(outcome.removeprefix(_BYTE_ORDER_MARK)))
        except ValueError:
            return _JsonFile(fault="is not valid JSON")

    def _report(
        self,
        status: CompletenessStatus,
        reason: str,
        manifest_path: str | None = None,
        expected: tuple[str, ...] = (),
        missing: tuple[str, ...] = (),
        *,
        diagnostics: tuple[Diagnostic, ...] = (),
    ) -> CompletenessReport:
        directory = os.fspath(self._directory)
        return CompletenessReport(
            directory, status, reason, self._name, manifest_path, expected, missing, diagnostics
        )


def _errors(
    scans: Iterable[FileScan], resolution: Resolution, remarks: Iterable[Diagnostic]
) -> tuple[Diagnostic, ...]:
    everything = (*remarks, *(error for scan in scans for error in scan.errors), *resolution.diagnostics)
    errors = {diagnostic for diagnostic in everything if diagnostic.severity is Severity.ERROR}
    return tuple(sorted(errors, key=lambda diagnostic: diagnostic.sort_key))


def _keys(document: Mapping[str, Any]) -> Iterable[str]:
    objects = document["objects"]
    return objects if isinstance(objects, dict) else ()
