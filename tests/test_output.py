"""Writing the same artifacts again leaves them in place; anything else replaces the directory as a whole."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from workers.output import OutputDirectory

INDEX = b'{"formatVersion": 1, "tool": {"name": "scan-cluster"}}'
ARTIFACTS = {
    "index.json": INDEX,
    "packages/a/manifest.json": b"{}",
    "packages/b/manifest.json": b"[]",
    "run.json": b"1",
}


def write(out: Path, root: Path, artifacts: dict[str, bytes]) -> None:
    with OutputDirectory(out, root) as output:
        output.write(artifacts)


def content(out: Path) -> dict[str, bytes]:
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}


def inodes(out: Path) -> dict[str, int]:
    return {path.relative_to(out).as_posix(): path.stat().st_ino for path in out.rglob("*") if path.is_file()}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root").mkdir()
    return tmp_path / "root"


@pytest.fixture
def out(tmp_path: Path, root: Path) -> Path:
    write(tmp_path / "out", root, ARTIFACTS)
    return tmp_path / "out"


@pytest.mark.parametrize("name", sorted(ARTIFACTS))
def test_where_one_artifact_differs_the_others_stay_as_they_are(root: Path, out: Path, name: str) -> None:
    before = inodes(out)
    changed = {**ARTIFACTS, name: ARTIFACTS[name] + b"\n"}
    write(out, root, changed)
    after = inodes(out)

    assert content(out) == changed
    assert {path for path in ARTIFACTS if after[path] != before[path]} == {name}
    assert {path.name for path in out.parent.iterdir()} == {"out", "root"}


def test_a_difference_that_keeps_the_size_is_seen(root: Path, out: Path) -> None:
    changed = {**ARTIFACTS, "packages/a/manifest.json": b"[]", "run.json": b"2"}
    write(out, root, changed)

    assert content(out) == changed


@pytest.mark.parametrize(
    "disturb",
    [
        lambda out: (out / "packages/a/more.json").write_bytes(b""),
        lambda out: (out / "packages/c").mkdir(),
        lambda out: (out / "packages/a/manifest.json").unlink(),
        lambda out: ((out / "packages/a/manifest.json").unlink(), (out / "packages/a/manifest.json").mkdir()),
        lambda out: (
            (out / "packages/a/manifest.json").rename(out.parent / "elsewhere"),
            (out / "packages/a/manifest.json").symlink_to(out.parent / "elsewhere"),
        ),
    ],
    ids=["file", "directory", "missing", "directory-for-file", "link"],
)
def test_whatever_else_stands_in_the_directory_is_gone_afterwards(
    root: Path, out: Path, disturb: Callable[[Path], Any]
) -> None:
    disturb(out)
    write(out, root, {**ARTIFACTS, "run.json": b"2"})

    assert content(out) == {**ARTIFACTS, "run.json": b"2"}
    assert {path.name for path in (out / "packages").iterdir()} == {"a", "b"}
    assert not any(path.is_symlink() for path in out.rglob("*"))
