"""Which diagnostics are new and which are gone, wherever they stand in their files now.

Diagnostics are matched by their fingerprints, which know no lines. Those of a file that moved would all look new, so
what is left over is matched again under the path that the file has now, as far as models, declarations and packages
tell where it went.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from scanner.artifacts import diagnostic_entry
from scanner.diagnostics import Diagnostic
from workers.changes.judgement import Judgement, compatible, cosmetic
from workers.changes.records import Action, Change, Subject
from workers.reporting.fingerprints import fingerprinted, without_positions

_ADDED: Final = compatible("It was not there before.")
_REMOVED: Final = compatible("It is no longer there.")
_SEVERITY: Final = compatible("The same finding has another severity.")
_WORDING: Final = cosmetic("The same finding is told in other words.")

Found = Mapping[Diagnostic, str | None]
"""Diagnostics, each with the name of its package."""


def diagnostic_changes(before: Found, after: Found, moved: Callable[[str], str]) -> Iterator[Change]:
    """Yield which diagnostics came, went, or say something else now.

    Args:
        before: Those of the older run.
        after: Those of the newer run.
        moved: Gives the path that a file of the older run has in the newer one.
    """
    pairs, old, new = _matched(before, after, lambda path: path)
    moved_pairs, old, new = _matched(old, new, moved)
    for gone in old:
        yield _change(Action.REMOVED, _REMOVED, gone, before[gone], before=diagnostic_entry(gone))
    for come in new:
        yield _change(Action.ADDED, _ADDED, come, after[come], after=diagnostic_entry(come))
    for was, is_now in (*pairs, *moved_pairs):
        yield from _differences(was, is_now, after[is_now])


def _matched(
    before: Iterable[Diagnostic], after: Iterable[Diagnostic], moved: Callable[[str], str]
) -> tuple[list[tuple[Diagnostic, Diagnostic]], list[Diagnostic], list[Diagnostic]]:
    """Pair diagnostics by fingerprint; return the pairs and what is left over on both sides."""
    originals: dict[Diagnostic, list[Diagnostic]] = defaultdict(list)
    for diagnostic in before:
        originals[replace(diagnostic, file_path=moved(diagnostic.file_path))].append(diagnostic)
    translated = (item for item, sources in originals.items() for _ in sources)
    old = {item.fingerprint: originals[item.diagnostic].pop(0) for item in fingerprinted(translated)}
    new = {item.fingerprint: item.diagnostic for item in fingerprinted(after)}
    pairs = [(old[name], new[name]) for name in old if name in new]
    gone = [diagnostic for name, diagnostic in old.items() if name not in new]
    return pairs, gone, [diagnostic for name, diagnostic in new.items() if name not in old]


def _differences(before: Diagnostic, after: Diagnostic, package: str | None) -> Iterator[Change]:
    if before.severity is not after.severity:
        values = {"before": before.severity.value, "after": after.severity.value}
        yield _change(Action.CHANGED, _SEVERITY, after, package, aspect="severity", **values)
    for aspect, old, new in (
        ("message", before.message, after.message),
        ("hint", before.hint or "", after.hint or ""),
    ):
        if without_positions(old) != without_positions(new):
            values = {"before": old, "after": new}
            yield _change(Action.CHANGED, _WORDING, after, package, aspect=aspect, **values)


def _change(
    action: Action, judgement: Judgement, diagnostic: Diagnostic, package: str | None, **details: Any
) -> Change:
    return Change(
        Subject.DIAGNOSTIC,
        action,
        judgement.impact,
        judgement.reason,
        package,
        diagnostic.code,
        diagnostic.file_path,
        **details,
    )
