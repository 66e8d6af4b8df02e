"""Sources with helper calls, and what reading them gives: for tests of the agent surface."""

from __future__ import annotations

from scanner.file_scan import parse_surface_source
from scanner.surface.records import AgentSurface, Intent, Playbook

INTENTS = "@happyvertical/smrt-web/intents"
PLAYBOOKS = "@happyvertical/smrt-playbooks"
IMPORTS = f"import {{ defineIntent }} from '{INTENTS}'; import {{ definePlaybook }} from '{PLAYBOOKS}';"
CONTROL = "{ registry: 'control', action: 'focus' }"
STEP = "{ kind: 'intent', id: 'a.b' }"


def surface_of(body: str, path: str = "a.ts", imports: str = IMPORTS) -> AgentSurface:
    """Return the surface of a module whose first line holds the imports."""
    return parse_surface_source(f"{imports}\n{body}\n".encode(), path).agent_surface


def codes_of(body: str, path: str = "a.ts", imports: str = IMPORTS) -> list[str]:
    return [diagnostic.code for diagnostic in surface_of(body, path, imports).diagnostics]


def intent(**entries: str) -> str:
    """Return a call that declares an intent, with entries replaced or added; an empty text leaves one out."""
    stated = {"id": "'a.b'", "description": "'x'", "target": CONTROL, **entries}
    return f"defineIntent({{ {', '.join(f'{key}: {value}' for key, value in stated.items() if value)} }});"


def playbook(**entries: str) -> str:
    stated = {"key": "'k'", "title": "'t'", "description": "'d'", "steps": f"[{STEP}]", **entries}
    return f"definePlaybook({{ {', '.join(f'{key}: {value}' for key, value in stated.items() if value)} }});"


def only_intent(body: str) -> Intent:
    surface = surface_of(body)
    assert surface.diagnostics == ()
    (found,) = surface.intents
    return found


def only_playbook(body: str) -> Playbook:
    surface = surface_of(body)
    assert surface.diagnostics == ()
    (found,) = surface.playbooks
    return found
