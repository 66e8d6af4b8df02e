"""Servers of the installed command, and clients of the SDK that talk to them."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import httpx2
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from ray_clusters import free_port
from runs import SCRIPT, scan

TOKEN = "a-token-of-the-tests-0123456789"
SECONDS = 120
STARTS = 3
PROTOCOLS = ("auto", "legacy")


@dataclass(frozen=True)
class HttpServer:
    """A server that listens, and its process."""

    url: str
    process: subprocess.Popen[str]


@contextmanager
def http_server(
    directory: Path, *options: str | Path, environment: dict[str, str] | None = None
) -> Iterator[HttpServer]:
    """A server on a port that nobody gets by chance; another one is tried if somebody took it meanwhile."""
    for _ in range(STARTS):
        address = f"127.0.0.1:{free_port()}"
        process = subprocess.Popen(
            [SCRIPT, "serve", directory, "--http", address, *options],
            env={**os.environ, **(environment or {})},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stderr is not None
        line = process.stderr.readline()
        if line == f"Serving MCP on http://{address}/mcp\n":
            break
        process.wait(SECONDS)
    else:
        raise RuntimeError(f"no server starts: {line}")
    try:
        yield HttpServer(f"http://{address}/mcp", process)
    finally:
        process.terminate()
        process.communicate(timeout=SECONDS)


@asynccontextmanager
async def http_client(url: str, token: str | None = None, **options: Any) -> AsyncIterator[Client]:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=SECONDS) as http,
        Client(
            streamable_http_client(url, http_client=http), read_timeout_seconds=SECONDS, **options
        ) as client,
    ):
        yield client


@asynccontextmanager
async def stdio_client(directory: Path, *arguments: str | Path, **options: Any) -> AsyncIterator[Client]:
    server = StdioServerParameters(command=str(SCRIPT), args=["serve", str(directory), *map(str, arguments)])
    async with Client(server, read_timeout_seconds=SECONDS, **options) as client:
        yield client


Session = Callable[[Client], Awaitable[None]]


def talk(transport: str, directory: Path, session: Session, *arguments: str, **options: Any) -> None:
    """Let a session talk to a server of its own over a transport."""

    async def run() -> None:
        async with AsyncExitStack() as stack:
            if transport == "http":
                server = stack.enter_context(http_server(directory, *arguments))
                client = await stack.enter_async_context(http_client(server.url, **options))
            else:
                client = await stack.enter_async_context(stdio_client(directory, *arguments, **options))
            with anyio.fail_after(SECONDS):
                await session(client)

    anyio.run(run)


async def ask(client: Client, tool: str, **arguments: Any) -> Any:
    """What a tool gives; it must not be an error."""
    result = await client.call_tool(tool, arguments)
    (content,) = result.content
    assert not result.is_error, content
    return json.loads(content.text)  # type: ignore[union-attr]


async def error_of(client: Client, tool: str, **arguments: Any) -> Any:
    """The error record of a call that must fail."""
    result = await client.call_tool(tool, arguments)
    (content,) = result.content
    assert result.is_error, content
    return json.loads(content.text)  # type: ignore[union-attr]


def rescan(root: Path, out: Path) -> None:
    """A run as it comes every night."""
    finished = scan(root, out)
    assert finished.returncode in {0, 1}, finished.stderr
