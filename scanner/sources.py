"""Which files a scan reads and what each is read for, found in one walk.

Three sets are found together: sources of classes, further scripts that may declare intents and playbooks, and
components in which such a declaration is a mistake. A file stands in one set only, in this order.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from scanner.diagnostics import Diagnostic
from scanner.discovery import (
    AGENT_SURFACE_PRUNES,
    DiscoveryPolicy,
    discover_source_sets,
    is_agent_surface_source_path,
    is_pruned_agent_surface_path,
)
from scanner.file_states import UNKNOWN_STATE
from scanner.options import ScanOptions
from scanner.records import FileRole

_MARKUP_SUFFIX: Final = ".svelte"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to read.

    Attributes:
        path: Root-relative POSIX path.
        size: Bytes when it was listed.
        role: What it is read for.
        state: What it looked like when it was listed (see :mod:`scanner.file_states`).
    """

    path: str
    size: int
    role: FileRole
    state: bytes = field(default=UNKNOWN_STATE, compare=False, repr=False)

    def __reduce__(self) -> tuple[type[SourceFile], tuple[str, int, FileRole]]:
        """Travel to workers without the state, which serves only where the file was listed."""
        return SourceFile, (self.path, self.size, self.role)


@dataclass(frozen=True, slots=True)
class Sources:
    """What discovery found.

    Attributes:
        files: All files of a scan, sorted by path.
        diagnostics: What went amiss on the way.
        packages: Directories that have a package.json, sorted.
    """

    files: tuple[SourceFile, ...]
    diagnostics: tuple[Diagnostic, ...]
    packages: tuple[str, ...] = ()


def discover_sources(
    root: str | os.PathLike[str], options: ScanOptions, *, skip_dirs: Iterable[str] = ()
) -> Sources:
    """Find every file that a scan of *root* reads.

    Raises:
        FileNotFoundError: There is no *root*.
        NotADirectoryError: *root* is no directory.
        PatternError: A pattern cannot be read.
    """
    found = discover_source_sets(root, source_policies(options), skip_dirs=skip_dirs)
    taken: dict[str, SourceFile] = {}
    for role in FileRole:
        is_accepted = _ACCEPTED[role]
        for file in found.files.get(role.value, ()):
            if file.path not in taken and is_accepted(file.path):
                taken[file.path] = SourceFile(file.path, file.size, role, file.state)
    return Sources(tuple(taken[path] for path in sorted(taken)), found.diagnostics, found.packages)


def source_policies(options: ScanOptions) -> dict[str, DiscoveryPolicy]:
    """Return the discovery policy of each role that files are read for."""
    policies = {FileRole.CLASSES.value: options.discovery}
    if options.surface.is_on:
        policies[FileRole.SURFACE.value] = _surface_policy(options)
        policies[FileRole.MARKUP.value] = _markup_policy(options)
    return policies


_ACCEPTED: Final[Mapping[FileRole, Callable[[str], bool]]] = MappingProxyType(
    {
        FileRole.CLASSES: lambda _: True,
        FileRole.SURFACE: is_agent_surface_source_path,
        FileRole.MARKUP: lambda path: not is_pruned_agent_surface_path(path),
    }
)
"""Which of the files that a role's policy finds are read for it."""


def _surface_policy(options: ScanOptions) -> DiscoveryPolicy:
    return replace(
        options.discovery,
        include=options.surface.include,
        exclude=(*options.discovery.exclude, *AGENT_SURFACE_PRUNES),
    )


def _markup_policy(options: ScanOptions) -> DiscoveryPolicy:
    """Drop exclusions of components: they are meant for the class pass, which cannot read them (spec seed)."""
    kept = (pattern for pattern in options.discovery.exclude if not pattern.endswith(_MARKUP_SUFFIX))
    return replace(
        options.discovery, include=options.surface.markup_include, exclude=(*kept, *AGENT_SURFACE_PRUNES)
    )
