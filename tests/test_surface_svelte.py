"""Helper calls in Svelte components are reported, wherever the component holds code."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.surface.svelte import scan_svelte_agent_surface

IMPORT = "import { defineIntent } from '@happyvertical/smrt-web/intents';"
NAMESPACE = "import * as books from '@happyvertical/smrt-playbooks';"


def remarks(component: str | bytes) -> list[tuple[str, int | None, int | None]]:
    data = component.encode() if isinstance(component, str) else component
    found = scan_svelte_agent_surface(data, "A.svelte")
    assert {one.code for one in found} <= {"svelte-declaration"}
    return [(one.helper, one.line, one.column) for one in found]


def script(body: str, imports: str = IMPORT) -> str:
    return f"<script>{imports}\n{body}\n</script>\n"


@pytest.mark.parametrize(
    ("body", "column"),
    [
        ("defineIntent({});", 1),
        ("f(...defineIntent({}));", 6),
        ("defineIntent?.({});", 1),
        ("defineIntent?.<A>({});", 1),
        ("defineIntent<Map<string, A[]>>({});", 1),
        ("defineIntent<{ a: 1; b: (x: B) => C }>({});", 1),
        ("defineIntent /* a */ // b\n ({});", 1),
        ("const u = 'http://x'; defineIntent({});", 23),
        ("const r = /[/*]/; defineIntent({}); /* x */", 19),
        ("const t = `/* ${defineIntent({})} */`;", 17),
        ("const t = 'defineIntent({})';", 12),
        ("/* \N{GRINNING FACE} */ defineIntent({});", 10),
    ],
)
def test_a_call_in_a_script_is_reported_at_the_name(body: str, column: int) -> None:
    assert remarks(script(body)) == [("defineIntent", 2, column)]


@pytest.mark.parametrize(
    "body",
    [
        "",
        "f(defineIntent);",
        "defineIntents({}); myDefineIntent({}); $defineIntent({}); éDefineIntent({});",
        "api.defineIntent({}); api?.defineIntent({}); api\n.defineIntent({});",
        "// defineIntent({})",
        "/* defineIntent({}) */",
        "if (defineIntent < a && b > (c)) {}",
        "defineIntent < a; b > (c);",
        "defineIntent`x`;",
    ],
)
def test_what_is_no_call_of_the_import_is_not_reported(body: str) -> None:
    assert remarks(script(body)) == []


@pytest.mark.parametrize(
    ("markup", "column"),
    [
        ("{defineIntent({})}", 2),
        ("<a href='http://x'>{defineIntent({})}</a>", 21),
        ("<p>don't {defineIntent({})} won't</p>", 11),
        ('<X a="{defineIntent({})}"/>', 8),
        ("{#each [defineIntent({})] as i}{i}{/each}", 9),
        ("<!-- {defineIntent({})} -->{defineIntent({})}", 29),
        ("{/* defineIntent({}) */ defineIntent({})}", 25),
        ("<p>{</p>{defineIntent({})}", 10),
        ("<style>a{b:url(//x)}</style>{defineIntent({})}", 30),
        ("{'}'}{defineIntent({})}", 7),
    ],
)
def test_a_call_in_the_markup_is_reported(markup: str, column: int) -> None:
    assert remarks(script("") + markup) == [("defineIntent", 4, column)]
    assert remarks(markup + "\n" + script("")) == [("defineIntent", 1, column)]


@pytest.mark.parametrize(
    "markup",
    [
        "<!-- {defineIntent({})} -->",
        "<!-- defineIntent({})",
        "{/* defineIntent({}) */ 1}",
        "{1 // defineIntent({})\n}",
    ],
)
def test_a_call_in_a_comment_of_the_markup_is_not_reported(markup: str) -> None:
    assert remarks(script("") + markup) == []


@pytest.mark.parametrize(
    "call", ["books.definePlaybook({})", "row . definePlaybook ({})", "definePlaybook({})"]
)
def test_with_a_namespace_import_the_name_alone_counts(call: str) -> None:
    column = call.index("define") + 1

    assert remarks(script(call, NAMESPACE)) == [("definePlaybook", 2, column)]


@pytest.mark.parametrize(
    "imports",
    [
        "import type { defineIntent } from '@happyvertical/smrt-web/intents';",
        "import { type defineIntent } from '@happyvertical/smrt-web/intents';",
        "import defineIntent from '@happyvertical/smrt-web/intents';",
        "import { defineIntent } from '@happyvertical/smrt-web';",
        "import { defineIntent as other } from '@happyvertical/smrt-web/intents';",
        "import '@happyvertical/smrt-web/intents';",
        "// import { defineIntent } from '@happyvertical/smrt-web/intents';",
    ],
)
def test_other_imports_bind_nothing(imports: str) -> None:
    assert remarks(script("defineIntent({});", f"{imports}\n")) == []


@pytest.mark.parametrize(
    "imports",
    [
        "import { 'defineIntent' as it } from '@happyvertical/smrt-web/intents';",
        "import web, { defineIntent as it } from '@happyvertical/smrt-web/intents';",
        "import{defineIntent as it}from'@happyvertical/smrt-web\\u002fintents';",
    ],
)
def test_every_form_of_a_named_import_binds(imports: str) -> None:
    assert remarks(script("it({});", imports)) == [("defineIntent", 2, 1)]


@pytest.mark.parametrize(
    "component",
    [
        f"<SCRIPT>{IMPORT}\ndefineIntent({{}})</SCRIPT>",
        f"<script lang='ts' generics=\"T extends A<B>\">{IMPORT}\ndefineIntent({{}})</script>",
        f"<script module>{IMPORT}</script>\ndefineIntent({{}})",
        f"<script>{IMPORT}\r\ndefineIntent({{}})",
    ],
)
def test_every_form_of_a_script_is_read(component: str) -> None:
    assert remarks(component) == [("defineIntent", 2, 1)]


def test_bytes_that_are_no_utf8_do_not_shift_positions() -> None:
    assert remarks(script("").encode() + b"\xff\xfe {defineIntent({})}") == [("defineIntent", 4, 5)]


def test_the_remark_says_where_to_move_the_declaration() -> None:
    (found,) = scan_svelte_agent_surface(script("defineIntent({})").encode(), "A.svelte")

    assert "`.ts` module" in found.message
    assert "useWebMcpTool" in found.message


@given(
    st.lists(
        st.sampled_from(
            ["{", "}", "<!--", "-->", "/*", "*/", "//", "'", '"', "`", "<script>", "\n", "x", "\\"]
        )
    )
)
def test_no_text_breaks_the_scan(pieces: list[str]) -> None:
    text = "".join(pieces)

    assert remarks(script("defineIntent({});") + text) == [("defineIntent", 2, 1)]
    assert len(remarks(text + script("defineIntent({});"))) <= 1


@pytest.mark.parametrize(
    ("piece", "count"),
    [
        ("{", 40_000),
        ("{/*", 20_000),
        ("{'", 20_000),
        ("{`\\", 20_000),
        ("<script ", 20_000),
        ("<!--", 20_000),
        ("defineIntent ", 20_000),
        ("{defineIntent<", 3_000),
    ],
)
def test_repeated_openings_take_linear_time(piece: str, count: int) -> None:
    began = process_time()

    assert remarks(script("") + piece * count) == []
    assert process_time() - began < 10, "well under a second where it is linear, minutes where it is not"
