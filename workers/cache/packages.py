"""Outcomes of whole packages in the cache: found and kept as long as nothing in a package has changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from scanner.outcomes import PackageOutcome
from scanner.packages import PackageFiles
from scanner.records import Reading
from scanner.serialization import encode_line, to_json
from workers.cache.codec import CodecError
from workers.cache.contents import FileContents
from workers.cache.database import Database, FileRow
from workers.cache.guard import GuardedDatabase
from workers.cache.key import Generation, entry_id
from workers.cache.package_entries import (
    PackageEntry,
    decode_entry,
    encode_entry,
    index_id,
    looks_of,
    package_key,
    slot_id,
)
from workers.cache.stat_index import file_id
from workers.cache.writes import PendingWrites

_LONG_AGO: Final = 0
_PACKAGE_LIST: Final = ""
"""Stands for the names and directories of all packages among the paths of what was consulted."""


@dataclass(slots=True)
class PackageLookup:
    """What the cache knows about whole packages.

    Attributes:
        outcomes: Known outcomes by package directory.
        unread: Files of these packages that were not read.
        reread: Files of these packages that were read.
    """

    outcomes: dict[str, PackageOutcome] = field(default_factory=dict)
    unread: int = 0
    reread: int = 0


class PackageCache:
    """Outcomes of packages below one scanned directory.

    Args:
        guard: The database.
        writes: Takes what is to be kept.
        contents: The contents of the directory's files.
        generation: What the outcomes have in common.
        file_generation: What the results of the packages' single files have in common.
    """

    def __init__(
        self,
        guard: GuardedDatabase,
        writes: PendingWrites,
        contents: FileContents,
        generation: Generation,
        file_generation: Generation,
    ) -> None:
        self._guard = guard
        self._writes = writes
        self._contents = contents
        self._generation = generation
        self._file_generation = file_generation
        self._listing = b""

    def lookup(self, packages: Sequence[PackageFiles]) -> PackageLookup:
        """Find the outcomes of packages whose files and facts earlier runs saw.

        Packages are judged by what their files look like; the files of one that looks changed are identified.
        """
        found = PackageLookup()
        listed = [[item.package.directory, item.package.name] for item in packages]
        self._listing = hashlib.sha256(encode_line(to_json(listed))).digest()
        if not self._guard.holds(self._generation):
            return found
        unsure: list[PackageFiles] = []
        for package in packages:
            key = self._guard.attempt(partial(self._recalled_key, package), None)
            if key is not None and self._take(package, key, found):
                found.unread += len(package.files)
            else:
                unsure.append(package)
        self._contents.identify(file for package in unsure for file in package.files)
        for package in unsure:
            key = package_key(self._generation, package, self._contents.digests)
            if key is not None and self._take(package, key, found):
                self._note(package, key)
                unread = sum(file.path in self._contents.unread for file in package.files)
                found.unread += unread
                found.reread += len(package.files) - unread
        return found

    def store(self, package: PackageFiles, outcome: PackageOutcome, consulted: Iterable[str] = ()) -> None:
        """Keep the outcome of a package whose files were all identified or scanned.

        Args:
            package: The package with all its files.
            outcome: What they came to.
            consulted: Root-relative paths of configuration files that the outcome depends on, those among them that
                were looked for and are not there.
        """
        digests = self._contents.digests
        key = package_key(self._generation, package, digests)
        if key is None or not self._guard.is_usable:
            return
        meaning = package_key(self._generation, package, self._contents.results) or b""
        self._put(package, PackageEntry(key, meaning, outcome, self._state_of(consulted)))

    def confirm(self, package: PackageFiles) -> PackageOutcome | None:
        """Return the outcome of a package whose files changed, but none of their results, and keep it as its present one.

        The results of all its files have to be known by now: stored or scanned.
        """
        key = package_key(self._generation, package, self._contents.digests)
        meaning = package_key(self._generation, package, self._contents.results)
        if key is None or meaning is None:
            return None
        entry, _ = self._entry(package)
        if entry is None or entry.meaning != meaning or not self._holds(entry.consulted):
            return None
        self._put(package, PackageEntry(key, meaning, entry.outcome, entry.consulted))
        return entry.outcome

    def _put(self, package: PackageFiles, entry: PackageEntry) -> None:
        try:
            payload = encode_entry(entry)
        except CodecError:
            return  # such a package is put together anew each time
        self._writes.put_result(self._generation, self._slot(package), payload)
        self._note(package, entry.key)
        self._writes.flush_if_due()

    def _slot(self, package: PackageFiles) -> bytes:
        return slot_id(self._generation, self._contents.place, package.package)

    def _index_id(self, package: PackageFiles) -> bytes:
        return index_id(self._generation, self._contents.place, package.package)

    def _recalled_key(self, package: PackageFiles, database: Database) -> bytes | None:
        """Return the key of a package all of whose files look as they did when the index noted it."""
        row = database.known_file(self._index_id(package))
        looks = None if row is None else looks_of(self._generation, package)
        if row is None or looks is None or not self._contents.shows_content(row, looks):
            return None
        return row.content

    def _take(self, package: PackageFiles, key: bytes, found: PackageLookup) -> bool:
        """Add the outcome of a package that has this key to *found*; tell whether there is one."""
        entry, used = self._entry(package)
        if entry is None or entry.key != key or not self._holds(entry.consulted):
            return False
        found.outcomes[package.package.directory] = entry.outcome
        self._use(package, used)
        return True

    def _entry(self, package: PackageFiles) -> tuple[PackageEntry | None, int]:
        """Return what lies in the slot of a package, and when it was of use last."""
        slot = self._slot(package)
        results: Mapping[bytes, tuple[bytes | None, int]] = {}
        results = self._guard.attempt(lambda database: database.results([slot]), results)
        payload, used = results.get(slot, (None, 0))
        try:
            return None if payload is None else decode_entry(payload), used
        except CodecError:
            return None, used

    def _holds(self, consulted: Mapping[str, bytes | None]) -> bool:
        """Tell whether configuration files, and which packages there are, still are what they were."""
        return self._state_of(path for path in consulted if path != _PACKAGE_LIST) == consulted

    def _state_of(self, paths: Iterable[str]) -> dict[str, bytes | None]:
        """Return digests of configuration files, None for absent ones, and one of the list of packages beside them."""
        state = {path: self._contents.digest_of_config(path) for path in paths}
        return {**state, _PACKAGE_LIST: self._listing} if state else state

    def _use(self, package: PackageFiles, used: int) -> None:
        """Note that a package was of use, and with it what is known of its files, which is wanted when one changes."""
        if not self._writes.is_old(used):
            return
        self._writes.use_result(self._slot(package), used)
        self._contents.identify(package.files)
        for file in package.files:
            self._writes.use_file(file_id(self._contents.place, file.path), _LONG_AGO)
            digest = self._contents.digests.get(file.path)
            if digest is not None:
                for reading in Reading:
                    name = entry_id(self._file_generation, file.path, file.role, reading, digest)
                    self._writes.use_result(name, _LONG_AGO)

    def _note(self, package: PackageFiles, key: bytes) -> None:
        """Note which key a package had when its files looked like this, if a later write must show in that."""
        looks = looks_of(self._generation, package)
        if looks is not None and self._contents.are_settled(file.state for file in package.files):
            self._writes.put_file(FileRow(self._index_id(package), looks, key))
