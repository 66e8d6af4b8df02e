"""Directories that a walk never enters, whatever its policies say: above all the place where results are written."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from scanner.discovery.policy import root_spellings

if TYPE_CHECKING:
    from collections.abc import Iterable

Identity: TypeAlias = tuple[int, int]
"""Device and inode: what a directory is, by whatever path it is reached."""


def identity_of(info: os.stat_result) -> Identity:
    """Return the identity of what was looked at."""
    return (info.st_dev, info.st_ino)


@dataclass(frozen=True, slots=True)
class SkippedDirectories:
    """Directories that are never entered, by every way of telling that a directory is one of them.

    Attributes:
        relative: Their paths relative to the scan root; ``.`` when the root itself is skipped.
        real: Their absolute paths with links resolved.
        identities: What they are, as far as they exist.
    """

    relative: frozenset[str]
    real: frozenset[str]
    identities: frozenset[Identity]

    @classmethod
    def of(cls, root: str | os.PathLike[str], directories: Iterable[str]) -> SkippedDirectories:
        """Prepare absolute paths for a walk of *root*; a path need not exist.

        Raises:
            ValueError: A path is not absolute.
        """
        relative: set[str] = set()
        real: set[str] = set()
        identities: set[Identity] = set()
        for directory in directories:
            if not os.path.isabs(directory):  # noqa: PTH117 - paths stay text here
                raise ValueError(f"The directory to skip has to be absolute: {directory!r}.")
            resolved = os.path.realpath(directory)
            real.add(resolved)
            for spelling in (os.path.normpath(directory), resolved):
                relative.update(os.path.relpath(spelling, base) for base in root_spellings(root))
            try:
                identities.add(identity_of(os.stat(directory)))  # noqa: PTH116 - paths stay text here
            except OSError:
                continue
        return cls(frozenset(relative), frozenset(real), frozenset(identities))

    def hold_target(self, link: str) -> bool:
        """Tell whether the link at the absolute path *link* leads to a skipped directory or below one."""
        if not self.real:
            return False
        target = os.path.realpath(link)
        return any(target == skipped or target.startswith(skipped.rstrip("/") + "/") for skipped in self.real)
