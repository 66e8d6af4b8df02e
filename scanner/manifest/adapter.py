"""Resolved classes in the manifest's shape (spec section 4).

The adapter builds plain JSON-shaped data and gathers warnings for everything it had to leave out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from scanner.class_table import AliasLookup, ClassTable
from scanner.diagnostics import Diagnostic, Severity
from scanner.extraction.members import STATIC_PROPERTIES
from scanner.inheritance import ResolvedClass, ResolvedField
from scanner.js.values import UNDEFINED, JsValue, is_truthy
from scanner.manifest.field_options import (
    Remarks,
    is_stated,
    report_entry,
    settled_column,
    stated_options,
)
from scanner.manifest.inference import Column, infer_column
from scanner.published_classes import PublishedClass
from scanner.records import (
    Accessibility,
    ArgumentReading,
    DecoratorUse,
    FileScan,
    RawClass,
    RawField,
    RawMethod,
    RawParameter,
)
from scanner.serialization import JsonValue, to_json, without_absent
from scanner.type_expressions import TypeKind

MANIFEST_VERSION: Final = "1.0.0"
INTERNAL_FIELDS: Final = frozenset(
    {
        *("_tableName", "options", "_loadedRelationships", "_db", "_ai", "_fs"),
        *("_isInitialized", "_errors", "_warnings"),
    }
)
"""Instance fields that the framework keeps for itself."""

_ALWAYS_FIRST_CLASS: Final = ("default", "description", "min", "max", "minLength", "maxLength")
_TRUE_FLAGS: Final = ("transient", "sensitive", "readonly")
_SIBILANTS: Final = ("s", "x", "z", "ch", "sh")
_VOWELS: Final = "aeiou"


@dataclass(frozen=True, slots=True)
class Manifest:
    """A package's manifest as JSON data, and what was left out of it."""

    document: dict[str, JsonValue]
    diagnostics: tuple[Diagnostic, ...]


class ManifestAdapter:
    """Turns the resolved classes of one package into its manifest.

    Args:
        scans: The package's files, for type aliases; or the table that they make.
        package_name: Name from package.json; None keys objects by lower-case class name.
        package_version: Version from package.json.
    """

    def __init__(
        self,
        scans: Iterable[FileScan] | ClassTable,
        package_name: str | None = None,
        package_version: str | None = None,
    ) -> None:
        self._table = scans if isinstance(scans, ClassTable) else ClassTable(scans)
        self._package_name = package_name
        self._package_version = package_version
        self._warnings: dict[Diagnostic, None] = {}

    def to_manifest(self, classes: Iterable[ResolvedClass]) -> Manifest:
        """Return the manifest of *classes*, objects in the order given."""
        self._warnings = {}
        objects: dict[str, JsonValue] = {}
        for resolved in classes:
            name = resolved.raw.class_name
            key = f"{self._package_name}:{name}" if self._package_name else name.lower()
            objects[key] = self._object(resolved)
        document = without_absent(
            {
                "version": MANIFEST_VERSION,
                "timestamp": 0,
                "packageName": self._package_name,
                "packageVersion": self._package_version,
                "objects": objects,
                "moduleType": "smrt",
            }
        )
        return Manifest(document, tuple(sorted(self._warnings, key=lambda diagnostic: diagnostic.sort_key)))

    def _object(self, resolved: ResolvedClass) -> JsonValue:
        raw = resolved.raw
        name = raw.class_name
        statics = self._static_properties(resolved)
        argument = raw.extends_type_arg
        return without_absent(
            {
                "name": name.lower(),
                "className": name,
                "qualifiedName": f"{self._package_name}:{name}" if self._package_name else None,
                "collection": collection_name(name),
                "filePath": raw.file_path,
                "packageName": self._package_name,
                "fields": self._fields(resolved.all_fields),
                "methods": {
                    method.name: _method(method) for method in raw.methods if _is_listed_method(method)
                },
                "decoratorConfig": to_json(raw.decorator_config or {}),
                "extends": raw.extends_clause,
                "extendsTypeArg": None if argument is None else argument.text,
                "exportName": name,
                "collectionExportName": f"{name}Collection",
                "staticProperties": statics or None,
            }
        )

    def _fields(self, fields: Iterable[ResolvedField]) -> dict[str, JsonValue]:
        return {
            resolved.field.name: self._field(resolved.field, resolved.owner)
            for resolved in fields
            if _is_listed_field(resolved.field)
        }

    def _field(self, raw: RawField, owner: RawClass) -> JsonValue:
        if isinstance(owner, PublishedClass):
            return to_json(owner.entries[raw.name])
        path, remarks = owner.file_path, Remarks()
        column = settled_column(raw, remarks) or infer_column(
            raw, path, _AliasRecorder(self._table, remarks).find
        )
        entry = _FieldEntry(raw, column)
        entry.lay_over(remarks)
        self._remember(path, raw.line, remarks)
        return to_json(entry.finished())

    def _remember(self, path: str, line: int, remarks: Remarks) -> None:
        for reading in remarks.unreadable:
            self._warnings[_unreadable_options(path, reading)] = None
        for name, alias in remarks.ambiguous:
            self._warnings[_ambiguous_type(path, line, name, alias)] = None
        for use, target in remarks.unrelated:
            self._warnings[_unreadable_relation(path, use, target)] = None

    def _static_properties(self, resolved: ResolvedClass) -> dict[str, JsonValue]:
        """Return the known static properties; the class's own beat inherited ones, of two own ones the last."""
        found: dict[str, JsonValue] = {}
        own = {id(field) for field in resolved.raw.fields}
        for field in resolved.raw.fields:
            self._add_static(field, resolved.raw.file_path, found)
        for inherited in resolved.all_fields:
            if id(inherited.field) not in own and inherited.field.name not in found:
                self._add_static(inherited.field, inherited.owner.file_path, found)
        return found

    def _add_static(self, field: RawField, path: str, found: dict[str, JsonValue]) -> None:
        reading = field.static_reading
        if not field.is_static or field.name not in STATIC_PROPERTIES or reading is None:
            return
        if reading.reading.is_readable and isinstance(reading.reading.value, dict | list):
            found[field.name] = to_json(reading.reading.value)
        else:
            self._warnings[_unreadable_static(path, field.name, reading)] = None


