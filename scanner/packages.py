"""Which package a source file belongs to.

A package is the nearest directory above a file whose package.json has a name; the scan root otherwise. Only
package.json files on the way from a source file up to the root are opened, never other ones.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Final

import orjson

from scanner.diagnostics import Diagnostic, diagnose
from scanner.source_files import read_source_file
from scanner.sources import SourceFile

PACKAGE_FILE: Final = "package.json"
_MAX_PACKAGE_BYTES: Final = 4 * 1024 * 1024
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Package:
    """A package of the scan.

    Attributes:
        directory: Root-relative POSIX path of its directory, ``""`` for the root.
        name: Name from package.json; None for a root without one.
        version: Version from package.json, if it is a string.
    """

    directory: str
    name: str | None
    version: str | None


@dataclass(frozen=True, slots=True)
class PackageAssignment:
    """Every file's package, and the package.json files that could not be used."""

    of_file: dict[str, Package]
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class PackageFiles:
    """A package with all its files, whatever they are read for, in path order."""

    package: Package
    files: tuple[SourceFile, ...]


def files_by_package(files: Iterable[SourceFile], assignment: PackageAssignment) -> tuple[PackageFiles, ...]:
    """Group files by their packages, packages in order of their directories."""
    members: dict[str, list[SourceFile]] = {}
    packages: dict[str, Package] = {}
    for file in sorted(files, key=attrgetter("path")):
        package = assignment.of_file[file.path]
        packages[package.directory] = package
        members.setdefault(package.directory, []).append(file)
    return tuple(
        PackageFiles(packages[directory], tuple(members[directory])) for directory in sorted(members)
    )


def assign_packages(root: str | os.PathLike[str], paths: Iterable[str]) -> PackageAssignment:
    """Find the package of each root-relative POSIX path in *paths*."""
    finder = _PackageFinder(os.fspath(root))
    of_directory: dict[str, Package] = {}
    of_file: dict[str, Package] = {}
    for path in paths:
        directory = path.rpartition("/")[0]
        if directory not in of_directory:
            of_directory[directory] = finder.package_of(directory)
        of_file[path] = of_directory[directory]
    remarks = [*finder.diagnostics, *_duplicates(of_directory.values())]
    return PackageAssignment(of_file, tuple(sorted(remarks, key=lambda diagnostic: diagnostic.sort_key)))


def _duplicates(packages: Iterable[Package]) -> Iterator[Diagnostic]:
    """Yield a remark about each package whose name an earlier one has already."""
    owners: dict[str, str] = {}
    for package in sorted(set(packages), key=attrgetter("directory")):
        if package.name is None:
            continue
        owner = owners.setdefault(package.name, package.directory)
        if owner != package.directory:
            yield diagnose(
                "duplicate-package",
                posixpath.join(package.directory, PACKAGE_FILE),
                f"The name {package.name} is also that of {posixpath.join(owner, PACKAGE_FILE)}, which imports by that"
                " name are taken to mean.",
                hint="Rename one of the two packages, or exclude the one that is a copy.",
            )


def read_package(
    root: str | os.PathLike[str], directory: str = ""
) -> tuple[Package | None, Diagnostic | None]:
    """Read the package.json of one directory.

    Returns:
        The package, or None when there is no package.json with a name; and what was wrong with the file, if anything.
    """
    shown = posixpath.join(directory, PACKAGE_FILE)
    location = Path(root, *directory.split("/"), PACKAGE_FILE)
    outcome = read_source_file(location, shown, _MAX_PACKAGE_BYTES)
    if isinstance(outcome, Diagnostic):
        return None, None if outcome.code == "file-vanished" else outcome
    try:
        content = orjson.loads(outcome.removeprefix(_BYTE_ORDER_MARK))
    except orjson.JSONDecodeError as error:
        return None, diagnose(
            "invalid-package-json",
            shown,
            f"Not valid JSON ({error.msg}, line {error.lineno}), so its directory counts as part of the package above.",
            hint="Mend the file, or exclude its directory.",
        )
    if not isinstance(content, dict) or not isinstance(content.get("name"), str) or not content["name"]:
        return None, None
    version = content.get("version")
    return Package(directory, content["name"], version if isinstance(version, str) else None), None


class _PackageFinder:
    def __init__(self, root: str) -> None:
        self._root = root
        self._known: dict[str, Package] = {}
        self.diagnostics: list[Diagnostic] = []

    def package_of(self, directory: str) -> Package:
        """Return the package of *directory*, remembering every directory on the way up."""
        passed: list[str] = []
        while directory not in self._known:
            package, diagnostic = read_package(self._root, directory)
            if diagnostic is not None:
                self.diagnostics.append(diagnostic)
            if package is None and directory:
                passed.append(directory)
                directory = posixpath.dirname(directory)
                continue
            self._known[directory] = package or Package("", None, None)
        found = self._known[directory]
        self._known.update(dict.fromkeys(passed, found))
        return found


def package_slugs(packages: Iterable[Package]) -> dict[Package, str]:
    """Give each package a directory name of its own, readable and safe on every file system.

    ``@acme/orders`` becomes ``acme__orders``. Packages whose names would meet, also on file systems that ignore
    case, get their directory's path added.
    """
    ordered = sorted(packages, key=lambda package: (package.name or "", package.directory))
    plain = {package: _safe(package.name or "root") for package in ordered}
    counts: dict[str, int] = {}
    for slug in plain.values():
        counts[slug.lower()] = counts.get(slug.lower(), 0) + 1
    slugs: dict[Package, str] = {}
    taken: set[str] = set()
    for package in ordered:
        slug = plain[package]
        if counts[slug.lower()] > 1:
            slug = f"{slug}--{_safe(package.directory or 'root')}"
        unique, number = slug, 1
        while unique.lower() in taken:
            number += 1
            unique = f"{slug}~{number}"
        taken.add(unique.lower())
        slugs[package] = unique
    return slugs


def _safe(name: str) -> str:
    text = name.removeprefix("@").replace("/", "__")
    safe = "".join(char if char.isascii() and (char.isalnum() or char in "._-") else "_" for char in text)
    return safe.lstrip(".") or "_"
