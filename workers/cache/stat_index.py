"""When a file counts as unchanged without reading it.

A file's content is taken for known when its device, inode, size, modification and change time are those that were
noted just before it was last read. That holds only if every later write shows in those values. A write within the
same tick of the file system's clock as the noted one would not, so a file is noted only when its times lay well before
the moment of looking (the rule that git applies to its index): otherwise it is read again next time. Setting the
modification time back does not help a writer, since that moves the change time.
"""

from __future__ import annotations

import hashlib
import os
import stat
import struct
from dataclasses import dataclass
from typing import Final

SAFE_AGE_NS: Final = 2_000_000_000
"""How much older than the look a file's times must be: no common file system has a coarser clock than 2 s."""

_PACKED: Final = struct.Struct("<QQqqq")
_PATH_BYTES: Final = 16
_UNSIGNED: Final = 2**64 - 1


@dataclass(frozen=True, slots=True)
class FileLook:
    """What one look at a file showed.

    Attributes:
        path_id: Digest of the absolute path.
        state: Device, inode, size, modification and change time, packed.
        is_settled: Whether a later write must show in *state*.
        size: Bytes.
    """

    path_id: bytes
    state: bytes
    is_settled: bool
    size: int


def look_at(path: str, now_ns: int) -> FileLook | None:
    """Look at a file, links followed, without opening it.

    Args:
        path: Absolute path.
        now_ns: The time, taken before this call, in nanoseconds since the epoch.

    Returns:
        What it shows; None for anything but a regular file that can be seen.
    """
    try:
        status = os.stat(path)  # noqa: PTH116 -- one call a file, of many thousands
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    modified, changed = status.st_mtime_ns, status.st_ctime_ns
    try:
        state = _PACKED.pack(
            status.st_dev & _UNSIGNED, status.st_ino & _UNSIGNED, status.st_size, modified, changed
        )
    except struct.error:
        return None
    path_id = hashlib.blake2b(os.fsencode(path), digest_size=_PATH_BYTES).digest()
    return FileLook(path_id, state, max(modified, changed) < now_ns - SAFE_AGE_NS, status.st_size)
