"""The options of runs that are kept, and of naming them."""

from __future__ import annotations

from pathlib import Path

import click

from workers.cli.option_group import option_group
from workers.configuration import Settings
from workers.errors import UsageError
from workers.history import History, Retention

history_options = option_group(
    click.option(
        "--history",
        metavar="DIR",
        type=click.Path(file_okay=False, path_type=Path),
        help="Keep the artifacts of this run in DIR too, for diff; equal artifacts are kept once.",
    ),
    click.option(
        "--history-keep",
        type=click.IntRange(min=1),
        metavar="N",
        help="Keep the newest N runs. [default: all]",
    ),
    click.option(
        "--history-days",
        type=click.FloatRange(min=0, min_open=True),
        metavar="DAYS",
        help="Keep runs that began at most so long before the newest one. [default: all]",
    ),
)
"""The options that decide where runs are kept and for how long."""


def history_of(settings: Settings) -> History | None:
    """Return where the run is to be kept; None for nowhere.

    Raises:
        UsageError: A rule for keeping runs is given, but no place.
    """
    if settings.history is not None:
        return History(settings.history)
    if settings.history_keep is not None or settings.history_days is not None:
        raise UsageError("--history-keep and --history-days say how long runs are kept; give --history too.")
    return None


def retention_of(settings: Settings) -> Retention:
    """Return which runs are to be kept."""
    return Retention(settings.history_keep, settings.history_days)
