"""Names are followed through re-exports, renames and barrels to the class or type that is meant."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from scanner import scan_project
from scanner.class_table import ClassTable
from scanner.file_scan import parse_source
from scanner.inheritance import Resolution, resolve_classes
from scanner.manifest import ManifestAdapter
from scanner.options import Depth, ScanOptions
from scanner.records import ExportBinding

MEANT = "@smrt({ tableStrategy: 'sti' }) export class Base extends SmrtObject { right = 1; }"
OTHER = "@smrt({ tableStrategy: 'sti' }) export class Base extends SmrtObject { wrong = 1; }"


def table_of(files: dict[str, str]) -> ClassTable:
    return ClassTable(parse_source(dedent(text), path) for path, text in files.items())


def resolve(files: dict[str, str]) -> Resolution:
    return resolve_classes(table_of(files))


def child_of(files: dict[str, str]) -> tuple[tuple[str, ...], list[str], list[str]]:
    """The chain and inherited fields of the class Child, and the codes of diagnostics about its file."""
    resolution = resolve(files)
    child = next(item for item in resolution.classes if item.raw.class_name == "Child")
    codes = [item.code for item in resolution.diagnostics if item.file_path == child.raw.file_path]
    return child.inheritance_chain, [item.field.name for item in child.all_fields], codes


@pytest.mark.parametrize(
    ("barrel", "importing", "extends"),
    [
        ("export { Base } from './base';", "import { Base } from './index';", "Base"),
        ("export * from './base';", "import { Base } from '.';", "Base"),
        ("export * from './none'; export * from './base.js';", "import { Base } from '.';", "Base"),
        ("export { Base as Root } from './base';", "import { Root } from './index.js';", "Root"),
        ("export { Base as Root } from './base';", "import { Root as Top } from './index.js';", "Top"),
        ("export { Base as 'odd name' } from './base';", "import { 'odd name' as Top } from '.';", "Top"),
        ("export { Base as default } from './base';", "import Root from './index';", "Root"),
        ("export { Base as default } from './base';", "import { default as Root } from './index';", "Root"),
        ("import { Base } from './base'; export { Base };", "import { Base } from './index';", "Base"),
        ("import { Base as B } from './base'; export { B as C };", "import { C } from './index';", "C"),
        ("import { Base as B } from './base'; export default B;", "import Any from './index';", "Any"),
        ("import * as inner from './base'; export { inner };", "import { inner } from '.';", "inner.Base"),
        ("export * as inner from './base';", "import { inner } from './index';", "inner.Base"),
        ("export * as inner from './base';", "import * as all from './index';", "all.inner.Base"),
        ("export * from './base';", "import * as all from './index';", "all.Base"),
        ("export { Base as Root } from './base';", "import * as all from './index';", "all.Root"),
        ("export * from './second';", "import { Base } from './index';", "Base"),
    ],
)
def test_a_parent_is_found_through_a_barrel(barrel: str, importing: str, extends: str) -> None:
    files = {
        "a/base.ts": OTHER,
        "z/base.ts": MEANT,
        "z/second.ts": "export * from './index'; export * from './base';",
        "z/index.ts": barrel,
        "z/child.ts": f"{importing}\n@smrt() export class Child extends {extends} {{ own = 1; }}",
    }

    assert child_of(files) == (("SmrtObject", "Base", "Child"), ["right", "own"], [])


def test_a_clause_comes_before_a_declaration_and_a_declaration_before_a_star() -> None:
    files = {
        "clause.ts": "class Base {}\nexport { Other as Base } from './other';",
        "declared.ts": "export * from './other';\nexport class Other extends SmrtObject { declared = 1; }",
        "other.ts": "export class Other extends SmrtObject { other = 1; }",
        "a.ts": "import { Base } from './clause'; class First extends Base {}",
        "b.ts": "import { Other } from './declared'; class Second extends Other {}",
    }
    table = table_of(files)
    parents = {raw.class_name: table.parent(raw) for raw in table.classes}
    first, second = parents["First"], parents["Second"]

    assert first is not None
    assert first.raw is not None
    assert first.raw.file_path == "other.ts"
    assert second is not None
    assert second.raw is not None
    assert second.raw.file_path == "declared.ts"


def test_a_star_gives_no_default_export() -> None:
    files = {
        "base.ts": "export default class Hidden extends SmrtObject {}",
        "index.ts": "export * from './base';",
        "child.ts": "import Any from './index'; class Child extends Any {}",
    }

    assert [item.raw.class_name for item in resolve(files).classes] == ["Hidden"]


def test_barrels_that_lead_in_circles_end() -> None:
    files = {
        "one.ts": "export * from './two'; export { Lost } from './two';",
        "two.ts": "export * from './one'; export { Lost } from './one'; export * from './two';",
        "child.ts": "import { Lost, Gone } from './one'; @smrt() class A extends Lost {} @smrt() class B extends Gone {}",
    }

    assert [item.inheritance_chain for item in resolve(files).classes] == [("Lost", "A"), ("Gone", "B")]


def test_a_chain_of_barrels_may_be_long() -> None:
    files = {f"b{number}.ts": f"export * from './b{number + 1}';" for number in range(3000)}
    files |= {"b3000.ts": MEANT, "a.ts": OTHER}
    files["child.ts"] = "import { Base } from './b0'; @smrt() class Child extends Base {}"

    assert child_of(files)[1] == ["right"]


@pytest.mark.parametrize(
    "barrel",
    [
        "export { SmrtObject as Root } from '@happyvertical/smrt-core';",
        "import { SmrtObject as Root } from '@happyvertical/smrt-core'; export { Root };",
    ],
)
def test_a_base_of_the_framework_is_known_under_the_name_that_a_barrel_gives_it(barrel: str) -> None:
    files = {
        "framework.ts": barrel,
        "child.ts": "import { Root } from './framework'; export class Child extends Root {}",
    }

    assert child_of(files)[0] == ("SmrtObject", "Child")


def test_a_type_alias_is_found_through_a_barrel() -> None:
    files = {
        "a/kind.ts": "export type Kind = number;",
        "z/kind.ts": "export type Kind = 'x' | 'y';",
        "z/index.ts": "export type { Kind as Sort } from './kind';",
        "z/child.ts": "import { type Sort } from '.'; @smrt() class Child { kind: Sort; }",
    }
    table = table_of(files)
    manifest = ManifestAdapter(table).to_manifest(resolve_classes(table).classes)
    objects = manifest.document["objects"]

    assert isinstance(objects, dict)
    assert objects["child"]["fields"]["kind"]["type"] == "text"
    assert manifest.diagnostics == ()


@pytest.mark.parametrize("suffix", ["ts", "tsx", "js"])
def test_export_clauses_are_read_in_every_dialect(suffix: str) -> None:
    source = """
        export { A as B, C, default as D } from './m'; export * from './n'; export * as ns from './o';
        export { X as default }; export default Foo;
        export class K {} export const z = 1; export default function f() {}
    """

    assert parse_source(source, f"a.{suffix}").exports == (
        ExportBinding("B", "A", "./m"),
        ExportBinding("C", "C", "./m"),
        ExportBinding("D", "default", "./m"),
        ExportBinding("*", "*", "./n"),
        ExportBinding("ns", "*", "./o"),
        ExportBinding("default", "X", None),
        ExportBinding("default", "Foo", None),
    )


def test_a_scan_follows_barrels_at_both_depths(tmp_path: Path) -> None:

    for path, text in {
        "framework.ts": "export { SmrtObject as Root } from '@happyvertical/smrt-core';",
        "base.ts": "import { Root } from './framework'; export class Base extends Root {}",
        "index.ts": "export { Base as Bottom } from './base';",
        "child.ts": "import { Bottom } from './index'; export class Child extends Bottom {}",
    }.items():
        (tmp_path / path).write_text(text)

    for depth in Depth:
        (package,) = scan_project(tmp_path, ScanOptions(depth=depth)).packages
        chains = [item.inheritance_chain for item in package.classes]
        assert chains == [("SmrtObject", "Base"), ("SmrtObject", "Base", "Child")]
