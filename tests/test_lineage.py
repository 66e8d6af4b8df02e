"""The lineage of a package says which class each class extends, what says so, and on what way it was found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from change_trees import plant_files

from scanner import scan_project
from scanner.lineage import MAX_SHOWN_HOPS, MAX_SHOWN_RIVALS
from scanner.options import Depth, Resolution, ScanOptions

CORE = "import { SmrtObject } from '@happyvertical/smrt-core';\n"
BASE = CORE + "export class Base extends SmrtObject {}"
KERNEL = {
    "package.json": {"name": "root"},
    "kernel/package.json": {"name": "@acme/kernel"},
    "kernel/src/index.ts": "export { Base as Root } from './base'; export * as models from './base';",
    "kernel/src/base.ts": BASE,
    "shop/package.json": {"name": "@acme/shop", "imports": {"#in/*": "./src/*.ts"}},
    "shop/tsconfig.json": {"compilerOptions": {"paths": {"~/*": ["../kernel/src/*"]}}},
}


def lineages(root: Path, files: Any, **options: Any) -> dict[str, Any]:
    """The classes of each package's lineage by name, the same at both depths."""
    plant_files(root, files)
    found = [scan_project(root, ScanOptions(depth=depth, **options)).packages for depth in Depth]
    documents = [{item.package.name: item.lineage for item in packages} for packages in found]
    assert documents[0] == documents[1]
    return {
        str(name): {entry["className"]: entry for entry in document["classes"]}  # type: ignore[index, union-attr, call-overload]
        for name, document in documents[0].items()
    }


def parent_of(root: Path, child: str, files: Any = None, **options: Any) -> Any:
    """What the lineage says about the parent of the class `Child` of the shop."""
    files = {**KERNEL, "shop/src/child.ts": child, **(files or {})}
    return lineages(root, files, **options)["@acme/shop"]["Child"].get("parent")


def way(parent: Any) -> list[tuple[str, str, str | None, str | None, str | None]]:
    keys = ("filePath", "name", "rule", "config", "target")
    return [tuple(hop.get(key) for key in keys) for hop in parent.get("via", ())]


CHILD = "shop/src/child.ts"
INDEX, KERNEL_BASE = "kernel/src/index.ts", "kernel/src/base.ts"
TO_BASE = (INDEX, "Base", "relative", None, KERNEL_BASE)


@pytest.mark.parametrize(
    ("importing", "extends", "hops"),
    [
        (
            "import { Root } from '@acme/kernel';",
            "Root",
            [(CHILD, "Root", "package", "kernel/package.json", INDEX), TO_BASE],
        ),
        (
            "import { Root as Above } from '@acme/kernel';",
            "Above",
            [(CHILD, "Root", "package", "kernel/package.json", INDEX), TO_BASE],
        ),
        (
            "import * as kernel from '@acme/kernel';",
            "kernel.Root",
            [(CHILD, "Root", "package", "kernel/package.json", INDEX), TO_BASE],
        ),
        (
            "import { models } from '@acme/kernel';",
            "models.Base",
            [(CHILD, "models.Base", "package", "kernel/package.json", INDEX), TO_BASE],
        ),
        (
            "import { Base } from '~/base';",
            "Base",
            [(CHILD, "Base", "tsconfig", "shop/tsconfig.json", KERNEL_BASE)],
        ),
        (
            "import { Base } from '../../kernel/src/base.js';",
            "Base",
            [(CHILD, "Base", "relative", None, KERNEL_BASE)],
        ),
        (
            "import Any from '#in/onward';",
            "Any",
            [
                (CHILD, "default", "package-imports", "shop/package.json", "shop/src/onward.ts"),
                ("shop/src/onward.ts", "Root", "package", "kernel/package.json", INDEX),
                TO_BASE,
            ],
        ),
        (
            "import { Base } from './stars';",
            "Base",
            [
                (CHILD, "Base", "relative", None, "shop/src/stars.ts"),
                ("shop/src/stars.ts", "Base", "tsconfig", "shop/tsconfig.json", KERNEL_BASE),
            ],
        ),
    ],
)
def test_a_parent_comes_with_the_way_that_led_to_it(
    tmp_path: Path, importing: str, extends: str, hops: Any
) -> None:
    files = {
        "shop/src/onward.ts": "import { Root } from '@acme/kernel'; export default Root;",
        "shop/src/stars.ts": "export * from './nothing'; export * from './stars'; export * from '~/base';",
        "shop/src/nothing.ts": "export const one = 1; export * from './stars';",
    }
    parent = parent_of(tmp_path, f"{importing}\nexport class Child extends {extends} {{}}", files)

    assert (parent["rule"], parent["name"]) == ("import", "Base")
    assert parent["class"] == {"className": "Base", "filePath": KERNEL_BASE, "startLine": 2}
    assert way(parent) == hops


