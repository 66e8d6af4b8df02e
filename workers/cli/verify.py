"""``scan-cluster verify``: the completeness guard for packages about to be published."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from scanner.artifacts import diagnostic_entry
from scanner.completeness import CompletenessReport, verify_manifest_completeness
from scanner.serialization import JsonValue, encode_document, to_json
from workers.cli.diagnostics import print_bytes, print_diagnostics, print_lines
from workers.cli.option_group import framework_base_option
from workers.driver import require_directory
from workers.errors import ExitCode
from workers.reporting.wording import visible

_FORMATS: Final = ("text", "json")


@click.command("verify")
@click.argument("package_dirs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--format", "output_format", type=click.Choice(_FORMATS), default="text", show_default=True)
@framework_base_option
@click.option("--quiet", is_flag=True, help="Print failing packages only.")
def command(
    package_dirs: tuple[Path, ...],
    output_format: str,
    framework_bases: tuple[str, ...],
    quiet: bool,  # noqa: FBT001 -- click passes flags
) -> int:
    """Check that every model below src/ of each of PACKAGE_DIRS reached the manifest that the package publishes.

    A package is ok, incomplete (its manifest lacks models), missing-manifest, scan-error (its source has errors) or
    skipped (it publishes no manifest, or has no models). Exits with 1 unless every package is ok or skipped.
    """
    for directory in package_dirs:
        require_directory(directory)
    reports = [verify_manifest_completeness(directory, framework_bases) for directory in package_dirs]
    shown = [report for report in reports if report.status.is_failure or not quiet]
    if output_format == "json":
        print_bytes(encode_document({"packages": [_entry(report) for report in shown]}))
    else:
        _print_text(shown)
    return ExitCode.FINDINGS if any(report.status.is_failure for report in reports) else ExitCode.CLEAN


def _entry(report: CompletenessReport) -> JsonValue:
    """Return a report as JSON data, its diagnostics in the shape that they have in every document."""
    entry = to_json(report)
    diagnostics: list[JsonValue] = [diagnostic_entry(diagnostic) for diagnostic in report.diagnostics]
    return {**entry, "diagnostics": diagnostics} if isinstance(entry, dict) else entry


def _print_text(reports: Sequence[CompletenessReport]) -> None:
    for report in reports:
        print_lines([visible(f"{report.directory}: {report.status.value}. {report.reason}")])
        print_lines(visible(f"  missing {key}") for key in report.missing)
        if report.diagnostics:
            print_diagnostics(report.diagnostics, Path(report.directory))
