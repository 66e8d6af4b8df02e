"""A disk that is full costs a run its artifacts and nothing else: the earlier ones stay, and the error names the place."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import EXAMPLE
from runs import SCRIPT, artifacts

KILOBYTE = 1024
MOUNT = shutil.which("mount")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 1.5 MB, room for two runs over the sample, but not for what fills it besides."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if MOUNT is None or os.geteuid() != 0:
        pytest.skip("mounting a small file system takes root and mount; the limit on file sizes stands in")
    mounted = subprocess.run(
        [MOUNT, "-t", "tmpfs", "-o", "size=1536k", "tmpfs", disk], capture_output=True, text=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip(f"a small file system cannot be mounted here: {mounted.stderr.strip()}")
    yield disk
    subprocess.run(["umount", disk], check=True)


def run(out: Path, *options: str | Path, limit: int | None = None) -> subprocess.CompletedProcess[str]:
    def limit_file_sizes() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.run(
        [
            SCRIPT,
            "run",
            EXAMPLE,
            "--out",
            out,
            "--quiet",
            "--fail-on",
            "never",
            "--backend",
            "inline",
            *options,
        ],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit_file_sizes,
    )


def fill(disk: Path, leave: int) -> None:
    """Take all room of a file system but *leave* bytes."""
    room = os.statvfs(disk)
    (disk / "filler").write_bytes(bytes(max(0, room.f_bavail * room.f_bsize - leave)))


def test_a_full_disk_leaves_the_earlier_artifacts(small_disk: Path) -> None:
    assert run(small_disk / "out", "--no-cache").returncode == 0
    before = artifacts(small_disk / "out")
    fill(small_disk, 64 * KILOBYTE)
    finished = run(small_disk / "out", "--no-cache", "--depth", "full")

    assert finished.returncode == 8
    assert str(small_disk / "out") in finished.stderr
    assert "No space left on device" in finished.stderr
    assert "Traceback" not in finished.stderr
    assert artifacts(small_disk / "out") == before
    assert {path.name for path in small_disk.iterdir()} == {"out", "filler"}


def test_a_full_disk_below_the_cache_costs_the_cache_alone(small_disk: Path, tmp_path: Path) -> None:
    fill(small_disk, 20 * KILOBYTE)
    finished = run(tmp_path / "out", "--cache", small_disk / "cache")
    without = run(tmp_path / "without", "--no-cache")

    assert (finished.returncode, without.returncode) == (0, 0)
    assert artifacts(tmp_path / "out") == artifacts(tmp_path / "without")


def test_files_that_may_not_grow_leave_the_earlier_artifacts(tmp_path: Path) -> None:
    assert run(tmp_path / "out", "--no-cache").returncode == 0
    before = artifacts(tmp_path / "out")
    finished = run(tmp_path / "out", "--no-cache", "--depth", "full", limit=16 * KILOBYTE)

    assert finished.returncode == 8
    assert "File too large" in finished.stderr
    assert artifacts(tmp_path / "out") == before
    assert {path.name for path in tmp_path.iterdir()} == {"out"}
