"""Laws of comparing: nothing changes between equal runs, both directions agree, and no change goes untold."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from change_trees import ArtifactMap, artifacts_of
from conftest import EXAMPLE
from hypothesis import given, settings
from hypothesis import strategies as st

from scanner import ScanOptions
from scanner.artifacts import build_artifacts
from scanner.rounds import conclude_directory
from workers.artifact_sets import read_artifacts
from workers.changes import Action, Change, Exposure, compare_artifacts
from workers.changes.records import ArtifactSet

SAMPLE = read_artifacts(ArtifactMap(build_artifacts(conclude_directory(EXAMPLE), ScanOptions())))

OPPOSITE = {
    Action.ADDED: Action.REMOVED,
    Action.REMOVED: Action.ADDED,
    Exposure.OPENED: Exposure.CLOSED,
    Exposure.CLOSED: Exposure.OPENED,
}

CONFIGS = st.sampled_from(
    [
        "",
        "api: false",
        "api: { include: ['list', 'get'] }, mcp: true",
        "api: { exclude: ['list'] }, cli: { include: ['act'] }",
        "api: { include: ['get', 'act'], limit: 1 }, tableName: 'rows'",
        "tableStrategy: 'sti', mcp: false",
    ]
)
MEMBERS = st.lists(
    st.sampled_from(
        [
            "a: string = '';",
            "a: number = 1;",
            "a?: number;",
            "b = 0.5;",
            "@field({ required: true, sensitive: true, max: 5 }) b: number = 1;",
            "@field({ readPermission: 'x', max: 7, odd: [1] }) b: number = 1;",
            "@foreignKey('Other') c: string;",
            "act(a: string, b?: number) {}",
            "@method({ expose: false }) async act(b: number, a = 'x') {}",
            "@method() act(c: 'x' | 'y'): Promise<void> {}",
            "static uiSlots = { a: 1 };",
        ]
    ),
    max_size=4,
    unique_by=lambda member: member.split("(")[0].split(":")[0].split("=")[0],
)
CLASSES = st.dictionaries(
    st.sampled_from(["One", "Two", "Three"]),
    st.tuples(CONFIGS, MEMBERS, st.sampled_from(["a.ts", "b.ts", "deep/c.ts"])),
)
DECLARATIONS = st.lists(
    st.sampled_from(
        [
            "defineIntent({ id: 'a.b', description: 'd', target: { registry: 'control', action: 'focus' } });",
            (
                "defineIntent({ id: 'a.c', description: 'd', target: { registry: 'control', action: 'undo' },"
                " capability: { effect: 'read', idempotent: true, openWorld: false } });"
            ),
            (
                "defineIntent({ id: 'a.b', description: 'e', target: { registry: 'control', action: 'focus' },"
                " capability: { effect: 'write', idempotent: true, openWorld: false } });"
            ),
            "definePlaybook({ key: 'k', title: 't', description: 'd', steps: [{ kind: 'intent', id: 'a.b' }] });",
            (
                "definePlaybook({ key: 'k', title: 't', description: 'd', enabled: false, planes: ['server'],"
                " steps: [{ kind: 'operation', model: '@a/b:C', action: 'run' }] });"
            ),
        ]
    ),
    max_size=2,
    unique=True,
)
TREES = st.tuples(CLASSES, DECLARATIONS)
IMPORTS = (
    "import { defineIntent } from '@happyvertical/smrt-web/intents';\n"
    "import { definePlaybook } from '@happyvertical/smrt-playbooks';\n"
)


def scanned(root: Path, tree: Any) -> ArtifactSet:
    classes, declarations = tree
    files = {"package.json": '{"name": "@acme/shop"}', "surface.ts": IMPORTS + "\n".join(declarations)}
    for name, (config, members, path) in classes.items():
        text = f"@smrt({{ {config} }}) export class {name} extends SmrtObject {{ {' '.join(members)} }}\n"
        files[path] = files.get(path, "") + text
    return read_artifacts(ArtifactMap(artifacts_of(root, files)))


def mirrored(change: Change) -> tuple[Any, ...]:
    """What the comparison in the other direction must tell, whatever it makes of it."""
    return facts(
        replace(
            change,
            action=OPPOSITE.get(change.action, change.action),
            exposure=OPPOSITE.get(change.exposure, change.exposure),
            before=change.after,
            after=change.before,
        )
    )


def facts(change: Change) -> tuple[Any, ...]:
    values = tuple(json.dumps(value, default=str, sort_keys=True) for value in (change.before, change.after))
    # A parameter that was renamed is told under the name that it has now.
    aspect = None if change.aspect is None else change.aspect.partition(".")[0]
    return (
        *(change.subject, change.action, change.package, change.name, change.member, aspect),
        *values,
        change.exposure,
        change.actions,
    )


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_both_directions_tell_the_same(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    old, new = (scanned(tmp_path_factory.mktemp("tree"), data.draw(TREES)) for _ in range(2))
    forth, back = compare_artifacts(old, new).changes, compare_artifacts(new, old).changes

    assert sorted(map(mirrored, forth), key=repr) == sorted(map(facts, back), key=repr)
    assert compare_artifacts(old, old).changes == ()


def test_equal_runs_have_no_changes() -> None:
    comparison = compare_artifacts(SAMPLE, copy.deepcopy(SAMPLE))

    assert comparison.changes == ()
    assert comparison.remarks == ()


@settings(max_examples=30, deadline=None)
@given(st.integers())
def test_the_order_of_everything_that_has_a_name_means_nothing(seed: int) -> None:
    random = Random(seed)

    def shuffled(value: Any) -> Any:
        if not isinstance(value, dict):
            return [*map(shuffled, value)] if isinstance(value, list) else value
        keys = list(value)
        random.shuffle(keys)
        return {key: shuffled(value[key]) for key in keys}

    packages = [replace(package, manifest=shuffled(package.manifest)) for package in SAMPLE.packages]
    random.shuffle(packages)
    other = replace(
        SAMPLE,
        packages=tuple(packages),
        intents=shuffled(SAMPLE.intents),
        playbooks=shuffled(SAMPLE.playbooks),
    )

    assert compare_artifacts(SAMPLE, other).changes == ()
    assert compare_artifacts(other, SAMPLE).changes == ()


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every value in a document but the paths of sources, with its own path."""
    if path[-1:] == ("filePath",):
        return
    yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


