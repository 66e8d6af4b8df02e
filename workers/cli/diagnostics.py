"""Printing findings and other lines on the standard streams."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import click

from scanner.diagnostics import Diagnostic
from scanner.source_files import DEFAULT_MAX_FILE_BYTES, read_source_file
from workers.reporting.text import render_text


def print_diagnostics(diagnostics: Iterable[Diagnostic], root: Path, *, to_stderr: bool = False) -> None:
    """Print diagnostics for people, with excerpts of the sources below *root*."""

    def read_source(path: str) -> bytes | None:
        outcome = read_source_file(root / path, path, DEFAULT_MAX_FILE_BYTES)
        return outcome if isinstance(outcome, bytes) else None

    stream = sys.stderr if to_stderr else sys.stdout
    print_lines(render_text(diagnostics, read_source, color=stream.isatty()), to_stderr=to_stderr)


def print_lines(lines: Iterable[str], *, to_stderr: bool = False) -> None:
    """Print lines, also those that hold file name bytes which are no UTF-8."""
    stream = sys.stderr if to_stderr else sys.stdout
    errors = "surrogateescape" if stream.encoding.lower() == "utf-8" else "backslashreplace"
    for line in lines:
        click.echo(line.encode(stream.encoding, errors), file=stream)


def print_bytes(content: bytes) -> None:
    """Print a whole document on standard output."""
    click.echo(content, nl=False)
