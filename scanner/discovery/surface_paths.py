"""Which paths can hold agent-surface declarations, whatever the include patterns say.

Build output can keep copies of declarations, which would win or collide with the ones in the sources; tests declare
things that never ship. Both are left out by name here, even when a caller's exclusions replace the default ones. All
paths are relative to the scan root, so a checkout below a directory called ``build`` is scanned all the same.
"""

from __future__ import annotations

import re
from typing import Final

AGENT_SURFACE_INCLUDE: Final = ("**/*.{ts,tsx,js,jsx}",)
"""Files that may declare intents and playbooks, when the caller names none."""

SVELTE_INCLUDE: Final = ("**/*.svelte",)
"""Files in which a declaration is a mistake to report, when the caller names none."""

PRUNED_DIRECTORIES: Final = frozenset(
    {"node_modules", "dist", "build", "coverage", "__tests__", "__typechecks__"}
)
"""Directories below which nothing is read for agent surfaces; hidden ones come on top."""

AGENT_SURFACE_PRUNES: Final = tuple(f"**/{name}/**" for name in sorted(PRUNED_DIRECTORIES))
"""The same as exclude patterns, so that a walk need not enter those directories."""

_SOURCE: Final = re.compile(r"\.[jt]sx?\Z")
_NO_SOURCE: Final = re.compile(r"\.d\.ts\Z|\.(?:test|spec)\.[jt]sx?\Z")


def is_pruned_agent_surface_path(path: str) -> bool:
    """Tell whether a file lies where nothing is read for agent surfaces.

    Args:
        path: Path relative to the scan root, with ``/`` separators and no dot segments.
    """
    *directories, name = path.split("/")
    if name.startswith("."):
        return True
    return any(part.startswith(".") or part in PRUNED_DIRECTORIES for part in directories)


def is_agent_surface_source_path(path: str) -> bool:
    """Tell whether a file may declare intents and playbooks: a script that is no test and no type declaration.

    Args:
        path: Path relative to the scan root, with ``/`` separators and no dot segments.
    """
    if not _SOURCE.search(path) or _NO_SOURCE.search(path):
        return False
    return not is_pruned_agent_surface_path(path)
