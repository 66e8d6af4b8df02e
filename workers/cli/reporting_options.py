"""Options that decide how findings are shown and which of them count."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from scanner.artifacts import diagnostics_document, tool_version
from scanner.diagnostics import Diagnostic
from scanner.serialization import encode_document
from scanner.source_files import read_source_file
from workers.cli.diagnostics import print_bytes, print_diagnostics, print_lines
from workers.cli.option_group import option_group
from workers.configuration import FAIL_LEVELS, FORMATS, Settings
from workers.errors import UsageError
from workers.output import write_file
from workers.reporting.baseline import Baseline, read_baseline, write_baseline
from workers.reporting.gate import FailOn, is_failing
from workers.reporting.github import render_github
from workers.reporting.sarif import sarif_document

_MAX_BASELINE_BYTES: Final = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """How findings are shown, and which count.

    Attributes:
        format: One of :data:`FORMATS`.
        fail_on: Gravity that sets exit-code bit 1.
        baseline: File of findings that are known and neither shown nor counted.
        new_baseline: File that all findings of this run are written to; none of them counts then.
        is_quiet: Whether nothing is shown.
    """

    format: str
    fail_on: FailOn
    baseline: Path | None
    new_baseline: Path | None
    is_quiet: bool = False


reporting_options = option_group(
    click.option("--format", type=click.Choice(FORMATS), help="How findings are printed. [default: text]"),
    click.option(
        "--fail-on", type=click.Choice(FAIL_LEVELS), help="Exit with bit 1 for findings this grave."
    ),
    click.option(
        "--baseline",
        type=click.Path(dir_okay=False, path_type=Path),
        help="File of known findings; only new ones are shown and counted.",
    ),
    click.option(
        "--write-baseline",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Write all findings of this run to this file, as known ones from now on.",
    ),
)
"""The options that decide how findings are shown and which count."""


def report_request(settings: Settings, *, default: FailOn) -> ReportRequest:
    """Return how findings are to be shown and counted."""
    return ReportRequest(
        format=settings.format or "text",
        fail_on=default if settings.fail_on is None else FailOn(settings.fail_on),
        baseline=settings.baseline,
        new_baseline=settings.write_baseline,
        is_quiet=bool(settings.quiet),
    )


def load_baseline(path: Path) -> Baseline:
    """Read a baseline file.

    Raises:
        UsageError: It is missing or no baseline.
    """
    outcome = read_source_file(path, str(path), _MAX_BASELINE_BYTES)
    if isinstance(outcome, Diagnostic):
        raise UsageError(
            f"Cannot read the baseline {path}: {outcome.message} Make one with --write-baseline."
        )
    try:
        return read_baseline(outcome)
    except ValueError as error:
        raise UsageError(f"{path} is no baseline: {error}") from error


def report(
    diagnostics: Sequence[Diagnostic], root: Path, request: ReportRequest, known: Baseline | None
) -> bool:
    """Show findings and tell whether they make the command fail.

    Args:
        diagnostics: All findings.
        root: The scanned directory, for excerpts.
        request: How to show and count them.
        known: The baseline that was asked for, loaded.
    """
    if request.new_baseline is not None:
        write_file(request.new_baseline, write_baseline(diagnostics))
        _note(
            request,
            f"Wrote {len(diagnostics)} findings to {request.new_baseline}; they count as known from now on.",
        )
        return False
    shown = tuple(diagnostics)
    if known is not None:
        split = known.split(diagnostics)
        shown = split.new
        _note(
            request, f"Baseline: {len(split.known)} known findings are not shown, {len(split.gone)} are gone."
        )
    if not request.is_quiet:
        _PRINTERS[request.format](shown, root)
    return is_failing(shown, request.fail_on)


def _note(request: ReportRequest, message: str) -> None:
    if not request.is_quiet:
        click.echo(message, err=True)


def _print_json(diagnostics: Sequence[Diagnostic], _root: Path) -> None:
    print_bytes(encode_document(diagnostics_document(diagnostics)))


def _print_sarif(diagnostics: Sequence[Diagnostic], _root: Path) -> None:
    print_bytes(encode_document(sarif_document(diagnostics, tool_version())))


def _print_github(diagnostics: Sequence[Diagnostic], _root: Path) -> None:
    print_lines(render_github(diagnostics))


_PRINTERS: Final[dict[str, Callable[[Sequence[Diagnostic], Path], None]]] = {
    "text": print_diagnostics,
    "json": _print_json,
    "github": _print_github,
    "sarif": _print_sarif,
}
