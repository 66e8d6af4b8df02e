"""Errors as an agent gets them: a code, one message, and whether trying again can help."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from scanner.agent_ids.code_units import shortened
from scanner.serialization import JsonValue

MAX_MESSAGE_UNITS: Final = 300
"""Code units of a message; what is longer is cut, with an ellipsis."""

_NOTHING: Final[Mapping[str, JsonValue]] = MappingProxyType({})


class ErrorCode(StrEnum):
    """What went wrong; those codes of agent-surface core that can occur where nothing runs but queries."""

    INVALID_INPUT = "INVALID_INPUT"
    CAPABILITY_NOT_FOUND = "CAPABILITY_NOT_FOUND"
    AMBIGUOUS_INSTANCE = "AMBIGUOUS_INSTANCE"
    EXECUTION_FAILED = "EXECUTION_FAILED"


class Retry(StrEnum):
    """What has to happen before the same can be tried again."""

    NO = "no"
    AFTER_REFRESH = "after-refresh"
    AFTER_DELAY = "after-delay"
    WITH_CHANGES = "with-changes"


_RETRIES: Final = MappingProxyType(
    {
        ErrorCode.INVALID_INPUT: (Retry.WITH_CHANGES,),
        ErrorCode.CAPABILITY_NOT_FOUND: (Retry.AFTER_REFRESH,),
        ErrorCode.AMBIGUOUS_INSTANCE: (Retry.WITH_CHANGES,),
        ErrorCode.EXECUTION_FAILED: (Retry.NO, Retry.AFTER_DELAY),
    }
)
"""The values of retry that a code may have; the first is meant where none is given."""


@dataclass(frozen=True, slots=True)
class Issue:
    """One thing that is wrong with an input.

    Attributes:
        path: Where: keys joined by dots, places in a list as ``[0]``; empty for the whole.
        message: What is wrong with it.
    """

    path: str
    message: str


@dataclass(frozen=True, slots=True)
class Failure:
    """An error as an agent gets it.

    Attributes:
        code: What went wrong.
        message: What it means and what to do; at most 300 code units.
        retry: Whether and when trying again can help.
        details: What belongs to the code; empty where there is nothing to add.

    Raises:
        ValueError: Errors of this code never have this value of retry.
    """

    code: ErrorCode
    message: str
    retry: Retry
    details: Mapping[str, JsonValue] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.retry not in _RETRIES[self.code]:
            raise ValueError(f"{self.code} is never tried again {self.retry!r}")

    def to_json(self) -> dict[str, JsonValue]:
        """Return the record that is sent; details are left out where there are none."""
        record: dict[str, JsonValue] = {
            "code": self.code.value,
            "message": self.message,
            "retry": self.retry.value,
        }
        return {**record, "details": dict(self.details)} if self.details else record


class ToolError(Exception):
    """A call ends with an error instead of an output.

    Attributes:
        failure: What the agent gets.
    """

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def failure(
    code: ErrorCode, message: str, details: Mapping[str, JsonValue] = _NOTHING, retry: Retry | None = None
) -> Failure:
    """Return an error; its message is cut to size, and retry is what the code usually means unless it is given."""
    return Failure(code, shortened(message, MAX_MESSAGE_UNITS), retry or _RETRIES[code][0], details)


def invalid_input(message: str, issues: Iterable[Issue]) -> Failure:
    """Return the error for arguments that do not fit, with one entry an issue, in the order given."""
    listed: list[JsonValue] = [
        {"path": issue.path, "message": shortened(issue.message, MAX_MESSAGE_UNITS)} for issue in issues
    ]
    return failure(ErrorCode.INVALID_INPUT, message, {"issues": listed})
