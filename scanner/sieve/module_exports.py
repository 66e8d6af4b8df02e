"""What a source takes from other modules and gives on, read from its bytes.

A class can only come from another package to one of this package's classes by way of a source that imports it and
either extends it or exports it again. The modules that such a source names are its *leads*.
"""

from __future__ import annotations

import re
from typing import Final

from scanner.js.strings import unescape_string
from scanner.module_paths import stays_below

ANY_MODULE: Final = "*"
"""The lead of a source whose bytes do not tell which modules it imports."""

_TRIVIA: Final = rb"(?:[ \t\n\v\f\r]|/\*(?s:.){0,2000}?\*/|//[\x00-\x09\x0b\x0c\x0e-\x7f]*+[\n\r])*+"
_BLANKS: Final = rb"[ \t\n\v\f\r\x80-\xff]*+"
_NAME: Final = rb"[A-Za-z0-9_$]++"
_ENDS: Final = rb"(?![A-Za-z0-9_$])"
_CLAUSE_HEAD: Final = rb"xport(?<=export)" + _BLANKS + rb"(?:type" + _ENDS + _BLANKS + rb")?+"
"""``export`` and what may follow; sought by its second letter, since the first is the commonest of all."""

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

_GAP: Final = (
    rb"(?:[ \t\n\v\f\r\x80-\xff]|/\*(?s:.){0,2000}?\*/|//(?:[^\n\r\xe2]|\xe2(?!\x80[\xa8\xa9]))*+[\n\r])*+"
)
"""What may stand between ``from`` and a string; any character beyond ASCII counts as a blank."""

_FROM: Final = re.compile(
    rb"from"
    + _GAP
    + rb"(?:'((?:[^'\\\n\r]|\\(?s:.))*+)'|\"((?:[^\"\\\n\r]|\\(?s:.))*+)\"|(/(?:\*|/(?![^\n\r\xe2]*+\Z))))"
)


def may_export_others(data: bytes) -> bool:
    """Tell whether a source may export what it does not declare in the same statement; False is a proof."""
    return b"export" in data and _GIVES_ON.search(data) is not None


def may_rename_exports(data: bytes) -> bool:
    """Tell whether a source may export something of another module under a name of its own; False is a proof."""
    if b"export" not in data or _CLAUSE.search(data) is None:
        return False
    return _RENAMING.search(data) is not None or _DEFAULT_IMPORT.search(data) is not None


def leads_of(data: bytes) -> tuple[str, ...]:
    """Return the modules from which a source may extend or export a class of another package.

    Those in its own directory and below are left out. :data:`ANY_MODULE` alone stands for all when the bytes do not
    tell.
    """
    if b"from" not in data or not (b"extends" in data or may_export_others(data)):
        return ()
    leads: dict[str, None] = {}
    for found in _FROM.finditer(data):
        written = found[1] if found[1] is not None else found[2]
        module = None if written is None else unescape_string(written.decode("utf-8", "replace"))
        if module is None:
            return (ANY_MODULE,)
        if not stays_below(module):
            leads[module] = None
    return tuple(leads)
