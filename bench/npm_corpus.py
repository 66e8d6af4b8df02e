"""The corpus of real files: the TypeScript that npm packages ship, unpacked as packages of one monorepo.

npm downloads each package and checks its digest. Of a package its package.json and those sources are taken that every
contestant reads: no declarations, no tests, nothing hidden or built. A file whose bytes stood in an earlier package is
left out, so that all files differ.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

PACKAGES: Final = Path(__file__).with_name("npm_packages.txt")
_SOURCE: Final = re.compile(r"\.tsx?$")
_LEFT_OUT: Final = re.compile(
    r"\.d\.ts$|\.(test|spec)\.tsx?$|(^|/)(__tests__|node_modules|dist|build)/|(^|/)\."
)


class DownloadError(Exception):
    """A package could not be downloaded.

    Attributes:
        args: The package, and what npm said.
    """


def pinned_packages(listing: Path = PACKAGES) -> list[str]:
    """Return the packages of the list, as ``name@version``."""
    lines = (line.strip() for line in listing.read_text().splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def slug_of(package: str) -> str:
    """Return a directory name for ``name@version``."""
    return package.rpartition("@")[0].removeprefix("@").replace("/", "__")


def download(package: str, downloads: Path) -> Path:
    """Return the tarball of a package, from *downloads* or from npm.

    Raises:
        DownloadError: npm could not deliver it.
    """
    target = downloads / f"{slug_of(package)}-{package.rpartition('@')[2]}.tgz"
    if not target.exists():
        fresh = downloads / "fresh"
        fresh.mkdir(parents=True, exist_ok=True)
        command: list[str | Path] = ["npm", "pack", "--silent", "--pack-destination", fresh, package]
        try:
            finished = subprocess.run(command, capture_output=True, text=True, check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            detail = getattr(error, "stderr", "") or str(error)
            raise DownloadError(package, detail.strip()) from error
        (fresh / Path(finished.stdout.splitlines()[-1]).name).replace(target)
    return target


def is_corpus_source(path: str) -> bool:
    """Tell whether a file of a package, by its path in it, belongs into the corpus."""
    return _SOURCE.search(path) is not None and _LEFT_OUT.search(path) is None


def unpack(tarball: Path, directory: Path, seen: set[bytes] | None = None) -> int:
    """Write the sources of a package below *directory*.

    Args:
        tarball: What npm packed.
        directory: The package's place in the corpus.
        seen: Digests of all files so far; grows. None to take files whose bytes stood in another one, too.

    Returns:
        How many sources were written.
    """
    written = 0
    for path, data in _members(tarball):
        if is_corpus_source(path):
            if seen is not None:
                digest = hashlib.sha256(data).digest()
                if digest in seen:
                    continue
                seen.add(digest)
            written += 1
        elif path != "package.json":
            continue
        target = directory / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return written


def _members(tarball: Path) -> Iterator[tuple[str, bytes]]:
    """Yield path within the package and bytes of each regular file; paths that lead elsewhere are left out."""
    with tarfile.open(tarball) as archive:
        for member in archive:
            parts = PurePosixPath(member.name).parts
            content = archive.extractfile(member) if member.isfile() else None
            if content is not None and parts[0] != "/" and ".." not in parts and len(parts) > 1:
                yield "/".join(parts[1:]), content.read()
