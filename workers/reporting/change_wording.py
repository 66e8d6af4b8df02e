"""How changes are told to people: grouped, the gravest first, in words that every format shares.

What comes from a source is marked in a phrase, so that each format can show it safely in its own way.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from workers.changes.records import (
    ABSENT,
    EVERY_OTHER,
    Action,
    Change,
    Comparison,
    Exposure,
    Impact,
    Remark,
    Subject,
)
from workers.changes.values import as_mapping
from workers.reporting.wording import counted

IMPACTS: Final = tuple(Impact)
"""Impacts, the gravest first."""

NO_PACKAGE: Final = "(no package)"
_MAX_VALUE: Final = 80
_PLAIN_ASPECTS: Final = frozenset(
    {"type", "returnType", "related", "extends", "tableName", "tableStrategy", "effect", "severity", "name"}
)
"""Aspects whose texts read best without quotes."""
_PREFIXES: Final = ("decoratorConfig.", "staticProperties.", "_meta.", "capability.")
_PARAMETERS: Final = "parameters."


@dataclass(frozen=True, slots=True)
class Word:
    """A part of a phrase.

    Attributes:
        text: What it says.
        is_quoted: Whether it comes from a source or stands for a value.
    """

    text: str
    is_quoted: bool = False


Phrase = tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Changes that belong together.

    Attributes:
        section: Title above several groups: a package, the agent surface, diagnostics.
        title: What the changes are about: a class, an intent, a file; None for the section itself.
        changes: The gravest first.
    """

    section: Word
    title: Word | None
    changes: tuple[Change, ...]

    @property
    def rank(self) -> int:
        """How grave the gravest change is, 0 for breaking."""
        return min(IMPACTS.index(change.impact) for change in self.changes)


def grouped(changes: Iterable[Change]) -> list[tuple[Word, list[Group]]]:
    """Return changes by section and by what they are about; sections and groups with the gravest changes stand first."""
    sections = []
    for section, parts in groupby(changes, key=_section):
        groups = [
            Group(section, title, tuple(sorted(group, key=lambda change: IMPACTS.index(change.impact))))
            for title, group in groupby(parts, key=_title)
        ]
        sections.append((section, sorted(groups, key=lambda group: group.rank)))
    return sorted(sections, key=lambda item: min(group.rank for group in item[1]))


def _section(change: Change) -> Word:
    if change.subject in {Subject.INTENT, Subject.PLAYBOOK}:
        return Word("Agent surface")
    if change.subject is Subject.DIAGNOSTIC:
        return Word("Diagnostics")
    return Word(NO_PACKAGE) if change.package is None else Word(change.package, is_quoted=True)


def _title(change: Change) -> Word | None:
    if change.subject is Subject.PACKAGE:
        return None
    if change.subject is Subject.DIAGNOSTIC:
        return Word(change.member, is_quoted=True) if change.member else Word("(the scan as a whole)")
    return Word(change.name, is_quoted=True)


def phrase(change: Change) -> Phrase:
    """Return what happened, without the package and class that the groups of :func:`grouped` name."""
    return (*_subject(change), *_predicate(change))


def _subject(change: Change) -> Iterator[Word]:
    if change.subject is Subject.DIAGNOSTIC:
        yield Word(change.name, is_quoted=True)
    elif change.subject is not Subject.CLASS or change.action is not Action.CHANGED:
        yield Word(change.subject.value)
    if change.subject not in {Subject.CLASS, Subject.DIAGNOSTIC} and change.member is not None:
        yield Word(change.member, is_quoted=True)


def _predicate(change: Change) -> Iterator[Word]:
    if change.action is Action.MOVED:
        yield from (Word("moved from"), _package(change.before), Word("to"), _package(change.after))
    elif change.action is not Action.CHANGED:
        if change.subject is Subject.FIELD:
            yield from (Word("of type"), Word(str(_content(change).get("type")), is_quoted=True))
        if change.subject is Subject.DIAGNOSTIC:
            yield from _finding(change.action, _content(change))
        else:
            yield Word(change.action.value)
    else:
        yield from _aspect(change.aspect or "")
        if change.actions and change.actions != (EVERY_OTHER,):
            yield from _actions(change)
        yield from (Word("was"), _value(change, change.before), Word("and is"), _value(change, change.after))


def _package(name: Any) -> Word:
    return Word(NO_PACKAGE) if name is None else Word(str(name), is_quoted=True)


def _content(change: Change) -> Mapping[str, Any]:
    """Return what came or went."""
    return as_mapping(change.before if change.after is ABSENT else change.after)


def _finding(action: Action, content: Mapping[str, Any]) -> Iterator[Word]:
    line = content.get("line")
    yield Word(f"{action.value} in line {line}:" if isinstance(line, int) else f"{action.value}:")
    yield Word(str(content.get("message", "")).removesuffix("."), is_quoted=True)


def _actions(change: Change) -> Iterator[Word]:
    yield Word("opens" if change.exposure is Exposure.OPENED else "closes")
    yield Word(", ".join(change.actions), is_quoted=True)
    yield Word("and")


def _aspect(aspect: str) -> Iterator[Word]:
    for prefix in _PREFIXES:
        aspect = aspect.removeprefix(prefix)
    if aspect.startswith(_PARAMETERS):
        yield Word("parameter")
    yield Word(aspect.removeprefix(_PARAMETERS), is_quoted=True)


def _value(change: Change, value: Any) -> Word:
    if value is ABSENT:
        return Word("absent")
    is_plain = isinstance(value, str) and (change.aspect or "").rpartition(".")[2] in _PLAIN_ASPECTS
    text = value if is_plain and value else json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
    return Word(text if len(text) <= _MAX_VALUE else f"{text[: _MAX_VALUE - 1]}…", is_quoted=True)


def remark_phrase(remark: Remark) -> Phrase:
    """Return a remark with the names that it is about."""
    names = [Word(name, is_quoted=True) for name in remark.names]
    return (Word(remark.text), Word("These are:"), *names) if names else (Word(remark.text),)


def counts_line(comparison: Comparison) -> str:
    """Return one sentence with the number of changes of each impact, and of surfaces opened and closed."""
    if not comparison.changes:
        return "Nothing changed."
    numbers = ", ".join(f"{len(comparison.of_impact(impact))} {impact.value}" for impact in IMPACTS)
    line = f"{counted(len(comparison.changes), 'change')}: {numbers}."
    exposures = exposure_counts(comparison.changes)
    told = [f"{number} {kind.value}" for kind, number in exposures.items() if number]
    return f"{line} Surfaces: {', '.join(told)}." if told else line


def exposure_counts(changes: Sequence[Change]) -> dict[Exposure, int]:
    """Return how many changes open, close or shift a surface."""
    return {kind: sum(change.exposure is kind for change in changes) for kind in Exposure}