@pytest.mark.parametrize(
    ("child", "rule", "place", "hops"),
    [
        ("class Base extends SmrtObject {}\nclass Child extends Base {}", "same-file", CHILD, []),
        ("@smrt() class Child extends Lone {}", "bare-name", "shop/src/lone.ts", []),
        (
            "import { Lone } from 'react'; @smrt() class Child extends Lone {}",
            "bare-name",
            "shop/src/lone.ts",
            [(CHILD, "Lone", None, None, None)],
        ),
        ("@smrt() class Child extends Twin {}", "ambiguous", "shop/src/a.ts", []),
        ("class Child extends SmrtObject {}", "framework", None, []),
        (
            CORE.replace("SmrtObject", "SmrtObject as Top") + "class Child extends Top {}",
            "framework",
            None,
            [(CHILD, "SmrtObject", None, None, None)],
        ),
        (
            "import { View } from 'react'; @smrt() class Child extends View {}",
            "external",
            None,
            [(CHILD, "View", None, None, None)],
        ),
        ("@smrt() class Child extends Gone {}", "not-found", None, []),
        (
            "import { Gone } from './gone'; @smrt() class Child extends Gone {}",
            "not-found",
            None,
            [(CHILD, "Gone", None, None, None)],
        ),
        (
            "import { Gone } from '@acme/kernel'; @smrt() class Child extends Gone {}",
            "not-found",
            None,
            [(CHILD, "Gone", "package", "kernel/package.json", INDEX)],
        ),
    ],
)
def test_what_decided_is_told(
    tmp_path: Path, child: str, rule: str, place: str | None, hops: list[Any]
) -> None:
    twin = "export class Twin {}"
    files = {"shop/src/lone.ts": "export class Lone {}", "shop/src/a.ts": twin, "shop/src/b.ts": twin}
    parent = parent_of(tmp_path, child, files)

    assert parent["rule"] == rule
    assert parent.get("class", {}).get("filePath") == place
    assert way(parent) == hops
    rivals = [{"className": "Twin", "filePath": "shop/src/b.ts", "startLine": 1}]
    assert parent.get("rivals") == (rivals if rule == "ambiguous" else None)


@pytest.mark.parametrize("heritage", ["", "extends mixin(Base)", "extends (class {})"])
def test_a_class_that_extends_nothing_with_a_name_has_no_parent(tmp_path: Path, heritage: str) -> None:
    assert parent_of(tmp_path, f"@smrt() class Child {heritage} {{}}") is None


def test_a_lineage_holds_models_and_their_ancestors_of_all_packages_and_nothing_else(tmp_path: Path) -> None:
    files = {
        **KERNEL,
        "shop/src/child.ts": "import { Root } from '@acme/kernel'; export class Child extends Root { own = 1; }",
        "shop/src/other.ts": "export class Other {} export class More extends Other {}",
    }
    found = lineages(tmp_path, files)

    assert {name: sorted(classes) for name, classes in found.items()} == {
        "@acme/kernel": ["Base"],
        "@acme/shop": ["Base", "Child"],
    }
    assert found["@acme/shop"]["Base"]["package"] == {"name": "@acme/kernel", "directory": "kernel"}
    assert "package" not in found["@acme/shop"]["Child"]
    assert [found[name]["Base"]["isListed"] for name in found] == [True, False]
    assert found["@acme/shop"]["Child"]["fields"] == [{"name": "own", "line": 1}]


def test_names_keep_to_bare_names(tmp_path: Path) -> None:
    files = {"shop/src/far/base.ts": BASE}
    child = "import { Base } from '~/base'; class Child extends Base {}"
    parent = parent_of(tmp_path, child, files, resolution=Resolution.NAMES)

    assert (parent["rule"], parent["class"]["filePath"]) == ("bare-name", "shop/src/far/base.ts")
    assert "via" not in parent


def test_long_ways_and_many_namesakes_are_counted(tmp_path: Path) -> None:
    last = MAX_SHOWN_HOPS + 8
    files = {f"shop/src/b{number}.ts": f"export * from './b{number + 1}';" for number in range(last)}
    files[f"shop/src/b{last}.ts"] = "export class Deep {}"
    files |= {f"shop/src/r{number:02}.ts": "class Rival {}" for number in range(MAX_SHOWN_RIVALS + 8)}
    child = "import { Deep } from './b0'; @smrt() class Child extends Deep {}\n"
    deep = parent_of(tmp_path, child, files)
    rival = parent_of(tmp_path, "@smrt() class Child extends Rival {}")

    assert (len(deep["via"]), deep["viaOmitted"]) == (MAX_SHOWN_HOPS, 9)
    assert (len(rival["rivals"]), rival["rivalsOmitted"]) == (MAX_SHOWN_RIVALS, 7)
