"""Narrowing what a scan shows to some of its packages.

All packages are read and resolved as if every one of them was asked for; what is shown of those that were is the same,
byte for byte. Names of packages are matched by the globs that match paths elsewhere: ``*`` stops at a slash, so that
``@acme/*`` is every package of a scope and ``**`` every package with a name.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from scanner.diagnostics import CODES, Diagnostic, Severity
from scanner.discovery.matching import PatternSet
from scanner.discovery.patterns import GlobPattern, parse_patterns, shown
from scanner.module_paths import directories_above
from scanner.packages import Package
from scanner.surface.records import AgentSurface

ROOT_NAME: Final = "."
"""What stands for the package without a name, the scan root; no glob matches it."""

_SHOWN_NAMES: Final = 5


class SelectionError(ValueError):
    """A pattern for packages that none of them matches; the message names it, and packages that may be meant."""


@dataclass(frozen=True)
class PackageSelection:
    """The packages of a scan that are asked for.

    Attributes:
        packages: All packages of the scan.
        chosen: Those asked for.
    """

    packages: frozenset[Package]
    chosen: frozenset[Package]

    @property
    def is_whole(self) -> bool:
        """Whether every package is asked for."""
        return self.chosen == self.packages

    @cached_property
    def _is_chosen(self) -> dict[str, bool]:
        return {package.directory: package in self.chosen for package in self.packages}

    def covers(self, path: str) -> bool:
        """Tell whether a root-relative path lies in a package that is asked for."""
        above = (self._is_chosen[each] for each in directories_above(path) if each in self._is_chosen)
        return next(above, self.is_whole)

    def surface_of(self, merged: AgentSurface) -> AgentSurface:
        """Return the part of the whole root's agent surface that the packages asked for declare."""
        if self.is_whole:
            return merged
        return AgentSurface(
            tuple(intent for intent in merged.intents if self.covers(intent.file_path)),
            tuple(playbook for playbook in merged.playbooks if self.covers(playbook.file_path)),
            tuple(remark for remark in merged.diagnostics if self.covers(remark.file_path)),
        )

    def diagnostics_of(self, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Return the diagnostics about packages that are asked for.

        Input of other packages that could not be scanned is still named, as information: what packages asked for would
        have taken from it is missing.
        """
        if self.is_whole:
            return list(diagnostics)
        return [
            diagnostic if self.covers(diagnostic.file_path) else replace(diagnostic, severity=Severity.INFO)
            for diagnostic in diagnostics
            if CODES[diagnostic.code].is_unscanned or self.covers(diagnostic.file_path)
        ]


def select_packages(patterns: Collection[str], packages: Iterable[Package]) -> PackageSelection:
    """Choose packages by their names.

    Args:
        patterns: Names, or globs of names; ``!pattern`` takes packages out again. Empty: every package.
        packages: All packages of the scan.

    Raises:
        SelectionError: No package matches a pattern, or none is left.
        PatternError: A pattern cannot be read.
    """
    everything = frozenset(packages)
    if not patterns:
        return PackageSelection(everything, everything)
    wanted: set[Package] = set()
    unwanted: set[Package] = set()
    for pattern in patterns:
        found = {package for package in everything if name_of(package) == pattern}
        is_negated = not found and pattern.startswith("!")
        found = found or _matching(pattern, everything)
        if not found:
            raise SelectionError(_unmatched(pattern, everything))
        (unwanted if is_negated else wanted).update(found)
    chosen = frozenset((wanted or everything) - unwanted)
    if not chosen:
        raise SelectionError(f"The patterns {_listed(patterns)} together leave no package over.")
    return PackageSelection(everything, chosen)


def check_selection_patterns(patterns: Iterable[str]) -> None:
    """Check that patterns for packages can be read.

    Raises:
        PatternError: One cannot.
    """
    for pattern in patterns:
        _globs(pattern)


def name_of(package: Package) -> str:
    """Return the text that patterns are matched against: the package's name, ``.`` without one."""
    return package.name or ROOT_NAME


def _matching(pattern: str, packages: Iterable[Package]) -> set[Package]:
    globs = _globs(pattern)
    return {package for package in packages if globs.matches(name_of(package))}


def _globs(pattern: str) -> PatternSet:
    parsed: tuple[GlobPattern, ...] = parse_patterns([pattern], [""])
    return PatternSet((each.source, each.glob) for each in parsed)


def _unmatched(pattern: str, packages: Iterable[Package]) -> str:
    names = sorted({name_of(package) for package in packages})
    near = difflib.get_close_matches(pattern.removeprefix("!"), names, n=_SHOWN_NAMES, cutoff=0.5)
    if near:
        return f"No package with sources is called {shown(pattern)}. Near it: {', '.join(near)}."
    if not names:
        return f"No package is called {shown(pattern)}: there are no sources."
    more = f" and {len(names) - _SHOWN_NAMES} more" if len(names) > _SHOWN_NAMES else ""
    return f"No package with sources is called {shown(pattern)}. There are: {', '.join(names[:_SHOWN_NAMES])}{more}."


def _listed(patterns: Iterable[str]) -> str:
    return ", ".join(map(shown, patterns))
