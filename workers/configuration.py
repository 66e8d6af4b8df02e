"""Settings of a run from a TOML file, checked key by key.

A configuration file holds the long names of the command's options; what the command line says wins over it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

from workers.errors import UsageError
from workers.execution import BACKENDS


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings that a file or the command line may give; None where neither does."""

    include: tuple[str, ...] | None = None
    exclude: tuple[str, ...] | None = None
    follow_symlinks: bool | None = None
    max_file_bytes: int | None = None
    framework_bases: tuple[str, ...] | None = None
    resolution: str | None = None
    packages: tuple[str, ...] | None = None
    depth: str | None = None
    fail_on: str | None = None
    format: str | None = None
    baseline: Path | None = None
    write_baseline: Path | None = None
    generated_tool_names: Path | None = None
    agent_surface: bool | None = None
    agent_surface_include: tuple[str, ...] | None = None
    svelte_include: tuple[str, ...] | None = None
    backend: str | None = None
    workers: int | None = None
    address: str | None = None
    ship_sources: bool | None = None
    file_timeout: float | None = None
    cache: Path | None = None
    no_cache: bool | None = None
    history: Path | None = None
    history_keep: int | None = None
    history_days: float | None = None
    quiet: bool | None = None
    progress: bool | None = None

    def over(self, base: Settings) -> Settings:
        """Return these settings with the gaps filled from *base*."""
        chosen = {
            field.name: getattr(base, field.name)
            if getattr(self, field.name) is None
            else getattr(self, field.name)
            for field in fields(self)
        }
        return Settings(**chosen)


def _strings(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError("a list of strings")
    return tuple(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false")  # noqa: TRY004 -- one error kind says what was expected
    return value


def _size(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError("a whole number above 0")
    return value


def _path(value: Any) -> Path:
    if not isinstance(value, str) or not value:
        raise ValueError("a path")
    return Path(value)


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError("a text")
    return value


def _seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        raise ValueError("a number of seconds above 0")
    return float(value)


def _days(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        raise ValueError("a number of days above 0")
    return float(value)


def _one_of(*choices: str) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if value not in choices:
            raise ValueError(f"one of {', '.join(choices)}")
        return str(value)

    return check


RESOLUTIONS: Final = ("imports", "names")
DEPTHS: Final = ("manifest", "full")
FAIL_LEVELS: Final = ("error", "warning", "never")
FORMATS: Final = ("text", "json", "github", "sarif")
_READERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "include": _strings,
    "exclude": _strings,
    "follow-symlinks": _flag,
    "max-file-bytes": _size,
    "framework-bases": _strings,
    "resolution": _one_of(*RESOLUTIONS),
    "packages": _strings,
    "depth": _one_of(*DEPTHS),
    "fail-on": _one_of(*FAIL_LEVELS),
    "format": _one_of(*FORMATS),
    "baseline": _path,
    "generated-tool-names": _path,
    "agent-surface": _flag,
    "agent-surface-include": _strings,
    "svelte-include": _strings,
    "backend": _one_of(*BACKENDS),
    "workers": _size,
    "address": _text,
    "ship-sources": _flag,
    "file-timeout": _seconds,
    "cache": _path,
    "no-cache": _flag,
    "history": _path,
    "history-keep": _size,
    "history-days": _days,
    "quiet": _flag,
    "progress": _flag,
}


def load_settings(path: Path) -> Settings:
    """Read a configuration file.

    Raises:
        UsageError: The file cannot be read, is no TOML, or holds a key or value that no setting has.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"Cannot read the configuration {path}: {error.strerror or error}.") from error
    except ValueError as error:
        raise UsageError(f"{path} is no valid TOML: {error}.") from error
    values: dict[str, Any] = {}
    for key, value in content.items():
        reader = _READERS.get(key)
        if reader is None:
            raise UsageError(
                f"{path} sets {key!r}, which is no setting. Settings are: {', '.join(_READERS)}."
            )
        try:
            values[key.replace("-", "_")] = reader(value)
        except ValueError as error:
            raise UsageError(f"{path} sets {key} to {value!r}; it takes {error}.") from error
    return Settings(**values)
