"""Changes between two runs as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from workers.changes.records import Change, Comparison, Impact
from workers.reporting.change_wording import Phrase, Word, counts_line, grouped, phrase, remark_phrase
from workers.reporting.wording import is_command, one_line

_WIDTH: Final = max(len(impact.value) for impact in Impact)


def render_changes_text(comparison: Comparison) -> Iterator[str]:
    """Yield the lines of a report, without line ends: changes by package and class, remarks, one line of counts."""
    for section, groups in grouped(comparison.changes):
        yield _heading(section)
        for group in groups:
            indent = "  "
            if group.title is not None:
                yield f"  {_heading(group.title)}"
                indent = "    "
            yield from (f"{indent}{_line(change)}" for change in group.changes)
        yield ""
    yield from (f"Note: {_told(remark_phrase(remark))}" for remark in comparison.remarks)
    yield counts_line(comparison)


def _line(change: Change) -> str:
    mark = "" if change.exposure is None else f"[{change.exposure.value}] "
    return f"{change.impact.value:<{_WIDTH}}  {mark}{_told(phrase(change))}. {change.reason}"


def _heading(word: Word) -> str:
    shown = _shown(word)
    return f'"{shown}"' if is_command(shown) else shown


def _told(words: Phrase) -> str:
    return " ".join(map(_shown, words))


def _shown(word: Word) -> str:
    # A name must not look like a word of the report, and an empty one must be seen.
    return (one_line(word.text) or '""') if word.is_quoted else word.text
