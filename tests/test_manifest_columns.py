"""What a field becomes in the manifest, where the contract's own cases do not tell."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.file_scan import parse_source
from scanner.inheritance import InheritanceResolver
from scanner.manifest import Manifest, ManifestAdapter
from scanner.manifest.adapter import collection_name


def adapt(*sources: str) -> Manifest:
    scans = [parse_source(source, f"file{number}.ts") for number, source in enumerate(sources)]
    resolver = InheritanceResolver()
    resolver.add_files(scans)
    return ManifestAdapter(scans, "@acme/pkg").to_manifest(resolver.resolve_all().classes)


def field(declaration: str, before: str = "") -> Any:
    manifest = adapt(f"{before}\n@smrt() class Model {{ {declaration} }}")
    return manifest.document["objects"]["@acme/pkg:Model"]["fields"]["it"]


@pytest.mark.parametrize(
    ("declaration", "column"),
    [
        ("it: Meta<string>", {"type": "meta", "required": True, "_meta": {"underlyingType": "string"}}),
        (
            "it?: Meta<Map<string, X>>",
            {"type": "meta", "required": False, "_meta": {"underlyingType": "Map<string, X>"}},
        ),
        ("@meta() it: string = 'x'", {"type": "meta", "required": False}),
        ("@manyToMany(() => Tag) it: Tag[]", {"type": "manyToMany", "required": False, "related": "Tag"}),
        (
            "@crossPackageRef('@acme/fleet:Van') it?: string",
            {"type": "crossPackageRef", "required": False, "related": "@acme/fleet:Van"},
        ),
        (
            "@foreignKey(() => { return crm.Customer; }) it: string",
            {"type": "foreignKey", "required": True, "related": "crm.Customer"},
        ),
        ("it: string | undefined | null", {"type": "text", "required": False}),
        ("it: null | undefined", {"type": "json", "required": False}),
        ("it: undefined | 'a' | null | 'b' = 'b'", {"type": "text", "required": False, "default": "b"}),
        ("it: number | null = -0", {"type": "integer", "required": False, "default": 0}),
        (
            "@groupBy() it: string",
            {"type": "text", "required": True, "_meta": {"__report": {"kind": "group"}}},
        ),
        (
            "@month('sold_at') it: Date",
            {
                "type": "datetime",
                "required": True,
                "_meta": {"__report": {"kind": "bucket", "unit": "month", "sourceColumn": "sold_at"}},
            },
        ),
    ],
)
def test_a_declaration_gives_its_column(declaration: str, column: dict[str, Any]) -> None:
    assert field(declaration) == column


@pytest.mark.parametrize(
    ("declaration", "required"),
    [
        ("@tenantId() it: string", True),
        ("@tenantId() it: string = ''", False),
        ("@tenantId({ required: true }) it?: string", True),
        ("@tenantId({ required: false }) it: string", False),
        ("@tenantId({ required: true, nullable: true }) it: string", False),
    ],
)
def test_a_tenant_field_is_required_as_its_decorator_or_declaration_says(
    declaration: str, required: bool
) -> None:
    assert field(declaration)["required"] is required


def test_tenant_options_land_in_the_tenancy_record() -> None:
    column = field("@tenantId({ nullable: true, autoFilter: false }) it: string")

    assert column["required"] is False
    assert column["_meta"] == {
        "sqlType": "UUID",
        "__tenancy": {
            "isTenantIdField": True,
            "autoFilter": False,
            "required": True,
            "autoPopulate": True,
            "nullable": True,
        },
    }


@pytest.mark.parametrize(("hops", "kind"), [(5, "text"), (6, "json")])
def test_type_aliases_are_followed_five_deep(hops: int, kind: str) -> None:
    aliases = (
        "".join(f"type A{number} = A{number + 1};" for number in range(1, hops)) + f"type A{hops} = string;"
    )

    assert field("it!: A1", aliases)["type"] == kind


def test_a_field_is_typed_by_the_aliases_of_the_file_that_declares_it() -> None:
    manifest = adapt(
        "type Cents = number; @smrt({ tableStrategy: 'sti' }) export class Bill extends SmrtObject { due: Cents = 1; }",
        "type Cents = string; @smrt() export class Tip extends Bill { extra: Cents = 'x'; }",
    )
    fields = manifest.document["objects"]["@acme/pkg:Tip"]["fields"]

    assert (fields["due"]["type"], fields["extra"]["type"]) == ("integer", "text")


def test_a_type_that_only_its_bare_name_finds_is_reported_when_files_differ() -> None:
    manifest = adapt(
        "export type Size = number;", "export type Size = string;", "@smrt() class Shoe {\n  size!: Size;\n}"
    )

    assert manifest.document["objects"]["@acme/pkg:Shoe"]["fields"]["size"]["type"] == "integer"
    assert [(item.code, item.file_path, item.line) for item in manifest.diagnostics] == [
        ("ambiguous-type", "file2.ts", 2)
    ]


def test_an_inherited_fault_is_reported_once_where_it_stands() -> None:
    manifest = adapt(
        "@smrt({ tableStrategy: 'sti' }) class A extends SmrtObject { @field({ max: LIMIT }) it = 1; }\n"
        "@smrt() class B extends A {}\n@smrt() class C extends B {}"
    )

    assert [(item.code, item.line, item.column) for item in manifest.diagnostics] == [
        ("unreadable-options", 1, 69)
    ]
    assert "LIMIT" in manifest.diagnostics[0].message


@pytest.mark.parametrize(
    ("name", "collection"),
    [
        ("Category", "categories"),
        ("Day", "days"),
        ("Box", "boxes"),
        ("Church", "churches"),
        ("Y", "ys"),
        ("Bus", "buses"),
    ],
)
def test_collections_are_plural(name: str, collection: str) -> None:
    assert collection_name(name) == collection
