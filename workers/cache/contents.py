"""Which content the files of a scanned directory have: told from what they look like, else by reading them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from scanner.diagnostics import Diagnostic
from scanner.file_states import UNKNOWN_STATE
from scanner.records import Reading
from scanner.resolution.config_files import MAX_MANIFEST_BYTES
from scanner.source_files import read_source_file
from scanner.sources import SourceFile
from workers.cache.content import content_digest
from workers.cache.database import Database, FileRow
from workers.cache.guard import GuardedDatabase
from workers.cache.stat_index import file_id, is_settled, place_of
from workers.cache.writes import PendingWrites

_DIGEST_BYTES: Final = 32


class FileContents:
    """The contents of the files below one scanned directory, as far as they are known.

    Args:
        root: The scanned directory.
        guard: The database.
        writes: Takes what is to be noted.
        opened_ns: A time before the files were listed, in nanoseconds since the epoch.
        max_file_bytes: Size over which a file has no content.

    Attributes:
        place: The directory, as the index knows it.
        digests: Digest of the content of each file that was identified or scanned, by path.
        results: Digest of the records of each file whose stored or new records were seen, by path.
        unread: Paths among them whose digest is known from what the file looked like.
    """

    def __init__(
        self,
        root: Path,
        guard: GuardedDatabase,
        writes: PendingWrites,
        opened_ns: int,
        max_file_bytes: int,
    ) -> None:
        self._base = os.path.realpath(root).rstrip("/") + "/"
        self._guard = guard
        self._writes = writes
        self._opened_ns = opened_ns
        self._max_file_bytes = max_file_bytes
        self.place = place_of(self._base)
        self.digests: dict[str, bytes] = {}
        self.results: dict[str, bytes] = {}
        self._configs: dict[str, bytes | None] = {}
        self._failed: set[str] = set()
        self.unread: set[str] = set()

    def identify(self, files: Iterable[SourceFile]) -> None:
        """Find out the digests of files that have none yet; a file that cannot be read keeps having none."""
        unknown = {
            file_id(self.place, file.path): file
            for file in files
            if file.path not in self.digests and file.path not in self._failed
        }
        if not unknown:
            return
        self._guard.attempt(partial(self._recall, unknown), None)
        for file in unknown.values():
            if file.path not in self.digests:
                self._read(file)

    def digest_of_config(self, path: str) -> bytes | None:
        """Return a digest of what a scan sees of a configuration file, which is none of the sources.

        Args:
            path: Root-relative path of the file. One that ends in a slash stands for a directory, of which only counts
                whether it is there.

        Returns:
            None for what does not exist.
        """
        if path not in self._configs:
            self._configs[path] = self._look_at(path)
        return self._configs[path]

    def _look_at(self, path: str) -> bytes | None:
        if path.endswith("/"):
            return content_digest(b"") if os.path.isdir(self._base + path) else None  # noqa: PTH112 -- text of the tree
        location = os.path.realpath(self._base + path)
        if not location.startswith(self._base):
            return content_digest(b"") if os.path.lexists(location) else None
        outcome = read_source_file(location, path, MAX_MANIFEST_BYTES)
        if not isinstance(outcome, Diagnostic):
            return content_digest(outcome)
        # What cannot be read is told apart by what is said about it.
        return (
            None
            if outcome.code == "file-vanished"
            else content_digest(outcome.message.encode("utf-8", "replace"))
        )

    def _recall(self, unknown: Mapping[bytes, SourceFile], database: Database) -> None:
        for row in database.known_files(self.place):
            file = unknown.get(row.id)
            if file is not None and self.shows_content(row, file.state):
                self.digests[file.path] = row.content
                self.unread.add(file.path)

    def _read(self, file: SourceFile) -> None:
        data = read_source_file(self._base + file.path, file.path, self._max_file_bytes)
        if not isinstance(data, Diagnostic):
            self.digests[file.path] = content_digest(data)
            self.note_file(file.path, file.state, self.digests[file.path])

    def shows_content(self, row: FileRow, state: bytes) -> bool:
        """Tell whether a row of the index says which content there is in what looks like *state*."""
        # A damaged row can hold anything.
        is_digest = isinstance(row.content, bytes) and len(row.content) == _DIGEST_BYTES
        if state == UNKNOWN_STATE or row.state != state or not is_digest:
            return False
        self._writes.use_file(row.id, row.used)
        return True

    def note_result(self, path: str, reading: Reading, payload: bytes) -> None:
        """Note the encoded result of a file, if it holds all that the file can contribute."""
        if reading is Reading.RECORDS:
            self.results[path] = content_digest(payload)

    def forget(self, path: str) -> None:
        """Take a file for one of unknown content, since it could not be scanned."""
        self.digests.pop(path, None)
        self.results.pop(path, None)
        self._failed.add(path)

    def note_file(self, path: str, state: bytes, digest: bytes) -> None:
        """Note which content a file had when it looked like *state*, if a later write must show in that."""
        if self.are_settled([state]):
            self._writes.put_file(FileRow(file_id(self.place, path), state, digest))

    def are_settled(self, states: Iterable[bytes]) -> bool:
        """Tell whether a write after the listing must show in each of the states that were listed."""
        return all(is_settled(state, self._opened_ns) for state in states)
