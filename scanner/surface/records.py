"""What the agent surface of a source, or of many, consists of.

An intent is what an agent may ask a page to do, a playbook a list of steps that an agent may run. Both are declared in
source by calling a helper at module scope (spec, "The agent-surface matcher"). The records are plain frozen values
that can be pickled and compared; fields that JSON does not show are marked so, as in every record of the project.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

_INTERNAL: Final = MappingProxyType({"internal": True})
"""Metadata of a field that JSON does not show."""


class Helper(StrEnum):
    """The functions whose calls are declarations, in the order in which they are reported."""

    INTENT = "defineIntent"
    PLAYBOOK = "definePlaybook"


class Effect(StrEnum):
    """What an intent does to the data behind the page."""

    READ = "read"
    WRITE = "write"
    DESTRUCTIVE = "destructive"


class Plane(StrEnum):
    """Where a declaration can run."""

    BROWSER = "browser"
    SERVER = "server"


class StepFailure(StrEnum):
    """What a playbook does when one of its steps fails."""

    ABORT = "abort"
    CONTINUE = "continue"


@dataclass(frozen=True, slots=True)
class Capability:
    """What an agent has to reckon with when it uses an intent; the defaults assume the worst.

    Attributes:
        effect: What it does to data.
        idempotent: Whether doing it twice is the same as doing it once.
        open_world: Whether it reaches beyond the page and its server.
    """

    effect: Effect = Effect.DESTRUCTIVE
    idempotent: bool = False
    open_world: bool = True


@dataclass(frozen=True, slots=True)
class Intent:
    """One intent that a source declares.

    Attributes:
        kind: Always ``intent``.
        id: Lower-case dotted name, unique in a surface.
        description: What it is for.
        capability: What it does, as declared or assumed.
        target: What it acts on: ``registry``, and what that registry needs; absent options have no key.
        has_input_schema: Whether it states the form of its input.
        planes: Where it can run; intents act on a page.
        file_path: Root-relative POSIX path of the source.
        line: 1-based line of the call.
        column: 1-based UTF-16 column of the call.
    """

    kind: Literal["intent"] = field(default="intent", init=False)
    id: str
    description: str
    capability: Capability
    target: Mapping[str, str]
    has_input_schema: bool
    planes: tuple[Plane, ...] = field(default=(Plane.BROWSER,), init=False)
    file_path: str
    line: int = field(metadata=_INTERNAL)
    column: int = field(metadata=_INTERNAL)

    @property
    def identity(self) -> str:
        """The name that no other intent of a surface has."""
        return self.id

    @property
    def helper(self) -> Helper:
        """The function that declares it."""
        return Helper.INTENT


@dataclass(frozen=True, slots=True)
class OperationStep:
    """A playbook step that runs an action of a model.

    Attributes:
        kind: Always ``operation``.
        model: The model as ``package:Class``.
        action: The action's name.
    """

    kind: Literal["operation"] = field(default="operation", init=False)
    model: str
    action: str


@dataclass(frozen=True, slots=True)
class IntentStep:
    """A playbook step that uses an intent.

    Attributes:
        kind: Always ``intent``.
        id: The intent's id; it need not be declared in the same surface.
    """

    kind: Literal["intent"] = field(default="intent", init=False)
    id: str


Step: TypeAlias = OperationStep | IntentStep


@dataclass(frozen=True, slots=True)
class Playbook:
    """One playbook that a source declares.

    Attributes:
        kind: Always ``playbook``.
        key: Name, unique in a surface; any text that is not empty.
        title: Name for people.
        description: What it is for.
        steps: What it does, in order; at least one step.
        planes: Where it can run, sorted, as declared or derived from the steps.
        planes_declared: Whether the source states the planes.
        on_step_failure: What happens when a step fails.
        enabled: Whether it can be used as it stands.
        file_path: Root-relative POSIX path of the source.
        line: 1-based line of the call.
        column: 1-based UTF-16 column of the call.
    """

    kind: Literal["playbook"] = field(default="playbook", init=False)
    key: str
    title: str
    description: str
    steps: tuple[Step, ...]
    planes: tuple[Plane, ...]
    planes_declared: bool
    on_step_failure: StepFailure
    enabled: bool
    file_path: str
    line: int = field(metadata=_INTERNAL)
    column: int = field(metadata=_INTERNAL)

    @property
    def identity(self) -> str:
        """The name that no other playbook of a surface has."""
        return self.key

    @property
    def helper(self) -> Helper:
        """The function that declares it."""
        return Helper.PLAYBOOK


Entry: TypeAlias = Intent | Playbook


@dataclass(frozen=True, slots=True)
class SurfaceDiagnostic:
    """One remark about a declaration, or about what is none for a reason that its author should know.

    Attributes:
        code: A key of ``scanner.diagnostics.CODES``.
        helper: The function called.
        file_path: Root-relative POSIX path of the source.
        line: 1-based line, or None where the remark is about an identity and not about a place.
        column: 1-based UTF-16 column, or None.
        message: What is wrong and what to do about it.
        superseded: For ``duplicate-identity``, the entry that lost. A later merge weighs it again, which is what
            makes merging parts the same as merging the whole.
    """

    code: str
    helper: Helper
    file_path: str
    line: int | None
    column: int | None
    message: str
    superseded: Entry | None = field(default=None, metadata=_INTERNAL)


@dataclass(frozen=True, slots=True)
class AgentSurface:
    """The declarations of one source, or of many, with the remarks about those that could not be taken.

    Attributes:
        intents: Intents; sorted by id when merged, else as the source has them.
        playbooks: Playbooks; sorted by key when merged, else as the source has them.
        diagnostics: Remarks; sorted by place when merged.
    """

    intents: tuple[Intent, ...] = ()
    playbooks: tuple[Playbook, ...] = ()
    diagnostics: tuple[SurfaceDiagnostic, ...] = ()
