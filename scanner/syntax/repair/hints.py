"""Cheap looks at bytes, for the bulk of files that need no repair.

A hint says that something *may* be misread in a source without an error. It must not miss what it looks for in code as
people write it; a hit costs a tokenizing and nothing else. These searches run over every file, so each begins with a
plain sign, which is found at the speed of a byte search, and everything costly waits for a hit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from scanner.syntax.repair.classes import MODIFIERS

_CLASS_HEAD: Final = re.compile(rb"class(?:[\s<{]|/[/*])")
_NAMES_AT_LINE_END: Final = frozenset((b"using", b"let", b"asserts"))
_ANY_AT_LINE_END: Final = MODIFIERS | _NAMES_AT_LINE_END


def _behind_any(words: Iterable[bytes], tail: bytes) -> bytes:
    """Return a pattern that looks behind for one of *words* and *tail*; two letters sort out most places."""
    by_end: dict[bytes, list[bytes]] = {}
    for word in sorted(words):
        by_end.setdefault(word[-2:], []).append(
            rb"(?<=" + word + tail + rb")(?<![\w$.]" + word + tail + rb")"
        )
    cases = (rb"(?<=" + end + tail + rb")(?:" + b"|".join(found) + rb")" for end, found in by_end.items())
    return b"(?:" + b"|".join(cases) + b")"


def _at_line_end(words: frozenset[bytes]) -> tuple[re.Pattern[bytes], ...]:
    last = bytes(sorted({word[-1] for word in words}))
    spaced = rb"(?<=[" + last + rb"][ \t]/)" + _behind_any(words, rb"[ \t]/")
    joined = rb"(?<=[" + last + rb"]/)" + _behind_any(words, rb"/")
    return (
        re.compile(rb"\n(?<=[" + last + rb"]\n)" + _behind_any(words, rb"\n")),
        re.compile(rb"/(?=[/*])(?:" + spaced + b"|" + joined + b")"),
    )


_NAME_ENDS_LINE: Final = _at_line_end(_NAMES_AT_LINE_END)
_WORD_ENDS_LINE: Final = _at_line_end(_ANY_AT_LINE_END)
_COMMENTS: Final = rb"(?:(?://[^\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/)\s*+)*+"
_BODY_BEFORE_BRACKET: Final = re.compile(rb"\}[ \t]*+(?://[^\n]*+)?+\n\s*+" + _COMMENTS + rb"[(\[`]")
_BRACKET_BEGINS_LINE: Final = re.compile(rb"\n[ \t]*+[(\[`]")
_LINE_COMMENT: Final = re.compile(rb"//[^\n]*+$")
_CAST: Final = re.compile(rb" as [^\n;,(){}/]*+$")
_FORBIDDEN: Final = (
    re.compile(rb"abstract(?:(?= (?:public|pr))|(?<=private abstract)|(?<=(?:readonly|override) abstract))"),
    re.compile(rb"declare (?:(?:public|protected|private|static) )*+(?:override|accessor)\b"),
    re.compile(rb"readonly (?:async )?+[\w$#]++\("),
)
"""What the grammar reads behind a modifier although the language forbids it."""

_COMMENT_LEADS: Final = (b"*", b"//", b"/*")
_REACH: Final = 200


def may_be_misread(data: bytes) -> bool:
    """Tell whether *data* might hold something that a grammar misreads without showing an error.

    Words that bind across a line end, or do not, in another way than the language has it; a bracket at the beginning of
    a line that begins something new; modifiers that the language forbids.
    """
    text = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data
    first_class = _CLASS_HEAD.search(text)
    if first_class is None:
        return _occur_in_code(_NAME_ENDS_LINE, text) or _BODY_BEFORE_BRACKET.search(text) is not None
    return (
        _occur_in_code(_WORD_ENDS_LINE, text)
        or _occur_in_code(_FORBIDDEN, text, first_class.end())
        or any(_may_begin_anew(text, match.start()) for match in _BRACKET_BEGINS_LINE.finditer(text))
    )


def _occur_in_code(patterns: Iterable[re.Pattern[bytes]], text: bytes, start: int = 0) -> bool:
    """Tell whether a pattern matches behind *start*, but not on lines that are comments from their beginning."""
    return any(
        not _is_comment_line(text, match.start())
        for pattern in patterns
        for match in pattern.finditer(text, start)
    )


def _is_comment_line(text: bytes, offset: int) -> bool:
    # The reach keeps the time linear when a minified source has one line and many matches.
    reach = max(0, offset - _REACH)
    start = text.rfind(b"\n", reach, offset) + 1
    before = text[start:offset].lstrip()
    return start > 0 and before.startswith(_COMMENT_LEADS) and b"*/" not in before


def _may_begin_anew(text: bytes, offset: int) -> bool:
    """Tell whether a bracket behind the line end at *offset* may begin something new: a member, a statement."""
    before = text[max(0, offset - _REACH) : offset].rstrip()
    while (start := before.rfind(b"\n") + 1) and before[start:].lstrip().startswith(_COMMENT_LEADS):
        before = before[:start].rstrip()
    before = _LINE_COMMENT.sub(b"", before).rstrip()
    return before.endswith((b"}", b">", b"++", b"--", b"*/")) or _CAST.search(before) is not None
