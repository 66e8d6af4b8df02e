"""Ray clusters for tests, and processes of scans on them."""

from __future__ import annotations

import contextlib
import os
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


@dataclass(frozen=True)
class StartedCluster:
    """A cluster that was started with ``ray start``, and what a scan needs in its environment to join."""

    address: str
    environment: dict[str, str]


def free_port() -> int:
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        return int(opened.getsockname()[1])


@contextmanager
def started_cluster() -> Iterator[StartedCluster]:
    """A head node of its own, with the token that Ray asks for; other Ray processes of the machine are not touched."""
    directory = tempfile.mkdtemp(prefix="ray-")  # paths of sockets must be short
    environment = {"RAY_TMPDIR": directory, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    port = free_port()
    head = subprocess.Popen(
        [RAY, "start", "--head", "--block", f"--port={port}", "--num-cpus=2", "--include-dashboard=false"],
        env={**os.environ, **environment, "PYTHONPATH": str(HOOKS), "RAY_USAGE_STATS_ENABLED": "0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    try:
        _wait_until_ready(head)
        yield StartedCluster(f"127.0.0.1:{port}", environment)
        assert head.poll() is None, "a scan ended a cluster that it did not start"
    finally:
        head.terminate()
        head.wait(30)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(head.pid, signal.SIGKILL)
        shutil.rmtree(directory, ignore_errors=True)


def _wait_until_ready(head: subprocess.Popen[str]) -> None:
    assert head.stdout is not None
    with head.stdout:
        for line in head.stdout:
            if "Ray runtime started" in line:
                return
    raise RuntimeError("the cluster did not start")


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
