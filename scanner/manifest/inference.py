"""Column types from annotations and initialisers (spec section 4, "annotation").

Inference asks the type tree: a null or undefined branch is taken off as a branch, in any order (spec D6), never cut
out of text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from scanner.class_table import AliasLookup
from scanner.js.values import JsValue
from scanner.records import RawField
from scanner.type_expressions import TypeExpression, TypeKind

MAX_ALIAS_HOPS: Final = 5
"""How many type aliases are followed one after the other."""

META_TYPE: Final = "Meta"
"""The framework's type of fields that are kept as metadata."""

AliasFinder: TypeAlias = Callable[[str, str], AliasLookup | None]
"""File path and type name to the alias that the name means there."""

_INTEGER: Final = re.compile(r"-?\d+")


@dataclass(frozen=True, slots=True)
class Column:
    """What is known about a field before options are laid over it.

    Attributes:
        type: The column type.
        required: Whether a value must be given.
        default: Default value, meaningful only when ``has_default``.
        has_default: Whether there is a default.
        related: Relationship target.
        meta: Entries for ``_meta``.
    """

    type: str
    required: bool
    default: JsValue = None
    has_default: bool = False
    related: str | None = None
    meta: Mapping[str, JsValue] = field(default_factory=dict)

    def with_default(self, value: JsValue) -> Column:
        """Return this column with a default."""
        return Column(self.type, self.required, value, has_default=True, related=self.related, meta=self.meta)


def is_required(raw: RawField) -> bool:
    """Tell whether a field must be given: no question mark and no initialiser."""
    return not raw.optional and raw.initializer is None


def infer_column(raw: RawField, path: str, aliases: AliasFinder) -> Column:
    """Infer a field's column from its annotation, else its initialiser.

    Args:
        raw: The field.
        path: The file that declares it, where its type names are looked up.
        aliases: How type aliases are found.
    """
    if raw.type_annotation is not None:
        return _Inference(raw, aliases).of(raw.type_annotation, path, is_required(raw))
    return _from_initializer(raw)


def _from_initializer(raw: RawField) -> Column:
    """Infer from a number or boolean literal, else text (without a default).

    A field that nothing but such a literal types is required unless it has a question mark.
    """
    if raw.numeric_value is not None:
        kind = "decimal" if raw.has_decimal_point else "integer"
        return Column(kind, not raw.optional).with_default(raw.numeric_value)
    if raw.initializer in {"true", "false"}:
        return Column("boolean", not raw.optional).with_default(raw.initializer == "true")
    return Column("text", is_required(raw))


@dataclass(frozen=True, slots=True)
class _Inference:
    raw: RawField
    aliases: AliasFinder

    def of(self, expression: TypeExpression, path: str, required: bool, hops: int = 0) -> Column:  # noqa: FBT001 -- a column's own attribute
        column = self._primitive(expression, required) or self._container(expression, required)
        if column is not None:
            return column
        if expression.kind is TypeKind.UNION:
            return self._union(expression, path, required, hops)
        if expression.kind is TypeKind.REFERENCE and not expression.parts and hops < MAX_ALIAS_HOPS:
            alias = self.aliases(path, expression.word)
            if alias is not None:
                return self.of(alias.expression, alias.path, required, hops + 1)
        return self._fallback(required)

    def _primitive(self, expression: TypeExpression, required: bool) -> Column | None:  # noqa: FBT001 -- see of
        if expression.kind is TypeKind.REFERENCE:
            if expression.word == META_TYPE and len(expression.parts) == 1:
                return Column("meta", required, meta={"underlyingType": expression.parts[0].text})
            is_date = expression.word == "Date" and not expression.parts
            return Column("datetime", required) if is_date else None
        match expression.kind, expression.word:
            case TypeKind.KEYWORD, "string":
                return self._text(required)
            case TypeKind.KEYWORD, "number":
                return self._number("decimal" if self.raw.has_decimal_point else "integer", required)
            case TypeKind.KEYWORD, "boolean":
                column = Column("boolean", required)
                is_literal = self.raw.initializer in {"true", "false"}
                return column.with_default(self.raw.initializer == "true") if is_literal else column
            case _:
                return None

    def _container(self, expression: TypeExpression, required: bool) -> Column | None:  # noqa: FBT001 -- see of
        """Infer the containers that start out empty: ``T[]``, ``Record<…>``, object literals.

        A union counts by its last branch when that is an array and by its first when that is a record.
        """
        if expression.kind is TypeKind.OBJECT:
            return Column("json", required).with_default({})
        branches = expression.parts if expression.kind is TypeKind.UNION else (expression,)
        if expression.kind is TypeKind.UNION and any(_is_nothing(branch) for branch in branches):
            return None
        if branches and branches[-1].kind is TypeKind.ARRAY:
            return Column("json", required).with_default([])
        if branches and branches[0].word == "Record" and branches[0].parts:
            return Column("json", required).with_default({})
        return None

    def _union(self, expression: TypeExpression, path: str, required: bool, hops: int) -> Column:  # noqa: FBT001 -- see of
        branches = tuple(branch for branch in expression.parts if not _is_nothing(branch))
        if len(branches) == 1:
            return self.of(branches[0], path, required and len(expression.parts) == 1, hops)
        if len(branches) < len(expression.parts):
            rest = TypeExpression(TypeKind.UNION, parts=branches)
            return (
                self.of(rest, path, required=False, hops=hops) if branches else self._fallback(required=False)
            )
        if all(_is_plain_text(branch) for branch in branches):
            return self._text(required)
        if all(
            branch.kind is TypeKind.NUMBER_LITERAL and _INTEGER.fullmatch(branch.word) for branch in branches
        ):
            return self._number("integer", required)
        return self._fallback(required)

    def _text(self, required: bool) -> Column:  # noqa: FBT001 -- see of
        column = Column("text", required)
        return column if self.raw.string_value is None else column.with_default(self.raw.string_value)

    def _number(self, kind: str, required: bool) -> Column:  # noqa: FBT001 -- see of
        column = Column(kind, required)
        return column if self.raw.numeric_value is None else column.with_default(self.raw.numeric_value)

    def _fallback(self, required: bool) -> Column:  # noqa: FBT001 -- see of
        return self._text(required) if self.raw.string_value is not None else Column("json", required)


def _is_nothing(expression: TypeExpression) -> bool:
    return expression.kind is TypeKind.KEYWORD and expression.word in {"null", "undefined"}


def _is_plain_text(expression: TypeExpression) -> bool:
    return expression.kind is TypeKind.STRING_LITERAL and "'" not in expression.word
