"""Many sources' agent surfaces as one, whatever the order and the grouping in which they arrive.

A surface holds each identity once: an intent's id with the tool name that it makes, a playbook's key. Of several
declarations the one in the smaller path stays; in one source the smaller id, then the earlier call. The others become
``duplicate-identity`` remarks that carry the entry they speak of. A later merge weighs these entries again, so that
merging parts and then the parts' results is the same as merging everything at once (spec, "Deterministic identity").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from scanner.surface.identity import diagnostic_order, tool_name, utf16_order
from scanner.surface.records import AgentSurface, Entry, Intent, Playbook, SurfaceDiagnostic
from scanner.surface.wording import remark, shown

_EntryT = TypeVar("_EntryT", Intent, Playbook)


def merge_agent_surfaces(surfaces: Iterable[AgentSurface]) -> AgentSurface:
    """Merge the surfaces of sources, merged ones among them.

    Args:
        surfaces: Surfaces in any order and number; each source's must be in one of them.

    Returns:
        Intents by id, playbooks by key, remarks by path, line, column, code and message; remarks about an identity have
        no line and come first in their path.
    """
    intents: list[Intent] = []
    playbooks: list[Playbook] = []
    remarks: list[SurfaceDiagnostic] = []
    for surface in surfaces:
        intents.extend(surface.intents)
        playbooks.extend(surface.playbooks)
        for diagnostic in surface.diagnostics:
            if isinstance(diagnostic.superseded, Intent):
                intents.append(diagnostic.superseded)
            elif isinstance(diagnostic.superseded, Playbook):
                playbooks.append(diagnostic.superseded)
            else:
                remarks.append(diagnostic)
    kept_intents = _settle(intents, lambda intent: tool_name(intent.id), remarks)
    kept_playbooks = _settle(playbooks, lambda playbook: playbook.key, remarks)
    return AgentSurface(kept_intents, kept_playbooks, tuple(sorted(remarks, key=diagnostic_order)))


def _settle(
    entries: list[_EntryT], claim: Callable[[_EntryT], str], remarks: list[SurfaceDiagnostic]
) -> tuple[_EntryT, ...]:
    """Return the first entry of each claim, sorted by identity, and add a remark for every other entry."""
    kept: dict[str, _EntryT] = {}
    for entry in sorted(entries, key=_precedence):
        winner = kept.setdefault(claim(entry), entry)
        if winner is not entry:
            remarks.append(_duplicate(entry, winner))
    return tuple(sorted(kept.values(), key=lambda entry: utf16_order(entry.identity)))


def _precedence(entry: Entry) -> tuple[bytes, bytes, int, int]:
    return (utf16_order(entry.file_path), utf16_order(entry.identity), entry.line, entry.column)


def _duplicate(entry: Entry, winner: Entry) -> SurfaceDiagnostic:
    # The identity comes first, since remarks without a place are in the order of their texts.
    winner_place = f"{winner.file_path}, line {winner.line}"
    if entry.identity == winner.identity:
        problem = (
            f'"{shown(entry.identity)}" on line {entry.line} is left out: {winner_place} declares it as well'
        )
        remedy = "Remove one of the two, or give it a name of its own"
    else:
        problem = (
            f'"{entry.identity}" on line {entry.line} is left out: as a tool it is called `{tool_name(entry.identity)}`,'
            f' and so is "{winner.identity}" in {winner_place}'
        )
        remedy = "Give one of the two an id that differs in more than dots and underscores"
    return SurfaceDiagnostic(
        "duplicate-identity",
        entry.helper,
        entry.file_path,
        None,
        None,
        remark(problem, remedy),
        superseded=entry,
    )
