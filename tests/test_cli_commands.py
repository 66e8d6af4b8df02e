"""The smaller commands: inspect, files, lint, version and help."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


def test_inspect_prints_one_line_a_file_in_the_order_given(command: Any, shop: Path) -> None:
    finished = command("inspect", shop / "src/util.ts", shop / "src/order.ts", "--package-name", "@me/x")
    first, second = map(json.loads, finished.out.splitlines())

    assert finished.code == 0
    assert (first["raw"]["classes"], first["manifest"]["objects"]) == ([], {})
    assert list(second["manifest"]["objects"]) == ["@me/x:Order"]
    assert second["raw"]["classes"][0]["filePath"] == "order.ts"


def test_inspect_takes_framework_bases(command: Any, tmp_path: Path) -> None:
    (tmp_path / "a.ts").write_text("class Visit extends Clinic {}")
    plain = json.loads(command("inspect", tmp_path / "a.ts").out)
    based = json.loads(command("inspect", tmp_path / "a.ts", "--framework-base", "Clinic").out)

    assert plain["resolved"] == []
    assert based["resolved"][0]["inheritanceChain"] == ["Clinic", "Visit"]


def test_inspect_names_a_file_it_cannot_read_and_goes_on(command: Any, shop: Path) -> None:
    os.mkfifo(shop / "pipe.ts")
    finished = command("inspect", shop / "missing.ts", shop / "pipe.ts", shop / "src/order.ts")
    missing, pipe, order = map(json.loads, finished.out.splitlines())

    assert finished.code == 4
    assert missing["raw"]["errors"][0]["kind"] == "file-vanished"
    assert pipe["warnings"][0]["code"] == "not-a-regular-file"
    assert order["raw"]["classes"]


def test_files_lists_what_a_scan_takes(command: Any, shop: Path) -> None:
    (shop / "node_modules/x").mkdir(parents=True)
    (shop / "node_modules/x/a.ts").write_text("")

    assert command("files", shop).out == b"src/order.ts\nsrc/util.ts\n"
    assert command("files", shop, "--null").out == b"src/order.ts\0src/util.ts\0"
    assert command("files", shop, "--exclude", "**/util.ts").out == b"src/order.ts\n"


def test_files_explains_a_path(command: Any, shop: Path) -> None:
    assert b"node_modules" in command("files", shop, "--explain", "node_modules/x/a.ts").out
    assert command("files", shop, "--explain", "src/order.ts").out.startswith(b"src/order.ts: ")


def test_lint_finds_money_with_a_point(command: Any, shop: Path) -> None:
    (shop / "src/bill.ts").write_text("@smrt() class Bill {\n  total = 0.0;\n}\n")
    finished = command("lint", shop)

    assert finished.code == 1
    assert b"Bill.total" in finished.out
    assert b"2:" in finished.out
    assert command("lint", shop, "--fail-on", "never").code == 0


def test_lint_of_a_clean_tree_exits_0(command: Any, shop: Path) -> None:
    assert command("lint", shop).code == 0


@pytest.mark.parametrize(
    "arguments", [("--help",), ("run", "--help"), ("inspect", "--help"), ("files", "-h"), ("lint", "-h")]
)
def test_every_command_has_help(command: Any, arguments: tuple[str, ...]) -> None:
    finished = command(*arguments)

    assert finished.code == 0
    assert b"Usage: scan-cluster" in finished.out


def test_the_installed_command_says_its_version() -> None:
    script = Path(sys.executable).with_name("scan-cluster")
    finished = subprocess.run([script, "--version"], capture_output=True, check=True)

    assert finished.stdout.startswith(b"scan-cluster 0.")


def test_a_reader_that_goes_away_is_no_error(shop: Path) -> None:
    for number in range(3000):
        (shop / f"src/file-with-a-long-name-to-fill-the-pipe-{number}.ts").write_text("")
    script = Path(sys.executable).with_name("scan-cluster")
    finished = subprocess.run(f"{script} files {shop} | head -1", shell=True, capture_output=True, check=True)

    assert finished.stderr == b""
