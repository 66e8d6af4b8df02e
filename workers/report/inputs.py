"""Reading what the report page is made of: a run's artifacts, the run before it, and figures of kept runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from scanner.artifacts import INDEX_FILE, digest
from scanner.serialization import decode_document
from workers.artifact_sets import ArtifactSource, read_artifacts
from workers.changes.records import ArtifactSet
from workers.changes.values import as_mapping
from workers.errors import UsageError
from workers.history import RUN_FILE, History
from workers.history_references import KeptRun, open_run
from workers.lineages.reading import has_lineages, read_lineages
from workers.lineages.records import PackageLineage
from workers.reporting.wording import visible

CLASSES_FILE: Final = "classes.ndjson"
MAX_TREND_RUNS: Final = 90
"""Most kept runs that the trends show; the newest ones are taken."""


@dataclass(frozen=True, slots=True)
class ReportedRun:
    """Everything that one run wrote and the page shows.

    Attributes:
        artifacts: What every run writes.
        figures: `run.json`.
        records: The raw record of every class in the order of `classes.ndjson`; None when the run wrote none.
        lineages: The lineage of every package in the order of these; None when the run wrote none.
    """

    artifacts: ArtifactSet
    figures: Mapping[str, Any]
    records: tuple[Mapping[str, Any], ...] | None
    lineages: tuple[PackageLineage, ...] | None = None


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """One kept run among the trends.

    Attributes:
        name: Its name in the history: the time in UTC at which it began.
        index: Its `index.json`.
        figures: Its `run.json`.
    """

    name: str
    index: Mapping[str, Any]
    figures: Mapping[str, Any]


def read_run(source: ArtifactSource) -> ReportedRun:
    """Read everything that one run wrote and the page shows.

    Raises:
        UsageError: Something is missing, damaged, or of a format that this version does not read.
    """
    artifacts = read_artifacts(source)
    figures = _object(source, RUN_FILE)
    lineages: list[PackageLineage] | None = None
    altered: list[str] = []
    if has_lineages(artifacts.index):
        lineages, altered = read_lineages(source, artifacts.index)
    records = _records(source, artifacts.index, altered)
    artifacts = replace(artifacts, altered=(*artifacts.altered, *altered))
    return ReportedRun(artifacts, figures, records, None if lineages is None else tuple(lineages))


def _records(
    source: ArtifactSource, index: Mapping[str, Any], altered: list[str]
) -> tuple[Mapping[str, Any], ...] | None:
    """Return the raw record of every class, if the run wrote these, and note whether they are as the index says."""
    stated = as_mapping(index.get("artifacts")).get(CLASSES_FILE)
    if stated is None:
        return None
    data = source.read(CLASSES_FILE)
    if as_mapping(stated).get("sha256") != digest(data):
        altered.append(CLASSES_FILE)
    lines = data.splitlines() if data else []
    return tuple(
        _decoded(source, line, f"{CLASSES_FILE}, line {number},") for number, line in enumerate(lines, 1)
    )


def read_trends(history: History, names: list[str]) -> tuple[TrendPoint, ...]:
    """Read the figures of kept runs, the oldest first.

    Args:
        history: Where they are kept; it has to be held open for reading.
        names: Names of the runs, the oldest first.

    Raises:
        UsageError: The history is damaged.
    """
    runs = [open_run(history, name) for name in names[-MAX_TREND_RUNS:]]
    return tuple(TrendPoint(run.name, _object(run, INDEX_FILE), _object(run, RUN_FILE)) for run in runs)


def position_in(history: History, source: ArtifactSource) -> tuple[int | None, list[str]]:
    """Return which of the kept runs a source holds, None for none of them, and the names of all, the oldest first.

    A directory holds a kept run when its `run.json` is the one that was kept.

    Raises:
        UsageError: The history is damaged.
    """
    names = history.names()
    if isinstance(source, KeptRun):
        return names.index(source.name), names
    own = digest(source.read(RUN_FILE))
    # The newest runs stand last, and a directory nearly always holds one of these.
    for position in range(len(names) - 1, -1, -1):
        if open_run(history, names[position]).digests[RUN_FILE] == own:
            return position, names
    return None, names


def _object(source: ArtifactSource, name: str) -> Mapping[str, Any]:
    return _decoded(source, source.read(name), name)


def _decoded(source: ArtifactSource, data: bytes, name: str) -> Mapping[str, Any]:
    try:
        content = decode_document(data)
    except ValueError as error:
        raise UsageError(
            visible(f"{source.label}: {name} is damaged: {error}. Run the scan again.")
        ) from error
    if not isinstance(content, dict):
        raise UsageError(
            visible(f"{source.label}: {name} is damaged: it is no JSON object. Run the scan again.")
        )
    return content
