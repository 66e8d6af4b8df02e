"""What a lineage says, as records; its schema is `lineage`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scanner.lineage import ParentRule
from scanner.plain_records import PlainRecord
from scanner.resolution.modules import RouteRule


@dataclass(frozen=True, slots=True)
class ClassPlace(PlainRecord):
    """Where a class stands: its name, its file, and the line at which it begins."""

    class_name: str
    file_path: str
    start_line: int


@dataclass(frozen=True, slots=True)
class NamedPackage(PlainRecord):
    """A package: its name, None for files that belong to none with a name, and its directory, `.` for the root."""

    name: str | None
    directory: str


@dataclass(frozen=True, slots=True)
class Member:
    """A field or method that a class declares."""

    name: str
    line: int
    is_static: bool = False


@dataclass(frozen=True, slots=True)
class ModuleHop:
    """One import or re-export that was followed.

    Attributes:
        file_path: The file in which it stands.
        module: The module specifier as written there.
        name: What is taken from that module.
        rule: What says where the module is; None when it is no file of the scan.
        config: The configuration file that says so.
        target: The file that is meant; None when it is none of the scan.
    """

    file_path: str
    module: str
    name: str
    rule: RouteRule | None = None
    config: str | None = None
    target: str | None = None


@dataclass(frozen=True, slots=True)
class FoundParent:
    """What a class extends.

    Attributes:
        name: The parent's name.
        rule: What says which class it is.
        place: Where that stands; None when it is no class of the scan.
        via: The imports and re-exports that were followed, and how many more there are.
        rivals: The other classes of that name when only the name decided, and how many more there are.
    """

    name: str
    rule: ParentRule
    place: ClassPlace | None = None
    via: tuple[ModuleHop, ...] = ()
    via_omitted: int = 0
    rivals: tuple[ClassPlace, ...] = ()
    rivals_omitted: int = 0


@dataclass(frozen=True, slots=True)
class LineageClass:
    """A class of a manifest, or an ancestor of one.

    Attributes:
        place: Where it stands.
        package: Its package.
        is_listed: Whether it is in the manifest of the package that the lineage is about.
        is_sti: Whether its manifest entry has the fields of its whole chain.
        is_decorated: Whether it has `@smrt()`.
        extends: The name after `extends`.
        parent: What that means.
        fields: The fields that it declares itself.
        methods: The methods that it declares itself.
    """

    place: ClassPlace
    package: NamedPackage
    is_listed: bool
    is_sti: bool
    is_decorated: bool
    extends: str | None
    parent: FoundParent | None
    fields: tuple[Member, ...] = ()
    methods: tuple[Member, ...] = ()


@dataclass(frozen=True, slots=True)
class PackageLineage:
    """Where the models of a package come from.

    Attributes:
        package: The package.
        classes: Its models and all their ancestors by place.
    """

    package: NamedPackage
    classes: Mapping[ClassPlace, LineageClass] = field(default_factory=dict)
