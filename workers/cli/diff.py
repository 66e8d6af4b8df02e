"""``scan-cluster diff``: what changed between two runs."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Final

import click

from scanner.serialization import encode_document
from workers.artifact_sets import read_artifacts
from workers.changes import Comparison, Impact, compare_artifacts
from workers.cli.diagnostics import print_bytes, print_lines
from workers.errors import ExitCode
from workers.history import History
from workers.history_references import artifact_source
from workers.reporting.changes_json import changes_document
from workers.reporting.changes_markdown import render_changes_markdown
from workers.reporting.changes_text import render_changes_text

_FORMATS: Final = ("text", "json", "markdown")
_FAIL_LEVELS: Final = {
    "breaking": {Impact.BREAKING},
    "compatible": {Impact.BREAKING, Impact.COMPATIBLE},
    "any": set(Impact),
    "never": set[Impact](),
}


@click.command("diff")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.option("--format", "output_format", type=click.Choice(_FORMATS), default="text", show_default=True)
@click.option(
    "--fail-on",
    type=click.Choice(tuple(_FAIL_LEVELS)),
    default="never",
    show_default=True,
    help="Exit with bit 1 for changes this grave or graver.",
)
@click.option(
    "--history",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help='Directory that runs were kept in with "run --history".',
)
def command(old: str, new: str, output_format: str, fail_on: str, history: Path | None) -> int:
    """Compare the artifacts of two runs, OLD and NEW, and print what changed.

    OLD and NEW are directories that "run --out" wrote, or name runs of a history: @latest, @-1 for the one before it,
    @2026-11-30 for the last one of a day (in UTC).

    Every change is breaking, compatible or cosmetic; what opens or closes a surface is marked. Moving or renaming files
    changes nothing. Exits with 1 only when --fail-on asks for it.
    """
    comparison = _compared(old, new, None if history is None else History(history))
    if output_format == "json":
        print_bytes(encode_document(changes_document(comparison)))
    elif output_format == "markdown":
        print_bytes(render_changes_markdown(comparison).encode())
    else:
        print_lines(render_changes_text(comparison))
    is_failing = any(change.impact in _FAIL_LEVELS[fail_on] for change in comparison.changes)
    return ExitCode.FINDINGS if is_failing else ExitCode.CLEAN


def _compared(old: str, new: str, history: History | None) -> Comparison:
    with nullcontext() if history is None else history.reading():
        before, after = (read_artifacts(artifact_source(reference, history)) for reference in (old, new))
    return compare_artifacts(before, after)
