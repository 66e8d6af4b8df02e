"""Types as the scanner names them: a small tree of plain records that prints the contract's type names.

A type *has a name* or it has none (spec section 1). Only nameable types become a :class:`TypeExpression`; a
nameless one is ``None`` everywhere. Column inference asks the tree, never the printed text, because the text is
ambiguous: ``(string | null)[]`` and ``string | null[]`` print alike.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class TypeKind(Enum):
    """What a type expression is made of."""

    KEYWORD = "keyword"
    REFERENCE = "reference"
    ARRAY = "array"
    UNION = "union"
    STRING_LITERAL = "string"
    NUMBER_LITERAL = "number"
    BOOLEAN_LITERAL = "boolean"
    OBJECT = "object"
    FUNCTION = "function"


class TypeExpression(NamedTuple):
    """One nameable type.

    Attributes:
        kind: What it is made of.
        word: The keyword, the (dotted) reference name, or the literal's value as text; empty for the rest.
        parts: Element type of an array, branches of a union, arguments of a reference.
    """

    kind: TypeKind
    word: str = ""
    parts: tuple[TypeExpression, ...] = ()

    @property
    def text(self) -> str:
        """The type's name as raw records and manifests show it."""
        match self.kind:
            case TypeKind.ARRAY:
                return f"{self.parts[0].text}[]"
            case TypeKind.UNION:
                return " | ".join(part.text for part in self.parts)
            case TypeKind.STRING_LITERAL:
                return f"'{self.word}'"
            case TypeKind.OBJECT:
                return "object"
            case TypeKind.FUNCTION:
                return "Function"
            case TypeKind.REFERENCE if self.parts:
                return f"{self.word}<{', '.join(part.text for part in self.parts)}>"
            case _:
                return self.word

    def __str__(self) -> str:
        return self.text
