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
_UPWARD: Final = "../"


def is_relative(specifier: str) -> bool:
    """Tell whether a module specifier is a path."""
    return specifier.startswith((".", "/"))


def stays_below(specifier: str) -> bool:
    """Tell whether a specifier is a path to the importing file's directory or below it."""
    return specifier.startswith(".") and ".." not in specifier


def stays_within(importer: str, specifier: str, directory: str) -> bool:
    """Tell whether a specifier is a path to *directory*, in which the importer is, or below it.

    False also for paths that go up after they went down, though they may stay within.
    """
    above = 0
    while specifier.startswith(_UPWARD, above * len(_UPWARD)):
        above += 1
    if not specifier.startswith(".") or ".." in specifier[above * len(_UPWARD) :]:
        return False
    return above <= importer.count("/") - (directory.count("/") + 1 if directory else 0)


def relative_base(importer: str, specifier: str) -> str:
    """Return the root-relative path that a relative specifier names, before any suffix is added."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(importer), specifier))


def resolve_relative_module(importer: str, specifier: str, known: Container[str]) -> str | None:
    """Return the known file that a relative import means.

    Args:
        importer: Root-relative path of the importing file.
        specifier: The module specifier as written.
        known: Paths of the files in the scan.

    Returns:
        The path, see :func:`find_module_file`; None when there is none or the specifier is no relative one.
    """
    return find_module_file(relative_base(importer, specifier), known) if is_relative(specifier) else None


def find_module_file(base: str, known: Container[str]) -> str | None:
    """Return the known file that a path without its suffix means.

    Args:
        base: A normalised root-relative path.
        known: Paths of the files in the scan.

    Returns:
        The path as written, with ``.ts`` for ``.js`` and the like, with a suffix added, or an ``index`` file in the
        directory named; None when none of these is known.
    """
    return next((path for path in module_file_candidates(base) if path in known), None)


def module_file_candidates(base: str) -> Iterator[str]:
    """Yield the paths that a module path may mean, in the order in which they are tried."""
    yield base
    stem, suffix = posixpath.splitext(base)
    for replacement in _WRITTEN_FOR.get(suffix, ()):
        yield stem + replacement
    for added in _SUFFIXES:
        yield base + added
    inside = f"{base}/index" if base else "index"
    for added in _SUFFIXES:
        yield inside + added


def directories_above(directory: str) -> Iterator[str]:
    """Yield a root-relative directory and those above it, up to the root, ``""``."""
    while directory.strip("/"):
        yield directory
        directory = posixpath.dirname(directory)
    yield ""
