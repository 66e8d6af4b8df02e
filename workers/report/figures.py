"""Figures of runs for the page's charts. Whatever is no number in `run.json` is left out, never guessed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from scanner.serialization import JsonValue, without_absent
from workers.changes.values import as_mapping, is_number
from workers.report.inputs import TrendPoint

_TOTALS: Final = ("packages", "files", "classes", "models", "intents", "playbooks")
_SEVERITIES: Final = ("error", "warning", "info")
_NUMBERS: Final = (
    "workers",
    "shards",
    "lostShards",
    "retriedShards",
    "files",
    "sourceBytes",
    "artifactBytes",
)
_TEXTS: Final = ("startedAt", "backend", "python", "platform")
_MAPS: Final = ("phases", "driverProcessorSeconds", "work", "cache")


def totals_entry(index: Mapping[str, Any]) -> dict[str, JsonValue]:
    """Return what a run found, in numbers."""
    totals = as_mapping(index.get("totals"))
    found = as_mapping(totals.get("diagnostics"))
    return {**_numbers(totals, _TOTALS), **_numbers(found, _SEVERITIES)}


def run_entry(figures: Mapping[str, Any]) -> JsonValue:
    """Return what a run measured about itself."""
    memory = as_mapping(figures.get("peakMemoryBytes"))
    workers = memory.get("workers")
    told: dict[str, JsonValue] = {
        **{key: figures[key] for key in _TEXTS if isinstance(figures.get(key), str)},
        **_numbers(figures, ("seconds", "megabytesPerSecond", *_NUMBERS)),
        **{key: _numbers(as_mapping(figures.get(key))) for key in _MAPS if figures.get(key)},
        "shardSeconds": _sound(figures.get("shardSeconds")),
        "peakMemory": [*_sound([memory.get("driver")]), *_sound(workers)],
    }
    return told


def trend_entries(points: Sequence[TrendPoint]) -> list[JsonValue]:
    """Return what kept runs found and took, the oldest first."""
    return [
        without_absent(
            {"name": point.name, **totals_entry(point.index), **_numbers(point.figures, ("seconds",))}
        )
        for point in points
    ]


def _numbers(holder: Mapping[str, Any], keys: Sequence[str] | None = None) -> dict[str, JsonValue]:
    wanted = holder if keys is None else keys
    return {key: holder[key] for key in wanted if _is_sound(holder.get(key))}


def _sound(values: Any) -> list[JsonValue]:
    return [value for value in values if _is_sound(value)] if isinstance(values, list) else []


def _is_sound(value: Any) -> bool:
    return is_number(value) and math.isfinite(value) and value >= 0
