"""Everything that shapes the results of a scan, as one frozen record.

What stands here decides artifact bytes; how the work is done (workers, progress, caches) does not and stands
elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from scanner.discovery import DiscoveryPolicy
from scanner.file_scan import DEFAULT_MAX_FILE_BYTES


class Depth(Enum):
    """How much of each file the artifacts show: manifests alone, or every raw record too."""

    MANIFEST = "manifest"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class ScanOptions:
    """Options that shape results.

    Attributes:
        discovery: Which files are sources.
        depth: What the artifacts hold.
        max_file_bytes: Size over which a file is reported instead of scanned.
        framework_bases: Further class names that count as framework bases.
    """

    discovery: DiscoveryPolicy = field(default_factory=DiscoveryPolicy)
    depth: Depth = Depth.MANIFEST
    max_file_bytes: int = DEFAULT_MAX_FILE_BYTES
    framework_bases: tuple[str, ...] = ()
