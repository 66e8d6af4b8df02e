"""Published models whose own parents other packages publish, or packages of the tree hold."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from installed_trees import (
    codes,
    installed,
    link,
    manifest_of_source,
    objects,
    published,
    scanned,
    shop,
    write,
)

BASE = """
@smrt({ tableStrategy: 'sti' }) export class Root extends SmrtObject { root: string = ''; }
"""
KERNEL = "import { Root } from '@acme/base'; export class Party extends Root { name: string = ''; }"
CHILD = "import { Party } from '@acme/kernel'; export class Customer extends Party { own: number = 1; }"
ALL = ["root", "name", "own"]


def manifests(tmp_path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """What two packages publish, the second of which was built with the first in its tree."""
    base = {"base/package.json": {"name": "@acme/base"}, "base/index.ts": BASE}
    kernel = {"kernel/package.json": {"name": "@acme/kernel"}, "kernel/index.ts": KERNEL}
    write(tmp_path / "built", {**base, **kernel})
    first, second = scanned(tmp_path / "built").packages
    return first.manifest, second.manifest


STORE = "node_modules/.pnpm/{}/node_modules/@acme/{}"
LAYOUTS: dict[str, tuple[str, str, dict[str, str]]] = {
    "hoisted": ("node_modules/@acme/base", "node_modules/@acme/kernel", {}),
    "nested": ("node_modules/@acme/kernel/node_modules/@acme/base", "node_modules/@acme/kernel", {}),
    "pnpm": (
        STORE.format("@acme+base@1", "base"),
        STORE.format("@acme+kernel@1", "kernel"),
        {
            "packages/shop/node_modules/@acme/kernel": STORE.format("@acme+kernel@1", "kernel"),
            STORE.format("@acme+kernel@1", "base"): STORE.format("@acme+base@1", "base"),
        },
    ),
}


@pytest.mark.parametrize(("base_place", "kernel_place", "links"), LAYOUTS.values(), ids=LAYOUTS)
def test_a_parent_is_found_where_the_package_that_extends_it_has_its_dependencies(
    tmp_path: Path, base_place: str, kernel_place: str, links: dict[str, str]
) -> None:
    base, kernel = manifests(tmp_path)
    root = tmp_path / "tree"
    write(root, {**shop(CHILD), **installed(base, base_place)})
    write(root, installed(kernel, kernel_place, depends_on=("@acme/base", "elsewhere")))
    for path, target in links.items():
        link(root, path, target)
    result = scanned(root)

    assert list(objects(result)["shop:Customer"]["fields"]) == ALL
    assert codes(result) == []


def test_of_two_versions_the_one_that_the_package_depends_on_counts(tmp_path: Path) -> None:
    _, kernel = manifests(tmp_path)
    near = manifest_of_source(tmp_path / "near", BASE.replace("root", "near"), "@acme/base")
    far = manifest_of_source(tmp_path / "far", BASE.replace("root", "far"), "@acme/base")
    root = tmp_path / "tree"
    write(root, {**shop(CHILD), **installed(far, "node_modules/@acme/base")})
    write(root, installed(kernel, depends_on=("@acme/base",)))
    write(root, installed(near, "node_modules/@acme/kernel/node_modules/@acme/base"))

    assert "near" in objects(scanned(root))["shop:Customer"]["fields"]
    assert "far" not in objects(scanned(root))["shop:Customer"]["fields"]


def test_a_package_that_is_no_dependency_gives_no_parent(tmp_path: Path) -> None:
    base, kernel = manifests(tmp_path)
    root = tmp_path / "tree"
    write(root, {**shop(CHILD), **installed(base, "node_modules/@acme/base"), **installed(kernel)})

    assert list(objects(scanned(root))["shop:Customer"]["fields"]) == ["own"]


@pytest.mark.parametrize("key", ["dependencies", "peerDependencies", "optionalDependencies"])
def test_the_parent_of_a_published_model_may_be_a_class_of_the_tree(tmp_path: Path, key: str) -> None:
    _, kernel = manifests(tmp_path)
    root = tmp_path / "tree"
    tree = {
        "packages/base/package.json": {"name": "@acme/base"},
        "packages/base/src/index.ts": "export * from './models/root';",
        # Not a word of SMRT, so that it is parsed only if it is looked for.
        "packages/base/src/models/root.ts": "import { Top } from './top'; export class Root extends Top { root = 1 }",
        "packages/base/src/models/top.ts": BASE.replace("Root", "Top").replace("root", "top"),
    }
    write(root, {**shop(CHILD), **tree, **installed(kernel)})
    facts = {"exports": {"./manifest": "./dist/manifest.json"}, key: {"@acme/base": "*"}}
    write(root, {"node_modules/@acme/kernel/package.json": facts})

    assert list(objects(scanned(root))["shop:Customer"]["fields"]) == ["top", *ALL]


def test_packages_that_depend_on_each_other_in_a_circle_come_to_an_end(tmp_path: Path) -> None:
    party = published({"className": "Party", "extends": "Root"})
    root_class = published({"className": "Root", "extends": "Party"})
    write(tmp_path, {**shop(CHILD), **installed(party, depends_on=("@acme/base", "@acme/kernel"))})
    write(tmp_path, installed(root_class, "node_modules/@acme/base", depends_on=("@acme/kernel",)))
    result = scanned(tmp_path)

    assert codes(result) == []
    assert objects(result) == {}  # as with a circle of classes in the tree: no framework base is ever reached


def test_what_is_wrong_with_a_dependency_is_said_where_it_was_looked_into(tmp_path: Path) -> None:
    _, kernel = manifests(tmp_path)
    write(tmp_path / "tree", {**shop(CHILD), **installed(kernel, depends_on=("@acme/base",))})
    write(tmp_path / "tree", installed("{", "node_modules/@acme/base"))
    result = scanned(tmp_path / "tree")

    assert codes(result) == [("invalid-manifest", "node_modules/@acme/base/dist/manifest.json")]
    assert objects(result).keys() == {"shop:Customer"}


STRATEGIES = st.sampled_from(["", "", "tableStrategy: 'sti'", "tableStrategy: 'cti'", "api: false"])
LINKS = st.lists(st.tuples(st.booleans(), st.booleans(), STRATEGIES), min_size=1, max_size=4)


@settings(max_examples=30, deadline=None)
@given(LINKS, st.booleans())
def test_a_chain_over_installed_packages_gives_what_their_sources_would(
    chain: list[tuple[bool, bool, str]], is_decorated: bool
) -> None:
    """Each link is a class in a package of its own: whether it is installed, whether it is decorated, its config."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        sources: dict[str, Any] = {}
        for number, (_, decorated, config) in enumerate(chain):
            above = f"import {{ C{number - 1} as Up }} from 'p{number - 1}'; " if number else ""
            parent = f"{'Up' if number else 'SmrtObject'}"
            decorator = f"@smrt({{ {config} }}) " if decorated else ""
            sources[f"p{number}/package.json"] = {"name": f"p{number}"}
            sources[f"p{number}/index.ts"] = (
                f"{above}{decorator}export class C{number} extends {parent} {{ f{number} = {number}; }}"
            )
        last = len(chain) - 1
        decorator = "@smrt()" if is_decorated else ""
        child = f"import {{ C{last} }} from 'p{last}'; {decorator} export class Child extends C{last} {{ own = 1; }}"
        write(place / "sources", {**sources, **shop(child)})
        from_sources = scanned(place / "sources")
        shown = {item.package.name: item.manifest for item in from_sources.packages}
        write(place / "mixed", shop(child))
        for number, (is_installed, *_) in enumerate(chain):
            above = (f"p{number - 1}",) if number else ()
            own = {path: content for path, content in sources.items() if path.startswith(f"p{number}/")}
            built = installed(shown[f"p{number}"], f"node_modules/p{number}", depends_on=above)
            write(place / "mixed", built if is_installed else own)

        mixed = objects(scanned(place / "mixed"))
        assert mixed["shop:Child"] == shown["shop"]["objects"]["shop:Child"]  # type: ignore[index,call-overload]
