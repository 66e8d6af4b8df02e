"""``scan-cluster serve``: a run's artifacts for agents, over MCP."""

from __future__ import annotations

import importlib.util
import os
import signal
from functools import partial
from pathlib import Path
from typing import Final

import click

from workers.errors import ExitCode, UsageError
from workers.serving.addresses import checked_token, listen, names_of, parse_endpoint, read_token
from workers.serving.live_run import LiveRun, RunUnreadableError
from workers.serving.surface import Mode, ServedSurface

_TOKEN_VARIABLE: Final = "SCAN_CLUSTER_TOKEN"  # noqa: S105 -- the name of a variable, not a token
_NEEDED: Final = ("mcp", "uvicorn", "starlette", "jsonschema")
_INSTALL: Final = "pip install 'scan-cluster[mcp]'"


@click.command("serve")
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--mode",
    type=click.Choice(("meta", "direct")),
    default="meta",
    show_default=True,
    help="Three tools that reach everything, or one tool a capability.",
)
@click.option(
    "--scope",
    multiple=True,
    metavar="PREFIX",
    help="List only component types and procedures below this prefix, such as query (repeatable).",
)
@click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The directory that was scanned: answers tell which files changed since.",
)
@click.option(
    "--http",
    metavar="HOST:PORT",
    help="Serve streamable HTTP there, instead of standard input and output; port 0 takes a free one.",
)
@click.option(
    "--token-file",
    type=click.Path(dir_okay=False, path_type=Path),
    help=f"With --http: a file with the bearer token that clients have to send. [default: ${_TOKEN_VARIABLE}]",
)
@click.option(
    "--allow-host",
    multiple=True,
    metavar="NAME",
    help="With --http: another name by which clients reach the server (repeatable).",
)
def command(  # noqa: PLR0913, PLR0917 -- one parameter an option
    directory: Path,
    mode: str,
    scope: tuple[str, ...],
    root: Path | None,
    http: str | None,
    token_file: Path | None,
    allow_host: tuple[str, ...],
) -> int:
    """Serve the artifacts of a run to agents over MCP (the Model Context Protocol).

    DIR is a directory that "run --out" wrote. A new run in it is taken up without a restart.

    Without --http one client is served over standard input and output; it starts this command itself.
    """
    _check_installed()
    if http is None and (token_file is not None or allow_host):
        raise UsageError(
            "--token-file and --allow-host say who may connect over HTTP; give --http HOST:PORT, too."
        )
    surface = _open_surface(directory, root, mode, scope)
    if http is None:
        from workers.serving.mcp_server import serve_stdio  # noqa: PLC0415 -- needs the extra

        # Nothing can interrupt the thread that reads standard input, and there is nothing to put in order.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        serve_stdio(surface)
    else:
        _serve_http(surface, http, token_file, allow_host)
    return ExitCode.CLEAN


def _check_installed() -> None:
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise UsageError(f"serve needs {', '.join(missing)}, which is not installed. Install it: {_INSTALL}")


def _open_surface(directory: Path, root: Path | None, mode: str, scope: tuple[str, ...]) -> ServedSurface:
    """Return what is served, after a first look that it can be read."""
    from workers.serving.run_catalog import open_catalog  # noqa: PLC0415 -- needs the extra

    surface = ServedSurface(LiveRun(directory, partial(open_catalog, root=root)), Mode(mode), scope)
    try:
        surface.version()
    except RunUnreadableError as error:
        raise UsageError(str(error)) from error
    return surface


def _serve_http(
    surface: ServedSurface, address: str, token_file: Path | None, other_names: tuple[str, ...]
) -> None:
    from workers.serving.mcp_server import PATH, serve_http  # noqa: PLC0415 -- needs the extra

    token = _token(token_file)
    endpoint = parse_endpoint(address)
    with listen(endpoint, has_token=token is not None) as listening:
        port = listening.getsockname()[1]
        names = names_of(endpoint, port, other_names)
        click.echo(f"Serving MCP on http://{endpoint.shown_host}:{port}{PATH}", err=True)
        serve_http(surface, listening, names, token)


def _token(file: Path | None) -> str | None:
    if file is not None:
        return read_token(file)
    given = os.environ.get(_TOKEN_VARIABLE)
    return None if given is None else checked_token(given, f"${_TOKEN_VARIABLE}")
