"""Money and rate fields whose default contradicts their name (spec section 5).

Money is kept as whole minor units, so a decimal point in its default is a finding; a rate is a fraction, so a
default without one is. Names decide: any rate word makes a rate; a money word counts only as the name's head noun.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from scanner.diagnostics import Diagnostic, Severity
from scanner.manifest.field_options import argument, states_type_or_transient
from scanner.records import FileScan, ImportForm, RawClass, RawField

RATE_WORDS: Final = frozenset({"confidence", "credibility", "probability", "rate", "ratio"})
MONEY_WORDS: Final = frozenset(
    {"amount", "balance", "cost", "discount", "due", "fee", "paid", "price", "subtotal", "tax", "total"}
)
TRAILING_QUALIFIERS: Final = frozenset(
    {
        *("applied", "billed", "charged", "collected", "earned", "gross", "net"),
        *("outstanding", "owed", "refunded", "remaining"),
    }
)
PERSISTED_BASES: Final = frozenset(
    {"SmrtObject", "SmrtJunction", "SmrtHierarchical", "SmrtPolymorphicAssociation"}
)
_EXEMPTING_DECORATORS: Final = frozenset(
    {"meta", "foreignKey", "crossPackageRef", "oneToMany", "manyToMany", "tenantId"}
)
_NUMERIC_ANNOTATIONS: Final = frozenset({"number", "number | null"})
_HUMP: Final = re.compile(r"(?<=[^A-Z_$])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_$]+")


class NumericKind(Enum):
    """What a numeric field's name says it holds."""

    MONEY = "money"
    RATE = "rate"


@dataclass(frozen=True, slots=True)
class NumericPrecisionFinding:
    """A field whose default contradicts its name."""

    kind: NumericKind
    class_name: str
    field_name: str
    file_path: str
    line: int
    column: int
    initializer: str


def classify_numeric_field_name(name: str) -> NumericKind | None:
    """Tell whether a field name speaks of money, of a rate, or of neither.

    ``taxRate`` is a rate though ``tax`` is money; ``amountCents`` and ``totalTokens`` are neither.
    """
    words = [word.lower() for word in _HUMP.split(name) if word]
    if any(word in RATE_WORDS for word in words):
        return NumericKind.RATE
    while words and words[-1] in TRAILING_QUALIFIERS:
        words.pop()
    return NumericKind.MONEY if words and words[-1] in MONEY_WORDS else None


def source_may_contain_numeric_precision_issue(source: bytes | str) -> bool:
    """Tell cheaply whether a source could give a finding; False is a proof, True is not.

    A finding needs one of the words in a field name. Names may be written with unicode escapes, so a source with an
    escape in it is never ruled out.
    """
    lowered = (source.encode("utf-8", "replace") if isinstance(source, str) else source).lower()
    return b"\\u" in lowered or any(word in lowered for word in _WORD_BYTES)


_WORD_BYTES: Final = tuple(word.encode() for word in sorted(RATE_WORDS | MONEY_WORDS))


def lint_numeric_precision(scans: Iterable[FileScan]) -> tuple[NumericPrecisionFinding, ...]:
    """Return the findings of all persisted classes, in path order, then source order."""
    ordered = sorted(scans, key=lambda scan: scan.file_path)
    return tuple(
        finding
        for scan in ordered
        for raw in scan.classes
        if _is_persisted(raw, scan)
        for field in raw.fields
        for finding in _findings(raw, field)
    )


def _is_persisted(raw: RawClass, scan: FileScan) -> bool:
    """Tell whether a class has a table: decorated, or a direct child of a persisted base (spec D15 for namespaces)."""
    if raw.has_smart_decorator or raw.extends_clause in PERSISTED_BASES:
        return True
    owner, _, member = (raw.parent_name or "").partition(".")
    namespaces = {binding.local for binding in scan.imports if binding.form is ImportForm.NAMESPACE}
    return member in PERSISTED_BASES and owner in namespaces


def _findings(raw: RawClass, field: RawField) -> Iterator[NumericPrecisionFinding]:
    if field.is_static or field.numeric_value is None or field.initializer is None:
        return
    kind = classify_numeric_field_name(field.name)
    if kind is None:
        return
    annotation = None if field.type_annotation is None else field.type_annotation.text
    if annotation is not None and annotation not in _NUMERIC_ANNOTATIONS:
        return
    contradicts = field.has_decimal_point if kind is NumericKind.MONEY else not field.has_decimal_point
    if contradicts and not _is_exempt(field):
        yield NumericPrecisionFinding(
            kind, raw.class_name, field.name, raw.file_path, field.line, field.column, field.initializer
        )


def _is_exempt(field: RawField) -> bool:
    return any(
        use.name in _EXEMPTING_DECORATORS
        or (use.name == "field" and states_type_or_transient(argument(use, 0)))
        for use in field.decorators
    )


def finding_diagnostic(finding: NumericPrecisionFinding) -> Diagnostic:
    """Word a finding as a diagnostic."""
    if finding.kind is NumericKind.MONEY:
        message = f"{finding.class_name}.{finding.field_name} names money, but its default {finding.initializer} is a decimal."
        hint = "Keep money in whole minor units (0), or state the type with @field({ type })."
    else:
        message = f"{finding.class_name}.{finding.field_name} names a rate, but its default {finding.initializer} is whole."
        hint = "Give the default a decimal point (0.0), or state the type with @field({ type })."
    return Diagnostic(
        "numeric-precision", Severity.WARNING, finding.file_path, finding.line, finding.column, message, hint
    )
