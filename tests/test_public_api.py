"""The library offers what it promises, under these names, and no others by accident."""

from __future__ import annotations

import inspect
from pathlib import Path
from types import ModuleType

import pytest

import scanner

PROMISED = {
    "parse_source",
    "parse_file",
    "discover_source_files",
    "InheritanceResolver",
    "ManifestAdapter",
    "extract_smrt_imports",
    "lint_numeric_precision",
    "classify_numeric_field_name",
    "source_may_contain_numeric_precision_issue",
    "scan_project",
}


def test_every_promised_name_is_public() -> None:
    assert set(scanner.__all__) >= PROMISED


def test_the_public_list_is_all_there_is() -> None:
    found = {
        name
        for name in dir(scanner)
        if not name.startswith("_") and not isinstance(getattr(scanner, name), ModuleType)
    }

    assert found == set(scanner.__all__)


@pytest.mark.parametrize("name", sorted(scanner.__all__))
def test_public_things_are_documented(name: str) -> None:
    value = getattr(scanner, name)

    assert not callable(value) or inspect.getdoc(value)


def test_the_whole_way_in_the_library(shop: Path) -> None:
    result = scanner.scan_project(shop)

    assert [(item.package.name, list(item.manifest["objects"])) for item in result.packages] == [
        ("@acme/shop", ["@acme/shop:Order"])
    ]
    with pytest.raises(FileNotFoundError):
        scanner.scan_project(shop / "missing")


def test_imports_are_read_from_source() -> None:
    found = scanner.extract_smrt_imports(
        "import { SmrtObject, smrt } from '@happyvertical/smrt-core';", "a.ts"
    )

    assert found == {"@happyvertical/smrt-core": ("SmrtObject",)}
