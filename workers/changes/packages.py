"""What changed in packages: which came and went, and what their classes became.

Packages are matched by name and classes by name within them, so that moving files and directories changes nothing. A
class that left one package and is new in another is told as moved, as long as its name leaves no doubt.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from workers.changes.classes import Model, class_added, class_changes, class_moved, class_removed
from workers.changes.judgement import UNKNOWN, Judgement, breaking, compatible, cosmetic
from workers.changes.records import Action, Change, PackageArtifact, Subject
from workers.changes.values import differences

_OWN_KEYS: Final = frozenset({"objects"})
_COSMETIC_KEYS: Final = frozenset({"packageVersion", "timestamp"})
_MODELS_GONE: Final = breaking("Its models are gone with it.")


@dataclass(frozen=True, slots=True)
class MatchedModels:
    """The classes of two runs, by what became of them.

    Attributes:
        pairs: A class before and after, moved ones among them.
        removed: Classes that are gone.
        added: Classes that are new.
    """

    pairs: tuple[tuple[Model, Model], ...]
    removed: tuple[Model, ...]
    added: tuple[Model, ...]


def package_changes(
    before: Iterable[PackageArtifact], after: Iterable[PackageArtifact]
) -> tuple[list[Change], MatchedModels]:
    """Return what changed in packages, and how their classes were matched."""
    changes: list[Change] = []
    pairs: list[tuple[Model, Model]] = []
    removed: list[Model] = []
    added: list[Model] = []
    for old, new in _matched(before, after):
        changes += _own_changes(old, new)
        was, is_now = _models(old), _models(new)
        pairs += [(was[key], is_now[key]) for key in was if key in is_now]
        removed += [was[key] for key in was if key not in is_now]
        added += [is_now[key] for key in is_now if key not in was]
    matched = _with_moves(MatchedModels(tuple(pairs), tuple(removed), tuple(added)))
    return [*changes, *_model_changes(matched)], matched


def _model_changes(matched: MatchedModels) -> Iterator[Change]:
    yield from map(class_removed, matched.removed)
    yield from map(class_added, matched.added)
    for old, new in matched.pairs:
        if old.package != new.package:
            yield class_moved(old, new)
        yield from class_changes(old, new)


def _matched(
    before: Iterable[PackageArtifact], after: Iterable[PackageArtifact]
) -> Iterator[tuple[PackageArtifact | None, PackageArtifact | None]]:
    """Pair packages by name; where several share one, by directory first."""
    old, new = _by_name(before), _by_name(after)
    for name in {**old, **new}:
        left, right = dict(old.get(name, {})), dict(new.get(name, {}))
        for directory in sorted(left.keys() & right.keys()):
            yield left.pop(directory), right.pop(directory)
        rest, others = [left[key] for key in sorted(left)], [right[key] for key in sorted(right)]
        both = min(len(rest), len(others))
        yield from zip(rest[:both], others[:both], strict=True)
        yield from ((item, None) for item in rest[both:])
        yield from ((None, item) for item in others[both:])


def _by_name(packages: Iterable[PackageArtifact]) -> dict[str | None, dict[str, PackageArtifact]]:
    found: dict[str | None, dict[str, PackageArtifact]] = defaultdict(dict)
    for package in packages:
        found[package.name][package.directory] = package
    return found


def _own_changes(old: PackageArtifact | None, new: PackageArtifact | None) -> Iterator[Change]:
    """Yield what changed in a package beside its classes."""
    if new is None and old is not None:
        gone = _MODELS_GONE if old.manifest["objects"] else cosmetic("It held no models.")
        yield _change(Action.REMOVED, gone, old.name)
    elif old is None and new is not None:
        yield _change(Action.ADDED, compatible("It is new."), new.name)
    elif old is not None and new is not None:
        for key, was, is_now in differences(old.manifest, new.manifest):
            if key not in _OWN_KEYS:
                told = cosmetic("It says nothing about models.") if key in _COSMETIC_KEYS else None
                details = {"aspect": key, "before": was, "after": is_now}
                yield _change(Action.CHANGED, told or UNKNOWN(was, is_now), new.name, **details)


def _change(action: Action, judgement: Judgement, package: str | None, **details: Any) -> Change:
    return Change(Subject.PACKAGE, action, judgement.impact, judgement.reason, package, **details)


def _models(package: PackageArtifact | None) -> Mapping[str, Model]:
    """Return the classes of a package by manifest key, without the package's name."""
    if package is None:
        return {}
    prefix = f"{package.name}:"
    return {
        key.removeprefix(prefix): Model(package.name, _class_name(key.removeprefix(prefix), content), content)
        for key, content in package.manifest["objects"].items()
    }


def _class_name(key: str, content: Mapping[str, Any]) -> str:
    """Return a class's name; a package without a name has it in lower case in its keys."""
    name = content.get("className")
    return name if isinstance(name, str) and name.lower() == key.lower() else key


def _with_moves(matched: MatchedModels) -> MatchedModels:
    """Pair classes that left one package with those of the same name that are new in another, where each is alone."""
    gone, come = _alone(matched.removed), _alone(matched.added)
    names = {name for name in gone.keys() & come.keys() if gone[name].package != come[name].package}
    return MatchedModels(
        (*matched.pairs, *((gone[name], come[name]) for name in sorted(names))),
        tuple(model for model in matched.removed if model.name not in names),
        tuple(model for model in matched.added if model.name not in names),
    )


def _alone(models: Iterable[Model]) -> dict[str, Model]:
    found: dict[str, list[Model]] = defaultdict(list)
    for model in models:
        found[model.name].append(model)
    return {name: group[0] for name, group in found.items() if len(group) == 1}
