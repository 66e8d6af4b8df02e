"""Where a relative module specifier leads among the files of a scan."""

from __future__ import annotations

import posixpath
from collections.abc import Container, Iterator
from typing import Final

_SUFFIXES: Final = (".ts", ".tsx", ".d.ts", ".js", ".jsx")
_WRITTEN_FOR: Final = {
    ".js": (".ts", ".tsx", ".d.ts"),
    ".jsx": (".tsx",),
    ".mjs": (".mts",),
    ".cjs": (".cts",),
}


def resolve_relative_module(importer: str, specifier: str, known: Container[str]) -> str | None:
    """Return the known file that a relative import means.

    Args:
        importer: Root-relative path of the importing file.
        specifier: The module specifier as written.
        known: Paths of the files in the scan.

    Returns:
        The path: as written, with ``.ts`` for ``.js`` and the like, with a suffix added, or an ``index`` file in
        the directory named; None when none of these is known or the specifier is no relative one.
    """
    if not specifier.startswith((".", "/")):
        return None
    base = posixpath.normpath(posixpath.join(posixpath.dirname(importer), specifier))
    return next((path for path in _candidates(base) if path in known), None)


def _candidates(base: str) -> Iterator[str]:
    yield base
    stem, suffix = posixpath.splitext(base)
    for replacement in _WRITTEN_FOR.get(suffix, ()):
        yield stem + replacement
    for added in _SUFFIXES:
        yield base + added
    for added in _SUFFIXES:
        yield posixpath.join(base, f"index{added}")
