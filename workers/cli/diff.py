"""``scan-cluster diff``: what changed between two runs."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from scanner.serialization import encode_document
from workers.artifact_sets import ArtifactDirectory, ArtifactSource, read_artifacts
from workers.changes import Comparison, Impact, compare_artifacts
from workers.cli.diagnostics import print_bytes, print_lines
from workers.errors import ExitCode, UsageError
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
def command(old: str, new: str, output_format: str, fail_on: str) -> int:
    """Compare the artifacts of two runs, OLD and NEW, and print what changed.

    OLD and NEW are directories that "run --out" wrote.

    Every change is breaking, compatible or cosmetic; what opens or closes a surface is marked. Moving or renaming files
    changes nothing. Exits with 1 only when --fail-on asks for it.
    """
    comparison = _compared(_source(old), _source(new))
    if output_format == "json":
        print_bytes(encode_document(changes_document(comparison)))
    elif output_format == "markdown":
        print_bytes(render_changes_markdown(comparison).encode())
    else:
        print_lines(render_changes_text(comparison))
    is_failing = any(change.impact in _FAIL_LEVELS[fail_on] for change in comparison.changes)
    return ExitCode.FINDINGS if is_failing else ExitCode.CLEAN


def _source(reference: str) -> ArtifactSource:
    return ArtifactDirectory(Path(reference), reference)


def _compared(old: ArtifactSource, new: ArtifactSource) -> Comparison:
    try:
        return compare_artifacts(read_artifacts(old), read_artifacts(new))
    except RecursionError as error:
        raise UsageError(
            f"The artifacts of {old.label} or {new.label} hold values that are nested too deeply."
        ) from error
