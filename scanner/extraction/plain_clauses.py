"""Import and export clauses that are written plainly, read from their bytes at a fraction of what their nodes cost.

*Plain* means ASCII words with blanks between them and a module specifier without escapes: no comment, no string for a
name, no attributes, and no name that could as well be a keyword of the clause. Nearly all clauses are plain; what is
not is left to those who read nodes, and both ways give the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from scanner.syntax.nodes import text_as_parsed
from scanner.syntax.source import SourceText

BLANKS: Final = r"[ \t\r\n]*+"
WORD_ENDS: Final = r"(?![\w$])"
NAME: Final = rf"(?!(?:as|from|type|typeof){WORD_ENDS})[A-Za-z_$][\w$]*+"
AS_NAME: Final = rf"as[ \t\r\n]++{NAME}"
TYPE_KEYWORD: Final = rf"type{WORD_ENDS}{BLANKS}(?=[\w$\{{*])(?!from{WORD_ENDS})"
_SPECIFIER: Final = rf"(?:type[ \t\r\n]++)?+{NAME}(?:[ \t\r\n]++{AS_NAME})?+{BLANKS}"
NAMES: Final = rf"{BLANKS}(?:{_SPECIFIER}(?:,{BLANKS}|(?=\}})))*+"
"""What stands in braces; :func:`plain_names` reads it."""

MODULE: Final = r"(?:'[ !#-&(-\[\]-~]*+'|\"[ !#-&(-\[\]-~]*+\")"
"""A module specifier with its quotes; it holds neither quotes nor a backslash."""


def plain_clause(pattern: str) -> re.Pattern[str]:
    """Return the pattern of a whole statement, made of the parts above."""
    return re.compile(f"{pattern}{BLANKS};?+", re.ASCII)


def match_plain(
    clause: re.Pattern[str], source: SourceText, statement: Node
) -> tuple[str | None, ...] | None:
    """Return the groups of *clause* when it matches the whole of *statement*, else None."""
    text = text_as_parsed(source, statement)
    found = None if text is None else clause.fullmatch(text.decode("latin-1"))  # only ASCII can match
    return None if found is None else found.groups()


def plain_names(names: str) -> Iterator[tuple[str, str, bool]]:
    """Yield what each entry in braces names, which name it gives that, and whether it is for types alone."""
    for entry in names.split(","):
        words = entry.split()
        if words:  # nothing stands behind the last comma
            is_type = words[0] == "type"
            yield words[is_type], words[-1], is_type
