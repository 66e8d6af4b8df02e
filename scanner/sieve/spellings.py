"""How a text may be spelled in source: with escapes, in part or in whole."""

from __future__ import annotations

import re


def spelling_of(text: str) -> re.Pattern[bytes]:
    """Return a pattern for *text*, ASCII, as a string literal or an identifier may spell it.

    Each character may stand for itself or as any escape that means it, and a string may go on in the next line.
    """
    continuation = rb"(?:\\(?:\r\n|[\r\n]|\xe2\x80[\xa8\xa9]))*+"
    return re.compile(continuation.join(_character_spelling(character) for character in text))


def _character_spelling(character: str) -> bytes:
    plain = re.escape(character)
    code = f"{ord(character):x}"
    hexadecimal = "".join(f"[{digit}{digit.upper()}]" for digit in code)
    escapes = f"x{hexadecimal}|u00{hexadecimal}|u\\{{0*+{hexadecimal}\\}}|0?{ord(character):o}|{plain}"
    return f"(?:{plain}|\\\\(?:{escapes}))".encode("ascii")
