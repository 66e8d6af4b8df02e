"""A Ray cluster of two nodes gives the bytes of one process, and a node that goes away costs retries, not results."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import EXAMPLE, LargeTree
from gates import gate_at
from ray.cluster_utils import Cluster
from ray_clusters import background_scan, processes_below
from runs import HOOKS, artifacts, scan

from scanner.records import FileRole
from scanner.sources import SourceFile
from workers.backends.ray_backend import RayBackend
from workers.errors import CommandError
from workers.shards import ShardTask

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.xdist_group("ray")]


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    """A cluster of a head that scans nothing and two nodes with a processor each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(HOOKS))
        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
        try:
            for _ in range(2):
                cluster.add_node(num_cpus=1)
            cluster.wait_for_nodes()
            yield cluster
        finally:
            cluster.shutdown()


@pytest.mark.parametrize("options", [(), ("--ship-sources",)], ids=str)
def test_the_sample_gives_the_bytes_of_inline(nodes: Any, tmp_path: Path, options: tuple[str, ...]) -> None:
    scan(EXAMPLE, tmp_path / "inline", "--backend", "inline")
    finished = scan(EXAMPLE, tmp_path / "out", "--address", nodes.address, *options)

    assert artifacts(tmp_path / "out") == artifacts(tmp_path / "inline"), finished.stderr
    run = json.loads((tmp_path / "out/run.json").read_bytes())
    assert (run["backend"], run["workers"]) == ("ray", 2)  # one for each processor of the cluster


@pytest.mark.parametrize("options", [(), ("--ship-sources",)], ids=str)
def test_a_large_tree_gives_the_bytes_of_inline(
    nodes: Any, large_tree: LargeTree, tmp_path: Path, options: tuple[str, ...]
) -> None:
    finished = scan(large_tree.root, tmp_path / "out", "--address", nodes.address, *options)

    assert artifacts(tmp_path / "out") == large_tree.artifacts, finished.stderr


def test_a_worker_that_does_not_see_the_tree_says_so(nodes: Any) -> None:
    tasks = [
        ShardTask(number, "/no/such/tree", (SourceFile(f"{number}.ts", 1, FileRole.CLASSES),), 1 << 20)
        for number in range(4)
    ]
    with (
        RayBackend(None, nodes.address) as backend,
        pytest.raises(CommandError, match=r"/no/such/tree.*--ship-sources"),
    ):
        list(backend.scan(tasks))


def test_a_node_that_goes_away_costs_retries_and_no_results(nodes: Any, herd: Path, tmp_path: Path) -> None:
    before = processes_below(os.getpid())
    third = nodes.add_node(num_cpus=1)
    nodes.wait_for_nodes()
    with gate_at(tmp_path / "gate") as gate:
        for number in range(3):  # a shard for each node, so that all are in the middle of one
            (herd / f"src/bull{number}.ts").write_text(
                f"@smrt() class Bull{number} extends SmrtObject {{}} // {gate.mark} {'.' * 600_000}"
            )
        node = processes_below(os.getpid()) - before
        process = background_scan(herd, tmp_path / "out", "--address", nodes.address)
        gate.waiting_workers(3)
        for pid in set.union(node, *map(processes_below, node)):  # like a machine that loses its power
            os.kill(pid, signal.SIGKILL)
    nodes.remove_node(third, allow_graceful=False)

    assert process.communicate(timeout=90) == ("", "")
    assert process.returncode == 0
    run = json.loads((tmp_path / "out/run.json").read_bytes())
    assert run["workers"] == 3
    assert run["lostShards"] >= 1
    scan(herd, tmp_path / "inline", "--backend", "inline")
    assert artifacts(tmp_path / "out") == artifacts(tmp_path / "inline")
