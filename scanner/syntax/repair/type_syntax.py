"""Mends types that the grammar does not know or cuts short.

An import type becomes a template with a substitution: a type without a name, as an import type is, and, should the
rule ever take a dynamic import for one, a value that no reader can mistake for a literal.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from scanner.syntax.grammar import Dialect
from scanner.syntax.repair.edits import Edit, Repair, blanks, neutral_name
from scanner.syntax.repair.hidden import reads_alone
from scanner.syntax.repair.stream import TokenStream
from scanner.syntax.syntax_errors import SyntaxFault
from scanner.syntax.tokens import TokenKind

_NAMELESS: Final = b"`${_}"
_VALUE_LEADS: Final = frozenset(b"await return yield void throw new".split())
PREDEFINED_TYPES: Final = frozenset(
    b"string number boolean any unknown never object symbol bigint undefined".split()
)
_PARAMETRISED: Final = frozenset((b"class", b"interface", b"type"))
_KEYWORD_KEYS: Final = frozenset(b"namespace module type global declare abstract".split())


def mend_import_types(stream: TokenStream) -> Repair:
    """Replace import types, with ``typeof``, members and type arguments, by a type without a name."""
    edits: list[Edit] = []
    for index in stream.places((b"import",)):
        if not _is_import_call(stream, index):
            continue
        first = index - 1 if stream.text(index - 1) == b"typeof" else index
        behind = _behind_import_type(stream, stream.after(index + 1))
        if not _is_value(stream, index, behind):
            start, end = stream.starts[first], stream.ends[behind - 1]
            edits.append(Edit(start, _NAMELESS + b" " * (end - start - len(_NAMELESS) - 1) + b"`"))
    return Repair("import types", tuple(edits))


def _is_import_call(stream: TokenStream, index: int) -> bool:
    opener = index + 1
    return (
        stream.text(opener) == b"("
        and stream.mate(opener) > 0
        and stream.is_kind(opener + 1, TokenKind.STRING)
        and stream.text(opener + 2) in {b")", b","}
    )


def _is_value(stream: TokenStream, index: int, behind: int) -> bool:
    """Tell whether the import at *index* is a dynamic one, as far as its neighbours give that away."""
    is_called = stream.text(behind) == b"(" and stream.text(behind - 1) != b">"
    return is_called or stream.text(index - 1) in _VALUE_LEADS


def _behind_import_type(stream: TokenStream, index: int) -> int:
    while stream.text(index) == b"." and stream.is_word(index + 1):
        index += 2
    return index if stream.on_new_line(index) else stream.after_angles(index)


def mend_variance(stream: TokenStream) -> Repair:
    """Blank ``in`` and ``out`` before type parameters."""
    edits: list[Edit] = []
    for index in stream.places(_PARAMETRISED):
        opener = index + 1 + stream.is_word(index + 1)
        if stream.angle_mate(opener) > 0:
            edits.extend(_variance_edits(stream, opener))
    return Repair("variance", tuple(edits))


def _variance_edits(stream: TokenStream, opener: int) -> Iterator[Edit]:
    marks = [b"in", b"out"]
    index = opener + 1
    while index < stream.angle_mate(opener):
        text = stream.text(index)
        is_name = text == b"out" and (not stream.is_word(index + 1) or stream.text(index + 1) == b"extends")
        if text in marks and not is_name:
            yield blanks(stream.starts[index], stream.ends[index])
            # Each mark may stand once, `in` before `out`.
            marks = marks[marks.index(text) + 1 :]
        elif text == b",":
            marks = [b"in", b"out"]
        elif text != b"const":
            marks = []
        index = max(stream.after(index), stream.after_angles(index))


def mend_parameters(stream: TokenStream) -> Repair:
    """Mend parameters of function types: named like a predefined type, or destructured with a ``?``."""
    edits: list[Edit] = []
    for arrow in stream.places((b"=>",)):
        opener = stream.mate(arrow - 1)
        if opener >= 0 and stream.texts[opener] == b"(":
            edits.extend(_parameter_edits(stream, opener, arrow - 1))
    return Repair("function type parameters", tuple(edits))


def _parameter_edits(stream: TokenStream, opener: int, closer: int) -> Iterator[Edit]:
    index = opener + 1
    is_start = True
    while index < closer:
        text = stream.text(index)
        behind = max(stream.after(index), stream.after_angles(index))
        following = stream.text(behind)
        if is_start and text in PREDEFINED_TYPES and following in {b",", b")", b":", b"?"}:
            yield Edit(stream.starts[index], neutral_name(len(text)))
        elif is_start and text in {b"{", b"["} and following == b"?" and stream.text(behind + 1) == b":":
            yield blanks(stream.starts[behind], stream.ends[behind])
        is_start = text in {b",", b"..."}
        index = behind


def mend_call_signatures(stream: TokenStream) -> Repair:
    """End a member of an interface or type literal at its line when a generic signature begins the next one."""
    edits: list[Edit] = []
    for index in stream.places((b"<",)):
        if not stream.on_new_line(index) or stream.is_kind(index, TokenKind.MARKUP_START):
            continue
        if stream.text(stream.after_angles(index)) == b"(" and stream.ends_type(index - 1):
            edit = stream.semicolon_before(index)
            edits.extend([edit] if edit else [])
    return Repair("generic call signatures", tuple(edits))


def mend_mapped_keys(stream: TokenStream) -> Repair:
    """Rename the key of a mapped type that is spelled like a keyword, with its uses as an index."""
    edits: list[Edit] = []
    for index in stream.places(_KEYWORD_KEYS | PREDEFINED_TYPES):
        text, following = stream.texts[index], stream.text(index + 1)
        is_key = following == b"in" or (text in _KEYWORD_KEYS and following == b"]")
        if is_key and stream.text(index - 1) == b"[":
            edits.append(Edit(stream.starts[index], neutral_name(len(text))))
    return Repair("mapped type keys", tuple(edits))


def mend_untyped_mapped_types(stream: TokenStream) -> Repair:
    """Empty a mapped type that states no type for its members (``{ [K in T] }``), which stays an object type."""
    edits: list[Edit] = []
    faults: list[SyntaxFault] = []
    for opener, key in _mapped_keys(stream):
        closer = stream.mate(opener)
        behind = _behind_marks(stream, stream.after(key))
        if behind + (stream.text(behind) == b";") != closer:
            continue
        inner = stream.starts[opener + 1], stream.ends[closer - 1]
        edits.append(blanks(*inner))
        constraint = stream.data[stream.ends[key + 2] : stream.ends[stream.mate(key)]]
        # Another mapped type in the constraint is refused by the grammar too, so that it has no say.
        typed = b"{ [_ in " + constraint + b": _ }"
        if b"{" not in constraint and not reads_alone(b"type _ = ", typed, Dialect.TYPESCRIPT):
            faults.append(SyntaxFault(*inner))
    return Repair("mapped types without a type", tuple(edits), tuple(faults))


def _mapped_keys(stream: TokenStream) -> Iterator[tuple[int, int]]:
    """Yield the ``{`` of each mapped type and the ``[`` of its key, behind ``readonly`` and its sign."""
    for index in stream.places((b"in",)):
        key = index - 2
        if stream.text(key) != b"[" or not stream.is_word(key + 1) or stream.mate(key) <= 0:
            continue
        opener = key - 1 - (stream.text(key - 1) == b"readonly")
        opener -= stream.text(opener) in {b"-", b"+"}
        if stream.is_sign(opener, b"{"):
            yield opener, key


def _behind_marks(stream: TokenStream, index: int) -> int:
    index += stream.text(index) in {b"-", b"+"}
    return index + (stream.text(index) == b"?")


def mend_generic_arguments(stream: TokenStream) -> Repair:
    """Blank the type parameters of a function type that comes first among type arguments (``A<<T>() => T>``)."""
    edits: list[Edit] = []
    faults: list[SyntaxFault] = []
    for index in stream.places((b"<",)):
        mate = stream.angle_mate(index)
        is_doubled = stream.is_sign(index - 1, b"<") and stream.is_sign(index, b"<") and mate > index
        if not is_doubled or stream.text(mate + 1) != b"(":
            continue
        start, end = stream.starts[index], stream.ends[mate]
        if start == stream.ends[index - 1]:
            edits.append(blanks(start, end))
            parameters = stream.data[start:end]
            if not reads_alone(b"type _ = ", parameters + b"() => _", Dialect.TYPESCRIPT):
                faults.append(SyntaxFault(start, end))
    return Repair("generic functions as type arguments", tuple(edits), tuple(faults))


def mend_tagged_type_arguments(stream: TokenStream) -> Repair:
    """Blank the type arguments between a tag and its template."""
    edits: list[Edit] = []
    faults: list[SyntaxFault] = []
    for index in stream.places((b"<",)):
        mate = stream.angle_mate(index)
        if mate > 0 and stream.starts_template(mate + 1) and stream.ends_value(index - 1):
            start, end = stream.starts[index], stream.ends[mate]
            edits.append(blanks(start, end))
            # Import types are refused by the grammar too, so that it has no say on arguments that hold some.
            arguments = stream.data[start:end]
            if b"import" not in arguments and not reads_alone(b"type _ = _", arguments, Dialect.TYPESCRIPT):
                faults.append(SyntaxFault(start, end))
    return Repair("tagged type arguments", tuple(edits), tuple(faults))
