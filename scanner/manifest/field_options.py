"""What field decorators say about a column (spec section 4, field decorators and relationship targets)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from scanner.class_table import AliasLookup
from scanner.js.values import UNDEFINED, JsValue, is_truthy
from scanner.manifest.inference import Column, is_required
from scanner.records import ArgumentReading, DecoratorUse, OptionReading, RawField

COLUMN_TYPES: Final = frozenset(
    {
        *("text", "decimal", "integer", "boolean", "datetime", "json", "meta"),
        *("foreignKey", "crossPackageRef", "oneToMany", "manyToMany"),
    }
)
"""Types that ``@field({ type })`` settles by itself; any other type is copied over what inference finds."""

BUCKET_UNITS: Final = frozenset({"minute", "hour", "day", "week", "month", "quarter", "year"})
_AGGREGATES: Final = frozenset({"sum", "avg", "min", "max", "count"})
_RELATION_OPTIONS: Final = ("required", "nullable", "unique", "description", "default", "constraint")
_QUOTES: Final = ("'", '"', "`")


@dataclass(slots=True)
class Remarks:
    """Arguments that could not be used, gathered while decorators are read."""

    unreadable: list[ArgumentReading] = field(default_factory=list)
    ambiguous: list[tuple[str, AliasLookup]] = field(default_factory=list)
    unrelated: list[tuple[DecoratorUse, ArgumentReading | None]] = field(default_factory=list)


def argument(use: DecoratorUse, index: int) -> ArgumentReading | None:
    """Return the reading of a decorator's argument, or None when it has no such argument."""
    return use.readings[index] if index < len(use.readings) else None


def options_of(reading: ArgumentReading | None, remarks: Remarks) -> Mapping[str, JsValue]:
    """Return the options object an argument holds; an unreadable one gives none and a remark (spec D9)."""
    if reading is None:
        return {}
    if not reading.reading.is_readable:
        remarks.unreadable.append(reading)
        return {}
    value = reading.reading.value
    return value if isinstance(value, dict) else {}


def is_stated(options: Mapping[str, JsValue], key: str) -> bool:
    """Tell whether *key* is given a value other than undefined."""
    return options.get(key, UNDEFINED) is not UNDEFINED


def settled_column(raw: RawField, remarks: Remarks) -> Column | None:
    """Return the column that the first decorator with an answer gives, or None when annotation must decide."""
    for use in raw.decorators:
        settle = _SETTLERS.get(use.name)
        column = None if settle is None else settle(raw, use, remarks)
        if column is not None:
            return column
    return None


def _settle_field(raw: RawField, use: DecoratorUse, remarks: Remarks) -> Column | None:
    options = options_of(argument(use, 0), remarks)
    kind = options.get("type")
    if not isinstance(kind, str) or kind not in COLUMN_TYPES:
        return None
    return Column(kind, is_required(raw) and not is_stated(options, "default"))


def _settle_meta(raw: RawField, use: DecoratorUse, remarks: Remarks) -> Column:
    options = options_of(argument(use, 0), remarks)
    column = Column("meta", is_required(raw))
    return column.with_default(options["default"]) if is_stated(options, "default") else column


def _settle_reference(raw: RawField, use: DecoratorUse, remarks: Remarks) -> Column:
    options = options_of(argument(use, 1), remarks)
    required = _stated_required(raw, options)
    meta = {key: options[key] for key in _RELATION_OPTIONS if is_stated(options, key)}
    column = Column(use.name, required, related=_target(use, remarks), meta=meta)
    return column.with_default(options["default"]) if is_stated(options, "default") else column


def _stated_required(raw: RawField, options: Mapping[str, JsValue]) -> bool:
    """Tell whether a field is required: as the decorator says, else as the declaration does."""
    return is_truthy(options["required"]) if is_stated(options, "required") else is_required(raw)


def _settle_collection(_raw: RawField, use: DecoratorUse, remarks: Remarks) -> Column:
    options_of(argument(use, 1), remarks)
    return Column(use.name, required=False, related=_target(use, remarks))


def _target(use: DecoratorUse, remarks: Remarks) -> str | None:
    target = argument(use, 0)
    if target is None or target.relation is None:
        remarks.unrelated.append((use, target))
        return None
    return target.relation


