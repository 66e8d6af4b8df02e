"""One change between two runs, and everything there is to say about it.

A change says what it is about (a class, a field, an intent), what happened to it, how it was before and after, and how
much that matters to those who build on the artifacts: databases, callers of generated APIs, agents.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from scanner.diagnostics import Diagnostic
from scanner.js.values import UNDEFINED


class Impact(Enum):
    """How much a change matters to those who build on the artifacts; the gravest first."""

    BREAKING = "breaking"
    COMPATIBLE = "compatible"
    COSMETIC = "cosmetic"


class Action(Enum):
    """What happened."""

    REMOVED = "removed"
    ADDED = "added"
    MOVED = "moved"
    CHANGED = "changed"


class Subject(Enum):
    """What a change is about, in the order of reports."""

    PACKAGE = "package"
    CLASS = "class"
    FIELD = "field"
    METHOD = "method"
    INTENT = "intent"
    PLAYBOOK = "playbook"
    DIAGNOSTIC = "diagnostic"


class Exposure(Enum):
    """What a change does to a surface: to who may reach or do something."""

    OPENED = "opened"
    CLOSED = "closed"
    SHIFTED = "shifted"


ABSENT: Final = UNDEFINED
"""Stands where there is no value; None is JSON's null, which a source may state."""

EVERY_OTHER: Final = "*"
"""Stands among the actions of a surface for all that its config does not name."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change.

    Attributes:
        subject: What kind of thing it is about.
        action: What happened to it.
        impact: How much that matters.
        reason: Why it matters that much, as one sentence that holds nothing from a source.
        package: Name of the package; None where there is none.
        name: Class name, id of an intent, key of a playbook, code of a diagnostic; empty for a package.
        member: Name of the field or method; path of the file of a diagnostic.
        aspect: What of it changed, as a dotted path; None when all of it came or went.
        before: JSON value of the older run, or ABSENT.
        after: JSON value of the newer run, or ABSENT.
        exposure: What it does to a surface, if it touches one.
        actions: The actions that a surface opened or closed, sorted; EVERY_OTHER stands for those not named.
    """

    subject: Subject
    action: Action
    impact: Impact
    reason: str
    package: str | None = None
    name: str = ""
    member: str | None = None
    aspect: str | None = None
    before: Any = ABSENT
    after: Any = ABSENT
    exposure: Exposure | None = None
    actions: tuple[str, ...] = ()

    @property
    def sort_key(self) -> tuple[object, ...]:
        """Key of the one order of changes: models by package and class, then the agent surface, then diagnostics."""
        subjects = list(Subject)
        is_diagnostic = self.subject is Subject.DIAGNOSTIC
        # Diagnostics belong together by file, members by class.
        outer, inner = (self.member or "", self.name) if is_diagnostic else (self.name, self.member or "")
        return (
            max(subjects.index(self.subject), subjects.index(Subject.METHOD)),
            (self.package is not None, self.package or ""),
            outer,
            subjects.index(self.subject),
            inner,
            self.aspect or "",
            self.action.value,
            self.exposure.value if self.exposure is not None else "",
        )


@dataclass(frozen=True, slots=True)
class Remark:
    """What a reader has to know to judge changes, such as that the runs had different options.

    Attributes:
        text: One sentence.
        names: What it is about, such as the names of the options.
    """

    text: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed between two runs.

    Attributes:
        changes: All changes, sorted.
        remarks: What a reader has to know to judge them.
    """

    changes: tuple[Change, ...]
    remarks: tuple[Remark, ...] = ()

    def of_impact(self, impact: Impact) -> tuple[Change, ...]:
        """Return the changes that matter just this much, in order."""
        return tuple(change for change in self.changes if change.impact is impact)


@dataclass(frozen=True, slots=True)
class PackageArtifact:
    """A package as one run found it.

    Attributes:
        name: Name of the package; None for files that belong to none.
        directory: Directory relative to the scanned one.
        manifest: Its manifest, decoded.
    """

    name: str | None
    directory: str
    manifest: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ArtifactSet:
    """The artifacts of one run, decoded, as far as comparing needs them.

    Attributes:
        index: `index.json`.
        packages: Every package with its manifest.
        intents: Intents of `agent-surface.json` by id.
        playbooks: Playbooks of `agent-surface.json` by key.
        diagnostics: Those of `diagnostics.json`, each with the name of its package, if it has one.
        altered: Names of those that are not as the index says, since something changed them after the run.
    """

    index: Mapping[str, Any]
    packages: tuple[PackageArtifact, ...]
    intents: Mapping[str, Mapping[str, Any]]
    playbooks: Mapping[str, Mapping[str, Any]]
    diagnostics: Mapping[Diagnostic, str | None]
    altered: tuple[str, ...] = ()
