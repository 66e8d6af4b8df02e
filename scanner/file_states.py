"""What a file looked like when it was listed: enough to tell later, without reading it, that nobody wrote to it.

A state is device, inode, size, modification and change time. A later write shows in these values unless it falls into
the same tick of the file system's clock; whoever relies on a state has to mind how old it was (see
:func:`latest_change_ns`).
"""

from __future__ import annotations

import os
import struct
from typing import Final

UNKNOWN_STATE: Final = b""
"""The state of a file that nobody looked at; no other state equals it."""

_PACKED: Final = struct.Struct("<QQqqq")
_UNSIGNED: Final = 2**64 - 1


def state_of(status: os.stat_result) -> bytes:
    """Return the state that a look at a file showed; :data:`UNKNOWN_STATE` where it cannot be told."""
    try:
        return _PACKED.pack(
            status.st_dev & _UNSIGNED,
            status.st_ino & _UNSIGNED,
            status.st_size,
            status.st_mtime_ns,
            status.st_ctime_ns,
        )
    except struct.error:
        return UNKNOWN_STATE


def latest_change_ns(state: bytes) -> int:
    """Return when a known state's file was last written or changed, in nanoseconds since the epoch."""
    _, _, _, modified, changed = _PACKED.unpack(state)
    return int(max(modified, changed))
