"""What changed in intents and playbooks: what agents can ask for, where, and with which effect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from workers.changes.judgement import (
    UNKNOWN,
    AspectChange,
    Judgement,
    Rule,
    always,
    breaking,
    compatible,
    cosmetic,
    switch,
)
from workers.changes.records import Action, Change, Exposure, Subject
from workers.changes.values import differences, is_extended

_EFFECTS: Final = ("read", "write", "destructive")


def _effect(before: Any, after: Any) -> Judgement:
    if before not in _EFFECTS or after not in _EFFECTS:
        return UNKNOWN(before, after)
    if _EFFECTS.index(after) > _EFFECTS.index(before):
        return breaking("It does more to data than before.", Exposure.OPENED)
    return compatible("It does less to data than before.", Exposure.CLOSED)


def _steps(before: Any, after: Any) -> Judgement:
    if is_extended(before, after):
        return compatible("All earlier steps are still taken, in their order.")
    return breaking("Steps are gone, different or in another order.")


def _plane_changes(before: Any, after: Any) -> Iterator[AspectChange]:
    """Yield the planes that were opened and those that were closed, since both may happen at once."""
    if not isinstance(before, list) or not isinstance(after, list):
        yield "planes", before, after, UNKNOWN(before, after)
        return
    is_opened = any(plane not in before for plane in after)
    is_closed = any(plane not in after for plane in before)
    if is_opened:
        judgement = breaking("It can run where it could not before.", Exposure.OPENED)
        yield "planes", before, after, judgement
    if is_closed:
        yield "planes", before, after, breaking("It no longer runs where it did.", Exposure.CLOSED)
    if not is_opened and not is_closed:
        yield "planes", before, after, cosmetic("The same planes are stated in another way.")


_PEOPLE: Final = always(cosmetic("It is for people and agents to read."))
_RULES: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        "description": _PEOPLE,
        "title": _PEOPLE,
        "capability.effect": _effect,
        "capability.idempotent": switch(
            gained=compatible("Doing it twice is now the same as doing it once."),
            lost=breaking("Doing it twice is no longer the same as doing it once."),
        ),
        "capability.openWorld": switch(
            gained=breaking("It now reaches beyond the page and its server.", Exposure.OPENED),
            lost=compatible("It no longer reaches beyond the page and its server.", Exposure.CLOSED),
        ),
        "target": always(breaking("It acts on something else.")),
        "hasInputSchema": switch(
            gained=breaking("Its input now has to keep to a form."),
            lost=breaking("It no longer says which input it takes."),
        ),
        "steps": _steps,
        "planesDeclared": always(cosmetic("The planes are stated in another way.")),
        "onStepFailure": always(breaking("What follows a failed step is different.")),
        "enabled": switch(
            gained=breaking("It can now be run.", Exposure.OPENED),
            lost=breaking("It can no longer be run.", Exposure.CLOSED),
        ),
    }
)


def surface_changes(
    subject: Subject, before: Mapping[str, Mapping[str, Any]], after: Mapping[str, Mapping[str, Any]]
) -> Iterator[Change]:
    """Yield what changed among the intents or the playbooks of a surface, each known by its id or key.

    The path of a declaration's source is no part of it.
    """
    for name in before.keys() - after.keys():
        judgement = breaking("Agents that ask for it fail.", Exposure.CLOSED)
        yield _change(subject, Action.REMOVED, judgement, name, before=before[name])
    for name in after.keys() - before.keys():
        judgement = compatible("It is new: agents can ask for it.", Exposure.OPENED)
        yield _change(subject, Action.ADDED, judgement, name, after=after[name])
    for name in before.keys() & after.keys():
        for aspect, old, new, judgement in _declaration_changes(before[name], after[name]):
            yield _change(subject, Action.CHANGED, judgement, name, aspect=aspect, before=old, after=new)


def _declaration_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[AspectChange]:
    for key, old, new in differences(before, after):
        if key == "planes":
            yield from _plane_changes(old, new)
        elif key == "capability" and isinstance(old, dict) and isinstance(new, dict):
            for part, was, is_now in differences(old, new):
                aspect = f"{key}.{part}"
                yield aspect, was, is_now, _RULES.get(aspect, UNKNOWN)(was, is_now)
        elif key != "filePath":
            yield key, old, new, _RULES.get(key, UNKNOWN)(old, new)


def _change(subject: Subject, action: Action, judgement: Judgement, name: str, **details: Any) -> Change:
    return Change(
        subject,
        action,
        judgement.impact,
        judgement.reason,
        name=name,
        exposure=judgement.exposure,
        **details,
    )
