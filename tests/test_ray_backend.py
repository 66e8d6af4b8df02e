"""Ray gives the bytes that any other backend gives, and what happens to its workers and to other scans costs no results."""

from __future__ import annotations

import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import EXAMPLE, LargeTree
from gates import Gate, gate_at
from ray_clusters import (
    StartedCluster,
    background_scan,
    free_port,
    processes_below,
    remaining,
    started_cluster,
)
from runs import artifacts, diagnostics_of, herd_of, scan

from scanner.artifacts import tool_versions
from scanner.options import ScanOptions
from scanner.sources import discover_sources
from workers.backends.ray_backend import RayBackend
from workers.backends.ray_cluster import WorkerUnfitError, scan_visible_shard
from workers.errors import CommandError
from workers.shards import ShardTask

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.xdist_group("ray")]


@pytest.fixture(scope="module")
def inline(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    out = tmp_path_factory.mktemp("inline") / "out"
    scan(EXAMPLE, out, "--backend", "inline")
    return artifacts(out)


@pytest.fixture(scope="module")
def started() -> Iterator[StartedCluster]:
    with started_cluster() as cluster:
        yield cluster


@pytest.fixture
def cluster(started: StartedCluster) -> Iterator[StartedCluster]:
    """The cluster of this module, which no scan may end."""
    assert started.is_alive(), f"the cluster had ended before:\n{started.output()}"
    yield started
    assert started.is_alive(), f"a scan ended a cluster that it did not start:\n{started.output()}"


@pytest.fixture
def few(herd: Path) -> Path:
    """The herd with three models left, in one shard, since each death costs Ray some time."""
    for cow in sorted((herd / "src").iterdir())[3:]:
        cow.unlink()
    return herd


@pytest.mark.skipif("PYTEST_XDIST_WORKER" not in os.environ, reason="tests run one after the other anyway")
def test_tests_with_ray_run_one_after_the_other(request: pytest.FixtureRequest) -> None:
    assert request.node.nodeid.endswith("@ray"), (
        "use --dist loadgroup, and a pytest whose groups xdist can set"
    )


@pytest.mark.parametrize(
    "options", [(), ("--ship-sources",), ("--config", "configs/ray-cluster.toml", "--workers", "2")], ids=str
)
def test_a_cluster_gives_the_bytes_of_inline(
    inline: dict[str, bytes], cluster: StartedCluster, tmp_path: Path, options: tuple[str, ...]
) -> None:
    finished = scan(EXAMPLE, tmp_path / "out", "--address", cluster.address, *options, **cluster.environment)

    assert artifacts(tmp_path / "out") == inline, finished.stderr


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_large_tree_gives_the_bytes_of_inline(
    large_tree: LargeTree, cluster: StartedCluster, tmp_path: Path, workers: str
) -> None:
    options = ("--address", cluster.address, "--workers", workers)
    scan(large_tree.root, tmp_path / "out", *options, **cluster.environment)

    assert artifacts(tmp_path / "out") == large_tree.artifacts


def test_a_wrong_token_is_explained(cluster: StartedCluster, tmp_path: Path) -> None:
    environment = {**cluster.environment, "RAY_AUTH_TOKEN": "0" * 64}
    finished = scan(EXAMPLE, tmp_path / "out", "--address", cluster.address, **environment)

    assert finished.returncode == 8
    assert "RAY_AUTH_MODE=token" in finished.stderr
    assert "Traceback" not in finished.stderr


def test_a_file_that_kills_every_worker_is_isolated_and_named(
    cluster: StartedCluster, few: Path, tmp_path: Path
) -> None:
    (few / "src/cow01.ts").write_text("@smrt() class Poison {} // ABORT-THE-WORKER")
    scan(few, tmp_path / "out", "--address", cluster.address, **cluster.environment)

    assert diagnostics_of(tmp_path / "out") == [("scan-crash", "src/cow01.ts")]
    assert herd_of(tmp_path / "out") == {"Cow0", "Cow2"}


def test_a_file_over_its_time_limit_is_given_up(cluster: StartedCluster, few: Path, tmp_path: Path) -> None:
    (few / "src/cow01.ts").write_text("@smrt() class Endless {} // SLEEP-FOR-LONG")
    options = ("--address", cluster.address, "--file-timeout", "0.5")
    scan(few, tmp_path / "out", *options, **cluster.environment)

    assert diagnostics_of(tmp_path / "out") == [("scan-timeout", "src/cow01.ts")]
    assert herd_of(tmp_path / "out") == {"Cow0", "Cow2"}


def test_waiting_for_a_busy_cluster_is_no_time_of_a_file(
    cluster: StartedCluster, few: Path, tmp_path: Path
) -> None:
    (few / "src/cow01.ts").write_text("@smrt() class Poison {} // ABORT-THE-WORKER")
    options = ("--address", cluster.address)
    with gate_at(tmp_path / "gate") as gate:
        busy = herd_at_gates(tmp_path / "busy", gate, 2)
        other = background_scan(busy, tmp_path / "busy-out", *options, **cluster.environment)
        gate.waiting_workers(2)
        limited = (*options, "--file-timeout", "1")
        process = background_scan(few, tmp_path / "out", *limited, **cluster.environment)
        time.sleep(4)  # well over the limit, in which the cluster has no processor free
        gate.open()
        process.communicate(timeout=90)
        other.communicate(timeout=90)

    assert diagnostics_of(tmp_path / "out") == [("scan-crash", "src/cow01.ts")]


def herd_at_gates(root: Path, gate: Gate, count: int) -> Path:
    """A package whose files each fill a shard and wait at a gate."""
    (root / "src").mkdir(parents=True)
    (root / "package.json").write_text('{"name": "@acme/herd"}')
    for number in range(count):
        (root / f"src/bull{number}.ts").write_text(
            f"@smrt() class Bull{number} extends SmrtObject {{}} // {gate.mark} {'.' * 600_000}"
        )
    return root


def test_a_worker_killed_mid_shard_costs_nothing(cluster: StartedCluster, few: Path, tmp_path: Path) -> None:
    with gate_at(tmp_path / "gate") as gate:
        (few / "src/cow01.ts").write_text(f"@smrt() class Cow1 extends SmrtObject {{}} // {gate.mark}")
        options = ("--address", cluster.address)
        process = background_scan(few, tmp_path / "out", *options, **cluster.environment)
        os.kill(min(gate.waiting_workers(1)), signal.SIGKILL)

    assert process.communicate(timeout=90) == ("", "")
    assert process.returncode == 0
    assert herd_of(tmp_path / "out") == {"Cow0", "Cow1", "Cow2"}
    assert json.loads((tmp_path / "out/run.json").read_bytes())["lostShards"] >= 1


def test_an_interrupt_ends_one_scan_and_leaves_the_other_and_the_cluster(
    cluster: StartedCluster, tmp_path: Path
) -> None:
    options = ("--address", cluster.address, "--workers", "1")
    with gate_at(tmp_path / "gate") as gate:
        herd = herd_at_gates(tmp_path / "herd", gate, 3)
        other = background_scan(herd, tmp_path / "other", *options, **cluster.environment)
        its_worker = gate.waiting_workers(1)
        process = background_scan(herd, tmp_path / "out", *options, **cluster.environment)
        own = (gate.waiting_workers(2) - its_worker) | processes_below(process.pid)
        begin = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=30)
        took = time.monotonic() - begin
        left = remaining(own)

    other.communicate(timeout=90)
    assert process.returncode == 130
    assert took < 5
    assert left == set()
    assert not (tmp_path / "out").exists()
    assert other.returncode == 0
    assert herd_of(tmp_path / "other") == {"Bull0", "Bull1", "Bull2"}
    run = json.loads((tmp_path / "other/run.json").read_bytes())
    assert (run["lostShards"], run["workers"]) == (0, 1)


