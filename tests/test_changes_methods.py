"""What a change in a method means: each pair of sources with all that is told of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from change_trees import shop_between

from workers.changes.type_names import Width, compare_types

METHOD = "method changed @acme/shop/Order/act"


def order(body: str, config: str = "mcp: false, cli: false") -> str:
    return f"@smrt({{ {config} }})\nexport class Order extends SmrtObject {{ {body} }}\n"


def act(details: str, config: str = "", *, is_async: bool = True) -> str:
    decorator = f', "decoratorConfig": {config}' if config else ""
    return (
        f'{{"name":"act","async":{"true" if is_async else "false"},"parameters":[{details}],"returnType":"any",'
        f'"isStatic":false,"isPublic":true{decorator}}}'
    )


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(
            "async act() {}",
            "",
            [f"breaking closed method removed @acme/shop/Order/act {act('')} -> ~"],
            id="removed",
        ),
        pytest.param(
            "",
            "async act() {}",
            [f"compatible opened method added @acme/shop/Order/act ~ -> {act('')}"],
            id="added",
        ),
        pytest.param("private act() {}", "#act() {} get a() { return 1; }", [], id="nobody's business"),
        pytest.param(
            "act(a: string) {}",
            "act(a: string, b?: number) {}",
            [
                f'compatible {METHOD}/parameters.b ~ -> {{"name":"b","type":"number","optional":true}}',
            ],
            id="an optional parameter more",
        ),
        pytest.param(
            "act(a: string) {}",
            "act(a: string, b: number) {}",
            [f'breaking {METHOD}/parameters.b ~ -> {{"name":"b","type":"number","optional":false}}'],
            id="a required parameter more",
        ),
        pytest.param(
            "act(a: string, b: number) {}",
            "act(a: string) {}",
            [f'breaking {METHOD}/parameters.b {{"name":"b","type":"number","optional":false}} -> ~'],
            id="a parameter less",
        ),
        pytest.param(
            "act(a: string, b: number) {}",
            "act(b: number, a: string) {}",
            [
                f"breaking {METHOD}/parameters.a.position 1 -> 2",
                f"breaking {METHOD}/parameters.b.position 2 -> 1",
            ],
            id="another order",
        ),
        pytest.param(
            "act(a: string) {}",
            "act(x: string) {}",
            [f'breaking {METHOD}/parameters.x.name "a" -> "x"'],
            id="a parameter renamed",
        ),
        pytest.param(
            "act(a: string) {}",
            "act(a?: string) {}",
            [f"compatible {METHOD}/parameters.a.optional false -> true"],
            id="may be left out",
        ),
        pytest.param(
            "act(a = 'x') {}",
            "act(a: string) {}",
            [
                f'compatible {METHOD}/parameters.a.default "x" -> ~',
                f"breaking {METHOD}/parameters.a.optional true -> false",
                f'breaking {METHOD}/parameters.a.type "any" -> "string"',
            ],
            id="may no longer be left out",
        ),
        pytest.param(
            "act(a: 'x' | 'y') {}",
            "act(a: 'y' | 'z' | 'x') {}",
            [f"""compatible {METHOD}/parameters.a.type "'x' | 'y'" -> "'y' | 'z' | 'x'\""""],
            id="more is accepted",
        ),
        pytest.param(
            "act(a: 'x' | 'y') {}",
            "act(a: 'y') {}",
            [f"""breaking {METHOD}/parameters.a.type "'x' | 'y'" -> "'y'\""""],
            id="less is accepted",
        ),
        pytest.param(
            "act(a: string) {}",
            "act(a: string & Brand) {}",
            [
                f'compatible {METHOD}/parameters.a.type "string" -> "any"',
                f"breaking {METHOD}/parameters.a.typeUnresolved ~ -> true",
            ],
            id="a type that cannot be named",
        ),
        pytest.param(
            "act(a: { b: string }) {}",
            "act(a: { b: number }) {}",
            [f'breaking {METHOD}/parameters.a.memberTypes ["string"] -> ["number"]'],
            id="an object of other members",
        ),
        pytest.param(
            "act(): Promise<string | null> {}",
            "act(): Promise<string> {}",
            [f'compatible {METHOD}/returnType "Promise<string | null>" -> "Promise<string>"'],
            id="less is returned",
        ),
        pytest.param(
            "act(): string {}",
            "act(): string | null {}",
            [f'breaking {METHOD}/returnType "string" -> "string | null"'],
            id="more is returned",
        ),
        pytest.param(
            "act(): Promise<void> {}",
            "async act(): Promise<void> {}",
            [f"cosmetic {METHOD}/async false -> true"],
            id="a promise either way",
        ),
        pytest.param(
            "act() {}", "async act() {}", [f"breaking {METHOD}/async false -> true"], id="now async"
        ),
        pytest.param(
            "act() {}", "static act() {}", [f"breaking {METHOD}/isStatic false -> true"], id="now static"
        ),
        pytest.param(
            "@method({ expose: false }) act() {}",
            "@method({}) act() {}",
            [f"breaking opened {METHOD}/decoratorConfig.expose false -> ~"],
            id="exposed",
        ),
        pytest.param(
            "act() {}",
            "@method({ expose: false, description: 'd' }) act() {}",
            [
                f'compatible {METHOD}/decoratorConfig ~ -> {{"expose":false,"description":"d"}}',
                f'cosmetic {METHOD}/decoratorConfig.description ~ -> "d"',
                f"breaking closed {METHOD}/decoratorConfig.expose ~ -> false",
            ],
            id="no longer exposed",
        ),
        pytest.param(
            "@method({ expose: 'api' }) act() {}",
            "@method({ expose: 'mcp' }) act() {}",
            [f'breaking shifted {METHOD}/decoratorConfig.expose "api" -> "mcp"'],
            id="exposed in a way that is not known",
        ),
        pytest.param(
            "@method({ expose: true }) act() {}",
            "@method({}) act() {}",
            [f"cosmetic {METHOD}/decoratorConfig.expose true -> ~"],
            id="exposed by word or by default",
        ),
        pytest.param(
            "@method() act() {}",
            "act() {}",
            [f"breaking {METHOD}/decoratorConfig {{}} -> ~"],
            id="no longer declared",
        ),
        pytest.param(
            "@method({ audience: 'staff', cost: 1 }) act() {}",
            "@method({ audience: 'all', cost: 2 }) act() {}",
            [
                f'breaking shifted {METHOD}/decoratorConfig.audience "staff" -> "all"',
                f"breaking {METHOD}/decoratorConfig.cost 1 -> 2",
            ],
            id="for other callers",
        ),
    ],
)
def test_a_method(tmp_path: Path, old: str, new: str, expected: list[str]) -> None:
    assert shop_between(tmp_path, order(old), order(new)) == expected


