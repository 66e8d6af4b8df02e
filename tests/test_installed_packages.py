"""Models that installed packages publish in their manifests serve as parents like classes of the tree."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from installed_trees import (
    FACTS,
    KERNEL,
    MANIFEST,
    codes,
    installed,
    link,
    manifest_of_source,
    objects,
    scanned,
    shop,
    write,
)

from scanner.options import Resolution


def test_a_published_model_gives_what_its_source_would(tmp_path: Path) -> None:
    manifest = manifest_of_source(tmp_path, KERNEL)
    write(tmp_path / "installed", {**shop(), **installed(manifest)})
    kernel = {
        "packages/kernel/package.json": {"name": "@acme/kernel"},
        "packages/kernel/src/index.ts": KERNEL,
    }
    write(tmp_path / "sources", {**shop(), **kernel})
    from_manifest = scanned(tmp_path / "installed")
    [_, from_source] = scanned(tmp_path / "sources").packages

    assert objects(from_manifest) == from_source.manifest["objects"]
    assert objects(from_manifest).keys() == {"shop:Customer", "shop:Note"}
    assert objects(from_manifest)["shop:Customer"]["fields"].keys() == {"created", "name", "age", "since"}
    assert codes(from_manifest) == []


PLACES = {
    "beside the importing file": ("packages/shop/src/node_modules/@acme/kernel", None),
    "beside the package": ("packages/shop/node_modules/@acme/kernel", None),
    "at the root": ("node_modules/@acme/kernel", None),
    "as pnpm links it": (
        "node_modules/.pnpm/@acme+kernel@1.0.0/node_modules/@acme/kernel",
        "packages/shop/node_modules/@acme/kernel",
    ),
}


@pytest.mark.parametrize(("place", "link"), PLACES.values(), ids=PLACES)
def test_packages_are_found_where_package_managers_put_them(
    tmp_path: Path, place: str, link: str | None
) -> None:
    root = tmp_path / "tree"
    write(root, {**shop(), **installed(manifest_of_source(tmp_path, KERNEL), place)})
    if link is not None:
        (root / link).parent.mkdir(parents=True)
        (root / link).symlink_to(os.path.relpath(root / place, (root / link).parent))

    assert objects(scanned(root)).keys() == {"shop:Customer", "shop:Note"}


def test_the_nearest_installed_package_counts(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    near = manifest_of_source(tmp_path, "export class Near extends SmrtObject {}")
    far = manifest_of_source(tmp_path, KERNEL)
    write(root, {**shop(), **installed(far), **installed(near, "packages/shop/node_modules/@acme/kernel")})

    assert objects(scanned(root)) == {}


@pytest.mark.parametrize(
    ("importing", "extends"),
    [
        ("import { Party as P } from '@acme/kernel';", "P"),
        ("import * as kernel from '@acme/kernel';", "kernel.Party"),
        ("import { Party } from '@acme/kernel/models/party';", "Party"),
        ("import { Party } from './onward';", "Party"),
        ("import { Guest } from './onward';", "Guest"),
        ("import { Party } from 'between';", "Party"),
        ("import Party from '@acme/kernel';", "Party"),
        ("import { Guest } from './defaults';", "Guest"),
        ("import * as kernel from '@acme/kernel';", "kernel.models.Party"),
        ("import { Party } from '@acme/\\x6bernel';", "Party"),
        ("import { Party } from './escaped';", "Party"),
    ],
)
def test_imports_lead_to_published_models_on_every_way(tmp_path: Path, importing: str, extends: str) -> None:
    root = tmp_path / "tree"
    ways = {
        "packages/shop/src/onward.ts": "export * from '@acme/kernel'; export { Party as Guest } from '@acme/kernel';",
        "packages/shop/src/defaults.ts": "import Party from '@acme/kernel'; export { Party as Guest };",
        "packages/shop/src/escaped.ts": "export * from '@acme/\\x6bernel';",
        "packages/between/package.json": {"name": "between"},
        "packages/between/src/index.ts": "export * from '@acme/kernel';",
    }
    child = f"{importing}\nexport class Customer extends {extends} {{ own: string = ''; }}"
    write(root, {**shop(child), **ways, **installed(manifest_of_source(tmp_path, KERNEL))})
    customer = objects(scanned(root))["shop:Customer"]

    assert customer["fields"].keys() == {"created", "name", "age", "own"}


def test_a_package_of_the_tree_comes_before_an_installed_one(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    kernel = {
        "packages/kernel/package.json": {"name": "@acme/kernel"},
        "packages/kernel/src/index.ts": "export class Party extends SmrtObject { tree = 1 }",
    }
    write(root, {**shop(), **kernel, **installed(manifest_of_source(tmp_path, KERNEL))})

    assert "shop:Customer" in objects(scanned(root))
    assert "shop:Note" not in objects(scanned(root))


@pytest.mark.parametrize("manifest", [{"objects": {}}, None], ids=["with a manifest", "without one"])
@pytest.mark.parametrize(
    ("importing", "extends"),
    [
        ("import { SmrtObject as Root } from '@happyvertical/smrt-core';", "Root"),
        ("import * as core from '@happyvertical/smrt-core';", "core.SmrtObject"),
        ("import { Root } from './onward';", "Root"),
    ],
)
def test_bases_of_an_installed_framework_are_known_by_the_names_that_they_have_there(
    tmp_path: Path, importing: str, extends: str, manifest: Any
) -> None:
    files = {
        **shop(f"{importing} export class Order extends {extends} {{}}"),
        "packages/shop/src/onward.ts": "export { SmrtObject as Root } from '@happyvertical/smrt-core';",
        **installed(manifest, "node_modules/@happyvertical/smrt-core"),
    }
    write(tmp_path, {path: content for path, content in files.items() if content is not None})
    if manifest is None:
        (tmp_path / "node_modules/@happyvertical/smrt-core/package.json").write_text("{}")
    result = scanned(tmp_path)
    [package] = result.packages

    assert objects(result).keys() == {"shop:Order"}
    assert codes(result) == []
    assert [item.module for item in package.external_classes] == ["@happyvertical/smrt-core"]


def test_a_package_left_out_of_the_scan_counts_by_the_manifest_that_it_has_built(tmp_path: Path) -> None:
    write(tmp_path, {**shop(), **installed(manifest_of_source(tmp_path / "x", KERNEL), "built/kernel")})
    link(tmp_path, "node_modules/@acme/kernel", "built/kernel")

    assert objects(scanned(tmp_path)).keys() == {"shop:Customer", "shop:Note"}


def test_bare_names_alone_know_no_installed_package(tmp_path: Path) -> None:
    write(tmp_path / "tree", {**shop(), **installed(manifest_of_source(tmp_path, KERNEL))})

    assert objects(scanned(tmp_path / "tree", Resolution.NAMES)) == {}


def test_a_published_model_whose_own_parent_is_unknown_still_makes_models(tmp_path: Path) -> None:
    manifest = {
        "objects": {"@acme/kernel:Party": {"className": "Party", "extends": "far.Away", "fields": {}}}
    }
    write(tmp_path / "tree", {**shop(), **installed(manifest)})

    assert objects(scanned(tmp_path / "tree")).keys() == {"shop:Customer"}


def test_the_lineage_says_which_manifest_a_parent_came_from(tmp_path: Path) -> None:
    write(tmp_path / "tree", {**shop(), **installed(manifest_of_source(tmp_path, KERNEL))})
    [package] = scanned(tmp_path / "tree").packages
    customer = next(item for item in package.lineage["classes"] if item["className"] == "Customer")  # type: ignore[union-attr,index,call-overload]

    assert customer["parent"]["class"]["filePath"] == "node_modules/@acme/kernel/dist/manifest.json"  # type: ignore[index,call-overload]
    assert customer["parent"]["via"][0]["rule"] == "installed"  # type: ignore[index,call-overload]
    assert [(item.module, item.names) for item in package.external_classes] == [
        ("@acme/kernel", ("Party", "Record"))
    ]


FAULTS = {
    "no JSON": ({MANIFEST: "{"}, [("invalid-manifest", MANIFEST)]),
    "no objects": ({MANIFEST: {"models": {}}}, [("invalid-manifest", MANIFEST)]),
    "a list": ({MANIFEST: []}, [("invalid-manifest", MANIFEST)]),
    "odd objects": ({MANIFEST: {"objects": {"a": 1, "b": {}}}}, [("invalid-manifest", MANIFEST)]),
    "outside": (
        {FACTS: {"exports": {"./manifest": "../../../secret.json"}}},
        [("invalid-manifest", FACTS)],
    ),
    "missing": ({FACTS: {"exports": {"./manifest.json": "./none.json"}}}, [("invalid-manifest", FACTS)]),
    "broken package.json": ({FACTS: "{"}, [("invalid-manifest", FACTS)]),
    "none promised": ({FACTS: {"name": "@acme/kernel"}, MANIFEST: None}, []),
}


@pytest.mark.parametrize(("files", "expected"), FAULTS.values(), ids=FAULTS)
def test_manifests_that_cannot_be_used_are_named_once(
    tmp_path: Path, files: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    root = tmp_path / "tree"
    everything = {**shop("import { Party } from '@acme/kernel'; @smrt() class A extends Party { a = 1 }")}
    everything |= {**installed({"objects": {}}), **files}
    write(root, {path: content for path, content in everything.items() if content is not None})
    result = scanned(root)

    assert codes(result) == expected
    assert objects(result).keys() == {"shop:A"}


def test_what_is_no_regular_file_or_leads_out_of_the_tree_is_not_opened(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    write(root, {**shop(), **installed({"objects": {}})})
    (root / MANIFEST).unlink()
    os.mkfifo(root / MANIFEST)
    fifo = codes(scanned(root))
    (root / MANIFEST).unlink()
    write(tmp_path, {"secret.json": {"objects": {"x:Party": {"className": "Party"}}}})
    (root / MANIFEST).symlink_to(tmp_path / "secret.json")
    outside = scanned(root)

    assert fifo == codes(outside) == [("invalid-manifest", MANIFEST)]
    assert objects(outside) == {}


NAMES = st.sampled_from(["Ada", "Ben", "Cy"])
FIELDS = st.lists(
    st.sampled_from(
        ["a: string = '';", "b?: number = 1.5;", "c = true;", "d: Date | null = null;", "e: string[] = [];"]
        + ["@field({ required: true, maxLength: 3 }) f: string = '';", "@foreignKey('Ben') g: string = '';"]
    ),
    unique=True,
    max_size=3,
)
OPTIONS = st.sampled_from(["", "@smrt()\n", "@smrt({ tableStrategy: 'sti' })\n", "@smrt({ api: false })\n"])


@settings(max_examples=40, deadline=None)
@given(
    parents=st.dictionaries(NAMES, st.tuples(OPTIONS, NAMES | st.just("SmrtObject"), FIELDS), min_size=1),
    child=st.tuples(OPTIONS, NAMES, FIELDS),
)
def test_whatever_is_published_gives_what_its_source_would(
    tmp_path_factory: pytest.TempPathFactory,
    parents: dict[str, tuple[str, str, list[str]]],
    child: tuple[str, str, list[str]],
) -> None:
    base = tmp_path_factory.mktemp("law")
    kernel = "\n".join(
        f"{options}export class {name} extends {parent} {{ {' '.join(fields)} }}"
        for name, (options, parent, fields) in parents.items()
        if parent in {*parents, "SmrtObject"} and parent != name
    )
    options, parent, fields = child
    children = f"import {{ {parent} }} from '@acme/kernel';\n{options}export class Child extends {parent} {{ {' '.join(fields)} }}"
    manifest = manifest_of_source(base, kernel)
    published = {entry["className"]: entry.get("extends") for entry in manifest["objects"].values()}
    # What a decorated class extends that is no model itself is not published, and then nobody knows what it was.
    assume(all(parent in {*published, "SmrtObject", None} for parent in published.values()))
    write(base / "installed", {**shop(children), **installed(manifest)})
    tree = {"packages/kernel/package.json": {"name": "@acme/kernel"}, "packages/kernel/src/index.ts": kernel}
    write(base / "sources", {**shop(children), **tree})

    shown = objects(scanned(base / "sources"))
    assert objects(scanned(base / "installed")) == {
        key: entry for key, entry in shown.items() if key.startswith("shop:")
    }
