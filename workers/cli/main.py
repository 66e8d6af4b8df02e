"""The ``scan-cluster`` command and its subcommands.

Subcommands are imported when they are called, so that ``--version`` and ``--help`` stay quick.
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any, Final

import click

from workers.errors import INTERRUPTED, CommandError, ExitCode

_COMMANDS: Final = {
    "run": ("workers.cli.run", "Scan a directory and write its artifacts."),
    "inspect": ("workers.cli.inspect", "Print what single source files hold, one JSON line each."),
    "files": ("workers.cli.files", "List the files a scan takes, or explain why a path is left out."),
    "verify": (
        "workers.cli.verify",
        "Check that every model in source reached a package's published manifest.",
    ),
    "diff": ("workers.cli.diff", "Tell what changed between two runs, and what of it is breaking."),
    "explain": ("workers.cli.explain", "Tell where a class, its parents, fields and methods come from."),
    "report": ("workers.cli.report", "Write what a run found as one HTML page."),
    "serve": ("workers.cli.serve", "Serve a run's artifacts to agents over MCP."),
    "history": ("workers.cli.history", "List the runs that a history keeps."),
    "lint": ("workers.cli.lint", "Find money and rate fields whose default contradicts their name."),
    "cache": ("workers.cli.cache", "Show or clear the cache of scan results."),
    "schema": ("workers.cli.schema", "Print the JSON Schema of an artifact."),
}


class LazyGroup(click.Group):
    """A group that imports a subcommand only when it is called."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Return the subcommands in the order of the help page."""
        return list(_COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return one subcommand."""
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = importlib.import_module(_COMMANDS[cmd_name][0]).command
        return command

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of subcommands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in _COMMANDS.items()])


def _print_version(context: click.Context, _parameter: click.Parameter, is_given: bool) -> None:  # noqa: FBT001 -- click calls it
    if not is_given or context.resilient_parsing:
        return
    from importlib.metadata import version  # noqa: PLC0415 -- only --version needs it

    click.echo(f"scan-cluster {version('scan-cluster')}")
    context.exit()


@click.command(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes are bits: 0 clean, 1 findings at or above --fail-on, 2 usage or configuration, 4 some input could"
    " not be scanned, 8 the run failed and wrote nothing; 130 interrupted.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version.",
)
def cli() -> None:
    """Scan TypeScript monorepos for SMRT models, agent intents and playbooks, by reading source only."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with the documented code."""
    sys.exit(_run(arguments))


def _run(arguments: list[str] | None) -> int:
    try:
        outcome: Any = cli.main(arguments, prog_name="scan-cluster", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return ExitCode.USAGE
    except CommandError as error:
        click.echo(f"scan-cluster: {error}", err=True)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("scan-cluster: interrupted; nothing was replaced.", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader is gone; keep the interpreter from complaining when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.CLEAN
    return int(outcome or 0)


if __name__ == "__main__":
    main()
