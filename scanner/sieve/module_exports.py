"""Whether a source may give on what other modules declare, told from its bytes."""

from __future__ import annotations

import re
from typing import Final

_TRIVIA: Final = rb"(?:[ \t\n\v\f\r]|/\*(?s:.){0,2000}?\*/|//[\x00-\x09\x0b\x0c\x0e-\x7f]*+[\n\r])*+"
_BLANKS: Final = rb"[ \t\n\v\f\r\x80-\xff]*+"
_NAME: Final = rb"[A-Za-z0-9_$]++"
_ENDS: Final = rb"(?![A-Za-z0-9_$])"
_CLAUSE_HEAD: Final = rb"export" + _BLANKS + rb"(?:type" + _ENDS + _BLANKS + rb")?+"
_DECLARED_DEFAULT: Final = (
    rb"(?:function|async|class|abstract|interface|enum|new)"
    + _ENDS
    + rb"|[\[{'\"`]|"
    + _NAME
    + _BLANKS
    + rb"[(.`]"
)
_GIVES_ON: Final = re.compile(
    _CLAUSE_HEAD + rb"(?:[{*/]|default" + _ENDS + _BLANKS + rb"(?!" + _DECLARED_DEFAULT + rb"))"
)
_CLAUSE: Final = re.compile(_CLAUSE_HEAD + rb"[{/]")
_RENAMING: Final = re.compile(
    rb"(?<![A-Za-z0-9_$])as(?:"
    + _TRIVIA
    + _NAME
    + _TRIVIA
    + rb"[,}/\\\x80-\xff]|"
    + _TRIVIA
    + rb"[\\/'\"\x80-\xff])"
)
_DEFAULT_IMPORT: Final = re.compile(
    rb"(?<![A-Za-z0-9_$])import" + _TRIVIA + rb"(?!type" + _TRIVIA + rb"[{*])[A-Za-z_$\\/\x80-\xff]"
)


def may_export_others(data: bytes) -> bool:
    """Tell whether a source may export what it does not declare in the same statement; False is a proof."""
    return b"export" in data and _GIVES_ON.search(data) is not None


def may_rename_exports(data: bytes) -> bool:
    """Tell whether a source may export something of another module under a name of its own; False is a proof."""
    if b"export" not in data or _CLAUSE.search(data) is None:
        return False
    return _RENAMING.search(data) is not None or _DEFAULT_IMPORT.search(data) is not None