@dataclass(frozen=True, slots=True)
class _AliasRecorder:
    """Finds type aliases for inference and notes those that the bare name alone decided."""

    table: ClassTable
    remarks: Remarks

    def find(self, path: str, name: str) -> AliasLookup | None:
        alias = self.table.alias(path, name)
        if alias is not None and alias.rivals:
            self.remarks.ambiguous.append((name, alias))
        return alias


@dataclass(slots=True)
class _FieldEntry:
    """A manifest field while options are laid over the inferred column."""

    raw: RawField
    column: Column
    entry: dict[str, JsValue] | None = None
    meta: dict[str, JsValue] | None = None

    def lay_over(self, remarks: Remarks) -> None:
        column = self.column
        self.entry = {
            "type": column.type,
            "required": column.required,
            "related": UNDEFINED if column.related is None else column.related,
            "default": column.default if column.has_default else UNDEFINED,
        }
        merged: dict[str, JsValue] = {}
        for use in self.raw.decorators:
            for _, options in stated_options((use,), remarks):
                if options:
                    merged.update(options)
                    self._meta().update(_meta_options(options))
            report = report_entry(use, remarks)
            if report is not UNDEFINED:
                self._meta()["__report"] = report
        if merged:
            self._lay_options(merged)
        if column.meta:
            self._meta().update(column.meta)
        if _is_function_typed(self.raw):
            self.entry["transient"] = True

    def _meta(self) -> dict[str, JsValue]:
        if self.meta is None:
            self.meta = {}
        return self.meta

    def _lay_options(self, options: dict[str, JsValue]) -> None:
        entry = self.entry or {}
        if is_truthy(options.get("type")):
            entry["type"] = options["type"]
        if is_stated(options, "related"):
            entry["related"] = options["related"]
        if options.get("nullable") is True:
            entry["required"] = False
        elif is_stated(options, "required"):
            entry["required"] = options["required"]
        entry.update({key: options[key] for key in _ALWAYS_FIRST_CLASS if is_stated(options, key)})
        entry.update({key: True for key in _TRUE_FLAGS if options.get(key) is True})
        if isinstance(options.get("readPermission"), str):
            entry["readPermission"] = options["readPermission"]

    def finished(self) -> dict[str, JsValue]:
        entry = self.entry or {}
        return entry if self.meta is None else {**entry, "_meta": self.meta}


