"""A Ray instance of a scan's own leaves nothing behind, prints nothing, and runs no code but the scanner's."""

from __future__ import annotations

import json
import multiprocessing.resource_tracker
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import EXAMPLE
from gates import Gate, gate_at
from ray_clusters import background_scan, processes_below, remaining
from runs import SCRIPT, artifacts, herd_of, plant_modules, scan

from workers.backends.ray_backend import RayBackend
from workers.execution import BackendSupply, Execution

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.xdist_group("ray")]


@pytest.fixture
def temporary() -> Iterator[Path]:
    """A temporary directory of the test's own, with a path that is short enough for Ray."""
    with tempfile.TemporaryDirectory(prefix="t-", dir="/tmp") as directory:
        yield Path(directory)


@pytest.fixture
def surroundings(tmp_path: Path, temporary: Path) -> dict[str, str]:
    """A home and a temporary directory of the test's own, and settings for another cluster."""
    (tmp_path / "home").mkdir()
    return {
        "HOME": str(tmp_path / "home"),
        "TMPDIR": str(temporary),
        "RAY_ADDRESS": "127.0.0.1:1",
        "RAY_AUTH_TOKEN": "not-a-token",
    }


@pytest.fixture
def gate(tmp_path: Path) -> Iterator[Gate]:
    with gate_at(tmp_path / "gate") as closed:
        yield closed


@pytest.fixture
def gated_herd(herd: Path, gate: Gate) -> Path:
    """The herd with a small file, scanned last, at which a worker waits."""
    (herd / "src/last.ts").write_text(f"@smrt() class Last extends SmrtObject {{}} // {gate.mark}")
    return herd


@pytest.mark.parametrize("workers", ["1", "2"])
def test_it_gives_the_bytes_of_inline_and_leaves_nothing(
    tmp_path: Path, temporary: Path, surroundings: dict[str, str], workers: str
) -> None:
    scan(EXAMPLE, tmp_path / "inline", "--backend", "inline")
    finished = scan(EXAMPLE, tmp_path / "out", "--backend", "ray", "--workers", workers, **surroundings)

    assert artifacts(tmp_path / "out") == artifacts(tmp_path / "inline"), finished.stderr
    assert json.loads((tmp_path / "out/run.json").read_bytes())["backend"] == "ray"
    assert list((tmp_path / "home").iterdir()) == []
    assert list(temporary.iterdir()) == []


def test_a_dead_worker_shows_in_the_figures_alone(
    gated_herd: Path, gate: Gate, tmp_path: Path, surroundings: dict[str, str]
) -> None:
    process = background_scan(
        gated_herd, tmp_path / "out", "--backend", "ray", "--workers", "1", **surroundings
    )
    os.kill(min(gate.waiting_workers(1)), signal.SIGKILL)
    gate.open()

    assert (*process.communicate(timeout=90), process.returncode) == ("", "", 0)
    assert len(herd_of(tmp_path / "out")) == 41
    assert json.loads((tmp_path / "out/run.json").read_bytes())["lostShards"] >= 1


def test_an_interrupt_ends_soon_leaves_nothing_and_keeps_the_cache(
    gated_herd: Path, gate: Gate, tmp_path: Path, temporary: Path, surroundings: dict[str, str]
) -> None:
    options = ("--backend", "ray", "--workers", "2", "--cache", str(tmp_path / "cache"))
    process = background_scan(gated_herd, tmp_path / "out", *options, **surroundings)
    workers = gate.waiting_workers(1)
    wait_for_results(tmp_path / "cache")
    own = processes_below(process.pid) | workers
    begin = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=30)

    assert process.returncode == 130
    assert time.monotonic() - begin < 5
    assert errors.strip() == "scan-cluster: interrupted; nothing was replaced."
    assert remaining(own) == set()
    assert list(temporary.iterdir()) == []
    scan(gated_herd, tmp_path / "out", "--cache", str(tmp_path / "cache"), "--backend", "inline")
    assert json.loads((tmp_path / "out/run.json").read_bytes())["cache"]["hits"] > 0


def wait_for_results(cache: Path) -> None:
    """Wait until a cache holds results; a scan writes them about once a second."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        info = subprocess.run([SCRIPT, "cache", "info", "--cache", cache], capture_output=True, check=False)
        if re.search(rb"results: [1-9]", info.stdout):
            return
    raise TimeoutError("the cache stays empty")


@pytest.mark.parametrize("seconds", [0.0, 2.0])
def test_an_early_end_waits_for_no_start(
    temporary: Path, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    multiprocessing.resource_tracker.ensure_running()  # it outlives what it was started for
    others = processes_below(os.getpid())
    with BackendSupply(Execution("ray", workers=1)):
        time.sleep(seconds)
        own = processes_below(os.getpid()) - others
        begin = time.monotonic()

    assert time.monotonic() - begin < 5
    assert own
    assert remaining(own) == set()
    assert list(temporary.iterdir()) == []


def test_a_scan_that_was_killed_takes_its_instance_along(
    gated_herd: Path, gate: Gate, tmp_path: Path, temporary: Path, surroundings: dict[str, str]
) -> None:
    process = background_scan(
        gated_herd, tmp_path / "out", "--backend", "ray", "--workers", "1", **surroundings
    )
    own = gate.waiting_workers(1) | processes_below(process.pid)
    process.kill()
    process.communicate(timeout=30)

    assert remaining(own, 10) == set()
    assert list(temporary.iterdir()) == []


def test_workers_import_nothing_from_the_directory_that_a_scan_starts_in(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant_modules(shop, tmp_path / "executed")
    monkeypatch.chdir(shop)
    scan(Path(), tmp_path / "out", "--backend", "ray", "--workers", "1")

    assert not (tmp_path / "executed").exists()
    assert (tmp_path / "out/packages/acme__shop/manifest.json").exists()


def test_a_scan_answered_by_the_cache_waits_for_no_ray(shop: Path, tmp_path: Path) -> None:
    options = ("--cache", str(tmp_path / "cache"))
    scan(shop, tmp_path / "out", "--backend", "inline", *options)
    scan(shop, tmp_path / "out", "--backend", "ray", *options)

    run = json.loads((tmp_path / "out/run.json").read_bytes())
    assert (run["cache"]["misses"], run["shards"]) == (0, 0)


def test_the_process_of_the_scan_stays_as_it_was(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    deep = tmp_path / ("deep" * 20)  # too deep for Ray
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    before = (dict(os.environ), os.getpgrp(), signal.getsignal(signal.SIGTERM), "ray" in sys.modules)
    with RayBackend(1) as backend:
        assert backend.workers == 1

    assert (dict(os.environ), os.getpgrp(), signal.getsignal(signal.SIGTERM), "ray" in sys.modules) == before
    assert capfd.readouterr() == ("", "")
