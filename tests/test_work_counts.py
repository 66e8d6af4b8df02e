"""A scan does no more work than it must: counted in files read, files parsed, tasks and bytes, never in seconds."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
import tree_sitter
from conftest import EXAMPLE, Finished
from generated_tree import TreeShape, write_tree

from workers.backends.inline import InlineBackend
from workers.backends.interface import ShardOutcome
from workers.execution import BackendSupply
from workers.plan import PARSED
from workers.shards import ShardTask

SOURCES = (".ts", ".tsx", ".js", ".jsx", ".svelte")
DEPTHS = ("manifest", "full")

SETTLING_SECONDS = 2.5  # the cache reads files again that changed just now


@dataclass
class Work:
    """What this process did while it was watched."""

    opened: Counter[str] = field(default_factory=Counter)
    listed: Counter[str] = field(default_factory=Counter)
    parses: int = 0

    def reads_below(self, root: Path) -> dict[str, int]:
        """How often each source below a directory was opened, by its path there."""
        prefix = f"{root}{os.sep}"
        return {
            path.removeprefix(prefix): count
            for path, count in self.opened.items()
            if path.startswith(prefix) and path.endswith(SOURCES)
        }


_watching: list[Work] = []  # an audit hook cannot be taken away again, so it looks here whether it is wanted


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    if _watching and event in {"open", "os.scandir"} and isinstance(arguments[0], str):
        work = _watching[0]
        (work.opened if event == "open" else work.listed)[arguments[0]] += 1


sys.addaudithook(_audit)


@contextmanager
def watched() -> Iterator[Work]:
    """Count files opened, directories listed and sources parsed by this process."""
    work = Work()

    def count_parses(_frame: FrameType, event: str, called: Any) -> None:
        if event == "c_call" and isinstance(getattr(called, "__self__", None), tree_sitter.Parser):
            work.parses += called.__name__ == "parse"

    _watching.append(work)
    before = sys.getprofile()
    sys.setprofile(count_parses)
    try:
        yield work
    finally:
        sys.setprofile(before)
        _watching.clear()


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree of 120 files in three packages: a third with models, a third with intents, a third with neither."""
    root = tmp_path_factory.mktemp("generated") / "tree"
    shape = TreeShape(models=1, intents=1, of=3, noise=0.5, files_per_package=40)
    write_tree(root, 120, shape=shape)
    return root


@pytest.fixture
def run(command: Callable[..., Finished], tmp_path: Path) -> Callable[..., Any]:
    """Scan a tree in this process and return what run.json tells."""

    def scan(root: Path, *options: str | Path) -> Any:
        cache = () if "--cache" in options else ("--no-cache",)
        always = ("--backend", "inline", "--quiet", "--fail-on", "never", *cache)
        command("run", root, "--out", tmp_path / "out", *always, *options)
        return json.loads((tmp_path / "out/run.json").read_bytes())

    return scan


@pytest.mark.parametrize("tree", ["generated", "sample"])
def test_a_full_scan_reads_each_source_once_and_lists_each_directory_once(
    tree: str, generated: Path, run: Callable[..., Any]
) -> None:
    root = generated if tree == "generated" else EXAMPLE
    with watched() as work:
        figures = run(root, "--depth", "full")

    reads = work.reads_below(root)
    assert len(reads) == figures["files"] == figures["work"]["filesScanned"]
    assert set(reads.values()) == {1}
    assert {count for path, count in work.listed.items() if path.startswith(str(root))} == {1}


def test_a_full_scan_parses_what_declares_something_and_nothing_else(
    generated: Path, run: Callable[..., Any]
) -> None:
    with watched() as work:
        figures = run(generated, "--depth", "full")

    assert work.parses == figures["work"]["filesParsed"] == 80


def test_the_usual_depth_parses_what_mentions_smrt(generated: Path, run: Callable[..., Any]) -> None:
    with watched() as work:
        figures = run(generated)

    assert work.parses == figures["work"]["filesParsed"] == 80
    # Forty sources that mention nothing lie beside models, so that the names they may declare are listed.
    assert (figures["work"]["rounds"], figures["work"]["filesScanned"]) == (2, 160)


def test_a_tree_without_models_is_searched_once_and_not_parsed(
    tmp_path: Path, run: Callable[..., Any]
) -> None:
    write_tree(tmp_path / "tree", 50, shape=TreeShape(models=0, intents=0))
    with watched() as work:
        figures = run(tmp_path / "tree")

    assert set(work.reads_below(tmp_path / "tree").values()) == {1}
    assert figures["work"] == {"rounds": 1, "filesScanned": 50, "filesParsed": 0, "bytesShipped": 0}


