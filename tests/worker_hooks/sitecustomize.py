"""Makes workers misbehave on the content of files; only on the path of processes that tests start for that."""

import contextlib
import os
import time

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
        return _scan(data, *arguments)

    workers.shards.sift_bytes = _misbehave
