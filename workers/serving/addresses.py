"""Where a server listens over HTTP, who may reach it there, and with which token.

A page in a browser can send requests to any address that its user can reach, so being bound to the own machine is no
protection by itself: requests have to name the server by a name of its own, and those that come from a page of another
origin are refused. Whoever listens beyond the own machine has to ask for a token.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scanner.diagnostics import Diagnostic
from scanner.source_files import read_source_file
from workers.errors import UsageError
from workers.reporting.wording import visible

SHORTEST_TOKEN: Final = 16
_ADDRESS: Final = re.compile(r"(?:\[(?P<v6>[^\[\]]+)\]|(?P<host>[^\[\]:]+)):(?P<port>[0-9]{1,5})")
_TOKEN: Final = re.compile(r"[\x21-\x7e]+")
_HOST_NAME: Final = re.compile(r"[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]")
_LOOPBACK_NAMES: Final = ("127.0.0.1", "[::1]", "localhost")
_MAX_TOKEN_FILE: Final = 4096
_MAX_PORT: Final = 65_535
_HTTP_PORT: Final = 80


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a server shall listen.

    Attributes:
        host: Name or number, without brackets.
        port: The port; 0 for any that is free.
    """

    host: str
    port: int

    @property
    def shown_host(self) -> str:
        """The host as it stands in a URL."""
        return f"[{self.host}]" if ":" in self.host else self.host


def parse_endpoint(text: str) -> Endpoint:
    """Read ``HOST:PORT``, with brackets around a host of IPv6.

    Raises:
        UsageError: It is none.
    """
    found = _ADDRESS.fullmatch(text)
    if found is None or int(found["port"]) > _MAX_PORT:
        raise UsageError(visible(f"{text} is no address; write HOST:PORT, for example 127.0.0.1:8000."))
    return Endpoint(found["v6"] or found["host"], int(found["port"]))


def listen(endpoint: Endpoint, *, has_token: bool) -> socket.socket:
    """Return a socket that listens, so that whoever connects from now on is served.

    Raises:
        UsageError: There is no such address, it is taken, or it can be reached from outside and there is no token.
    """
    try:
        found = socket.getaddrinfo(
            endpoint.host, endpoint.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except (OSError, UnicodeError) as error:
        raise UsageError(visible(f"There is no address {endpoint.host}: {error}.")) from error
    family, kind, protocol, _, address = found[0]
    if not has_token and not _is_loopback(address):
        raise UsageError(
            visible(
                f"{endpoint.host} can be reached from other machines, so a token is needed: give --token-file FILE, or listen"
                " on 127.0.0.1."
            )
        )
    opened = socket.socket(family, kind, protocol)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(address)
        opened.listen()
    except OSError as error:
        opened.close()
        raise UsageError(
            visible(
                f"Cannot listen on {endpoint.host}:{endpoint.port}: {error.strerror or error}. Choose another --http."
            )
        ) from error
    return opened


def _is_loopback(address: tuple[Any, ...]) -> bool:
    return ipaddress.ip_address(str(address[0]).partition("%")[0]).is_loopback


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a server, as requests give them.

    Attributes:
        hosts: Values of ``Host`` that are answered; ``:*`` at the end stands for any port.
        origins: Values of ``Origin`` that are answered, likewise.
    """

    hosts: tuple[str, ...]
    origins: tuple[str, ...]


def names_of(endpoint: Endpoint, port: int, others: Iterable[str]) -> Names:
    """Return the names of a server.

    Args:
        endpoint: Where it listens.
        port: The port that it got.
        others: Further names that it has, for example that of a proxy before it, on any port.

    Raises:
        UsageError: One of the others is no name of a host, or the server has no name that can be known.
    """
    others = tuple(others)
    for name in others:
        if not _HOST_NAME.fullmatch(name):
            raise UsageError(visible(f"{name} is no name of a host; write it without scheme, port and path."))
    own = _own_names(endpoint)
    if not own and not others:
        raise UsageError(
            f"{endpoint.host} stands for all addresses of this machine, so it is not known by which name it is reached:"
            " give --allow-host NAME."
        )
    # The port that a scheme has by default is left out by clients.
    ports = ("", f":{port}") if port == _HTTP_PORT else (f":{port}",)
    own_forms = [f"{name}{ending}" for name in own for ending in ports]
    other_forms = [f"{name}{ending}" for name in others for ending in ("", ":*")]
    origins = (
        *(f"http://{form}" for form in own_forms),
        *(f"{scheme}://{form}" for form in other_forms for scheme in ("http", "https")),
    )
    return Names((*own_forms, *other_forms), origins)


def _own_names(endpoint: Endpoint) -> tuple[str, ...]:
    try:
        number = ipaddress.ip_address(endpoint.host.partition("%")[0])
    except ValueError:
        is_local = endpoint.host.lower() == "localhost"
        return _LOOPBACK_NAMES if is_local else (endpoint.host,)
    if number.is_unspecified:
        return ()
    return _LOOPBACK_NAMES if number.is_loopback else (endpoint.shown_host,)


def read_token(path: Path) -> str:
    """Return the token that a file holds; line ends and blanks around it do not count.

    Raises:
        UsageError: It cannot be read, or holds no token.
    """
    outcome = read_source_file(path, str(path), _MAX_TOKEN_FILE)
    if isinstance(outcome, Diagnostic):
        raise UsageError(visible(f"Cannot read the token in {path}: {outcome.message}"))
    return checked_token(outcome.decode("utf-8", "replace"), str(path))


def checked_token(text: str, origin: str) -> str:
    """Return a token without what stands around it.

    Raises:
        UsageError: It is none, or so short that it can be guessed.
    """
    token = text.strip()
    if not _TOKEN.fullmatch(token):
        raise UsageError(visible(f"{origin} holds no token; write one line of visible ASCII characters."))
    if len(token) < SHORTEST_TOKEN:
        raise UsageError(
            visible(
                f"The token in {origin} is too short; use at least {SHORTEST_TOKEN} characters that nobody guesses."
            )
        )
    return token
