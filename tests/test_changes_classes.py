"""What a change in a class or package means: each pair of trees with all that is told of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from change_trees import SHOP, Files, between, shop_between, told

CLOSED = "api: false, mcp: false, cli: false"


def order(config: str, body: str = "") -> str:
    return f"@smrt({{ {config} }})\nexport class Order extends SmrtObject {{ {body} }}\n"


ORDER = order(CLOSED)
API = "class changed @acme/shop/Order/decoratorConfig.api"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(
            ORDER + "@smrt() export class Bill extends SmrtObject {}",
            ORDER,
            ["breaking closed class removed @acme/shop/Bill ~ -> ~"],
            id="removed, open",
        ),
        pytest.param(
            ORDER + f"@smrt({{ {CLOSED} }}) export class Bill extends SmrtObject {{}}",
            ORDER,
            ["breaking class removed @acme/shop/Bill ~ -> ~"],
            id="removed, closed",
        ),
        pytest.param(
            ORDER,
            ORDER + "@smrt({ api: false, mcp: false }) export class Bill extends SmrtObject {}",
            ["compatible opened class added @acme/shop/Bill ~ -> ~"],
            id="added, open",
        ),
        pytest.param(
            ORDER,
            ORDER + f"@smrt({{ {CLOSED} }}) export class Bill extends SmrtObject {{}}",
            ["compatible class added @acme/shop/Bill ~ -> ~"],
            id="added, closed",
        ),
        pytest.param(
            order(f"tableName: 'orders', {CLOSED}"),
            order(f"tableName: 'order', {CLOSED}"),
            ['breaking class changed @acme/shop/Order/decoratorConfig.tableName "orders" -> "order"'],
            id="table renamed",
        ),
        pytest.param(
            ORDER,
            order(f"tableStrategy: 'sti', {CLOSED}"),
            ['breaking class changed @acme/shop/Order/decoratorConfig.tableStrategy ~ -> "sti"'],
            id="another strategy",
        ),
        pytest.param(
            order("api: false"),
            order(""),
            [f"breaking opened {API} [*] false -> ~"],
            id="a missing key is open",
        ),
        pytest.param(
            order(""),
            order("api: false"),
            [f"breaking closed {API} [*] ~ -> false"],
            id="a surface closed",
        ),
        pytest.param(
            order("api: { include: ['list', 'get'] }"),
            order("api: { include: ['get', 'update', 'create'] }"),
            [
                f'breaking closed {API} [list] {{"include":["list","get"]}} -> {{"include":["get","update","create"]}}',
                (
                    f"breaking opened {API} [create update]"
                    ' {"include":["list","get"]} -> {"include":["get","update","create"]}'
                ),
            ],
            id="actions opened and closed",
        ),
        pytest.param(
            order("api: { exclude: ['delete'] }"),
            order("api: true"),
            [f'breaking opened {API} [delete] {{"exclude":["delete"]}} -> true'],
            id="an exclusion lifted",
        ),
        pytest.param(
            order("api: { include: ['list', 'delete'] }"),
            order("api: { exclude: ['delete', 'get'] }"),
            [
                f'breaking closed {API} [delete] {{"include":["list","delete"]}} -> {{"exclude":["delete","get"]}}',
                f'breaking opened {API} [*] {{"include":["list","delete"]}} -> {{"exclude":["delete","get"]}}',
            ],
            id="included turned to excluded",
        ),
        pytest.param(
            order("api: { include: ['list', 'get'], exclude: ['get'] }"),
            order("api: { include: ['list'] }"),
            [f'cosmetic {API} {{"include":["list","get"],"exclude":["get"]}} -> {{"include":["list"]}}'],
            id="the same actions",
        ),
        pytest.param(
            order("api: true, mcp: {}"),
            order(""),
            [
                f"cosmetic {API} true -> ~",
                "cosmetic class changed @acme/shop/Order/decoratorConfig.mcp {} -> ~",
            ],
            id="open by default or by word",
        ),
        pytest.param(
            order("cli: { include: [] }"),
            order("cli: false"),
            ['cosmetic class changed @acme/shop/Order/decoratorConfig.cli {"include":[]} -> false'],
            id="closed in two ways",
        ),
        pytest.param(
            order("api: false"),
            order("api: ACCESS"),
            [
                f'breaking shifted {API} false -> "ACCESS"',
                (
                    'compatible diagnostic added @acme/shop/unresolved-config/src/models.ts ~ -> {"code":"unresolved-config",'
                    '"severity":"error","filePath":"src/models.ts","line":1,"column":14,"message":"The config of @smrt()'
                    ' depends on `ACCESS`, which cannot be known without running the code.","hint":"Write the value as a'
                    " literal, or spread a constant of this file that nothing changes; a key that is missing here is open by"
                    ' default.","expression":"ACCESS","decorator":"@smrt()"}'
                ),
            ],
            id="a config that cannot be known",
        ),
        pytest.param(
            order("api: { include: ['list'], limit: 5 }"),
            order("api: { include: ['list'], limit: 6 }"),
            [f"breaking {API}.limit 5 -> 6"],
            id="another option of a surface",
        ),
        pytest.param(
            ORDER,
            f"@TenantScoped({{ mode: 'strict' }})\n{ORDER}",
            [
                'breaking closed class changed @acme/shop/Order/decoratorConfig.tenantScoped ~ -> {"mode":"strict"}'
            ],
            id="kept apart by tenant",
        ),
        pytest.param(
            order(f"description: 'a', {CLOSED}"),
            order(f"description: 'b', hooks: true, {CLOSED}"),
            [
                'cosmetic class changed @acme/shop/Order/decoratorConfig.description "a" -> "b"',
                "breaking class changed @acme/shop/Order/decoratorConfig.hooks ~ -> true",
            ],
            id="words for people, and an option that nobody knows",
        ),
        pytest.param(
            ORDER,
            ORDER.replace("SmrtObject", "SmrtHierarchical"),
            ['breaking class changed @acme/shop/Order/extends "SmrtObject" -> "SmrtHierarchical"'],
            id="another base class",
        ),
        pytest.param(
            order(CLOSED, "static uiSlots = { main: 'a' }; static adminRoutes = ['/a', '/b'];"),
            order(CLOSED, "static uiSlots = { main: 'a', side: 'b' }; static adminRoutes = ['/b'];"),
            [
                'breaking class changed @acme/shop/Order/staticProperties.adminRoutes ["/a","/b"] -> ["/b"]',
                (
                    "compatible class changed @acme/shop/Order/staticProperties.uiSlots"
                    ' {"main":"a"} -> {"main":"a","side":"b"}'
                ),
            ],
            id="static properties",
        ),
    ],
)
def test_a_class(tmp_path: Path, old: str, new: str, expected: list[str]) -> None:
    assert shop_between(tmp_path, old, new) == expected


def test_fields_of_a_base_class_are_told_for_each_class_that_inherits_them(tmp_path: Path) -> None:
    base = f"@smrt({{ tableStrategy: 'sti', {CLOSED} }}) export class Order extends SmrtObject {{ FIELD }}\n"
    child = f"@smrt({{ {CLOSED} }}) export class Big extends Order {{}}\n"
    trees = [
        base.replace("FIELD", "note: string = '';") + child,
        base.replace("FIELD", "note: number = 1;") + child,
    ]

    assert shop_between(tmp_path, *trees) == [
        f"{impact} field changed @acme/shop/{name}/note/{change}"
        for name in ("Big", "Order")
        for impact, change in (("compatible", 'default "" -> 1'), ("breaking", 'type "text" -> "integer"'))
    ]


def package(name: str, directory: str, **files: str) -> Files:
    texts = {f"{directory}/src/{stem}.ts": text for stem, text in files.items()}
    return {f"{directory}/package.json": f'{{"name": "{name}", "version": "1.0.0"}}', **texts}


PRICE = f"@smrt({{ {CLOSED} }}) export class Tag extends SmrtObject {{ price: number = 0.5; }}"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(
            package("@a/one", "one", order=ORDER, tag=PRICE),
            package("@a/one", "elsewhere/uno", all=f"{PRICE}\n\n\n{ORDER}"),
            [],
            id="files and directories renamed",
        ),
        pytest.param(
            package("@a/one", "one", order=ORDER),
            package("@a/two", "one", order=ORDER),
            [
                "breaking package removed @a/one ~ -> ~",
                "compatible package added @a/two ~ -> ~",
                'breaking class moved @a/two/Order "@a/one" -> "@a/two"',
            ],
            id="a package renamed",
        ),
        pytest.param(
            {**package("@a/one", "one", order=ORDER), **package("@a/two", "two", tag=PRICE)},
            {**package("@a/one", "one"), **package("@a/two", "two", tag=PRICE, order=order(""))},
            [
                "breaking package removed @a/one ~ -> ~",
                'breaking class moved @a/two/Order "@a/one" -> "@a/two"',
                *(
                    f"breaking opened class changed @a/two/Order/decoratorConfig.{key} [*] false -> ~"
                    for key in ("api", "cli", "mcp")
                ),
            ],
            id="a class moved and changed",
        ),
        pytest.param(
            {**package("@a/one", "one", order=ORDER), **package("@a/two", "two", order=ORDER)},
            package("@a/three", "three", order=ORDER),
            [
                "breaking package removed @a/one ~ -> ~",
                "breaking class removed @a/one/Order ~ -> ~",
                "compatible package added @a/three ~ -> ~",
                "compatible class added @a/three/Order ~ -> ~",
                "breaking package removed @a/two ~ -> ~",
                "breaking class removed @a/two/Order ~ -> ~",
            ],
            id="two classes of one name are not said to have moved",
        ),
        pytest.param(
            package("@a/one", "one", util="export const one = 1;"),
            package("@a/two", "two", util="export const one = 1;"),
            ["cosmetic package removed @a/one ~ -> ~", "compatible package added @a/two ~ -> ~"],
            id="a package without models",
        ),
        pytest.param(
            {**SHOP, "a.ts": ORDER},
            {**SHOP, "package.json": '{"name": "@acme/shop", "version": "2.0.0"}', "a.ts": ORDER},
            ['cosmetic package changed @acme/shop/packageVersion "1.0.0" -> "2.0.0"'],
            id="another version",
        ),
        pytest.param(
            {"a.ts": ORDER},
            {"b.ts": order(CLOSED, "note?: string;")},
            ['compatible field added -/Order/note ~ -> {"type":"text","required":false}'],
            id="no package at all",
        ),
        pytest.param(
            {**package("@a/same", "one", order=ORDER), **package("@a/same", "two", tag=PRICE)},
            {**package("@a/same", "two", tag=PRICE), **package("@a/same", "uno", order=ORDER)},
            [],
            id="two packages of one name",
        ),
    ],
)
def test_packages(tmp_path: Path, old: Files, new: Files, expected: list[str]) -> None:
    lines = told(between(tmp_path, old, new))

    # That two packages share a name is a finding of its own, which moves with them.
    assert [line for line in lines if "/duplicate-package/" not in line] == expected
