"""Globs of directories as workspaces state them, matched in bounded time: they come from the scanned tree.

A pattern names directories that hold a package.json. ``*`` and ``?`` stop at a slash, ``**`` stands for any number of
directories, ``[ab]`` for a character, ``{a,b}`` for either. ``!pattern`` takes packages out, wherever it stands in the
list. Groups such as ``!(a)`` are refused.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from scanner.discovery.patterns import PatternError, has_magic, parse_patterns, shown

_ANY_DEPTH: Final = "**"
_GROUP: Final = re.compile(r"[(|)]")
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
_NAMED_FILE: Final = "package.json"
_OWN_DIRECTORY: Final = "/\0"
"""Stands for the directory of the workspace, so that patterns which lead out of it match nothing."""


@dataclass(frozen=True, slots=True)
class DirectoryGlob:
    """One pattern without braces.

    Attributes:
        is_negated: Whether it takes packages out.
        segments: Its parts between slashes, each compiled; None for any number of directories.
    """

    is_negated: bool
    segments: tuple[re.Pattern[str] | None, ...]

    def matches(self, directory: str) -> bool:
        """Tell whether a directory, relative to that of the workspace, is one that the pattern names."""
        parts = [*(directory.split("/") if directory else []), _NAMED_FILE]
        # After each segment: how many parts of the path it and those before it may have used up.
        reached = {0}
        for segment in self.segments:
            if segment is None:
                reached = set(range(min(reached), len(parts) + 1))
            else:
                reached = {end + 1 for end in reached if end < len(parts) and segment.match(parts[end])}
            if not reached:
                return False
        return len(parts) in reached


@dataclass(frozen=True, slots=True)
class DirectoryPattern:
    """One pattern of a list.

    Attributes:
        source: The pattern as it was written.
        globs: What its braces stand for.
    """

    source: str
    globs: tuple[DirectoryGlob, ...]

    def takes(self, directory: str) -> bool:
        """Tell whether the pattern takes a directory in."""
        return any(not glob.is_negated and glob.matches(directory) for glob in self.globs)

    def takes_out(self, directory: str) -> bool:
        """Tell whether the pattern takes a directory out."""
        return any(glob.is_negated and glob.matches(directory) for glob in self.globs)

    @property
    def is_negated(self) -> bool:
        """Whether the pattern takes nothing in."""
        return bool(self.globs) and all(glob.is_negated for glob in self.globs)


def read_directory_pattern(source: str) -> DirectoryPattern:
    """Read one pattern.

    Raises:
        PatternError: It is empty, too long, nested too deeply, stands for too many, or has a group.
    """
    if _GROUP.search(source):
        raise PatternError(f"The pattern {shown(source)} has a group, which workspaces rarely need.")
    plain = source.rstrip("/").removesuffix(f"/{_NAMED_FILE}")
    parsed = parse_patterns([f"{plain}/{_NAMED_FILE}" if plain else source], [_OWN_DIRECTORY])
    return DirectoryPattern(
        source, tuple(DirectoryGlob(each.is_negated, _compiled(each.segments)) for each in parsed)
    )


def are_members(patterns: Sequence[DirectoryPattern], directory: str) -> bool:
    """Tell whether a directory is taken in by one of *patterns*, and taken out by none."""
    return any(pattern.takes(directory) for pattern in patterns) and not any(
        pattern.takes_out(directory) for pattern in patterns
    )


def _compiled(segments: Iterable[str]) -> tuple[re.Pattern[str] | None, ...]:
    return tuple(None if segment == _ANY_DEPTH else _regex(segment) for segment in segments)


def _regex(segment: str) -> re.Pattern[str]:
    if not has_magic(segment):
        return re.compile(re.escape(_ESCAPED.sub(r"\1", segment)) + r"\Z", re.DOTALL)
    # Globs that the standard library translates never try a star's extent twice.
    plain = _ESCAPED.sub(lambda found: f"[{found[1]}]" if found[1] in "*?[" else found[1], segment)
    return re.compile(fnmatch.translate(plain.replace("[^", "[!")))
