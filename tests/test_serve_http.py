"""Who may reach a server over HTTP, and how the command says what it cannot do."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp_servers import TOKEN, HttpServer, ask, http_client, http_server, rescan
from ray_clusters import free_port
from runs import SCRIPT

from workers.errors import UsageError
from workers.serving.addresses import (
    Endpoint,
    Names,
    checked_token,
    listen,
    names_of,
    parse_endpoint,
    read_token,
)

HANDSHAKE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
ACCEPT = {"Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def run_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("small")
    (root / "order.ts").write_text("@smrt() export class Order extends SmrtObject { note = ''; }\n")
    rescan(root, root / "out")
    return root / "out"


@pytest.fixture(scope="module")
def guarded(run_directory: Path) -> Iterator[HttpServer]:
    token = run_directory.parent / "token"
    token.write_text(f"{TOKEN}\n")
    with http_server(run_directory, "--token-file", token, "--allow-host", "scans.example") as server:
        yield server


def status(server: HttpServer, **headers: str) -> int:
    return httpx2.post(server.url, json=HANDSHAKE, headers={**ACCEPT, **headers}).status_code


def bearer(token: str = TOKEN) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@pytest.mark.parametrize(
    "headers",
    [
        {},
        bearer("another-token-0123456789"),
        bearer(TOKEN[:-1]),
        bearer(f"{TOKEN}x"),
        {"Authorization": TOKEN},
        {"Authorization": f"Basic {TOKEN}"},
    ],
)
@pytest.mark.parametrize("method", ["POST", "GET", "DELETE"])
def test_without_the_token_nothing_is_answered(
    guarded: HttpServer, method: str, headers: dict[str, str]
) -> None:
    answer = httpx2.request(method, guarded.url, headers={**ACCEPT, **headers}, json=HANDSHAKE)

    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer ")
    assert "mcp-session-id" not in answer.headers


def test_a_token_of_other_bytes_is_refused_without_a_stir(guarded: HttpServer) -> None:
    answer = httpx2.post(
        guarded.url, json=HANDSHAKE, headers=[*ACCEPT.items(), (b"Authorization", b"Bearer \xe9\xff")]
    )

    assert answer.status_code == 401


def test_with_the_token_a_client_is_served(guarded: HttpServer) -> None:
    async def run() -> None:
        async with http_client(guarded.url, TOKEN) as client:
            assert "components" in await ask(client, "surface_discover")

    anyio.run(run)


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        ("http://evil.example", 403),
        ("http://127.0.0.1:1", 403),
        ("http://localhost", 403),
        ("null", 403),
        ("https://scans.example", 200),
        ("http://scans.example:8443", 200),
        ("http://scans.example.evil.example", 403),
    ],
)
def test_only_pages_of_its_own_origin_may_ask(guarded: HttpServer, origin: str, expected: int) -> None:
    assert status(guarded, Origin=origin, **bearer()) == expected


def test_its_own_origin_is_that_of_its_port(guarded: HttpServer) -> None:
    port = httpx2.URL(guarded.url).port

    for host in ("127.0.0.1", "localhost", "[::1]"):
        assert status(guarded, Origin=f"http://{host}:{port}", **bearer()) == 200


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("evil.example", 421),
        ("127.0.0.1", 421),
        ("127.0.0.1:1", 421),
        ("scans.example", 200),
        ("scans.example:8443", 200),
    ],
)
def test_only_requests_for_its_own_name_are_answered(guarded: HttpServer, host: str, expected: int) -> None:
    assert status(guarded, Host=host, **bearer()) == expected


def test_on_the_own_machine_no_token_is_needed(run_directory: Path) -> None:
    with http_server(run_directory) as server:
        assert status(server) == 200
        assert status(server, Origin="http://evil.example") == 403
        assert status(server, Host="evil.example") == 421


def test_the_token_may_come_from_the_environment(run_directory: Path) -> None:
    with http_server(run_directory, environment={"SCAN_CLUSTER_TOKEN": TOKEN}) as server:
        assert status(server) == 401
        assert status(server, **bearer()) == 200


def test_a_server_ends_when_it_is_interrupted(run_directory: Path) -> None:
    with http_server(run_directory) as server:
        assert status(server) == 200
        server.process.send_signal(signal.SIGINT)

        assert server.process.wait(60) == 130


def test_a_server_on_standard_input_ends_when_it_is_interrupted(run_directory: Path) -> None:
    process = subprocess.Popen(
        [SCRIPT, "serve", run_directory],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        process.stdin.flush()
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)

        assert process.wait(60) == -signal.SIGINT


def test_what_is_no_message_leaves_a_server_on_standard_input_as_it_is(run_directory: Path) -> None:
    finished = subprocess.run(
        [SCRIPT, "serve", run_directory],
        input=b"no json\n\xff\xfe\n" + b"[" * 100_000 + b'\n{"jsonrpc":"2.0","id":7,"method":"ping"}\n',
        capture_output=True,
        timeout=60,
        check=False,
    )

    assert finished.returncode == 0
    assert b'"id":7' in finished.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--http", "0.0.0.0:20000"], "a token is needed"),
        (["--http", "[::]:20000"], "a token is needed"),
        (["--http", "20000"], "no address"),
        (["--http", "localhost:99999"], "no address"),
        (["--http", "127.0.0.1:20000", "--token-file", "nowhere"], "Cannot read the token"),
        (["--http", "127.0.0.1:20000", "--allow-host", "http://x"], "no name of a host"),
        (["--token-file", "nowhere"], "give --http"),
        (["--allow-host", "x"], "give --http"),
    ],
)
def test_what_cannot_be_served_is_refused(
    command: Any, run_directory: Path, options: list[str], message: str
) -> None:
    finished = command("serve", run_directory, *options)

    assert (finished.code, finished.out) == (2, b"")
    assert message in finished.err


def test_all_addresses_need_a_token_and_a_name(command: Any, run_directory: Path, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(TOKEN)
    finished = command(
        "serve", run_directory, "--http", f"0.0.0.0:{free_port()}", "--token-file", tmp_path / "token"
    )

    assert finished.code == 2
    assert "--allow-host" in finished.err


def test_a_port_that_is_taken_is_named(command: Any, run_directory: Path) -> None:
    with http_server(run_directory) as server:
        finished = command("serve", run_directory, "--http", f"127.0.0.1:{httpx2.URL(server.url).port}")

    assert finished.code == 2
    assert "Cannot listen on 127.0.0.1:" in finished.err


@pytest.mark.parametrize("name", ["nothing", "empty", "damaged"])
def test_a_directory_without_a_run_is_refused(command: Any, tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged/index.json").write_text("{")
    finished = command("serve", tmp_path / name)

    assert (finished.code, finished.out) == (2, b"")
    assert str(tmp_path / name) in finished.err
    assert "run" in finished.err


def test_without_the_extra_the_command_says_how_to_get_it(run_directory: Path) -> None:
    script = "import sys; sys.modules['mcp'] = None; from workers.cli.main import main; main(sys.argv[1:])"
    finished = subprocess.run(
        [sys.executable, "-c", script, "serve", run_directory],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert finished.returncode == 2
    assert "pip install 'scan-cluster[mcp]'" in finished.stderr
    assert "Traceback" not in finished.stderr


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [("127.0.0.1:0", "127.0.0.1", 0), ("[::1]:8000", "::1", 8000), ("localhost:65535", "localhost", 65535)],
)
def test_addresses(text: str, host: str, port: int) -> None:
    assert parse_endpoint(text) == Endpoint(host, port)


@pytest.mark.parametrize(
    "text", ["", ":80", "host", "host:", "::1:80", "host:70000", "host:-1", "[::1]", "a:1\n", "http://a:1"]
)
def test_texts_that_are_no_addresses(text: str) -> None:
    with pytest.raises(UsageError, match="is no address"):
        parse_endpoint(text)


def test_an_address_that_is_nowhere() -> None:
    with pytest.raises(UsageError, match="There is no address"):
        listen(Endpoint("a" * 70, 0), has_token=False)


def test_the_names_of_a_server() -> None:
    local = names_of(Endpoint("127.0.0.1", 0), 21000, ())

    assert local.hosts == ("127.0.0.1:21000", "[::1]:21000", "localhost:21000")
    assert local.origins == tuple(f"http://{host}" for host in local.hosts)
    assert names_of(Endpoint("LOCALHOST", 0), 21000, ()) == names_of(Endpoint("::1", 0), 21000, ()) == local
    assert names_of(Endpoint("10.0.0.5", 0), 81, ()) == Names(("10.0.0.5:81",), ("http://10.0.0.5:81",))
    assert names_of(Endpoint("10.0.0.5", 0), 80, ()).hosts == ("10.0.0.5", "10.0.0.5:80")
    assert names_of(Endpoint("fd00::5", 0), 81, ()).hosts == ("[fd00::5]:81",)
    assert names_of(Endpoint("0.0.0.0", 0), 80, ["a.example"]).hosts == ("a.example", "a.example:*")


@pytest.mark.parametrize("text", ["", "two words", "é" * 20, "line\nline"])
def test_texts_that_are_no_token(text: str, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(text)
    with pytest.raises(UsageError, match="holds no token"):
        read_token(tmp_path / "token")


def test_a_token_is_long_enough_and_stands_alone(tmp_path: Path) -> None:
    (tmp_path / "token").write_text(f" {TOKEN}\r\n")

    assert read_token(tmp_path / "token") == TOKEN
    with pytest.raises(UsageError, match="too short"):
        checked_token("x" * 15, "it")
    with pytest.raises(UsageError, match="Cannot read the token"):
        read_token(tmp_path)
