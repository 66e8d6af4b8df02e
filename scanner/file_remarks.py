"""The wording of what the scanner has to say about a source: where, what is wrong, what to do."""

from __future__ import annotations

from typing import Final

from scanner.diagnostics import Diagnostic, Severity
from scanner.extraction.classes import LabelledFault
from scanner.extraction.config_values import FaultKind
from scanner.extraction.type_names import MAX_TYPE_DEPTH
from scanner.syntax.source import SourceText
from scanner.syntax.syntax_errors import SyntaxFault

_SHOWN_EXPRESSION_LENGTH: Final = 120


def syntax_error(text: SourceText, file_path: str, fault: SyntaxFault) -> Diagnostic:
    """Say what the grammar could not read."""
    position = text.position(fault.start_byte)
    if fault.expected is not None:
        message = f"Expected {fault.expected} here."
    else:
        message = (
            f"Cannot read this as part of the program: {_shown(text.slice(fault.start_byte, fault.end_byte))}"
        )
    return Diagnostic(
        "syntax-error",
        Severity.ERROR,
        file_path,
        position.line,
        position.column,
        message,
        "Mend the source: declarations near the error may be missing from the artifacts.",
    )


def misplaced_parameter(text: SourceText, file_path: str, start_byte: int) -> Diagnostic:
    """Say that a parameter breaks the order that the language asks for."""
    position = text.position(start_byte)
    return Diagnostic(
        "syntax-error",
        Severity.ERROR,
        file_path,
        position.line,
        position.column,
        "An optional parameter takes no default, is no rest parameter, and has no required one behind it.",
        "Reorder the parameters, or drop the question mark.",
    )


def too_deep_type(text: SourceText, file_path: str, start_byte: int) -> Diagnostic:
    """Say that a type is nested too deep to be named."""
    position = text.position(start_byte)
    return Diagnostic(
        "nesting-too-deep",
        Severity.WARNING,
        file_path,
        position.line,
        position.column,
        f"This type is nested more than {MAX_TYPE_DEPTH} levels deep, so it was read as a type without a name.",
        "Give its inner parts names of their own.",
    )


def unresolved_config(text: SourceText, file_path: str, labelled: LabelledFault) -> Diagnostic:
    """Say which part of a config is not known (spec section 2)."""
    position = text.position(labelled.fault.start_byte)
    if labelled.fault.kind is FaultKind.EMPTY_KEY:
        return Diagnostic(
            "empty-config-key",
            Severity.WARNING,
            file_path,
            position.line,
            position.column,
            f"The config of {labelled.decorator} has an entry with an empty key; it was left out.",
            "Give the entry a name, or remove it.",
            labelled.fault.expression,
            labelled.decorator,
        )
    return Diagnostic(
        "unresolved-config",
        Severity.ERROR,
        file_path,
        position.line,
        position.column,
        f"The config of {labelled.decorator} depends on `{_shown(labelled.fault.expression)}`, which cannot be known"
        " without running the code.",
        "Write the value as a literal, or spread a constant of this file that nothing changes; a key that is"
        " missing here is open by default.",
        labelled.fault.expression,
        labelled.decorator,
    )


def _shown(expression: str) -> str:
    """Shorten source text for a message: one line, bounded."""
    flat = " ".join(expression.split())
    return flat if len(flat) <= _SHOWN_EXPRESSION_LENGTH else f"{flat[: _SHOWN_EXPRESSION_LENGTH - 1]}…"
