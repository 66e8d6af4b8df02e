"""Ray gives the bytes that any other backend gives, and what happens to its workers and nodes costs no results."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from conftest import EXAMPLE
from gates import Gate, gate_at
from generated_tree import write_tree
from ray.cluster_utils import Cluster as LocalCluster
from runs import HOOKS, artifacts, command_line, diagnostics_of, herd_of, scan

from scanner.options import ScanOptions
from scanner.records import FileScan
from scanner.sources import discover_sources
from workers.backends.ray_backend import RayBackend
from workers.errors import CommandError
from workers.plan import Shard
from workers.recovery import RecoveryFigures, scan_with_recovery
from workers.shards import ShardTask, scan_shard

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.xdist_group("ray")]

RAY = Path(sys.executable).with_name("ray")


@dataclass(frozen=True)
class Cluster:
    """A cluster that was started with ``ray start``."""

    address: str
    environment: dict[str, str]


def free_port() -> int:
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        return int(opened.getsockname()[1])


@pytest.fixture(scope="module")
def inline(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    out = tmp_path_factory.mktemp("inline") / "out"
    scan(EXAMPLE, out, "--backend", "inline")
    return artifacts(out)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
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
        yield Cluster(f"127.0.0.1:{port}", environment)
        assert head.poll() is None, "a scan ended a cluster that it did not start"
    finally:
        head.terminate()
        head.wait(30)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(head.pid, signal.SIGKILL)
        shutil.rmtree(directory, ignore_errors=True)


def _wait_until_ready(head: subprocess.Popen[str]) -> None:
    assert head.stdout is not None
    for line in head.stdout:
        if "Ray runtime started" in line:
            return
    raise RuntimeError("the cluster did not start")


@pytest.mark.skipif("PYTEST_XDIST_WORKER" not in os.environ, reason="tests run one after the other anyway")
def test_tests_with_ray_run_one_after_the_other(request: pytest.FixtureRequest) -> None:
    assert request.node.nodeid.endswith("@ray"), (
        "use --dist loadgroup, and a pytest whose groups xdist can set"
    )


@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_instance_of_its_own_gives_the_bytes_of_inline(
    inline: dict[str, bytes], tmp_path: Path, workers: str
) -> None:
    finished = scan(EXAMPLE, tmp_path / "out", "--backend", "ray", "--workers", workers, TMPDIR="/tmp")

    assert artifacts(tmp_path / "out") == inline, finished.stderr
    assert json.loads((tmp_path / "out/run.json").read_bytes())["backend"] == "ray"


@pytest.mark.parametrize(
    "options", [(), ("--ship-sources",), ("--config", "configs/ray-cluster.toml", "--workers", "2")], ids=str
)
def test_a_cluster_gives_the_bytes_of_inline(
    inline: dict[str, bytes], cluster: Cluster, tmp_path: Path, options: tuple[str, ...]
) -> None:
    finished = scan(EXAMPLE, tmp_path / "out", "--address", cluster.address, *options, **cluster.environment)

    assert artifacts(tmp_path / "out") == inline, finished.stderr


def test_a_large_tree_gives_the_bytes_of_inline(cluster: Cluster, tmp_path: Path) -> None:
    write_tree(tmp_path / "tree", 2000)
    scan(tmp_path / "tree", tmp_path / "inline", "--backend", "inline")
    scan(tmp_path / "tree", tmp_path / "out", "--address", cluster.address, **cluster.environment)

    assert artifacts(tmp_path / "out") == artifacts(tmp_path / "inline")


def test_a_wrong_token_is_explained(cluster: Cluster, tmp_path: Path) -> None:
    environment = {**cluster.environment, "RAY_AUTH_TOKEN": "0" * 64}
    finished = scan(EXAMPLE, tmp_path / "out", "--address", cluster.address, **environment)

    assert finished.returncode == 8
    assert "RAY_AUTH_MODE=token" in finished.stderr
    assert "Traceback" not in finished.stderr


def test_a_file_that_kills_every_worker_is_isolated_and_named(
    cluster: Cluster, herd: Path, tmp_path: Path
) -> None:
    (herd / "src/cow07.ts").write_text("@smrt() class Poison {} // ABORT-THE-WORKER")
    scan(herd, tmp_path / "out", "--address", cluster.address, **cluster.environment)

    assert diagnostics_of(tmp_path / "out") == [("scan-crash", "src/cow07.ts")]
    assert len(herd_of(tmp_path / "out")) == 39


def test_a_file_over_its_time_limit_is_given_up(cluster: Cluster, herd: Path, tmp_path: Path) -> None:
    (herd / "src/cow07.ts").write_text("@smrt() class Endless {} // SLEEP-FOR-LONG")
    options = ("--address", cluster.address, "--file-timeout", "1")
    scan(herd, tmp_path / "out", *options, **cluster.environment)

    assert diagnostics_of(tmp_path / "out") == [("scan-timeout", "src/cow07.ts")]
    assert len(herd_of(tmp_path / "out")) == 39


def test_a_worker_killed_mid_shard_costs_nothing(cluster: Cluster, herd: Path, tmp_path: Path) -> None:
    with gate_at(tmp_path / "gate") as gate:
        (herd / "src/cow07.ts").write_text(f"@smrt() class Cow7 extends SmrtObject {{}} // {gate.mark}")
        process = subprocess.Popen(
            command_line(herd, tmp_path / "out", "--address", cluster.address),
            env={**os.environ, **cluster.environment},
        )
        os.kill(min(gate.waiting_workers(1)), signal.SIGKILL)

    assert process.wait(60) == 0
    assert len(herd_of(tmp_path / "out")) == 40
    assert json.loads((tmp_path / "out/run.json").read_bytes())["lostShards"] >= 1


@pytest.fixture
def two_nodes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A cluster of a head that scans nothing and two nodes with a processor each."""
    monkeypatch.setenv("PYTHONPATH", str(HOOKS))
    nodes = LocalCluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    yield nodes
    nodes.shutdown()


