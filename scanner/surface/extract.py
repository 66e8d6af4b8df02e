"""From the tree of one source to its agent surface.

Every call of a helper in sound syntax yields exactly one thing: an entry, or remarks that say why there is none. Nothing
is left out in silence. The result is the source's own and unmerged: duplicates are a matter for :mod:`scanner.surface.merge`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tree_sitter import Node

from scanner.extraction.classes import TopLevelStatement
from scanner.extraction.imports import ImportDeclaration
from scanner.surface.arguments import Refusal, read_argument
from scanner.surface.calls import HelperCall, helper_calls, module_scope_calls
from scanner.surface.faults import Fault
from scanner.surface.helpers import bind_helpers
from scanner.surface.intents import read_intent
from scanner.surface.playbooks import read_playbook
from scanner.surface.records import AgentSurface, Entry, Helper, Intent, Playbook, SurfaceDiagnostic
from scanner.surface.wording import remark
from scanner.syntax.grammar import Dialect
from scanner.syntax.nodes import significant_children
from scanner.syntax.source import SourceText

_READERS: Final = {Helper.INTENT: read_intent, Helper.PLAYBOOK: read_playbook}


def extract_agent_surface(
    source: SourceText,
    root: Node,
    statements: Sequence[TopLevelStatement],
    imports: Sequence[ImportDeclaration],
    dialect: Dialect,
    file_path: str,
) -> AgentSurface:
    """Read the intents and playbooks that one source declares.

    Args:
        source: The text that *root* was parsed from.
        root: The whole program's node.
        statements: The module's statements.
        imports: The module's import declarations.
        dialect: The language that the path names.
        file_path: Root-relative POSIX path, for the records.

    Returns:
        Entries and remarks in source order.
    """
    bindings = bind_helpers(imports)
    if not bindings:
        return AgentSurface()
    calls = _CallReader(source, module_scope_calls(statements), file_path)
    found = [result for call in helper_calls(root, source, bindings, dialect) for result in calls.read(call)]
    return AgentSurface(
        tuple(result for result in found if isinstance(result, Intent)),
        tuple(result for result in found if isinstance(result, Playbook)),
        tuple(result for result in found if isinstance(result, SurfaceDiagnostic)),
    )


class _CallReader:
    """Reads the helper calls of one source."""

    def __init__(self, source: SourceText, declaring: frozenset[int], file_path: str) -> None:
        self._source = source
        self._declaring = declaring
        self._file_path = file_path

    def read(self, call: HelperCall) -> Iterator[Entry | SurfaceDiagnostic]:
        """Yield the entry that *call* declares, or the remarks about why it declares none."""
        if call.node.id not in self._declaring:
            if call.is_among_broken:
                return  # its true place cannot be told; the file's syntax error speaks for it (spec D16)
            problem = f"This `{call.helper}` call is not directly at module scope, so it may run never, or many times"
            remedy = (
                "Make it the value of a variable at module scope, an element of an array there, the default export, or a"
                " statement of its own"
            )
            yield self._remark(call, "not-module-scope", problem, remedy)
            return
        yield from self._declared(call)

    def _declared(self, call: HelperCall) -> Iterator[Entry | SurfaceDiagnostic]:
        arguments = call.node.child_by_field_name("arguments")
        values = [] if arguments is None else significant_children(arguments)
        if len(values) != 1:
            problem = f"This `{call.helper}` call has {len(values)} arguments"
            yield self._remark(call, "argument-count", problem, "Pass one object literal and nothing else")
            return
        argument = read_argument(self._source, values[0])
        if argument.refusals:
            yield from (self._refused(call, refusal) for refusal in argument.refusals)
            return
        place = self._source.position(call.node.start_byte)
        result = _READERS[call.helper](argument.entries, self._file_path, place)
        yield (
            self._remark(call, result.code, result.problem, result.remedy)
            if isinstance(result, Fault)
            else result
        )

    def _refused(self, call: HelperCall, refusal: Refusal) -> SurfaceDiagnostic:
        return self._remark(
            call, "non-literal-argument", refusal.problem, refusal.remedy, start_byte=refusal.start_byte
        )

    def _remark(
        self, call: HelperCall, code: str, problem: str, remedy: str, *, start_byte: int | None = None
    ) -> SurfaceDiagnostic:
        place = self._source.position(call.node.start_byte if start_byte is None else start_byte)
        return SurfaceDiagnostic(
            code, call.helper, self._file_path, place.line, place.column, remark(problem, remedy)
        )
