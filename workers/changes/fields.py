"""What changed in a field of a model: a column and what the world may do with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from scanner.js.values import is_truthy
from workers.changes.judgement import (
    UNKNOWN,
    AspectChange,
    Judgement,
    Rule,
    always,
    bound,
    breaking,
    choices,
    compatible,
    cosmetic,
    is_plain,
    presence,
    switch,
)
from workers.changes.records import ABSENT, Exposure
from workers.changes.values import as_mapping, differences, is_same, is_told_by_keys

_WIDENINGS: Final = (("integer", "decimal"),)
"""Column types, before and after, where every stored value fits the new type unchanged."""


def _type(before: Any, after: Any) -> Judgement:
    if (before, after) in _WIDENINGS:
        return compatible("The type is wider; all stored values still fit.")
    if (after, before) in _WIDENINGS:
        return breaking("The type is narrower; stored values may not fit.")
    return breaking("Values of one type are not those of the other.")


def _index(before: Any, after: Any) -> Judgement:
    # More than a word on or off may make an index unique.
    if is_plain(before) and is_plain(after):
        return compatible("An index changes how fast rows are found, not which.")
    return UNKNOWN(before, after)


_REQUIRED: Final = switch(
    gained=breaking("A value is now required, so rows and callers without one fail."),
    lost=compatible("A value is no longer required."),
)
_UNIQUE: Final = switch(
    gained=breaking("Values must now differ from row to row; stored ones may not."),
    lost=compatible("Values may now be equal."),
)
_NULLABLE: Final = switch(
    gained=compatible("The field may now be empty."),
    lost=breaking("The field may no longer be empty; stored rows may be."),
)
_COSMETIC: Final = always(cosmetic("It is for people only."))
_SENSITIVE: Final = switch(
    gained=breaking("The field is no longer shown freely.", Exposure.CLOSED),
    lost=breaking("The field is shown to all who can read the record.", Exposure.OPENED),
)
_READONLY: Final = switch(
    gained=breaking("The field can no longer be set from outside.", Exposure.CLOSED),
    lost=breaking("The field can be set from outside.", Exposure.OPENED),
)
_PERMISSION: Final = presence(
    gained=breaking("Reading the field needs a permission.", Exposure.CLOSED),
    lost=breaking("Reading the field needs no permission any more.", Exposure.OPENED),
    changed=breaking("Reading the field needs another permission.", Exposure.SHIFTED),
)
_TENANCY: Final = presence(
    gained=breaking("Rows are now kept apart by tenant.", Exposure.CLOSED),
    lost=breaking("Rows are no longer kept apart by this field.", Exposure.OPENED),
    changed=breaking("Rows are kept apart by tenant in another way.", Exposure.SHIFTED),
)
_RELATED: Final = presence(
    gained=breaking("The field must now hold a record of another class."),
    lost=breaking("The field no longer leads to another class."),
    changed=breaking("The field leads to another class."),
)
_TRANSIENT: Final = switch(
    gained=breaking("The field is no longer stored, so its column goes."),
    lost=compatible("The field is now stored."),
)
_PRECISION: Final = bound(is_lower=False)

_RULES: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        "type": _type,
        "required": _REQUIRED,
        "related": _RELATED,
        "transient": _TRANSIENT,
        "sensitive": _SENSITIVE,
        "readonly": _READONLY,
        "readPermission": _PERMISSION,
        "description": _COSMETIC,
        "min": bound(is_lower=True),
        "max": bound(is_lower=False),
        "minLength": bound(is_lower=True),
        "maxLength": bound(is_lower=False),
    }
)
_OPTION_RULES: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        "unique": _UNIQUE,
        "nullable": _NULLABLE,
        "index": _index,
        "indexed": _index,
        "precision": _PRECISION,
        "enum": choices,
        "values": choices,
        "__tenancy": _TENANCY,
        **dict.fromkeys(
            ("label", "title", "placeholder", "help", "hint", "example", "examples", "icon"), _COSMETIC
        ),
    }
)
"""Rules for the options of `@field` that a manifest keeps under `_meta` alone."""


def judge_new_field(field: Mapping[str, Any]) -> Judgement:
    """Judge a field that a class gained."""
    if is_truthy(field.get("required", False)) and field.get("default") is None:
        return breaking("A value is required and there is no default, so rows and callers without one fail.")
    return compatible("Rows and callers need no value for it.")


def field_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[AspectChange]:
    """Yield what changed in a field, by key.

    Options that `_meta` repeats are told once, under the key that generators read.
    """
    told = set()
    for key, old, new in differences(before, after):
        if key != "_meta":
            told.add(key)
            yield key, old, new, _judge(key, old, new, after)
    for key, old, new in differences(as_mapping(before.get("_meta")), as_mapping(after.get("_meta"))):
        if key not in told:
            yield f"_meta.{key}", old, new, _judge_option(key, old, new, after)
    old, new = before.get("_meta", ABSENT), after.get("_meta", ABSENT)
    if not is_same(old, new) and not is_told_by_keys(old, new):
        yield "_meta", old, new, UNKNOWN(old, new)


def _judge(key: str, before: Any, after: Any, field: Mapping[str, Any]) -> Judgement:
    if key == "default":
        return _judge_default(after, field)
    return _RULES.get(key, UNKNOWN)(before, after)


def _judge_default(after: Any, field: Mapping[str, Any]) -> Judgement:
    if (after is ABSENT or after is None) and is_truthy(field.get("required", False)):
        return breaking("A value is required and there is no default any more.")
    return compatible("New rows start with another value; stored ones keep theirs.")


def _judge_option(key: str, before: Any, after: Any, field: Mapping[str, Any]) -> Judgement:
    if key in _OPTION_RULES:
        return _OPTION_RULES[key](before, after)
    if key in _RULES or key in field or key == "default":
        return cosmetic("It is stated in another way; the field itself is as it was.")
    return UNKNOWN(before, after)
