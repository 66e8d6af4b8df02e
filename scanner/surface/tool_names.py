"""Intents whose tool name something else on the page may register too.

Two sources register tools into the same document without declaring anything: models, and the fixed UI tools. Whether a
collision happens turns on values that only the running application knows, so this check warns and drops nothing (spec,
"Collisions with names this pass does not own"). It takes names, never configuration: callers pass what will really
register.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from scanner.surface.identity import RESERVED_TOOL_NAME_PREFIX, diagnostic_order, tool_name
from scanner.surface.records import AgentSurface, Helper, Intent, SurfaceDiagnostic
from scanner.surface.wording import remark

_RENAME: Final = "Otherwise rename the intent"


def check_agent_surface_tool_names(
    surface: AgentSurface,
    generated_tool_names: Iterable[str],
    ui_tool_prefixes: Iterable[str] = (RESERVED_TOOL_NAME_PREFIX,),
) -> tuple[SurfaceDiagnostic, ...]:
    """Report the intents of a surface whose tool name is claimed by a generated tool or lies among the UI tools.

    Args:
        surface: A surface; only its intents matter.
        generated_tool_names: The names that model tools register under, as they will really be.
        ui_tool_prefixes: The prefixes that UI tools are configured with. The names behind a prefix are the runtime's
            own and not known here, so every name with the prefix counts. An empty prefix says nothing and is ignored.

    Returns:
        ``tool-name-collision`` remarks at the intents' places, sorted; one for each claim.
    """
    generated = frozenset(generated_tool_names)
    prefixes = sorted(filter(None, frozenset(ui_tool_prefixes)))
    found = (
        SurfaceDiagnostic(
            "tool-name-collision", Helper.INTENT, intent.file_path, intent.line, intent.column, message
        )
        for intent in surface.intents
        for message in _claims(intent, generated, prefixes)
    )
    return tuple(sorted(found, key=diagnostic_order))


def _claims(intent: Intent, generated: frozenset[str], prefixes: Iterable[str]) -> Iterator[str]:
    name = tool_name(intent.id)
    if name in generated:
        problem = (
            f'"{intent.id}" registers the tool `{name}`, and so does a model. This assumes that the application sets no'
            " WebMCP `namespace` and that its `effects` policy allows the model's action"
        )
        yield remark(problem, f"Disregard this when either keeps the two apart. {_RENAME}")
    for prefix in prefixes:
        if name.startswith(prefix):
            problem = (
                f'"{intent.id}" registers the tool `{name}`, and names that begin with `{prefix}` belong to the UI tools.'
                " This assumes that the page mounts them under that prefix"
            )
            yield remark(problem, f"Disregard this when it does not. {_RENAME}")
