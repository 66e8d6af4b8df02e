"""Runs of the installed command, and what they left in their output directory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(sys.executable).with_name("scan-cluster")
HOOKS = Path(__file__).parent / "worker_hooks"


def command_line(root: Path, out: Path, *options: str) -> list[str | Path]:
    """A run without the cache, unless options name one."""
    cache = () if "--cache" in options else ("--no-cache",)
    return [SCRIPT, "run", root, "--out", out, "--depth", "full", "--quiet", *cache, *options]


def scan(root: Path, out: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command_line(root, out, *options),
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def artifacts(out: Path) -> dict[str, bytes]:
    """The content of every artifact that equal runs share."""
    return {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in out.rglob("*")
        if path.is_file() and path.name != "run.json"
    }


def diagnostics_of(out: Path) -> list[tuple[str, str]]:
    diagnostics = json.loads((out / "diagnostics.json").read_bytes())["diagnostics"]
    return [(item["code"], item["filePath"]) for item in diagnostics]


def herd_of(out: Path) -> set[str]:
    """The models that the manifest of the herd lists."""
    manifest = json.loads((out / "packages/acme__herd/manifest.json").read_bytes())
    return {key.partition(":")[2] for key in manifest["objects"]}


def plant_modules(directory: Path, trace: Path) -> None:
    """Put modules into a directory that leave a trace when they are imported, under names that a scan imports."""
    own = ("scanner", "workers", "orjson", "tree_sitter", "click", "tqdm", "ray")
    of_python = ("multiprocessing", "signal", "socket", "struct", "threading", "selectors", "json", "random")
    for name in (*own, *of_python):
        (directory / f"{name}.py").write_text(f"open({str(trace)!r}, 'w').close()")
