"""Where the cache of results is when nobody says; apart, so that commands without a cache load none of it."""

from __future__ import annotations

from pathlib import Path

import platformdirs


def default_cache_directory() -> Path:
    """Return the directory for the cache that the user's platform and environment suggest."""
    return platformdirs.user_cache_path("scan-cluster", appauthor=False)