def test_what_a_model_needs_is_parsed_wherever_it_stands(tmp_path: Path, run: Callable[..., Any]) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    (root / "order.ts").write_text("@smrt() class Order extends Base { state: State }")
    (root / "base.ts").write_text("export class Base extends Root {}")
    (root / "root.ts").write_text("export class Root {}")
    (root / "state.ts").write_text("export type State = 'open' | 'done'")
    for number in range(30):
        (root / f"other{number}.ts").write_text(f"export class Other{number} {{}}")
    with watched() as work:
        figures = run(root)

    assert work.parses == figures["work"]["filesParsed"] == 4
    assert figures["work"]["rounds"] == 4


def test_scripts_without_declarations_are_read_and_not_parsed(
    tmp_path: Path, run: Callable[..., Any]
) -> None:
    for number in range(5):
        (tmp_path / f"tree/tool{number}.js").parent.mkdir(exist_ok=True)
        (tmp_path / f"tree/tool{number}.js").write_text("export const one = 1;\n")
    with watched() as work:
        run(tmp_path / "tree", "--depth", "full")

    assert (len(work.reads_below(tmp_path / "tree")), work.parses) == (5, 0)


@pytest.mark.parametrize("depth", DEPTHS)
def test_a_second_run_reads_and_parses_nothing_but_what_changed(
    depth: str, generated: Path, tmp_path: Path, run: Callable[..., Any]
) -> None:
    root = Path(shutil.copytree(generated, tmp_path / "tree"))
    options = ("--depth", depth, "--cache", tmp_path / "cache")
    time.sleep(SETTLING_SECONDS)
    run(root, *options)
    with watched() as unchanged:
        run(root, *options)
    [changed] = root.glob("packages/p0001/src/*-07.ts")
    changed.write_text(changed.read_text() + "export const one = 1;\n")
    with watched() as after_a_change:
        run(root, *options)

    assert (unchanged.reads_below(root), unchanged.parses) == ({}, 0)
    assert after_a_change.reads_below(root).keys() == {changed.relative_to(root).as_posix()}
    assert after_a_change.parses <= 1


def test_there_are_as_many_tasks_as_the_bytes_ask_for(tmp_path: Path, run: Callable[..., Any]) -> None:
    (tmp_path / "tree").mkdir()
    line = b"export const one = 1;\n".ljust(64)
    for number in range(64):
        (tmp_path / f"tree/part{number:02}.ts").write_bytes(line * (PARSED.least_bytes // 4 // len(line)))
    figures = run(tmp_path / "tree", "--backend", "processes", "--workers", "2", "--depth", "full")

    # Sixteen tasks of four files each are just what two workers want of a tree of this size.
    assert (figures["files"], figures["shards"], len(figures["shardSeconds"])) == (64, 16, 16)


class CountingBackend(InlineBackend):
    """Scans here, but sends tasks and results through pickle as other backends do, and counts the bytes."""

    def __init__(self) -> None:
        self.task_bytes = 0
        self.result_bytes = 0

    def scan(self, tasks: Iterable[ShardTask]) -> Iterator[ShardOutcome]:
        for task in tasks:
            sent = pickle.dumps(task)
            self.task_bytes += len(sent)
            for outcome in super().scan([pickle.loads(sent)]):
                answer = pickle.dumps(outcome)
                self.result_bytes += len(answer)
                yield pickle.loads(answer)


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> CountingBackend:
    counting = CountingBackend()
    monkeypatch.setattr(BackendSupply, "backend_for", lambda _supply, _files: counting)
    return counting


@pytest.mark.parametrize("depth", DEPTHS)
def test_tasks_hold_paths_and_no_sources(
    depth: str, generated: Path, run: Callable[..., Any], backend: CountingBackend
) -> None:
    figures = run(generated, "--depth", depth)

    assert 0 < backend.task_bytes < 100 * figures["files"] + 500 * figures["shards"]
    assert backend.task_bytes * 8 < figures["sourceBytes"]


def test_shipped_sources_travel_once(
    generated: Path, run: Callable[..., Any], backend: CountingBackend
) -> None:
    figures = run(generated, "--depth", "full")
    paths_alone = backend.task_bytes
    backend.task_bytes = 0
    shipped = run(generated, "--depth", "full", "--ship-sources")

    assert shipped["work"]["bytesShipped"] == figures["sourceBytes"]
    assert 0 <= backend.task_bytes - paths_alone - figures["sourceBytes"] < 30 * figures["files"]


def test_a_file_without_findings_costs_few_bytes_on_the_way_back(
    tmp_path: Path, run: Callable[..., Any], backend: CountingBackend
) -> None:
    write_tree(tmp_path / "tree", 50, shape=TreeShape(models=0, intents=0))
    figures = run(tmp_path / "tree", "--depth", "full")

    assert figures["sourceBytes"] > 50 * 2000
    assert backend.result_bytes < 300 * figures["files"]
