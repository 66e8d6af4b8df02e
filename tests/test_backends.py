"""Where the work is done shows in no artifact, and what happens to workers costs no results."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import EXAMPLE, LargeTree
from gates import gate_at
from runs import HOOKS, SCRIPT, artifacts, diagnostics_of, herd_of, plant_modules, scan

from scanner.options import ScanOptions
from scanner.sources import SourceFile, discover_sources
from workers.backends.inline import InlineBackend
from workers.backends.interface import LostShard
from workers.backends.processes import ProcessBackend
from workers.plan import plan_scan
from workers.recovery import RecoveryFigures, scan_with_recovery
from workers.shards import ShardTask, scan_shard


@pytest.fixture(scope="module")
def inline(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    out = tmp_path_factory.mktemp("inline") / "out"
    scan(EXAMPLE, out, "--backend", "inline")
    return artifacts(out)


@pytest.mark.parametrize(
    "options",
    [
        ("--workers", "1"),
        ("--workers", "2"),
        ("--workers", "5"),
        ("--workers", "2", "--ship-sources"),
    ],
    ids=" ".join,
)
def test_processes_give_the_bytes_of_inline(
    inline: dict[str, bytes], tmp_path: Path, options: tuple[str, ...]
) -> None:
    scan(EXAMPLE, tmp_path / "out", "--backend", "processes", *options)

    assert artifacts(tmp_path / "out") == inline


@pytest.mark.parametrize("seed", ["0", "1", "77"])
def test_hash_seeds_show_in_no_artifact(inline: dict[str, bytes], tmp_path: Path, seed: str) -> None:
    scan(EXAMPLE, tmp_path / "out", "--backend", "processes", "--workers", "2", PYTHONHASHSEED=seed)

    assert artifacts(tmp_path / "out") == inline


@pytest.mark.parametrize("workers", ["1", "2", "5"])
def test_a_large_tree_gives_the_bytes_of_inline(large_tree: LargeTree, tmp_path: Path, workers: str) -> None:
    options = ("--backend", "processes", "--workers", workers)
    scan(large_tree.root, tmp_path / "out", *options, PYTHONHASHSEED=workers)

    assert len(json.loads(large_tree.artifacts["index.json"])["packages"]) == 40
    assert artifacts(tmp_path / "out") == large_tree.artifacts


def task_for(root: Path, files: list[SourceFile], number: int = 0) -> ShardTask:
    return ShardTask(number, str(root), tuple(files), 1 << 20)


def test_a_shard_scans_alike_with_the_tree_and_with_shipped_contents() -> None:
    files = list(discover_sources(EXAMPLE, ScanOptions()).files)
    here = scan_shard(task_for(EXAMPLE, files))
    contents = tuple((EXAMPLE / file.path).read_bytes() for file in files)
    shipped = scan_shard(ShardTask(0, "/nowhere", tuple(files), 1 << 20, contents=contents))

    assert shipped.scans == here.scans


def test_shard_borders_and_order_change_no_scan() -> None:
    files = list(discover_sources(EXAMPLE, ScanOptions()).files)
    whole = {item.file_path: item for item in scan_shard(task_for(EXAMPLE, files)).scans if item is not None}
    random.Random(7).shuffle(files)
    tasks = [task_for(EXAMPLE, list(files[start : start + 7]), start) for start in range(0, len(files), 7)]
    with ProcessBackend(2) as backend:
        parts = {
            item.file_path: item
            for result in scan_with_recovery(backend, tasks)
            for item in result.scans
            if item is not None
        }

    assert parts == whole


def with_hooks(root: Path, out: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return scan(root, out, "--backend", "processes", "--workers", "2", *options, PYTHONPATH=str(HOOKS))


def test_a_file_that_kills_every_worker_is_isolated_and_named(herd: Path, tmp_path: Path) -> None:
    (herd / "src/cow07.ts").write_text("@smrt() class Poison {} // ABORT-THE-WORKER")
    finished = with_hooks(herd, tmp_path / "out")

    assert finished.returncode == 1 | 4
    assert diagnostics_of(tmp_path / "out") == [("scan-crash", "src/cow07.ts")]
    assert herd_of(tmp_path / "out") == {f"Cow{number}" for number in range(40)} - {"Cow7"}
    assert "Traceback" not in finished.stderr


def test_a_file_over_its_time_limit_is_given_up(herd: Path, tmp_path: Path) -> None:
    (herd / "src/cow07.ts").write_text("@smrt() class Endless {} // SLEEP-FOR-LONG")
    with_hooks(herd, tmp_path / "out", "--file-timeout", "0.5")

    assert diagnostics_of(tmp_path / "out") == [("scan-timeout", "src/cow07.ts")]
    assert len(herd_of(tmp_path / "out")) == 39


def children_of(pid: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == pid:
                found += [int(entry.name), *children_of(int(entry.name))]
    return found


def started(root: Path, out: Path) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [
            SCRIPT,
            "run",
            root,
            "--out",
            out,
            "--backend",
            "processes",
            "--workers",
            "2",
            "--quiet",
            "--no-cache",
        ],
        env={**os.environ, "PYTHONPATH": str(HOOKS)},
    )
    deadline = time.monotonic() + 20
    while (
        len(children_of(process.pid)) < 4 and time.monotonic() < deadline
    ):  # two workers beside their two helpers
        time.sleep(0.02)
    time.sleep(0.3)
    return process


def test_a_worker_killed_mid_shard_costs_nothing(herd: Path, tmp_path: Path) -> None:
    with gate_at(tmp_path / "gate") as gate:
        (herd / "src/cow07.ts").write_text(f"@smrt() class Cow7 extends SmrtObject {{}} // {gate.mark}")
        process = started(herd, tmp_path / "out")
        os.kill(min(gate.waiting_workers(1)), signal.SIGKILL)

    assert process.wait(60) == 0
    assert len(herd_of(tmp_path / "out")) == 40
    assert json.loads((tmp_path / "out/run.json").read_bytes())["lostShards"] >= 1


def test_an_interrupt_ends_soon_leaves_no_process_and_the_old_artifacts(herd: Path, tmp_path: Path) -> None:
    scan(herd, tmp_path / "out", "--backend", "inline")
    before = artifacts(tmp_path / "out")
    (herd / "src/new.ts").write_text("@smrt() class New {}")
    process = started(herd, tmp_path / "out")
    workers = children_of(process.pid)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)

    assert process.wait(10) == 130
    assert time.monotonic() - begin < 2
    time.sleep(0.5)
    assert [pid for pid in workers if Path(f"/proc/{pid}").exists() and not _is_zombie(pid)] == []
    assert artifacts(tmp_path / "out") == before
    assert {path.name for path in tmp_path.iterdir()} == {"herd", "out"}


@pytest.mark.parametrize("backend", ["inline", "processes"])
def test_no_process_of_a_scan_runs_code_that_lies_where_it_is_started(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: str
) -> None:
    plant_modules(shop, tmp_path / "executed")
    monkeypatch.chdir(shop)
    finished = scan(Path(), tmp_path / "out", "--backend", backend, "--workers", "2")

    assert (finished.returncode, finished.stderr) == (0, "")
    assert not (tmp_path / "executed").exists()
    assert (tmp_path / "out/packages/acme__shop/manifest.json").exists()


INTERRUPTED_START = """
import os, signal, time
from workers.backends.processes import start_fork_server

