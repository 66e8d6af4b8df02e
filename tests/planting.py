"""Trees of source files that hold nothing, for tests of which files are found."""

from __future__ import annotations

from pathlib import Path


def plant(root: Path, *paths: str) -> Path:
    for path in paths:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("export {};\n")
    return root
