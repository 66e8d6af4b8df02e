"""Ray clusters for tests, and processes of scans on them."""

from __future__ import annotations

import contextlib
import os
import random
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from runs import HOOKS, command_line

RAY = Path(sys.executable).with_name("ray")


# Below the ports that the kernel hands out for connections, and above those that Ray gives its workers: what runs
# beside a cluster cannot take a port between the choice and the use of it.
PORTS = range(20_000, 32_000)
START_SECONDS = 60
STARTS = 3


@dataclass(frozen=True)
class StartedCluster:
    """A cluster that was started with ``ray start``, and what a scan needs in its environment to join."""

    address: str
    environment: dict[str, str]
    head: subprocess.Popen[bytes]
    log: Path

    def is_alive(self) -> bool:
        return self.head.poll() is None

    def output(self) -> str:
        """What ``ray start`` had to say."""
        return self.log.read_text(errors="replace")


def free_port() -> int:
    """A port at which nobody listens, and which nobody gets by chance."""
    return _free_ports(1)[0]


def _free_ports(count: int) -> list[int]:
    found: list[int] = []
    for port in random.SystemRandom().sample(PORTS, len(PORTS)):
        if len(found) == count:
            break
        with contextlib.suppress(OSError), socket.socket() as opened:
            opened.bind(("127.0.0.1", port))
            found.append(port)
    return found


@contextmanager
def started_cluster() -> Iterator[StartedCluster]:
    """A head node of its own, with the token that Ray asks for; other Ray processes of the machine are not touched."""
    directory = tempfile.mkdtemp(prefix="ray-")  # paths of sockets must be short
    environment = {"RAY_TMPDIR": directory, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    for _ in range(STARTS):
        cluster = _start(Path(directory), environment)
        if _gets_ready(cluster):
            break
        _end(cluster)
    else:
        raise RuntimeError(f"the cluster did not start:\n{cluster.output()}")
    try:
        yield cluster
    finally:
        _end(cluster)
        shutil.rmtree(directory, ignore_errors=True)


def _start(directory: Path, environment: dict[str, str]) -> StartedCluster:
    parts = ("", "dashboard-agent-listen-", "dashboard-agent-grpc-", "runtime-env-agent-", "metrics-export-")
    ports = _free_ports(len(parts))
    log = directory / "start.log"
    with log.open("wb") as output:
        head = subprocess.Popen(
            [RAY, "start", "--head", "--block", "--num-cpus=2", "--include-dashboard=false"]
            + [f"--{part}port={port}" for part, port in zip(parts, ports, strict=True)],
            env={**os.environ, **environment, "PYTHONPATH": str(HOOKS), "RAY_USAGE_STATS_ENABLED": "0"},
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    return StartedCluster(f"127.0.0.1:{ports[0]}", environment, head, log)


def _gets_ready(cluster: StartedCluster) -> bool:
    """Wait until a cluster is up and has outlived Ray's first looks, one a second, at whether its parts still run."""
    deadline = time.monotonic() + START_SECONDS
    while b"This command will now block" not in cluster.log.read_bytes():
        if not cluster.is_alive() or time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    time.sleep(2.5)
    return cluster.is_alive()


def _end(cluster: StartedCluster) -> None:
    cluster.head.terminate()
    cluster.head.wait(30)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(cluster.head.pid, signal.SIGKILL)


def background_scan(root: Path, out: Path, *options: str, **environment: str) -> subprocess.Popen[str]:
    """Start a scan whose own workers have the hooks, in a process group of its own like a shell's job."""
    return subprocess.Popen(
        command_line(root, out, *options),
        env={**os.environ, "PYTHONPATH": str(HOOKS), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def parents() -> dict[int, int]:
    """The parent of every process that runs."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
                if state != "Z":
                    found[int(entry.name)] = int(parent)
    return found


def processes_below(pid: int) -> set[int]:
    family = parents()
    found = {pid}
    while more := {child for child, parent in family.items() if parent in found} - found:
        found |= more
    return found - {pid}


def remaining(pids: Iterable[int], seconds: float = 5) -> set[int]:
    """Those of the processes that still run; the dying get some time."""
    deadline = time.monotonic() + seconds
    while (left := set(pids) & parents().keys()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left
