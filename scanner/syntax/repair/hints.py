"""Cheap looks at sources without an error, for the bulk of files that need no repair.

A search over the bytes finds places that *may* be misread, and the tree says whether such a place is read in the way that
would be wrong; only then is a source tokenized, which costs several times as much as parsing it. The searches must not
miss what they look for in code as people write it. They run over every file, so each begins with a plain sign, which
is found at the speed of a byte search, and everything costly waits for a hit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from tree_sitter import Node

from scanner.syntax.repair.classes import MODIFIERS

_CLASS_HEAD: Final = re.compile(rb"class(?:[\s<{]|/[/*])")
_NAMES_AT_LINE_END: Final = frozenset((b"using", b"let", b"asserts"))
_ANY_AT_LINE_END: Final = MODIFIERS | _NAMES_AT_LINE_END


def _behind_any(words: Iterable[bytes], tail: bytes) -> bytes:
    """Return a pattern that looks behind for one of *words* and *tail*; two letters sort out most places."""
    by_end: dict[bytes, list[bytes]] = {}
    for word in sorted(words):
        by_end.setdefault(word[-2:], []).append(
            rb"(?<=" + word + tail + rb")(?<![\w$.]" + word + tail + rb")"
        )
    cases = (rb"(?<=" + end + tail + rb")(?:" + b"|".join(found) + rb")" for end, found in by_end.items())
    return b"(?:" + b"|".join(cases) + b")"


def _at_line_end(words: frozenset[bytes]) -> tuple[re.Pattern[bytes], ...]:
    last = bytes(sorted({word[-1] for word in words}))
    spaced = rb"(?<=[" + last + rb"][ \t]/)" + _behind_any(words, rb"[ \t]/")
    joined = rb"(?<=[" + last + rb"]/)" + _behind_any(words, rb"/")
    return (
        re.compile(rb"\n(?<=[" + last + rb"]\n)" + _behind_any(words, rb"\n")),
        re.compile(rb"/(?=[/*])(?:" + spaced + b"|" + joined + b")"),
    )


_NAME_ENDS_LINE: Final = _at_line_end(_NAMES_AT_LINE_END)
_WORD_ENDS_LINE: Final = _at_line_end(_ANY_AT_LINE_END)
_COMMENTS: Final = rb"(?:(?://[^\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/)\s*+)*+"
_BODY_BEFORE_BRACKET: Final = re.compile(rb"\}[ \t]*+(?://[^\n]*+)?+\n\s*+" + _COMMENTS + rb"[(\[`]")
_BRACKET_BEGINS_LINE: Final = re.compile(rb"\n[ \t]*+[(\[`]")
_LINE_COMMENT: Final = re.compile(rb"//[^\n]*+$")
_CAST: Final = re.compile(rb" as [^\n;,(){}/]*+$")
_FORBIDDEN: Final = (
    re.compile(rb"abstract(?:(?= (?:public|pr))|(?<=private abstract)|(?<=(?:readonly|override) abstract))"),
    re.compile(rb"declare (?:(?:public|protected|private|static) )*+(?:override|accessor)\b"),
    re.compile(rb"readonly (?:async )?+[\w$#]++\("),
)
"""What the grammar reads behind a modifier although the language forbids it."""

_TEXTS: Final = frozenset(
    {
        "comment",
        "string_fragment",
        "template_string",
        "jsx_text",
        "regex_pattern",
        "escape_sequence",
        "html_comment",
    }
)
_BINDING_LEAVES: Final = frozenset({"asserts", "using"})
_BINDING_PARENTS: Final = frozenset(
    {
        *("public_field_definition", "field_definition", "method_definition", "method_signature"),
        *("abstract_method_signature", "accessibility_modifier", "override_modifier", "index_signature"),
        *("expression_statement", "class_body", "using_declaration"),
    }
)
_CONTINUATIONS: Final = frozenset(
    {"arguments", "subscript_expression", "lookup_type", "array_type", "formal_parameters"}
)
_COMMENT_LEADS: Final = (b"*", b"//", b"/*")
_REACH: Final = 200


def may_be_misread(data: bytes, root: Node) -> bool:
    """Tell whether *root*, the tree of *data* without an error, might misread something.

    Words that bind across a line end, or do not, in another way than the language has it; a bracket at the beginning of
    a line that begins something new; modifiers that the language forbids.
    """
    text = data.replace(b"\r\n", b"\n\n").replace(b"\r", b"\n") if b"\r" in data else data
    first_class = _CLASS_HEAD.search(text)
    words = _NAME_ENDS_LINE if first_class is None else _WORD_ENDS_LINE
    if any(_binds_words(text, root, offset) for offset in _found_in_code(words, text)):
        return True
    if first_class is None:
        return _BODY_BEFORE_BRACKET.search(text) is not None and _joins_lines(text, root)
    forbidden = _found_in_code(_FORBIDDEN, text, first_class.end())
    return any(_is_code(root, offset) for offset in forbidden) or _joins_lines(text, root)


def _found_in_code(patterns: Iterable[re.Pattern[bytes]], text: bytes, start: int = 0) -> Iterator[int]:
    """Yield where a pattern matches behind *start*, but on no line that is a comment from its beginning."""
    for pattern in patterns:
        for match in pattern.finditer(text, start):
            if not _is_comment_line(text, match.start()):
                yield match.start()


def _leaf(root: Node, offset: int) -> Node | None:
    return root.descendant_for_byte_range(offset, offset + 1)


def _is_code(root: Node, offset: int) -> bool:
    leaf = _leaf(root, offset)
    return leaf is not None and leaf.type not in _TEXTS


def _binds_words(text: bytes, root: Node, offset: int) -> bool:
    """Tell whether the word before *offset* is part of a class member, a type predicate, or a name called ``let``."""
    leaf = _leaf(root, offset - 1 - text[offset - 1 : offset].isspace())
    parent = None if leaf is None else leaf.parent
    if leaf is None or parent is None or leaf.type in _TEXTS:
        return False
    return leaf.type in _BINDING_LEAVES or parent.type in _BINDING_PARENTS


def _joins_lines(text: bytes, root: Node) -> bool:
    return any(
        _may_begin_anew(text, match.start()) and _goes_on(root, match.end() - 1)
        for match in _BRACKET_BEGINS_LINE.finditer(text)
    )


def _goes_on(root: Node, offset: int) -> bool:
    """Tell whether the bracket at *offset* continues what stands before it."""
    leaf = _leaf(root, offset)
    parent = None if leaf is None else leaf.parent
    if leaf is None or parent is None or leaf.start_byte != offset:
        return False
    if parent.type == "template_string":
        return (
            parent.start_byte == offset
            and parent.parent is not None
            and parent.parent.type == "call_expression"
        )
    return parent.type in _CONTINUATIONS


def _is_comment_line(text: bytes, offset: int) -> bool:
    # The reach keeps the time linear when a minified source has one line and many matches.
    reach = max(0, offset - _REACH)
    start = text.rfind(b"\n", reach, offset) + 1
    before = text[start:offset].lstrip()
    return start > 0 and before.startswith(_COMMENT_LEADS) and b"*/" not in before


def _may_begin_anew(text: bytes, offset: int) -> bool:
    """Tell whether a bracket behind the line end at *offset* may begin something new: a member, a statement."""
    before = text[max(0, offset - _REACH) : offset].rstrip()
    while (start := before.rfind(b"\n") + 1) and before[start:].lstrip().startswith(_COMMENT_LEADS):
        before = before[:start].rstrip()
    before = _LINE_COMMENT.sub(b"", before).rstrip()
    return before.endswith((b"}", b">", b"++", b"--", b"*/")) or _CAST.search(before) is not None
