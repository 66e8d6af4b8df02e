"""The three tools of meta mode: what they take, and what is wrong with arguments that do not fit.

Their names, texts and schemas are constants, so that a client which keeps them keeps what holds for every run. One
description of each verb gives both its schema and its check.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Any, Final

from workers.toolset.failures import Failure, Issue, invalid_input

_ARRAY_INDEX: Final = re.compile(r"0|[1-9][0-9]{0,9}")
_LAST_ARRAY_INDEX: Final = 2**32 - 2


class Form(Enum):
    """The JSON Schema of a parameter; what is open is checked by whoever receives it."""

    TEXT = MappingProxyType({"type": "string"})
    TEXTS = MappingProxyType({"type": "array", "items": {"type": "string"}})
    OPEN_OBJECT = MappingProxyType({"type": "object"})


@dataclass(frozen=True, slots=True)
class Parameter:
    """A top-level property of a verb's arguments.

    Attributes:
        name: Its key.
        form: What it holds.
        description: What it is for.
    """

    name: str
    form: Form
    description: str


@dataclass(frozen=True, slots=True)
class Verb:
    """One of the three tools.

    Attributes:
        name: Name of the tool.
        subject: The id that an error has where the arguments name no capability.
        description: What the tool does.
        parameters: What it takes, in the order of its schema.
        required: Names of those that have to be there.
    """

    name: str
    subject: str
    description: str
    parameters: tuple[Parameter, ...]
    required: tuple[str, ...] = ()

    def input_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the arguments, a closed object."""
        properties = {
            parameter.name: {**parameter.form.value, "description": parameter.description}
            for parameter in self.parameters
        }
        required = {"required": list(self.required)} if self.required else {}
        return {"type": "object", "properties": properties, **required, "additionalProperties": False}


_CAPABILITY: Final = Parameter("capabilityId", Form.TEXT, "The id, as `surface_discover` lists it.")
_INSTANCE: Final = Parameter(
    "instanceId",
    Form.TEXT,
    "Which component is meant, where several of one type offer the capability; as `surface_discover` lists it.",
)

DISCOVER: Final = Verb(
    "surface_discover",
    "meta:surface.discover",
    "[meta] List what can be asked about the scanned monorepo: components with their observations, and procedures with"
    " the schema of their input. Start here, and again when `surfaceVersion` changes.",
    (
        Parameter(
            "scope",
            Form.TEXTS,
            "Prefixes of component types and procedure paths to list, whole segments each, such as `query`; everything"
            " when it is left out or empty.",
        ),
    ),
)
READ: Final = Verb(
    "surface_read",
    "meta:surface.read",
    "[meta] Read an observation, a `view:` capability. It takes no input.",
    (_CAPABILITY, _INSTANCE),
    ("capabilityId",),
)
ACT: Final = Verb(
    "surface_act",
    "meta:surface.act",
    "[meta] Call a procedure, a `domain:` capability, with an input that fits its schema. Nothing is ever changed.",
    (
        _CAPABILITY,
        _INSTANCE,
        Parameter("input", Form.OPEN_OBJECT, "What the procedure takes, as its `inputSchema` says."),
        Parameter("invocationId", Form.TEXT, "An id of yours for this call, which the result repeats."),
        Parameter(
            "confirmationId", Form.TEXT, "Accepted and not needed: no procedure here asks for confirmation."
        ),
        Parameter(
            "surfaceVersion",
            Form.TEXT,
            "The version that the call is based on. Procedures here answer whatever it is; the result says which version"
            " it is about.",
        ),
    ),
    ("capabilityId",),
)
VERBS: Final = MappingProxyType({verb.name: verb for verb in (DISCOVER, READ, ACT)})


def envelope_issues(verb: Verb, value: object) -> tuple[Issue, ...]:
    """Return what is wrong with the arguments of a verb; nothing at all counts as no arguments.

    What is missing comes first, then what is wrong, in the order in which JavaScript lists the keys. Neither the grammar
    of ids nor what stands in ``input`` is looked at here.
    """
    value = {} if value is None else value
    if not isinstance(value, Mapping):
        return (Issue("", f"`{verb.name}` takes a JSON object of arguments."),)
    known = {parameter.name: parameter.form for parameter in verb.parameters}
    missing = [Issue(name, f"`{name}` is required.") for name in verb.required if name not in value]
    wrong = (
        _issue_of(name, known[name], value[name]) if name in known else _unknown_property(verb, name)
        for name in sorted(value, key=_array_index_first)
    )
    return (*missing, *filter(None, wrong))


def invalid_envelope(verb: Verb, issues: tuple[Issue, ...]) -> Failure:
    """Return the error for arguments of a verb that do not fit."""
    return invalid_input(
        f"The arguments of `{verb.name}` itself do not fit its schema; they are the tool's own, not the capability's"
        " input. Mend what the issues name and call it again.",
        issues,
    )


def _array_index_first(name: str) -> int:
    """Return the place of a key among others: JavaScript has array indexes first, in order, then all other keys."""
    is_index = _ARRAY_INDEX.fullmatch(name) is not None and int(name) <= _LAST_ARRAY_INDEX
    return int(name) if is_index else _LAST_ARRAY_INDEX + 1


def _unknown_property(verb: Verb, name: str) -> Issue:
    names = ", ".join(parameter.name for parameter in verb.parameters)
    has_input = any(parameter.form is Form.OPEN_OBJECT for parameter in verb.parameters)
    hint = " An argument that the capability declares belongs inside `input`." if has_input else ""
    return Issue(name, f"Unknown top-level property; `{verb.name}` accepts only {names}.{hint}")


def _issue_of(name: str, form: Form, value: object) -> Issue | None:
    if form is Form.TEXT and not (isinstance(value, str) and value):
        return Issue(name, f"`{name}` must be a non-empty string.")
    if form is not Form.TEXTS:
        return None
    if not isinstance(value, list | tuple):
        return Issue(name, f"`{name}` must be an array.")
    if not all(isinstance(member, str) for member in value):
        return Issue(name, f"`{name}` must be an array of strings.")
    return None
