"""The page of all diagnostic codes, made from the code that reports them.

``docs/diagnostics.md`` holds what :func:`diagnostics_page` returns; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Iterator

from scanner.diagnostic_help import help_for
from scanner.diagnostics import CODES
from workers.reporting.wording import severity_name

_INTRODUCTION = """\
# Diagnostic codes

Everything the scanner has to say is a diagnostic with one of these codes. The severity is the one a code usually has; some
diagnostics are less grave than their code, and say so. Codes marked *yes* under *not scanned* mean that an input could
not be read at all: besides being listed, it adds 4 to the exit code.

This page is made from the code by `workers.reporting.code_table`; edit the texts in `scanner/diagnostics.py` and
`scanner/diagnostic_help.py` instead.
"""


def code_table_markdown() -> str:
    """Return a Markdown table of all codes: code, severity, whether it means an unscanned input, summary."""
    return "".join(f"{row}\n" for row in _rows())


def diagnostics_page() -> str:
    """Return the whole page as Markdown: the table, then a section on each code."""
    sections = "\n".join(f"## `{code}`\n\n{help_for(code).markdown}\n" for code in sorted(CODES))
    return f"{_INTRODUCTION}\n{code_table_markdown()}\n{sections}"


def _rows() -> Iterator[str]:
    yield "| code | severity | not scanned | meaning |"
    yield "| --- | --- | --- | --- |"
    for code, rule in sorted(CODES.items()):
        unscanned = "yes" if rule.is_unscanned else ""
        summary = rule.summary.replace("|", "\\|")
        yield f"| [`{code}`](#{code}) | {severity_name(rule.severity)} | {unscanned} | {summary} |"
