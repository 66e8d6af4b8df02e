"""Naming kept runs: ``@latest``, ``@-1`` for the one before it, ``@2026-11-30`` for the last of a day."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from workers.artifact_sets import ArtifactDirectory, ArtifactSource
from workers.errors import UsageError
from workers.history import RUN_FILE, DamagedHistoryError, History
from workers.reporting.wording import visible

_BACK: Final = re.compile(r"-(\d{1,6})")
_TIME: Final = re.compile(r"\d{4}-\d\d(?:-\d\d(?:T\d\d(?:[-:]\d\d(?:[-:]\d\d(?:Z(?:\.\d+)?)?)?)?)?)?")
_FORMS: Final = (
    "@latest, @-1 for the run before it, @2026-11-30 for the last run of a day (in UTC), or a run's name"
)


@dataclass(frozen=True, slots=True)
class KeptRun:
    """The artifacts of a kept run.

    Attributes:
        history: The history that it is in.
        name: Its name there.
        digests: Digest of every artifact by path.
    """

    history: History
    name: str
    digests: Mapping[str, str]

    @property
    def label(self) -> str:
        """What to call it in messages."""
        return f"The run {self.name} in {self.history.directory}"

    def read(self, name: str) -> bytes:
        """Return an artifact by its path relative to the index.

        Raises:
            UsageError: It is not there or is damaged.
        """
        if name not in self.digests:
            raise UsageError(visible(f"{self.label}: {name} is missing; compare with another run."))
        try:
            return self.history.content(self.digests[name])
        except DamagedHistoryError as error:
            raise _damaged(error) from error


def is_reference(text: str) -> bool:
    """Tell whether a text names a kept run rather than a directory."""
    return text.startswith("@")


def artifact_source(text: str, history: History | None) -> ArtifactSource:
    """Return the run that a text names: a kept run when it is a reference, else the directory of that path.

    Raises:
        UsageError: It names a kept run, but there is no history, or no such run in it.
    """
    if not is_reference(text):
        return ArtifactDirectory(Path(text), text)
    if history is None:
        raise UsageError(
            f"{text} names a run of a history; say with --history where that is. A directory of this name is ./{text}."
        )
    return kept_run(history, text)


def kept_run(history: History, reference: str) -> KeptRun:
    """Return the run that a reference names.

    Raises:
        UsageError: There is no such run, the reference has no known form, or the history is damaged.
    """
    names = history.names()
    if not names:
        raise UsageError(f"There is no run in the history {history.directory} yet.")
    name = _named(names, reference.removeprefix("@"))
    if name is None:
        raise UsageError(
            f"There is no run {reference} in the history {history.directory}; it holds {len(names)}, from {names[0]}"
            f" to {names[-1]}."
        )
    return open_run(history, name)


def open_run(history: History, name: str) -> KeptRun:
    """Return a run by its name.

    Raises:
        UsageError: The history is damaged.
    """
    try:
        record = history.record(name)
        return KeptRun(history, name, {**history.contents(record), RUN_FILE: record.run})
    except DamagedHistoryError as error:
        raise _damaged(error) from error


def _named(names: list[str], text: str) -> str | None:
    """Return the run that a reference without its `@` names, given all names, the oldest first."""
    if text == "latest":
        return names[-1]
    back = _BACK.fullmatch(text)
    if back:
        number = int(back[1])
        return names[-1 - number] if number < len(names) else None
    if not _TIME.fullmatch(text):
        raise UsageError(visible(f"@{text} names no run. References are {_FORMS}."))
    stamp = text.replace(":", "-")
    return (
        stamp if stamp in names else next((name for name in reversed(names) if name.startswith(stamp)), None)
    )


def _damaged(error: DamagedHistoryError) -> UsageError:
    return UsageError(
        f"The history is damaged: {error} Compare with another run, or remove the file of this one."
    )