if __name__ == "__main__":
    signal.signal(signal.SIGINT, lambda *_: None)
    start_fork_server()
    for _ in range(6):
        time.sleep(0.1)  # a process that has not begun to run Python would die in silence
        os.killpg(0, signal.SIGINT)
"""


def test_an_interrupt_while_the_source_of_workers_starts_prints_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "start.py").write_text(INTERRUPTED_START)
    finished = subprocess.run(
        [sys.executable, tmp_path / "start.py"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        start_new_session=True,
    )

    assert (finished.returncode, finished.stderr) == (0, "")


def test_workers_end_with_a_driver_that_was_killed(herd: Path, tmp_path: Path) -> None:
    process = started(herd, tmp_path / "out")
    workers = children_of(process.pid)
    process.kill()
    process.wait(10)
    deadline = time.monotonic() + 10
    while any(not _is_zombie(pid) for pid in workers) and time.monotonic() < deadline:
        time.sleep(0.05)

    assert [pid for pid in workers if not _is_zombie(pid)] == []


def _is_zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


class LosingBackend(InlineBackend):
    """Loses every task that holds a certain file, and every task once if asked."""

    def __init__(self, poison: str | None, *, loses_all_once: bool) -> None:
        self.poison = poison
        self.seen: set[tuple[str, ...]] = set()
        self.loses_all_once = loses_all_once

    def scan(self, tasks: Any) -> Any:
        for task in tasks:
            key = tuple(file.path for file in task.files)
            is_first = self.loses_all_once and key not in self.seen
            self.seen.add(key)
            if is_first or self.poison in key:
                yield LostShard(task, 0.0, "it was shot")
            else:
                yield scan_shard(task)


@pytest.mark.parametrize("loses_all_once", [False, True])
def test_recovery_isolates_one_file_and_brings_back_all_others(herd: Path, loses_all_once: bool) -> None:
    files = discover_sources(herd, ScanOptions()).files
    tasks = [task_for(herd, list(shard.files), shard.number) for shard in plan_scan(files, 2).shards]
    figures = RecoveryFigures()
    backend = LosingBackend("src/cow11.ts", loses_all_once=loses_all_once)
    scans = [item for result in scan_with_recovery(backend, tasks, figures) for item in result.scans]

    assert sorted(item.file_path for item in scans) == [file.path for file in files]
    assert [item.file_path for item in scans if item.errors] == ["src/cow11.ts"]
    assert figures.given_up == ["src/cow11.ts"]


def test_a_loss_by_chance_is_only_a_retry(herd: Path) -> None:
    files = discover_sources(herd, ScanOptions()).files
    figures = RecoveryFigures()
    backend = LosingBackend(None, loses_all_once=True)
    results = list(scan_with_recovery(backend, [task_for(herd, list(files))], figures))

    assert len(results) == 1
    assert (figures.lost, figures.retried, figures.given_up) == (1, 1, [])


def test_a_plan_is_printed_and_nothing_scanned(command: Any, herd: Path, tmp_path: Path) -> None:
    finished = command(
        "run", herd, "--out", tmp_path / "out", "--plan", "--workers", "2", "--backend", "processes"
    )

    assert finished.code == 0
    assert b"40 files" in finished.out
    assert b"src/cow39.ts" in finished.out
    assert not (tmp_path / "out").exists()


def test_an_address_goes_with_ray_alone(command: Any, herd: Path, tmp_path: Path) -> None:
    finished = command("run", herd, "--out", tmp_path / "out", "--backend", "processes", "--address", "x:1")

    assert (finished.code, "--address" in finished.err) == (2, True)
