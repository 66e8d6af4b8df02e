"""The file rung with a sieve before it: a source is parsed only when its bytes do not prove that to be needless."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from scanner.diagnostics import CODES
from scanner.file_scan import scan_bytes
from scanner.records import FileRole, FileScan, Reading
from scanner.sieve.declared_names import declared_names, may_declare_records
from scanner.sieve.module_exports import leads_of, may_export_others
from scanner.sieve.smrt_mentions import mentions_smrt
from scanner.source_files import byte_remarks
from scanner.surface.helpers import may_declare_agent_surface
from scanner.syntax.grammar import dialect_of_path


@dataclass(frozen=True, slots=True)
class SiftedScan:
    """What reading one source came to.

    Attributes:
        scan: The file's record; None if the source contributes nothing by itself.
        is_parsed: Whether it was parsed.
    """

    scan: FileScan | None
    is_parsed: bool


def sift_bytes(
    data: bytes, file_path: str, role: FileRole, reading: Reading, further_bases: Collection[str] = ()
) -> SiftedScan:
    """Scan a source's bytes as far as *reading* asks for.

    Args:
        data: The bytes as read from disk.
        file_path: The path to record.
        role: What the file is read for; only sources of classes are read in several ways.
        reading: How far it is read.
        further_bases: Class names that count as framework bases beside the framework's own.

    Returns:
        The record and whether the source was parsed; bytes that call for a diagnostic always give a record.
    """
    if _needs_scanning(data, role, reading, further_bases):
        return SiftedScan(scan_bytes(data, file_path, role), is_parsed=role is not FileRole.MARKUP)
    remarks = tuple(byte_remarks(data, file_path))
    if any(CODES[remark.code].is_unscanned for remark in remarks):
        return SiftedScan(FileScan(file_path, role, errors=remarks), is_parsed=False)
    if role is FileRole.CLASSES and (remarks or reading is Reading.NAMES):
        declared = declared_names(data, dialect_of_path(file_path))
        scan = FileScan(file_path, role, errors=remarks, declared=declared, leads=leads_of(data))
        return SiftedScan(scan, is_parsed=False)
    if role is FileRole.CLASSES and reading is Reading.SIFT and (leads := leads_of(data)):
        return SiftedScan(FileScan(file_path, role, leads=leads), is_parsed=False)
    return SiftedScan(FileScan(file_path, role, errors=remarks) if remarks else None, is_parsed=False)


def _needs_scanning(data: bytes, role: FileRole, reading: Reading, further_bases: Collection[str]) -> bool:
    match role, reading:
        case FileRole.CLASSES, Reading.SIFT:
            return mentions_smrt(data, further_bases)
        case FileRole.CLASSES, Reading.RECORDS:
            return may_declare_records(data) or may_export_others(data) or mentions_smrt(data, further_bases)
        case FileRole.CLASSES, _:
            return False
        case _:
            return may_declare_agent_surface(data)
