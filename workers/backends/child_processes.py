"""How Python processes are started from here, so that they run no code but the scanner's and no signal strikes too soon."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import Final

_SAFE_PATH: Final = "PYTHONSAFEPATH"


@contextmanager
def starting_safely() -> Iterator[None]:
    """Let Python processes that are started meanwhile import nothing from the current directory, and hear no interrupt.

    Python lets a process that is given its code as an argument import from the current directory first, even modules of
    the standard library. Scans start in the tree that is scanned, and what lies there must never run. Until the new
    process has prepared itself, a Ctrl-C of the terminal, which reaches it too, would end it with a traceback.
    """
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        resource_tracker.ensure_running()  # it starts with the others otherwise, and lets signals through again
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    finally:
        if before is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = before
