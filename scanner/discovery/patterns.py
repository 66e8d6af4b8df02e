"""Glob patterns with the meaning that JavaScript build tools give them.

Configurations that name sources are written for fast-glob, so a pattern has to select the same files here. wcmatch
does the matching (:mod:`scanner.discovery.matching`); this module reads patterns as they stand in a configuration and
gives each as a brace-free glob relative to the scan root.

What fast-glob and wcmatch read differently, and what is done about it here and in the matcher:

==========================  ======================================================================================
``./x``, ``x//y``, ``x/.``  Dot and empty segments are dropped, ``..`` takes back the literal segment before it.
``/abs/root/x``             Made relative to the root; a pattern that leads outside the root matches nothing.
``x/``                      Matches nothing, since only files are taken (and as an exclusion nothing either).
``x/**``                    Matches ``x`` itself too, unless ``x`` ends in a star.
``**.ts``                   As a whole pattern it reaches every depth; behind other segments ``**`` acts like ``*``.
``[id]``                    A class of plain characters also matches its own text, the folder ``[id]``.
``(a|b)``                   Groups, also without ``@``; ``(a)?``, ``(a)+`` and ``[ab]+`` repeat as in a regex.
``@(a/b|c)``                A group may span slashes, unless it is negated or repeated.
``!x``                      Excludes, wherever it stands in the list; ``!(x)`` is a group, not an exclusion.
==========================  ======================================================================================

Left as wcmatch has it, on purpose: ``!(a)b`` excludes the exact text ``a`` only (fast-glob: all that begins with
it), ``?`` stands for one character in directory names too (fast-glob: not where a walk would begin), a bare ``|`` and
an unclosed brace are ordinary characters, ``[x/y]`` is no class, and one character is one code point rather than one
UTF-16 unit. Matching is case sensitive and sees dot files.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import bracex
from wcmatch import glob

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_SOURCE_LENGTH: Final = 65_536
"""Longest pattern that is read, in characters; fast-glob's own limit."""

MAX_PATTERN_LENGTH: Final = 4_096
"""Longest pattern without braces, in characters: no path that a system opens is longer."""

MAX_ALTERNATIVES: Final = 1_000
"""How many patterns the braces of one pattern may stand for."""

MAX_GROUP_DEPTH: Final = 32
"""How deeply groups, and how deeply braces, may be nested."""

GROUP_SIGNS: Final = frozenset("?*+@!")
"""What may stand before the parenthesis of a group."""

_CLASS: Final = re.compile(r"\[([!^]?+)(\]?+(?:\[:\w+:\]|\\.|[^\\\]/])++)\]", re.DOTALL)
_ESCAPED: Final = re.compile(r"\\.", re.DOTALL)
_TOKEN: Final = re.compile(r"\\.|.", re.DOTALL)
_MAGIC: Final = re.compile(r"[*?\[]|[+@!]\(|\(.*\|", re.DOTALL)
_GLOBSTAR_SUFFIX: Final = re.compile(r"\*\*((?:\.\w+)+)")


class PatternError(ValueError):
    """A pattern that cannot be read: empty, too long, nested too deeply or with too many alternatives."""


@dataclass(frozen=True, slots=True)
class GlobPattern:
    """One pattern without braces, relative to the root.

    Attributes:
        source: The pattern as it was written, for explanations.
        glob: What it means: no braces, no dot segments, no leading ``!``.
        is_negated: Whether it was written as ``!pattern``.
    """

    source: str
    glob: str
    is_negated: bool = False

    @property
    def segments(self) -> list[str]:
        """The parts between slashes; a group that spans slashes is cut like any other text."""
        return self.glob.split("/")


def parse_patterns(patterns: Iterable[str], roots: Sequence[str]) -> tuple[GlobPattern, ...]:
    """Read patterns as they stand in a configuration.

    Args:
        patterns: Patterns relative to the root, or absolute below it.
        roots: Absolute spellings of the root directory, the one that relative patterns start from first.

    Returns:
        The brace-free patterns in order; those that can match nothing below the root are left out.

    Raises:
        PatternError: A pattern is empty, too long, nested too deeply or stands for too many.
    """
    parsed: list[GlobPattern] = []
    for source in patterns:
        _check_size(source)
        for text in _expand(_relative_to_root(source, roots)):
            is_negated = text.startswith("!") and not text.startswith("!(")
            meaning = _normalise(text.removeprefix("!") if is_negated else text, roots[0])
            if meaning is not None:
                parsed.append(GlobPattern(source, meaning, is_negated))
    return tuple(parsed)


def shown(pattern: str) -> str:
    """Return *pattern* quoted and cut to a length that fits into a message."""
    return repr(pattern if len(pattern) <= 60 else pattern[:57] + "...")  # noqa: PLR2004 - about half a line


def _check_size(source: str) -> None:
    if not source:
        raise PatternError("An empty pattern matches nothing; leave it out.")
    if len(source) > MAX_SOURCE_LENGTH:
        raise PatternError(f"The pattern {shown(source)} is longer than {MAX_SOURCE_LENGTH} characters.")


def _relative_to_root(source: str, roots: Sequence[str]) -> str:
    """Cut the root's own path off an absolute pattern, before any of its characters count as magic."""
    mark = "!" if source.startswith("!/") else ""
    text = source.removeprefix(mark)
    for root in roots:
        for spelling in (root, glob.escape(root)):
            prefix = spelling.rstrip("/") + "/"
            if text.startswith(prefix):
                return mark + "./" + text[len(prefix) :]
    return source


