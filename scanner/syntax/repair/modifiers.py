"""Modifier words before a class member: which of them clash, and an order that the grammar reads.

The language allows some orders that the grammar does not (``abstract override readonly``, ``static declare``), and
the grammar gives up on orders that the language forbids (``readonly static``). Either way the words are put into an
order that is read, so that the member keeps what they say; a forbidden one is a fault besides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

ACCESSIBILITY: Final = (b"public", b"protected", b"private")

_READ_FIELD: Final = re.compile(
    rb"(?:declare(?: A)?|A(?: declare)?)?(?: ?static)?(?: ?override)?(?: ?readonly)?"
    rb"|(?:declare(?: A)?|A(?: declare)?)?(?: ?abstract)?(?: ?readonly)?"
    rb"|(?:declare(?: A)?|A(?: declare)?)?(?: ?readonly)?(?: ?abstract)?"
    rb"|(?:A )?accessor"
)
_READ_METHOD: Final = re.compile(
    rb"A?(?: ?static)?(?: ?override)?(?: ?readonly)?(?: ?async)?(?: ?(?:get|set))?|A? ?abstract(?: override)?(?: (?:get|set))?"
)

_MUST_PRECEDE: Final = {
    b"public": (b"abstract", b"override", b"static", b"accessor", b"readonly", b"async"),
    b"abstract": (b"override", b"accessor"),
    b"declare": (b"abstract",),
    b"static": (b"readonly", b"async", b"accessor", b"override"),
    b"override": (b"readonly", b"accessor", b"async"),
}
"""A word, and the words that must not stand before it; ``public`` stands for all three."""

_NEVER_TOGETHER: Final = (
    frozenset((b"static", b"abstract")),
    frozenset((b"private", b"abstract")),
    frozenset((b"async", b"abstract")),
    frozenset((b"readonly", b"accessor")),
    frozenset((b"declare", b"accessor")),
    frozenset((b"declare", b"override")),
    frozenset((b"declare", b"async")),
)
_NEVER_ON_FIELDS: Final = frozenset((b"async", b"get", b"set"))
_NEVER_ON_METHODS: Final = frozenset((b"readonly", b"declare", b"accessor"))
_NEVER_ON_ACCESSORS: Final = frozenset((b"declare", b"accessor"))


def clashing(words: Sequence[bytes], *, is_method: bool) -> list[int]:
    """Return the positions in *words* of those that the language forbids where they stand.

    A word clashes with the ones before it; what stands first is right.
    """
    forbidden = _NEVER_ON_METHODS if is_method else _NEVER_ON_FIELDS
    if is_method and (b"get" in words or b"set" in words):
        forbidden = _NEVER_ON_ACCESSORS
    found: list[int] = []
    seen: set[bytes] = set()
    for position, word in enumerate(words):
        general = b"public" if word in ACCESSIBILITY else word
        is_late = any(later in seen for later in _MUST_PRECEDE.get(general, ()))
        is_repeated = general in seen
        has_foe = any(word in foes and foes & seen for foes in _NEVER_TOGETHER)
        if word in forbidden or is_late or is_repeated or has_foe:
            found.append(position)
        seen |= {general, word}
    return found


def is_read_by_grammar(words: Sequence[bytes], *, is_method: bool) -> bool:
    """Tell whether the TypeScript grammar reads *words* in the order given."""
    joined = b" ".join(b"A" if word in ACCESSIBILITY else word for word in words)
    pattern = _READ_METHOD if is_method else _READ_FIELD
    return pattern.fullmatch(joined) is not None


def readable_order(words: Sequence[bytes], *, is_method: bool) -> list[bytes]:
    """Return those of *words* that a record keeps, in an order that the grammar reads.

    The first accessibility wins. ``accessor`` and ``abstract`` hide a member, so that nothing else matters on it;
    ``override`` and ``declare`` leave no trace.
    """
    access = [word for word in words if word in ACCESSIBILITY][:1]
    if is_method:
        kinds = [word for word in words if word in {b"get", b"set"}][:1]
        if b"abstract" in words:
            return [*access, b"abstract", *kinds]
        flags = [word for word in (b"static", b"async") if word in words and not (kinds and word == b"async")]
        return [*access, *flags, *kinds]
    if b"accessor" in words:
        return [*access, b"accessor"]
    flags = [word for word in (b"static", b"abstract", b"readonly") if word in words]
    if b"abstract" in words:
        flags.remove(b"static") if b"static" in flags else None
    return [*access, *flags]
