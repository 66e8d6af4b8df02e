r"""Whether a source mentions SMRT at all: the first sieve, a search or two over the bytes.

Everything that makes a model, a declaration of the agent surface or an import listed in the index holds ``smrt`` or
``Smrt``: the decorator, the framework's bases, its packages. Both words can be spelled with escapes, in identifiers
(``sm\u0072t``) and in module specifiers (``'…/\x73mrt-core'``), and are found all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from scanner.sieve.spellings import spelling_of

_WORDS: Final = (b"smrt", b"Smrt")
_ENDING: Final = re.compile(rb"mrt")
"""What both words share: one search rules out nearly every file. An expression looks for the first letter, which is
rarer than the last one, for which a search for bytes would look."""

_CODES: Final = rb"53|73|6[dD]|72|74"
"""The letters S, s, m, r and t in hexadecimal."""

_ESCAPED_LETTER: Final = re.compile(
    rb"\\(?:u\{?+0*+(?:" + _CODES + rb")|x(?:" + _CODES + rb")|123|163|155|162|164"
    # A letter that means itself behind a backslash, and a string that goes on in the next line.
    rb"|[sS](?=m|\\[m\r\n\xe2])|m(?=r|\\[\r\n\xe2])|(?<=[sSmr]\\)[\r\n\xe2])"
)

_SPELLINGS: Final = tuple(spelling_of(word.decode()) for word in _WORDS)


def mentions_smrt(data: bytes, further_bases: Iterable[str] = ()) -> bool:
    """Tell whether a source may hold a model, agent-surface declarations or imports from SMRT packages.

    Args:
        data: The source's bytes.
        further_bases: Class names that count as framework bases beside the framework's own.

    Returns:
        False is a proof; True is none.
    """
    if _ENDING.search(data) is not None and any(word in data for word in _WORDS):
        return True
    if b"\\" in data and _ESCAPED_LETTER.search(data) and any(word.search(data) for word in _SPELLINGS):
        return True
    return any(_may_name(data, name) for name in further_bases)


def _may_name(data: bytes, name: str) -> bool:
    return name.encode("utf-8", "surrogatepass") in data or b"\\u" in data
