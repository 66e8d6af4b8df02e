"""A cache changes how long a run takes, and nothing else."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from conftest import EXAMPLE, Finished
from runs import HOOKS, SCRIPT, artifacts


def figures(out: Path) -> Any:
    return json.loads((out / "run.json").read_bytes())["cache"]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return Path(shutil.copytree(EXAMPLE, tmp_path / "tree"))


@pytest.fixture
def run(command: Callable[..., Finished], tree: Path, tmp_path: Path) -> Callable[..., dict[str, bytes]]:
    """Scan the tree with the cache of this test; returns the artifacts."""

    def scan(*options: str | Path) -> dict[str, bytes]:
        out = tmp_path / "out"
        command("run", tree, "--out", out, "--depth", "full", "--quiet", *options)
        return artifacts(out)

    return scan


def test_a_warm_run_writes_the_bytes_of_a_cold_one(run: Callable[..., Any], tmp_path: Path) -> None:
    without = run("--no-cache")
    cold = run("--cache", tmp_path / "cache")
    cold_figures = figures(tmp_path / "out")
    warm = run("--cache", tmp_path / "cache")
    warm_figures = figures(tmp_path / "out")

    assert cold == without
    assert warm == without
    assert (cold_figures["hits"], warm_figures["misses"]) == (0, 0)
    assert warm_figures["hits"] == cold_figures["misses"] > 0


def test_a_run_without_a_cache_says_so_and_makes_none(run: Callable[..., Any], tmp_path: Path) -> None:
    run("--no-cache", "--config", _config(tmp_path, f'cache = "{tmp_path / "cache"}"'))

    assert figures(tmp_path / "out") is None
    assert not (tmp_path / "cache").exists()


def test_the_command_line_turns_a_cache_on_that_the_configuration_turns_off(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    run("--config", _config(tmp_path, "no-cache = true"))
    assert figures(tmp_path / "out") is None

    run("--config", _config(tmp_path, "no-cache = true"), "--cache", tmp_path / "cache")
    assert figures(tmp_path / "out") is not None


def _config(directory: Path, text: str) -> Path:
    path = directory / "scan.toml"
    path.write_text(text)
    return path


def test_only_changed_files_are_scanned_again(run: Callable[..., Any], tree: Path, tmp_path: Path) -> None:
    run("--cache", tmp_path / "cache")
    victim = next(path for path in sorted(tree.rglob("order.ts")) if "node_modules" not in path.parts)
    victim.write_text(victim.read_text() + "\n@smrt() export class Extra extends SmrtObject {}\n")
    warm = run("--cache", tmp_path / "cache")

    assert figures(tmp_path / "out")["misses"] == 1
    assert warm == run("--no-cache")
    assert any(b":Extra" in data for name, data in warm.items() if name.endswith("manifest.json"))


def test_other_options_use_the_same_results_where_they_may(run: Callable[..., Any], tmp_path: Path) -> None:
    run("--cache", tmp_path / "cache")
    options = ("--exclude", "**/*.test.ts", "--framework-base", "Ledger", "--no-agent-surface")

    assert run("--cache", tmp_path / "cache", *options) == run("--no-cache", *options)


def test_a_cache_inside_the_root_is_no_input(run: Callable[..., Any], tree: Path) -> None:
    inside = tree / "cache"
    without = run("--no-cache")
    run("--cache", inside)
    (inside / "x.ts").write_text("@smrt() export class Stray extends SmrtObject {}")

    assert run("--cache", inside) == without


def test_a_damaged_cache_costs_a_remark_and_no_result(
    command: Callable[..., Finished], run: Callable[..., Any], tree: Path, tmp_path: Path
) -> None:
    without = run("--no-cache")
    run("--cache", tmp_path / "cache")
    for path in (tmp_path / "cache").iterdir():
        if path.suffix != ".TAG":
            path.write_bytes(b"scribble" * 1000)
    finished = command(
        "run", tree, "--out", tmp_path / "out", "--depth", "full", "--cache", tmp_path / "cache"
    )

    assert artifacts(tmp_path / "out") == without
    assert "damaged" in finished.err
    assert "Traceback" not in finished.err


def test_a_directory_of_something_else_is_left_alone(
    command: Callable[..., Finished], tree: Path, tmp_path: Path
) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos/me.jpg").write_bytes(b"x")
    finished = command("run", tree, "--out", tmp_path / "out", "--cache", tmp_path / "photos")

    assert "no cache was used" in finished.err
    assert [path.name for path in (tmp_path / "photos").iterdir()] == ["me.jpg"]


def test_contradicting_cache_options_are_refused(
    command: Callable[..., Finished], tree: Path, tmp_path: Path
) -> None:
    finished = command("run", tree, "--out", tmp_path / "out", "--no-cache", "--cache", tmp_path / "cache")

    assert finished.code == 2
    assert "--no-cache" in finished.err


def wait_for_results(cache: Path) -> None:
    """Wait until a run has stored something, however busy the machine is."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with suppress(sqlite3.OperationalError):
            connection = sqlite3.connect(f"file:{cache}/results.sqlite3?mode=ro", uri=True)
            with closing(connection):
                if connection.execute("SELECT COUNT(*) FROM results").fetchone()[0]:
                    return
        time.sleep(0.05)
    raise TimeoutError("no result was stored within a minute")


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_an_ended_run_resumes_from_what_it_had_finished(tmp_path: Path, how: signal.Signals) -> None:
    root, cache, out = tmp_path / "herd", tmp_path / "cache", tmp_path / "out"
    root.mkdir()
    for number in range(60):
        (root / f"cow{number}.ts").write_text(
            f"@smrt() class Cow{number} extends SmrtObject {{}} // SLEEP-A-LITTLE {'.' * 16_000}"
        )
    arguments = [SCRIPT, "run", root, "--out", out, "--cache", cache, "--backend", "processes", "--quiet"]
    environment = {**os.environ, "PYTHONPATH": str(HOOKS)}
    process = subprocess.Popen([*arguments, "--workers", "2"], env=environment)
    wait_for_results(cache)
    process.send_signal(how)
    process.wait(20)
    if how is signal.SIGKILL:
        time.sleep(1)  # for its workers to notice
    subprocess.run([*arguments, "--workers", "2"], env=environment, check=True, timeout=60)

    assert 0 < figures(out)["hits"] < 60
