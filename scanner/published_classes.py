"""Models that an installed package publishes in its manifest, as records that classes of the tree can extend.

A published object says what the class came to, no longer how it was written: its fields are finished entries, and
private members are gone. All that such a record tells truly is what a subclass takes from its parents.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from scanner.extraction.members import STATIC_PROPERTIES
from scanner.js.values import JsValue
from scanner.records import (
    Accessibility,
    ArgumentReading,
    ExportKind,
    FileScan,
    OptionReading,
    Place,
    RawClass,
    RawField,
    RawMethod,
)

MAX_VALUE_DEPTH: Final = 64
"""How deep lists and objects may lie in each other within one value of a manifest; deeper ones are left out."""

_START: Final = Place(1, 1)
_NEEDED_KEYS: Final = frozenset({"type", "required"})
_KEYS_OF_ANY_KIND: Final = _NEEDED_KEYS | {
    *("related", "default", "description", "min", "max", "minLength", "maxLength")
}
_FLAGS: Final = frozenset({"transient", "sensitive", "readonly"})


@dataclass(frozen=True, slots=True)
class PublishedClass(RawClass):
    """A published model; it is one, whatever its chain comes to.

    Attributes:
        entries: The manifest's entry of each field, which stands for all that a source would say of it.
    """

    entries: Mapping[str, JsValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PublishedScan(FileScan):
    """A manifest as the one file of an installed package, with its models as classes.

    Attributes:
        dependencies: Names of the packages that these may take their parents from, sorted.
        malformed: Where the manifest holds what no manifest holds, in its order; all that was left out.
    """

    dependencies: tuple[str, ...] = ()
    malformed: tuple[str, ...] = ()

    def foreign_parents(self) -> Iterator[str]:
        """Yield the names that classes of the manifest extend and that none of its classes has."""
        own = {raw.class_name for raw in self.classes}
        for raw in self.classes:
            if raw.parent_name is not None and raw.parent_name not in own:
                yield raw.parent_name


def published_models(
    path: str, document: Mapping[str, Any], dependencies: tuple[str, ...] = ()
) -> PublishedScan | None:
    """Read the models of a manifest; None for a document that is no manifest.

    Args:
        path: Root-relative path of the manifest.
        document: Its content.
        dependencies: Names of the packages that its package depends on.
    """
    objects = document.get("objects")
    if not isinstance(objects, dict):
        return None
    malformed: list[str] = []
    models = [_model(path, key, entry, malformed) for key, entry in objects.items()]
    classes = tuple(model for model in models if model is not None)
    return PublishedScan(path, classes=classes, dependencies=dependencies, malformed=tuple(malformed))


def _model(path: str, key: str, entry: Any, malformed: list[str]) -> PublishedClass | None:
    """Return a model, and add to *malformed* where it holds what is left out."""
    if not isinstance(entry, dict) or not isinstance(entry.get("className"), str) or not entry["className"]:
        malformed.append(key)
        return None
    extends = _part(entry, "extends", str, key, malformed)
    config = _part(entry, "decoratorConfig", dict, key, malformed)
    fields = _part(entry, "fields", dict, key, malformed) or {}
    statics = _part(entry, "staticProperties", dict, key, malformed) or {}
    methods = _part(entry, "methods", dict, key, malformed) or {}
    parent = extends.rpartition(".")[2] or None if extends else None
    entries = dict(_field_entries(fields, f"{key}.fields", malformed))
    return PublishedClass(
        class_name=entry["className"],
        file_path=path,
        extends_clause=parent,
        extends_type_arg=None,
        decorator_config=config or {},
        has_smart_decorator=False,
        fields=(
            *(_plain_field(name) for name in entries),
            *_static_fields(statics, f"{key}.staticProperties", malformed),
        ),
        methods=tuple(_methods(methods, f"{key}.methods", malformed)),
        start_line=1,
        end_line=1,
        parent_name=parent,
        export_kind=ExportKind.NAMED,
        entries=entries,
    )


def _part(entry: Mapping[str, Any], name: str, kind: type, key: str, malformed: list[str]) -> Any:
    value = entry.get(name)
    if value is None or isinstance(value, kind):
        return value
    malformed.append(f"{key}.{name}")
    return None


def _field_entries(
    members: Mapping[str, Any], place: str, malformed: list[str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, entry in members.items():
        if not isinstance(entry, dict) or not entry.keys() >= _NEEDED_KEYS:
            malformed.append(f"{place}.{name}")
            continue
        known = {key: value for key, value in entry.items() if _is_known(key, value)}
        malformed.extend(f"{place}.{name}.{key}" for key in entry if key not in known)
        if known.keys() >= _NEEDED_KEYS:
            yield name, known


def _is_known(key: str, value: Any) -> bool:
    """Tell whether a field's entry may have this part, as the schema of manifests has it."""
    if key in _FLAGS:
        return value is True
    if key == "readPermission":
        return isinstance(value, str)
    is_placed = key in _KEYS_OF_ANY_KIND or (key == "_meta" and isinstance(value, dict))
    return is_placed and _is_shallow(value)


def _is_shallow(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_VALUE_DEPTH):
        level = [inner for outer in level for inner in _items(outer)]
        if not level:
            return True
    return False


def _items(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, list):
        yield from value


def _static_fields(members: Mapping[str, Any], place: str, malformed: list[str]) -> Iterator[RawField]:
    for name, value in members.items():
        if name not in STATIC_PROPERTIES or not isinstance(value, dict | list) or not _is_shallow(value):
            malformed.append(f"{place}.{name}")
            continue
        reading = ArgumentReading(_START, OptionReading(is_readable=True, value=value), None, None)
        yield _plain_field(name)._replace(is_static=True, static_reading=reading)


def _plain_field(name: str) -> RawField:
    return RawField(
        name=name,
        type_annotation=None,
        initializer=None,
        has_decimal_point=False,
        numeric_value=None,
        decorators=(),
        optional=False,
        is_static=False,
        readonly=False,
        accessibility=Accessibility.PUBLIC,
        line=1,
    )


def _methods(members: Mapping[str, Any], place: str, malformed: list[str]) -> Iterator[RawMethod]:
    for name, entry in members.items():
        if not isinstance(entry, dict):
            malformed.append(f"{place}.{name}")
            continue
        yield RawMethod(
            name=name,
            async_=entry.get("async") is True,
            is_static=entry.get("isStatic") is True,
            accessibility=Accessibility.PUBLIC,
            parameters=(),
            return_type=None,
            description=None,
            line=1,
        )
