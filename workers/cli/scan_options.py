"""Options that several subcommands share, and how they become one frozen record."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from scanner.discovery import (
    AGENT_SURFACE_INCLUDE,
    DEFAULT_EXCLUDE,
    DEFAULT_INCLUDE,
    SVELTE_INCLUDE,
    DiscoveryPolicy,
    PatternError,
)
from scanner.discovery.policy import compile_policy
from scanner.options import Depth, Resolution, ScanOptions, SurfaceOptions
from scanner.selection import check_selection_patterns
from scanner.source_files import DEFAULT_MAX_FILE_BYTES
from scanner.sources import source_policies
from workers.cli.cache_location import default_cache_directory
from workers.cli.option_group import framework_base_option, option_group
from workers.configuration import Settings, load_settings
from workers.errors import UsageError
from workers.execution import BACKENDS, DEFAULT_FILE_SECONDS, Execution

root_argument = click.argument("root", default=".", type=click.Path(path_type=Path))


discovery_options = option_group(
    click.option(
        "--config",
        type=click.Path(dir_okay=False, path_type=Path),
        help="TOML file with settings; the command line wins over it.",
    ),
    click.option(
        "--include",
        multiple=True,
        metavar="GLOB",
        help="Files to take, instead of the defaults. Repeatable.",
    ),
    click.option(
        "--exclude",
        multiple=True,
        metavar="GLOB",
        help="Files to leave out, instead of the defaults; node_modules and hidden paths always are. Repeatable.",
    ),
    click.option(
        "--follow-symlinks/--no-follow-symlinks",
        default=None,
        help="Follow symbolic links to files and directories (off by default).",
    ),
)
"""The options that decide which files are sources."""


reading_options = option_group(
    click.option(
        "--max-file-bytes",
        type=click.IntRange(min=1),
        help=f"Report larger files instead of scanning them. [default: {DEFAULT_MAX_FILE_BYTES}]",
    ),
    framework_base_option,
)
"""The options that decide how files are read."""


surface_options = option_group(
    click.option(
        "--agent-surface/--no-agent-surface",
        default=None,
        help="Look for defineIntent and definePlaybook declarations (on by default).",
    ),
    click.option(
        "--agent-surface-include",
        multiple=True,
        metavar="GLOB",
        help="Scripts that may hold declarations, instead of all .ts, .tsx, .js and .jsx files. Repeatable.",
    ),
    click.option(
        "--svelte-include",
        multiple=True,
        metavar="GLOB",
        help="Components to check for misplaced declarations, instead of all .svelte files. Repeatable.",
    ),
    click.option(
        "--generated-tool-names",
        type=click.Path(dir_okay=False, path_type=Path),
        help="JSON file of tool names that models register; intents with the same name are reported.",
    ),
)
"""The options that decide where agent-surface declarations are looked for."""


execution_options = option_group(
    click.option(
        "--backend",
        type=click.Choice(BACKENDS),
        help="Where files are scanned. auto: in this process when there is little to do, else in processes of"
        " this machine; on Ray when --address is given. [default: auto]",
    ),
    click.option(
        "--workers",
        type=click.IntRange(min=1),
        help="How many workers. [default: one a processor, of this machine or of the cluster]",
    ),
    click.option("--address", metavar="HOST:PORT", help="Address of an existing Ray cluster."),
    click.option(
        "--ship-sources/--no-ship-sources",
        default=None,
        help="Send files' contents along, for workers that do not see ROOT.",
    ),
    click.option(
        "--file-timeout",
        type=click.FloatRange(min=0, min_open=True),
        metavar="SECONDS",
        help=f"Give a file up after this time (not inline). [default: {DEFAULT_FILE_SECONDS:g}]",
    ),
    click.option(
        "--cache",
        metavar="DIR",
        type=click.Path(file_okay=False, path_type=Path),
        help="Directory for results of earlier scans, so that unchanged files are not scanned again."
        " [default: scan-cluster in the user's cache directory]",
    ),
    click.option("--no-cache", is_flag=True, default=None, help="Scan every file, and keep no results."),
)
"""The options that decide where and how the work is done; none of them changes a result."""


def execution_of(settings: Settings) -> Execution:
    """Turn settings into the record of how the work is done."""
    return Execution(
        backend=settings.backend or "auto",
        workers=settings.workers,
        address=settings.address,
        ship_sources=bool(settings.ship_sources),
        file_seconds=settings.file_timeout or DEFAULT_FILE_SECONDS,
    )


def cache_of(settings: Settings) -> Path | None:
    """Return the directory of the cache that settings ask for; None for no cache."""
    return None if settings.no_cache else settings.cache or default_cache_directory()


def settings_of(config: Path | None, **given: Any) -> Settings:
    """Lay the options given on the command line over those of a configuration file.

    Raises:
        UsageError: The configuration cannot be used, or options contradict each other.
    """
    stated: dict[str, Any] = {
        key: tuple(value) or None if isinstance(value, tuple) else value for key, value in given.items()
    }
    settings = Settings(**stated)
    if settings.cache is not None and settings.no_cache:
        raise UsageError("--cache and --no-cache contradict each other; give one of them.")
    if settings.cache is not None:
        settings = replace(settings, no_cache=False)
    return settings if config is None else settings.over(load_settings(config))


def scan_options_of(settings: Settings) -> ScanOptions:
    """Turn settings into the options record of the library, with defaults where nothing is set.

    Raises:
        UsageError: A pattern cannot be read.
    """
    try:
        options = _options(settings)
        for policy in source_policies(options).values():
            compile_policy(policy, ".")
        check_selection_patterns(options.packages)
    except PatternError as error:
        raise UsageError(f"{error}") from error
    return options


def _options(settings: Settings) -> ScanOptions:
    policy = DiscoveryPolicy(
        include=DEFAULT_INCLUDE if settings.include is None else settings.include,
        exclude=DEFAULT_EXCLUDE if settings.exclude is None else settings.exclude,
        follow_symlinks=bool(settings.follow_symlinks),
    )
    return ScanOptions(
        discovery=policy,
        surface=SurfaceOptions(
            is_on=settings.agent_surface is not False,
            include=AGENT_SURFACE_INCLUDE
            if settings.agent_surface_include is None
            else settings.agent_surface_include,
            markup_include=SVELTE_INCLUDE if settings.svelte_include is None else settings.svelte_include,
        ),
        depth=Depth(settings.depth or Depth.MANIFEST.value),
        max_file_bytes=settings.max_file_bytes or DEFAULT_MAX_FILE_BYTES,
        framework_bases=settings.framework_bases or (),
        resolution=Resolution(settings.resolution or Resolution.IMPORTS.value),
        packages=settings.packages or (),
    )
