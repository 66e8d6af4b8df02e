"""``scan-cluster schema``: the JSON Schemas of artifacts and of what other commands print."""

from __future__ import annotations

import click

from scanner.schemas import load_schema, schema_names
from workers.cli.diagnostics import print_bytes, print_lines
from workers.errors import ExitCode, UsageError


@click.command("schema")
@click.argument("name", required=False)
def command(name: str | None) -> int:
    """Print the JSON Schema (draft 2020-12) called NAME, or the names of all schemas when there is no NAME.

    index, manifest, lineage, agent-surface, diagnostics, classes and run describe the artifacts of "run", where classes
    is one line of classes.ndjson; inspect describes a line that "inspect" prints, verify what "verify --format json"
    prints, diff what "diff --format json" prints, explain what "explain --format json" prints.
    """
    if name is None:
        print_lines(schema_names())
        return ExitCode.CLEAN
    try:
        schema = load_schema(name)
    except LookupError as error:
        raise UsageError(str(error)) from error
    print_bytes(schema)
    return ExitCode.CLEAN
