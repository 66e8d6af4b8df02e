"""``scan-cluster explain``: where a class, its parents, fields and methods come from."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Final

import click

from scanner.serialization import encode_document
from workers.artifact_sets import read_artifacts
from workers.cli.diagnostics import print_bytes, print_lines
from workers.errors import ExitCode
from workers.history import History
from workers.history_references import artifact_source
from workers.lineages.explanation import Explanation, explain_class, find_class, known_classes
from workers.lineages.reading import read_lineages
from workers.reporting.explanation_json import explanation_document
from workers.reporting.explanation_text import render_explanation
from workers.reporting.wording import visible

_FORMATS: Final = ("text", "json")


@click.command("explain")
@click.argument("run", metavar="DIR")
@click.argument("name", metavar="CLASS")
@click.option("--format", "output_format", type=click.Choice(_FORMATS), default="text", show_default=True)
@click.option(
    "--history",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help='Directory that runs were kept in with "run --history".',
)
def command(run: str, name: str, output_format: str, history: Path | None) -> int:
    """Tell where a class comes from: each parent and how it was found, each field and method and who declares it.

    DIR is a directory that "run --out" wrote, or names a run of a history: @latest, @-1 for the one before it.

    CLASS is the name of a model or of an ancestor of one, or @package/name:Class, or path/to/file.ts#Class.
    """
    explanation, altered = _explained(run, name, None if history is None else History(history))
    for path in altered:
        click.echo(
            visible(f"{path} was changed after the run, so this may not be what the run found."), err=True
        )
    if output_format == "json":
        print_bytes(encode_document(explanation_document(explanation)))
    else:
        print_lines(render_explanation(explanation))
    return ExitCode.CLEAN


def _explained(run: str, name: str, history: History | None) -> tuple[Explanation, list[str]]:
    with nullcontext() if history is None else history.reading():
        source = artifact_source(run, history)
        artifacts = read_artifacts(source)
        lineages, altered = read_lineages(source, artifacts.index)
    known = find_class(known_classes(artifacts, lineages), name)
    return explain_class(known), [*artifacts.altered, *altered]
