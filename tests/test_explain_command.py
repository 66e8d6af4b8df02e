"""The command ``explain``, on a monorepo in which every parent is found on another way."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from change_trees import plant_files
from conftest import EXAMPLE
from runs import artifacts, scan
from schema_parts import validator

Command = Callable[..., Any]

CORE = "import { SmrtObject } from '@happyvertical/smrt-core';\n"
TREE = {
    "kernel/package.json": {"name": "@acme/kernel"},
    "kernel/src/index.ts": "export { Base as Root, default as Main } from './base';\nexport * as models from './base';",
    "kernel/src/base.ts": CORE
    + "@smrt({ tableStrategy: 'sti' })\nexport class Base extends SmrtObject {\n  id = '';\n  note = '';\n  act() {}\n}\n"
    + "export default class Main extends Base {\n  main = 1;\n}\n",
    "shop/package.json": {"name": "@acme/shop"},
    "shop/tsconfig.json": {"compilerOptions": {"paths": {"~/*": ["../kernel/src/*"]}}},
    "shop/src/barrel.ts": "export * from './loop';\nexport { Root as Ground } from '@acme/kernel';",
    "shop/src/loop.ts": "export * from './barrel';",
    "shop/src/renamed.ts": (
        "import { Ground } from './barrel';\n"
        "export class Renamed extends Ground {\n  own = 1;\n  note = 'again';\n  act() {}\n}\n"
    ),
    "shop/src/spaced.ts": "import { models } from '@acme/kernel';\nexport class Spaced extends models.Base {}",
    "shop/src/mapped.ts": "import Main from '~/base';\nexport class Mapped extends Main {}",
    "shop/src/twin-a.ts": "export class Twin {}",
    "shop/src/twin-b.ts": "export class Twin {}",
    "shop/src/torn.ts": "@smrt() export class Torn extends Twin {}",
    "shop/src/circle.ts": "@smrt() export class Circle extends Round {}\nexport class Round extends Circle {}",
    "shop/src/away.ts": "import { View } from 'react';\n@smrt() export class Away extends View {}",
    "shop/src/gone.ts": "@smrt() export class Gone extends Missing {}",
    "other/package.json": {"name": "@acme/other"},
    "other/src/renamed.ts": "@smrt() export class Renamed {}",
    "loose.ts": "@smrt() export class Loose {}",
}


@pytest.fixture
def out(tmp_path: Path) -> Path:
    scan(plant_files(tmp_path / "tree", TREE), tmp_path / "out")
    return tmp_path / "out"


def told(finished: Any) -> str:
    assert (finished.code, finished.err) == (0, "")
    text: str = finished.out.decode()
    return text


def test_everything_about_a_class_is_told(command: Command, out: Path) -> None:
    assert told(command("explain", out, "@acme/shop:Renamed")) == (
        "Renamed of @acme/shop, a class without @smrt() that derives from the framework\n"
        "  shop/src/renamed.ts:2\n"
        "\n"
        "Chain\n"
        "  Renamed\n"
        "  extends Base, kernel/src/base.ts:3 of @acme/kernel\n"
        "    where its import leads\n"
        "    shop/src/renamed.ts takes Ground from './barrel': to shop/src/barrel.ts\n"
        "    shop/src/barrel.ts takes Root from '@acme/kernel': to kernel/src/index.ts"
        " (a package of the tree: kernel/package.json)\n"
        "    kernel/src/index.ts takes Base from './base': to kernel/src/base.ts\n"
        "  extends SmrtObject\n"
        "    a base class of the framework\n"
        "    kernel/src/base.ts takes SmrtObject from '@happyvertical/smrt-core':"
        " to nothing in the scanned directory\n"
        "\n"
        "Fields (of its whole chain, which shares one table; the furthest declaration counts)\n"
        "  id    Base, kernel/src/base.ts:4\n"
        "  note  Base, kernel/src/base.ts:5; declared again by Renamed, shop/src/renamed.ts:4\n"
        "  own   line 3\n"
        "Methods\n"
        "  act  line 5; overrides Base, kernel/src/base.ts:6\n"
    )


def test_the_guide_shows_what_is_printed_about_the_sample(command: Command, tmp_path: Path) -> None:
    scan(EXAMPLE, tmp_path / "out", "--fail-on", "never")
    guide = (EXAMPLE.parent.parent / "docs" / "explain.md").read_text()

    assert told(command("explain", tmp_path / "out", "Van")) in guide
    for package in json.loads((tmp_path / "out/index.json").read_bytes())["packages"]:
        if package["name"] == "@harbour/accounting":
            assert json.dumps(package["externalClasses"], indent=2) in guide


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("Spaced", "    kernel/src/index.ts takes Base from './base': to kernel/src/base.ts"),
        (
            "Mapped",
            "    shop/src/mapped.ts takes default from '~/base': to kernel/src/base.ts (mapped by shop/tsconfig.json)",
        ),
        ("Mapped", "    declared in the same file"),
        ("Torn", "    preferred among several of that name in the package; no import decides"),
        ("Torn", "    also: shop/src/twin-b.ts:1"),
        ("Torn", "  which extends nothing that has a name"),
        ("Circle", "  extends Circle, stands in this chain already, so the chain ends here"),
        ("Away", "    imported from outside of the scanned directory"),
        ("Gone", "    not found: nothing here has that name"),
        ("Twin", "Twin of @acme/shop, in no manifest"),
        ("loose", "Loose of no package with a name, a model"),
        ("Loose", "Fields: none"),
        ("./shop/src/renamed.ts#Renamed", "  shop/src/renamed.ts:2"),
        ("@acme/kernel:Main", "  note  Base, kernel/src/base.ts:5"),
    ],
)
def test_each_way_is_told(command: Command, out: Path, name: str, line: str) -> None:
    assert line in told(command("explain", out, name)).splitlines()


def test_as_json_it_says_the_same(command: Command, out: Path) -> None:
    document = json.loads(told(command("explain", out, "@acme/shop:Renamed", "--format", "json")))
    validator("explain").validate(document)
    again = {"className": "Renamed", "filePath": "shop/src/renamed.ts", "line": 4}
    declared = {"className": "Base", "filePath": "kernel/src/base.ts", "line": 5}

    assert [step["className"] for step in document["chain"]] == ["Renamed", "Base"]
    assert [hop["rule"] for hop in document["chain"][0]["parent"]["via"]] == [
        "relative",
        "package",
        "relative",
    ]
    assert document["end"] == "framework"
    assert document["fields"][1] == {
        "name": "note",
        "type": "text",
        "declaredBy": declared,
        "overrides": [],
        "redeclaredBy": [again],
    }


def test_a_name_of_several_classes_is_refused_with_all_of_them(command: Command, out: Path) -> None:
    finished = command("explain", out, "Renamed")

    assert (finished.code, finished.out) == (2, b"")
    assert finished.err.splitlines() == [
        "scan-cluster: Renamed names 2 classes; say which one you mean:",
        "  other/src/renamed.ts#Renamed of @acme/other",
        "  shop/src/renamed.ts#Renamed of @acme/shop",
    ]


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("renamd", " Near to it: Renamed."),
        ("@acme/kernel:Renamed", " Near to it: other/src/renamed.ts#Renamed, shop/src/renamed.ts#Renamed."),
        ("shop/src/away.ts#Awai", " Near to it: Away."),
        ("Zyx", ""),
        ("", ""),
    ],
)
def test_an_unknown_name_is_refused_with_near_ones(command: Command, out: Path, name: str, near: str) -> None:
    finished = command("explain", out, name)

    assert (finished.code, finished.out) == (2, b"")
    assert finished.err == f"scan-cluster: No model, nor any ancestor of one, is called {name}.{near}\n"


def test_kept_runs_are_explained(command: Command, tmp_path: Path) -> None:
    tree = plant_files(tmp_path / "tree", {"a.ts": "@smrt() class Order {}"})
    scan(tree, tmp_path / "out", "--history", str(tmp_path / "kept"))

    assert "Order of no package" in told(
        command("explain", "@latest", "Order", "--history", tmp_path / "kept")
    )
    assert command("explain", "@latest", "Order").code == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda entry: entry.pop("isSti"), "lineage.json is damaged: at classes[0].isSti stands None"),
        (lambda entry: entry["parent"].update(rule="guess"), "at classes[0].parent.rule stands 'guess'"),
        (lambda entry: entry.update(fields=[[]]), "at classes[0].fields[0] stands a list"),
        (lambda entry: entry.update(startLine="7"), "at classes[0].startLine stands '7'"),
    ],
)
def test_a_damaged_lineage_is_named_with_the_place(
    command: Command, out: Path, change: Callable[[Any], Any], message: str
) -> None:
    path = out / "packages/acme__kernel/lineage.json"
    document = json.loads(path.read_bytes())
    change(document["classes"][0])
    path.write_text(json.dumps(document))
    finished = command("explain", out, "Away")

    assert (finished.code, finished.out) == (2, b"")
    assert message in finished.err


def test_a_lineage_that_was_changed_after_the_run_is_told(command: Command, out: Path) -> None:
    path = out / "packages/acme__kernel/lineage.json"
    path.write_text(path.read_text().replace('"line":4', '"line":400'))
    finished = command("explain", out, "@acme/kernel:Base")

    assert finished.code == 0
    assert finished.err.startswith("packages/acme__kernel/lineage.json was changed after the run")


def test_a_run_without_lineages_is_refused(command: Command, out: Path) -> None:
    index = json.loads((out / "index.json").read_bytes())
    del index["packages"][0]["lineage"]
    (out / "index.json").write_text(json.dumps(index))
    finished = command("explain", out, "Away")

    assert finished.code == 2
    assert "Run the scan again." in finished.err


def test_names_from_sources_drive_no_terminal(command: Command, tmp_path: Path) -> None:
    source = (
        "import { Base } from 'a\\u001b[2J\\u202e';\n@smrt() class Order extends Base { '\\u0007bell' = 1; }"
    )
    scan(plant_files(tmp_path / "tree", {"a.ts": source}), tmp_path / "out")
    text = told(command("explain", tmp_path / "out", "Order"))

    assert "'a\\x1b[2J\\u202e'" in text
    assert "\\x07bell" in text
    assert not {"\x1b", "\u202e", "\x07"} & set(text)


def test_lineages_are_the_same_bytes_at_both_depths_and_from_the_cache(tmp_path: Path) -> None:
    tree = plant_files(tmp_path / "tree", TREE)
    cache = ("--cache", str(tmp_path / "cache"))
    found = []
    for number, options in enumerate(
        [("--depth", "manifest"), (), cache, cache, ("--workers", "2", "--backend", "processes")]
    ):
        scan(tree, tmp_path / f"out{number}", *options)
        written = artifacts(tmp_path / f"out{number}")
        index = json.loads(written["index.json"])
        found.append(
            (
                {path: data for path, data in written.items() if path.startswith("packages/")},
                [entry["externalClasses"] for entry in index["packages"]],
            )
        )

    assert all(item == found[0] for item in found)
    assert len(found[0][0]) == 8
