"""What the scanner has to say to people: one record, a closed set of codes, three severities.

Every input that does not reach an artifact is named by a diagnostic. The table :data:`CODES` is the one place
that knows which codes exist, how grave each is and whether it means that input could not be scanned.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final

from scanner.plain_records import PlainRecord


class Severity(Enum):
    """How grave a diagnostic is."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class CodeRule:
    """What a diagnostic code means.

    Attributes:
        severity: Gravity that diagnostics of this code have unless they say otherwise.
        summary: One sentence for the table of codes.
        is_unscanned: Whether the named input could not be read at all (exit-code bit 4).
    """

    severity: Severity
    summary: str
    is_unscanned: bool = False


CODES: Final = MappingProxyType(
    {
        "syntax-error": CodeRule(
            Severity.ERROR, "The source breaks the grammar; what stands around it is still read."
        ),
        "unresolved-config": CodeRule(
            Severity.ERROR,
            "A decorator config holds something that is no literal, so its value is not known.",
        ),
        "empty-config-key": CodeRule(
            Severity.WARNING,
            "A decorator config has an entry whose key is the empty string; it was left out.",
        ),
        "unreadable-options": CodeRule(
            Severity.WARNING,
            "Field decorator options or a static property could not be read and were left out.",
        ),
        "unreadable-relation": CodeRule(
            Severity.WARNING, "A relationship names its target by an expression that has no plain name."
        ),
        "duplicate-class": CodeRule(
            Severity.ERROR, "Two classes of one package share a name; one of them was kept."
        ),
        "ambiguous-type": CodeRule(
            Severity.WARNING, "A field's type fits several type aliases that differ, and no import decides."
        ),
        "ambiguous-parent": CodeRule(
            Severity.WARNING, "A base class name fits several classes and no import decides."
        ),
        "chain-too-deep": CodeRule(Severity.ERROR, "A class has more ancestors than the scanner follows."),
        "numeric-precision": CodeRule(
            Severity.WARNING, "A money or rate field has a default whose decimal point contradicts its name."
        ),
        "non-literal-argument": CodeRule(
            Severity.WARNING,
            "A helper call's argument is no object literal of literals; nothing was declared.",
        ),
        "not-module-scope": CodeRule(
            Severity.WARNING,
            "A helper is called elsewhere than directly at module scope; nothing was declared.",
        ),
        "argument-count": CodeRule(
            Severity.WARNING, "A helper call has not exactly one argument; nothing was declared."
        ),
        "incomplete-declaration": CodeRule(
            Severity.WARNING, "An intent or playbook lacks something that it needs; it was left out."
        ),
        "invalid-identity": CodeRule(
            Severity.WARNING,
            "An intent or playbook is one that its helper refuses at run time; it was left out.",
        ),
        "svelte-declaration": CodeRule(
            Severity.WARNING, "A helper is called in a Svelte component, where declarations are not read."
        ),
        "duplicate-identity": CodeRule(
            Severity.WARNING, "Two declarations share an identity or a tool name; one of them was kept."
        ),
        "tool-name-collision": CodeRule(
            Severity.WARNING,
            "An intent's tool name may be registered by a model or a UI tool too; it was kept.",
        ),
        "nesting-too-deep": CodeRule(
            Severity.WARNING, "A type or literal is nested deeper than the scanner reads."
        ),
        "invalid-encoding": CodeRule(
            Severity.WARNING, "The file is not valid UTF-8; bad bytes were read as U+FFFD."
        ),
        "nul-bytes": CodeRule(Severity.WARNING, "The file holds NUL bytes; they were read as blanks."),
        "file-binary": CodeRule(Severity.ERROR, "The file is binary and was not scanned.", is_unscanned=True),
        "file-unreadable": CodeRule(
            Severity.ERROR, "The file could not be opened or read.", is_unscanned=True
        ),
        "file-vanished": CodeRule(
            Severity.ERROR, "The file was gone when it was to be read.", is_unscanned=True
        ),
        "file-too-large": CodeRule(Severity.ERROR, "The file is larger than the limit.", is_unscanned=True),
        "scan-crash": CodeRule(
            Severity.ERROR, "Every worker that scanned the file died, so it is missing.", is_unscanned=True
        ),
        "scan-timeout": CodeRule(
            Severity.ERROR,
            "Scanning the file took longer than the limit, so it is missing.",
            is_unscanned=True,
        ),
        "not-a-regular-file": CodeRule(
            Severity.WARNING,
            "A FIFO, socket, device or broken link has a source file's name.",
            is_unscanned=True,
        ),
        "directory-unreadable": CodeRule(
            Severity.ERROR, "A directory could not be listed; files below it are missing.", is_unscanned=True
        ),
        "symlink-loop": CodeRule(Severity.WARNING, "A symbolic link leads back to a directory above it."),
        "duplicate-package": CodeRule(
            Severity.ERROR, "Two packages have one name, so imports of it may lead to the wrong one."
        ),
        "invalid-tsconfig": CodeRule(
            Severity.WARNING, "A tsconfig.json that maps imports could not be used as a whole."
        ),
        "invalid-manifest": CodeRule(
            Severity.WARNING, "The manifest that an installed package publishes could not be used."
        ),
        "invalid-package-json": CodeRule(Severity.WARNING, "A package.json could not be read as JSON."),
        "invalid-workspaces": CodeRule(
            Severity.WARNING, "A list of workspaces could not be read as a whole."
        ),
        "unmatched-workspace-pattern": CodeRule(
            Severity.INFO, "A pattern of workspaces fits no directory with a package.json."
        ),
        "outside-workspaces": CodeRule(
            Severity.INFO, "A package is below a workspace whose patterns do not take it in."
        ),
    }
)


@dataclass(frozen=True, slots=True)
class Diagnostic(PlainRecord):
    """One message about one place.

    Attributes:
        code: A key of :data:`CODES`.
        severity: How grave it is here.
        file_path: Path relative to the scan root with ``/`` separators; empty when no file is meant.
        line: 1-based line, or None when the whole file is meant.
        column: 1-based column in UTF-16 units, or None.
        message: What is wrong, in one or two sentences.
        hint: What to do about it.
        expression: The source text concerned, where there is one.
        decorator: The decorator concerned, written ``@name()``.
    """

    code: str
    severity: Severity
    file_path: str
    line: int | None
    column: int | None
    message: str
    hint: str | None = None
    expression: str | None = None
    decorator: str | None = None

    @property
    def sort_key(self) -> tuple[str, int, int, str, str]:
        """Path, line, column, code, message: the order of diagnostics in every artifact."""
        return (self.file_path, self.line or 0, self.column or 0, self.code, self.message)


def diagnose(
    code: str, file_path: str, message: str, *, hint: str | None = None, severity: Severity | None = None
) -> Diagnostic:
    """Make a diagnostic about a whole file, with its code's own severity unless another is given."""
    return Diagnostic(code, severity or CODES[code].severity, file_path, None, None, message, hint)
