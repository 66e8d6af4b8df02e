"""Imports lead where relative paths, tsconfig files and package.json files say, across the packages of a tree."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner import scan_project
from scanner.module_paths import relative_base, stays_within
from scanner.options import Depth, Resolution, ScanOptions
from scanner.project import ProjectResult
from scanner.resolution.config_files import ConfigFiles
from scanner.resolution.package_targets import (
    mapped_targets,
    module_targets,
    source_candidates,
    split_specifier,
)
from scanner.resolution.tsconfig import is_inside, read_path_mapping

MEANT = "@smrt({ tableStrategy: 'sti' }) export class Base extends SmrtObject { right = 1; }"
OTHER = "@smrt({ tableStrategy: 'sti' }) export class Base extends SmrtObject { wrong = 1; }"


def write(root: Path, files: dict[str, Any]) -> None:
    for path, content in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content if isinstance(content, str) else json.dumps(content))


def scan(root: Path, files: dict[str, Any], resolution: Resolution = Resolution.IMPORTS) -> ProjectResult:
    """Scan a tree at both depths, which have to agree."""
    write(root, files)
    results = [scan_project(root, ScanOptions(depth=depth, resolution=resolution)) for depth in Depth]
    manifests = [[package.manifest for package in result.packages] for result in results]
    assert manifests[0] == manifests[1]
    return results[0]


def inherited(result: ProjectResult, name: str = "Child") -> list[str] | None:
    """The fields of a class's whole chain; None when it is no model."""
    found = [item for package in result.packages for item in package.classes if item.raw.class_name == name]
    return [item.field.name for item in found[0].all_fields] if found else None


PACKAGES = {
    "package.json": {"name": "root"},
    "kernel/package.json": {"name": "@acme/kernel"},
    "kernel/src/base.ts": MEANT,
    "kernel/src/index.ts": "export * from './base';",
    "kernel/src/deep/thing.ts": MEANT.replace("Base", "Thing"),
    "shop/package.json": {"name": "@acme/shop"},
    "shop/src/other/base.ts": OTHER,
}


@pytest.mark.parametrize(
    ("importing", "extends"),
    [
        ("import { Base } from '@acme/kernel';", "Base"),
        ("import { Base as Root } from '@acme/kernel';", "Root"),
        ("import * as kernel from '@acme/kernel';", "kernel.Base"),
        ("import { Base } from '@acme/kernel/src/base.js';", "Base"),
        ("import { Base } from '@acme/kernel/base';", "Base"),
        ("import { Thing } from '@acme/kernel/deep/thing';", "Thing"),
        ("import { Base } from '../../kernel/src';", "Base"),
        ("import { Base } from '../../kernel/src/base.js';", "Base"),
        ("import { Base } from './onward';", "Base"),
        ("import { Above } from './onward';", "Above"),
        ("import Any from './onward';", "Any"),
    ],
)
def test_a_parent_in_another_package_makes_a_model(tmp_path: Path, importing: str, extends: str) -> None:
    files = {
        **PACKAGES,
        "shop/src/onward.ts": "import { Base } from '@acme/kernel'; export { Base, Base as Above }; export default Base;",
        "shop/src/child.ts": f"{importing}\nexport class Child extends {extends} {{ own = 1; }}",
    }
    result = scan(tmp_path, files)

    assert inherited(result) == ["right", "own"]
    assert not [item for item in result.diagnostics if item.code == "ambiguous-parent"]


@pytest.mark.parametrize(
    "facts",
    [
        {"exports": {".": {"types": "./dist/models/index.d.ts", "default": "./dist/models/index.js"}}},
        {"exports": "./src/models/index.ts"},
        {"exports": {"import": "./dist/esm/models/index.mjs"}},
        {"exports": [{"node": None}, "./dist/models/index.js"]},
        {"main": "dist/models/index.js"},
        {"main": "./models", "types": "lib/models/index.d.ts"},
    ],
)
def test_package_json_says_which_source_a_package_is_imported_as(tmp_path: Path, facts: Any) -> None:
    files = {
        "kernel/package.json": {"name": "@acme/kernel", **facts},
        "kernel/src/index.ts": OTHER,
        "kernel/src/models/index.ts": MEANT,
        "shop/package.json": {"name": "shop"},
        "shop/child.ts": "import { Base } from '@acme/kernel'; export class Child extends Base {}",
    }

    assert inherited(scan(tmp_path, files)) == ["right"]


