"""What holds for the repairs of any source, and for the sources of the parity corpus."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repair_readings import FIELDS, HIDDEN, member_name, members
from tree_sitter import Node

from scanner.syntax.grammar import Dialect, dialect_of_path, parse_bytes
from scanner.syntax.parsing import ParsedSource, parse_source_bytes
from scanner.syntax.repair import RULES, apply_repairs, may_be_misread, plan_repairs
from scanner.syntax.repair.stream import TokenStream

PARITY = Path(__file__).parent / "parity"


def parity_sources() -> Iterator[Path]:
    for folder in ("classes-fields", "methods-types", "decorator-config", "manifest"):
        for path in sorted((PARITY / folder).iterdir()):
            if path.suffix in {".ts", ".tsx", ".js", ".jsx"} and Path(f"{path}.expected.json").exists():
                yield path


CLASSES = {"class_declaration", "abstract_class_declaration", "class"}


def top_level_class_bodies(root: Node) -> Iterator[Node]:
    for statement in root.named_children:
        inner = (
            statement.named_children if statement.type in {"export_statement", "ambient_declaration"} else []
        )
        deeper = [
            node for child in inner if child.type == "ambient_declaration" for node in child.named_children
        ]
        for node in (statement, *inner, *deeper):
            body = node.child_by_field_name("body")
            if node.type in CLASSES and body is not None:
                yield body


def plain_name(parsed: ParsedSource, member: Node) -> str | None:
    """Return a member's name without quotes; None where extraction lists none."""
    text = member_name(parsed, member)
    if text[0] in "'\"":
        return text[1:-1]
    is_listed = text[0] not in "[#" and not text[0].isdigit() and "\\" not in text
    return text if is_listed and text not in {"constructor", "__proto__", "prototype"} else None


@pytest.mark.parametrize("path", list(parity_sources()), ids=lambda path: path.name)
def test_parity_members_are_all_found_in_order(path: Path):
    expected = json.loads(Path(f"{path}.expected.json").read_text("utf-8"))
    parsed = parse_source_bytes(path.read_bytes(), dialect_of_path(path.name))
    bodies = list(top_level_class_bodies(parsed.root))
    classes = expected.get("raw", {}).get("classes", [])
    assert len(bodies) >= len(classes)
    for want, body in zip(classes, bodies, strict=False):
        if "\\" in parsed.source.text(body):
            continue
        fields = [member for member in body.named_children if member.type in FIELDS]
        visible = [node for node in fields if not {child.type for child in node.children} & HIDDEN]
        names = [plain_name(parsed, member) for member in visible]
        assert [name for name in names if name is not None] == [field["name"] for field in want["fields"]]
    has_errors = any(error["kind"] == "syntax" for error in expected.get("raw", {}).get("errors", []))
    # Rules about the order of parameters are no matter of syntax here.
    if not expected.get("errorsOptional") and path.name != "broken-optional-parameter-rules.ts":
        assert bool(parsed.syntax_errors) == has_errors


PIECES = st.lists(
    st.sampled_from(
        [
            *(
                "class A {",
                "class A extends B<C> {",
                "}",
                "(",
                ")",
                "[k]",
                "['k']",
                "x",
                "'q'",
                "#p",
                "in",
                "*",
                ";",
            ),
            *(
                "static",
                "accessor",
                "get",
                "set",
                "readonly",
                "public",
                "abstract",
                "declare",
                "async",
                "override",
            ),
            *(
                "\n",
                "\r\n",
                " // c\n",
                "/* c */",
                ": T",
                "= 1",
                "= () => {}",
                "as T",
                "@a()",
                "@(a)()",
                "@b()()",
            ),
            *(
                "import('x').Y",
                "typeof",
                "using",
                "<",
                ">",
                "`${",
                "}`",
                "`",
                "export type *",
                "from 'x'",
                "with {",
            ),
            *(
                "<div>",
                "</div>",
                "&",
                "?.5",
                "type X =",
                "<in T>",
                "(string) =>",
                "\u2028",
                "ünï",
                "\\u0061",
                "/re/",
            ),
        ]
    ),
    max_size=40,
).map(" ".join)


@settings(max_examples=400, deadline=None)
@given(PIECES.map(str.encode) | st.binary(), st.sampled_from(list(Dialect)))
def test_rewrites_never_change_the_length_nor_overlap(data: bytes, dialect: Dialect):
    for repair in plan_repairs(data, dialect):
        edits = sorted(repair.edits, key=lambda edit: edit.start)
        assert all(first.end <= second.start for first, second in pairwise(edits)), repair.name
        assert all(0 <= edit.start < edit.end <= len(data) for edit in edits), repair.name
        assert len(apply_repairs(data, (repair,))) == len(data)
    assert isinstance(may_be_misread(data, parse_bytes(data, dialect).root_node), bool)


@given(PIECES.map(str.encode), st.sampled_from(list(Dialect)), st.sets(st.sampled_from("<({})>")))
def test_places_are_those_of_the_tokens_that_read_so(data: bytes, dialect: Dialect, signs: set[str]):
    stream = TokenStream(data, dialect)
    texts = {b"static", b"=", *map(str.encode, signs)}
    assert stream.places(texts) == [index for index, text in enumerate(stream.texts) if text in texts]


@given(PIECES.map(str.encode), st.sampled_from(list(Dialect)))
def test_pairs_of_brackets_answer_each_other(data: bytes, dialect: Dialect):
    stream = TokenStream(data, dialect)
    pairs = [(index, stream.mate(index)) for index in range(len(stream)) if stream.mate(index) > index]
    for opener, closer in pairs:
        assert stream.mate(closer) == opener
        ends = stream.texts[opener][-1:] + stream.texts[closer][:1]
        assert ends in {b"()", b"[]", b"{}"}


@pytest.mark.parametrize(
    "source",
    [
        "@a()(@b()() class {}) class C {}",
        "let a: import('x').B<import('y').C[]>[]",
        "a<B<typeof c<D>`x`>>`y`",
    ],
)
def test_what_lies_in_a_rewritten_part_is_left_alone(source: str):
    for repair in plan_repairs(source.encode(), Dialect.TYPESCRIPT):
        assert all(first.end <= second.start for first, second in pairwise(repair.edits)), repair.name


MEMBERS = st.lists(
    st.sampled_from(
        [
            "a = 1",
            "b: T",
            "c",
            "get d() { return 1 }",
            "async e() {}",
            "accessor",
            "static f = 2",
            "abstract: T",
            "readonly",
            "@x() i?: Y",
        ]
    ),
    min_size=1,
    max_size=8,
)


@settings(max_examples=200, deadline=None)
@given(MEMBERS)
def test_line_ends_and_semicolons_separate_members_alike(parts: list[str]):
    """A class without semicolons reads as the same class with them."""
    by_line = members("class A {\n" + "\n".join(parts) + "\n}")
    assert by_line == members("class A {\n" + ";\n".join(parts) + ";\n}")
    assert len(by_line) == len(parts)


def test_every_rule_has_a_name_of_its_own():
    source = b"class A { accessor: T }"
    names = [repair.name for repair in plan_repairs(source, Dialect.TYPESCRIPT)]
    assert names == ["class members", "type names"]
    assert len(set(RULES)) == len(RULES)
