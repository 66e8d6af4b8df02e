"""Everything that shapes the results of a scan, as one frozen record.

What stands here decides artifact bytes; how the work is done (workers, progress, caches) does not and stands
elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from scanner.discovery import AGENT_SURFACE_INCLUDE, SVELTE_INCLUDE, DiscoveryPolicy
from scanner.source_files import DEFAULT_MAX_FILE_BYTES


class Depth(Enum):
    """How much of each file the artifacts show: manifests alone, or every raw record too."""

    MANIFEST = "manifest"
    FULL = "full"


class Resolution(Enum):
    """How the parent of a class and the meaning of a type name are found."""

    IMPORTS = "imports"
    """In the same file, then where the import leads, then by the bare name in the package."""

    NAMES = "names"
    """By the bare name in the package alone."""


@dataclass(frozen=True, slots=True)
class SurfaceOptions:
    """Where agent-surface declarations are looked for, besides the sources of classes.

    Attributes:
        is_on: Whether they are looked for at all.
        include: Globs of scripts that may hold declarations.
        markup_include: Globs of components in which a declaration is a mistake.
    """

    is_on: bool = True
    include: tuple[str, ...] = AGENT_SURFACE_INCLUDE
    markup_include: tuple[str, ...] = SVELTE_INCLUDE


@dataclass(frozen=True, slots=True)
class ScanOptions:
    """Options that shape results.

    Attributes:
        discovery: Which files are sources of classes.
        surface: Where agent-surface declarations are looked for.
        depth: What the artifacts hold.
        max_file_bytes: Size over which a file is reported instead of scanned.
        resolution: How parents and type aliases are found.
        framework_bases: Further class names that count as framework bases.
        packages: Names or globs of the packages whose results are shown; empty for all (:mod:`scanner.selection`).
    """

    discovery: DiscoveryPolicy = field(default_factory=DiscoveryPolicy)
    surface: SurfaceOptions = field(default_factory=SurfaceOptions)
    depth: Depth = Depth.MANIFEST
    max_file_bytes: int = DEFAULT_MAX_FILE_BYTES
    framework_bases: tuple[str, ...] = ()
    resolution: Resolution = Resolution.IMPORTS
    packages: tuple[str, ...] = ()
