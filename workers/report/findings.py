"""The diagnostics of the page, each with its excerpt, and the explanation of every code that occurs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, TypeAlias

from scanner.diagnostic_help import help_for
from scanner.diagnostics import Diagnostic
from scanner.serialization import JsonValue, without_absent
from workers.reporting.excerpt import SourceLines, make_excerpt
from workers.reporting.wording import in_order

SourceReader: TypeAlias = Callable[[str], bytes | None]
"""Gives the bytes of a file by its path relative to the scanned directory; None when it cannot be shown."""

_CONFIG_CODES: Final = frozenset({"unresolved-config", "syntax-error", "empty-config-key"})


def files_in_doubt(diagnostics: Mapping[Diagnostic, str | None]) -> frozenset[str]:
    """Return the files in which something that decides about surfaces could not be read."""
    return frozenset(item.file_path for item in diagnostics if item.code in _CONFIG_CODES)


def finding_entries(
    diagnostics: Mapping[Diagnostic, str | None], read_source: SourceReader
) -> list[JsonValue]:
    """Return the data of every diagnostic in the order of reports.

    Args:
        diagnostics: All of a run, each with the name of its package.
        read_source: Called once for each file that has a finding with a line.
    """
    ordered = in_order(diagnostics)
    return [
        entry
        for path, group in groupby(ordered, key=lambda item: item.file_path)
        for entry in _entries(path, list(group), diagnostics, read_source)
    ]


def _entries(
    path: str,
    findings: Sequence[Diagnostic],
    packages: Mapping[Diagnostic, str | None],
    read_source: SourceReader,
) -> Iterator[JsonValue]:
    has_line = any(item.line is not None for item in findings)
    data = read_source(path) if path and has_line else None
    source = None if data is None else SourceLines(data)
    for item in findings:
        told: dict[str, JsonValue] = {
            "code": item.code,
            "severity": item.severity.value,
            "file": path,
            "line": item.line,
            "column": item.column,
            "message": item.message,
            "hint": item.hint,
            "expression": item.expression,
            "package": packages[item],
            "excerpt": _excerpt(item, source),
        }
        yield without_absent(told)


def _excerpt(finding: Diagnostic, source: SourceLines | None) -> JsonValue:
    line = None if source is None or finding.line is None else source.line(finding.line)
    if line is None:
        return None
    excerpt = make_excerpt(line, finding.column, finding.expression)
    return {"text": excerpt.text, "start": excerpt.marker_start, "length": excerpt.marker_length}


def code_entries(diagnostics: Mapping[Diagnostic, str | None]) -> dict[str, JsonValue]:
    """Return what each code that occurs means and how it is mended."""
    codes = sorted({item.code for item in diagnostics})
    helps = {code: help_for(code) for code in codes}
    return {code: {"meaning": told.meaning, "remedy": told.remedy} for code, told in helps.items()}
