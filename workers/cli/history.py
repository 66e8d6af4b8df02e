"""``scan-cluster history``: which runs a history holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from scanner.artifacts import INDEX_FILE
from scanner.serialization import decode_document
from workers.changes.values import as_mapping
from workers.cli.diagnostics import print_lines
from workers.errors import ExitCode, UsageError
from workers.history import History
from workers.history_references import KeptRun, open_run
from workers.reporting.wording import counted


@click.command("history")
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
def command(directory: Path) -> int:
    """List the runs that DIR keeps, the newest first, with what "diff --history DIR" calls them.

    "run --history DIR" adds a run.
    """
    history = History(directory)
    with history.reading():
        names = history.names()
        older: KeptRun | None = None
        lines = []
        for age, name in zip(range(len(names) - 1, -1, -1), names, strict=True):
            kept = open_run(history, name)
            lines.append(f"{'@latest' if age == 0 else f'@-{age}':<8} {name}  {_summary(kept, older)}")
            older = kept
        objects = history.objects()
    print_lines(reversed(lines))
    size = sum(path.stat().st_size for path in objects.values())
    click.echo(f"{counted(len(names), 'run')}, {counted(len(objects), 'object')}, {size} bytes.")
    return ExitCode.CLEAN


def _summary(kept: KeptRun, older: KeptRun | None) -> str:
    """Say what a run found, or that it found what the one before it did."""
    if older is not None and older.digests.get(INDEX_FILE) == kept.digests.get(INDEX_FILE):
        return "as the run before it"
    try:
        totals = as_mapping(as_mapping(decode_document(kept.read(INDEX_FILE))).get("totals"))
    except ValueError as error:
        raise UsageError(f"{kept.label}: {INDEX_FILE} is damaged: {error}.") from error
    found = as_mapping(totals.get("diagnostics"))
    numbers = [
        (totals, "models"),
        (totals, "intents"),
        (totals, "playbooks"),
        (found, "error"),
        (found, "warning"),
    ]
    return ", ".join(counted(_number(holder, key), key.removesuffix("s")) for holder, key in numbers)


def _number(holder: Any, key: str) -> int:
    value = holder.get(key)
    return value if isinstance(value, int) else 0
