"""Findings as GitHub workflow commands: a line each, shown as an annotation beside the source.

Format: ``::error file=PATH,line=N,col=N,title=CODE::MESSAGE``. In messages ``%``, CR and LF are escaped as ``%25``,
``%0D`` and ``%0A``; in properties ``:`` and ``,`` are as well. Lines and columns count from 1 there as they do here and are
passed on as they are; a column counts UTF-16 units.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from types import MappingProxyType
from typing import Final

from scanner.diagnostics import Diagnostic, Severity
from workers.reporting.wording import in_order, one_line, visible

_COMMANDS: Final = MappingProxyType(
    {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
)


def render_github(diagnostics: Iterable[Diagnostic], *, path_prefix: str = "") -> Iterator[str]:
    """Yield one workflow command for each finding, without line ends.

    Args:
        diagnostics: The findings, in any order.
        path_prefix: The scan root relative to the root of the repository, with ``/`` separators; annotations find
            their file only by its path from there.

    Yields:
        The commands by path, line and column. A hint follows the message on a line of its own.
    """
    prefix = posixpath.normpath(path_prefix)
    for diagnostic in in_order(diagnostics):
        text = one_line(diagnostic.message)
        if diagnostic.hint:
            text = f"{text}\nHint: {one_line(diagnostic.hint)}"
        properties = ",".join(
            f"{name}={_escape_property(value)}" for name, value in _properties(diagnostic, prefix)
        )
        yield f"::{_COMMANDS[diagnostic.severity]} {properties}::{_escape_data(text)}"


def _properties(diagnostic: Diagnostic, prefix: str) -> Iterator[tuple[str, str]]:
    if diagnostic.file_path:
        yield "file", visible(diagnostic.file_path if prefix == "." else f"{prefix}/{diagnostic.file_path}")
        if diagnostic.line is not None:
            yield "line", str(diagnostic.line)
            if diagnostic.column is not None:
                yield "col", str(diagnostic.column)
    yield "title", visible(diagnostic.code)


def _escape_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape_data(text).replace(":", "%3A").replace(",", "%2C")