def test_subpaths_follow_patterns_of_exports_and_imports(tmp_path: Path) -> None:
    files = {
        "kernel/package.json": {"name": "kernel", "exports": {"./m/*": "./dist/models/*.js"}},
        "kernel/src/models/base.ts": MEANT,
        "kernel/src/base.ts": OTHER,
        "shop/package.json": {"name": "shop", "imports": {"#in/*": "./src/inner/*.ts"}},
        "shop/src/inner/here.ts": "export { Base as Near } from 'kernel/m/base';",
        "shop/src/child.ts": "import { Near } from '#in/here'; export class Child extends Near {}",
    }

    assert inherited(scan(tmp_path, files)) == ["right"]


@pytest.mark.parametrize(
    ("tsconfigs", "module"),
    [
        ({"tsconfig.json": {"compilerOptions": {"paths": {"@k/*": ["./kernel/src/*"]}}}}, "@k/base"),
        (
            {"tsconfig.json": {"compilerOptions": {"baseUrl": "kernel", "paths": {"@k/*": ["src/*"]}}}},
            "@k/base",
        ),
        ({"tsconfig.json": {"compilerOptions": {"baseUrl": "./kernel/src"}}}, "base"),
        ({"tsconfig.json": {"compilerOptions": {"paths": {"kern": ["./kernel"]}}}}, "kern"),
        ({"tsconfig.json": {"compilerOptions": {"paths": {"*": ["./none/*", "./kernel/src/*"]}}}}, "base"),
        (
            {
                "tsconfig.json": {
                    "compilerOptions": {"paths": {"@/*": ["./no/*"], "@/k/*": ["./kernel/src/*"]}}
                }
            },
            "@/k/base",
        ),
        (
            {
                "shop/tsconfig.json": '{ // nearest\n "extends": "../tsconfig.base", }',
                "tsconfig.base.json": {"compilerOptions": {"paths": {"@k/*": ["./kernel/src/*"]}}},
            },
            "@k/base",
        ),
        (
            {
                "shop/tsconfig.json": {"extends": ["../one.json", "../two.json"]},
                "one.json": {"compilerOptions": {"paths": {"@k/*": ["./wrong/*"]}}},
                "two.json": {"compilerOptions": {"paths": {"@k/*": ["${configDir}/../kernel/src/*"]}}},
            },
            "@k/base",
        ),
    ],
)
def test_tsconfig_paths_are_followed(tmp_path: Path, tsconfigs: dict[str, Any], module: str) -> None:
    child = f"import {{ Base }} from '{module}'; export class Child extends Base {{}}"
    result = scan(tmp_path, {**PACKAGES, **tsconfigs, "shop/src/child.ts": child})

    assert inherited(result) == ["right"]
    assert [item.code for item in result.diagnostics] == []


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"extends": "./tsconfig.json"}',
        '{"extends": "./gone.json"}',
        '{"extends": "../../../../etc/passwd"}',
        '{"compilerOptions": {"paths": []}}',
        '{"compilerOptions": {"paths": {"a*b*c": ["x"], "d": ["*/*"]}}}',
        '{"compilerOptions": ' + "[" * 5000 + "]" * 5000 + "}",
    ],
)
def test_a_tsconfig_without_meaning_is_reported_and_the_bare_name_decides(tmp_path: Path, text: str) -> None:
    child = "import { Base } from '@k/base'; export class Child extends Base {}"
    result = scan(tmp_path, {**PACKAGES, "shop/tsconfig.json": text, "shop/src/child.ts": child})

    assert inherited(result) == ["wrong"]
    assert {(item.code, item.file_path) for item in result.diagnostics} == {
        ("invalid-tsconfig", "shop/tsconfig.json")
    }


def test_nothing_outside_the_root_is_opened(tmp_path: Path) -> None:
    write(tmp_path, {"outside.json": {"compilerOptions": {"paths": {"@k/*": ["./kernel/src/*"]}}}})
    root = tmp_path / "root"
    root.mkdir()
    (root / "tsconfig.json").symlink_to(tmp_path / "outside.json")
    child = "import { Base } from '@k/base'; export class Child extends Base {}"
    result = scan(root, {**PACKAGES, "shop/src/child.ts": child})

    assert inherited(result) == ["wrong"]
    assert [item.code for item in result.diagnostics] == ["invalid-tsconfig"]


def test_patterns_of_absurd_length_give_nothing(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"tsconfig.json": {"compilerOptions": {"paths": {"a/*": ["x" * 5000 + "/*"], "*": ["y/*"]}}}},
    )
    mapping = read_path_mapping(ConfigFiles(tmp_path), "")

    assert list(mapping.targets("a/b")) == []
    assert list(mapping.targets("c")) == ["y/c"]


