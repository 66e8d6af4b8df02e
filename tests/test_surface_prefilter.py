"""The look at the bytes that spares parsing: it never sifts out a file that declares something."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.extraction.classes import top_level_statements
from scanner.extraction.imports import read_import
from scanner.surface.extract import extract_agent_surface
from scanner.surface.helpers import HELPER_MODULES, may_declare_agent_surface
from scanner.surface.records import AgentSurface, Helper
from scanner.syntax.grammar import Dialect
from scanner.syntax.parsing import parse_source_bytes


def surface_without_sifting(text: str) -> AgentSurface:
    parsed = parse_source_bytes(text.encode(), Dialect.TYPESCRIPT)
    statements = list(top_level_statements(parsed.root))
    imports = [found for one in statements if (found := read_import(parsed.source, one.inner)) is not None]
    return extract_agent_surface(parsed.source, parsed.root, statements, imports, Dialect.TYPESCRIPT, "a.ts")


def in_string(character: str) -> st.SearchStrategy[str]:
    """The ways to write a character in a string literal."""
    code = ord(character)
    escapes = [
        f"\\x{code:02x}",
        f"\\x{code:02X}",
        f"\\u{code:04x}",
        f"\\u{{{code:x}}}",
        f"\\u{{000{code:X}}}",
    ]
    if character not in "bfnrtvxu":
        escapes.append(f"\\{character}")
    return st.sampled_from([character] * 6 + escapes + [f"\\\n{character}", f"\\\r\n\\\u2028{character}"])


def in_name(character: str) -> st.SearchStrategy[str]:
    """The ways to write a character in an identifier."""
    code = ord(character)
    return st.sampled_from([character] * 4 + [f"\\u{code:04X}", f"\\u{{{code:x}}}", f"\\u{{0{code:X}}}"])


def spelled(text: str, ways: object) -> st.SearchStrategy[str]:
    return st.tuples(*map(ways, text)).map("".join)  # type: ignore[call-overload]


@st.composite
def modules(draw: st.DrawFn) -> str:
    """A module that calls a helper, spelled in an unusual way."""
    helper = draw(st.sampled_from(list(Helper)))
    specifier = draw(spelled(HELPER_MODULES[helper], in_string))
    name = draw(spelled(helper.value, in_name))
    clause, callee = draw(
        st.sampled_from(
            [
                (f"{{ {name} }}", draw(spelled(helper.value, in_name))),
                (f"{{ {name} as f }}", "f"),
                (f"{{ '{draw(spelled(helper.value, in_string))}' as f }}", "f"),
                ("* as ns", f"ns.{name}"),
                ("* as ns", f"ns['{draw(spelled(helper.value, in_string))}']"),
            ]
        )
    )
    quote = draw(st.sampled_from("'\""))
    return f"import {clause} from {quote}{specifier}{quote};\n{callee}();\n"


@given(modules())
def test_a_module_that_calls_a_helper_is_never_sifted_out(module: str) -> None:
    assert surface_without_sifting(module) != AgentSurface()
    assert may_declare_agent_surface(module.encode())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "export const x = 1;",
        "// defineIntent and definePlaybook are mentioned\nconst s = 'a\\n\\x41';",
        "import { defineIntent } from './intents';",
        "import { defineIntent } from '@happyvertical/smrt-web';",
        "import { other } from '@happyvertical/smrt-playbooks';",
        "import { definePlaybook } from '@happyvertical/smrt-web/intents';",
        "import { defineIntent } from '@happyvertical/smrt-playbooks';",
        "const s = '\\@happyvertical/smrt-play\\_books'; definePlaybook();",
    ],
)
def test_files_that_cannot_declare_anything_are_sifted_out(text: str) -> None:
    assert not may_declare_agent_surface(text.encode())
