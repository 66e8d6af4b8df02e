"""The rules of intents and playbooks: what they say, and what their helpers would refuse."""

from __future__ import annotations

import pytest
from surface_samples import STEP, codes_of, intent, only_intent, only_playbook, playbook, surface_of

from scanner.surface.records import Capability, Effect

# --- intents ---------------------------------------------------------------------------------------------------------


def test_an_intent_says_what_the_source_states() -> None:
    found = only_intent(
        intent(
            capability="{ effect: 'read', idempotent: true }",
            target="{ kind: 'table', registry: 'dataSurface', surfaceId: undefined, controlId: 'lines' }",
        )
    )

    assert found.capability == Capability(Effect.READ, idempotent=True, open_world=True)
    assert found.target == {"registry": "dataSurface", "controlId": "lines", "kind": "table"}
    assert list(found.target) == ["registry", "controlId", "kind"]
    assert (found.planes, found.has_input_schema) == (("browser",), False)


def test_an_intent_without_capability_is_assumed_to_be_the_worst() -> None:
    worst = Capability(Effect.DESTRUCTIVE, idempotent=False, open_world=True)

    assert only_intent(intent()).capability == worst
    assert only_intent(intent(capability="{}")).capability == worst


@pytest.mark.parametrize("identifier", ["a.b", "a1.2b", "a.b_c_", f"a.{'b' * 126}", "smrt.ui", "smrt.uix.a"])
def test_ids_that_keep_the_rules(identifier: str) -> None:
    assert only_intent(intent(id=f"'{identifier}'")).id == identifier


@pytest.mark.parametrize(
    "identifier",
    [
        "a",
        "A.b",
        "a.B",
        "1a.b",
        "a_b.c",
        "a._b",
        "a.b-c",
        "a.",
        ".a",
        "a..b",
        "a.b\\n",
        f"a.{'b' * 127}",
        "smrt.ui.x",
        "smrt.ui_",
        "smrt.ui_x.y",
    ],
)
def test_ids_that_break_the_rules(identifier: str) -> None:
    assert codes_of(intent(id=f"'{identifier}'")) == ["invalid-identity"]


@pytest.mark.parametrize(
    "entries",
    [
        {"extra": "1"},
        {"extra": "undefined"},
        {"capability": "null"},
        {"capability": "'read'"},
        {"capability": "[]"},
        {"capability": "{ effect: 'reads' }"},
        {"capability": "{ effect: ['read'] }"},
        {"capability": "{ idempotent: 'yes' }"},
        {"capability": "{ openWorld: 0 }"},
        {"capability": "{ extra: 1 }"},
        {"target": "{}"},
        {"target": "{ registry: 'rest' }"},
        {"target": "{ registry: ['control'], action: 'focus' }"},
        {"target": "{ registry: 'control' }"},
        {"target": "{ registry: 'control', action: 'submit' }"},
        {"target": "{ registry: 'control', action: 'focus', formId: '' }"},
        {"target": "{ registry: 'control', action: 'focus', controlId: null }"},
        {"target": "{ registry: 'control', action: 'focus', kind: 'table' }"},
        {"target": "{ registry: 'dataSurface' }"},
        {"target": "{ registry: 'dataSurface', controlId: '' }"},
        {"target": "{ registry: 'dataSurface', controlId: 'a', kind: 'Table' }"},
        {"target": "{ registry: 'dataSurface', controlId: 'a', kind: ['table'] }"},
        {"target": "{ registry: 'dataSurface', controlId: 'a', surfaceId: 1 }"},
        {"target": "{ registry: 'dataSurface', controlId: 'a', action: 'focus' }"},
    ],
    ids=str,
)
def test_intents_that_the_helper_would_refuse(entries: dict[str, str]) -> None:
    assert codes_of(intent(**entries)) == ["invalid-identity"]


@pytest.mark.parametrize("key", ["id", "description", "target"])
@pytest.mark.parametrize("value", ["", "''", "null", "undefined", "7", "[]"])
def test_intents_that_lack_something(key: str, value: str) -> None:
    (diagnostic,) = surface_of(intent(**{key: value, "extra": "1"})).diagnostics

    assert diagnostic.code == "incomplete-declaration"
    assert f"`{key}`" in diagnostic.message


# --- playbooks -------------------------------------------------------------------------------------------------------


def test_a_playbook_says_what_the_source_states() -> None:
    found = only_playbook(
        playbook(
            key="'Any key!'",
            steps="[{ kind: 'operation', model: '@a/b:C', action: 'go' }]",
            planes="['server', 'browser']",
            onStepFailure="'continue'",
            enabled="false",
        )
    )

    assert (found.key, found.planes, found.planes_declared) == ("Any key!", ("browser", "server"), True)
    assert (found.on_step_failure, found.enabled) == ("continue", False)
    assert [(step.kind, step.model, step.action) for step in found.steps if step.kind == "operation"] == [
        ("operation", "@a/b:C", "go")
    ]


@pytest.mark.parametrize("absent", ["", "null", "undefined"])
def test_a_playbook_without_options_gets_the_defaults(absent: str) -> None:
    found = only_playbook(playbook(planes=absent, onStepFailure=absent, enabled=absent))

    assert (found.planes, found.planes_declared) == (("browser",), False)
    assert (found.on_step_failure, found.enabled) == ("abort", True)


def test_operations_alone_run_anywhere() -> None:
    found = only_playbook(playbook(steps="[{ kind: 'operation', model: 'b:C', action: 'go' }]"))

    assert found.planes == ("browser", "server")


@pytest.mark.parametrize(
    "entries",
    [
        {"steps": "[]"},
        {"planes": "[]"},
        {"planes": "'browser'"},
        {"planes": "['worker']"},
        {"planes": "[['server']]"},
        {"planes": "[undefined]"},
        {"onStepFailure": "'retry'"},
        {"onStepFailure": "['abort']"},
        {"enabled": "'yes'"},
        {"enabled": "0"},
        {"extra": "1"},
        *(
            {"steps": f"[{{ kind: 'operation', model: '{model}', action: 'x' }}]"}
            for model in ("C", ":C", "a:", "a:b:c")
        ),
    ],
    ids=str,
)
def test_playbooks_that_the_helper_would_refuse(entries: dict[str, str]) -> None:
    assert codes_of(playbook(**entries)) == ["invalid-identity"]


@pytest.mark.parametrize(
    "entries",
    [
        {"key": "''"},
        {"title": "1"},
        {"description": ""},
        {"steps": "{}"},
        {"steps": f"[{STEP}, null]"},
        {"steps": "[{ kind: 'wait', id: 'a.b' }]"},
        {"steps": "[{ kind: ['intent'], id: 'a.b' }]"},
        {"steps": "[{ kind: 'intent' }]"},
        {"steps": "[{ kind: 'operation', model: 'a:b', action: '' }]"},
    ],
    ids=str,
)
def test_playbooks_that_lack_something(entries: dict[str, str]) -> None:
    assert codes_of(playbook(**entries, enabled="'yes'")) == ["incomplete-declaration"]
