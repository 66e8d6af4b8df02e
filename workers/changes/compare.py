"""The one function that compares two runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from scanner.diagnostics import CODES
from workers.changes.diagnostics import diagnostic_changes
from workers.changes.moves import moved_files
from workers.changes.packages import package_changes
from workers.changes.records import ArtifactSet, Comparison, Remark, Subject
from workers.changes.surface import surface_changes
from workers.changes.values import as_mapping, differences

_OPTIONS_DIFFER: Final = (
    "The runs had different options, so some changes may come from these and not from the sources."
)
_VERSIONS_DIFFER: Final = "The runs are of different versions of the tool, so some changes may come from it and not from the sources."


def compare_artifacts(before: ArtifactSet, after: ArtifactSet) -> Comparison:
    """Return what changed from one run to another."""
    changes, matched = package_changes(before.packages, after.packages)
    changes += surface_changes(Subject.INTENT, before.intents, after.intents)
    changes += surface_changes(Subject.PLAYBOOK, before.playbooks, after.playbooks)
    moved = moved_files(before, after, matched)
    changes += diagnostic_changes(before.diagnostics, after.diagnostics, moved)
    changes.sort(key=lambda change: change.sort_key)
    return Comparison(tuple(changes), tuple(_remarks(before, after)))


def _remarks(before: ArtifactSet, after: ArtifactSet) -> Iterator[Remark]:
    """Yield what may make things look changed though their sources did not."""
    old, new = (as_mapping(artifacts.index.get("options")) for artifacts in (before, after))
    options = [key for key, _, _ in differences(old, new)]
    if options:
        yield Remark(_OPTIONS_DIFFER, tuple(options))
    if any(before.index.get(key) != after.index.get(key) for key in ("tool", "grammars")):
        yield Remark(_VERSIONS_DIFFER)
    for artifacts, name in ((before, "older"), (after, "newer")):
        if artifacts.altered:
            yield Remark(f"Artifacts of the {name} run were changed after it.", artifacts.altered)
        if any(item.code in CODES and CODES[item.code].is_unscanned for item in artifacts.diagnostics):
            yield Remark(
                f"Some input of the {name} run could not be scanned, so what it declares is missing there; the"
                " diagnostics of that run name it."
            )