def with_value(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    changed = copy.deepcopy(document)
    place = changed
    for key in path[:-1]:
        place = place[key]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return changed


def is_leaf(value: Any) -> bool:
    return not isinstance(value, dict | list) or not value


def other_values(value: Any) -> list[Any]:
    """Values near and far that are not this one; None to take it away."""
    near: list[Any] = [None, "other", 7, True, False, 0, 1, "", [], {}, [0], {"a": 0}, [value], f"{value}x"]
    return [item for item in near if json.dumps(item) != json.dumps(value)]


MANIFESTS = [(number, package.manifest) for number, package in enumerate(SAMPLE.packages)]
LEAVES = [
    (number, path, value)
    for number, manifest in MANIFESTS
    for path, value in places(manifest["objects"])
    if path and is_leaf(value)
]


def keeps_its_shape(path: tuple[Any, ...]) -> bool:
    """Whether an artifact can still be read when something else stands there."""
    return not (len(path) == 2 and path[1] in {"fields", "methods"}) and not (
        len(path) == 4 and path[1] == "methods" and path[3] == "parameters"
    )


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_change_of_a_leaf_of_a_manifest_goes_untold(data: st.DataObject) -> None:
    number, path, value = data.draw(st.sampled_from([leaf for leaf in LEAVES if keeps_its_shape(leaf[1])]))
    changed = with_value(
        SAMPLE.packages[number].manifest["objects"], path, data.draw(st.sampled_from(other_values(value)))
    )
    packages = list(SAMPLE.packages)
    packages[number] = replace(packages[number], manifest={**packages[number].manifest, "objects": changed})
    other = replace(SAMPLE, packages=tuple(packages))

    for comparison in (compare_artifacts(SAMPLE, other), compare_artifacts(other, SAMPLE)):
        assert comparison.changes
        assert {change.package for change in comparison.changes} == {packages[number].name}


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_no_change_of_a_leaf_of_the_surface_goes_untold(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(["intents", "playbooks"]))
    entries = getattr(SAMPLE, kind)
    leaves = [(path, value) for path, value in places(entries) if len(path) > 1 and is_leaf(value)]
    path, value = data.draw(st.sampled_from(leaves))
    changed = with_value(entries, path, data.draw(st.sampled_from(other_values(value))))

    for comparison in (
        compare_artifacts(SAMPLE, replace(SAMPLE, **{kind: changed})),
        compare_artifacts(replace(SAMPLE, **{kind: changed}), SAMPLE),
    ):
        assert {change.name for change in comparison.changes} == {path[0]}
