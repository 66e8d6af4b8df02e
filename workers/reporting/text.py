"""Findings for people: grouped by file, each with the source line it is about.

The lines hold no control characters but the colours that were asked for, and can be encoded as UTF-8, whatever the
scanned files and their names hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType
from typing import Final

from scanner.diagnostics import Diagnostic, Severity
from workers.reporting.excerpt import Excerpt, SourceLines, make_excerpt
from workers.reporting.wording import (
    SEVERITY_ORDER,
    counted,
    in_order,
    is_command,
    one_line,
    severity_name,
    visible,
)

_NO_FILE: Final = "(the scan as a whole)"
_INDENT: Final = "  "
_RESET: Final = "\x1b[0m"
_BOLD: Final = "\x1b[1m"
_GUTTER: Final = "\x1b[1;34m"
_HINT: Final = "\x1b[1;36m"
_SEVERITIES: Final = MappingProxyType(
    {Severity.ERROR: "\x1b[1;31m", Severity.WARNING: "\x1b[1;33m", Severity.INFO: "\x1b[1;34m"}
)


def render_text(
    diagnostics: Iterable[Diagnostic], read_source: Callable[[str], bytes | None], *, color: bool = False
) -> Iterator[str]:
    """Yield the lines of a report, without line ends.

    Args:
        diagnostics: The findings, in any order.
        read_source: Gives the bytes of a file by its ``file_path``, or None when it cannot be shown. It is called
            once for each file that has a finding with a line, and for no other.
        color: Whether to colour the report with ANSI escape sequences.

    Yields:
        For each file its path and its findings by position, each with excerpt and hint, an empty line after each; then
        one line with the counts.
    """
    painter = _Painter(color)
    counts: Counter[Severity] = Counter()
    files = 0
    for path, group in groupby(in_order(diagnostics), key=lambda diagnostic: diagnostic.file_path):
        findings = list(group)
        counts.update(finding.severity for finding in findings)
        files += bool(path)
        yield painter.paint(_BOLD, _shown_path(path))
        yield from _file_lines(findings, read_source, painter)
    yield _summary(counts, files)


@dataclass(frozen=True, slots=True)
class _Painter:
    is_coloring: bool

    def paint(self, style: str, text: str) -> str:
        return f"{style}{text}{_RESET}" if self.is_coloring and text else text


def _file_lines(
    findings: Sequence[Diagnostic], read_source: Callable[[str], bytes | None], painter: _Painter
) -> Iterator[str]:
    numbers = [finding.line for finding in findings if finding.line is not None]
    data = read_source(findings[0].file_path) if numbers and findings[0].file_path else None
    source = None if data is None else SourceLines(data)
    gutter = len(_INDENT) * 2 + max((len(str(number)) for number in numbers), default=0)
    for finding in findings:
        yield f"{_INDENT}{_heading(finding, painter)}"
        line = source.line(finding.line) if source is not None and finding.line is not None else None
        if line is not None:
            excerpt = make_excerpt(line, finding.column, finding.expression)
            yield from _excerpt_lines(finding, excerpt, gutter, painter)
        if finding.hint:
            edge = _INDENT + _INDENT if line is None else painter.paint(_GUTTER, f"{' ' * gutter} =") + " "
            yield f"{edge}{painter.paint(_HINT, 'hint:')} {one_line(finding.hint)}"
        yield ""


def _shown_path(path: str) -> str:
    if is_command(path):
        return f"./{visible(path)}"
    return visible(path) or _NO_FILE


def _heading(finding: Diagnostic, painter: _Painter) -> str:
    word = painter.paint(_SEVERITIES[finding.severity], severity_name(finding.severity))
    code = painter.paint(_BOLD, visible(finding.code))
    return f"{_position(finding)}{word} {code} {one_line(finding.message)}"


def _position(finding: Diagnostic) -> str:
    if finding.line is None:
        return ""
    return f"{finding.line} " if finding.column is None else f"{finding.line}:{finding.column} "


def _excerpt_lines(finding: Diagnostic, excerpt: Excerpt, gutter: int, painter: _Painter) -> Iterator[str]:
    edge = painter.paint(_GUTTER, f"{finding.line:>{gutter}} |")
    yield f"{edge} {excerpt.text}".rstrip() if excerpt.text else edge
    if excerpt.marker_length:
        marker = painter.paint(_SEVERITIES[finding.severity], "^" * excerpt.marker_length)
        yield f"{painter.paint(_GUTTER, ' ' * gutter + ' |')} {' ' * excerpt.marker_start}{marker}"


def _summary(counts: Counter[Severity], files: int) -> str:
    total = counts.total()
    if not total:
        return "No findings."
    kinds = ", ".join(
        counted(counts[severity], severity_name(severity)) for severity in SEVERITY_ORDER if counts[severity]
    )
    where = f" in {files} file{'s' if files != 1 else ''}" if files else ""
    return f"Found {total} finding{'s' if total != 1 else ''}{where}: {kinds}."
