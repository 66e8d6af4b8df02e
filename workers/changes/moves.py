"""Where the files of an older run are in a newer one, as far as what they declare tells."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from workers.changes.packages import MatchedModels
from workers.changes.records import ArtifactSet


def moved_files(before: ArtifactSet, after: ArtifactSet, matched: MatchedModels) -> Callable[[str], str]:
    """Return a function that gives a file's path in the newer run, by its path in the older one.

    A file is where all the models, intents and playbooks that it held are now, if they are together; else it is where
    it was, in the directory that its package has now.
    """
    places: dict[str, set[str]] = defaultdict(set)
    for old, new in _declarations(before, after, matched):
        places[str(old.get("filePath"))].add(str(new.get("filePath")))
    files = {path: next(iter(found)) for path, found in places.items() if len(found) == 1}
    directories = dict(_directories(before, after))

    def moved(path: str) -> str:
        if path in files:
            return files[path]
        for parent in map(str, PurePosixPath(path).parents):
            if parent in directories:
                return str(PurePosixPath(directories[parent], PurePosixPath(path).relative_to(parent)))
        return path

    return moved


def _declarations(
    before: ArtifactSet, after: ArtifactSet, matched: MatchedModels
) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    yield from ((old.content, new.content) for old, new in matched.pairs)
    for earlier, later in ((before.intents, after.intents), (before.playbooks, after.playbooks)):
        yield from ((earlier[name], later[name]) for name in earlier if name in later)


def _directories(before: ArtifactSet, after: ArtifactSet) -> Iterable[tuple[str, str]]:
    """Yield the directories of packages whose name leaves no doubt, before and after."""
    old, new = _by_name(before), _by_name(after)
    return ((old[name], new[name]) for name in old if name in new and name is not None)


def _by_name(artifacts: ArtifactSet) -> dict[str | None, str]:
    counts = Counter(package.name for package in artifacts.packages)
    return {package.name: package.directory for package in artifacts.packages if counts[package.name] == 1}
