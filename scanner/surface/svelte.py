"""Declarations that stand in Svelte components, where nothing reads them.

A component is no module that the scanner parses, so this pass works on its text (spec D23): it reads the imports of the
``<script>`` elements, looks for calls of what they bind, and says for each helper where the first one is. Comments of
scripts, markup and expressions do not count. Strings do, since the attribute strings of Svelte hold code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from scanner.extraction.classes import top_level_statements
from scanner.extraction.imports import ImportDeclaration, read_import
from scanner.surface.helpers import HelperBinding, bind_helpers, may_declare_agent_surface
from scanner.surface.records import Helper, SurfaceDiagnostic
from scanner.surface.wording import remark
from scanner.syntax.grammar import Dialect, parse_bytes
from scanner.syntax.lexer import tokenize
from scanner.syntax.source import SourceText


def scan_svelte_agent_surface(data: bytes, file_path: str) -> tuple[SurfaceDiagnostic, ...]:
    """Report the helpers that a Svelte component calls.

    Args:
        data: The component's bytes.
        file_path: Root-relative POSIX path, for the records.

    Returns:
        At most one ``svelte-declaration`` remark for each helper, in the helpers' order, at the callee's name.
    """
    if not may_declare_agent_surface(data):
        return ()
    regions = tuple(_regions(data))
    bindings = bind_helpers(_imports(data, regions))
    if not bindings:
        return ()
    text = _without_comments(data, regions).decode("utf-8", "surrogateescape")
    source = SourceText(data)
    remarks = []
    for helper in Helper:
        start = _first_call(text, helper, bindings)
        if start is not None:
            offset = len(text[:start].encode("utf-8", "surrogateescape"))
            remarks.append(_remark(helper, source, offset, file_path))
    return tuple(remarks)


def _remark(helper: Helper, source: SourceText, offset: int, file_path: str) -> SurfaceDiagnostic:
    place = source.position(offset)
    problem = f"`{helper}` is called in a Svelte component, where declarations are not read"
    remedy = "Move the declaration to a `.ts` module beside the component and import it from there"
    return SurfaceDiagnostic(
        "svelte-declaration", helper, file_path, place.line, place.column, remark(problem, remedy)
    )


@dataclass(frozen=True, slots=True)
class _Region:
    """A part of a component: a comment, the code of a script, or the code between two braces."""

    start: int
    end: int
    is_comment: bool = False
    is_script: bool = False


_OPENING: Final = re.compile(
    rb"(?P<comment><!--(?:[^-]++|-(?!->))*+(?:-->)?+)"
    rb"|<(?P<element>script|style)(?=[\s/>])(?:[^>\"']++|\"[^\"]*+\"?+|'[^']*+'?+)*+>?+"
    rb"|(?P<brace>\{)",
    re.IGNORECASE,
)
_CLOSING: Final = {
    name: re.compile(rb"</" + name + rb"\s*+>|\Z", re.IGNORECASE) for name in (b"script", b"style")
}
# What is not closed ends with its line or the file, so that no text is looked through twice.
_BRACE_OR_SKIPPED: Final = re.compile(
    rb"(?P<open>\{)|(?P<close>\})|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?+"
    rb"|'(?:[^'\\\n]++|\\.)*+'?+|\"(?:[^\"\\\n]++|\\.)*+\"?+|`(?:[^`\\]++|\\[\s\S])*+`?+"
)


def _regions(data: bytes) -> Iterator[_Region]:
    """Yield the parts of a component that matter, in order; what lies between them is plain markup."""
    offset, has_balance = 0, True
    while (opening := _OPENING.search(data, offset)) is not None:
        offset = opening.end()
        if opening["comment"]:
            yield _Region(opening.start(), offset, is_comment=True)
        elif opening["brace"]:
            end = _matching_brace(data, offset) if has_balance else None
            # A brace that nothing closes is text; looking for its end again and again would take quadratic time.
            has_balance = end is not None
            if end is not None:
                yield _Region(offset, end)
                offset = end
        else:
            name = opening["element"].lower()
            closing = _CLOSING[name].search(data, offset)
            end = len(data) if closing is None else closing.start()
            if name == b"script":
                yield _Region(offset, end, is_script=True)
            offset = end


def _matching_brace(data: bytes, offset: int) -> int | None:
    """Return where the brace that was opened before *offset* is closed."""
    depth = 1
    for piece in _BRACE_OR_SKIPPED.finditer(data, offset):
        if piece["open"]:
            depth += 1
        elif piece["close"]:
            depth -= 1
            if depth == 0:
                return piece.start()
    return None


def _imports(data: bytes, regions: Iterable[_Region]) -> Iterator[ImportDeclaration]:
    for region in regions:
        if not region.is_script:
            continue
        script = SourceText(data[region.start : region.end])
        tree = parse_bytes(script.data, Dialect.TYPESCRIPT)
        for statement in top_level_statements(tree.root_node):
            declaration = read_import(script, statement.inner)
            if declaration is not None:
                yield declaration


_NOT_LINE_END: Final = re.compile(rb"[^\n]")


def _without_comments(data: bytes, regions: Iterable[_Region]) -> bytes:
    """Return *data* with blanks for its comments, every offset kept."""
    text = bytearray(data)
    for region in regions:
        for start, end in ((region.start, region.end),) if region.is_comment else _gaps(data, region):
            text[start:end] = _NOT_LINE_END.sub(b" ", data[start:end])
    return bytes(text)


def _gaps(data: bytes, region: _Region) -> Iterator[tuple[int, int]]:
    """Yield the ranges between the tokens of a piece of code: blanks and comments."""
    start = region.start
    for token in tokenize(data[region.start : region.end], Dialect.TYPESCRIPT):
        yield start, region.start + token.start
        start = region.start + token.end
    yield start, region.end


_WORD_CHARACTER: Final = r"[\w$\u200c\u200d]"
_BEFORE_ARGUMENTS: Final = re.compile(r"\s*+(?:\?\.\s*+)?+(?P<sign>[(<])")
_OPEN_PARENTHESIS: Final = re.compile(r"\s*+\(")
_TYPE_SIGN: Final = re.compile(r"=>|[<>{}()\[\];]|&&|\|\|")
_MEMBER_ACCESS: Final = re.compile(r"(?<!\.)\.\s*+\Z")
_LONGEST_TYPE_ARGUMENTS: Final = 1024
_LONGEST_BLANK: Final = 1024


def _first_call(text: str, helper: Helper, bindings: Mapping[str, HelperBinding]) -> int | None:
    """Return where the name of the first callee that leads to *helper* stands.

    With a namespace import the helper's name counts whatever it is a member of; a name that was imported by itself does
    not count as a member.
    """
    names = {
        name for name, binding in bindings.items() if binding.helper is helper and not binding.is_namespace
    }
    is_member = any(binding.helper is helper and binding.is_namespace for binding in bindings.values())
    wanted = names | ({helper.value} if is_member else set())
    if not wanted:
        return None
    spelled = "|".join(re.escape(name) for name in sorted(wanted))
    for word in re.finditer(rf"(?<!{_WORD_CHARACTER})(?:{spelled})(?!{_WORD_CHARACTER})", text):
        counts_anywhere = is_member and word[0] == helper
        if (counts_anywhere or not _is_member_name(text, word.start())) and _is_called(text, word.end()):
            return word.start()
    return None


def _is_member_name(text: str, start: int) -> bool:
    return _MEMBER_ACCESS.search(text, max(0, start - _LONGEST_BLANK), start) is not None


def _is_called(text: str, end: int) -> bool:
    """Tell whether an argument list follows the name that ends at *end*, behind type arguments or at once."""
    sign = _BEFORE_ARGUMENTS.match(text, end)
    if sign is None:
        return False
    if sign["sign"] == "(":
        return True
    closing = _end_of_type_arguments(text, sign.end())
    return closing is not None and _OPEN_PARENTHESIS.match(text, closing) is not None


_PARTNERS: Final = {">": "<", ")": "(", "}": "{", "]": "["}


def _end_of_type_arguments(text: str, start: int) -> int | None:
    """Return where type arguments end that begin behind the ``<`` before *start*; None when they are none."""
    opened = ["<"]
    for sign in _TYPE_SIGN.finditer(text, start, start + _LONGEST_TYPE_ARGUMENTS):
        if sign[0] in _PARTNERS:
            if opened.pop() != _PARTNERS[sign[0]]:
                return None
            if not opened:
                return sign.end()
        elif sign[0] in "<({[":
            opened.append(sign[0])
        elif sign[0] != "=>" and opened[-1] != "{":
            return None
    return None
