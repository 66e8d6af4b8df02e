"""A package taken from the cache never shows what a package that it imports from no longer holds."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cache_samples import later
from runs import artifacts

from scanner.options import Depth, ScanOptions
from workers.cache.store import ResultCache
from workers.driver import RunRequest, execute_run
from workers.execution import Execution
from workers.progress import SilentProgress

ticks = itertools.count(10**9)
BASE = "@smrt({ tableStrategy: 'sti' }) export class Base extends SmrtObject { first = 1; }"
TREE = {
    "kernel/package.json": '{"name": "@acme/kernel"}',
    "kernel/src/index.ts": "export * from './base';",
    "kernel/src/base.ts": BASE,
    "middle/package.json": '{"name": "@acme/middle"}',
    "middle/index.ts": "export { Base as Root } from '@acme/kernel';",
    "leaf/package.json": '{"name": "@acme/leaf"}',
    "leaf/a.ts": "import { Root } from '@acme/middle'; export class Leaf extends Root { own = 1; }",
    "mapped/package.json": '{"name": "@acme/mapped"}',
    "mapped/a.ts": "import { Base } from '~/base'; export class Mapped extends Base {}",
    "mapped/tsconfig.json": '{"extends": "../tsconfig.base.json"}',
    "tsconfig.base.json": '{"compilerOptions": {"paths": {"~/*": ["./kernel/src/*"]}}}',
    "alone/package.json": '{"name": "@acme/alone"}',
    "alone/a.ts": "@smrt() export class Alone extends SmrtObject {}",
}


@pytest.fixture(autouse=True)
def files_are_old() -> Iterator[None]:
    """Let the cache trust what files look like, as it does with files that were not written just now."""
    opened: Any = ResultCache.open.__func__  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            ResultCache,
            "open",
            classmethod(lambda cls, *given, **named: opened(cls, *given, **{"clock_ns": later, **named})),
        )
        yield


def put(root: Path, path: str, text: str) -> None:
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)
    os.utime(place, ns=(0, next(ticks) * 10**6))


def run(root: Path, depth: Depth, cache: Path | None) -> tuple[dict[str, bytes], dict[str, Any], int]:
    """The artifacts, the chain of each model's fields by name, and how many packages the cache knew as a whole."""
    out = root.parent / "out"
    execute_run(
        RunRequest(root, out, ScanOptions(depth=depth), execution=Execution(backend="inline"), cache=cache),
        SilentProgress(),
    )
    written = artifacts(out)
    fields: dict[str, Any] = {}
    for path, content in written.items():
        if path.endswith("manifest.json"):
            objects = json.loads(content)["objects"].values()
            fields |= {item["className"]: list(item["fields"]) for item in objects}
    known = json.loads((out / "run.json").read_bytes())["cache"]
    return written, fields, 0 if known is None else known["packages"]


@pytest.mark.parametrize("depth", list(Depth))
@pytest.mark.parametrize(
    ("path", "text", "expected", "known"),
    [
        ("alone/a.ts", "", {"Leaf": ["first", "own"], "Mapped": ["first"], "Alone": None}, 4),
        ("leaf/a.ts", TREE["leaf/a.ts"].replace("own", "mine"), {"Leaf": ["first", "mine"]}, 4),
        ("kernel/src/base.ts", BASE.replace("first", "second"), {"Leaf": ["second", "own"]}, 1),
        ("kernel/src/base.ts", f"// a line\n{BASE}", {"Leaf": ["first", "own"], "Mapped": ["first"]}, 1),
        ("kernel/src/base.ts", "export class Base {}", {"Leaf": None, "Mapped": None}, 1),
        ("kernel/src/index.ts", "", {"Leaf": None, "Mapped": ["first"]}, 1),
        ("middle/index.ts", "export class Root {}", {"Leaf": None, "Mapped": ["first"]}, 3),
        ("kernel/package.json", '{"name": "@acme/core"}', {"Leaf": None, "Mapped": ["first"]}, 1),
        ("tsconfig.base.json", "{}", {"Mapped": None, "Leaf": ["first", "own"]}, None),
        ("mapped/tsconfig.json", "{}", {"Mapped": None, "Leaf": ["first", "own"]}, 4),
        ("later/package.json", '{"name": "@acme/later"}', {"Leaf": ["first", "own"]}, 5),
    ],
)
def test_what_an_edit_changes_in_other_packages_shows(
    tmp_path: Path,
    depth: Depth,
    path: str,
    text: str,
    expected: dict[str, list[str] | None],
    known: int | None,
) -> None:
    root, cache = tmp_path / "tree", tmp_path / "cache"
    for name, content in TREE.items():
        put(root, name, content)
    _, before, _ = run(root, depth, cache)
    assert before["Leaf"] == ["first", "own"]
    assert before["Mapped"] == ["first"]
    put(root, path, text)
    warm, fields, taken = run(root, depth, cache)

    assert warm == run(root, depth, None)[0]
    assert {name: fields.get(name) for name in expected} == expected
    assert known is None or taken == known


