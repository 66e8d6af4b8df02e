"""Changes between two runs as Markdown for a pull request.

What comes from a source stands in code spans alone, where Markdown, HTML and mentions of people mean nothing. The first
breaking changes are in plain sight, all else is folded. A service refuses comments that are too long, so what does not
fit is counted instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from workers.changes.records import Change, Comparison, Exposure, Impact
from workers.reporting.change_wording import (
    IMPACTS,
    Phrase,
    Word,
    counts_line,
    grouped,
    phrase,
    remark_phrase,
)
from workers.reporting.wording import counted, one_line

MAX_LENGTH: Final = 60_000
"""Characters that a report has at most; pull requests take 65 536."""

_IN_SIGHT: Final = 25
_RESERVE: Final = 250
"""Characters set apart for the title of each part and the line that counts what it leaves out."""

_BACKTICKS: Final = re.compile("`+")
_MARKS: Final = {
    Exposure.OPENED: "**opened:** ",
    Exposure.CLOSED: "**closed:** ",
    Exposure.SHIFTED: "**shifted:** ",
}


def render_changes_markdown(comparison: Comparison) -> str:
    """Return the report: counts, remarks, breaking changes, and the others folded."""
    parts = [
        f"**{counts_line(comparison)}**",
        *(f"> {_told(remark_phrase(remark))}" for remark in comparison.remarks),
    ]
    budget = MAX_LENGTH - len(IMPACTS) * _RESERVE - sum(len(part) + 2 for part in parts)
    for impact in IMPACTS:
        changes = comparison.of_impact(impact)
        if changes:
            parts.append(_part(impact, changes, budget))
            budget -= len(parts[-1])
    return "\n\n".join(parts) + "\n"


def _part(impact: Impact, changes: tuple[Change, ...], budget: int) -> str:
    title = f"{counted(len(changes), f'{impact.value} change')}"
    lines = list(_lines(changes))
    is_folded = impact is not Impact.BREAKING or len(changes) > _IN_SIGHT
    shown = list(_fitting(lines, budget))
    left = sum(is_change for is_change, _ in lines[len(shown) :])
    if left:
        shown.append(
            f"- and {counted(left, 'further change')}, not shown here: `scan-cluster diff` shows all."
        )
    text = "\n".join(shown)
    if not is_folded:
        return f"### {title}\n\n{text}"
    heading = f"<details><summary>{title}</summary>"
    return f"{heading}\n\n{text}\n\n</details>"


def _fitting(lines: Iterable[tuple[bool, str]], budget: int) -> Iterator[str]:
    """Yield lines as long as they fit."""
    for _, line in lines:
        budget -= len(line) + 1
        if budget < 0:
            return
        yield line


def _lines(changes: Iterable[Change]) -> Iterator[tuple[bool, str]]:
    """Yield list items, each with whether it is a change and no title."""
    for section, groups in grouped(changes):
        yield False, f"- **{_shown(section)}**"
        for group in groups:
            indent = "  "
            if group.title is not None:
                yield False, f"  - {_shown(group.title)}"
                indent = "    "
            yield from ((True, f"{indent}- {_line(change)}") for change in group.changes)


def _line(change: Change) -> str:
    mark = "" if change.exposure is None else _MARKS[change.exposure]
    return f"{mark}{_told(phrase(change))}. {change.reason}"


def _told(words: Phrase) -> str:
    return " ".join(map(_shown, words))


def _shown(word: Word) -> str:
    return _code(word.text) if word.is_quoted else word.text


def _code(text: str) -> str:
    """Return a code span that shows *text* as it is, whatever it holds."""
    line = one_line(text) or '""'
    longest = max((len(run) for run in _BACKTICKS.findall(line)), default=0)
    fence = "`" * (longest + 1)
    # A blank on each side is taken off again; it keeps backticks at the ends, and blanks, from getting lost.
    edge = " " if line[0] in "` " or line[-1] in "` " else ""
    return f"{fence}{edge}{line}{edge}{fence}"
