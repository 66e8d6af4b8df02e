"""The records of the agent surface cross process borders and have one form as JSON."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from parity_cases import source_cases

from scanner.file_scan import parse_source
from scanner.serialization import encode_line, to_json
from scanner.surface.merge import merge_agent_surfaces
from scanner.surface.records import AgentSurface

SOURCE = b"""import { defineIntent } from '@happyvertical/smrt-web/intents';
import { definePlaybook } from '@happyvertical/smrt-playbooks';
defineIntent({ id: 'a.b', description: 'x', target: { registry: 'control', action: 'focus' } });
definePlaybook({ key: 'k', title: 't', description: 'd', planes: ['server'], steps: [
  { kind: 'intent', id: 'a.b', note: 'not kept' }, { kind: 'operation', model: 'p:M', action: 'go' }] });
defineIntent({ id: 'a.b', description: 'y', target: { registry: 'control', action: 'undo' } });
"""


def merged() -> AgentSurface:
    return merge_agent_surfaces([parse_source(SOURCE, "src/a.ts").agent_surface])


def test_json_shows_what_was_declared_and_nothing_internal() -> None:
    shown = to_json(merged())
    assert isinstance(shown, dict)

    assert shown["intents"] == [
        {
            "kind": "intent",
            "id": "a.b",
            "description": "x",
            "capability": {"effect": "destructive", "idempotent": False, "openWorld": True},
            "target": {"registry": "control", "action": "focus"},
            "hasInputSchema": False,
            "planes": ["browser"],
            "filePath": "src/a.ts",
        }
    ]
    assert shown["playbooks"] == [
        {
            "kind": "playbook",
            "key": "k",
            "title": "t",
            "description": "d",
            "steps": [{"kind": "intent", "id": "a.b"}, {"kind": "operation", "model": "p:M", "action": "go"}],
            "planes": ["server"],
            "planesDeclared": True,
            "onStepFailure": "abort",
            "enabled": True,
            "filePath": "src/a.ts",
        }
    ]
    (diagnostic,) = shown["diagnostics"]
    assert list(diagnostic) == ["code", "helper", "filePath", "line", "column", "message"]
    assert (diagnostic["helper"], diagnostic["line"]) == ("defineIntent", None)


def test_json_of_a_surface_can_be_encoded() -> None:
    assert encode_line(to_json(merged())).startswith(b'{"intents":[{"kind":"intent","id":"a.b"')


@pytest.mark.parametrize("case", source_cases("agent-surface")[:40], ids=lambda case: case.name)
def test_records_survive_pickling(case: Path) -> None:
    surface = parse_source(case.read_bytes(), case.name).agent_surface

    for one in (surface, merge_agent_surfaces([surface])):
        assert pickle.loads(pickle.dumps(one)) == one
