"""``scan-cluster run``: the main job."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

import click

from workers.cli.diagnostics import print_lines
from workers.cli.history_options import history_of, history_options, retention_of
from workers.cli.reporting_options import load_baseline, report, report_request, reporting_options
from workers.cli.scan_options import (
    cache_of,
    discovery_options,
    execution_of,
    execution_options,
    reading_options,
    root_argument,
    scan_options_of,
    settings_of,
    surface_options,
)
from workers.configuration import DEPTHS, RESOLUTIONS, Settings
from workers.driver import RunOutcome, execute_run, plan_run
from workers.errors import ExitCode
from workers.progress import BarProgress, LineProgress, Progress, SilentProgress
from workers.reporting.gate import FailOn
from workers.reporting.wording import counted
from workers.request import RunRequest
from workers.tool_names import load_tool_names

_SHOWN_PACKAGES: Final = 20


@click.command("run")
@root_argument
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    help="Directory for the artifacts; replaced as a whole.",
)
@discovery_options
@reading_options
@surface_options
@click.option(
    "--resolution",
    type=click.Choice(RESOLUTIONS),
    help="How parents and type aliases are found. imports: where imports lead, else by the bare name. names: by the"
    " bare name in the package alone. [default: imports]",
)
@click.option(
    "--package",
    "packages",
    multiple=True,
    metavar="NAME",
    help="Show the packages with this name alone; all are read. Globs such as '@acme/*', and '!NAME' for all but that."
    " Repeatable.",
)
@click.option(
    "--depth",
    type=click.Choice(DEPTHS),
    help="manifest: manifests, agent surface, diagnostics. full: the raw record of every class too."
    " [default: manifest]",
)
@execution_options
@click.option("--plan", is_flag=True, help="Show how the files would be split among workers, and stop.")
@history_options
@reporting_options
@click.option("--quiet", is_flag=True, default=None, help="Print nothing but errors of the command itself.")
@click.option("--progress/--no-progress", default=None, help="Show a progress bar. [default: on a terminal]")
def command(root: Path, out: Path, config: Path | None, plan: bool, **given: Any) -> int:  # noqa: FBT001 -- click passes flags
    """Scan the directory ROOT (default: the current one) and write its artifacts to --out.

    Writes index.json, agent-surface.json, diagnostics.json and .sarif, a manifest.json and a lineage.json for every
    package, and run.json. The artifacts of an earlier run are replaced in one step, and only when this run succeeds.

    Findings are printed on standard output, everything about the run itself on standard error. --fail-on is "error"
    unless it is set.
    """
    settings = settings_of(config, **given)
    request = report_request(settings, default=FailOn.ERROR)
    known = None if request.baseline is None else load_baseline(request.baseline)
    names = None if settings.generated_tool_names is None else load_tool_names(settings.generated_tool_names)
    run_request = RunRequest(
        root,
        out,
        scan_options_of(settings),
        names,
        execution_of(settings),
        cache_of(settings),
        history_of(settings),
        retention_of(settings),
    )
    if plan:
        _print_plan(run_request)
        return ExitCode.CLEAN
    with _progress(settings) as progress:
        outcome = execute_run(run_request, progress)
    code = ExitCode.CLEAN
    if known is not None:
        known = known.within(outcome.result.selection.covers)
    if report(outcome.result.diagnostics, root, request, known):
        code |= ExitCode.FINDINGS
    if outcome.result.has_unscanned_input:
        code |= ExitCode.UNSCANNED
    if not request.is_quiet:
        for remark in (*outcome.figures.cache_remarks, *outcome.figures.history_remarks):
            click.echo(remark, err=True)
        for line in summary_lines(outcome, out):
            click.echo(line, err=True)
    return code


def _progress(settings: Settings) -> Progress:
    if settings.quiet:
        return SilentProgress()
    show_bar = sys.stderr.isatty() if settings.progress is None else settings.progress
    return BarProgress(sys.stderr) if show_bar else LineProgress(sys.stderr)


def _print_plan(request: RunRequest) -> None:
    """Show how the files would be split, without scanning any."""
    plan = plan_run(request)
    for shard in plan.shards:
        click.echo(f"shard {shard.number}: {counted(len(shard.files), 'file')}, {shard.size} bytes")
        print_lines(f"  {file.path}  {file.size}" for file in shard.files)
    click.echo(
        f"{counted(plan.files, 'file')}, {plan.size} bytes in {counted(len(plan.shards), 'shard')} for"
        f" {counted(plan.workers, 'worker')}."
    )


def summary_lines(outcome: RunOutcome, out: Path) -> list[str]:
    """Say what a run found, package by package, and what it took."""
    result, figures = outcome.result, outcome.figures
    holding = [item.facts for item in result.packages if item.facts.models]
    width = max((len(item.package.name or "(no name)") for item in holding), default=0)
    lines = [
        f"  {item.package.name or '(no name)':<{width}}  {counted(item.models, 'model')}"
        for item in holding[:_SHOWN_PACKAGES]
    ]
    if len(holding) > _SHOWN_PACKAGES:
        lines.append(f"  and {len(holding) - _SHOWN_PACKAGES} more packages with models")
    models = sum(item.facts.models for item in result.packages)
    asked = (
        f", {len(result.packages)} of them asked for," if len(result.packages) < len(result.listed) else ""
    )
    speed = f" ({figures.source_bytes / 1e6 / figures.seconds:.1f} MB/s)" if figures.seconds else ""
    lines.append(
        f"Scanned {counted(figures.files, 'file')} of {counted(len(result.listed), 'package')}{asked} in"
        f" {figures.seconds:.1f} s{speed}: {counted(models, 'model')},"
        f" {counted(len(result.surface.intents), 'intent')}, {counted(len(result.surface.playbooks), 'playbook')}."
    )
    lines.append(f"Artifacts are in {out}.")
    return lines
