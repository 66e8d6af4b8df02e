"""Arguments of the three verbs, and the part of a surface that a request sees."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toolset_samples import ask

from workers.toolset.scope import intersect_scopes
from workers.toolset.tools import meta_tools
from workers.toolset.verbs import ACT, DISCOVER, READ, VERBS, Verb, envelope_issues


def paths(verb: Verb, value: object) -> list[str]:
    return [issue.path for issue in envelope_issues(verb, value)]


@pytest.mark.parametrize(
    ("verb", "value", "expected"),
    [
        (ACT, {}, ["capabilityId"]),
        (
            ACT,
            {"mode": "x", "capabilityId": 7, "surfaceVersion": 3},
            ["mode", "capabilityId", "surfaceVersion"],
        ),
        (ACT, [], [""]),
        (ACT, "text", [""]),
        (ACT, 7, [""]),
        (READ, {"capabilityId": "view:a.b", "input": {}}, ["input"]),
        (READ, None, ["capabilityId"]),
        (DISCOVER, None, []),
        (DISCOVER, {}, []),
        (DISCOVER, {"scope": None}, ["scope"]),
        (DISCOVER, {"scope": "devices"}, ["scope"]),
        (DISCOVER, {"scope": ["a", 1]}, ["scope"]),
        (DISCOVER, {"scope": ["", "a"]}, []),
        (DISCOVER, {"capabilityId": None}, ["capabilityId"]),
        (READ, {"capabilityId": None}, ["capabilityId"]),
        (READ, {"capabilityId": ""}, ["capabilityId"]),
        (READ, {"capabilityId": "nope", "instanceId": ""}, ["instanceId"]),
        (READ, {"capabilityId": "nope"}, []),
        (ACT, {"z": 1, "instanceId": 1}, ["capabilityId", "z", "instanceId"]),
        (
            ACT,
            {"z": 1, "10": 1, "2": 1, "01": 1, "4294967295": 1},
            ["capabilityId", "2", "10", "z", "01", "4294967295"],
        ),
        (ACT, {"capabilityId": "domain:x", "input": 7}, []),
        (ACT, {"capabilityId": "domain:x", "input": None}, []),
    ],
)
def test_what_is_wrong_with_arguments(verb: Verb, value: object, expected: list[str]) -> None:
    assert paths(verb, value) == expected


@pytest.mark.parametrize(
    ("verb", "value", "message"),
    [
        (ACT, [], "`surface_act` takes a JSON object of arguments."),
        (READ, {}, "`capabilityId` is required."),
        (READ, {"capabilityId": 1}, "`capabilityId` must be a non-empty string."),
        (DISCOVER, {"scope": {}}, "`scope` must be an array."),
        (DISCOVER, {"scope": [[]]}, "`scope` must be an array of strings."),
    ],
)
def test_messages_of_issues(verb: Verb, value: object, message: str) -> None:
    assert [issue.message for issue in envelope_issues(verb, value)] == [message]


def test_an_unknown_property_names_those_that_there_are() -> None:
    (of_read,) = envelope_issues(READ, {"capabilityId": "view:a.b", "text": "x"})
    (of_act,) = envelope_issues(ACT, {"capabilityId": "view:a.b", "text": "x"})

    assert "accepts only capabilityId, instanceId." in of_read.message
    assert "`input`" not in of_read.message
    assert "inside `input`" in of_act.message


def test_the_error_blames_the_tool_and_not_the_capability() -> None:
    outcome = ask("surface_act", {"mode": "x", "capabilityId": "domain:query.echo", "invocationId": "i1"})
    error = json.loads(outcome.text)

    assert outcome.is_error
    assert (error["code"], error["retry"]) == ("INVALID_INPUT", "with-changes")
    assert "`surface_act`" in error["message"]
    assert "not the capability's" in error["message"]
    assert [issue["path"] for issue in error["details"]["issues"]] == ["mode"]
    assert (outcome.capability_id, outcome.invocation_id) == ("domain:query.echo", "i1")


@pytest.mark.parametrize(
    ("tool", "arguments", "subject"),
    [
        ("surface_act", {}, "meta:surface.act"),
        ("surface_act", {"capabilityId": 7}, "meta:surface.act"),
        ("surface_read", {"capabilityId": "", "x": 1}, "meta:surface.read"),
        ("surface_discover", {"capabilityId": "view:a.b"}, "meta:surface.discover"),
    ],
)
def test_an_error_without_a_capability_is_the_verbs_own(tool: str, arguments: Any, subject: str) -> None:
    assert ask(tool, arguments).capability_id == subject


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: st.dictionaries(st.text(), inner) | st.lists(inner),
    )
)
def test_whatever_comes_is_answered(value: Any) -> None:
    for verb in VERBS.values():
        issues = envelope_issues(verb, value)
        if isinstance(value, dict):
            required = [name for name in verb.required if name not in value]
            assert [issue.path for issue in issues][: len(required)] == required


def test_the_three_tools() -> None:
    tools = {tool.name: tool for tool in meta_tools()}

    assert list(tools) == ["surface_discover", "surface_read", "surface_act"]
    for tool in tools.values():
        assert tool.description.startswith("[meta] ")
        assert tool.input_schema["type"] == "object"
        assert tool.input_schema["additionalProperties"] is False
        assert all(part["description"] for part in tool.input_schema["properties"].values())
    assert list(tools["surface_act"].input_schema["properties"]) == [
        *("capabilityId", "instanceId", "input", "invocationId", "confirmationId", "surfaceVersion")
    ]
    assert [tool.input_schema.get("required") for tool in tools.values()] == [
        None,
        ["capabilityId"],
        ["capabilityId"],
    ]
    scope = tools["surface_discover"].input_schema["properties"]["scope"]
    assert (scope["type"], scope["items"]) == ("array", {"type": "string"})


@pytest.mark.parametrize(
    ("floor", "requested", "effective", "rejected"),
    [
        ([], ["x"], ("x",), ()),
        (["d"], [], ("d",), ()),
        (["d"], ["d.t"], ("d.t",), ()),
        (["d.t", "d.u"], ["d"], ("d.t", "d.u"), ()),
        (["d"], ["b"], (), ("b",)),
        (["d"], ["dx"], (), ("dx",)),
        (["d"], [""], (), ("",)),
        (["d"], ["d.t", "b", "b"], ("d.t",), ("b",)),
        ([], [], None, ()),
        (["d"], ["d"], ("d",), ()),
        (["d.t"], ["d", "d.t", "d.t.x"], ("d.t", "d.t.x"), ()),
    ],
)
def test_what_a_request_sees(floor: Any, requested: Any, effective: Any, rejected: Any) -> None:
    scope = intersect_scopes(floor, requested)

    assert (scope.prefixes, scope.rejected) == (effective, rejected)


prefixes = st.lists(
    st.lists(st.sampled_from(["a", "b", "ab"]), min_size=1, max_size=3).map(".".join), max_size=4
)


@given(prefixes, prefixes, st.lists(st.sampled_from(["a", "b", "ab"]), min_size=1, max_size=4).map(".".join))
def test_what_is_seen_is_allowed_and_asked_for(floor: list[str], requested: list[str], path: str) -> None:
    def covered(by: list[str]) -> bool:
        return not by or any(path == prefix or path.startswith(prefix + ".") for prefix in by)

    assert intersect_scopes(floor, requested).covers(path) is (covered(floor) and covered(requested))
