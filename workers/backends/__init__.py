"""Where shards are scanned: in this process, in processes of this machine, or on a Ray cluster.

Backends differ in where the one shard function runs and in nothing else. A backend reports a task whose worker died
as lost; what to do about losses is decided once, in :mod:`workers.recovery`.
"""
