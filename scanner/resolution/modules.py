"""Which file of the scan a module specifier means: relative, mapped by a tsconfig, or one of a package of the tree."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from scanner.diagnostics import Diagnostic
from scanner.module_paths import directories_above, find_module_file, is_relative, relative_base
from scanner.packages import PACKAGE_FILE, Package
from scanner.resolution.config_files import ConfigFiles
from scanner.resolution.installed import InstalledPackage, InstalledPackages
from scanner.resolution.package_targets import (
    PACKAGE_ITSELF,
    mapped_targets,
    module_targets,
    source_candidates,
    split_specifier,
)
from scanner.resolution.tsconfig import (
    TSCONFIG_FILE,
    PathMapping,
    is_inside,
    read_path_mapping,
)
from scanner.sieve.module_exports import ANY_MODULE

_OWN_IMPORTS: Final = "#"
_INDEX: Final = "index"


class RouteRule(Enum):
    """What says where a module specifier leads."""

    RELATIVE = "relative"
    """The path itself."""

    TSCONFIG = "tsconfig"
    """`paths` or `baseUrl` of a tsconfig file."""

    PACKAGE = "package"
    """The name of a package of the tree."""

    PACKAGE_IMPORTS = "package-imports"
    """`imports` of the package's own package.json."""

    INSTALLED = "installed"
    """The name of an installed package that publishes a manifest."""


@dataclass(frozen=True, slots=True)
class ModuleRoute:
    """Where a module specifier leads.

    Attributes:
        target: The file that is meant; None when it is none of the scan.
        packages: Directories of the packages that it may lead to, whether or not a file was found there.
        consulted: Configuration files that decided, those among them that were looked for and are not there.
        diagnostics: What is wrong with these.
        rule: What said where the target is; None without one.
        config: The configuration file that said so, if one did.
        published: Names of the models that the manifest of an installed package offers, if that is the target.
        has_unknown_models: Whether an installed package may be meant whose models are not all known.
    """

    target: str | None
    packages: frozenset[str]
    consulted: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    rule: RouteRule | None = None
    config: str | None = None
    published: frozenset[str] = frozenset()
    has_unknown_models: bool = False

    @property
    def is_in_tree(self) -> bool:
        """Whether the target is a file of the scan, not the manifest of an installed package."""
        return self.target is not None and self.rule is not RouteRule.INSTALLED


@dataclass(frozen=True, slots=True)
class _Behind:
    """What an installed package depends on: packages of the tree by their directories, and files that were consulted."""

    packages: frozenset[str]
    consulted: tuple[str, ...]


def _looked_at(home: InstalledPackage) -> tuple[str, ...]:
    """Return the dependencies in which parents of published models are looked for: none if all are at hand."""
    return home.models.dependencies if home.models is not None and any(home.models.foreign_parents()) else ()


