"""The index names the SMRT classes of other packages that a package's models use, and no others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from change_trees import plant_files

from scanner import scan_project
from scanner.options import Depth, Resolution, ScanOptions

CORE = "@happyvertical/smrt-core"
KERNEL = {
    "kernel/package.json": {"name": "@acme/kernel"},
    "kernel/index.ts": "export * from './models'; export { default } from './models';",
    "kernel/models.ts": f"import {{ SmrtObject }} from '{CORE}';\n"
    "export class Base extends SmrtObject {}\n@smrt() export class Party {}\n"
    "export class Money { cents = 0; }\nexport default class Main extends SmrtObject {}\nexport type Kind = 'a';",
    "shop/package.json": {"name": "@acme/shop"},
    "shop/deps.ts": "export { Party as Person } from '@acme/kernel';",
}


def used(root: Path, source: str, **options: Any) -> list[tuple[str, tuple[str, ...]]]:
    """What a file of the shop makes the shop use, the same at both depths."""
    plant_files(root, {**KERNEL, "shop/a.ts": source})
    found = [scan_project(root, ScanOptions(depth=depth, **options)).packages[-1] for depth in Depth]
    assert found[0].external_classes == found[1].external_classes
    return [(item.module, item.names) for item in found[0].external_classes]


@pytest.mark.parametrize(
    ("importing", "body"),
    [
        ("{ Party }", "@smrt() class A extends Party {}"),
        ("{ Party as Renamed }", "@smrt() class A extends Renamed {}"),
        ("* as kernel", "@smrt() class A extends kernel.Party {}"),
        ("{ Party }", "@smrt() class A { party: Party; }"),
        ("type { Party }", "@smrt() class A { party?: Party | null = null; }"),
        ("{ type Party }", "@smrt() class A { parties: Map<string, Party[]>; }"),
        ("* as kernel", "@smrt() class A { party: kernel.Party; }"),
        ("{ Party }", "@smrt() class A { @foreignKey(() => Party) partyId = ''; }"),
        ("{ Party }", "@smrt() class A { @oneToMany('Party') parties = []; }"),
        ("* as kernel", "@smrt() class A { @manyToMany(kernel.Party) parties = []; }"),
        ("{ Party }", "@smrt() class A extends SmrtCollection<Party> {}"),
        ("{ Party }", "class Plain { party: Party; }\n@smrt() class A extends Plain {}"),
    ],
)
def test_a_model_that_is_imported_and_used_counts(tmp_path: Path, importing: str, body: str) -> None:
    source = f"import {importing} from '@acme/kernel';\n{body}"

    assert used(tmp_path, source) == [("@acme/kernel", ("Party",))]


@pytest.mark.parametrize(
    "source",
    [
        "import { Party } from '@acme/kernel'; @smrt() class A {}",
        "import { Party } from '@acme/kernel'; @smrt() class A { act(party: Party): Party {} }",
        "import { Party } from '@acme/kernel'; class Plain extends Money { party: Party; }",
        "import { Money } from '@acme/kernel'; @smrt() class A { total: Money; }",
        "import { Kind } from '@acme/kernel'; @smrt() class A { kind: Kind; }",
        "@smrt() class A { @foreignKey('Party') party = ''; other: Party; }",
        "import { View } from 'react'; @smrt() class A extends View { view: View; }",
        f"import {{ Meta, smrt, withRetries }} from '{CORE}'; @smrt() class A {{ m: Meta<string>; r: withRetries; }}",
        "import { SmrtObject } from './gone'; @smrt() class A extends SmrtObject {}",
        "import { Own } from './own'; @smrt() class Own {} @smrt() class A { own: Own; }",
    ],
)
def test_what_is_not_used_or_no_model_or_not_imported_does_not_count(tmp_path: Path, source: str) -> None:
    assert used(tmp_path, source) == []


def test_a_class_is_named_as_the_module_at_the_border_of_the_package_names_it(tmp_path: Path) -> None:
    source = (
        "import { Person } from './deps'; import Main, { Base as Root } from '@acme/kernel/models';\n"
        "@smrt() class A extends Root { person: Person; main: Main; }"
    )

    assert used(tmp_path, source) == [
        ("@acme/kernel", ("Party",)),
        ("@acme/kernel/models", ("Base", "default")),
    ]


def test_framework_bases_and_classes_of_installed_smrt_packages_count(tmp_path: Path) -> None:
    source = (
        f"import {{ SmrtObject as Top, SmrtJunction }} from '{CORE}'; import * as crm from '@happyvertical/smrt-crm';\n"
        "import { Record } from 'vendor';\n"
        "@smrt() class A extends Top { @foreignKey(() => crm.Lead) lead = ''; }\nclass B extends Record {}"
    )

    assert used(tmp_path, source, framework_bases=("Record",)) == [
        (CORE, ("SmrtObject",)),
        ("@happyvertical/smrt-crm", ("Lead",)),
        ("vendor", ("Record",)),
    ]


def test_members_of_exported_namespaces_are_named_with_these(tmp_path: Path) -> None:
    source = (
        "import { core } from '@happyvertical/smrt-all'; import { models } from './spaces';\n"
        "class A extends core.SmrtObject { @foreignKey(() => models.Party) party = ''; }"
    )
    plant_files(tmp_path, {"shop/spaces.ts": "export * as models from '@acme/kernel';"})

    assert used(tmp_path, source) == [
        ("@acme/kernel", ("Party",)),
        ("@happyvertical/smrt-all", ("core.SmrtObject",)),
    ]


def test_without_following_imports_packages_of_the_tree_are_not_known(tmp_path: Path) -> None:
    source = (
        f"import {{ Party }} from '@acme/kernel'; import {{ SmrtObject }} from '{CORE}';\n"
        "@smrt() class A extends SmrtObject { party: Party; }"
    )

    assert used(tmp_path, source, resolution=Resolution.NAMES) == [(CORE, ("SmrtObject",))]