def _meta_options(options: Mapping[str, JsValue]) -> dict[str, JsValue]:
    first_class = {key for key in ("type", "related") if is_truthy(options.get(key))}
    return {key: value for key, value in options.items() if key not in first_class}


def _is_function_typed(raw: RawField) -> bool:
    annotation = raw.type_annotation
    return annotation is not None and (
        annotation.kind is TypeKind.FUNCTION
        or (annotation.kind is TypeKind.REFERENCE and annotation.word == "Function" and not annotation.parts)
    )


def _is_listed_field(raw: RawField) -> bool:
    return not raw.is_static and raw.accessibility is Accessibility.PUBLIC and raw.name not in INTERNAL_FIELDS


def _is_listed_method(method: RawMethod) -> bool:
    return method.accessibility is Accessibility.PUBLIC and method.name != "__proto__"


def _method(method: RawMethod) -> JsonValue:
    return without_absent(
        {
            "name": method.name,
            "async": method.async_,
            "parameters": [_parameter(parameter) for parameter in method.parameters],
            "returnType": "any" if method.return_type is None else method.return_type.text,
            "isStatic": method.is_static,
            "isPublic": True,
            "decoratorConfig": to_json(method.decorator_config),
        }
    )


def _parameter(parameter: RawParameter) -> JsonValue:
    return without_absent(
        {
            "name": parameter.name,
            "type": "any" if parameter.type is None else parameter.type.text,
            "optional": parameter.optional,
            "default": parameter.string_value,
            "typeUnresolved": parameter.type_unresolved,
            "memberTypes": to_json(parameter.member_types),
        }
    )


def collection_name(class_name: str) -> str:
    """Return the lower-cased plural that names a class's collection (spec section 4)."""
    name = class_name.lower()
    if name.endswith("y") and len(name) > 1 and name[-2] not in _VOWELS:
        return f"{name[:-1]}ies"
    return f"{name}es" if name.endswith(_SIBILANTS) else f"{name}s"


def _shown_reason(reading: ArgumentReading) -> Iterator[str]:
    yield f"`{' '.join((reading.reading.unreadable or '').split())[:120]}`"
    if reading.reading.reason:
        yield f": {reading.reading.reason}"


def _unreadable_options(path: str, reading: ArgumentReading) -> Diagnostic:
    return Diagnostic(
        "unreadable-options",
        Severity.WARNING,
        path,
        reading.place.line,
        reading.place.column,
        f"These options were left out, all of them, since they hold {''.join(_shown_reason(reading))}.",
        "Write every option as a literal.",
        reading.reading.unreadable,
    )


def _ambiguous_type(path: str, line: int, name: str, alias: AliasLookup) -> Diagnostic:
    return Diagnostic(
        "ambiguous-type",
        Severity.WARNING,
        path,
        line,
        1,
        f"The type {name} stands in {alias.path} and, with another meaning, in {', '.join(alias.rivals)}; no import"
        f" decides, so {alias.path} was taken.",
        f"Import {name} from the file that is meant.",
    )


def _unreadable_relation(path: str, use: DecoratorUse, target: ArgumentReading | None) -> Diagnostic:
    place = use.place if target is None else target.place
    shown = "no target" if target is None else "a target that is no string, name or thunk returning a name"
    return Diagnostic(
        "unreadable-relation",
        Severity.WARNING,
        path,
        place.line,
        place.column,
        f"@{use.name} has {shown}, so the manifest names no related class.",
        "Name the class: 'Target', Target, or () => Target.",
    )


def _unreadable_static(path: str, name: str, reading: ArgumentReading) -> Diagnostic:
    if reading.reading.is_readable:
        what = "it is no object or array"
    else:
        what = f"it holds {''.join(_shown_reason(reading))}"
    return Diagnostic(
        "unreadable-options",
        Severity.WARNING,
        path,
        reading.place.line,
        reading.place.column,
        f"The static property {name} was left out, since {what}.",
        "Write it as an object or array literal.",
        reading.reading.unreadable,
    )
