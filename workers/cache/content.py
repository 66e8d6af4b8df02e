"""The digest by which the cache knows a file's content.

A module of its own, since workers need it and should not load the rest of the cache.
"""

from __future__ import annotations

import hashlib


def content_digest(data: bytes) -> bytes:
    """Return the digest (SHA-256, 32 bytes) of a file's bytes."""
    return hashlib.sha256(data).digest()
