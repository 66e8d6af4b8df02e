"""Which findings make a command fail."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from types import MappingProxyType
from typing import Final

from scanner.diagnostics import Diagnostic, Severity


class FailOn(Enum):
    """The gravity from which findings count as a failure."""

    ERROR = "error"
    WARNING = "warning"
    NEVER = "never"


_FAILING: Final = MappingProxyType(
    {
        FailOn.ERROR: frozenset({Severity.ERROR}),
        FailOn.WARNING: frozenset({Severity.ERROR, Severity.WARNING}),
        FailOn.NEVER: frozenset[Severity](),
    }
)


def is_failing(diagnostics: Iterable[Diagnostic], fail_on: FailOn) -> bool:
    """Tell whether any of *diagnostics* is as grave as *fail_on* says; information alone never fails a command."""
    failing = _FAILING[fail_on]
    return any(diagnostic.severity in failing for diagnostic in diagnostics)
