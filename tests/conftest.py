"""Fixtures that several test modules share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from generated_tree import write_tree
from runs import artifacts, scan

from workers.cli.main import main

EXAMPLE = Path(__file__).parent.parent / "examples" / "harbour-market"


@dataclass(frozen=True)
class Finished:
    """What a command printed and how it exited."""

    code: int
    out: bytes
    err: str


@pytest.fixture(autouse=True, scope="session")
def cache_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep commands, also those in processes of their own, from the cache of whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@dataclass(frozen=True)
class LargeTree:
    """A tree of 2,000 files, and what scanning it in one process writes."""

    root: Path
    artifacts: dict[str, bytes]


@pytest.fixture(scope="session")
def large_tree(tmp_path_factory: pytest.TempPathFactory) -> LargeTree:
    directory = tmp_path_factory.mktemp("large")
    write_tree(directory / "tree", 2000)
    scan(directory / "tree", directory / "out", "--backend", "inline")
    return LargeTree(directory / "tree", artifacts(directory / "out"))


@pytest.fixture
def command(capfdbinary: pytest.CaptureFixture[bytes]) -> Callable[..., Finished]:
    """Run a scan-cluster command in this process."""

    def run(*arguments: str | Path) -> Finished:
        with pytest.raises(SystemExit) as exit_info:
            main([str(argument) for argument in arguments])
        captured = capfdbinary.readouterr()
        return Finished(int(exit_info.value.code or 0), captured.out, captured.err.decode("utf-8", "replace"))

    return run


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A small package with one model and one file that is none."""
    root = tmp_path / "shop"
    (root / "src").mkdir(parents=True)
    (root / "package.json").write_text('{"name": "@acme/shop", "version": "2.0.0"}')
    (root / "src/order.ts").write_text(
        "@smrt()\nexport class Order extends SmrtObject {\n  note: string = '';\n}\n"
    )
    (root / "src/util.ts").write_text("export const one = 1;\n")
    return root


@pytest.fixture
def herd(tmp_path: Path) -> Path:
    """A package of forty models in three shards, each slow to scan if a worker has the hooks."""
    root = tmp_path / "herd"
    (root / "src").mkdir(parents=True)
    (root / "package.json").write_text('{"name": "@acme/herd"}')
    for number in range(40):
        (root / f"src/cow{number:02}.ts").write_text(
            f"@smrt() class Cow{number} extends SmrtObject {{}} // SLEEP-A-LITTLE {'.' * 4096}"
        )
    return root
