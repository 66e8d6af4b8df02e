"""Sources that hold no model by themselves: their records can wait, as bytes even, until a model leads to them.

A class becomes a model by its decorator or by a chain that ends at a framework base, and every such chain has a link
that names the base: a parent, an import or an export. A source without any of these is idle. Packages in which
all sources are idle, and from which no imports lead to others, are never resolved.
"""

from __future__ import annotations

from collections.abc import Collection

from scanner.module_paths import stays_below
from scanner.records import FileRole, FileScan, SealedScan
from scanner.serialization import encode_line, to_json
from scanner.surface.records import AgentSurface

_NOTHING_DECLARED = AgentSurface()


def is_idle(scan: FileScan, bases: Collection[str]) -> bool:
    """Tell whether a parsed source of classes adds nothing to its package unless models lead to it.

    Args:
        scan: Its record.
        bases: Names of all framework bases.
    """
    if scan.role is not FileRole.CLASSES or not scan.is_parsed or scan.smrt_imports:
        return False
    if scan.agent_surface != _NOTHING_DECLARED or any(raw.has_smart_decorator for raw in scan.classes):
        return False
    parents = ((raw.parent_name or "").rpartition(".")[2] for raw in scan.classes)
    taken = (binding.imported for binding in scan.imports)
    given = (export.imported for export in scan.exports)
    return not any(name in bases for names in (parents, taken, given) for name in names)


def class_lines(scan: FileScan | SealedScan) -> bytes:
    """Return the raw record of every class of a file, one a line of ``classes.ndjson``, in source order."""
    if isinstance(scan, SealedScan):
        return scan.class_lines
    return b"".join(encode_line(to_json(raw)) for raw in scan.classes)


def class_count(scan: FileScan | SealedScan) -> int:
    """Return how many classes a file has."""
    return scan.class_count if isinstance(scan, SealedScan) else len(scan.classes)


def leads_of_record(scan: FileScan | SealedScan) -> tuple[str, ...]:
    """Return the modules that a class can come from to one that extends it here, or elsewhere by way of this file."""
    if isinstance(scan, SealedScan):
        return scan.leads
    if not scan.exports and not any(raw.extends_clause for raw in scan.classes):
        return ()
    modules = [binding.module for binding in scan.imports]
    modules += [export.module for export in scan.exports if export.module is not None]
    return tuple(module for module in dict.fromkeys(modules) if not stays_below(module))


def sealed(scan: FileScan, record: bytes) -> SealedScan:
    """Seal the record of an idle source.

    Args:
        scan: The record.
        record: The same in bytes.
    """
    leads, lines = leads_of_record(scan), class_lines(scan)
    return SealedScan(scan.file_path, scan.errors, leads, class_count(scan), lines, record)
