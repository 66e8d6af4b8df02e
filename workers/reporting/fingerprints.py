"""A name for each finding that survives edits elsewhere in its file.

A fingerprint is made of what a finding is about, never of where it stands: the code, the path, the decorator, and
the source expression (or, where there is none, the message without the positions and sizes it mentions). Equal
findings of one file are told apart by counting them in source order: the first one has occurrence 0, and a further
one gets a fingerprint that was not there before. Line numbers, columns, severity, hints, and the white space inside
expressions have no part in it.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from scanner.diagnostics import Diagnostic
from workers.reporting.wording import in_order

FINGERPRINT_LENGTH: Final = 32
"""Hexadecimal digits of a fingerprint."""

_SCHEME: Final = "1"
_POSITION: Final = re.compile(
    r"(?P<word>\b(?:lines?|columns?|col|offset|bytes?|limit of)\s)\d+|\b\d+(?P<unit>\s(?:bytes?|lines?|columns?)\b)"
    r"|(?P<file>\.\w{1,6}):\d+(?::\d+)?\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Fingerprinted:
    """A finding with its fingerprint.

    Attributes:
        diagnostic: The finding.
        fingerprint: 32 lower-case hexadecimal digits; no two findings of one run share them.
    """

    diagnostic: Diagnostic
    fingerprint: str


def fingerprinted(diagnostics: Iterable[Diagnostic]) -> list[Fingerprinted]:
    """Return *diagnostics* in their order, each with its fingerprint, whatever order they came in."""
    seen: Counter[tuple[str, ...]] = Counter()
    result: list[Fingerprinted] = []
    for diagnostic in in_order(diagnostics):
        identity = _identity(diagnostic)
        result.append(Fingerprinted(diagnostic, _digest((*identity, str(seen[identity])))))
        seen[identity] += 1
    return result


def without_positions(message: str) -> str:
    """Return *message* with white space evened out and ``#`` for each line, column, offset and size it mentions."""
    return _POSITION.sub(_mask, " ".join(message.split()))


def _mask(match: re.Match[str]) -> str:
    if match["word"]:
        return f"{match['word']}#"
    return f"#{match['unit']}" if match["unit"] else f"{match['file']}:#"


def _identity(diagnostic: Diagnostic) -> tuple[str, ...]:
    if diagnostic.expression is not None:
        # Formatters move white space about; the same expression laid out anew is the same finding.
        about = ("expression", "".join(diagnostic.expression.split()))
    else:
        about = ("message", without_positions(diagnostic.message))
    return (diagnostic.code, diagnostic.file_path, diagnostic.decorator or "", *about)


def _digest(parts: tuple[str, ...]) -> str:
    # Lengths keep ("ab", "c") and ("a", "bc") apart; surrogatepass takes file names that are no UTF-8.
    encoded = [part.encode("utf-8", "surrogatepass") for part in (_SCHEME, *parts)]
    framed = b"".join(b"%d:%b" % (len(part), part) for part in encoded)
    return hashlib.sha256(framed).hexdigest()[:FINGERPRINT_LENGTH]
