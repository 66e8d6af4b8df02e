"""``scan-cluster inspect``: single source files as JSON lines."""

from __future__ import annotations

from pathlib import Path

import click

from scanner.file_scan import DEFAULT_MAX_FILE_BYTES, parse_file
from workers.errors import ExitCode
from workers.inspection import InspectionSettings, inspect_scan

_DEFAULTS = InspectionSettings()


@click.command("inspect")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--package-name", default=_DEFAULTS.package_name, show_default=True, help="Package that the files belong to."
)
@click.option("--package-version", default=_DEFAULTS.package_version, show_default=True, help="Its version.")
@click.option(
    "--framework-base",
    "framework_bases",
    multiple=True,
    metavar="NAME",
    help="A further class name that counts as a framework base. Repeatable.",
)
@click.option(
    "--max-file-bytes",
    type=click.IntRange(min=1),
    default=DEFAULT_MAX_FILE_BYTES,
    show_default=True,
    help="Report larger files instead of scanning them.",
)
def command(
    files: tuple[Path, ...],
    package_name: str,
    package_version: str,
    framework_bases: tuple[str, ...],
    max_file_bytes: int,
) -> int:
    """Print one JSON line for each of FILES, in the order given.

    A line holds the file's raw records, the models they resolve to, the manifest of the file alone, and everything
    there is to say about it. A file that cannot be read gives a line with its diagnostic, and exit-code bit 4.
    """
    settings = InspectionSettings(package_name, package_version, framework_bases)
    code = ExitCode.CLEAN
    for file in files:
        inspection = inspect_scan(parse_file(file, file.name, max_file_bytes), settings)
        click.echo(inspection.line, nl=False)
        if inspection.is_unscanned:
            code |= ExitCode.UNSCANNED
    return code
