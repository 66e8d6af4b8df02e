"""Installed packages: found as Node finds them, opened by name alone, of use for the manifest that they publish.

``node_modules`` is never walked. For a name, the directories from the importing file's up to the scan root are tried,
nearest first, and the first that holds the package decides. Links, of which those of pnpm's layout consist, are followed
as long as they stay below the scan root.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from scanner.diagnostics import Diagnostic, Severity, diagnose
from scanner.packages import Package
from scanner.published_classes import PublishedScan, published_models
from scanner.resolution.config_files import LEADS_OUT, ConfigFile, ConfigFiles
from scanner.resolution.package_targets import manifest_export

MODULES_DIRECTORY: Final = "node_modules"
USUAL_MANIFEST: Final = "dist/manifest.json"
"""Where a manifest is looked for that package.json does not export."""

MAX_NAME_LENGTH: Final = 214
"""Longest name that a package of the npm registry may have."""

MAX_DEPENDENCIES: Final = 1000
"""Dependencies of one package that are looked at, in order of their names."""

_DEPENDENCY_KEYS: Final = ("dependencies", "peerDependencies", "optionalDependencies")
_SHOWN_PLACES: Final = 5
_REMEDY: Final = "Install the package anew, or build it again with its manifest."
_WIDER_SCAN: Final = "Scan a directory that holds the package too, or install it below this one."


@dataclass(frozen=True, slots=True)
class InstalledPackage:
    """What looking for an installed package came to.

    Attributes:
        package: The package; None when none is installed.
        location: Its root-relative directory with all links resolved, where its own dependencies are looked for.
        models: The manifest that it publishes; None when it publishes none.
        consulted: The files that decided, those among them that are not there; directories, which end in a slash.
        diagnostics: What is wrong with these.
    """

    package: Package | None
    location: str
    models: PublishedScan | None
    consulted: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def class_names(self) -> frozenset[str]:
        """Names of the published models."""
        return frozenset(raw.class_name for raw in self.models.classes) if self.models else frozenset()


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """The ``node_modules`` directories above a directory, nearest first, and those that were looked for in vain."""

    holding: tuple[str, ...]
    absent: tuple[str, ...]


class InstalledPackages:
    """The packages installed below a scan root.

    Args:
        files: Opens files by name.
    """

    def __init__(self, files: ConfigFiles) -> None:
        self._files = files
        self._around: dict[str, _Surroundings] = {}
        self._found: dict[tuple[str, str], InstalledPackage] = {}
        self._known: dict[str, InstalledPackage] = {}
        self._by_manifest: dict[str, InstalledPackage] = {}

    def find(self, directory: str, name: str) -> InstalledPackage:
        """Return the package of a name that modules of a root-relative directory import."""
        key = directory, name
        if key not in self._found:
            self._found[key] = self._look_for(directory, name)
        return self._found[key]

    def at(self, path: str) -> InstalledPackage | None:
        """Return the package found before whose manifest has a path."""
        return self._by_manifest.get(path)

    def _look_for(self, directory: str, name: str) -> InstalledPackage:
        if len(name) > MAX_NAME_LENGTH:
            return InstalledPackage(None, "", None, ())
        around = self._surroundings(directory)
        consulted = list(around.absent)
        for modules in around.holding:
            place = posixpath.join(modules, name)
            facts = self._files.package_json(place)
            if facts.exists:
                if place not in self._known:
                    self._known[place] = self._installed(place, name, facts)
                found = self._known[place]
                consulted.extend(found.consulted)
                return InstalledPackage(
                    found.package, found.location, found.models, tuple(consulted), found.diagnostics
                )
            consulted.append(facts.path)
        return InstalledPackage(None, "", None, tuple(consulted))

    def _surroundings(self, directory: str) -> _Surroundings:
        if directory not in self._around:
            outer = self._surroundings(posixpath.dirname(directory)) if directory else _Surroundings((), ())
            modules = posixpath.join(directory, MODULES_DIRECTORY)
            if posixpath.basename(directory) == MODULES_DIRECTORY:
                self._around[directory] = outer
            elif self._files.is_directory(modules):
                self._around[directory] = _Surroundings((modules, *outer.holding), outer.absent)
            else:
                self._around[directory] = _Surroundings(outer.holding, (f"{modules}/", *outer.absent))
        return self._around[directory]

    def _installed(self, place: str, name: str, facts: ConfigFile) -> InstalledPackage:
        version = facts.content.get("version")
        package = Package(place, name, version if isinstance(version, str) else None)
        location = self._files.real_directory(place)
        if facts.fault is not None:
            remark = _fault(facts, "package.json")
            return InstalledPackage(package, location, None, (facts.path,), (remark,))
        exported = manifest_export(facts.content.get("exports"))
        path = posixpath.normpath(posixpath.join(place, exported or USUAL_MANIFEST))
        if not path.startswith(f"{place}/"):
            remark = _remark(facts.path, f"The manifest is exported from {exported}, outside of the package.")
            return InstalledPackage(package, location, None, (facts.path,), (remark,))
        manifest = self._files.manifest(path)
        models = published_models(path, manifest.content, _dependencies(facts.content))
        remarks = tuple(_remarks(facts, manifest, models, is_exported=exported is not None))
        found = InstalledPackage(package, location, models, (facts.path, path), remarks)
        if models is not None:
            self._by_manifest[path] = found
        return found


def _dependencies(content: Mapping[str, Any]) -> tuple[str, ...]:
    groups = (content.get(key) for key in _DEPENDENCY_KEYS)
    names = {name for group in groups if isinstance(group, dict) for name in group}
    return tuple(sorted(names)[:MAX_DEPENDENCIES])


def _remarks(
    facts: ConfigFile, manifest: ConfigFile, models: PublishedScan | None, *, is_exported: bool
) -> Iterator[Diagnostic]:
    """Say what is wrong with a manifest; that there is none is wrong only where package.json promises one."""
    if not manifest.exists:
        if is_exported:
            yield _remark(facts.path, f"The manifest that it exports, {manifest.path}, does not exist.")
    elif manifest.fault is not None:
        yield _fault(manifest, "manifest")
    elif models is None:
        if is_exported:
            yield _remark(manifest.path, "This file is no manifest: it has no `objects`.")
    elif models.malformed:
        places = ", ".join(f"`{place[:200]}`" for place in models.malformed[:_SHOWN_PLACES])
        further = len(models.malformed) - _SHOWN_PLACES
        more = f" and {further} more" if further > 0 else ""
        effect = "They were left out."
        yield _remark(manifest.path, f"These parts are none of a manifest: {places}{more}.", effect=effect)


def _fault(file: ConfigFile, what: str) -> Diagnostic:
    """Say that a file cannot be used; one that is not below the root is nothing that is wrong with the tree."""
    if file.fault == LEADS_OUT:
        message = f"The {what} of this installed package {LEADS_OUT}, so it was not opened."
        return _remark(file.path, message, hint=_WIDER_SCAN, severity=Severity.INFO)
    return _remark(file.path, f"This {what} of an installed package {file.fault}.")


def _remark(
    path: str,
    message: str,
    *,
    effect: str = "Nothing is known of models that it publishes.",
    hint: str = _REMEDY,
    severity: Severity | None = None,
) -> Diagnostic:
    return diagnose("invalid-manifest", path, f"{message} {effect}", hint=hint, severity=severity)
