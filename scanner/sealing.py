"""Records of files that travel and wait as bytes, since most of them are never looked into again."""

from __future__ import annotations

from scanner.module_paths import stays_below
from scanner.records import FileScan, SealedScan
from scanner.serialization import encode_line, to_json


def class_lines(scan: FileScan) -> bytes:
    """Return the raw record of every class of a file, one a line of ``classes.ndjson``, in source order."""
    return b"".join(encode_line(to_json(raw)) for raw in scan.classes)


def sealed(scan: FileScan, record: bytes) -> SealedScan:
    """Seal the record of a parsed source of classes.

    Args:
        scan: The record; the source mentions no SMRT.
        record: The same in bytes.
    """
    return SealedScan(
        scan.file_path, scan.errors, _leads_of(scan), len(scan.classes), class_lines(scan), record
    )


def _leads_of(scan: FileScan) -> tuple[str, ...]:
    """Return the modules that a class of another package can come from to one that extends it here or elsewhere."""
    if not scan.exports and not any(raw.extends_clause for raw in scan.classes):
        return ()
    modules = [binding.module for binding in scan.imports]
    modules += [export.module for export in scan.exports if export.module is not None]
    return tuple(module for module in dict.fromkeys(modules) if not stays_below(module))
