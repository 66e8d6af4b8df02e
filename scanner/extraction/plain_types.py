"""The types of fields, parameters, results and aliases; the plain ones, which most are, without a look at their nodes.

A *plain* type is a word, one with words as type arguments, an array of these, a string, or a union of all that. What
such a type means depends on its text alone, and the same few come again and again.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from tree_sitter import Node

from scanner.extraction.type_names import NAMED_KEYWORDS, read_type, type_of_annotation
from scanner.syntax.nodes import text_as_parsed
from scanner.syntax.source import SourceText
from scanner.type_expressions import TypeExpression, TypeKind

_MAX_BYTES: Final = 300
_UNPLAIN: Final = (
    "abstract|asserts|bigint|const|false|import|infer|keyof|new|object|readonly|this|true|typeof|unique"
)
"""Words that are operators, or types with rules of their own."""

_NAMED_WORDS: Final = NAMED_KEYWORDS | {
    word: TypeExpression(TypeKind.KEYWORD, word) for word in ("null", "undefined")
}
_B: Final = r"[ \t\r\n]*+"
_WORD: Final = rf"(?!(?:{_UNPLAIN})(?![\w$]))[A-Za-z_$][\w$]*+"
_GENERIC: Final = rf"(?!(?:{'|'.join(_NAMED_WORDS)})<){_WORD}(?:<{_B}{_WORD}(?:\[\])?+{_B}(?:,{_B}{_WORD}(?:\[\])?+{_B})*+>)?+"
_STRING: Final = r"(?:'[ !#-&(-\[\]-{\}~]*+'|\"[ !#-&(-\[\]-{\}~]*+\")"
_BRANCH: Final = rf"{_B}(?:{_GENERIC}(?:\[\])?+|{_STRING}){_B}"
_PLAIN: Final = re.compile(rf"(?:{_B}\|)?+{_BRANCH}(?:\|{_BRANCH})*+".encode("ascii"))


def read_annotation(source: SourceText, annotation: Node | None) -> TypeExpression | None:
    """Read the type in the annotation ``: T``; None when there is none, or it has no name."""
    if annotation is None:
        return None
    text = _short_text(source, annotation)
    plain = None if text is None else _plain_type(text[1:])
    return read_type(source, type_of_annotation(annotation)) if plain is None else plain


def read_aliased(source: SourceText, node: Node | None) -> TypeExpression | None:
    """Read the type that an alias stands for; None when there is none, or it has no name."""
    if node is None:
        return None
    text = _short_text(source, node)
    plain = None if text is None else _plain_type(text)
    return read_type(source, node) if plain is None else plain


def _short_text(source: SourceText, node: Node) -> bytes | None:
    return None if node.end_byte - node.start_byte > _MAX_BYTES else text_as_parsed(source, node)


@lru_cache(maxsize=2048)
def _plain_type(written: bytes) -> TypeExpression | None:
    if _PLAIN.fullmatch(written) is None:
        return None
    first, *others = [text.strip() for text in written.decode("ascii").split("|")]
    if not others:
        return _branch(first)
    branches = [first, *others] if first else others  # a bar may stand before the first one
    return TypeExpression(TypeKind.UNION, parts=tuple(map(_branch, branches)))


def _branch(text: str) -> TypeExpression:
    if text.startswith(("'", '"')):
        return TypeExpression(TypeKind.STRING_LITERAL, text[1:-1])
    if text.endswith("[]"):
        return TypeExpression(TypeKind.ARRAY, parts=(_branch(text[:-2]),))
    if text.endswith(">"):
        name, arguments = text[:-1].split("<")
        parts = tuple([_branch(argument.strip()) for argument in arguments.split(",")])
        return TypeExpression(TypeKind.REFERENCE, name, parts)
    return _NAMED_WORDS.get(text) or TypeExpression(TypeKind.REFERENCE, text)
