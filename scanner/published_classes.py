"""Models that an installed package publishes in its manifest, as records that classes of the tree can extend.

A published object says what the class came to, no longer how it was written: its fields are finished entries, and
private members are gone. All that such a record tells truly is what a subclass takes from its parents.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

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

_START = Place(1, 1)


@dataclass(frozen=True, slots=True)
class PublishedClass(RawClass):
    """A published model; it is one, whatever its chain comes to.

    Attributes:
        entries: The manifest's entry of each field, which stands for all that a source would say of it.
    """

    entries: Mapping[str, JsValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PublishedModels:
    """What a published manifest offers.

    Attributes:
        scan: The models as the classes of one file, which is the manifest.
        malformed: Keys of objects that are no models, in the order of the manifest.
    """

    scan: FileScan
    malformed: tuple[str, ...]


def published_models(path: str, document: Mapping[str, Any]) -> PublishedModels | None:
    """Read the models of a manifest; None for a document that is no manifest.

    Args:
        path: Root-relative path of the manifest.
        document: Its content.
    """
    objects = document.get("objects")
    if not isinstance(objects, dict):
        return None
    models = {key: _model(path, entry) for key, entry in objects.items()}
    classes = tuple(model for model in models.values() if model is not None)
    malformed = tuple(key for key, model in models.items() if model is None)
    return PublishedModels(FileScan(path, classes=classes), malformed)


def _model(path: str, entry: Any) -> PublishedClass | None:
    if not isinstance(entry, dict) or not isinstance(entry.get("className"), str):
        return None
    extends, config = entry.get("extends"), entry.get("decoratorConfig")
    parent = extends.rpartition(".")[2] if isinstance(extends, str) else None
    fields = dict(_entries(entry.get("fields")))
    return PublishedClass(
        class_name=entry["className"],
        file_path=path,
        extends_clause=parent,
        extends_type_arg=None,
        decorator_config=config if isinstance(config, dict) else {},
        has_smart_decorator=False,
        fields=(*map(_field, fields), *_static_fields(entry.get("staticProperties"))),
        methods=tuple(_methods(entry.get("methods"))),
        start_line=1,
        end_line=1,
        parent_name=parent,
        export_kind=ExportKind.NAMED,
        entries=fields,
    )


def _entries(members: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, entry in members.items() if isinstance(members, dict) else ():
        if isinstance(entry, dict):
            yield name, entry


def _field(name: str) -> RawField:
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


def _static_fields(members: Any) -> Iterator[RawField]:
    for name, value in members.items() if isinstance(members, dict) else ():
        reading = ArgumentReading(_START, OptionReading(is_readable=True, value=value), None, None)
        yield _field(name)._replace(is_static=True, static_reading=reading)


def _methods(members: Any) -> Iterator[RawMethod]:
    for name, entry in _entries(members):
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
