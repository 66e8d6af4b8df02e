"""``scan-cluster report``: what a run found, as one HTML page."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import click

from scanner.source_files import DEFAULT_MAX_FILE_BYTES, read_source_file
from workers.artifact_sets import ArtifactSource
from workers.changes import compare_artifacts
from workers.errors import ExitCode, UsageError
from workers.history import History
from workers.history_references import artifact_source, is_reference, open_run
from workers.output import is_artifact_directory, write_file
from workers.report.document import ReportInput, report_document
from workers.report.findings import SourceReader
from workers.report.inputs import ReportedRun, TrendPoint, position_in, read_run, read_trends
from workers.report.page import render_page
from workers.reporting.wording import counted


@click.command("report")
@click.argument("run", metavar="DIR")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("report.html"),
    show_default=True,
    help="The file to write.",
)
@click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The directory that was scanned: findings are shown with their source lines.",
)
@click.option(
    "--history",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help='Directory that runs were kept in with "run --history": the page shows trends and what changed.',
)
@click.option(
    "--since",
    metavar="RUN",
    help="Show what changed since this run, a directory or a kept run. [default: the kept run before]",
)
def command(run: str, out: Path, root: Path | None, history: Path | None, since: str | None) -> int:
    """Write what a run found as one HTML page, which needs no network and no other file.

    DIR is a directory that "run --out" wrote, or names a run of a history: @latest, @-1 for the one before it.

    A run of "--depth full" gives a fuller page: the lines of classes, and which of them have @smrt().
    """
    _check_place(run, out)
    given = _read(run, since, None if history is None else History(history))
    write_file(out, render_page(report_document(given, _source_reader(root))))
    totals = given.run.artifacts.index.get("totals", {})
    click.echo(f"Wrote {out}: {counted(totals.get('models', 0), 'model')}. Open it in a browser.", err=True)
    return ExitCode.CLEAN


def _check_place(run: str, out: Path) -> None:
    """Keep the page out of directories that a run replaces."""
    if is_artifact_directory(out.parent):
        what = run if not is_reference(run) and Path(run).resolve() == out.parent.resolve() else out.parent
        raise UsageError(
            f"{out} would stand among the artifacts in {what}, which the next run replaces. Choose another --out."
        )


def _read(run: str, since: str | None, history: History | None) -> ReportInput:
    with nullcontext() if history is None else history.reading():
        source = artifact_source(run, history)
        reported = read_run(source)
        before = None if since is None else artifact_source(since, history)
        trends: tuple[TrendPoint, ...] = ()
        if history is not None:
            trends, kept_before = _kept(history, source, reported)
            before = before or kept_before
        earlier = None if before is None else read_run(before)
    comparison = None if earlier is None else compare_artifacts(earlier.artifacts, reported.artifacts)
    return ReportInput(reported, comparison, earlier, trends)


def _kept(
    history: History, source: ArtifactSource, reported: ReportedRun
) -> tuple[tuple[TrendPoint, ...], ArtifactSource | None]:
    """Return the trends that end with a run, and the kept run before it."""
    position, names = position_in(history, source)
    older = names if position is None else names[:position]
    before = open_run(history, older[-1]) if older else None
    if position is not None:
        return read_trends(history, names[: position + 1]), before
    own = TrendPoint("this run", reported.artifacts.index, reported.figures)
    return (*read_trends(history, names), own), before


def _source_reader(root: Path | None) -> SourceReader:
    """Return what reads sources below *root*, and nothing outside of it, whatever a path says."""
    place = None if root is None else root.resolve()

    def read(path: str) -> bytes | None:
        if place is None:
            return None
        try:
            is_inside = (place / path).resolve().is_relative_to(place)
        except (OSError, ValueError):
            return None
        outcome = read_source_file(place / path, path, DEFAULT_MAX_FILE_BYTES) if is_inside else None
        return outcome if isinstance(outcome, bytes) else None

    return read
