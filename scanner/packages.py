"""Which package a source file belongs to.

A package is the nearest directory above a file whose package.json has a name; the scan root otherwise. Only
package.json and pnpm-workspace.yaml files on the way from a source file up to the root are opened, never other ones.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

import orjson

from scanner.diagnostics import Diagnostic, diagnose
from scanner.source_files import read_source_file
from scanner.sources import SourceFile
from scanner.workspaces import Workspaces, read_workspaces

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
    """Which package each file belongs to, and what package.json files say besides.

    Attributes:
        of_file: Every file's package.
        diagnostics: What is wrong with package.json files and with workspaces, sorted.
        workspaces: The workspaces that the packages are members of.
    """

    of_file: dict[str, Package]
    diagnostics: tuple[Diagnostic, ...]
    workspaces: Workspaces = field(default_factory=Workspaces)


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


def assign_packages(
    root: str | os.PathLike[str], paths: Iterable[str], inhabited: Iterable[str] = ()
) -> PackageAssignment:
    """Find the package of each file, and the workspaces that packages are members of.

    Args:
        root: The scan root.
        paths: Root-relative POSIX paths of the files.
        inhabited: Directories known to have a package.json, those of files among them or not.
    """
    finder = _PackageFinder(os.fspath(root))
    of_directory: dict[str, Package] = {}
    of_file: dict[str, Package] = {}
    for path in paths:
        directory = path.rpartition("/")[0]
        if directory not in of_directory:
            of_directory[directory] = finder.package_of(directory)
        of_file[path] = of_directory[directory]
    named = {package.directory for package in of_directory.values() if package.name is not None}
    workspaces = read_workspaces(root, named, finder.declared_workspaces, inhabited)
    remarks = [*finder.diagnostics, *_duplicates(of_directory.values()), *workspaces.diagnostics]
    return PackageAssignment(
        of_file, tuple(sorted(remarks, key=lambda diagnostic: diagnostic.sort_key)), workspaces
    )


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
    content, diagnostic = _read_content(root, directory)
    return _package_in(directory, content), diagnostic


def _read_content(
    root: str | os.PathLike[str], directory: str
) -> tuple[Mapping[str, Any], Diagnostic | None]:
    """Return the object in a directory's package.json, empty without one, and what was wrong with it."""
    shown = posixpath.join(directory, PACKAGE_FILE)
    location = Path(root, *directory.split("/"), PACKAGE_FILE)
    outcome = read_source_file(location, shown, _MAX_PACKAGE_BYTES)
    if isinstance(outcome, Diagnostic):
        return {}, None if outcome.code == "file-vanished" else outcome
    try:
        content = orjson.loads(outcome.removeprefix(_BYTE_ORDER_MARK))
    except orjson.JSONDecodeError as error:
        return {}, diagnose(
            "invalid-package-json",
            shown,
            f"Not valid JSON ({error.msg}, line {error.lineno}), so its directory counts as part of the package above.",
            hint="Mend the file, or exclude its directory.",
        )
    return (content if isinstance(content, dict) else {}), None


def _package_in(directory: str, content: Mapping[str, Any]) -> Package | None:
    name, version = content.get("name"), content.get("version")
    if not isinstance(name, str) or not name:
        return None
    return Package(directory, name, version if isinstance(version, str) else None)


class _PackageFinder:
    def __init__(self, root: str) -> None:
        self._root = root
        self._known: dict[str, Package] = {}
        self._workspaces: dict[str, Any] = {}
        self.diagnostics: list[Diagnostic] = []

    def package_of(self, directory: str) -> Package:
        """Return the package of *directory*, remembering every directory on the way up."""
        passed: list[str] = []
        while directory not in self._known:
            package = self._read(directory)
            if package is None and directory:
                passed.append(directory)
                directory = posixpath.dirname(directory)
                continue
            self._known[directory] = package or Package("", None, None)
        found = self._known[directory]
        self._known.update(dict.fromkeys(passed, found))
        return found

    def declared_workspaces(self, directory: str) -> Any:
        """Return what package.json of a directory states as its workspaces; None when it states nothing."""
        if directory not in self._workspaces:
            self._read(directory)
        return self._workspaces[directory]

    def _read(self, directory: str) -> Package | None:
        content, diagnostic = _read_content(self._root, directory)
        if diagnostic is not None:
            self.diagnostics.append(diagnostic)
        self._workspaces[directory] = content.get("workspaces")
        return _package_in(directory, content)


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