def _settle_tenant(raw: RawField, use: DecoratorUse, remarks: Remarks) -> Column:
    options = options_of(argument(use, 0), remarks)

    def flag(key: str, fallback: bool) -> JsValue:  # noqa: FBT001 -- it is the flag's own default
        return options[key] if is_stated(options, key) else fallback

    nullable = flag("nullable", fallback=False)
    tenancy: dict[str, JsValue] = {
        "isTenantIdField": True,
        "autoFilter": flag("autoFilter", fallback=True),
        "required": flag("required", fallback=True),
        "autoPopulate": flag("autoPopulate", fallback=True),
        "nullable": nullable,
    }
    required = _stated_required(raw, options) and not is_truthy(nullable)
    return Column("text", required, meta={"sqlType": "UUID", "__tenancy": tenancy})


_SETTLERS: Final[Mapping[str, Callable[[RawField, DecoratorUse, Remarks], Column | None]]] = {
    "field": _settle_field,
    "meta": _settle_meta,
    "foreignKey": _settle_reference,
    "crossPackageRef": _settle_reference,
    "oneToMany": _settle_collection,
    "manyToMany": _settle_collection,
    "tenantId": _settle_tenant,
}

RELATION_DECORATORS: Final = frozenset(
    name for name, settle in _SETTLERS.items() if settle in (_settle_reference, _settle_collection)
)
"""Field decorators whose first argument names a related class."""


def report_entry(use: DecoratorUse, remarks: Remarks) -> JsValue:
    """Return the ``_meta.__report`` entry of a report decorator; UNDEFINED when it gives none.

    Columns are taken as source text without the quotes around it, as the contract's cases show.
    """
    if use.name == "groupBy":
        return _without_undefined({"kind": "group", "sourceColumn": _column_text(use, 0)})
    if use.name in BUCKET_UNITS:
        return _without_undefined({"kind": "bucket", "unit": use.name, "sourceColumn": _column_text(use, 0)})
    if use.name == "aggregate":
        return _general_aggregate(options_of(argument(use, 0), remarks))
    return _named_aggregate(use, remarks) if use.name in _AGGREGATES else UNDEFINED


def _general_aggregate(options: Mapping[str, JsValue]) -> JsValue:
    function, column = options.get("fn"), options.get("column")
    if not isinstance(function, str) or not function:
        return UNDEFINED
    return _without_undefined(
        {
            "kind": "aggregate",
            "fn": function,
            "column": column if isinstance(column, str) else UNDEFINED,
            "distinct": _distinct(options),
        }
    )


def _named_aggregate(use: DecoratorUse, remarks: Remarks) -> JsValue:
    first = argument(use, 0)
    takes_options_first = use.name == "count" and first is not None and isinstance(first.reading.value, dict)
    if (
        use.name == "count"
        and first is not None
        and first.entries is not None
        and not first.reading.is_readable
    ):
        remarks.unreadable.append(first)
    column = UNDEFINED if takes_options_first else _column_text(use, 0)
    options = options_of(first if takes_options_first else argument(use, 1), remarks)
    return _without_undefined(
        {"kind": "aggregate", "fn": use.name, "column": column, "distinct": _distinct(options)}
    )


def _distinct(options: Mapping[str, JsValue]) -> JsValue:
    distinct = options.get("distinct")
    return distinct if isinstance(distinct, bool) else UNDEFINED


def _column_text(use: DecoratorUse, index: int) -> JsValue:
    if index >= len(use.arguments):
        return UNDEFINED
    text = use.arguments[index]
    is_quoted = len(text) > 2 and text[0] in _QUOTES and text[-1] in _QUOTES  # noqa: PLR2004 -- two quotes
    return text[1:-1] if is_quoted else text


def _without_undefined(entries: Mapping[str, JsValue]) -> dict[str, JsValue]:
    return {key: value for key, value in entries.items() if value is not UNDEFINED}


def stated_options(
    uses: Iterable[DecoratorUse], remarks: Remarks
) -> Iterable[tuple[DecoratorUse, Mapping[str, JsValue]]]:
    """Yield every ``@field`` of a field with its readable options, in order."""
    for use in uses:
        if use.name == "field":
            yield use, options_of(argument(use, 0), remarks)


def states_type_or_transient(reading: ArgumentReading | None) -> bool:
    """Tell whether ``@field`` options state a type or a true ``transient``, even where other entries are unreadable."""
    entries: Mapping[str, OptionReading] = (
        {} if reading is None or reading.entries is None else reading.entries
    )
    transient = entries.get("transient")
    stated = entries.get("type")
    return (stated is not None and stated.value is not UNDEFINED) or (
        transient is not None and transient.is_readable and transient.value is True
    )
