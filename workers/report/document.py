"""The data of the report page: a pure function from what was read to one JSON document.

Every text in it is safe to show: what would move a cursor, reorder text or break a line is written as an escape.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from scanner.diagnostics import CODES
from scanner.serialization import JsonValue, without_absent
from workers.changes import Change, Comparison
from workers.changes.records import Subject
from workers.changes.values import as_mapping
from workers.report.classes import class_entries, list_classes
from workers.report.figures import run_entry, totals_entry, trend_entries
from workers.report.findings import SourceReader, code_entries, files_in_doubt, finding_entries
from workers.report.inputs import ReportedRun, TrendPoint
from workers.report.lineage import Lineage, ListedClass
from workers.reporting.change_wording import IMPACTS, Phrase, exposure_counts, grouped, phrase, remark_phrase
from workers.reporting.wording import one_line

_OF_CLASSES: Final = frozenset({Subject.CLASS, Subject.FIELD, Subject.METHOD})
_ALTERED: Final = "Artifacts of this run were changed after it, so the page may not show what the run found:"
_UNSCANNED: Final = (
    "Some input could not be scanned, so what it declares is missing on this page. The findings name it."
)
_NO_RECORDS: Final = (
    "The run did not record which classes have @smrt() (--depth full does), so base classes without it are counted"
    " among the models and shown as open."
)
_NO_LINEAGES: Final = (
    "The version that wrote the run did not record which class each class extends, so origins are missing."
)


@dataclass(frozen=True, slots=True)
class ReportInput:
    """What a page is made of.

    Attributes:
        run: The run that it shows.
        comparison: What changed since an earlier run; None when there is none to compare with.
        earlier: Which run that is, in words; its `startedAt` is that of its `run.json`.
        trends: Kept runs, the oldest first, the shown run the last if it is kept.
    """

    run: ReportedRun
    comparison: Comparison | None = None
    earlier: ReportedRun | None = None
    trends: tuple[TrendPoint, ...] = ()


def report_document(given: ReportInput, read_source: SourceReader) -> JsonValue:
    """Return the data of the page.

    Args:
        given: What was read.
        read_source: Gives sources for the excerpts of diagnostics.
    """
    run, artifacts = given.run, given.run.artifacts
    classes = list_classes(run)
    document: dict[str, JsonValue] = {
        "tool": dict(as_mapping(artifacts.index.get("tool"))),
        "totals": totals_entry(artifacts.index),
        "remarks": [*_remarks(run)],
        "packages": _package_entries(run),
        "classes": class_entries(Lineage(classes, run.lineages or ()), files_in_doubt(artifacts.diagnostics)),
        "intents": [dict(item) for item in artifacts.intents.values()],
        "playbooks": [dict(item) for item in artifacts.playbooks.values()],
        "findings": finding_entries(artifacts.diagnostics, read_source),
        "codes": code_entries(artifacts.diagnostics),
        "changes": _changes(given, classes),
        "trends": trend_entries(given.trends),
        "run": run_entry(run.figures),
    }
    safe: JsonValue = shown(document)
    return safe


def shown(value: Any) -> Any:
    """Return JSON data with every text in it safe to show on one line."""
    if isinstance(value, str):
        return one_line(value)
    if isinstance(value, list):
        return [shown(item) for item in value]
    if isinstance(value, dict):
        return {one_line(key): shown(item) for key, item in value.items()}
    return value


def _remarks(run: ReportedRun) -> Sequence[str]:
    """Return what a reader has to know before anything else."""
    artifacts = run.artifacts
    found = []
    if artifacts.altered:
        found.append(f"{_ALTERED} {', '.join(artifacts.altered)}.")
    if any(item.code in CODES and CODES[item.code].is_unscanned for item in artifacts.diagnostics):
        found.append(_UNSCANNED)
    if run.records is None:
        found.append(_NO_RECORDS)
    if run.lineages is None:
        found.append(_NO_LINEAGES)
    return found


def _package_entries(run: ReportedRun) -> list[JsonValue]:
    stated = run.artifacts.index["packages"]
    return [
        {
            "name": package.name,
            "directory": package.directory,
            "version": as_mapping(entry).get("version"),
            **totals_entry({"totals": entry}),
        }
        for package, entry in zip(run.artifacts.packages, stated, strict=True)
    ]


def _changes(given: ReportInput, classes: Sequence[ListedClass]) -> JsonValue:
    if given.comparison is None or given.earlier is None:
        return None
    comparison, packages = given.comparison, given.run.artifacts.packages
    places = {
        (None if item.package is None else packages[item.package].name, item.name): number
        for number, item in enumerate(classes)
        if item.is_in_manifest
    }
    started = given.earlier.figures.get("startedAt")
    return {
        "since": started if isinstance(started, str) else None,
        "totals": totals_entry(given.earlier.artifacts.index),
        "counts": {impact.value: len(comparison.of_impact(impact)) for impact in IMPACTS},
        "exposures": {kind.value: number for kind, number in exposure_counts(comparison.changes).items()},
        "remarks": [_words(remark_phrase(remark)) for remark in comparison.remarks],
        "groups": [
            {
                "section": section.text,
                "title": None if group.title is None else group.title.text,
                "changes": [_change(change, places) for change in group.changes],
            }
            for section, groups in grouped(comparison.changes)
            for group in groups
        ],
    }


def _change(change: Change, places: Mapping[tuple[str | None, str], int]) -> JsonValue:
    told: dict[str, JsonValue] = {
        "impact": change.impact.value,
        "exposure": None if change.exposure is None else change.exposure.value,
        "words": _words(phrase(change)),
        "reason": change.reason,
        "class": places.get((change.package, change.name)) if change.subject in _OF_CLASSES else None,
    }
    return without_absent(told)


def _words(words: Phrase) -> JsonValue:
    """Return a phrase as texts that are plain and quoted by turns: a pair each."""
    return [[word.text, word.is_quoted] for word in words]
