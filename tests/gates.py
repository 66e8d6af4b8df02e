"""Gates in sources: a worker with the hooks that scans such a file says so and waits, so that a test knows where it is."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Gate:
    """A directory in which waiting workers leave their process ids until someone opens the gate."""

    directory: Path

    @property
    def mark(self) -> str:
        """What a source holds to make its worker wait here."""
        return f"WAIT-AT {self.directory} "

    def waiting_workers(self, count: int) -> set[int]:
        """Return the process ids of waiting workers once there are *count*; each is in the middle of a shard."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            found = {int(entry.name) for entry in self.directory.iterdir()}
            if len(found) >= count:
                return found
            time.sleep(0.02)
        raise TimeoutError(f"fewer than {count} workers came to {self.directory}")

    def open(self) -> None:
        """Let all workers pass, those that wait and those to come."""
        (self.directory / "open").touch()


@contextmanager
def gate_at(directory: Path) -> Iterator[Gate]:
    """A closed gate, which is opened at last so that no worker waits for ever."""
    directory.mkdir()
    gate = Gate(directory)
    try:
        yield gate
    finally:
        gate.open()
