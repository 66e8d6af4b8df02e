"""What a cached result depends on, besides the file itself.

A result may be used again only where scanning would give the same one. That depends on the file's bytes, path and role
(:func:`entry_id`) and on everything that a generation of results has in common (:class:`Generation`): the versions of
tool, grammars and Python, the scanner's own source code, and the options that reach the scan of a single file.

Options are taken the safe way round: every field of ``ScanOptions`` counts except those in
:data:`ACTS_AFTER_FILES`, so that a new field can make results miss but never go stale. The exceptions are safe because
a file is scanned from its shard's task alone, and none of them is in it: ``discovery`` and ``surface`` decide which
files are read and in which role, and ``depth`` how far they are read, and role and reading are part of the entry;
``resolution`` decides what is made of the results of all files, and ``packages`` what is shown of that.

Outcomes of whole packages are made after that, so every option but ``packages`` counts for them (:func:`package_generation_of`); what
they depend on besides is in :mod:`workers.cache.package_entries`.
"""

from __future__ import annotations

import hashlib
import platform
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from scanner.artifacts import tool_versions
from scanner.options import ScanOptions
from scanner.records import FileRole, Reading
from scanner.serialization import JsonValue, encode_line, to_json

ACTS_AFTER_FILES: Final = frozenset({"discovery", "surface", "depth", "resolution", "packages"})
"""Options that leave the result of a single file alone."""

_ACTS_AFTER_PACKAGES: Final = frozenset({"packages"})
"""Options that leave the outcome of a single package alone."""

_PACKAGES: Final = ("scanner", "workers.cache")
_WORKER_CODE: Final = "shards.py"
_ID_BYTES: Final = 20


@dataclass(frozen=True, slots=True)
class Generation:
    """What results that may stand in for each other have in common.

    Attributes:
        key: Digest of all of it.
        label: The versions among it as one line of JSON, for people.
    """

    key: bytes
    label: str


def generation_of(options: ScanOptions) -> Generation:
    """Return the generation that results made here and now, with these options, belong to."""
    return _generation(options, ACTS_AFTER_FILES)


def package_generation_of(options: ScanOptions) -> Generation:
    """Return the generation of outcomes of whole packages; every option that shapes one counts."""
    return _generation(options, _ACTS_AFTER_PACKAGES)


def _generation(options: ScanOptions, without: frozenset[str]) -> Generation:
    shaping = {
        field.name: to_json(getattr(options, field.name))
        for field in fields(options)
        if field.name not in without
    }
    versions = tool_versions()
    parts: dict[str, JsonValue] = {
        **versions,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "unicode": unicodedata.unidata_version,
        "sources": source_digest().hex(),
        "options": to_json(shaping),
        "without": to_json(sorted(without)),
    }
    return Generation(hashlib.sha256(encode_line(parts)).digest(), encode_line(versions).decode().strip())


def entry_id(generation: Generation, path: str, role: FileRole, reading: Reading, content: bytes) -> bytes:
    """Return the name of a result: generation, root-relative path, role, reading and digest of the content as one."""
    name = b"\0".join((path.encode("utf-8", "surrogatepass"), role.value.encode(), reading.value.encode()))
    return hashlib.blake2b(generation.key + content + name, digest_size=_ID_BYTES).digest()


@cache
def source_digest() -> bytes:
    """Return the digest of the source code that makes and encodes results.

    It keeps a development checkout, whose version does not change with its code, from using results of older code.
    """
    digest = hashlib.sha256()
    sources = [("shards", (files("workers") / _WORKER_CODE).read_bytes())]
    for package in _PACKAGES:
        sources.extend(_python_files(files(package), package))
    for name, data in sources:
        digest.update(f"{name}\0{len(data)}\0".encode())
        digest.update(data)
    return digest.digest()


def _python_files(directory: Traversable, name: str) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(directory.iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".py"):
            yield f"{name}/{entry.name}", entry.read_bytes()
        elif entry.is_dir():
            yield from _python_files(entry, f"{name}/{entry.name}")
