"""Several options as one decorator, for options that more than one subcommand has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

import click

_Command = TypeVar("_Command", bound=Callable[..., Any])
Option: TypeAlias = Callable[[Any], Any]


def option_group(*options: Option) -> Callable[[_Command], _Command]:
    """Return a decorator that adds *options* to a command, to be shown in this order."""

    def add(command: _Command) -> _Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


framework_base_option = click.option(
    "--framework-base",
    "framework_bases",
    multiple=True,
    metavar="NAME",
    help="A further class name that counts as a framework base. Repeatable.",
)
