"""``scan-cluster run``: the main job."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import Any, Final

import click

from scanner.project import ProjectResult
from workers.cli.diagnostics import print_diagnostics
from workers.cli.scan_options import (
    discovery_options,
    reading_options,
    root_argument,
    scan_options_of,
    settings_of,
)
from workers.configuration import DEPTHS, FAIL_LEVELS
from workers.driver import RunOutcome, RunRequest, execute_run
from workers.errors import ExitCode
from workers.progress import BarProgress, Progress, SilentProgress
from workers.reporting.gate import FailOn, is_failing

_DEFAULT_FAIL_ON: Final = "error"


@click.command("run")
@root_argument
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="Directory for the artifacts; replaced as a whole."
)
@discovery_options
@reading_options
@click.option(
    "--depth",
    type=click.Choice(DEPTHS),
    help="manifest: manifests and diagnostics. full: the raw record of every class too. [default: manifest]",
)
@click.option(
    "--fail-on", type=click.Choice(FAIL_LEVELS), help="Exit with bit 1 for findings this grave. [default: error]"
)
@click.option("--quiet", is_flag=True, default=None, help="Print nothing but errors of the command itself.")
@click.option("--progress/--no-progress", default=None, help="Show a progress bar. [default: on a terminal]")
def command(root: Path, out: Path, config: Path | None, **given: Any) -> int:
    """Scan the directory ROOT (default: the current one) and write its artifacts to --out.

    Writes index.json, diagnostics.json, a manifest.json for every package, and run.json. The artifacts of an earlier
    run are replaced in one step, and only when this run succeeds.
    """
    settings = settings_of(config, **given)
    request = RunRequest(root, out, scan_options_of(settings))
    show_bar = sys.stderr.isatty() if settings.progress is None else settings.progress
    bar = BarProgress(sys.stderr) if show_bar and not settings.quiet else None
    with bar or contextlib.nullcontext():
        progress: Progress = bar or SilentProgress()
        outcome = execute_run(request, progress)
    if not settings.quiet:
        print_diagnostics(outcome.result.diagnostics, root)
        click.echo(summary_line(outcome, out), err=True)
    return exit_code_of(outcome.result, settings.fail_on or _DEFAULT_FAIL_ON)


def exit_code_of(result: ProjectResult, fail_on: str) -> ExitCode:
    """Return the exit code of a scan that went through."""
    code = ExitCode.CLEAN
    if is_failing(result.diagnostics, FailOn(fail_on)):
        code |= ExitCode.FINDINGS
    if result.has_unscanned_input:
        code |= ExitCode.UNSCANNED
    return code


def summary_line(outcome: RunOutcome, out: Path) -> str:
    """Say in one line what a run did."""
    result, figures = outcome.result, outcome.figures
    models = sum(len(item.classes) for item in result.packages)
    speed = f", {figures.source_bytes / 1e6 / figures.seconds:.1f} MB/s" if figures.seconds else ""
    return (
        f"Scanned {_counted(figures.files, 'file')} of {_counted(len(result.packages), 'package')} in"
        f" {figures.seconds:.1f} s{speed}: {_counted(models, 'model')}. Artifacts are in {out}."
    )


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
