"""Values and trees that the tests of the cache share."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from scanner.file_scan import scan_bytes
from scanner.options import ScanOptions
from scanner.records import FileScan, Reading
from scanner.sources import SourceFile, discover_sources
from workers.cache.content import content_digest
from workers.cache.store import CacheLimits, CacheLookup, ResultCache

OPTIONS = ScanOptions()
MODEL = "@smrt()\nexport class {name} extends SmrtObject {{\n  total: number = {number};\n}}\n"


def later() -> int:
    """A clock so far ahead that every file is older than the times that cannot be trusted."""
    return time.time_ns() + 3600 * 10**9


def make_tree(root: Path, count: int) -> Path:
    for number in range(count):
        path = root / f"src/d{number % 7}/model{number}.ts"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(MODEL.format(name=f"Model{number}", number=number))
    (root / "src/empty.ts").write_text("export const one = 1;\n")
    return root


def files_of(root: Path, options: ScanOptions = OPTIONS) -> tuple[SourceFile, ...]:
    return discover_sources(root, options).files


def scan_files(root: Path, files: Sequence[SourceFile]) -> tuple[list[FileScan], list[bytes | None]]:
    contents = [(root / file.path).read_bytes() for file in files]
    scans = [scan_bytes(data, file.path, file.role) for data, file in zip(contents, files, strict=True)]
    return scans, [content_digest(data) for data in contents]


def cold_scans(root: Path, options: ScanOptions = OPTIONS) -> dict[str, FileScan]:
    return {scan.file_path: scan for scan in scan_files(root, files_of(root, options))[0]}


def run(
    directory: Path,
    root: Path,
    options: ScanOptions = OPTIONS,
    clock: Callable[[], int] = later,
    limits: CacheLimits | None = None,
) -> tuple[dict[str, FileScan], CacheLookup, list[str]]:
    """Scan a tree the way a driver does: known results from the cache, the rest anew and into it."""
    with ResultCache.open(directory, options, limits, clock_ns=clock) as cache:
        lookup = cache.lookup(root, files_of(root, options))
        scans, digests = scan_files(root, lookup.misses)
        cache.store(root, lookup.misses, Reading.RECORDS, scans, digests)
    return {**lookup.scans, **{scan.file_path: scan for scan in scans}}, lookup, cache.remarks
