"""One bounded walk over a source tree, for one or several policies at once.

The contract:

- Directories are pruned before they are entered; nothing below ``node_modules`` or a hidden name is ever listed.
- Only regular files are found. Nothing is opened; a FIFO, socket or device with a wanted name is a diagnostic.
- What cannot be listed or looked at is a diagnostic, and the walk goes on.
- The result depends on the tree alone: files are sorted by path in code-point order, directories visited likewise.
- Symbolic links are left alone unless a policy follows them. A followed link that leads to a directory above it is a
  loop and is not entered; other directories are listed under each path that leads to them, but through links at most
  :data:`MAX_LINK_VISITS` times each, so that links to links cannot multiply without end.
- File names that are no UTF-8 keep their bytes as lone surrogates (``os.fsdecode``).
"""

from __future__ import annotations

import os
import stat
from collections import Counter
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from scanner.diagnostics import Diagnostic, diagnose
from scanner.discovery.policy import (
    CompiledPolicy,
    DiscoveryPolicy,
    compile_policy,
    is_mandatory_prune,
    root_spellings,
)
from scanner.discovery.skips import Identity, SkippedDirectories, identity_of
from scanner.file_states import UNKNOWN_STATE, state_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    _PathTest: TypeAlias = Callable[[str], bool]

MAX_LINK_VISITS: Final = 64
"""How often one directory is entered through symbolic links."""

_PACKAGE_FILE: Final = "package.json"
_DEFAULT_POLICY: Final = DiscoveryPolicy()


