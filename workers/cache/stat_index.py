"""When a file counts as unchanged without reading it.

A file's content is taken for known when its state (device, inode, size, modification and change time) is the one that
was listed just before it was last read. That holds only if every later write shows in the state. A write within the
same tick of the file system's clock as the listed one would not, so a file is noted only when its times lay well before
the listing (the rule that git applies to its index): otherwise it is read again next time. Setting the modification
time back does not help a writer, since that moves the change time.
"""

from __future__ import annotations

import hashlib
import os
from typing import Final

from scanner.file_states import UNKNOWN_STATE, latest_change_ns

SAFE_AGE_NS: Final = 2_000_000_000
"""How much older than the listing a file's times must be: no common file system has a coarser clock than 2 s."""

_PLACE_BYTES: Final = 16
_PLACE_END: Final = b"/"


def is_settled(state: bytes, listed_ns: int) -> bool:
    """Tell whether a write after a listing must show in the state that was listed.

    Args:
        state: The file's state as listed.
        listed_ns: A time before the listing, in nanoseconds since the epoch.
    """
    return state != UNKNOWN_STATE and latest_change_ns(state) < listed_ns - SAFE_AGE_NS


def place_of(root: str) -> bytes:
    """Return the digest by which the index knows a scanned directory, given its absolute path with links resolved."""
    # The mark at its end keeps the ids of a place's files from meeting those of any other place.
    return hashlib.blake2b(os.fsencode(root), digest_size=_PLACE_BYTES).digest() + _PLACE_END


def file_id(place: bytes, path: str) -> bytes:
    """Return the name of a file in the index: the files of one place follow each other."""
    return place + path.encode("utf-8", "surrogatepass")
