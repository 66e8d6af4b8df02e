"""The wording of what the scanner has to say about a source: where, what is wrong, what to do."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from scanner.diagnostics import CODES, Diagnostic
from scanner.extraction.classes import LabelledFault
from scanner.extraction.config_values import FaultKind
from scanner.extraction.type_names import MAX_TYPE_DEPTH
from scanner.syntax.source import SourceText
from scanner.syntax.syntax_errors import SyntaxFault

_SHOWN_EXPRESSION_LENGTH: Final = 120


def syntax_error(text: SourceText, file_path: str, fault: SyntaxFault) -> Diagnostic:
    """Say what the grammar could not read."""
    if fault.expected is not None:
        message = f"Expected {fault.expected} here."
    else:
        message = (
            f"Cannot read this as part of the program: {_shown(text.slice(fault.start_byte, fault.end_byte))}"
        )
    hint = "Mend the source: declarations near the error may be missing from the artifacts."
    return _remark("syntax-error", text, file_path, fault.start_byte, message, hint)


def misplaced_parameter(text: SourceText, file_path: str, start_byte: int) -> Diagnostic:
    """Say that a parameter breaks the order that the language asks for."""
    message = (
        "An optional parameter takes no default, is no rest parameter, and has no required one behind it."
    )
    hint = "Reorder the parameters, or drop the question mark."
    return _remark("syntax-error", text, file_path, start_byte, message, hint)


def too_deep_type(text: SourceText, file_path: str, start_byte: int) -> Diagnostic:
    """Say that a type is nested too deep to be named."""
    message = f"This type is nested more than {MAX_TYPE_DEPTH} levels deep, so it was read as a type without a name."
    return _remark(
        "nesting-too-deep", text, file_path, start_byte, message, "Give its inner parts names of their own."
    )


def unresolved_config(text: SourceText, file_path: str, labelled: LabelledFault) -> Diagnostic:
    """Say which part of a config is not known (spec section 2)."""
    fault, decorator = labelled.fault, labelled.decorator
    if fault.kind is FaultKind.EMPTY_KEY:
        message = f"The config of {decorator} has an entry with an empty key; it was left out."
        remark = _remark(
            "empty-config-key",
            text,
            file_path,
            fault.start_byte,
            message,
            "Give the entry a name, or remove it.",
        )
    else:
        message = (
            f"The config of {decorator} depends on `{_shown(fault.expression)}`, which cannot be known without running"
            " the code."
        )
        hint = (
            "Write the value as a literal, or spread a constant of this file that nothing changes; a key that is"
            " missing here is open by default."
        )
        remark = _remark("unresolved-config", text, file_path, fault.start_byte, message, hint)
    return replace(remark, expression=fault.expression, decorator=decorator)


def _remark(
    code: str, text: SourceText, file_path: str, start_byte: int, message: str, hint: str
) -> Diagnostic:
    position = text.position(start_byte)
    return Diagnostic(code, CODES[code].severity, file_path, position.line, position.column, message, hint)


def _shown(expression: str) -> str:
    """Shorten source text for a message: one line, bounded."""
    flat = " ".join(expression.split())
    return flat if len(flat) <= _SHOWN_EXPRESSION_LENGTH else f"{flat[: _SHOWN_EXPRESSION_LENGTH - 1]}…"
