"""``scan-cluster inspect``: single source files as JSON lines."""

from __future__ import annotations

from pathlib import Path

import click

from scanner.file_scan import parse_file
from scanner.records import FileRole
from scanner.source_files import DEFAULT_MAX_FILE_BYTES
from workers.cli.option_group import framework_base_option
from workers.errors import ExitCode
from workers.inspection import InspectionSettings, inspect_scan
from workers.tree_inspection import inspect_tree, load_tree_request

_DEFAULTS = InspectionSettings()


@click.command("inspect")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--package-name",
    default=_DEFAULTS.package_name,
    show_default=True,
    help="Package that the files belong to.",
)
@click.option("--package-version", default=_DEFAULTS.package_version, show_default=True, help="Its version.")
@framework_base_option
@click.option(
    "--max-file-bytes",
    type=click.IntRange(min=1),
    default=DEFAULT_MAX_FILE_BYTES,
    show_default=True,
    help="Report larger files instead of scanning them.",
)
@click.option(
    "--options",
    "options_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="For a directory: JSON file with cwd, include, exclude, followSymbolicLinks, agentSurface,"
    " agentSurfaceInclude, svelteInclude, baseClasses.",
)
def command(
    paths: tuple[Path, ...],
    package_name: str,
    package_version: str,
    framework_bases: tuple[str, ...],
    max_file_bytes: int,
    options_file: Path | None,
) -> int:
    """Print one JSON line for each of PATHS, in the order given.

    A line holds the file's raw records, the models they resolve to, the manifest of the file alone, and everything
    there is to say about it. A file that cannot be read gives a line with its diagnostic, and exit-code bit 4. A
    directory is read as one package and gives one line for all of it.
    """
    settings = InspectionSettings(package_name, package_version, framework_bases)
    code = ExitCode.CLEAN
    for path in paths:
        if path.is_dir():
            inspection = inspect_tree(load_tree_request(path, options_file))
        else:
            inspection = inspect_scan(parse_file(path, path.name, max_file_bytes, _role_of(path)), settings)
        click.echo(inspection.line, nl=False)
        if inspection.is_unscanned:
            code |= ExitCode.UNSCANNED
    return code


def _role_of(path: Path) -> FileRole:
    return FileRole.MARKUP if path.suffix == ".svelte" else FileRole.CLASSES
