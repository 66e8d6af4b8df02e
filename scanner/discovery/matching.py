"""Sets of globs behind one question, with wcmatch as the judge of each.

A walk asks the same question of every name in a tree, so the cheap answers come first: two common shapes of globs are
decided by comparing ends of strings, and the literal end of every other glob spares most paths the regular expression.
Both short cuts give what the full expression gives.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from wcmatch import glob

from scanner.discovery.patterns import (
    GROUP_SIGNS,
    MAX_GROUP_DEPTH,
    PatternError,
    class_at,
    repetition_sign,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_FLAGS: Final = glob.GLOBSTAR | glob.EXTGLOB | glob.DOTGLOB | glob.FORCEUNIX | glob.CASE
_LITERAL_TAIL: Final = re.compile(r"[\w.-]*\Z")
_ANY_DEPTH_NAME: Final = re.compile(r"\*\*/(\*?)([\w.-]+)")
_REGEX_CHARACTER: Final = re.compile(r"[-*+?.^${}(|)\[\]\\]")
_UNSIGNED: Final = "\0"
"""Stands for the sign of a group that was written without one, until what follows the group decides on it."""


class PatternSet:
    """Many globs behind one question: does any of them match this path?

    Paths are relative to the scan root, with ``/`` separators and no dot segments.
    """

    __slots__ = ("_globs", "_possible_ends", "_regex", "_sure_ends", "_sure_names")

    def __init__(self, globs: Iterable[tuple[str, str]]) -> None:
        """Compile pairs of a pattern as written and the brace-free glob that it means.

        Raises:
            PatternError: A glob is nested too deeply or is refused by the matcher.
        """
        self._globs = tuple(globs)
        sure: set[str] = set()
        possible: set[str] = set()
        regexes: list[str] = []
        for source, meaning in self._globs:
            simple = _ANY_DEPTH_NAME.fullmatch(meaning)
            if simple:
                star, text = simple.groups()
                sure.add(text if star else "/" + text)
            else:
                possible.add(literal_tail(meaning))
                regexes.append(_translate(source, meaning))
        self._sure_ends = tuple(sorted(sure))
        self._sure_names = frozenset(end[1:] for end in sure if end.startswith("/"))
        self._possible_ends = tuple(sorted(possible))
        self._regex = _compile(regexes)

    @property
    def name_ends(self) -> tuple[str, ...]:
        """Ends that the name of every match has one of; an empty text among them means any name."""
        return tuple(sorted({end.removeprefix("/") for end in (*self._sure_ends, *self._possible_ends)}))

    def matches(self, path: str) -> bool:
        """Tell whether any glob matches *path*."""
        if path.endswith(self._sure_ends) or path in self._sure_names:
            return True
        return path.endswith(self._possible_ends) and self._regex.fullmatch(path) is not None

    def first_match(self, path: str) -> str | None:
        """Return the first pattern, as it was written, that matches *path*; slow, for explanations."""
        if not self.matches(path):
            return None
        return next(
            (source for source, meaning in self._globs if PatternSet([(source, meaning)]).matches(path)), None
        )


def literal_tail(meaning: str) -> str:
    """Return an end that every match of a brace-free glob has (possibly empty)."""
    found = _LITERAL_TAIL.search(meaning)
    return found.group() if found else ""


def _translate(source: str, meaning: str) -> str:
    try:
        regexes, _ = glob.translate(to_wcmatch(source, meaning), flags=_FLAGS)
    except (RecursionError, re.error) as error:
        raise PatternError(f"The pattern {shown(source)} cannot be read: {error}.") from None
    return "|".join(regexes)


def _compile(regexes: Sequence[str]) -> re.Pattern[str]:
    try:
        return re.compile("|".join(regexes) if regexes else r"(?!)")
    except (RecursionError, re.error, OverflowError) as error:
        raise PatternError(f"The patterns cannot be compiled: {error}.") from None


def to_wcmatch(source: str, meaning: str) -> str:
    """Rewrite the classes and groups of a glob so that wcmatch reads what fast-glob reads.

    Args:
        source: The pattern as it was written, for the error message.
        meaning: The brace-free glob.

    Raises:
        PatternError: Groups are nested more than 32 deep.
    """
    out: list[str] = []
    openers: list[int] = []
    index = 0
    while index < len(meaning):
        char = meaning[index]
        found = class_at(meaning, index)
        if char == "\\":
            out.append(meaning[index : index + 2])
            index += 2
        elif found:
            index = _rewrite_class(meaning, found, out)
        elif char == "(":
            openers.append(_open_group(out))
            index += 1
        elif char == ")" and openers:
            index = _close_group(meaning, index, out, openers.pop())
        else:
            # A bracket that is no class is an ordinary character; wcmatch would look for its end each time.
            out.append(r"\[" if char == "[" else char)
            index += 1
        if len(openers) > MAX_GROUP_DEPTH:
            raise PatternError(f"The groups of {shown(source)} are nested more than {MAX_GROUP_DEPTH} deep.")
    for opener in openers:
        # Unclosed, hence an ordinary character; wcmatch would try each of them as a group.
        out[opener] = out[opener][:-1].removeprefix(_UNSIGNED) + r"\("
    return "".join(out)


def _open_group(out: list[str]) -> int:
    """Append an opening parenthesis with its sign; return its place in *out*."""
    if out and out[-1] in GROUP_SIGNS:
        out[-1] += "("
    else:
        out.append(_UNSIGNED + "(")
    return len(out) - 1


def _close_group(meaning: str, index: int, out: list[str], opener: int) -> int:
    """Append a closing parenthesis, settle the sign of its group; return the index behind it."""
    out.append(")")
    if out[opener] not in {_UNSIGNED + "(", "@("}:
        return index + 1
    sign = repetition_sign(meaning, index + 1, "+?")
    out[opener] = (sign or "@") + "("
    return index + 1 + len(sign)


def _rewrite_class(meaning: str, found: re.Match[str], out: list[str]) -> int:
    """Append a character class; return the index behind it."""
    mark, members = found.groups()
    text = found.group()
    sign = repetition_sign(meaning, found.end(), "+")
    if not mark and not _REGEX_CHARACTER.search(members):
        escaped = "".join(char if char.isalnum() else "\\" + char for char in members)
        out.append(f"{sign or '@'}({text}|\\[{escaped}\\])")
    else:
        out.append(f"{sign}({text})" if sign else text)
    return found.end() + len(sign)
