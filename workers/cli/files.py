"""``scan-cluster files``: what discovery takes, and why a path is left out."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from scanner.diagnostics import CODES
from scanner.discovery import discover_source_files, explain_path
from workers.cli.diagnostics import print_diagnostics
from workers.cli.scan_options import discovery_options, root_argument, scan_options_of, settings_of
from workers.driver import require_directory
from workers.errors import ExitCode


@click.command("files")
@root_argument
@discovery_options
@click.option(
    "--explain", metavar="PATH", help="Say why this one path is taken or left out, instead of listing files."
)
@click.option("--null", "-0", is_flag=True, help="End each path with a NUL byte instead of a line end.")
def command(root: Path, config: Path | None, explain: str | None, null: bool, **given: Any) -> int:  # noqa: FBT001 -- click passes flags
    """List the files that a scan of ROOT (default: the current directory) takes, sorted, relative to ROOT."""
    policy = scan_options_of(settings_of(config, **given)).discovery
    require_directory(root)
    if explain is not None:
        explanation = explain_path(root, policy, explain)
        click.echo(os.fsencode(f"{explanation.path}: {explanation.reason}"))
        return ExitCode.CLEAN
    found = discover_source_files(root, policy)
    end = b"\0" if null else b"\n"
    for file in found.files:
        click.echo(os.fsencode(file.path) + end, nl=False)
    if not found.diagnostics:
        return ExitCode.CLEAN
    print_diagnostics(found.diagnostics, root, to_stderr=True)
    is_incomplete = any(CODES[diagnostic.code].is_unscanned for diagnostic in found.diagnostics)
    return ExitCode.UNSCANNED if is_incomplete else ExitCode.CLEAN
