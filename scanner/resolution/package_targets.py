"""What package.json says about where a package's modules are (``exports``, ``imports``, ``types``, ``main``)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from typing import Any, Final

PACKAGE_ITSELF: Final = "."
_ENTRY_KEYS: Final = ("source", "types", "typings", "module", "main")
_MANIFEST_EXPORTS: Final = ("./manifest", "./manifest.json")
_MANIFEST_CONDITIONS: Final = ("default", "import", "types")
_MAX_CONDITION_DEPTH: Final = 8
_MAX_TARGETS: Final = 64
_MAX_PATH_LENGTH: Final = 4096
_SOURCE_DIRECTORY: Final = "src"
_BUILT_SUFFIXES: Final = (
    ".d.ts",
    ".d.mts",
    ".d.cts",
    ".js",
    ".mjs",
    ".cjs",
    ".jsx",
    ".ts",
    ".mts",
    ".cts",
    ".tsx",
)
_MIN_SCOPED_PARTS: Final = 2


def split_specifier(specifier: str) -> tuple[str, str] | None:
    """Split a bare specifier into the package's name and the subpath in it.

    Returns:
        The name and ``.`` or ``./sub/path``; None for what names no package.
    """
    parts = specifier.split("/")
    size = _MIN_SCOPED_PARTS if specifier.startswith("@") else 1
    name = parts[:size]
    if len(name) < size or not all(map(_is_plain_segment, name)) or ":" in specifier:
        return None
    return "/".join(name), "/".join((PACKAGE_ITSELF, *parts[size:]))


def _is_plain_segment(segment: str) -> bool:
    return segment not in {"", ".", "..", "node_modules"} and "\\" not in segment and segment.isprintable()


def module_targets(content: Mapping[str, Any], subpath: str) -> Iterator[str]:
    """Yield the paths, relative to the package, that its package.json gives for a subpath, likely ones first."""
    exports = content.get("exports")
    if exports is not None:
        yield from mapped_targets(exports if _has_subpaths(exports) else {PACKAGE_ITSELF: exports}, subpath)
    if subpath != PACKAGE_ITSELF:
        yield subpath
        return
    for key in _ENTRY_KEYS:
        if isinstance(content.get(key), str):
            yield content[key]


def _has_subpaths(exports: Any) -> bool:
    return isinstance(exports, dict) and any(key.startswith(PACKAGE_ITSELF) for key in exports)


def mapped_targets(mapping: Any, subpath: str) -> Iterator[str]:
    """Yield the targets of a subpath in a map of ``exports`` or ``imports``: exact, else the longest pattern."""
    if not isinstance(mapping, dict):
        return
    if subpath in mapping and "*" not in subpath:
        yield from _limited_targets(mapping[subpath], "")
        return
    best: tuple[str, str] | None = None
    for key in mapping:
        before, star, after = key.partition("*")
        if not star or not subpath.startswith(before) or not subpath.endswith(after):
            continue
        if len(subpath) >= len(before) + len(after) and (
            best is None or len(before) > len(best[0].partition("*")[0])
        ):
            best = key, subpath[len(before) : len(subpath) - len(after)]
    if best is not None:
        yield from _limited_targets(mapping[best[0]], best[1])


def _limited_targets(entry: Any, matched: str) -> Iterator[str]:
    for number, target in enumerate(_strings_in(entry, 0)):
        if number >= _MAX_TARGETS:
            return
        filled = fill_pattern(target, matched)
        if filled is not None:
            yield filled


def fill_pattern(target: str, matched: str) -> str | None:
    """Put what a pattern's star matched into its target; None for a target that would be no path of sane length."""
    if len(target) + target.count("*") * len(matched) > _MAX_PATH_LENGTH:
        return None
    return target.replace("*", matched)


def _strings_in(entry: Any, depth: int) -> Iterator[str]:
    if isinstance(entry, str):
        yield entry
    elif isinstance(entry, dict | list) and depth <= _MAX_CONDITION_DEPTH:
        for inner in entry.values() if isinstance(entry, dict) else entry:
            yield from _strings_in(inner, depth + 1)


def source_candidates(target: str) -> Iterator[str]:
    """Yield paths in a package from which the file *target* of its build may come, suffixes left off.

    ``dist/esm/orders/index.js`` may come from ``src/esm/orders/index``, ``src/orders/index`` or ``src/index``.
    """
    path = posixpath.normpath(target)
    if path.startswith(("../", "/")) or path == "..":
        return
    yield path
    stem = next((path.removesuffix(suffix) for suffix in _BUILT_SUFFIXES if path.endswith(suffix)), path)
    yield stem
    parts = stem.split("/")
    for start in range(len(parts)):
        rest = "/".join(parts[start:])
        yield posixpath.join(_SOURCE_DIRECTORY, rest)
        if start:
            yield rest


def manifest_export(exports: Any) -> str | None:
    """Return the path that a package's ``exports`` give for its manifest, the ``default`` condition first."""
    if not isinstance(exports, dict):
        return None
    return next(
        (path for key in _MANIFEST_EXPORTS if (path := _manifest_path(exports.get(key), 0)) is not None), None
    )


def _manifest_path(entry: Any, depth: int) -> str | None:
    if isinstance(entry, str):
        return entry
    if not isinstance(entry, dict) or depth > _MAX_CONDITION_DEPTH:
        return None
    paths = (_manifest_path(entry.get(condition), depth + 1) for condition in _MANIFEST_CONDITIONS)
    return next((path for path in paths if path is not None), None)
