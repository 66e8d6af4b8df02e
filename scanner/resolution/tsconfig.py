"""Path mappings of tsconfig.json: ``paths`` and ``baseUrl`` of the nearest one, ``extends`` followed."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from scanner.diagnostics import Diagnostic, diagnose
from scanner.module_paths import directories_above, is_relative
from scanner.resolution.config_files import ConfigFile, ConfigFiles
from scanner.resolution.package_targets import fill_pattern

TSCONFIG_FILE: Final = "tsconfig.json"
_MAX_EXTENDED: Final = 32
_MAX_PATTERNS: Final = 10_000
_MAX_TARGETS: Final = 32
_CONFIG_DIRECTORY: Final = "${configDir}"


@dataclass(slots=True)
class PathMapping:
    """What a tsconfig file says about modules.

    Attributes:
        path: The tsconfig file that applies.
        base_directory: Directory that bare specifiers are looked up in (``baseUrl``); None without one.
        consulted: Every file that had a say, absent ones too.
        diagnostics: What is wrong with them.
    """

    path: str
    base_directory: str | None = None
    consulted: list[str] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    _exact: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _patterns: dict[str, list[tuple[str, tuple[str, ...]]]] = field(default_factory=dict)

    def targets(self, specifier: str) -> Iterator[str]:
        """Yield the root-relative paths that ``paths`` give for a specifier: exact, else by the longest prefix."""
        if specifier in self._exact:
            yield from self._exact[specifier]
            return
        for size in range(len(specifier) if self._patterns else -1, -1, -1):
            for after, targets in self._patterns.get(specifier[:size], ()):
                if specifier.endswith(after) and len(specifier) >= size + len(after):
                    matched = specifier[size : len(specifier) - len(after)]
                    filled = (fill_pattern(target, matched) for target in targets)
                    yield from (posixpath.normpath(path) for path in filled if path is not None)
                    return

    def add_pattern(self, pattern: str, targets: tuple[str, ...]) -> None:
        """Add one entry of ``paths`` with root-relative targets."""
        before, star, after = pattern.partition("*")
        if star:
            self._patterns.setdefault(before, []).append((after, targets))
        else:
            self._exact[pattern] = tuple(map(posixpath.normpath, targets))


def read_path_mapping(files: ConfigFiles, directory: str) -> PathMapping:
    """Read the tsconfig.json of a directory with all that it extends.

    A file that cannot be used, an ``extends`` that leads nowhere or in a circle, and patterns that have no meaning are
    diagnostics; the rest still counts.
    """
    return _Reading(files, directory).mapping()


class _Reading:
    """Follows ``extends``: of ``paths`` and ``baseUrl`` each, the file nearest to the first one that has it decides."""

    def __init__(self, files: ConfigFiles, directory: str) -> None:
        self._files = files
        self._directory = directory
        self._mapping = PathMapping(posixpath.join(directory, TSCONFIG_FILE))
        self._paths: tuple[ConfigFile, Any] | None = None
        self._base: tuple[ConfigFile, str] | None = None

    def mapping(self) -> PathMapping:
        pending = [self._mapping.path]
        seen: set[str] = set()
        while pending:
            path = pending.pop()
            if path in seen or len(seen) >= _MAX_EXTENDED:
                self._remark(path, "extends itself in a circle" if path in seen else "extends too many files")
                continue
            seen.add(path)
            config = self._files.tsconfig(path)
            self._mapping.consulted.append(path)
            if config.fault is not None:
                self._remark(path, config.fault)
            self._take(config)
            pending.extend(self._extended(config))
        self._settle()
        return self._mapping

    def _take(self, config: ConfigFile) -> None:
        options = config.content.get("compilerOptions")
        if not isinstance(options, dict):
            return
        if self._paths is None and "paths" in options:
            self._paths = config, options["paths"]
        if self._base is None and isinstance(options.get("baseUrl"), str):
            self._base = config, options["baseUrl"]

    def _extended(self, config: ConfigFile) -> Iterator[str]:
        """Yield the files that *config* extends; of several, the last has precedence and is read first."""
        extends = config.content.get("extends")
        for written in extends[:_MAX_EXTENDED] if isinstance(extends, list) else [extends]:
            if not isinstance(written, str):
                continue
            path = self._found(config, written)
            if path is not None:
                yield path
            else:
                self._remark(config.path, f"extends {written[:100]!r}, which is not to be found here")

    def _found(self, config: ConfigFile, written: str) -> str | None:
        directory = posixpath.dirname(config.path)
        if is_relative(written):
            bases = [posixpath.normpath(posixpath.join(directory, written))]
        else:
            bases = [posixpath.join(above, "node_modules", written) for above in directories_above(directory)]
        for base in bases:
            for path in (base, f"{base}.json", f"{base}/{TSCONFIG_FILE}"):
                if not is_inside(path):
                    continue
                self._mapping.consulted.append(path)
                if self._files.tsconfig(path).exists:
                    return path
        return None

    def _settle(self) -> None:
        if self._base is not None:
            config, written = self._base
            self._mapping.base_directory = self._located(posixpath.dirname(config.path), written)
        if self._paths is None:
            return
        config, paths = self._paths
        if not isinstance(paths, dict):
            self._remark(config.path, "has paths that are no object")
            return
        start = self._mapping.base_directory
        start = posixpath.dirname(config.path) if start is None else start
        if len(paths) > _MAX_PATTERNS:
            self._remark(
                config.path, f"has more than {_MAX_PATTERNS} paths; those further down were left out"
            )
        self._add_patterns(config, start, dict(list(paths.items())[:_MAX_PATTERNS]))

    def _add_patterns(self, config: ConfigFile, start: str, paths: Mapping[str, Any]) -> None:
        for pattern, written in paths.items():
            targets = (
                [target for target in written if isinstance(target, str)] if isinstance(written, list) else []
            )
            is_sane = pattern.count("*") <= 1 and all(target.count("*") <= 1 for target in targets)
            if not targets or not is_sane or len(targets) > _MAX_TARGETS:
                self._remark(config.path, f"has a path pattern {pattern[:100]!r} that cannot be followed")
                continue
            self._mapping.add_pattern(pattern, tuple(self._located(start, target) for target in targets))

    def _located(self, start: str, written: str) -> str:
        if written.startswith(_CONFIG_DIRECTORY):
            start, written = self._directory, written.removeprefix(_CONFIG_DIRECTORY).lstrip("/")
        path = posixpath.normpath(posixpath.join(start, written))
        return "" if path == "." else path

    def _remark(self, path: str, what: str) -> None:
        self._mapping.diagnostics.append(
            diagnose(
                "invalid-tsconfig",
                path,
                f"This file {what}, so imports that it should map may not be followed.",
                hint="Mend the file, so that compilerOptions.paths, baseUrl and extends can be read.",
            )
        )


def is_inside(path: str) -> bool:
    """Tell whether a normalised root-relative path stays below the root."""
    return path != ".." and not path.startswith(("../", "/"))
