"""Small trees, what the scanner makes of them, and what changed between two of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scanner import ScanOptions
from scanner.artifacts import build_artifacts
from scanner.rounds import conclude_directory
from workers.artifact_sets import read_artifacts
from workers.changes import Change, Comparison, compare_artifacts
from workers.changes.records import ABSENT, ArtifactSet
from workers.errors import UsageError

Files = Mapping[str, Any]
"""Texts by path; what is no text is written as JSON."""

SHOP = {"package.json": '{"name": "@acme/shop", "version": "1.0.0"}'}


@dataclass(frozen=True)
class ArtifactMap:
    """Artifacts that were never written."""

    content: Mapping[str, bytes]
    label: str = "a map"

    def read(self, name: str) -> bytes:
        if name not in self.content:
            raise UsageError(f"{name} is missing")
        return self.content[name]


def plant_files(root: Path, files: Files) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
    return root


def artifacts_of(root: Path, files: Files) -> dict[str, bytes]:
    """What a scan of *files* would write."""
    options = ScanOptions()
    return build_artifacts(conclude_directory(plant_files(root, files), options), options)


def artifact_set(root: Path, files: Files) -> ArtifactSet:
    return read_artifacts(ArtifactMap(artifacts_of(root, files)))


def between(place: Path, old: Files, new: Files) -> Comparison:
    """What changed from one tree to another."""
    return compare_artifacts(artifact_set(place / "old", old), artifact_set(place / "new", new))


def shop_between(place: Path, old: str, new: str) -> list[str]:
    """What changed from one source of a package to another, told."""
    trees = [{**SHOP, "src/models.ts": text} for text in (old, new)]
    return told(between(place, *trees))


def told(comparison: Comparison) -> list[str]:
    """Everything about every change but the reason, one line each."""
    return [_line(change) for change in comparison.changes]


def _line(change: Change) -> str:
    where = [change.package or "-", change.name, change.member, change.aspect]
    words = [
        change.impact.value,
        change.exposure and change.exposure.value,
        change.subject.value,
        change.action.value,
        "/".join(part for part in where if part),
        None if not change.actions else f"[{' '.join(change.actions)}]",
        f"{_value(change.before)} -> {_value(change.after)}",
    ]
    return " ".join(word for word in words if word)


def _value(value: Any) -> str:
    return "~" if value is ABSENT else json.dumps(value, separators=(",", ":"))
