"""Why a declaration that could be read is refused all the same, and the checks that both helpers share."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from scanner.js.values import JsValue
from scanner.surface.wording import listed, shown


@dataclass(frozen=True, slots=True)
class Fault:
    """A rule of the runtime helper that a declaration breaks.

    Attributes:
        code: ``incomplete-declaration`` or ``invalid-identity``.
        problem: What is wrong, as a sentence without its full stop.
        remedy: What to do about it, likewise.
    """

    code: str
    problem: str
    remedy: str


def incomplete(problem: str, remedy: str) -> Fault:
    """Return the fault of a declaration that lacks something it needs."""
    return Fault("incomplete-declaration", problem, remedy)


def invalid(problem: str, remedy: str) -> Fault:
    """Return the fault of a complete declaration that the runtime helper would not take."""
    return Fault("invalid-identity", problem, remedy)


def text_of(entries: Mapping[str, JsValue], key: str) -> str | None:
    """Return the entry *key* when it is a string that is not empty."""
    value = entries.get(key)
    return value if isinstance(value, str) and value else None


def lacking(what: str, needs: Mapping[str, object], kinds: Mapping[str, str]) -> Fault:
    """Return the fault of a declaration some of whose *needs* are None.

    Args:
        what: The declaration, as a noun.
        needs: What each required key gave, None where it is missing or of the wrong type.
        kinds: What each required key has to be.
    """
    missing = [key for key, value in needs.items() if value is None]
    wanted = ", ".join(f"`{key}` as {kinds[key]}" for key in missing)
    return incomplete(f"The {what} lacks a usable {listed(missing)}", f"State {wanted}")


def unknown_key(where: str, entries: Mapping[str, JsValue], known: Collection[str]) -> Fault | None:
    """Return the fault of an object with a key that it cannot have, also one whose value is undefined."""
    unknown = [key for key in entries if key not in known]
    if not unknown:
        return None
    return invalid(
        f"The {where} has the unknown key {listed(map(shown, unknown))}",
        f"Remove it, or correct its name: known are {listed(known)}",
    )
