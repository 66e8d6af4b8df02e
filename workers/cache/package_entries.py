"""Outcomes of whole packages in the cache: their names, what they depend on, and their bytes.

A package has one slot for each scanned directory and generation, so that what an edit made out of date is replaced
instead of kept. What lies in the slot counts only when one of its two keys is the package's present one. The first is
a digest of everything in the package that shapes its outcome: its own facts and the path, role and content of each of
its files. The second has the results of the files in the place of their contents: most edits change no declaration,
so that a file's result, and with it the package's outcome, stay the same. Configuration files that say
where imports lead stand in the entry with their digests; whoever reads it compares them. An outcome whose imports may
lead to packages that changed does not count either (:func:`scanner.outcomes.linked_to`).
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final

from scanner.file_states import UNKNOWN_STATE
from scanner.outcomes import PackageFacts, PackageOutcome
from scanner.packages import Package, PackageFiles
from scanner.serialization import encode_line, to_json
from workers.cache.codec import CodecError, decode_record, encode_record
from workers.cache.key import Generation

_LENGTHS: Final = struct.Struct("<IIII")
_ID_BYTES: Final = 20
_MAX_PART_BYTES: Final = 2**32 - 1


@dataclass(frozen=True, slots=True)
class PackageEntry:
    """What the cache holds about a package.

    Attributes:
        key: The package's :func:`package_key` of its files' contents when the outcome was made.
        meaning: The one of its files' results; empty when one of them cannot be kept.
        outcome: What its files came to.
        consulted: Digests of the configuration files that shaped the outcome, by root-relative path; None for one that
            was looked for and not there.
    """

    key: bytes
    meaning: bytes
    outcome: PackageOutcome
    consulted: Mapping[str, bytes | None]


@dataclass(frozen=True, slots=True)
class _Header:
    key: str
    meaning: str
    consulted: Mapping[str, str | None]
    facts: PackageFacts


def slot_id(generation: Generation, place: bytes, package: Package) -> bytes:
    """Return the name of a package's slot: generation, scanned directory and package directory as one digest."""
    directory = package.directory.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(
        generation.key + place + directory, digest_size=_ID_BYTES, person=b"package"
    ).digest()


def index_id(generation: Generation, place: bytes, package: Package) -> bytes:
    """Return the name by which the index of file states knows a package, as if it were a file.

    No file has such a name: none of a place has an empty path, and what follows names the generation.
    """
    return place + b"\0" + slot_id(generation, place, package)


def looks_of(generation: Generation, package: PackageFiles) -> bytes | None:
    """Return the digest of a package's facts and of what its files look like; None when a file's state is unknown."""
    states = [file.state for file in package.files]
    return None if UNKNOWN_STATE in states else _digest(generation, package, states)


def package_key(generation: Generation, package: PackageFiles, digests: Mapping[str, bytes]) -> bytes | None:
    """Return the digest of everything in a package that shapes its outcome.

    Args:
        generation: What outcomes that may stand in for each other have in common.
        package: The package with all its files.
        digests: Digests of the files' contents, or of their results, by path.

    Returns:
        The key; None when a file's digest is not known.
    """
    contents = [digests.get(file.path, b"") for file in package.files]
    return None if b"" in contents else _digest(generation, package, contents)


def _digest(generation: Generation, package: PackageFiles, of_files: list[bytes]) -> bytes:
    """Digest a package's facts, its files' paths and roles, and one text of a fixed size for each file."""
    paths = "\0".join([file.path for file in package.files])  # no path holds NUL
    roles = "\0".join([file.role.value for file in package.files])
    parts = (
        generation.key,
        encode_line(to_json(package.package)),
        paths.encode("utf-8", "surrogatepass"),
        roles.encode(),
        *of_files,
    )
    return hashlib.sha256(b"".join((*(b"%d " % len(part) for part in parts[:4]), *parts))).digest()


def encode_entry(entry: PackageEntry) -> bytes:
    """Return an entry as bytes.

    Raises:
        CodecError: It holds something that has no place in the cache, or too much of it.
    """
    consulted = {path: None if digest is None else digest.hex() for path, digest in entry.consulted.items()}
    outcome = entry.outcome
    header = encode_record(_Header(entry.key.hex(), entry.meaning.hex(), consulted, outcome.facts))
    parts = (header, outcome.manifest, outcome.lineage, outcome.class_lines)
    if max(map(len, parts)) > _MAX_PART_BYTES:
        raise CodecError(f"The outcome of {outcome.facts.package.directory!r} is too large")
    return b"".join((_LENGTHS.pack(*map(len, parts)), *parts))


def decode_entry(data: bytes) -> PackageEntry:
    """Return the entry that :func:`encode_entry` wrote.

    Raises:
        CodecError: The bytes are no entry.
    """
    if len(data) < _LENGTHS.size:
        raise CodecError("These bytes are no entry of a package")
    sizes = _LENGTHS.unpack_from(data)
    if len(data) != _LENGTHS.size + sum(sizes):
        raise CodecError("These bytes are no entry of a package")
    ends = list(accumulate(sizes, initial=_LENGTHS.size))
    head, *parts = (data[start:end] for start, end in pairwise(ends))
    header = decode_record(head, _Header)
    try:
        key, meaning = bytes.fromhex(header.key), bytes.fromhex(header.meaning)
        consulted = {
            path: None if digest is None else bytes.fromhex(digest)
            for path, digest in header.consulted.items()
        }
    except (ValueError, TypeError, AttributeError) as error:
        raise CodecError(f"These bytes are no entry of a package: {error}") from error
    return PackageEntry(key, meaning, PackageOutcome(header.facts, *parts), consulted)
