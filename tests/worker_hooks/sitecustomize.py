"""Makes workers misbehave on the content of files; only on the path of processes that tests start for that."""

import contextlib
import os
import re
import time
from pathlib import Path

with contextlib.suppress(ImportError):
    import workers.shards

    _scan = workers.shards.sift_bytes

    def _misbehave(data, *arguments):
        if b"ABORT-THE-WORKER" in data:
            os.abort()
        if b"SLEEP-FOR-LONG" in data:
            time.sleep(60)
        if b"SLEEP-A-LITTLE" in data:
            time.sleep(0.1)
        gate = re.search(rb"WAIT-AT (\S+)", data)
        if gate is not None:
            _wait_at(Path(os.fsdecode(gate[1])))
        return _scan(data, *arguments)

    def _wait_at(gate):
        """Say which process waits, and wait until the gate is opened; see ``gates.py``."""
        (gate / str(os.getpid())).touch()
        while not (gate / "open").exists():
            time.sleep(0.02)

    workers.shards.sift_bytes = _misbehave
