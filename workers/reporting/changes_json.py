"""Changes between two runs as a JSON document; its schema is `diff`."""

from __future__ import annotations

from typing import Any, Final

from scanner.artifacts import FORMAT_VERSION
from scanner.serialization import JsonValue, to_json, without_absent
from workers.changes.records import ABSENT, Change, Comparison, Subject
from workers.reporting.change_wording import IMPACTS, exposure_counts

_VALUES: Final = ("before", "after")


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
    told = without_absent(
        {
            "impact": change.impact.value,
            "subject": change.subject.value,
            "action": change.action.value,
            "package": change.package,
            "name": None if change.subject is Subject.PACKAGE else change.name,
            "member": change.member,
            "aspect": change.aspect,
        }
    )
    values: dict[str, Any] = {
        key: getattr(change, key) for key in _VALUES if getattr(change, key) is not ABSENT
    }
    exposure = {} if change.exposure is None else {"exposure": change.exposure.value}
    actions = {"actions": list(change.actions)} if change.actions else {}
    return {**told, **values, **exposure, **actions, "reason": change.reason}
