"""Changes between two runs as a JSON document; its schema is `diff`."""

from __future__ import annotations

from typing import Final

from scanner.artifacts import FORMAT_VERSION
from scanner.js.values import UNDEFINED
from scanner.serialization import JsonValue, to_json
from workers.changes.records import Change, Comparison, Subject
from workers.reporting.change_wording import IMPACTS, exposure_counts

_OPTIONAL: Final = ("package", "member", "aspect", "exposure")


def changes_document(comparison: Comparison) -> JsonValue:
    """Return what changed as JSON data, every change in order."""
    return {
        "formatVersion": FORMAT_VERSION,
        "counts": {impact.value: len(comparison.of_impact(impact)) for impact in IMPACTS},
        "surfaces": {kind.value: number for kind, number in exposure_counts(comparison.changes).items()},
        "remarks": [to_json(remark) for remark in comparison.remarks],
        "changes": [_entry(change) for change in comparison.changes],
    }


def _entry(change: Change) -> JsonValue:
    """Return one change; what there is nothing to say about is left out, while null is a value."""
    known = {key: UNDEFINED if getattr(change, key) is None else getattr(change, key) for key in _OPTIONAL}
    return to_json(
        {
            "impact": change.impact,
            "subject": change.subject,
            "action": change.action,
            "package": known["package"],
            "name": UNDEFINED if change.subject is Subject.PACKAGE else change.name,
            "member": known["member"],
            "aspect": known["aspect"],
            "before": change.before,
            "after": change.after,
            "exposure": known["exposure"],
            "actions": change.actions or UNDEFINED,
            "reason": change.reason,
        }
    )
