"""How a scan's files are split into shards: a pure function, so that a plan can be printed and tested.

Shards are cut by bytes, largest files first, so that no worker is left with a giant at the end; a bound on files keeps
shards of many small files from growing long. A shard takes some tens of milliseconds, which makes handing it out cost
well under two per cent of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from scanner.sources import SourceFile

SHARDS_PER_WORKER: Final = 8
"""Shards that each worker should get at least, so that the last ones finish close together."""


@dataclass(frozen=True, slots=True)
class ShardBounds:
    """How large shards may be.

    Attributes:
        files: Most files of a shard.
        most_bytes: Bytes over which a shard takes no further file.
        least_bytes: Bytes under which no shard is cut for the sake of balance.
    """

    files: int
    most_bytes: int
    least_bytes: int


PARSED: Final = ShardBounds(files=256, most_bytes=512 * 1024, least_bytes=64 * 1024)
"""For files all of which may be parsed, at some ten megabytes a second."""

SIFTED: Final = ShardBounds(files=2048, most_bytes=3 * 1024 * 1024, least_bytes=64 * 1024)
"""For files most of which are only searched, at about a gigabyte a second."""


@dataclass(frozen=True, slots=True)
class Shard:
    """A part of the work: files that one task scans, largest first."""

    number: int
    files: tuple[SourceFile, ...]

    @property
    def size(self) -> int:
        """Bytes of all files, as listed."""
        return sum(file.size for file in self.files)


@dataclass(frozen=True, slots=True)
class ScanPlan:
    """All shards of a scan."""

    shards: tuple[Shard, ...]
    workers: int

    @property
    def files(self) -> int:
        """How many files there are."""
        return sum(len(shard.files) for shard in self.shards)

    @property
    def size(self) -> int:
        """Bytes of all files, as listed."""
        return sum(shard.size for shard in self.shards)


def plan_scan(files: Iterable[SourceFile], workers: int, bounds: ShardBounds = PARSED) -> ScanPlan:
    """Split files into shards.

    Args:
        files: The files to scan, in any order.
        workers: How many workers will take shards.
        bounds: How large shards may be.

    Returns:
        A plan in which every file stands in exactly one shard; equal for equal files, whatever their order.
    """
    ordered = sorted(files, key=lambda file: (-file.size, file.path))
    limit = shard_limit(sum(file.size for file in ordered), workers, bounds)
    parts = _cut(ordered, limit, bounds.files)
    return ScanPlan(tuple(Shard(number, part) for number, part in enumerate(parts)), workers)


def shard_limit(source_bytes: int, workers: int, bounds: ShardBounds = PARSED) -> int:
    """Return over how many bytes no shard of several files goes, for sources of *source_bytes* in all."""
    wanted = source_bytes // max(1, workers * SHARDS_PER_WORKER)
    return min(bounds.most_bytes, max(bounds.least_bytes, wanted))


def _cut(ordered: Sequence[SourceFile], limit: int, most_files: int) -> Iterable[tuple[SourceFile, ...]]:
    part: list[SourceFile] = []
    size = 0
    for file in ordered:
        if part and (size + file.size > limit or len(part) >= most_files):
            yield tuple(part)
            part, size = [], 0
        part.append(file)
        size += file.size
    if part:
        yield tuple(part)