def shards_of(root: Path, size: int = 4) -> list[ShardTask]:
    files = discover_sources(root, ScanOptions()).files
    shards = [Shard(start, files[start : start + size]) for start in range(0, len(files), size)]
    return [ShardTask(shard.number, str(root), shard.files, 1 << 20) for shard in shards]


def test_two_nodes_give_the_scans_of_one_process(two_nodes: Any) -> None:
    two_nodes.add_node(num_cpus=1)
    two_nodes.add_node(num_cpus=1)
    tasks = shards_of(EXAMPLE)
    with RayBackend(2, two_nodes.address) as backend:
        spread = {item.file_path: item for result in backend.scan(tasks) for item in result.scans}

    assert spread == {item.file_path: item for task in tasks for item in scan_shard(task).scans}


def test_a_node_that_goes_away_costs_retries_and_no_results(
    two_nodes: Any, herd: Path, tmp_path: Path
) -> None:
    node, _ = two_nodes.add_node(num_cpus=1), two_nodes.add_node(num_cpus=1)
    figures = RecoveryFigures()
    scans: list[FileScan] = []

    def remove_one(gate: Gate) -> None:
        gate.waiting_workers(2)
        two_nodes.remove_node(node, allow_graceful=False)
        gate.open()

    with gate_at(tmp_path / "gate") as gate, RayBackend(2, two_nodes.address) as backend:
        for name in ("ahead", "zebra"):  # a gate in each half, so that both nodes are in the middle of one
            (herd / f"src/{name}.ts").write_text(f"@smrt() class Gated {{}} // {gate.mark}")
        removal = threading.Thread(target=remove_one, args=(gate,))
        removal.start()
        for result in scan_with_recovery(backend, shards_of(herd, 21), figures):
            scans += result.scans
        removal.join()

    assert sorted(item.file_path for item in scans) == [
        file.path for file in discover_sources(herd, ScanOptions()).files
    ]
    assert [item.file_path for item in scans if item.errors] == []
    assert figures.lost >= 1


def test_a_worker_that_does_not_see_the_tree_says_so(two_nodes: Any, herd: Path) -> None:
    two_nodes.add_node(num_cpus=1)
    tasks = [ShardTask(0, "/no/such/tree", shards_of(herd)[0].files, 1 << 20)]
    with (
        RayBackend(1, two_nodes.address) as backend,
        pytest.raises(CommandError, match=r"/no/such/tree.*--ship-sources"),
    ):
        list(backend.scan(tasks))
