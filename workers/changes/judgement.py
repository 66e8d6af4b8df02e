"""How much a change matters: small judgements that the rules for fields, methods and classes are made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from scanner.js.values import is_truthy
from workers.changes.records import ABSENT, Exposure, Impact
from workers.changes.values import is_extended, is_number, is_same


@dataclass(frozen=True, slots=True)
class Judgement:
    """How much a change matters, why, and what it does to a surface."""

    impact: Impact
    reason: str
    exposure: Exposure | None = None


Rule: TypeAlias = Callable[[Any, Any], Judgement]
"""Judges a value before and after, which differ; either may be ABSENT."""

AspectChange: TypeAlias = tuple[str, Any, Any, Judgement]
"""What of something changed (a dotted path), the value before and after, and how much that matters."""


def breaking(reason: str, exposure: Exposure | None = None) -> Judgement:
    """Return the judgement that a change breaks something."""
    return Judgement(Impact.BREAKING, reason, exposure)


def compatible(reason: str, exposure: Exposure | None = None) -> Judgement:
    """Return the judgement that a change breaks nothing."""
    return Judgement(Impact.COMPATIBLE, reason, exposure)


def cosmetic(reason: str) -> Judgement:
    """Return the judgement that nothing but looks changed."""
    return Judgement(Impact.COSMETIC, reason)


def always(judgement: Judgement) -> Rule:
    """Return the rule that judges every change alike."""
    return lambda _before, _after: judgement


def is_plain(value: Any) -> bool:
    """Tell whether an option says no more than on or off, or nothing."""
    return value is ABSENT or value is None or isinstance(value, bool)


UNKNOWN: Rule = always(breaking("What depends on this is not known, so it counts as breaking."))
"""The rule for whatever has no rule of its own."""

SAME_MEANING: Final = cosmetic("It is written in another way and means the same.")


def switch(gained: Judgement, lost: Judgement) -> Rule:
    """Return the rule for something that is on or off, by JavaScript's idea of true."""

    def judge(before: Any, after: Any) -> Judgement:
        was, is_now = is_truthy(before), is_truthy(after)
        if was != is_now:
            return gained if is_now else lost
        return SAME_MEANING if is_plain(before) and is_plain(after) else UNKNOWN(before, after)

    return judge


def presence(gained: Judgement, lost: Judgement, changed: Judgement) -> Rule:
    """Return the rule for something that is there or not, whatever its value."""

    def judge(before: Any, after: Any) -> Judgement:
        if before is ABSENT:
            return gained
        return lost if after is ABSENT else changed

    return judge


def bound(*, is_lower: bool) -> Rule:
    """Return the rule for a limit that values have to keep to: a lower or an upper one."""

    def judge(before: Any, after: Any) -> Judgement:
        if before is ABSENT:
            return breaking("A limit was set, so values that were fine may be refused.")
        if after is ABSENT:
            return compatible("A limit was lifted; all earlier values are still fine.")
        if not is_number(before) or not is_number(after):
            return breaking("The limit changed, and which of the two is narrower is not known.")
        if (after > before) == is_lower:
            return breaking("The limit is narrower, so values that were fine may be refused.")
        return compatible("The limit is wider; all earlier values are still fine.")

    return judge


def choices(before: Any, after: Any) -> Judgement:
    """Judge a change in the list of values that are allowed."""
    if before is ABSENT:
        return breaking("The values are now limited to a list, so others are refused.")
    if after is ABSENT:
        return compatible("The values are no longer limited to a list.")
    if not isinstance(before, list) or not isinstance(after, list):
        return breaking("The values that are allowed changed.")
    if any(not any(is_same(item, other) for other in after) for item in before):
        return breaking("Some values are no longer allowed.")
    if all(any(is_same(item, other) for other in before) for item in after):
        return cosmetic("The same values are allowed.")
    return compatible("More values are allowed.")


def container(before: Any, after: Any) -> Judgement:
    """Judge a change in a list or object of declarations."""
    if before is ABSENT or is_extended(before, after):
        return compatible("Everything that was declared still is.")
    if after is ABSENT:
        return breaking("What was declared is gone.")
    return breaking("Something that was declared is gone or is different.")