@dataclass(frozen=True, slots=True, order=True)
class FoundFile:
    """A source file that was found.

    Attributes:
        path: Path relative to the scan root, with ``/`` separators.
        size: Size in bytes, of the target where a link is followed.
        state: What it looked like (see :mod:`scanner.file_states`), that of the target where a link is followed.
    """

    path: str
    size: int
    state: bytes = field(default=UNKNOWN_STATE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Discovery:
    """What one policy found.

    Attributes:
        files: The files, sorted by path.
        diagnostics: What could not be listed or is no file, sorted.
        unfollowed_links: How many symbolic links were left alone that could have led to wanted files.
    """

    files: tuple[FoundFile, ...]
    diagnostics: tuple[Diagnostic, ...]
    unfollowed_links: int = 0


@dataclass(frozen=True, slots=True)
class DiscoverySets:
    """What several policies found in one walk.

    Attributes:
        files: The files of each set, sorted by path.
        diagnostics: What could not be listed or is no file, once for all sets, sorted.
        unfollowed_links: How many symbolic links were left alone that could have led to wanted files of some set.
        packages: Directories that were entered and have a package.json, sorted; ``""`` is the root.
    """

    files: Mapping[str, tuple[FoundFile, ...]]
    diagnostics: tuple[Diagnostic, ...]
    unfollowed_links: int = 0
    packages: tuple[str, ...] = ()


def discover_source_files(
    root: str | os.PathLike[str], policy: DiscoveryPolicy = _DEFAULT_POLICY, *, skip_dirs: Iterable[str] = ()
) -> Discovery:
    """Find the files of one policy below *root*.

    Args:
        root: The scan root. Its own name, ancestors and links in its path play no part.
        policy: What to find.
        skip_dirs: Absolute paths of directories that are never entered, such as an output directory.

    Raises:
        FileNotFoundError: There is no *root*.
        NotADirectoryError: *root* is no directory.
        PatternError: A pattern of the policy cannot be read.
        ValueError: A path in *skip_dirs* is not absolute.
    """
    found = discover_source_sets(root, {"": policy}, skip_dirs=skip_dirs)
    return Discovery(found.files[""], found.diagnostics, found.unfollowed_links)


def discover_source_sets(
    root: str | os.PathLike[str], policies: Mapping[str, DiscoveryPolicy], *, skip_dirs: Iterable[str] = ()
) -> DiscoverySets:
    """Find the files of several policies below *root* in one walk.

    Each set is exactly what its policy finds alone; a directory is listed once if any policy enters it.

    Args:
        root: The scan root.
        policies: Policies by the names of their sets.
        skip_dirs: Absolute paths of directories that are never entered.

    Raises:
        FileNotFoundError: There is no *root*.
        NotADirectoryError: *root* is no directory.
        PatternError: A pattern of a policy cannot be read.
        ValueError: A path in *skip_dirs* is not absolute.
    """
    if not stat.S_ISDIR(os.stat(root).st_mode):  # noqa: PTH116 - paths stay text here
        raise NotADirectoryError(f"{os.fspath(root)!r} is no directory.")
    compiled = [compile_policy(policy, root) for policy in policies.values()]
    walk = _Walk(root_spellings(root), compiled, SkippedDirectories.of(root, skip_dirs))
    walk.run()
    return DiscoverySets(
        files={
            name: tuple(sorted(files, key=_path)) for name, files in zip(policies, walk.files, strict=True)
        },
        diagnostics=tuple(sorted(walk.diagnostics, key=lambda item: item.sort_key)),
        unfollowed_links=walk.unfollowed_links,
        packages=tuple(sorted(walk.packages)),
    )


class _Trail(NamedTuple):
    """The identities of a directory and of all above it, up to the root."""

    identity: Identity
    above: _Trail | None

    def holds(self, identity: Identity) -> bool:
        """Tell whether *identity* is that of the directory or of one above it."""
        trail: _Trail | None = self
        while trail is not None:
            if trail.identity == identity:
                return True
            trail = trail.above
        return False


class _Directory(NamedTuple):
    """A directory to list: its real path, its prefix for names below it, who enters it, and its trail."""

    full_path: str
    prefix: str
    policies: tuple[int, ...]
    trail: _Trail | None


@dataclass(slots=True)
class _Walk:
    """The state of one walk."""

    roots: tuple[str, ...]
    policies: Sequence[CompiledPolicy]
    skips: SkippedDirectories
    files: list[list[FoundFile]] = field(init=False)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    unfollowed_links: int = 0
    packages: list[str] = field(default_factory=list)
    _name_ends: tuple[str, ...] = field(init=False)
    _file_tests: list[tuple[_PathTest, _PathTest]] = field(init=False)
    _link_visits: Counter[tuple[Identity, int]] = field(default_factory=Counter)
    _crowded: set[Identity] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.files = [[] for _ in self.policies]
        # What CompiledPolicy.takes_file asks, without a call for each policy and file.
        self._file_tests = [
            (policy.include.matches, policy.excluded_files.matches) for policy in self.policies
        ]
        self._name_ends = tuple({end for policy in self.policies for end in policy.include.name_ends})

    def run(self) -> None:
        """List the root and all that is to be entered below it."""
        if "." in self.skips.relative:
            return
        root = self.roots[0]
        follows = any(policy.follow_symlinks for policy in self.policies)
        trail = _Trail(identity_of(os.stat(root)), None) if follows else None  # noqa: PTH116
        pending = [_Directory(root, "", tuple(range(len(self.policies))), trail)]
        while pending:
            below = self._list(pending.pop())
            pending.extend(reversed(below))

    def _list(self, directory: _Directory) -> list[_Directory]:
        """Take the files of one directory; return the directories in it that are to be entered."""
        entries: list[os.DirEntry[str]] = []
        try:
            with os.scandir(directory.full_path) as listing:
                entries.extend(listing)
        except OSError as error:
            self._report_unlisted(directory.prefix.removesuffix("/") or ".", error)
        below: list[_Directory] = []
        for entry in sorted(entries, key=_name) if directory.trail else entries:
            if is_mandatory_prune(entry.name):
                continue
            try:
                entered = self._judge(directory, entry)
            except OSError as error:
                self._report_unseen(directory, entry, error)
            else:
                if entered is not None:
                    below.append(entered)
        return below

    def _judge(self, directory: _Directory, entry: os.DirEntry[str]) -> _Directory | None:
        """Decide on one entry: take a file, leave it, or return a directory to enter."""
        if entry.is_dir(follow_symlinks=False):
            return self._enter(directory, entry)
        if entry.is_symlink():
            return self._follow(directory, entry)
        if entry.name == _PACKAGE_FILE:
            self.packages.append(directory.prefix.removesuffix("/"))
        if entry.name.endswith(self._name_ends):
            path = directory.prefix + entry.name
            takers = self._takers(directory.policies, path)
            if takers:
                self._take(takers, path, entry.stat(follow_symlinks=False))
        return None

    def _takers(self, policies: Iterable[int], path: str) -> list[int]:
        tests = self._file_tests
        return [index for index in policies if tests[index][0](path) and not tests[index][1](path)]

    def _take(self, takers: Sequence[int], path: str, info: os.stat_result) -> None:
        if not stat.S_ISREG(info.st_mode):
            kind = _KINDS.get(stat.S_IFMT(info.st_mode), "special file")
            self._report(
                "not-a-regular-file", path, f"This is a {kind}, not a regular file; it was not opened."
            )
            return
        found = FoundFile(path, info.st_size, state_of(info))
        for index in takers:
            self.files[index].append(found)

    def _enter(self, directory: _Directory, entry: os.DirEntry[str]) -> _Directory | None:
        path = directory.prefix + entry.name
        if path in self.skips.relative:
            return None
        entering = tuple(index for index in directory.policies if self.policies[index].enters_directory(path))
        if not entering:
            return None
        trail = None
        if directory.trail is not None:
            try:
                identity = identity_of(entry.stat(follow_symlinks=False))
            except OSError as error:
                self._report_unlisted(path, error)
                return None
            if identity in self.skips.identities:
                return None
            trail = _Trail(identity, directory.trail)
        return _Directory(f"{directory.full_path}/{entry.name}", path + "/", entering, trail)

    def _follow(self, directory: _Directory, entry: os.DirEntry[str]) -> _Directory | None:
        """Treat a symbolic link as what it leads to, for the policies that follow links."""
        path = directory.prefix + entry.name
        following = [index for index in directory.policies if self.policies[index].follow_symlinks]
        leaving = [index for index in directory.policies if not self.policies[index].follow_symlinks]
        if any(
            self.policies[index].takes_file(path) or self.policies[index].enters_directory(path)
            for index in leaving
        ):
            self.unfollowed_links += 1
        if not following:
            return None
        takers = self._takers(following, path)
        try:
            info = entry.stat()
        except OSError as error:
            if takers:
                self._report(
                    "not-a-regular-file", path, f"This symbolic link leads to no file: {_reason(error)}."
                )
            return None
        if stat.S_ISDIR(info.st_mode):
            return self._enter_link(directory, entry, following, identity_of(info))
        if takers:
            self._take(takers, path, info)
        return None

    def _enter_link(
        self, directory: _Directory, entry: os.DirEntry[str], following: Sequence[int], identity: Identity
    ) -> _Directory | None:
        path = directory.prefix + entry.name
        full_path = f"{directory.full_path}/{entry.name}"
        entering = tuple(index for index in following if self.policies[index].enters_directory(path))
        if not entering or path in self.skips.relative or self.skips.hold_target(full_path):
            return None
        if directory.trail is None or directory.trail.holds(identity):
            self._report(
                "symlink-loop",
                path,
                "This symbolic link leads back to a directory above it; it was not followed.",
            )
            return None
        allowed = tuple(index for index in entering if self._link_visits[identity, index] < MAX_LINK_VISITS)
        self._link_visits.update((identity, index) for index in allowed)
        if len(allowed) < len(entering):
            self._report_crowd(path, identity)
        return (
            _Directory(full_path, path + "/", allowed, _Trail(identity, directory.trail)) if allowed else None
        )

    def _report(self, code: str, path: str, message: str, hint: str | None = None) -> None:
        self.diagnostics.append(diagnose(code, path, message, hint=hint))

    def _report_crowd(self, path: str, identity: Identity) -> None:
        """Report, once for a directory, that links to it were not followed any more."""
        if identity in self._crowded:
            return
        self._crowded.add(identity)
        message = f"More than {MAX_LINK_VISITS} symbolic links lead to one directory; from here on they were not followed."
        self._report(
            "symlink-loop", path, message, "Exclude some of the links, or scan without following links."
        )

    def _report_unlisted(self, path: str, error: OSError) -> None:
        self._report("directory-unreadable", path, f"The directory could not be listed: {_reason(error)}.")

    def _report_unseen(self, directory: _Directory, entry: os.DirEntry[str], error: OSError) -> None:
        """Report an entry that was listed but cannot be looked at, if it may be a file or directory that is wanted."""
        path = directory.prefix + entry.name
        if self._takers(directory.policies, path):
            code = "file-vanished" if isinstance(error, FileNotFoundError) else "file-unreadable"
            self._report(code, path, f"The file could not be looked at: {_reason(error)}.")
        elif any(self.policies[index].enters_directory(path) for index in directory.policies):
            self._report_unlisted(path, error)


_KINDS: Final = {
    stat.S_IFIFO: "FIFO",
    stat.S_IFSOCK: "socket",
    stat.S_IFCHR: "character device",
    stat.S_IFBLK: "block device",
    stat.S_IFDIR: "directory",
}


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name


_path: Final = attrgetter("path")


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()