def _expand(text: str) -> list[str]:
    """Return the patterns that the braces of *text*, and its groups that span slashes, stand for."""
    expanded: list[str] = []
    pending = _expand_braces(text)[::-1]
    while pending:
        item = pending.pop()
        if len(item) > MAX_PATTERN_LENGTH:
            raise PatternError(f"The pattern {shown(item)} is longer than {MAX_PATTERN_LENGTH} characters.")
        alternatives = _alternatives(item)
        if alternatives is None:
            expanded.append(item)
        else:
            pending.extend(reversed(alternatives))
        if len(expanded) + len(pending) > MAX_ALTERNATIVES:
            raise PatternError(f"The pattern {shown(text)} stands for more than {MAX_ALTERNATIVES} patterns.")
    return [item for item in expanded if item]


def _expand_braces(text: str) -> list[str]:
    if "{" not in text:
        return [text]
    try:
        return bracex.expand(_without_open_braces(text), keep_escapes=True, limit=MAX_ALTERNATIVES)
    except RecursionError:
        raise PatternError(f"The pattern {shown(text)} has too many braces.") from None
    except bracex.ExpansionLimitException:
        raise PatternError(
            f"The braces of {shown(text)} stand for more than {MAX_ALTERNATIVES} patterns."
        ) from None


def _without_open_braces(text: str) -> str:
    """Escape the braces that nothing closes: they are ordinary characters, but costly to find out again."""
    tokens = _TOKEN.findall(text)
    openers: list[int] = []
    for index, piece in enumerate(tokens):
        if piece == "{":
            openers.append(index)
        elif piece == "}" and openers:
            openers.pop()
        if len(openers) > MAX_GROUP_DEPTH:
            raise PatternError(f"The braces of {shown(text)} are nested more than {MAX_GROUP_DEPTH} deep.")
    for index in openers:
        tokens[index] = r"\{"
    return "".join(tokens)


def _alternatives(text: str) -> list[str] | None:
    """Write out the first outermost group that holds a slash and is not repeated or negated; None without one."""
    cuts: list[int] = []
    depth = index = 0
    sign = before = ""
    while index < len(text):
        char = text[index]
        found = class_at(text, index)
        if char == "(":
            depth += 1
            if depth == 1:
                cuts, sign = [index], before if before in GROUP_SIGNS else ""
        elif char == "|" and depth == 1:
            cuts.append(index)
        elif char == ")" and depth:
            depth -= 1
            if depth == 0 and sign in {"", "@", "?"} and "/" in text[cuts[0] : index]:
                return _written_out(text, [*cuts, index], sign)
        before = "" if char == "\\" else char
        index = found.end() if found else index + (2 if char == "\\" else 1)
    return None


def _written_out(text: str, cuts: list[int], sign: str) -> list[str] | None:
    """Return *text* once for each part between the *cuts* of a group."""
    tail = text[cuts[-1] + 1 :]
    if repetition_sign(text, cuts[-1] + 1, "+?"):
        return None
    head = text[: cuts[0] - len(sign)]
    parts = [text[start + 1 : end] for start, end in itertools.pairwise(cuts)]
    return [head + part + tail for part in ([*parts, ""] if sign == "?" else parts)]


def class_at(text: str, index: int) -> re.Match[str] | None:
    """Return the bracketed class that begins at *index*, with its negation mark and its members as groups."""
    is_closed = text.startswith("[", index) and text.find("]", index) >= 0
    return _CLASS.match(text, index) if is_closed else None


def repetition_sign(text: str, index: int, signs: str) -> str:
    """Return the sign at *index* if it repeats what stands before it instead of opening a group."""
    sign = text[index : index + 1]
    return sign if sign and sign in signs and text[index + 1 : index + 2] != "(" else ""


def _normalise(text: str, root: str) -> str | None:
    """Resolve dot segments; None when nothing below the root can match."""
    if text.startswith("/") or text.endswith("/"):
        return None
    base = [part for part in root.split("/") if part]
    parts = list(base)
    for segment in text.split("/"):
        if segment in {"", "."} or (segment == "**" and parts[len(base) :][-1:] == ["**"]):
            continue
        if segment == ".." and (len(parts) <= len(base) or not has_magic(parts[-1])):
            del parts[-1:]
        else:
            parts.append(segment)
    if len(parts) <= len(base) or parts[: len(base)] != base:
        return None
    meaning = "/".join(parts[len(base) :])
    return _GLOBSTAR_SUFFIX.sub(r"**/*\1", meaning) if _GLOBSTAR_SUFFIX.fullmatch(meaning) else meaning


def has_magic(segment: str) -> bool:
    """Tell whether *segment* can match any text but one."""
    return _MAGIC.search(_ESCAPED.sub("", segment)) is not None


def is_self_contained(segment: str) -> bool:
    """Tell whether no group is left open at the end of *segment*, so that it can be matched alone."""
    depth = 0
    for piece in _TOKEN.findall(segment):
        if piece == "(":
            depth += 1
        elif piece == ")" and depth:
            depth -= 1
    return depth == 0


def reachable_directories(pattern: GlobPattern) -> tuple[str, ...]:
    """Return globs of the directories below the root that can hold a match of *pattern*.

    The answer may be too wide, never too narrow: a segment with an unclosed group lets everything below it in.
    """
    reached: list[str] = []
    *above, last = pattern.segments
    for segment in above:
        if segment == "**" or not is_self_contained(segment):
            return (*reached, "/".join([*reached[-1:], "**"]))
        reached.append("/".join([*reached[-1:], segment]))
    if last == "**" or not is_self_contained(last):
        reached.append("/".join([*reached[-1:], "**"]))
    return tuple(reached)
