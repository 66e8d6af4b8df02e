"""What a change in a field means, from source to verdict: each pair of sources with all that is told of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from change_trees import shop_between

TEXT = '{"type":"text","required":false,"default":""}'
FIELD = "breaking field changed @acme/shop/Order/note"


def order(member: str) -> str:
    return f"@smrt({{ api: false, mcp: false, cli: false }})\nexport class Order extends SmrtObject {{ {member} }}\n"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(
            "note: string = ''; x = 1.5;",
            "x = 1.5;",
            [f"breaking field removed @acme/shop/Order/note {TEXT} -> ~"],
            id="removed",
        ),
        pytest.param(
            "",
            "note: string = '';",
            [f"compatible field added @acme/shop/Order/note ~ -> {TEXT}"],
            id="added",
        ),
        pytest.param(
            "",
            "note: string;",
            ['breaking field added @acme/shop/Order/note ~ -> {"type":"text","required":true}'],
            id="added and required",
        ),
        pytest.param(
            "",
            "note = 1;",
            [
                'compatible field added @acme/shop/Order/note ~ -> {"type":"integer","required":true,"default":1}'
            ],
            id="added and required, with a default",
        ),
        pytest.param(
            "note: string = '';",
            "remark: string = '';",
            [
                f"breaking field removed @acme/shop/Order/note {TEXT} -> ~",
                f"compatible field added @acme/shop/Order/remark ~ -> {TEXT}",
            ],
            id="renamed",
        ),
        pytest.param(
            "note: number = 0;",
            "note: number = 0.0;",
            ['compatible field changed @acme/shop/Order/note/type "integer" -> "decimal"'],
            id="type widened",
        ),
        pytest.param(
            "note: number = 0.0;",
            "note: number = 0;",
            [f'{FIELD}/type "decimal" -> "integer"'],
            id="type narrowed",
        ),
        pytest.param(
            "note: string = '';",
            "note: string[] = [];",
            [
                'compatible field changed @acme/shop/Order/note/default "" -> []',
                f'{FIELD}/type "text" -> "json"',
            ],
            id="text to json",
        ),
        pytest.param(
            "note?: string;",
            "note: string;",
            [f"{FIELD}/required false -> true"],
            id="required gained",
        ),
        pytest.param(
            "note: string;",
            "note?: string;",
            ["compatible field changed @acme/shop/Order/note/required true -> false"],
            id="required lost",
        ),
        pytest.param(
            "note: string | null;",
            "note: string;",
            [f"{FIELD}/required false -> true"],
            id="null no longer allowed",
        ),
        pytest.param(
            "note: string = 'a';",
            "note: string = 'b';",
            ['compatible field changed @acme/shop/Order/note/default "a" -> "b"'],
            id="default changed",
        ),
        pytest.param(
            "@field({ required: true }) note: string = 'a';",
            "@field({ required: true }) note: string;",
            [f'{FIELD}/default "a" -> ~'],
            id="default lost by a required field",
        ),
        pytest.param(
            "note: number = 0;",
            "note = 0;",
            [f"{FIELD}/required false -> true"],
            id="a number without annotation is required",
        ),
        pytest.param(
            "note = 0;",
            "note = false;",
            [
                "compatible field changed @acme/shop/Order/note/default 0 -> false",
                f'{FIELD}/type "integer" -> "boolean"',
            ],
            id="zero is not false",
        ),
        pytest.param(
            "@field({ maxLength: 20 }) note: string = '';",
            "@field({ maxLength: 10 }) note: string = '';",
            [f"{FIELD}/maxLength 20 -> 10"],
            id="limit narrowed",
        ),
        pytest.param(
            "@field({ min: 5, max: 9 }) note: number = 5;",
            "@field({ min: 1, max: 10 }) note: number = 5;",
            [
                "compatible field changed @acme/shop/Order/note/max 9 -> 10",
                "compatible field changed @acme/shop/Order/note/min 5 -> 1",
            ],
            id="limits widened",
        ),
        pytest.param(
            "note: string = '';",
            "@field({ min: 'a', minLength: 2 }) note: string = '';",
            [f'{FIELD}/min ~ -> "a"', f"{FIELD}/minLength ~ -> 2"],
            id="limits gained",
        ),
        pytest.param(
            "@field({ min: 'a', max: 2 }) note: string = '';",
            "@field({ min: 'b' }) note: string = '';",
            [
                "compatible field changed @acme/shop/Order/note/max 2 -> ~",
                f'{FIELD}/min "a" -> "b"',
            ],
            id="limit lost, and one that cannot be compared",
        ),
        pytest.param(
            "@field({ precision: 10 }) note: number = 0.5;",
            "@field({ precision: 8 }) note: number = 0.5;",
            [f"{FIELD}/_meta.precision 10 -> 8"],
            id="precision lowered",
        ),
        pytest.param(
            "@field({ precision: 8 }) note: number = 0.5;",
            "@field({ precision: 10 }) note: number = 0.5;",
            ["compatible field changed @acme/shop/Order/note/_meta.precision 8 -> 10"],
            id="precision raised",
        ),
        pytest.param(
            "@field({ enum: ['a', 'b'] }) note: string = 'a';",
            "@field({ enum: ['b', 'a', 'c'] }) note: string = 'a';",
            ['compatible field changed @acme/shop/Order/note/_meta.enum ["a","b"] -> ["b","a","c"]'],
            id="a value more",
        ),
        pytest.param(
            "@field({ enum: ['a', 'b'] }) note: string = 'a';",
            "@field({ enum: ['a', 'c'] }) note: string = 'a';",
            [f'{FIELD}/_meta.enum ["a","b"] -> ["a","c"]'],
            id="another value",
        ),
        pytest.param(
            "@field({ enum: ['a', 'b'] }) note: string = 'a';",
            "@field({ enum: ['b', 'a'] }) note: string = 'a';",
            ['cosmetic field changed @acme/shop/Order/note/_meta.enum ["a","b"] -> ["b","a"]'],
            id="values in another order",
        ),
        pytest.param(
            "note: string = '';",
            "@field({ unique: true, index: true }) note: string = '';",
            [
                "compatible field changed @acme/shop/Order/note/_meta.index ~ -> true",
                f"{FIELD}/_meta.unique ~ -> true",
            ],
            id="index and unique gained",
        ),
        pytest.param(
            "@field({ unique: true }) note: string = '';",
            "@field({ unique: false }) note: string = '';",
            ["compatible field changed @acme/shop/Order/note/_meta.unique true -> false"],
            id="unique lost",
        ),
        pytest.param(
            "@field({ unique: 'a', index: true }) note: string = '';",
            "@field({ unique: 'b', index: { unique: true } }) note: string = '';",
            [f'{FIELD}/_meta.index true -> {{"unique":true}}', f'{FIELD}/_meta.unique "a" -> "b"'],
            id="more than on or off",
        ),
        pytest.param(
            "@field({ unique: false }) note: string = '';",
            "@field({}) note: string = '';",
            ["cosmetic field changed @acme/shop/Order/note/_meta.unique false -> ~"],
            id="off by word or by default",
        ),
        pytest.param(
            "@field({ sensitive: true }) note: string = '';",
            "note: string = '';",
            ["breaking opened field changed @acme/shop/Order/note/sensitive true -> ~"],
            id="sensitive lost",
        ),
        pytest.param(
            "note: string = '';",
            "@field({ readonly: true, readPermission: 'staff' }) note: string = '';",
            [
                'breaking closed field changed @acme/shop/Order/note/readPermission ~ -> "staff"',
                "breaking closed field changed @acme/shop/Order/note/readonly ~ -> true",
            ],
            id="readonly and a permission gained",
        ),
        pytest.param(
            "@field({ readPermission: 'staff' }) note: string = '';",
            "@field({ readPermission: 'all' }) note: string = '';",
            ['breaking shifted field changed @acme/shop/Order/note/readPermission "staff" -> "all"'],
            id="another permission",
        ),
        pytest.param(
            "note: string = '';",
            "@field({ transient: true }) note: string = '';",
            [f"{FIELD}/transient ~ -> true"],
            id="no longer stored",
        ),
        pytest.param(
            "@foreignKey('Customer') note: string;",
            "@foreignKey('Person') note: string;",
            [f'{FIELD}/related "Customer" -> "Person"'],
            id="another relation",
        ),
        pytest.param(
            "@tenantId() note: string = '';",
            "note: string = '';",
            [
                (
                    "breaking opened field changed @acme/shop/Order/note/_meta.__tenancy"
                    ' {"isTenantIdField":true,"autoFilter":true,"required":true,"autoPopulate":true,"nullable":false} -> ~'
                ),
                f'{FIELD}/_meta.sqlType "UUID" -> ~',
                'compatible field changed @acme/shop/Order/note/default ~ -> ""',
            ],
            id="tenancy lost",
        ),
        pytest.param(
            "@field({ description: 'a', label: 'L' }) note: string = '';",
            "@field({ description: 'b', label: 'M' }) note: string = '';",
            [
                'cosmetic field changed @acme/shop/Order/note/_meta.label "L" -> "M"',
                'cosmetic field changed @acme/shop/Order/note/description "a" -> "b"',
            ],
            id="words for people",
        ),
        pytest.param(
            "note: string = '';",
            "@field({ widget: 'area' }) note: string = '';",
            [f'{FIELD}/_meta.widget ~ -> "area"'],
            id="an option that nobody knows",
        ),
        pytest.param(
            "@field({ required: false }) note: string = '';",
            "note: string = '';",
            ["cosmetic field changed @acme/shop/Order/note/_meta.required false -> ~"],
            id="stated or not, the same",
        ),
        pytest.param(
            "a: string = ''; b = 1;", 'b = 1;  /* first */ a: string = "";', [], id="order and layout"
        ),
    ],
)
def test_a_field(tmp_path: Path, old: str, new: str, expected: list[str]) -> None:
    assert shop_between(tmp_path, order(old), order(new)) == expected