def published(name: str, **objects: object) -> dict[str, str]:
    """An installed package that depends on the base and publishes these objects."""
    facts = {"exports": {"./manifest": "./manifest.json"}, "dependencies": {"@vendor/base": "*"}}
    classes = {key: {"className": key, "extends": "SmrtObject", **entry} for key, entry in objects.items()}  # type: ignore[dict-item]
    return {
        f"{name}/package.json": json.dumps(facts),
        f"{name}/manifest.json": json.dumps({"objects": classes}),
    }


FIELD = {"type": "text", "required": True}
PARTY = "node_modules/@vendor/party"
VENDOR_BASE = "node_modules/@vendor/base"
INSTALLED = {
    **published(VENDOR_BASE, Base={"decoratorConfig": {"tableStrategy": "sti"}, "fields": {"base": FIELD}}),
    **published(PARTY, Party={"extends": "Base", "fields": {"party": FIELD}}),
    "shop/package.json": '{"name": "@acme/shop"}',
    "shop/src/a.ts": "import { Party } from '@vendor/party'; export class Guest extends Party { own = 1; }",
    "shop/index.ts": "export * from '@vendor/party';",
    "leaf/package.json": '{"name": "@acme/leaf"}',
    "leaf/a.ts": "import { Party } from '@acme/shop'; export class Leaf extends Party {}",
    "alone/package.json": '{"name": "@acme/alone"}',
    "alone/a.ts": "import { Any } from 'react'; @smrt() export class Alone extends SmrtObject {}",
}


@pytest.mark.parametrize("depth", list(Depth))
@pytest.mark.parametrize(
    ("files", "guest", "leaf"),
    [
        (published(PARTY, Party={"extends": "Base"}), ["base", "own"], ["base"]),
        (published(PARTY, Other={"extends": "Base"}), None, None),
        (published(VENDOR_BASE, Base={"fields": {"base": FIELD}}), ["own"], []),
        (published(f"{PARTY}/{VENDOR_BASE}", Base={}), ["own"], []),
        (published(f"shop/src/{PARTY}", Party={}), ["own"], ["base", "party"]),
        ({f"{PARTY}/package.json": "{}"}, None, None),
        ({f"{PARTY}/manifest.json": "{"}, None, None),
        ({f"{VENDOR_BASE}/manifest.json": "{"}, ["own"], []),
        ({f"{VENDOR_BASE}/package.json": None}, ["own"], []),
        ({f"{PARTY}/package.json": None}, None, None),
    ],
)
def test_what_changes_in_installed_packages_shows(
    tmp_path: Path, depth: Depth, files: dict[str, str | None], guest: Any, leaf: Any
) -> None:
    root, cache = tmp_path / "tree", tmp_path / "cache"
    for name, content in INSTALLED.items():
        put(root, name, content)
    cold, before, _ = run(root, depth, cache)
    assert before == {"Guest": ["base", "party", "own"], "Leaf": ["base", "party"], "Alone": []}
    assert run(root, depth, cache) == (cold, before, 3)
    for name, text in files.items():
        (root / name).unlink() if text is None else put(root, name, text)
    warm, fields, taken = run(root, depth, cache)

    assert (fields.get("Guest"), fields.get("Leaf")) == (guest, leaf)
    assert warm == run(root, depth, None)[0]
    assert taken == 1
