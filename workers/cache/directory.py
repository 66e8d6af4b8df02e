"""The directory that holds the cache: how it is recognised, prepared, set right and cleared.

A user may name any directory, so nothing is written to one that holds other things, and nothing is removed but the
files that the cache itself makes, by name. The directory is marked by the tag that backup programs know for caches.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

DATABASE: Final = "results.sqlite3"
DAMAGED: Final = "results.damaged"
LOCK: Final = "lock"
TAG: Final = "CACHEDIR.TAG"
_COMPANIONS: Final = (f"{DATABASE}-wal", f"{DATABASE}-shm", f"{DATABASE}-journal")
_OURS: Final = (*_COMPANIONS, DATABASE, DAMAGED, LOCK, TAG)
"""Every name that the cache makes; the tag last, so that an interrupted clearing can be repeated."""

_SIGNATURE: Final = b"Signature: 8a477f597d28d172789f06886806bc55"
_TAG_CONTENT: Final = (
    _SIGNATURE + b"\n# Scan results of scan-cluster. They can be removed at any time.\n"
    b"# About this tag: https://bford.info/cachedir/\n"
)


class ForeignDirectoryError(Exception):
    """A directory holds things that the cache did not make."""


def is_cache_directory(directory: Path) -> bool:
    """Tell whether a directory is a cache: it has our tag, or our database and nothing that is not ours.

    Raises:
        OSError: The directory cannot be read.
    """
    try:
        with (directory / TAG).open("rb") as file:
            if file.read(len(_TAG_CONTENT)) == _TAG_CONTENT:
                return True
    except OSError:
        pass  # no tag, or none that can be read: the names decide
    names = set(os.listdir(directory))  # noqa: PTH208 -- names are wanted, not paths
    return DATABASE in names and names <= set(_OURS)


def prepare(directory: Path) -> None:
    """Make a directory ready to hold a cache.

    Raises:
        ForeignDirectoryError: It holds something else.
        OSError: It cannot be made or written.
    """
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    if is_cache_directory(directory) and (directory / TAG).exists():
        return
    if not set(os.listdir(directory)) <= set(_OURS):  # noqa: PTH208 -- names are wanted, not paths
        raise ForeignDirectoryError(f"{directory} holds files that are none of a cache")
    (directory / TAG).write_bytes(_TAG_CONTENT)


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Keep other processes from setting the same database aside at the same time.

    Raises:
        OSError: The lock file cannot be made.
    """
    descriptor = os.open(directory / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def database_identity(directory: Path) -> tuple[int, int] | None:
    """Return device and inode of the database, or None where there is none."""
    try:
        status = (directory / DATABASE).stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def set_aside(directory: Path, identity: tuple[int, int] | None) -> None:
    """Move a damaged database out of the way, unless another process has replaced it meanwhile.

    Args:
        directory: The cache.
        identity: What :func:`database_identity` said about the damaged one.

    Raises:
        OSError: It cannot be moved.
    """
    with locked(directory):
        if identity is None or database_identity(directory) != identity:
            return
        (directory / DATABASE).replace(directory / DAMAGED)
        for name in _COMPANIONS:
            # A journal that outlives its database would be played into the next one.
            (directory / name).unlink(missing_ok=True)


def disk_usage(directory: Path) -> int:
    """Return the bytes that the cache's files take."""
    total = 0
    for name in _OURS:
        try:
            total += (directory / name).lstat().st_size
        except OSError:
            continue
    return total


def clear(directory: Path) -> None:
    """Remove the cache's files, and the directory if nothing else is in it.

    Raises:
        ForeignDirectoryError: The directory is no cache.
        OSError: Something cannot be removed.
    """
    if not is_cache_directory(directory):
        raise ForeignDirectoryError(f"{directory} is no cache of scan results")
    for name in _OURS:
        (directory / name).unlink(missing_ok=True)
    if not os.path.islink(directory) and not os.listdir(directory):  # noqa: PTH114, PTH208 -- as above
        directory.rmdir()
