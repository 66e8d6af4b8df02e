"""Trees with installed packages, and what scanning them comes to."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from scanner import scan_project
from scanner.options import Depth, Resolution, ScanOptions
from scanner.project import ProjectResult

MANIFEST = "node_modules/@acme/kernel/dist/manifest.json"
FACTS = "node_modules/@acme/kernel/package.json"
KERNEL = """
import { SmrtObject } from '@happyvertical/smrt-core';
export class Record extends SmrtObject { created: Date = new Date(); protected secret = 1; }
@smrt({ tableStrategy: 'sti', tenantScoped: { mode: 'required' } })
export class Party extends Record { name: string = ''; age?: number; static uiSlots = { a: 1 }; rename() {} }
@smrt() export class Lone { x = 1 }
"""
CHILDREN = """
import { Party, Record, Lone } from '@acme/kernel';
export class Customer extends Party { since: Date | null = null; }
export class Note extends Record { text: string = ''; }
export class Other extends Lone {}
"""


def write(root: Path, files: dict[str, Any]) -> None:
    for path, content in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content if isinstance(content, str) else json.dumps(content))


def scanned(root: Path, resolution: Resolution = Resolution.IMPORTS) -> ProjectResult:
    """Scan a tree at both depths, which have to agree."""
    results = [scan_project(root, ScanOptions(depth=depth, resolution=resolution)) for depth in Depth]
    documents = [
        [(item.manifest, item.lineage, item.diagnostics) for item in result.packages] for result in results
    ]
    assert documents[0] == documents[1]
    return results[0]


def manifest_of_source(tmp_path: Path, source: str, name: str = "@acme/kernel") -> dict[str, Any]:
    """What publishing a package with this source would publish."""
    write(tmp_path / "build", {"package.json": {"name": name, "version": "1.0.0"}, "index.ts": source})
    [package] = scan_project(tmp_path / "build").packages
    return package.manifest


def installed(
    manifest: Any, place: str = "node_modules/@acme/kernel", depends_on: tuple[str, ...] = ()
) -> dict[str, Any]:
    exports = {".": "./dist/index.js", "./manifest": "./dist/manifest.json"}
    facts = {"version": "1.0.0", "exports": exports, "dependencies": dict.fromkeys(depends_on, "*")}
    return {
        f"{place}/package.json": {"name": place.rpartition("node_modules/")[2], **facts},
        f"{place}/dist/manifest.json": manifest,
    }


def published(*classes: dict[str, Any]) -> dict[str, Any]:
    """A manifest of these objects, written by hand."""
    return {"objects": {f"@acme/kernel:{entry['className']}": entry for entry in classes}}


def shop(children: str = CHILDREN) -> dict[str, Any]:
    return {"packages/shop/package.json": {"name": "shop"}, "packages/shop/src/children.ts": children}


def objects(result: ProjectResult) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for item in result.packages:
        found |= item.manifest["objects"]  # type: ignore[operator]
    return found


def codes(result: ProjectResult) -> list[tuple[str, str]]:
    return [(item.code, item.file_path) for item in result.diagnostics]


def link(root: Path, path: str, target: str | Path) -> None:
    """Make a link at a path, to a path of the tree or to anything else."""
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(os.path.relpath(root / target, place.parent) if isinstance(target, str) else target)
