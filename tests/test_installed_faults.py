"""Whatever is wrong with an installed package is said, and the classes of the tree arrive all the same."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from installed_trees import (
    FACTS,
    MANIFEST,
    codes,
    installed,
    link,
    objects,
    published,
    scanned,
    shop,
    write,
)
from schema_parts import validator

from scanner.diagnostics import Severity
from scanner.serialization import encode_document

CHILD = (
    "import { Party } from '@acme/kernel'; @smrt({ tableStrategy: 'sti' }) class A extends Party { a = 1 }"
)
PARTY = {
    "className": "Party",
    "extends": "SmrtObject",
    "fields": {"name": {"type": "text", "required": True}},
}
IMPORTANT = [("invalid-manifest", MANIFEST)]


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


MALFORMED: dict[str, tuple[dict[str, Any], list[str]]] = {
    "fields that are none": ({"fields": [1]}, []),
    "a field that is none": ({"fields": {"x": 1, "y": {"type": "text", "required": False}}}, ["y"]),
    "a field without a type": ({"fields": {"x": {"required": True}}}, []),
    "an unknown key": ({"fields": {"x": {"type": "text", "required": True, "odd": 1}}}, ["x"]),
    "a flag that is none": ({"fields": {"x": {"type": "text", "required": True, "readonly": 0}}}, ["x"]),
    "meta that is none": ({"fields": {"x": {"type": "text", "required": True, "_meta": 1}}}, ["x"]),
    "a permission that is none": (
        {"fields": {"x": {"type": "text", "required": True, "readPermission": []}}},
        ["x"],
    ),
    "a default nested too deep": (
        {"fields": {"x": {"type": "json", "required": True, "default": nested(500)}}},
        ["x"],
    ),
    "a parent that is no name": ({"extends": 7}, []),
    "a config that is none": ({"decoratorConfig": "sti"}, []),
    "static properties that are none": ({"staticProperties": {"uiSlots": 1, "odd": {}}}, []),
    "methods that are none": ({"methods": {"go": None}}, []),
}


@pytest.mark.parametrize(("parts", "fields"), MALFORMED.values(), ids=MALFORMED)
def test_parts_that_no_manifest_holds_are_left_out_and_named(
    tmp_path: Path, parts: dict[str, Any], fields: list[str]
) -> None:
    write(tmp_path, {**shop(CHILD), **installed(published({"className": "Party", **parts}))})
    result = scanned(tmp_path)
    [package] = result.packages

    assert codes(result) == IMPORTANT
    assert "@acme/kernel:Party." in result.diagnostics[0].message
    assert list(objects(result)["shop:A"]["fields"]) == [*fields, "a"]
    validator("manifest").validate(json.loads(encode_document(package.manifest)))


def test_what_is_left_out_is_counted_when_it_is_much(tmp_path: Path) -> None:
    write(tmp_path, {**shop(CHILD), **installed({"objects": {f"o{number}": 1 for number in range(12)}})})
    [remark] = scanned(tmp_path).diagnostics

    assert "`o4` and 7 more" in remark.message


@pytest.mark.parametrize(
    "content",
    [b"[" * 100_000, b'{"objects":' * 5000 + b"1" + b"}" * 5000, b"\xff\xfe{}", b"", b"null", b"NaN"],
    ids=["open lists", "deep objects", "no UTF-8", "nothing", "null", "no JSON"],
)
def test_broken_json_costs_nothing_but_what_it_holds(tmp_path: Path, content: bytes) -> None:
    write(tmp_path, {**shop(CHILD), **installed({})})
    (tmp_path / MANIFEST).write_bytes(content)
    result = scanned(tmp_path)

    assert codes(result) == IMPORTANT
    assert objects(result).keys() == {"shop:A"}


@pytest.mark.parametrize(("path", "size"), [(MANIFEST, 64 << 20), (FACTS, 4 << 20)])
def test_a_giant_file_is_not_read(tmp_path: Path, path: str, size: int) -> None:
    write(tmp_path, {**shop(CHILD), **installed(published(PARTY))})
    os.truncate(tmp_path / path, size + 1)
    result = scanned(tmp_path)

    assert codes(result) == [("invalid-manifest", path)]
    assert str(size) in result.diagnostics[0].message
    assert list(objects(result)["shop:A"]["fields"]) == ["a"]


@pytest.mark.parametrize("path", [MANIFEST, FACTS])
def test_a_fifo_holds_nothing_up(tmp_path: Path, path: str) -> None:
    write(tmp_path, {**shop(CHILD), **installed(published(PARTY))})
    (tmp_path / path).unlink()
    os.mkfifo(tmp_path / path)
    result = scanned(tmp_path)

    assert codes(result) == [("invalid-manifest", path)]
    assert objects(result).keys() == {"shop:A"}


@pytest.mark.parametrize(
    "path", ["node_modules", "node_modules/@acme", "node_modules/@acme/kernel", FACTS, MANIFEST]
)
def test_what_a_link_puts_outside_of_the_tree_is_not_opened(tmp_path: Path, path: str) -> None:
    root, elsewhere = tmp_path / "tree", tmp_path / "elsewhere"
    write(root, {**shop(CHILD), **installed(published(PARTY))})
    (root / path).rename(elsewhere)
    link(root, path, elsewhere)
    result = scanned(root)
    [remark] = result.diagnostics

    assert (remark.code, remark.severity) == ("invalid-manifest", Severity.INFO)
    assert remark.file_path == (MANIFEST if path == MANIFEST else FACTS)
    assert "leads out of the scanned directory" in remark.message
    assert list(objects(result)["shop:A"]["fields"]) == ["a"]
    assert str(tmp_path) not in str(result.diagnostics)


def test_a_link_to_itself_is_said_to_be_unreadable_and_a_broken_one_is_no_package(tmp_path: Path) -> None:
    write(tmp_path, shop(CHILD))
    link(tmp_path, "node_modules/@acme/kernel", "node_modules/@acme/kernel")
    circle = scanned(tmp_path)
    (tmp_path / "node_modules/@acme/kernel").unlink()
    link(tmp_path, "node_modules/@acme/kernel", "nowhere")
    broken = scanned(tmp_path)

    assert (codes(circle), codes(broken)) == ([("invalid-manifest", FACTS)], [])
    assert objects(circle).keys() == objects(broken).keys() == {"shop:A"}


def test_a_directory_in_place_of_a_file_is_none(tmp_path: Path) -> None:
    write(tmp_path, {**shop(CHILD), **installed(published(PARTY))})
    (tmp_path / MANIFEST).unlink()
    (tmp_path / MANIFEST).mkdir()
    result = scanned(tmp_path)

    assert codes(result) == [("invalid-manifest", FACTS)]
    assert objects(result).keys() == {"shop:A"}


def test_another_file_of_the_usual_name_is_taken_for_no_manifest(tmp_path: Path) -> None:
    write(
        tmp_path, {**shop(CHILD), FACTS: {"name": "@acme/kernel"}, MANIFEST: {"index.html": {"file": "x.js"}}}
    )
    result = scanned(tmp_path)

    assert codes(result) == []
    assert objects(result).keys() == {"shop:A"}


def test_faults_of_packages_from_which_no_class_comes_are_not_told(tmp_path: Path) -> None:
    child = "import { each } from '@acme/kernel'; @smrt() class A extends SmrtObject { a = each(1) }"
    write(tmp_path, {**shop(child), **installed("{")})

    assert codes(scanned(tmp_path)) == []


@pytest.mark.parametrize("broken", ["{", {"objects": {"a": 1}}], ids=["no JSON", "odd objects"])
@pytest.mark.parametrize("module", ["./barrel", "./deeper/barrel", "between", "@acme/kernel"])
def test_both_depths_name_a_fault_behind_any_class(tmp_path: Path, broken: Any, module: str) -> None:
    """Without a word of SMRT: what extends something unknown might be a model, if only one knew."""
    files = {
        **shop(f"import {{ Party }} from '{module}'; export class A extends Party {{}}"),
        "packages/shop/src/barrel.ts": "export * from '@acme/kernel';",
        "packages/shop/src/deeper/barrel.ts": "export { Party } from '../barrel';",
        "packages/between/package.json": {"name": "between"},
        "packages/between/index.ts": "export * from '@acme/kernel';",
    }
    write(tmp_path, {**files, **installed(broken)})

    assert codes(scanned(tmp_path)) == IMPORTANT


def test_names_that_no_package_can_have_are_not_looked_for(tmp_path: Path) -> None:
    names = ["x" * 5000, "@" + "y" * 300 + "/z", "a\\0b", "..", "node_modules", "@/x", "@acme/..", ""]
    sources = {
        f"m{number}.ts": f"import {{ B }} from '{name}'; @smrt() export class C{number} extends B {{}}"
        for number, name in enumerate(names)
    }
    write(tmp_path, {**sources, "node_modules/x/package.json": {}})
    result = scanned(tmp_path)

    assert codes(result) == []
    assert len(objects(result)) == len(names)


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    *(
                        "objects",
                        "className",
                        "fields",
                        "type",
                        "required",
                        "extends",
                        "decoratorConfig",
                        "_meta",
                    )
                ]
                + [
                    *(
                        "staticProperties",
                        "uiSlots",
                        "methods",
                        "Party",
                        "default",
                        "readonly",
                        "tableStrategy",
                    )
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(ANYTHING, ANYTHING, ANYTHING, ANYTHING)
def test_no_manifest_whatever_spoils_the_artifacts(
    tmp_path_factory: pytest.TempPathFactory, document: Any, entry: Any, fields: Any, field: Any
) -> None:
    root = tmp_path_factory.mktemp("any")
    party = {**PARTY, "fields": {"x": field, **(fields if isinstance(fields, dict) else {})}}
    party |= entry if isinstance(entry, dict) else {}
    manifest = {
        **(document if isinstance(document, dict) else {}),
        **published({**party, "className": "Party"}),
    }
    write(root, {**shop(CHILD), **installed(None)})
    (root / MANIFEST).write_text(json.dumps(manifest))
    result = scanned(root)
    [package] = result.packages

    assert objects(result).keys() == {"shop:A"}
    validator("manifest").validate(json.loads(encode_document(package.manifest)))
    validator("lineage").validate(json.loads(encode_document(package.lineage)))
