"""Which files of a tree are sources: include and exclude patterns, and the prunes that nothing lifts.

A policy is what a caller asks for; a compiled policy answers two questions about root-relative paths, quickly and
without looking at the disk: is this file taken, and can anything below this directory be taken?
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from scanner.discovery.matching import PatternSet
from scanner.discovery.patterns import (
    GlobPattern,
    PatternError,
    has_magic,
    is_self_contained,
    parse_patterns,
    reachable_directories,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

DEFAULT_INCLUDE: Final = ("**/*.ts", "**/*.tsx")
"""Sources of the class pass when the caller names none."""

DEFAULT_EXCLUDE: Final = (
    "**/node_modules/**",
    "**/dist/**",
    "**/build/**",
    "**/__tests__/**",
    "**/*.d.ts",
    "**/*.test.ts",
    "**/*.test.tsx",
    "**/*.spec.ts",
    "**/*.spec.tsx",
)
"""What the class pass leaves out when the caller names no exclusions: dependencies, output, declarations, tests."""

MANDATORY_PRUNES: Final = ("**/node_modules/**", "**/.*/**", "**/.*")
"""Left out whatever the caller says: dependencies and everything hidden, relative to the scan root."""

_NODE_MODULES, _HIDDEN_DIRECTORY, _HIDDEN_FILE = MANDATORY_PRUNES


@dataclass(frozen=True, slots=True)
class DiscoveryPolicy:
    """What a caller wants to be found.

    Attributes:
        include: Globs of the files to take; ``!pattern`` among them excludes. Empty: no file at all.
        exclude: Globs to leave out. They replace :data:`DEFAULT_EXCLUDE`, never :data:`MANDATORY_PRUNES`.
        follow_symlinks: Whether symbolic links to files and directories count as what they point to.

    Raises:
        PatternError: A pattern is empty.
    """

    include: tuple[str, ...] = DEFAULT_INCLUDE
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    follow_symlinks: bool = False

    def __post_init__(self) -> None:
        """Refuse empty patterns early, where the caller still knows their origin."""
        if "" in self.include or "" in self.exclude:
            raise PatternError("An empty pattern matches nothing; leave it out.")


@dataclass(frozen=True, slots=True)
class CompiledPolicy:
    """A policy ready to be asked. All paths are relative to the root, with ``/`` separators.

    Attributes:
        include: Matches files to take.
        excluded_files: Matches files to leave out, when no directory above them is excluded.
        excluded_directories: Matches directories below which everything is left out.
        reachable: Matches directories that can hold an included file; None when all can.
        follow_symlinks: See :class:`DiscoveryPolicy`.
    """

    include: PatternSet
    excluded_files: PatternSet
    excluded_directories: PatternSet
    reachable: PatternSet | None
    follow_symlinks: bool

    def takes_file(self, path: str) -> bool:
        """Tell whether a file is taken, given that :meth:`enters_directory` holds for each directory above it."""
        return self.include.matches(path) and not self.excluded_files.matches(path)

    def enters_directory(self, path: str) -> bool:
        """Tell whether anything below a directory can be taken, given the same of each directory above it."""
        if self.excluded_directories.matches(path):
            return False
        return self.reachable is None or self.reachable.matches(path)

    def exclusion_of(self, path: str, *, is_directory: bool) -> str | None:
        """Return the prune or exclusion, as it was written, that leaves out this path itself (not one above it)."""
        rules = self.excluded_directories if is_directory else self.excluded_files
        return mandatory_prune(path.rpartition("/")[2], is_directory=is_directory) or rules.first_match(path)


def is_mandatory_prune(name: str) -> bool:
    """Tell whether a file or directory of this name is left out under every policy."""
    return name.startswith(".") or name == "node_modules"


def mandatory_prune(name: str, *, is_directory: bool) -> str | None:
    """Return the mandatory prune that a name falls under."""
    if name == "node_modules":
        return _NODE_MODULES
    if name.startswith("."):
        return _HIDDEN_DIRECTORY if is_directory else _HIDDEN_FILE
    return None


def root_spellings(root: str | os.PathLike[str]) -> tuple[str, ...]:
    """Return the absolute paths by which a root may be written: as given, then with links resolved."""
    given = os.path.abspath(root)  # noqa: PTH100 - Path.resolve would follow links
    resolved = os.path.realpath(root)
    # Behind a link, ".." leads elsewhere than its text says: then the text is no way to write the root.
    return tuple(dict.fromkeys((given, resolved))) if os.path.realpath(given) == resolved else (resolved,)


def compile_policy(policy: DiscoveryPolicy, root: str | os.PathLike[str]) -> CompiledPolicy:
    """Compile the patterns of *policy* for a tree at *root*.

    Raises:
        PatternError: A pattern is too long, nested too deeply or stands for too many.
    """
    roots = root_spellings(root)
    listed = parse_patterns(policy.include, roots)
    wanted = [pattern for pattern in listed if not pattern.is_negated]
    unwanted = [pattern for pattern in listed if pattern.is_negated]
    unwanted.extend(parse_patterns(policy.exclude, roots))
    return CompiledPolicy(
        include=PatternSet(_included_files(wanted)),
        excluded_files=PatternSet(_excluded_files(unwanted)),
        excluded_directories=PatternSet(_excluded_directories(unwanted)),
        reachable=_reachable(wanted),
        follow_symlinks=policy.follow_symlinks,
    )


def _covered_directory(pattern: GlobPattern) -> str | None:
    """Return the glob ``x`` of a pattern ``x/**`` or ``x/**/*``; empty when the pattern covers the whole root."""
    segments = pattern.segments
    if segments[-1] == "**":
        return "/".join(segments[:-1])
    return "/".join(segments[:-2]) if segments[-2:] == ["**", "*"] else None


def _matches_itself(pattern: GlobPattern, covered: str) -> bool:
    """Tell whether ``x/**`` also matches a file ``x``: not where ``x`` ends in a star, which wants a name below it."""
    return bool(covered) and pattern.segments[-1] == "**" and not pattern.segments[-2].endswith("*")


def _included_files(patterns: Iterable[GlobPattern]) -> Iterable[tuple[str, str]]:
    for pattern in patterns:
        yield pattern.source, pattern.glob
        covered = _covered_directory(pattern)
        if covered is not None and _matches_itself(pattern, covered):
            yield pattern.source, covered


def _excluded_files(patterns: Iterable[GlobPattern]) -> Iterable[tuple[str, str]]:
    """Yield globs of files to leave out, less those that an excluded directory above them leaves out already."""
    for pattern in patterns:
        covered = _covered_directory(pattern)
        if not covered:
            yield pattern.source, pattern.glob
        elif _matches_itself(pattern, covered):
            yield pattern.source, covered


def _excluded_directories(patterns: Iterable[GlobPattern]) -> Iterable[tuple[str, str]]:
    """Yield globs of directories that an exclusion covers with all they hold.

    Those are ``x`` of ``x/**``, and a pattern whose last segment is plain text: a directory of that name is not entered.
    """
    for pattern in patterns:
        covered = _covered_directory(pattern)
        *above, last = pattern.segments
        if covered is not None:
            yield pattern.source, covered or "**"
        elif not has_magic(last) and all(is_self_contained(segment) for segment in above):
            yield pattern.source, pattern.glob


def _reachable(patterns: Iterable[GlobPattern]) -> PatternSet | None:
    globs = [
        (pattern.source, directory) for pattern in patterns for directory in reachable_directories(pattern)
    ]
    return None if any(directory == "**" for _, directory in globs) else PatternSet(globs)
