"""What one source file holds, as frozen records of plain values.

These records cross process borders: no syntax node, no open file, nothing that cannot be pickled. Those that come by
the thousand are named tuples, which are made and unpickled in a fraction of a dataclass's time. Fields marked
:func:`internal`, or listed in :data:`INTERNAL_FIELDS`, serve resolution and inference and stay out of JSON; ``scanner.serialization`` is the one place
that turns records into JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from scanner.diagnostics import Diagnostic
from scanner.js.values import JsValue
from scanner.plain_records import PlainRecord
from scanner.surface.records import AgentSurface
from scanner.type_expressions import TypeExpression

ANONYMOUS_CLASS: Final = "AnonymousClass"
"""The name of a default export that has none."""


def internal(*, default: Any = None) -> Any:
    """Declare a record field that JSON does not show."""
    return field(default=default, metadata={"internal": True})


class Accessibility(Enum):
    """A member's access modifier; ``public`` when none is written."""

    PUBLIC = "public"
    PROTECTED = "protected"
    PRIVATE = "private"


class ExportKind(Enum):
    """How a module gives a class to others."""

    NONE = "none"
    NAMED = "named"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Place(PlainRecord):
    """A 1-based line and UTF-16 column."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class OptionReading(PlainRecord):
    """What reading one expression without running it gave.

    Attributes:
        is_readable: Whether the whole value is known.
        value: The value when it is.
        unreadable: Source text of the first part that could not be read.
        reason: Why not, as half a sentence.
    """

    is_readable: bool
    value: JsValue = None
    unreadable: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class ArgumentReading(PlainRecord):
    """One argument of a field decorator, read in every way that inference may need.

    Attributes:
        place: Where the argument starts.
        reading: The argument as a literal value.
        entries: For an object literal, each key's own reading, even where another key is unreadable.
        relation: For a relationship target, the name it has as syntax (spec D24).
    """

    place: Place
    reading: OptionReading
    entries: Mapping[str, OptionReading] | None
    relation: str | None


@dataclass(frozen=True, slots=True)
class DecoratorUse(PlainRecord):
    """A decorator on a field: its plain name and its arguments as source texts."""

    name: str
    arguments: tuple[str, ...]
    place: Place = internal()
    readings: tuple[ArgumentReading, ...] = internal(default=())


class RawField(NamedTuple):
    """A property definition of a class body (spec section 1, "A field record")."""

    name: str
    type_annotation: TypeExpression | None
    initializer: str | None
    has_decimal_point: bool
    numeric_value: float | None
    decorators: tuple[DecoratorUse, ...]
    optional: bool
    is_static: bool
    readonly: bool
    accessibility: Accessibility
    line: int
    column: int = 1
    string_value: str | None = None
    static_reading: ArgumentReading | None = None


class RawParameter(NamedTuple):
    """A method parameter (spec section 1, "A parameter record")."""

    name: str
    type: TypeExpression | None
    optional: bool
    default_value: str | None
    type_unresolved: bool | None = None
    member_types: tuple[str, ...] | None = None
    string_value: str | None = None


class RawMethod(NamedTuple):
    """A method of a class body (spec section 1, "A method record").

    ``decorator_config`` is None for an undecorated method and ``{}`` for a bare ``@method()``.
    """

    name: str
    async_: bool
    is_static: bool
    accessibility: Accessibility
    parameters: tuple[RawParameter, ...]
    return_type: TypeExpression | None
    description: str | None
    line: int
    decorator_config: Mapping[str, JsValue] | None = None


INTERNAL_FIELDS: Final[Mapping[type, frozenset[str]]] = MappingProxyType(
    {
        RawField: frozenset({"column", "string_value", "static_reading"}),
        RawParameter: frozenset({"string_value"}),
    }
)
"""The fields that JSON does not show of those records that are named tuples."""


@dataclass(frozen=True, slots=True)
class RawClass(PlainRecord):
    """A class declaration at the top of a module (spec section 1, "A class record")."""

    class_name: str
    file_path: str
    extends_clause: str | None
    extends_type_arg: TypeExpression | None
    decorator_config: Mapping[str, JsValue] | None
    has_smart_decorator: bool
    fields: tuple[RawField, ...]
    methods: tuple[RawMethod, ...]
    start_line: int
    end_line: int
    parent_name: str | None = internal()
    export_kind: ExportKind = internal(default=ExportKind.NONE)


class ImportForm(Enum):
    """How an import declaration names what it takes."""

    DEFAULT = "default"
    NAMESPACE = "namespace"
    NAMED = "named"
    STRING_NAMED = "string-named"


class ImportBinding(NamedTuple):
    """One local name that an import declaration binds.

    Attributes:
        local: The name in this file.
        imported: The name in the other module; ``default`` for a default import, ``*`` for a namespace.
        module: The module specifier as written.
        form: How the import names it.
        is_type_only: Whether only the type is imported.
    """

    local: str
    imported: str
    module: str
    form: ImportForm
    is_type_only: bool


class ExportBinding(NamedTuple):
    """One name that a module gives to others by an export clause, where it declares nothing itself.

    Attributes:
        exported: The name for other modules; ``default`` for a default export, ``*`` for everything but that.
        imported: The name in the other module, or in this one when *module* is None; ``*`` for the whole module.
        module: The module specifier as written; None when the name is one of this module.
    """

    exported: str
    imported: str
    module: str | None


class FileRole(Enum):
    """What a file is read for."""

    CLASSES = "classes"
    """Classes, type aliases, imports, and agent-surface declarations beside them."""

    SURFACE = "surface"
    """Agent-surface declarations alone."""

    MARKUP = "markup"
    """A component whose inline declarations are a mistake to report."""


@dataclass(frozen=True, slots=True)
class DeclaredNames(PlainRecord):
    """Names that a source may declare, told from its bytes without parsing it.

    Attributes:
        classes: Names of classes.
        aliases: Names of type aliases and enums.
        parents: Names that its classes may extend.
        exports_others: Whether it may export what it does not declare itself.
        is_opaque: Whether the bytes do not tell; then nothing is listed, and it may declare anything.
    """

    classes: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()
    exports_others: bool = False
    is_opaque: bool = False


class Reading(Enum):
    """How far a source is read."""

    SIFT = "sift"
    """Parsed if it mentions SMRT; else it contributes nothing by itself."""

    NAMES = "names"
    """Not parsed: only the names that it may declare are listed."""

    RECORDS = "records"
    """Parsed if it may declare anything that is recorded."""


@dataclass(frozen=True, slots=True)
class FileScan(PlainRecord):
    """Everything that one file contributes.

    Attributes:
        file_path: Path as it stands in artifacts.
        role: What it was read for.
        classes: Class records in source order.
        errors: ``syntax-error`` and ``unresolved-config`` diagnostics, plus what reading the file itself met.
        type_aliases: Nameable top-level aliases and string enums.
        smrt_imports: Module specifier to imported PascalCase names.
        imports: Every name that an import binds.
        exports: Every name that an export clause gives on, in source order.
        agent_surface: The intents and playbooks it declares, unmerged, and what is to be said about them.
        declared: For a source that was not parsed, the names that it may declare.
        leads: For a source that was not parsed, the modules from which it may take a class; None for a parsed one.
    """

    file_path: str
    role: FileRole = internal(default=FileRole.CLASSES)
    classes: tuple[RawClass, ...] = ()
    errors: tuple[Diagnostic, ...] = ()
    type_aliases: Mapping[str, TypeExpression] = field(default_factory=dict)
    smrt_imports: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    imports: tuple[ImportBinding, ...] = internal(default=())
    exports: tuple[ExportBinding, ...] = internal(default=())
    agent_surface: AgentSurface = field(default_factory=AgentSurface)
    declared: DeclaredNames | None = internal()
    leads: tuple[str, ...] | None = internal()

    @property
    def is_parsed(self) -> bool:
        """Whether the record holds what the source declares, and not only what its bytes show."""
        return self.declared is None and self.leads is None

    @property
    def finding_count(self) -> int:
        """How much is to be said about the source."""
        return len(self.errors) + len(self.agent_surface.diagnostics)

    def renamed_exports(self) -> Iterator[str]:
        """Yield the names under which the file exports something that may have another name where it is declared.

        Namespaces are none of these: what is in them keeps its names.
        """
        renaming = {
            binding.local
            for binding in self.imports
            if binding.imported != binding.local and binding.form is not ImportForm.NAMESPACE
        }
        for export in self.exports:
            if export.imported == "*":
                continue
            if export.exported != export.imported or (export.module is None and export.imported in renaming):
                yield export.exported


@dataclass(frozen=True, slots=True)
class SealedScan(PlainRecord):
    """The record of an idle source of classes in bytes, and what is wanted of it unopened.

    An idle source (see :func:`scanner.idle_sources.is_idle`) counts for models only where these lead to it. In most
    packages none do, and then its record is never made again in the process that puts the packages together.

    Attributes:
        file_path: Path as it stands in artifacts.
        errors: What is to be said about the source.
        leads: Modules from which its classes may take a parent, or which it exports from.
        class_count: How many classes it has.
        class_lines: The raw record of each, one a line, in source order.
        record: The whole record, as whoever sealed it writes records.
    """

    file_path: str
    errors: tuple[Diagnostic, ...]
    leads: tuple[str, ...]
    class_count: int
    class_lines: bytes
    record: bytes

    @property
    def finding_count(self) -> int:
        """How much is to be said about the source."""
        return len(self.errors)
