"""Cheap looks at bytes, for the bulk of files that need no repair.

A hint says that something *may* stand in a source. It must not miss what it looks for in code as people write it; a
hit costs a tokenizing and nothing else.
"""

from __future__ import annotations

import re
from typing import Final

LINE_BREAK: Final = (
    rb"[ \t]*+(?://[^\r\n]*+)?+[\r\n]\s*+(?:(?://[^\r\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/)\s*+)*+"
)
"""Pattern for a gap between tokens with a line end in it, comments included."""

_COMMENT_LEADS: Final = (b"*", b"//", b"/*")
_REACH: Final = 200


def occurs_in_code(pattern: re.Pattern[bytes], data: bytes) -> bool:
    """Tell whether *pattern* matches anywhere but on lines that are comments from their beginning."""
    return any(not _is_comment_line(data, match.start()) for match in pattern.finditer(data))


def _is_comment_line(data: bytes, offset: int) -> bool:
    # The reach keeps the time linear when a minified source has one line and many matches.
    reach = max(0, offset - _REACH)
    start = data.rfind(b"\n", reach, offset) + 1
    before = data[start:offset].lstrip()
    return start > 0 and before.startswith(_COMMENT_LEADS) and b"*/" not in before
