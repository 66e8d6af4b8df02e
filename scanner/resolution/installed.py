"""Installed packages: found as Node finds them, opened by name alone, of use for the manifest that they publish.

``node_modules`` is never walked. For a name, the directories above the importing package are tried, nearest first, and
the first that holds the package decides, as links of npm and pnpm lead as long as they stay below the scan root.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from scanner.diagnostics import Diagnostic, diagnose
from scanner.packages import Package
from scanner.published_classes import PublishedModels, published_models
from scanner.resolution.config_files import ConfigFile, ConfigFiles
from scanner.resolution.package_targets import manifest_export
from scanner.resolution.tsconfig import directories_above

MODULES_DIRECTORY: Final = "node_modules"
USUAL_MANIFEST: Final = "dist/manifest.json"
"""Where a manifest is looked for that package.json does not export."""

_SHOWN_KEYS: Final = 5
_REMEDY: Final = "Install the package anew, or build it again with its manifest."


@dataclass(frozen=True, slots=True)
class InstalledPackage:
    """What looking for an installed package came to.

    Attributes:
        package: The package; None when none is installed.
        models: The models that it publishes; None when it publishes none.
        consulted: The files and directories that decided, those among them that are not there.
        diagnostics: What is wrong with these.
    """

    package: Package | None
    models: PublishedModels | None
    consulted: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def class_names(self) -> frozenset[str]:
        """Names of the published models."""
        return frozenset(raw.class_name for raw in self.models.scan.classes) if self.models else frozenset()


class InstalledPackages:
    """The packages installed below a scan root.

    Args:
        files: Opens files by name.
    """

    def __init__(self, files: ConfigFiles) -> None:
        self._files = files
        self._found: dict[tuple[str, str], InstalledPackage] = {}
        self._by_manifest: dict[str, InstalledPackage] = {}

    def find(self, directory: str, name: str) -> InstalledPackage:
        """Return the package of a name that modules of a package directory import."""
        if (directory, name) not in self._found:
            found = self._found[directory, name] = self._look_for(directory, name)
            if found.models is not None:
                self._by_manifest[found.models.scan.file_path] = found
        return self._found[directory, name]

    def at(self, path: str) -> InstalledPackage | None:
        """Return the package found before whose manifest has a path."""
        return self._by_manifest.get(path)

    def _look_for(self, directory: str, name: str) -> InstalledPackage:
        consulted: list[str] = []
        for above in directories_above(directory):
            modules = posixpath.join(above, MODULES_DIRECTORY)
            if not self._files.is_directory(modules):
                consulted.append(modules)
                continue
            place = posixpath.join(modules, name)
            facts = self._files.package_json(place)
            consulted.append(facts.path)
            if facts.exists:
                return self._installed(place, name, facts, consulted)
        return InstalledPackage(None, None, tuple(consulted))

    def _installed(self, place: str, name: str, facts: ConfigFile, consulted: list[str]) -> InstalledPackage:
        version = facts.content.get("version")
        package = Package(place, name, version if isinstance(version, str) else None)
        if facts.fault is not None:
            remark = _remark(facts.path, f"This package.json {facts.fault}.", "invalid-package-json")
            return InstalledPackage(package, None, tuple(consulted), (remark,))
        exported = manifest_export(facts.content.get("exports"))
        path = posixpath.normpath(posixpath.join(place, exported or USUAL_MANIFEST))
        if not path.startswith(f"{place}/"):
            remark = _remark(facts.path, f"The manifest is exported from {exported}, outside of the package.")
            return InstalledPackage(package, None, tuple(consulted), (remark,))
        manifest = self._files.manifest(path)
        models = published_models(path, manifest.content) if manifest.exists else None
        remarks = tuple(_remarks(facts, manifest, models, is_exported=exported is not None))
        return InstalledPackage(package, models, (*consulted, path), remarks)


def _remarks(
    facts: ConfigFile, manifest: ConfigFile, models: PublishedModels | None, *, is_exported: bool
) -> Iterator[Diagnostic]:
    """Say what is wrong with a manifest; that there is none is wrong only where package.json promises one."""
    if not manifest.exists:
        if is_exported:
            yield _remark(facts.path, f"The manifest that it exports, {manifest.path}, does not exist.")
    elif manifest.fault is not None:
        yield _remark(manifest.path, f"This manifest {manifest.fault}.")
    elif models is None:
        yield _remark(manifest.path, "This file is no manifest: it has no `objects`.")
    elif models.malformed:
        keys = ", ".join(f"`{key}`" for key in models.malformed[:_SHOWN_KEYS])
        more = (
            f" and {len(models.malformed) - _SHOWN_KEYS} more" if len(models.malformed) > _SHOWN_KEYS else ""
        )
        yield _remark(manifest.path, f"These objects of the manifest are no models: {keys}{more}.")


def _remark(path: str, message: str, code: str = "invalid-manifest") -> Diagnostic:
    return diagnose(code, path, f"{message} Models that it publishes are not known as parents.", hint=_REMEDY)