class ProjectModules:
    """Module specifiers among all files of a scan.

    Args:
        files: Opens configuration files.
        paths: The files of the scan that are read for classes.
        packages: Its packages; of two with one name, the one with the smaller directory is meant by the name.
    """

    def __init__(self, files: ConfigFiles, paths: Collection[str], packages: Iterable[Package]) -> None:
        self._files = files
        self._installed = InstalledPackages(files)
        self._paths = paths
        self._directories: dict[str, Package] = {package.directory: package for package in packages}
        self._by_name: dict[str, Package] = {}
        for directory in sorted(self._directories):
            package = self._directories[directory]
            if package.name is not None:
                self._by_name.setdefault(package.name, package)
        self._routes: dict[tuple[str, str], ModuleRoute] = {}
        self._sources: dict[tuple[str, str], str | None] = {}
        self._mappings: dict[str, PathMapping] = {}
        self._behind_of: dict[str, _Behind] = {}
        self._applying: dict[str, tuple[PathMapping | None, tuple[str, ...]]] = {}

    def route(self, importer: str, specifier: str) -> ModuleRoute:
        """Return where a specifier leads from a file."""
        directory = posixpath.dirname(importer)
        key = directory, specifier
        if key not in self._routes:
            self._routes[key] = self._find(importer, directory, specifier)
        return self._routes[key]

    def _find(self, importer: str, directory: str, specifier: str) -> ModuleRoute:
        if specifier == ANY_MODULE:
            return ModuleRoute(None, frozenset(self._directories), has_unknown_models=True)
        if is_relative(specifier):
            base = relative_base(importer, specifier)
            if not is_inside(base):
                return ModuleRoute(None, frozenset())
            base = "" if base == "." else base
            return relative_route(find_module_file(base, self._paths), self._package_of(base))
        if (home := self._installed.at(importer)) is not None:
            return self._from_installed(home, specifier)
        mapping, consulted = self._mapping_for(directory)
        bases = [] if mapping is None else list(_mapped_bases(mapping, specifier))
        remarks = () if mapping is None else tuple(mapping.diagnostics)
        package, subpath = self._named(directory, specifier)
        led = frozenset().union(*map(self._package_of, bases)) if bases else frozenset[str]()
        if package is not None:
            led |= {package.directory}
            consulted = (*consulted, posixpath.join(package.directory, PACKAGE_FILE))
        target = next((path for path in map(self._file_at, bases) if path is not None), None)
        if target is not None and mapping is not None:
            return ModuleRoute(target, led, consulted, remarks, RouteRule.TSCONFIG, mapping.path)
        target = None if package is None else self._file_of(package, subpath)
        if target is None or package is None:
            elsewhere = ModuleRoute(None, led, consulted, remarks)
            return elsewhere if package is not None else self._in_installed(directory, specifier, elsewhere)
        rule = RouteRule.PACKAGE_IMPORTS if subpath.startswith(_OWN_IMPORTS) else RouteRule.PACKAGE
        config = posixpath.join(package.directory, PACKAGE_FILE)
        return ModuleRoute(target, led, consulted, remarks, rule, config)

    def _in_installed(self, directory: str, specifier: str, elsewhere: ModuleRoute) -> ModuleRoute:
        """Let a specifier that leads to nothing in the tree lead to the models that an installed package publishes."""
        split = split_specifier(specifier)
        if split is None:
            return elsewhere
        found = self._installed.find(directory, split[0])
        known = replace(
            elsewhere,
            consulted=(*elsewhere.consulted, *found.consulted),
            diagnostics=(*elsewhere.diagnostics, *found.diagnostics),
            has_unknown_models=bool(found.diagnostics),
        )
        if found.models is None:
            return known
        behind = self._behind(found)
        target = found.models.file_path
        return replace(
            known,
            target=target,
            packages=known.packages | behind.packages,
            consulted=(*known.consulted, *behind.consulted),
            rule=RouteRule.INSTALLED,
            config=target,
            published=found.class_names,
        )

    def _from_installed(self, home: InstalledPackage, dependency: str) -> ModuleRoute:
        """Return where the name of a dependency leads from an installed package."""
        package = self._by_name.get(dependency)
        if package is None:
            return self._in_installed(home.location, dependency, ModuleRoute(None, frozenset()))
        config = posixpath.join(package.directory, PACKAGE_FILE)
        target = self._file_of(package, PACKAGE_ITSELF)
        rule = None if target is None else RouteRule.PACKAGE
        return ModuleRoute(target, frozenset({package.directory}), (config,), (), rule, config)

    def _behind(self, start: InstalledPackage) -> _Behind:
        """Return what decides which parents the models of an installed package have in other packages."""
        place = "" if start.package is None else start.package.directory
        if place not in self._behind_of:
            packages: set[str] = set()
            consulted: dict[str, None] = {}
            seen = {place}
            pending = [start]
            while pending:
                home = pending.pop()
                for name in _looked_at(home):
                    if name in self._by_name:
                        packages.add(self._by_name[name].directory)
                        consulted[posixpath.join(self._by_name[name].directory, PACKAGE_FILE)] = None
                        continue
                    found = self._installed.find(home.location, name)
                    consulted.update(dict.fromkeys(found.consulted))
                    if found.package is not None and found.package.directory not in seen:
                        seen.add(found.package.directory)
                        pending.append(found)
            self._behind_of[place] = _Behind(frozenset(packages), tuple(consulted))
        return self._behind_of[place]

    def installed_at(self, path: str) -> InstalledPackage | None:
        """Return the installed package whose manifest a route led to."""
        return self._installed.at(path)

    def _file_at(self, base: str) -> str | None:
        """Return the file at a mapped path, which may also be the directory of a package."""
        found = find_module_file(base, self._paths)
        package = self._directories.get(base)
        return self._file_of(package, PACKAGE_ITSELF) if found is None and package is not None else found

    def _named(self, directory: str, specifier: str) -> tuple[Package | None, str]:
        """Return the package of the tree that a bare specifier names, and the subpath in it."""
        if specifier.startswith(_OWN_IMPORTS):
            (own,) = self._package_of(directory)
            return self._directories.get(own), specifier
        split = split_specifier(specifier)
        return (None, "") if split is None else (self._by_name.get(split[0]), split[1])

    def _file_of(self, package: Package, subpath: str) -> str | None:
        """Return the source of a package's module: where its package.json says, else where sources usually lie."""
        key = package.directory, subpath
        if key not in self._sources:
            self._sources[key] = self._find_file_of(package, subpath)
        return self._sources[key]

    def _find_file_of(self, package: Package, subpath: str) -> str | None:
        content = self._files.package_json(package.directory).content
        if subpath.startswith(_OWN_IMPORTS):
            targets = list(mapped_targets(content.get("imports"), subpath))
        else:
            targets = [*module_targets(content, subpath), _INDEX if subpath == PACKAGE_ITSELF else subpath]
        for target in targets:
            for candidate in source_candidates(target):
                base = posixpath.normpath(posixpath.join(package.directory, candidate))
                path = find_module_file(base, self._paths)
                if path is not None:
                    return path
        return None

    def _package_of(self, path: str) -> frozenset[str]:
        """Return the directory of the package that a path lies in."""
        return frozenset(
            next(([above] for above in directories_above(path) if above in self._directories), [""])
        )

    def _mapping_for(self, directory: str) -> tuple[PathMapping | None, tuple[str, ...]]:
        """Return what the nearest tsconfig says, and every file that was looked at for it."""
        if directory not in self._applying:
            looked: list[str] = []
            found: PathMapping | None = None
            for above in directories_above(directory):
                path = posixpath.join(above, TSCONFIG_FILE)
                looked.append(path)
                if self._files.tsconfig(path).exists:
                    if path not in self._mappings:
                        self._mappings[path] = read_path_mapping(self._files, above)
                    found = self._mappings[path]
                    looked.extend(found.consulted)
                    break
            self._applying[directory] = found, tuple(dict.fromkeys(looked))
        return self._applying[directory]


def relative_route(target: str | None, packages: frozenset[str] = frozenset()) -> ModuleRoute:
    """Return where a relative specifier leads, given the file at its path."""
    return ModuleRoute(target, packages, rule=None if target is None else RouteRule.RELATIVE)


def _mapped_bases(mapping: PathMapping, specifier: str) -> Iterator[str]:
    yield from filter(is_inside, mapping.targets(specifier))
    if mapping.base_directory is not None:
        base = posixpath.normpath(posixpath.join(mapping.base_directory, specifier))
        if is_inside(base):
            yield base
