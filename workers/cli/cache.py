"""``scan-cluster cache``: what the cache of scan results holds, and clearing it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

import click
import orjson

from workers.cache.database import DATABASE_ERRORS, Database, Inventory
from workers.cache.directory import DATABASE, ForeignDirectoryError, clear, disk_usage, is_cache_directory
from workers.cli.cache_location import default_cache_directory
from workers.errors import CommandError, ExitCode, UsageError

_BUSY_SECONDS: Final = 5.0


@click.group("cache")
def command() -> None:
    """Show or clear the cache of scan results.

    The cache keeps what earlier scans found, so that files that did not change are not scanned again. It can be
    removed at any time.
    """


def _directory_option(function: Any) -> Any:
    return click.option(
        "--cache",
        "directory",
        metavar="DIR",
        type=click.Path(path_type=Path),
        help="Directory of the cache. [default: scan-cluster in the user's cache directory]",
    )(function)


@command.command("info")
@_directory_option
def info(directory: Path | None) -> int:
    """Print where the cache is, its size, what it holds, and the versions that its results are of."""
    directory = directory or default_cache_directory()
    if not _require_cache(directory):
        return ExitCode.CLEAN
    _print_line(f"directory: {directory}")
    click.echo(f"size: {disk_usage(directory)} bytes")
    inventory = _inventory(directory)
    click.echo(f"results: {inventory.results}")
    click.echo(f"known files: {inventory.files}")
    for label, count in inventory.generations:
        _print_line(f"{_versions(label)}: {count}")
    return ExitCode.CLEAN


@command.command("clear")
@_directory_option
def clear_command(directory: Path | None) -> int:
    """Remove the files of the cache, and its directory if nothing else is in it."""
    directory = directory or default_cache_directory()
    if not _require_cache(directory):
        return ExitCode.CLEAN
    size = disk_usage(directory)
    try:
        clear(directory)
    except OSError as error:
        raise CommandError(f"Cannot clear the cache in {directory}: {error.strerror or error}.") from error
    except ForeignDirectoryError as error:
        raise UsageError(f"{error}; nothing was removed.") from error
    _print_line(f"Removed {size} bytes from {directory}.")
    return ExitCode.CLEAN


def _require_cache(directory: Path) -> bool:
    """Tell whether there is a cache, saying so if there is nothing; refuse what is something else."""
    try:
        if is_cache_directory(directory):
            return True
        is_empty = not os.listdir(directory)  # noqa: PTH208 -- names are wanted, not paths
    except FileNotFoundError:
        is_empty = True
    except OSError as error:
        raise UsageError(f"Cannot look into {directory}: {error.strerror or error}.") from error
    if not is_empty:
        raise UsageError(f"{directory} is no cache of scan results; nothing was touched.")
    _print_line(f"There is no cache in {directory}.")
    return False


def _inventory(directory: Path) -> Inventory:
    if not (directory / DATABASE).exists():
        return Inventory(0, 0, ())
    try:
        database = Database(directory / DATABASE, _BUSY_SECONDS)
        try:
            return database.inventory()
        finally:
            database.close()
    except DATABASE_ERRORS as error:
        raise CommandError(
            f"The cache in {directory} cannot be read: {error}. Clear it with: scan-cluster cache clear"
        ) from error


def _versions(label: str) -> str:
    """Return a generation's versions as text for people."""
    try:
        content = orjson.loads(label)
        parts = [f"{content['tool']['name']} {content['tool']['version']}"]
        parts += [f"{name} {version}" for name, version in content["grammars"].items()]
    except (ValueError, KeyError, TypeError, AttributeError):
        return "unknown versions"
    return ", ".join(parts)


def _print_line(text: str) -> None:
    click.echo(os.fsencode(text))