@pytest.mark.parametrize(
    "address", ["host", "host:", ":1", "host:0", "host:65536", "ray://host:1", "a b:1", "auto"]
)
def test_an_address_that_is_none_is_wrong_usage(
    command: Any, shop: Path, tmp_path: Path, address: str
) -> None:
    finished = command("run", shop, "--out", tmp_path / "out", "--no-cache", "--address", address)

    assert (finished.code, "HOST:PORT" in finished.err) == (2, True)
    assert not (tmp_path / "out").exists()


def test_an_address_where_nobody_listens_is_reported_at_once(
    command: Any, shop: Path, tmp_path: Path
) -> None:
    address = f"127.0.0.1:{free_port()}"
    begin = time.monotonic()
    finished = command("run", shop, "--out", tmp_path / "out", "--no-cache", "--address", address)

    assert finished.code == 8
    assert f"Nothing answers at {address}" in finished.err
    assert time.monotonic() - begin < 60  # by itself Ray takes two minutes
    assert not (tmp_path / "out").exists()


def test_an_address_where_something_else_listens_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with (
            RayBackend(1, address, start_seconds=3) as backend,
            pytest.raises(CommandError, match="not ready after 3 s"),
        ):
            list(backend.scan([]))


def test_a_plan_needs_no_cluster_when_the_workers_are_given(command: Any, shop: Path, tmp_path: Path) -> None:
    options = ("run", shop, "--out", tmp_path / "out", "--plan", "--address", "127.0.0.1:1")

    assert b"for 3 workers" in command(*options, "--workers", "3").out
    assert "state --workers" in command(*options).err


def test_a_worker_of_another_version_refuses(shop: Path) -> None:
    files = discover_sources(shop, ScanOptions()).files
    task = ShardTask(0, str(shop), files, 1 << 20)
    with pytest.raises(WorkerUnfitError, match="Install the same version of scan-cluster"):
        next(
            scan_visible_shard(
                task, {**tool_versions(), "tool": {"name": "scan-cluster", "version": "0.0.0"}}
            )
        )
