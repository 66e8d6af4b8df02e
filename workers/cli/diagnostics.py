"""Printing diagnostics on standard output."""

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
    stream = sys.stderr if to_stderr else sys.stdout

    def read_source(path: str) -> bytes | None:
        outcome = read_source_file(root / path, path, DEFAULT_MAX_FILE_BYTES)
        return outcome if isinstance(outcome, bytes) else None

    for line in render_text(diagnostics, read_source, color=stream.isatty()):
        click.echo(_printable(line, stream.encoding), file=stream)


def _printable(line: str, encoding: str) -> bytes | str:
    """Return a line as it can be printed, also when it holds file name bytes that are no UTF-8."""
    return line.encode(encoding, "surrogateescape" if encoding.lower() == "utf-8" else "backslashreplace")
