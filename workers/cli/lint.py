"""``scan-cluster lint``: numeric-precision findings alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from scanner.diagnostics import CODES, Diagnostic
from scanner.discovery import discover_source_files
from scanner.file_scan import scan_bytes
from scanner.numeric_precision import (
    finding_diagnostic,
    lint_numeric_precision,
    source_may_contain_numeric_precision_issue,
)
from scanner.options import ScanOptions
from scanner.source_files import read_source_file
from workers.cli.reporting_options import load_baseline, report, report_request, reporting_options
from workers.cli.scan_options import (
    discovery_options,
    reading_options,
    root_argument,
    scan_options_of,
    settings_of,
)
from workers.driver import require_directory
from workers.errors import ExitCode
from workers.reporting.gate import FailOn


@click.command("lint")
@root_argument
@discovery_options
@reading_options
@reporting_options
def command(root: Path, config: Path | None, **given: Any) -> int:
    """Find persisted number fields below ROOT (default: the current directory) whose default contradicts their name.

    Money is kept in whole minor units, so a default with a decimal point is a finding; a rate is a fraction, so a
    default without one is. --fail-on is "warning" unless it is set.
    """
    settings = settings_of(config, **given)
    require_directory(root)
    request = report_request(settings, default=FailOn.WARNING)
    known = None if request.baseline is None else load_baseline(request.baseline)
    diagnostics = lint_directory(root, scan_options_of(settings))
    code = ExitCode.CLEAN
    if report(diagnostics, root, request, known):
        code |= ExitCode.FINDINGS
    if any(CODES[diagnostic.code].is_unscanned for diagnostic in diagnostics):
        code |= ExitCode.UNSCANNED
    return code


def lint_directory(root: Path, options: ScanOptions) -> tuple[Diagnostic, ...]:
    """Return the findings below *root*, with a diagnostic for every file that could not be read or parsed whole."""
    found = discover_source_files(root, options.discovery)
    diagnostics: list[Diagnostic] = list(found.diagnostics)
    for file in found.files:
        outcome = read_source_file(root / file.path, file.path, options.max_file_bytes)
        if isinstance(outcome, Diagnostic):
            diagnostics.append(outcome)
        elif source_may_contain_numeric_precision_issue(outcome):
            scan = scan_bytes(outcome, file.path)
            diagnostics.extend(error for error in scan.errors if error.code != "unresolved-config")
            diagnostics.extend(map(finding_diagnostic, lint_numeric_precision([scan])))
    return tuple(sorted(diagnostics, key=lambda diagnostic: diagnostic.sort_key))