@pytest.mark.parametrize(
    ("config", "body", "mark"),
    [
        ("api: false, mcp: false, cli: false", "async act() {}", ""),
        ("api: { include: ['list'] }, mcp: false, cli: false", "async act() {}", ""),
        ("api: { include: ['list', 'act'] }, mcp: false, cli: false", "async act() {}", " opened"),
        ("api: { exclude: ['act'] }, mcp: false, cli: false", "async act() {}", ""),
        ("api: { exclude: ['list'] }, mcp: false, cli: false", "async act() {}", " opened"),
        ("", "@method({ expose: false }) async act() {}", ""),
    ],
)
def test_a_new_method_opens_a_surface_only_if_one_offers_it(
    tmp_path: Path, config: str, body: str, mark: str
) -> None:
    (line,) = shop_between(tmp_path, order("", config), order(body, config))

    assert line.startswith(f"compatible{mark} method added @acme/shop/Order/act ~")


@pytest.mark.parametrize(
    ("before", "after", "width"),
    [
        ("string", "string | null", Width.WIDER),
        ("a | b", "b | a", Width.SAME),
        ("'a' | 'b'", "string", Width.WIDER),
        ("1 | -2.5", "number", Width.WIDER),
        ("true | false", "boolean", Width.SAME),
        ("boolean", "true", Width.NARROWER),
        ("Order", "unknown", Width.WIDER),
        ("never", "Order", Width.WIDER),
        ("'a | b'", "'a'", Width.OTHER),
        ("Map<string, A | B>", "Map<string, A>", Width.OTHER),
        ("'a'[]", "string[]", Width.WIDER),
        ("string[] | null", "string[]", Width.NARROWER),
        ("string | null[]", "string", Width.OTHER),
        ("string | null[]", "string | null[]", Width.SAME),
        ("Promise<string>", "Promise<'a'>", Width.NARROWER),
        ("Promise<string>", "string", Width.OTHER),
        ("Promise<A> | Promise<B>", "Promise<A>", Width.NARROWER),
        ("number", "string", Width.OTHER),
        ("", "string", Width.OTHER),
    ],
)
def test_how_wide_a_type_is(before: str, after: str, width: Width) -> None:
    opposite = {Width.WIDER: Width.NARROWER, Width.NARROWER: Width.WIDER}

    assert compare_types(before, after) is width
    assert compare_types(after, before) is opposite.get(width, width)
