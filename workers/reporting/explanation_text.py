"""Where a class comes from as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from scanner.lineage import ParentRule
from scanner.resolution.modules import RouteRule
from workers.lineages.chains import Chain, ChainEnd, Declaration, Origin
from workers.lineages.explanation import Explanation
from workers.lineages.records import ClassPlace, FoundParent, LineageClass, ModuleHop
from workers.reporting.wording import counted, is_command, one_line

_RULES: Final = {
    ParentRule.SAME_FILE: "declared in the same file",
    ParentRule.IMPORT: "where its import leads",
    ParentRule.BARE_NAME: "the one class of that name in the package; no import leads to a class",
    ParentRule.AMBIGUOUS: "preferred among several of that name in the package; no import decides",
    ParentRule.FRAMEWORK: "a base class of the framework",
    ParentRule.EXTERNAL: "imported from outside of the scanned directory",
    ParentRule.NOT_FOUND: "not found: nothing here has that name",
}
_ENDS: Final = {
    ChainEnd.CYCLE: "stands in this chain already, so the chain ends here",
    ChainEnd.TOO_LONG: "and what stands above it was not followed: the chain is too long",
}
_ROUTES: Final = {
    RouteRule.TSCONFIG: "mapped by",
    RouteRule.PACKAGE: "a package of the tree:",
    RouteRule.PACKAGE_IMPORTS: "imports of",
    RouteRule.INSTALLED: "models published in",
}


def render_explanation(explanation: Explanation) -> Iterator[str]:
    """Yield the lines that tell where a class and its members come from, without line ends."""
    yield from map(_harmless, _lines(explanation))


def _harmless(line: str) -> str:
    return f"'{line}'" if is_command(line) else line


def _lines(explanation: Explanation) -> Iterator[str]:
    known, chain = explanation.known, explanation.chain
    yield _title(explanation)
    yield f"  {_where(known.entry.place)}"
    yield ""
    yield from _chain(chain)
    is_listed = known.key is not None
    yield from _members("Fields", explanation.fields, chain, _field_note(explanation))
    yield from _members(
        "Methods", explanation.methods, chain, "" if is_listed else "those that it declares itself"
    )


def _title(explanation: Explanation) -> str:
    entry = explanation.known.entry
    package = entry.package.name
    owner = "of no package with a name" if package is None else f"of {one_line(package)}"
    kind = "in no manifest" if explanation.known.key is None else _kind(entry)
    return f"{one_line(entry.place.class_name)} {owner}, {kind}"


def _kind(entry: LineageClass) -> str:
    return "a model" if entry.is_decorated else "a class without @smrt() that derives from the framework"


def _field_note(explanation: Explanation) -> str:
    if explanation.known.key is None:
        return "those that it declares itself"
    if explanation.known.entry.is_sti:
        return "of its whole chain, which shares one table; the furthest declaration counts"
    return "its own, which its table has; those of its ancestors are no columns of it"


def _where(place: ClassPlace) -> str:
    return f"{one_line(place.file_path)}:{place.start_line}"


def _chain(chain: Chain) -> Iterator[str]:
    yield "Chain"
    yield f"  {one_line(chain.classes[0].place.class_name)}"
    for child, entry in zip(chain.classes, chain.classes[1:], strict=False):
        if child.parent is not None:
            yield from _step(child.parent, _located(child, entry))
    if chain.beyond is not None:
        yield from _step(chain.beyond, _ENDS.get(chain.end, ""))
    elif chain.end is ChainEnd.FRAMEWORK:
        yield "  which bears the name of a base class of the framework, so the chain ends here"
    else:
        yield "  which extends nothing that has a name"
    yield ""


def _located(child: LineageClass, entry: LineageClass) -> str:
    name = entry.package.name
    owner = "" if entry.package == child.package or name is None else f" of {one_line(name)}"
    return f"{_where(entry.place)}{owner}"


def _step(parent: FoundParent, told: str) -> Iterator[str]:
    name = one_line(parent.name)
    yield f"  extends {name}, {told}" if told else f"  extends {name}"
    yield f"    {_RULES[parent.rule]}"
    yield from (f"    {_hop(hop)}" for hop in parent.via)
    if parent.via_omitted:
        yield f"    and {counted(parent.via_omitted, 'step')} more"
    yield from (f"    also: {_where(rival)}" for rival in parent.rivals)
    if parent.rivals_omitted:
        yield f"    and {parent.rivals_omitted} more of that name"


def _hop(hop: ModuleHop) -> str:
    led = "to nothing in the scanned directory" if hop.target is None else f"to {one_line(hop.target)}"
    rule = "" if hop.rule is None or hop.config is None else f" ({_ROUTES[hop.rule]} {one_line(hop.config)})"
    return f"{one_line(hop.file_path)} takes {one_line(hop.name)} from '{one_line(hop.module)}': {led}{rule}"


def _members(title: str, origins: Iterable[Origin], chain: Chain, note: str) -> Iterator[str]:
    listed = list(origins)
    if not listed:
        yield f"{title}: none"
        return
    yield f"{title} ({note})" if note else title
    width = max(len(one_line(origin.name)) for origin in listed)
    yield from (f"  {one_line(origin.name):<{width}}  {_origin(origin, chain)}" for origin in listed)


def _origin(origin: Origin, chain: Chain) -> str:
    if origin.declared is None:
        return "declared by no class of the chain, so these artifacts do not fit together"
    own = origin.declared.owner is chain.classes[0]
    parts = [f"line {origin.declared.member.line}" if own else _declaration(origin.declared)]
    if origin.overrides:
        parts.append(f"overrides {', '.join(map(_declaration, origin.overrides))}")
    if origin.redeclared:
        parts.append(f"declared again by {', '.join(map(_declaration, origin.redeclared))}")
    return "; ".join(parts)


def _declaration(item: Declaration) -> str:
    place = item.owner.place
    return f"{one_line(place.class_name)}, {one_line(place.file_path)}:{item.member.line}"
