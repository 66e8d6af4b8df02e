"""Workspaces: which directories of a tree say what packages they are made of, and which packages these are.

A workspace is stated by the list ``packages`` of a ``pnpm-workspace.yaml`` or by ``workspaces`` of a package.json: an
array of globs, or an object that holds one as ``packages``. They are looked for in the directories of packages and
those above them, up to the scan root, and may be nested. All of this is only reported: which files belong to which
package, and where imports lead, hangs on package.json files alone.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from scanner.diagnostics import Diagnostic, diagnose
from scanner.discovery.patterns import PatternError, shown
from scanner.module_paths import directories_above
from scanner.resolution.config_files import ConfigFiles
from scanner.workspace_globs import DirectoryPattern, are_members, read_directory_pattern

PNPM_WORKSPACE_FILE: Final = "pnpm-workspace.yaml"
_PACKAGE_FILE: Final = "package.json"
_MAX_GLOBS: Final = 2000
_MAX_CHARACTERS: Final = 64 * 1024
_REMEDY: Final = "Mend the list; until then packages count as members of no workspace that it states."


@dataclass(frozen=True, slots=True)
class Workspace:
    """One list of the packages that a directory is made of.

    Attributes:
        file: Root-relative POSIX path of the file that states it.
        patterns: Its globs as written, relative to the file's directory; ``!glob`` takes packages out.
    """

    file: str
    patterns: tuple[str, ...]

    @property
    def directory(self) -> str:
        """Root-relative directory of the workspace."""
        return posixpath.dirname(self.file)


@dataclass(frozen=True, slots=True)
class Workspaces:
    """The workspaces of a tree.

    Attributes:
        stated: All of them, in order of their files.
        root_of: Directory of each package that is a member, and the directory of the nearest workspace it is one of.
        diagnostics: What is to be said about them.
    """

    stated: tuple[Workspace, ...] = ()
    root_of: Mapping[str, str] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class _Stated:
    workspace: Workspace
    patterns: tuple[DirectoryPattern, ...]

    def takes(self, directory: str) -> bool:
        """Tell whether a package in a root-relative directory at or below that of the workspace is a member."""
        return are_members(self.patterns, _below(directory, self.workspace.directory))


def read_workspaces(
    root: str | os.PathLike[str],
    packages: Collection[str],
    declared_in: Callable[[str], Any],
    inhabited: Iterable[str] = (),
) -> Workspaces:
    """Find the workspaces of a tree and their members.

    Args:
        root: The scan root.
        packages: Directories of the packages that have a name.
        declared_in: Gives what package.json of a directory states as ``workspaces``; None when it states nothing.
        inhabited: Further directories that have a package.json.
    """
    files = ConfigFiles(root)
    remarks: list[Diagnostic] = []
    enclosing = sorted({above for directory in packages for above in directories_above(directory)})
    lists: dict[str, list[_Stated]] = {}
    for directory in enclosing:
        for file, written in _written(files, directory, declared_in, remarks):
            stated = _read_list(file, written, remarks)
            if stated.workspace.patterns:
                lists.setdefault(directory, []).append(stated)
    everything = [stated for directory in sorted(lists) for stated in lists[directory]]
    everything.sort(key=lambda stated: stated.workspace.file)
    root_of, outside = _members(packages, lists)
    remarks.extend(outside)
    for stated in everything:
        remarks.extend(_unmatched(stated, {*packages, *inhabited}))
    return Workspaces(tuple(stated.workspace for stated in everything), root_of, tuple(remarks))


def _written(
    files: ConfigFiles, directory: str, declared_in: Callable[[str], Any], remarks: list[Diagnostic]
) -> Iterator[tuple[str, Any]]:
    """Yield the lists that a directory states, with their files, unread."""
    document = files.pnpm_workspace(posixpath.join(directory, PNPM_WORKSPACE_FILE))
    if document.fault is not None:
        remarks.append(_invalid(document.path, f"It {document.fault}."))
    if "packages" in document.content:
        yield document.path, document.content["packages"]
    declared = declared_in(directory)
    if isinstance(declared, dict):
        declared = declared.get("packages")
    if declared is not None:
        yield posixpath.join(directory, _PACKAGE_FILE), declared


def _read_list(file: str, written: Any, remarks: list[Diagnostic]) -> _Stated:
    """Read one list of patterns; what cannot be read of it is left out, with a remark."""
    patterns: list[DirectoryPattern] = []
    if not isinstance(written, list):
        remarks.append(_invalid(file, "Its workspaces are no list of patterns."))
        written = []
    globs = characters = 0
    for pattern in written:
        if not isinstance(pattern, str):
            remarks.append(_invalid(file, "One of its patterns of workspaces is no text; it is left out."))
            continue
        characters += len(pattern)
        try:
            read = read_directory_pattern(pattern)
        except PatternError as error:
            remarks.append(_invalid(file, f"A pattern of its workspaces is left out. {error}"))
            continue
        globs += len(read.globs)
        if globs > _MAX_GLOBS or characters > _MAX_CHARACTERS:
            limit = f"{_MAX_GLOBS} patterns or {_MAX_CHARACTERS} characters"
            remarks.append(_invalid(file, f"Its workspaces have more than {limit}; the rest is left out."))
            break
        patterns.append(read)
    return _Stated(Workspace(file, tuple(pattern.source for pattern in patterns)), tuple(patterns))


def _members(
    packages: Collection[str], lists: Mapping[str, list[_Stated]]
) -> tuple[dict[str, str], list[Diagnostic]]:
    """Return the workspace of each package that is in one, and remarks about those that could be and are in none."""
    root_of: dict[str, str] = {}
    remarks: list[Diagnostic] = []
    for directory in sorted(packages):
        above = [each for each in directories_above(directory) if each in lists]
        home = next((each for each in above if any(stated.takes(directory) for stated in lists[each])), None)
        if home is not None:
            root_of[directory] = home
        elif above and above[0] != directory:
            stating = " or ".join(stated.workspace.file for stated in lists[above[0]])
            remarks.append(
                diagnose(
                    "outside-workspaces",
                    posixpath.join(directory, _PACKAGE_FILE),
                    f"No pattern of the workspaces in {stating} takes this package in; it is scanned all the same.",
                    hint="Add its directory to the patterns if it belongs to the workspace.",
                )
            )
    return root_of, remarks


def _unmatched(stated: _Stated, inhabited: Collection[str]) -> Iterator[Diagnostic]:
    top = stated.workspace.directory
    below = [_below(each, top) for each in inhabited if top in directories_above(each)]
    for pattern in stated.patterns:
        if not pattern.is_negated and not any(map(pattern.takes, below)):
            yield diagnose(
                "unmatched-workspace-pattern",
                stated.workspace.file,
                f"The pattern {shown(pattern.source)} of these workspaces fits no directory with a package.json.",
                hint="Mend or remove it. Directories that the scan does not enter are not looked at.",
            )


def _below(directory: str, top: str) -> str:
    """Return a directory relative to one that is the same or above it."""
    return directory[len(top) :].lstrip("/") if top else directory


def _invalid(file: str, problem: str) -> Diagnostic:
    return diagnose("invalid-workspaces", file, problem, hint=_REMEDY)
