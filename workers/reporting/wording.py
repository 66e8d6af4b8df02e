"""Text that is safe to show, and the one order in which findings are shown.

Paths, messages and source text come from scanned files, so they may hold anything: escape sequences that drive a
terminal, line breaks that forge a line of output, bidirectional controls that reorder it, lone surrogates that no
encoder takes. What this module returns holds none of these and can be encoded as UTF-8.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from scanner.diagnostics import Diagnostic, Severity

_LINE_BREAKS: Final = re.compile(r"[ \t]*[\r\n\u2028\u2029]+[ \t]*")
# C0, DEL, C1, the controls of bidirectional text, surrogates.
_UNSAFE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_FIRST_ESCAPED_BYTE: Final = 0xDC80
_LAST_ESCAPED_BYTE: Final = 0xDCFF
_ONE_BYTE: Final = 0x100

SEVERITY_ORDER: Final = (Severity.ERROR, Severity.WARNING, Severity.INFO)
"""Severities, the gravest first."""

_COMMAND_PREFIXES: Final = ("::", "##[")
_NAMES: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "info"}


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return *diagnostics* by path, line, column, code and message; what is equal in these, by the rest of it."""
    return sorted(diagnostics, key=_total_order)


def _total_order(item: Diagnostic) -> tuple[object, ...]:
    # An absent text and an empty one are different findings, so they must not tie.
    optional = (item.decorator, item.expression, item.hint)
    texts = tuple((text is not None, text or "") for text in optional)
    places = tuple((number is not None, number or 0) for number in (item.line, item.column))
    return (item.sort_key, texts, item.severity.value, places)


def visible(text: str) -> str:
    r"""Return *text* with everything unsafe written as an escape: ``\x1b``, ``\u202e``, a file name's byte ``\xff``."""
    return _UNSAFE.sub(_escape, text)


def one_line(text: str) -> str:
    """Return *text* as one safe line: line breaks become blanks, the rest is made :func:`visible`."""
    return visible(_LINE_BREAKS.sub(" ", text).replace("\t", " "))


def well_formed(text: str) -> str:
    """Return *text* with lone surrogates written as escapes and everything else as it is."""
    return _SURROGATES.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if _FIRST_ESCAPED_BYTE <= code <= _LAST_ESCAPED_BYTE:
        return f"\\x{code - _FIRST_ESCAPED_BYTE + 0x80:02x}"
    return f"\\x{code:02x}" if code < _ONE_BYTE else f"\\u{code:04x}"


def is_command(line: str) -> bool:
    """Tell whether build services would take a printed line for a command; a source must not be able to give one."""
    return line.lstrip().startswith(_COMMAND_PREFIXES)


def severity_name(severity: Severity) -> str:
    """Return the word for a severity."""
    return _NAMES[severity]


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, whose plural takes an s: ``1 error``, ``2 files``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
