"""Parents are found where the code says they are, whatever the order of files."""

from __future__ import annotations

from textwrap import dedent

import pytest

from scanner.file_scan import parse_source
from scanner.inheritance import InheritanceResolver, Resolution


def resolve(files: dict[str, str], bases: tuple[str, ...] = ()) -> Resolution:
    resolver = InheritanceResolver(bases)
    resolver.add_files([parse_source(dedent(text), path) for path, text in files.items()])
    return resolver.resolve_all()


def chains(files: dict[str, str]) -> dict[str, str]:
    return {
        f"{item.raw.file_path}:{item.raw.class_name}": " > ".join(item.inheritance_chain)
        for item in resolve(files).classes
    }


@pytest.mark.parametrize(
    ("importing", "extends"),
    [
        ("import { Base } from './base';", "Base"),
        ("import { Base } from './base.js';", "Base"),
        ("import { Base as Root } from './base.ts';", "Root"),
        ("import * as models from './base';", "models.Base"),
        ("import * as models from './base';", "models['Base']"),
    ],
)
def test_an_import_decides_between_namesakes(importing: str, extends: str) -> None:
    files = {
        "a/base.ts": "@smrt({ tableStrategy: 'cti' }) export class Base extends SmrtObject { wrong = 1; }",
        "z/base.ts": "@smrt({ tableStrategy: 'sti' }) export class Base extends SmrtObject { right = 1; }",
        "z/child.ts": f"{importing}\n@smrt() export class Child extends {extends} {{ own = 1; }}",
    }
    child = next(item for item in resolve(files).classes if item.raw.class_name == "Child")

    assert child.inheritance_chain == ("SmrtObject", "Base", "Child")
    assert [item.field.name for item in child.all_fields] == ["right", "own"]


def test_a_default_import_reaches_the_default_class_under_any_name() -> None:
    files = {
        "shelf.ts": "@smrt() export default class Shelf extends SmrtObject {}",
        "rack.ts": "import Rack from './shelf.js';\nexport class WallRack extends Rack {}",
    }

    assert chains(files)["rack.ts:WallRack"] == "SmrtObject > Shelf > WallRack"


def test_an_index_file_stands_for_its_directory() -> None:
    files = {
        "models/index.ts": "export class Root extends SmrtObject {}",
        "leaf.ts": "import { Root } from './models';\nexport class Leaf extends Root {}",
    }

    assert chains(files)["leaf.ts:Leaf"] == "SmrtObject > Root > Leaf"


def test_the_same_file_comes_before_every_import() -> None:
    files = {
        "a.ts": "export class Root extends Elsewhere {}",
        "b.ts": "class Root extends SmrtObject {}\nexport class Leaf extends Root {}",
    }

    assert chains(files)["b.ts:Leaf"] == "SmrtObject > Root > Leaf"


def test_a_bare_name_with_two_owners_is_reported_and_the_smaller_path_taken() -> None:
    files = {
        "a.ts": "export class Root extends SmrtObject {}",
        "b.ts": "export class Root extends SmrtObject {}",
        "c.ts": "export class Leaf extends Root {}",
    }
    codes = [(item.code, item.file_path) for item in resolve(files).diagnostics]

    assert ("ambiguous-parent", "c.ts") in codes
    assert ("duplicate-class", "b.ts") in codes


def test_a_model_keeps_its_manifest_key_against_a_helper_of_the_same_name() -> None:
    files = {
        "a-helper.ts": "export class Parcel { plain = 1; }",
        "b-model.ts": "export class Parcel extends SmrtObject { weight = 1; }",
    }
    resolution = resolve(files)

    assert [item.raw.file_path for item in resolution.classes] == ["b-model.ts"]
    assert [(item.code, item.severity.value, item.file_path) for item in resolution.diagnostics] == [
        ("duplicate-class", "warning", "a-helper.ts")
    ]


def test_helpers_that_share_a_name_are_nobodys_concern() -> None:
    assert resolve({"a.ts": "class Props {}", "b.ts": "class Props {}"}).diagnostics == ()


def test_the_order_in_which_files_arrive_changes_nothing() -> None:
    files = {
        "a.ts": "@smrt() class A extends B {}",
        "b.ts": "@smrt({ tableStrategy: 'sti' }) class B extends SmrtObject { b = 1; }",
        "c.ts": "@smrt() class B extends SmrtObject { other = 1; }",
    }

    assert resolve(files) == resolve(dict(reversed(files.items())))


def test_a_callers_base_makes_its_children_models() -> None:
    files = {"a.ts": "export class Visit extends ClinicRecord {}"}

    assert resolve(files).classes == ()
    assert resolve(files, ("ClinicRecord",)).classes[0].inheritance_chain == ("ClinicRecord", "Visit")


def chain_of(length: int) -> dict[str, str]:
    lines = ["class C0 extends SmrtObject {}"]
    lines += [f"@smrt() class C{number} extends C{number - 1} {{}}" for number in range(1, length)]
    return {"deep.ts": "\n".join(lines)}


def test_a_long_chain_resolves_whole() -> None:
    resolution = resolve(chain_of(999))

    assert len(resolution.classes[-1].inheritance_chain) == 1000
    assert resolution.diagnostics == ()


def test_a_chain_without_measure_is_cut_and_reported() -> None:
    resolution = resolve(chain_of(1003))

    assert max(len(item.inheritance_chain) for item in resolution.classes) == 1001
    assert {item.code for item in resolution.diagnostics} == {"chain-too-deep"}
