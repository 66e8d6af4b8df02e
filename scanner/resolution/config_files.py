"""Files that say where modules and packages are: opened by name, below the scan root, each once, up to a limit of size."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from scanner.diagnostics import Diagnostic
from scanner.serialization import decode_document
from scanner.source_files import read_source_file
from scanner.syntax.grammar import Dialect, parse_bytes
from scanner.syntax.literals import Literal, read_literal
from scanner.syntax.nodes import significant_children
from scanner.syntax.source import SourceText

MAX_CONFIG_BYTES: Final = 4 * 1024 * 1024
"""Larger configuration files are not read."""

MAX_MANIFEST_BYTES: Final = 64 * 1024 * 1024
"""Larger manifests of installed packages are not read."""

LEADS_OUT: Final = "leads out of the scanned directory"
"""The fault of a file that a link puts elsewhere than below the scan root."""

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """What opening a configuration file gave.

    Attributes:
        path: Root-relative POSIX path.
        content: Its object; empty when there is none to be had.
        fault: Why an existing file cannot be used, as half a sentence; None when it can, or is absent.
        exists: Whether there is such a file.
    """

    path: str
    content: Mapping[str, Any]
    fault: str | None = None
    exists: bool = True


class ConfigFiles:
    """The configuration files of one scan.

    Args:
        root: The scan root; None for a scan without files on disk, which has no configuration.
    """

    def __init__(self, root: str | os.PathLike[str] | None) -> None:
        self._root = None if root is None else os.fspath(root)
        self._real_root = None if root is None else os.path.realpath(root)
        self._known: dict[str, ConfigFile] = {}
        self._directories: dict[str, bool] = {}

    def package_json(self, directory: str) -> ConfigFile:
        """Return the package.json of a root-relative directory."""
        return self._read(posixpath.join(directory, "package.json"), MAX_CONFIG_BYTES, _json)

    def pnpm_workspace(self, path: str) -> ConfigFile:
        """Return a pnpm-workspace.yaml: the list ``packages`` alone of what it holds."""
        return self._read(path, MAX_CONFIG_BYTES, _pnpm_workspace)

    def tsconfig(self, path: str) -> ConfigFile:
        """Return a tsconfig file, in which comments and trailing commas may stand."""
        return self._read(path, MAX_CONFIG_BYTES, _json_with_comments)

    def manifest(self, path: str) -> ConfigFile:
        """Return a manifest that a package publishes."""
        return self._read(path, MAX_MANIFEST_BYTES, _json)

    def is_directory(self, path: str) -> bool:
        """Tell whether there is a directory, or a link to one, at a root-relative path."""
        if path not in self._directories:
            is_there = self._root is not None and os.path.isdir(os.path.join(self._root, path))  # noqa: PTH112, PTH118
            self._directories[path] = is_there
        return self._directories[path]

    def real_directory(self, path: str) -> str:
        """Return the root-relative path of a directory with all links resolved; *path* if that is not below the root."""
        if self._root is None or self._real_root is None:
            return path
        location = os.path.realpath(os.path.join(self._root, path))  # noqa: PTH118
        below = os.path.join(self._real_root, "")  # noqa: PTH118
        return location.removeprefix(below) if location.startswith(below) else path

    def _read(self, path: str, limit: int, decode: Callable[[bytes], Any]) -> ConfigFile:
        if path not in self._known:
            self._known[path] = self._open(path, limit, decode)
        return self._known[path]

    def _open(self, path: str, limit: int, decode: Callable[[bytes], Any]) -> ConfigFile:
        if self._root is None or self._real_root is None:
            return ConfigFile(path, {}, exists=False)
        try:
            location = os.path.realpath(os.path.join(self._root, path))  # noqa: PTH118 -- path may be hostile text
        except (OSError, ValueError):
            return ConfigFile(path, {}, "has a path that no file can have")
        if not location.startswith(os.path.join(self._real_root, "")):  # noqa: PTH118
            fault = LEADS_OUT if os.path.lexists(location) else None
            return ConfigFile(path, {}, fault, exists=fault is not None)
        outcome = read_source_file(location, path, limit)
        if isinstance(outcome, Diagnostic):
            if outcome.code == "file-vanished" or os.path.isdir(location):  # noqa: PTH112
                return ConfigFile(path, {}, exists=False)
            return ConfigFile(path, {}, f"cannot be read ({outcome.message.rstrip('.')})")
        try:
            content = decode(outcome.removeprefix(_BYTE_ORDER_MARK))
        except ValueError as error:
            return ConfigFile(path, {}, f"is not valid {_FORMATS[decode]} ({error})")
        if not isinstance(content, dict):
            return ConfigFile(path, {}, "holds no object")
        return ConfigFile(path, content)


def _json(data: bytes) -> Any:
    try:
        return decode_document(data)
    except UnicodeDecodeError as error:
        raise ValueError("it is no UTF-8") from error


def _json_with_comments(data: bytes) -> Any:
    """Read an object literal of literals: JSON with comments and trailing commas is one."""
    text = b"(" + data.replace(b"\0", b" ") + b"\n)"
    statements = significant_children(parse_bytes(text, Dialect.JAVASCRIPT).root_node)
    expressions = significant_children(statements[0]) if len(statements) == 1 else []
    if len(expressions) != 1:
        raise ValueError("it is no single object")
    reading = read_literal(SourceText(text), expressions[0])
    if isinstance(reading, Literal):
        return reading.value
    raise ValueError(f"near `{reading.expression[:40]}`: {reading.reason}")


def _pnpm_workspace(data: bytes) -> Any:
    from scanner.pnpm_workspace import workspace_document  # noqa: PLC0415 -- YAML costs those alone who have some

    return workspace_document(data)


_FORMATS: Final[Mapping[Callable[[bytes], Any], str]] = {
    _json: "JSON",
    _json_with_comments: "JSON",
    _pnpm_workspace: "YAML",
}
