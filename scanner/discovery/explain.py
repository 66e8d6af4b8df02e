"""Why a path is found or left out, in one sentence.

The answer agrees with the walk: a file is included here exactly when the walk finds it. What a walk adds to the rules
of one path, its limit on how often one directory is entered through links, plays no part.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from scanner.discovery.policy import (
    MANDATORY_PRUNES,
    CompiledPolicy,
    DiscoveryPolicy,
    compile_policy,
    root_spellings,
)
from scanner.discovery.skips import Identity, SkippedDirectories, identity_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


_MISSING: Final = "There is no such file."


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a path is found or left out.

    Attributes:
        path: The path relative to the scan root; as it was asked for when it lies outside.
        is_included: Whether a walk finds it.
        reason: One sentence for people.
        pattern: The pattern that decided, as it was written, where one did.
    """

    path: str
    is_included: bool
    reason: str
    pattern: str | None = None


def explain_path(
    root: str | os.PathLike[str], policy: DiscoveryPolicy, path: str, *, skip_dirs: Iterable[str] = ()
) -> Explanation:
    """Say why *path* is found or left out by *policy* below *root*.

    Args:
        root: The scan root.
        policy: The policy of the walk.
        path: A path relative to *root* or absolute; ``..`` in it is resolved by its text.
        skip_dirs: Absolute paths of directories that the walk never enters.

    Raises:
        FileNotFoundError: There is no *root*.
        PatternError: A pattern of the policy cannot be read.
        ValueError: A path in *skip_dirs* is not absolute.
    """
    roots = root_spellings(root)
    relative = _relative(roots, path)
    if relative is None:
        return _left_out(path, "It lies outside the scan root.")
    descent = _Descent(roots[0], compile_policy(policy, root), SkippedDirectories.of(root, skip_dirs))
    if "." in descent.skips.relative:
        return _left_out(relative, "The scan root itself is a directory that this run does not enter.")
    if relative == ".":
        return _left_out(relative, "It is the scan root; the files below it are judged one by one.")
    parts = relative.split("/")
    for depth in range(1, len(parts)):
        above = "/".join(parts[:depth])
        refusal = descent.refusal(above)
        if refusal is not None and refusal.reason == _MISSING:
            return _left_out(relative, _MISSING)
        if refusal is not None:
            return _left_out(relative, f"It lies in {above!r}. {refusal.reason}", refusal.pattern)
    return descent.verdict(relative)


def _left_out(path: str, reason: str, pattern: str | None = None) -> Explanation:
    return Explanation(path, is_included=False, reason=reason, pattern=pattern)


def _relative(roots: Sequence[str], path: str) -> str | None:
    """Return *path* relative to the root (``.`` for the root itself), or None when it lies outside."""
    for root in roots:
        relative = os.path.relpath(os.path.join(root, path), root)  # noqa: PTH118 - paths stay text here
        if relative != ".." and not relative.startswith("../"):
            return relative
    return None


@dataclass(frozen=True, slots=True)
class _Descent:
    """The way from the root down to one path, checked component by component as a walk would meet them."""

    root: str
    policy: CompiledPolicy
    skips: SkippedDirectories
    trail: set[Identity] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.trail.add(identity_of(os.stat(self.root)))  # noqa: PTH116 - paths stay text here

    def verdict(self, path: str) -> Explanation:
        """Judge the path that was asked for, after everything above it was let through."""
        refusal = self.refusal(path)
        if refusal is not None:
            return refusal
        mode = os.stat(self._full(path)).st_mode  # noqa: PTH116 - paths stay text here
        if stat.S_ISDIR(mode):
            return _left_out(
                path, "It is a directory that may be entered; the files below it are judged one by one."
            )
        if not stat.S_ISREG(mode):
            return _left_out(path, "It is not a regular file.")
        pattern = self.policy.include.first_match(path)
        if pattern is None:
            return _left_out(path, "No include pattern matches it.")
        return Explanation(
            path, is_included=True, reason=f"The include pattern {pattern!r} matches it.", pattern=pattern
        )

    def refusal(self, path: str) -> Explanation | None:
        """Say why a walk that has come to the directory above *path* leaves this entry alone; None if it does not."""
        try:
            info = os.lstat(self._full(path))
        except (FileNotFoundError, NotADirectoryError, ValueError):
            return _left_out(path, _MISSING)
        except OSError as error:
            return _left_out(path, f"It cannot be looked at: {(error.strerror or 'unknown error').lower()}.")
        is_link = stat.S_ISLNK(info.st_mode)
        target = self._target(path) if is_link else info
        is_directory = target is not None and stat.S_ISDIR(target.st_mode)
        pattern = self.policy.exclusion_of(path, is_directory=is_directory)
        if pattern is not None:
            return _left_out(path, _excluded_by(pattern), pattern)
        if is_link and not self.policy.follow_symlinks:
            return _left_out(path, "It is a symbolic link, and links are not followed.")
        if target is None:
            return _left_out(path, "It is a symbolic link that leads to no file.")
        return self._refused_directory(path, identity_of(target), is_link=is_link) if is_directory else None

    def _refused_directory(self, path: str, identity: Identity, *, is_link: bool) -> Explanation | None:
        is_skipped = path in self.skips.relative
        if self.policy.follow_symlinks:
            is_skipped = is_skipped or identity in self.skips.identities
        if is_skipped or (is_link and self.skips.hold_target(self._full(path))):
            return _left_out(path, "It is a directory that this run does not enter.")
        if is_link and identity in self.trail:
            return _left_out(path, "It is a symbolic link that leads back to a directory above it.")
        self.trail.add(identity)
        return None

    def _full(self, path: str) -> str:
        return f"{self.root}/{path}"

    def _target(self, path: str) -> os.stat_result | None:
        try:
            return os.stat(self._full(path))  # noqa: PTH116 - paths stay text here
        except OSError:
            return None


def _excluded_by(pattern: str) -> str:
    if pattern not in MANDATORY_PRUNES:
        return f"The exclude pattern {pattern!r} matches it."
    if "node_modules" in pattern:
        return "Directories called node_modules are never entered."
    return "Hidden files and directories are never scanned."
