"""Following a name through imports, re-exports, renames and barrels to what declares it.

The search goes in source order and never twice over the same name of the same file, so that chains of any length and
cycles end. An export clause comes before a declaration of that name, and both before ``export *`` (which gives no
default export).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeAlias, TypeVar

from scanner.extraction.exports import DEFAULT_EXPORT, WHOLE_MODULE
from scanner.plain_records import PlainRecord
from scanner.published_classes import PublishedScan
from scanner.records import FileScan, ImportBinding, ImportForm

Found = TypeVar("Found")
Declares: TypeAlias = Callable[[FileScan, str], Found | None]
"""Gives what a file itself declares under a name (``default`` for its default export), None for nothing."""


class Modules(Protocol):
    """The files that a search may lead to."""

    def scan_at(self, path: str, name: str) -> FileScan | None:
        """Return the record of a file in which a name is looked for; None when it is not known."""

    def binding(self, path: str, name: str) -> ImportBinding | None:
        """Return the import that binds a name in a file; None when none does."""

    def target(self, importer: str, specifier: str) -> str | None:
        """Return the path of the file that a module specifier means in the file *importer*; None for none here."""


@dataclass(frozen=True, slots=True)
class OutsideName:
    """A name as the last module names it that is not among the files."""

    module: str
    name: str


@dataclass(frozen=True, slots=True)
class Hop(PlainRecord):
    """One import or re-export on the way to a name.

    Attributes:
        file_path: The file in which it stands.
        module: The module specifier as written there.
        name: What is taken from that module; dotted when a member of a namespace is meant.
    """

    file_path: str
    module: str
    name: str


@dataclass(frozen=True, slots=True)
class Followed(Generic[Found]):
    """Where a name led.

    Attributes:
        found: What declares it; None when the search found nothing.
        outside: The first place at which it left the files.
        hops: The way to what was found, else to the place at which it left the files, else the import alone.
    """

    found: Found | None
    outside: OutsideName | None = None
    hops: tuple[Hop, ...] = ()


_LOCAL, _MODULE, _EXPORT, _DECLARED = range(4)
_Step: TypeAlias = tuple[int, str, str, tuple[str, ...]]
"""A kind of search, the file, the module specifier if the kind needs one, and the name with members behind it."""

_Visit: TypeAlias = "tuple[_Step, _Visit | None]"
"""A step and the one that led to it."""

_NO_MODULE: Final = ""


def follow(modules: Modules, path: str, names: tuple[str, ...], declares: Declares[Found]) -> Followed[Found]:
    """Follow a name that is bound by an import of a file.

    Args:
        modules: The files.
        path: The file in which the name stands.
        names: The name as written there; a dotted one in its parts.
        declares: Tells what a file itself declares.
    """
    return _search(modules, list(_imported(modules, path, names)), names[-1], declares)


def follow_into(
    modules: Modules, path: str, specifiers: Iterable[str], name: str, declares: Declares[Found]
) -> Followed[Found]:
    """Follow a name into the first of several modules that has it.

    Args:
        modules: The files.
        path: The file to which these modules belong.
        specifiers: The modules, likely ones first.
        name: The name.
        declares: Tells what a file itself declares.
    """
    starts = [(_MODULE, path, specifier, (name,)) for specifier in specifiers]
    return _search(modules, starts[::-1], name, declares)


def _search(
    modules: Modules, starts: Iterable[_Step], written: str, declares: Declares[Found]
) -> Followed[Found]:
    """Search from some steps on, the last one first.

    Args:
        modules: The files.
        starts: The steps.
        written: The name that is sought as its user writes it.
        declares: Tells what a file itself declares.
    """
    outside: OutsideName | None = None
    seen: set[_Step] = set()
    pending: list[_Visit] = [(step, None) for step in starts]
    nowhere = _hops_to(pending[0]) if pending else ()
    while pending:
        visit = pending.pop()
        step, _ = visit
        if step in seen:
            continue
        seen.add(step)
        kind, here, specifier, wanted = step
        if kind == _EXPORT:
            scan = modules.scan_at(here, wanted[0])
            after = [] if scan is None else list(_exported(scan, wanted))
            pending.extend((further, visit) for further in reversed(after))
            continue
        if kind == _MODULE:
            inside, found = _entered(modules, visit, written, declares)
            if inside is not None:
                pending.append((inside, visit))
            elif outside is None and len(wanted) == 1:
                outside, nowhere = OutsideName(specifier, wanted[0]), _hops_to(visit)
        else:
            scan = modules.scan_at(here, wanted[0])
            found = declares(scan, wanted[0]) if scan is not None and len(wanted) == 1 else None
        if found is not None:
            return Followed(found, None, _hops_to(visit))
        if kind == _LOCAL:
            pending.extend((further, visit) for further in _imported(modules, here, wanted))
    return Followed(None, outside, nowhere)


def _entered(
    modules: Modules, visit: _Visit, written: str, declares: Declares[Found]
) -> tuple[_Step | None, Found | None]:
    """Return the step into the module that a step leads to, or what a manifest has in its place; None for neither."""
    _, here, specifier, wanted = visit[0]
    target = modules.target(here, specifier)
    scan = None if target is None else modules.scan_at(target, wanted[0])
    if isinstance(scan, PublishedScan):
        return None, declares(scan, _published_name(visit, written))
    return None if target is None else (_EXPORT, target, _NO_MODULE, wanted), None


def _published_name(visit: _Visit | None, written: str) -> str:
    """Return the name that a class has in a manifest, which knows neither namespaces nor default exports.

    What is exported by default has there the name by which it is imported, if that is its own.
    """
    while visit is not None:
        (*_, wanted), visit = visit
        if wanted[-1] != DEFAULT_EXPORT:
            return wanted[-1]
    return written


def _hops_to(visit: _Visit | None) -> tuple[Hop, ...]:
    """Return the imports and re-exports that led to a step, the first one first."""
    hops: list[Hop] = []
    while visit is not None:
        (kind, path, specifier, wanted), visit = visit
        if kind == _MODULE:
            hops.append(Hop(path, specifier, ".".join(wanted)))
    return tuple(reversed(hops))


def _imported(modules: Modules, path: str, names: tuple[str, ...]) -> Iterator[_Step]:
    """Yield where an import of the file takes a name from."""
    binding = modules.binding(path, names[0])
    if binding is None:
        return
    is_namespace = binding.form is ImportForm.NAMESPACE
    wanted = names[1:] if is_namespace else (binding.imported, *names[1:])
    if wanted:
        yield _MODULE, path, binding.module, wanted


def _exported(scan: FileScan, names: tuple[str, ...]) -> Iterator[_Step]:
    """Yield the places at which a name that a file exports may be declared, the likeliest first."""
    path, name = scan.file_path, names[0]
    for export in scan.exports:
        if export.exported != name or name == WHOLE_MODULE:
            continue
        wanted = names[1:] if export.imported == WHOLE_MODULE else (export.imported, *names[1:])
        if export.module is None:
            yield _LOCAL, path, _NO_MODULE, wanted
        elif wanted:
            yield _MODULE, path, export.module, wanted
    yield _DECLARED, path, _NO_MODULE, names
    if name != DEFAULT_EXPORT:
        for export in scan.exports:
            if export.exported == WHOLE_MODULE and export.module is not None:
                yield _MODULE, path, export.module, names
