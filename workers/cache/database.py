"""The cache's SQLite database: its tables, batched reads and writes, and its bound.

Contract: results come out only with the checksum they went in with; a transaction is written wholly or not at all,
also when the process is killed; two processes may use one database. Errors of SQLite reach the caller as they are.
Memory-mapped reading stays off: a file truncated by someone else would kill the process.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from workers.cache.directory import locked
from workers.cache.key import Generation

APPLICATION_ID: Final = 0x5343_4C52
SCHEMA_VERSION: Final = 1
BATCH: Final = 500
"""Rows asked for at once; every SQLite takes so many parameters."""

_CHECKSUM_BYTES: Final = 8
_DAMAGE_CODES: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT})
_SCHEMA: Final = f"""
CREATE TABLE generations (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, label TEXT NOT NULL);
CREATE TABLE results (
    id BLOB PRIMARY KEY, generation INTEGER NOT NULL, used INTEGER NOT NULL, payload BLOB NOT NULL
);
CREATE TABLE files (
    id BLOB PRIMARY KEY, state BLOB NOT NULL, content BLOB NOT NULL, used INTEGER NOT NULL
) WITHOUT ROWID;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
"""
_COLUMNS: Final = {
    "generations": "id, key, label",
    "results": "id, generation, used, payload",
    "files": "id, state, content, used",
}


class DamagedDatabaseError(Exception):
    """The file is no database of ours, or not in good order."""


DATABASE_ERRORS: Final = (sqlite3.Error, DamagedDatabaseError, UnicodeError, OSError)
"""What working with a database can raise; messages of SQLite that quote damaged names are not always UTF-8."""


@dataclass(frozen=True, slots=True)
class FileRow:
    """An entry of the index of file states: which content a file had when it looked like *state*.

    Attributes:
        id: The file's name in the index.
        state: What it looked like.
        content: Digest of its content.
        used: When it was of use last, in seconds since the epoch; what is written counts as used now.
    """

    id: bytes
    state: bytes
    content: bytes
    used: int = 0


@dataclass(frozen=True, slots=True)
class Inventory:
    """What a database holds: counts, and for each generation its versions and number of results."""

    files: int
    results: int
    generations: tuple[tuple[str, int], ...]


def is_damage(error: BaseException) -> bool:
    """Tell whether an error means that the database file is damaged, as opposed to busy, full or out of reach."""
    code = getattr(error, "sqlite_errorcode", None)
    return isinstance(error, DamagedDatabaseError | UnicodeError) or (
        code is not None and code & 0xFF in _DAMAGE_CODES
    )


class Database:
    """An open database. Times of use are whole seconds since the epoch."""

    def __init__(self, path: Path, busy_seconds: float) -> None:
        """Open or create the database.

        Args:
            path: Its file.
            busy_seconds: How long to wait for another process's transaction.

        Raises:
            DamagedDatabaseError: There is a file that is no such database.
            sqlite3.Error: It cannot be opened.
            UnicodeError: It is so damaged that even the error cannot be told.
            OSError: The lock beside it cannot be made.
        """
        self._path = path
        self._connection = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None)
        try:
            self._set_up()
        except BaseException:
            self._connection.close()
            raise

    def _set_up(self) -> None:
        # Text comes back as bytes: what someone else wrote may be none.
        self._connection.text_factory = bytes
        if self._pragma("user_version") == 0:
            self._create()
        for pragma in (
            "synchronous = NORMAL",
            "cache_size = -8000",
            "journal_size_limit = 67108864",
            "mmap_size = 0",
            "trusted_schema = OFF",
        ):
            self._connection.execute(f"PRAGMA {pragma}").fetchall()
        if (self._pragma("application_id"), self._pragma("user_version")) != (APPLICATION_ID, SCHEMA_VERSION):
            raise DamagedDatabaseError("not a database of this tool's version")
        for table, columns in _COLUMNS.items():
            try:
                self._connection.execute(f"SELECT {columns} FROM {table} LIMIT 1").fetchall()  # noqa: S608 -- our names
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
                    raise
                raise DamagedDatabaseError(f"the table {table} is not as it was made") from error

    def _create(self) -> None:
        """Make the tables, unless another process was quicker or the file has other ones."""
        with locked(self._path.parent):
            if self._pragma("user_version") != 0 or self._count("sqlite_master"):
                return
            # Both stay with the file; the first works only before there are tables.
            self._connection.execute("PRAGMA auto_vacuum = INCREMENTAL").fetchall()
            self._connection.execute("PRAGMA journal_mode = WAL").fetchall()
            with self.transaction():
                for statement in _SCHEMA.split(";"):
                    self._connection.execute(statement)

    def close(self) -> None:
        """Close the database."""
        self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make writes within all at once, or none of them."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):  # the error that led here is the one to report
                self._connection.execute("ROLLBACK")
            raise

    def generation_number(self, key: bytes) -> int | None:
        """Return the number of a generation; None where nothing was ever stored for it."""
        row = self._connection.execute("SELECT id FROM generations WHERE key = ?", (key,)).fetchone()
        return None if row is None else int(row[0])

    def add_generation(self, generation: Generation) -> int:
        """Return the number of a generation, entered if need be; within a transaction."""
        self._connection.execute(
            "INSERT OR IGNORE INTO generations (key, label) VALUES (?, ?)", (generation.key, generation.label)
        )
        number = self.generation_number(generation.key)
        if number is None:
            raise DamagedDatabaseError("a row that was just written is not there")
        return number

    def known_files(self, place: bytes) -> Iterator[FileRow]:
        """Yield the rows of all files known in a place, in one read.

        Args:
            place: What the ids of the place's files begin with.
        """
        rows = self._connection.execute(
            "SELECT id, state, content, used FROM files WHERE id >= ? AND id < ?", (place, _behind(place))
        )
        return (FileRow(name, state, content, _seconds(used)) for name, state, content, used in rows)

    def known_file(self, name: bytes) -> FileRow | None:
        """Return the row of one file, if there is one."""
        row = self._connection.execute(
            "SELECT state, content, used FROM files WHERE id = ?", (name,)
        ).fetchone()
        return None if row is None else FileRow(name, row[0], row[1], _seconds(row[2]))

    def results(self, ids: Sequence[bytes]) -> dict[bytes, tuple[bytes | None, int]]:
        """Return payload and time of last use of the results that are there; no payload for a damaged one."""
        rows = self._select("SELECT id, payload, used FROM results WHERE id IN ({})", ids)
        return {name: (_checked(name, payload), _seconds(used)) for name, payload, used in rows}

    def put_results(self, generation: int, payloads: Mapping[bytes, bytes], used: int) -> None:
        """Enter results under their ids; within a transaction."""
        self._connection.executemany(
            "INSERT OR REPLACE INTO results (id, generation, used, payload) VALUES (?, ?, ?, ?)",
            ((name, generation, used, _checksum(name, data) + data) for name, data in payloads.items()),
        )

    def put_files(self, rows: Iterable[FileRow], used: int) -> None:
        """Enter file states; within a transaction."""
        self._connection.executemany(
            "INSERT OR REPLACE INTO files (id, state, content, used) VALUES (?, ?, ?, ?)",
            ((row.id, row.state, row.content, used) for row in rows),
        )

    def mark_used(self, results: Iterable[bytes], files: Iterable[bytes], used: int) -> None:
        """Note that results and file states were of use; within a transaction."""
        for table, ids in (("results", results), ("files", files)):
            statement = f"UPDATE {table} SET used = ? WHERE id = ?"  # noqa: S608 -- our names
            self._connection.executemany(statement, ((used, name) for name in ids))

    def evict(self, max_bytes: int) -> int:
        """Remove what was used longest ago until the rest takes at most nine tenths of *max_bytes*.

        Nothing happens while the content stays within *max_bytes*.

        Returns:
            How many results and file states were removed.
        """
        removed = 0
        target = max_bytes
        while (size := self._content_bytes()) > target:
            target = max_bytes * 9 // 10
            share = min(1.0, max(0.02, (size - target) / size))
            batch = self._remove_oldest(share)
            if not batch:
                break
            removed += batch
        if removed:
            # A plain execute() would take one step of it, and free one page.
            self._connection.executescript("PRAGMA incremental_vacuum")
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        return removed

    def inventory(self) -> Inventory:
        """Count what is there."""
        generations = self._connection.execute(
            "SELECT label, COUNT(results.id) FROM generations LEFT JOIN results ON generation = generations.id"
            " GROUP BY generations.id ORDER BY generations.id"
        ).fetchall()
        labels = ((bytes(label).decode("utf-8", "replace"), count) for label, count in generations)
        return Inventory(self._count("files"), self._count("results"), tuple(labels))

    def _remove_oldest(self, share: float) -> int:
        removed = 0
        with self.transaction():
            for table in ("results", "files"):
                count = int(self._count(table) * share) or min(1, self._count(table))
                statement = f"DELETE FROM {table} WHERE id IN (SELECT id FROM {table} ORDER BY used LIMIT ?)"  # noqa: S608
                removed += self._connection.execute(statement, (count,)).rowcount
            self._connection.execute(
                "DELETE FROM generations WHERE id NOT IN (SELECT generation FROM results)"
            )
        return removed

    def _content_bytes(self) -> int:
        return (self._pragma("page_count") - self._pragma("freelist_count")) * self._pragma("page_size")

    def _count(self, table: str) -> int:
        return int(self._connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])  # noqa: S608 -- our names

    def _pragma(self, name: str) -> int:
        return int(self._connection.execute(f"PRAGMA {name}").fetchone()[0])

    def _select(self, query: str, ids: Sequence[bytes]) -> Iterator[tuple[Any, ...]]:
        for start in range(0, len(ids), BATCH):
            part = ids[start : start + BATCH]
            yield from self._connection.execute(query.format(",".join("?" * len(part))), part)


def _behind(prefix: bytes) -> bytes:
    """Return the smallest text behind all those that begin with a prefix, which does not end in ``0xff``."""
    return prefix[:-1] + bytes([prefix[-1] + 1])


def _checksum(name: bytes, data: bytes) -> bytes:
    digest = hashlib.sha256(name)
    digest.update(data)
    return digest.digest()[:_CHECKSUM_BYTES]


def _seconds(value: Any) -> int:
    return value if isinstance(value, int) else 0  # a column can hold anything once someone else wrote it


def _checked(name: bytes, payload: Any) -> bytes | None:
    if not isinstance(payload, bytes):
        return None
    data = payload[_CHECKSUM_BYTES:]
    return data if payload[:_CHECKSUM_BYTES] == _checksum(name, data) else None