def test_names_keep_to_the_package(tmp_path: Path) -> None:
    files = {
        **PACKAGES,
        "shop/src/child.ts": "import { Base } from '@acme/kernel'; export class Child extends Base {}",
        "shop/src/far.ts": "import { Thing } from '@acme/kernel/deep/thing'; export class Far extends Thing {}",
        "shop/src/ns.ts": "import * as core from '@happyvertical/smrt-core'; class Ns extends core.SmrtObject {}",
    }
    result = scan(tmp_path, files, Resolution.NAMES)

    assert inherited(result) == ["wrong"]
    assert inherited(result, "Far") is None
    assert inherited(result, "Ns") is None
    assert inherited(scan(tmp_path, files), "Far") == ["right"]


def test_a_bare_name_behind_an_import_is_looked_up_in_the_package_of_the_class_that_extends_it(
    tmp_path: Path,
) -> None:
    files = {
        "kernel/package.json": {"name": "kernel"},
        "kernel/index.ts": "export class Top extends Base {}",
        "kernel/unlinked.ts": MEANT,
        "shop/package.json": {"name": "shop"},
        "shop/base.ts": OTHER,
        "shop/child.ts": "import { Top } from 'kernel'; export class Child extends Top {}",
    }

    assert inherited(scan(tmp_path, files)) == ["right"]


def test_a_type_alias_of_another_package_is_followed_from_where_the_field_stands(tmp_path: Path) -> None:
    files = {
        "kernel/package.json": {"name": "kernel"},
        "kernel/index.ts": "export type { Kind } from './kinds';",
        "kernel/kinds.ts": "export type Kind = Inner | null;",
        "kernel/inner.ts": "export type Inner = 'a' | 'b';",
        "shop/package.json": {"name": "shop"},
        "shop/a.ts": "import type { Kind } from 'kernel'; @smrt() class Child extends SmrtObject { kind: Kind; }",
    }
    result = scan(tmp_path, files)
    objects = result.packages[-1].manifest["objects"]

    assert isinstance(objects, dict)
    assert objects["shop:Child"]["fields"]["kind"]["type"] == "text"


def test_a_nested_package_is_one_of_its_own(tmp_path: Path) -> None:
    files = {
        "package.json": {"name": "outer"},
        "inner/package.json": {"name": "inner"},
        "inner/base.ts": MEANT,
        "base.ts": OTHER,
        "child.ts": "import { Base } from './inner/base'; export class Child extends Base {}",
    }

    assert inherited(scan(tmp_path, files)) == ["right"]


@pytest.mark.parametrize(
    ("specifier", "parts"),
    [
        ("@a/b", ("@a/b", ".")),
        ("@a/b/c/d", ("@a/b", "./c/d")),
        ("a", ("a", ".")),
        ("a/b", ("a", "./b")),
        ("@a", None),
        ("node:fs", None),
        ("a\0", None),
        ("..", None),
        ("", None),
        ("@a/..", None),
    ],
)
def test_bare_specifiers_are_split(specifier: str, parts: tuple[str, str] | None) -> None:
    assert split_specifier(specifier) == parts


def test_targets_of_hostile_package_files_are_bounded() -> None:
    deep: Any = "./x"
    for _ in range(1000):
        deep = {"a": deep}

    assert list(module_targets({"exports": deep}, ".")) == []
    assert len(list(module_targets({"exports": {".": ["./x"] * 10_000}}, "."))) <= 64
    assert list(mapped_targets({"./*": "*" * 4000}, "./" + "y" * 4000)) == []
    assert list(source_candidates("../../etc/passwd")) == []


SEGMENTS = st.sampled_from(["a", "b", "src", "index", "..", "."])


@given(
    st.lists(st.sampled_from(["a", "b", "src"]), max_size=3),
    st.lists(st.sampled_from(["a", "b"]), max_size=2),
    st.lists(SEGMENTS, min_size=1, max_size=6),
)
def test_a_path_that_stays_within_leads_to_nothing_outside(
    package: list[str], below: list[str], specifier: list[str]
) -> None:
    directory, importer = "/".join(package), "/".join([*package, *below, "m.ts"])
    written = "/".join(["..", *specifier])

    if stays_within(importer, written, directory):
        base = relative_base(importer, written)
        assert base == "." or is_inside(base)
        assert not directory or base == directory or base.startswith(f"{directory}/")


@pytest.mark.parametrize(
    ("specifier", "within"),
    [
        ("./x", True),
        ("../x", True),
        ("../../x", True),
        ("../../../x", False),
        (".", True),
        ("pkg", False),
        ("/x", False),
    ],
)
def test_a_path_stays_within_its_package_as_deep_as_the_importer_is(specifier: str, within: bool) -> None:
    assert stays_within("packages/a/src/m/n.ts", specifier, "packages/a") is within
