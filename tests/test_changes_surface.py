"""What a change in an intent or playbook means: each pair of sources with all that is told of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from change_trees import SHOP, between, told

IMPORTS = """
import { defineIntent } from '@happyvertical/smrt-web/intents';
import { definePlaybook } from '@happyvertical/smrt-playbooks';
"""


def intent(
    details: str = "", target: str = "{ registry: 'control', action: 'focus' }", name: str = "a.b"
) -> str:
    return f"defineIntent({{ id: '{name}', description: 'd', target: {target}, {details} }});\n"


def capability(effect: str, *, idempotent: bool, open_world: bool) -> str:
    flags = f"idempotent: {str(idempotent).lower()}, openWorld: {str(open_world).lower()}"
    return f"capability: {{ effect: '{effect}', {flags} }}"


def playbook(*steps: str, details: str = "") -> str:
    listed = ", ".join(f"{{ kind: 'intent', id: '{step}' }}" for step in steps or ("a",))
    return f"definePlaybook({{ key: 'k', title: 't', description: 'd', steps: [{listed}], {details} }});\n"


def steps(*ids: str) -> str:
    return "[" + ",".join(f'{{"kind":"intent","id":"{name}"}}' for name in ids) + "]"


TARGET = '{"registry":"control","action":"focus"}'
ENTRY = (
    '{"kind":"intent","id":"a.b","description":"d","capability":{"effect":"destructive","idempotent":false,'
    f'"openWorld":true}},"target":{TARGET},"hasInputSchema":false,"planes":["browser"],"filePath":"src/a.ts"}}'
)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(
            intent(), "", [f"breaking closed intent removed -/a.b {ENTRY} -> ~"], id="intent removed"
        ),
        pytest.param("", intent(), [f"compatible opened intent added -/a.b ~ -> {ENTRY}"], id="intent added"),
        pytest.param(
            intent(),
            intent().replace("'d'", "'other words'"),
            ['cosmetic intent changed -/a.b/description "d" -> "other words"'],
            id="words",
        ),
        pytest.param(
            intent(capability("read", idempotent=True, open_world=False)),
            intent(capability("write", idempotent=False, open_world=True)),
            [
                'breaking opened intent changed -/a.b/capability.effect "read" -> "write"',
                "breaking intent changed -/a.b/capability.idempotent true -> false",
                "breaking opened intent changed -/a.b/capability.openWorld false -> true",
            ],
            id="it does more",
        ),
        pytest.param(
            intent(),
            intent(capability("read", idempotent=True, open_world=False)),
            [
                'compatible closed intent changed -/a.b/capability.effect "destructive" -> "read"',
                "compatible intent changed -/a.b/capability.idempotent false -> true",
                "compatible closed intent changed -/a.b/capability.openWorld true -> false",
            ],
            id="it does less",
        ),
        pytest.param(
            intent(),
            intent(target="{ registry: 'control', action: 'clear' }"),
            [f'breaking intent changed -/a.b/target {TARGET} -> {{"registry":"control","action":"clear"}}'],
            id="another target",
        ),
        pytest.param(
            intent(),
            intent("inputSchema: {}"),
            ["breaking intent changed -/a.b/hasInputSchema false -> true"],
            id="an input schema",
        ),
        pytest.param(
            playbook("a", "b"),
            playbook("c", "a", "b"),
            [f"compatible playbook changed -/k/steps {steps('a', 'b')} -> {steps('c', 'a', 'b')}"],
            id="a step more",
        ),
        pytest.param(
            playbook("a", "b"),
            playbook("b", "a"),
            [f"breaking playbook changed -/k/steps {steps('a', 'b')} -> {steps('b', 'a')}"],
            id="steps in another order",
        ),
        pytest.param(
            playbook("a", details="planes: ['browser']"),
            playbook("a", details="planes: ['server']"),
            [
                'breaking closed playbook changed -/k/planes ["browser"] -> ["server"]',
                'breaking opened playbook changed -/k/planes ["browser"] -> ["server"]',
            ],
            id="other planes",
        ),
        pytest.param(
            playbook("a"),
            playbook("a", details="planes: ['browser']"),
            ["cosmetic playbook changed -/k/planesDeclared false -> true"],
            id="planes said at last",
        ),
        pytest.param(
            playbook("a"),
            playbook("a", details="enabled: false, onStepFailure: 'continue'"),
            [
                "breaking closed playbook changed -/k/enabled true -> false",
                'breaking playbook changed -/k/onStepFailure "abort" -> "continue"',
            ],
            id="no longer enabled",
        ),
    ],
)
def test_the_agent_surface(tmp_path: Path, old: str, new: str, expected: list[str]) -> None:
    trees = [{**SHOP, "src/a.ts": IMPORTS + text} for text in (old, new)]

    assert told(between(tmp_path, *trees)) == expected


def test_a_declaration_in_another_file_is_no_change(tmp_path: Path) -> None:
    old = {**SHOP, "src/a.ts": IMPORTS + intent() + playbook()}
    new = {**SHOP, "src/b.ts": IMPORTS + playbook(), "c.ts": IMPORTS + intent()}

    assert told(between(tmp_path, old, new)) == []
