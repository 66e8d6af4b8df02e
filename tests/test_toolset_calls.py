"""Which capability a call means, what it is given, and what the caller gets."""

from __future__ import annotations

import json
from typing import Any

import pytest
from toolset_samples import ask, catalog, component, observation, procedure, sample

from scanner.agent_ids.code_units import unit_length
from workers.toolset.calls import MAX_OUTPUT_UNITS, Call, Outcome, call_direct, call_verb
from workers.toolset.catalog import (
    Capability,
    Catalog,
    CatalogError,
    Component,
    Effect,
)
from workers.toolset.failures import ErrorCode, Failure, Retry, ToolError, failure
from workers.toolset.input_repair import repaired_input
from workers.toolset.scope import Scope, intersect_scopes
from workers.toolset.tools import direct_tools

EVERYTHING = intersect_scopes((), ())


def act(**arguments: Any) -> Outcome:
    return ask("surface_act", arguments)


def read(**arguments: Any) -> Outcome:
    return ask("surface_read", arguments)


def error_of(outcome: Outcome) -> Any:
    assert outcome.is_error
    return json.loads(outcome.text)


def test_a_procedure_gets_its_input() -> None:
    outcome = act(
        capabilityId="domain:query.echo", input={"text": "é"}, invocationId="mine", surfaceVersion="old"
    )

    assert json.loads(outcome.text) == {"got": {"text": "é"}}
    assert outcome == Outcome(outcome.text, False, "domain:query.echo", "v1", "mine")


@pytest.mark.parametrize("arguments", [{}, {"input": None}, {"input": {}}, {"instanceId": "one"}])
def test_no_input_is_an_empty_one_and_procedures_have_no_instances(arguments: Any) -> None:
    assert act(capabilityId="domain:query.echo", **arguments).text == '{"got":{}}'


def test_an_observation_is_read_where_it_is_meant() -> None:
    assert read(capabilityId="view:devices.table.state", instanceId="two").text == '"two"'
    assert read(capabilityId="view:run.state").text == '"only"'
    assert read(capabilityId="view:run.state", instanceId="default").text == '"only"'


def test_an_output_of_nothing_is_null() -> None:
    shown = Component("a", "A.", (observation("view:a.b"),))

    assert call_verb(catalog(shown), Call("surface_read", {"capabilityId": "view:a.b"})).text == "null"


def test_an_ambiguous_instance_is_not_guessed() -> None:
    error = error_of(read(capabilityId="view:devices.table.state"))

    assert (error["code"], error["retry"]) == ("AMBIGUOUS_INSTANCE", "with-changes")
    assert error["details"]["instances"] == [
        {"instanceId": "one", "description": "The devices.table."},
        {"instanceId": "two", "description": "The devices.table."},
    ]


def test_of_very_many_instances_some_are_listed_and_the_others_counted() -> None:
    many = catalog(*(component("a", f"i{number:03}") for number in range(70)))
    error = error_of(call_verb(many, Call("surface_read", {"capabilityId": "view:a.state"})))

    assert len(error["details"]["instances"]) == 50
    assert error["details"]["omittedInstances"] == 20


@pytest.mark.parametrize(
    "capability_id", ["nope", "view:run.nope", "domain:query", "VIEW:run.state", "é\ud800"]
)
def test_what_is_not_there_is_not_found(capability_id: str) -> None:
    for outcome in (read(capabilityId=capability_id), act(capabilityId=capability_id)):
        error = error_of(outcome)
        assert (error["code"], error["retry"]) == ("CAPABILITY_NOT_FOUND", "after-refresh")
        assert outcome.capability_id == capability_id


def test_an_instance_that_is_not_there_is_not_found() -> None:
    error = error_of(read(capabilityId="view:devices.table.state", instanceId="three"))

    assert error["code"] == "CAPABILITY_NOT_FOUND"
    assert "`three`" in error["message"]


@pytest.mark.parametrize(
    ("tool", "capability_id", "other"),
    [
        ("surface_read", "domain:query.echo", "`surface_act`"),
        ("surface_act", "view:run.state", "`surface_read`"),
        ("surface_act", "view:devices.table.state", "`surface_read`"),
    ],
)
def test_each_verb_takes_its_own_kind(tool: str, capability_id: str, other: str) -> None:
    error = error_of(ask(tool, {"capabilityId": capability_id}))

    assert (error["code"], [issue["path"] for issue in error["details"]["issues"]]) == (
        "INVALID_INPUT",
        ["capabilityId"],
    )
    assert other in error["message"]


@pytest.mark.parametrize(
    "given", ["text", [], 7, True, '["a"]', "null", '{"text": NaN}', '{"text": -Infinity}']
)
def test_an_input_that_is_no_object_is_the_capabilitys_matter(given: Any) -> None:
    error = error_of(act(capabilityId="domain:query.echo", input=given))

    assert error["code"] == "INVALID_INPUT"
    assert "`domain:query.echo` declares" in error["message"]
    assert [issue["path"] for issue in error["details"]["issues"]] == [""]


def test_an_input_sent_as_text_is_read() -> None:
    assert act(capabilityId="domain:query.echo", input='{"text": "a"}').text == '{"got":{"text":"a"}}'


@pytest.mark.parametrize(
    ("value", "schema", "expected"),
    [
        ('{"a": 1}', {"type": "object"}, {"a": 1}),
        ('{"a": 1}', {"type": ["object"]}, '{"a": 1}'),
        ('{"a": 1}', {"anyOf": [{"type": "object"}]}, '{"a": 1}'),
        ('{"a": 1}', {}, '{"a": 1}'),
        ('{"a": 1}', None, '{"a": 1}'),
        ("null", {"type": "object"}, "null"),
        ("[1]", {"type": "object"}, "[1]"),
        ("{", {"type": "object"}, "{"),
        ('{"a": NaN}', {"type": "object"}, '{"a": NaN}'),
        ('{"a": [Infinity]}', {"type": "object"}, '{"a": [Infinity]}'),
        ("[" * 100_000, {"type": "object"}, "[" * 100_000),
        ('{"a": ' + "9" * 5000 + "}", {"type": "object"}, '{"a": ' + "9" * 5000 + "}"),
        ({"a": 1}, {"type": "object"}, {"a": 1}),
        (None, {"type": "object"}, None),
    ],
)
def test_only_a_text_that_spells_the_wanted_object_is_repaired(
    value: Any, schema: Any, expected: Any
) -> None:
    assert repaired_input(value, schema) == expected


def test_the_schema_of_a_target_is_left_out_rather_than_guessed() -> None:
    catalog_of_all = sample()

    assert catalog_of_all.input_schema_of_target("domain:query.echo", None, EVERYTHING) is not None
    assert catalog_of_all.input_schema_of_target("domain:query.echo", "two", EVERYTHING) is not None
    assert catalog_of_all.input_schema_of_target("domain:query.echo", None, Scope(("run",))) is None
    assert catalog_of_all.input_schema_of_target("view:run.state", None, EVERYTHING) is None
    assert catalog_of_all.input_schema_of_target("view:devices.table.state", None, EVERYTHING) is None
    assert catalog_of_all.input_schema_of_target("nope", None, EVERYTHING) is None


def test_a_target_outside_the_floor_is_called_but_not_repaired() -> None:
    given = {"capabilityId": "domain:query.echo", "input": '{"text": "a"}'}

    assert error_of(ask("surface_act", given, "run"))["code"] == "INVALID_INPUT"
    assert not ask("surface_act", {**given, "input": {"text": "a"}}, "run").is_error


def test_an_output_that_is_too_large_is_an_error_and_not_cut() -> None:
    fitting = "x" * (MAX_OUTPUT_UNITS - 2)
    shown = Component(
        "a", "A.", (observation("view:a.fits", fitting), observation("view:a.long", fitting + "x"))
    )
    one, other = (
        call_verb(catalog(shown), Call("surface_read", {"capabilityId": f"view:a.{name}"}))
        for name in ("fits", "long")
    )
    error = error_of(other)

    assert unit_length(one.text) == MAX_OUTPUT_UNITS
    assert (error["code"], error["retry"], error["details"]["reason"]) == (
        "EXECUTION_FAILED",
        "no",
        "output-too-large",
    )
    assert error["details"]["units"] == MAX_OUTPUT_UNITS + 1


def test_output_is_measured_in_code_units() -> None:
    shown = Component("a", "A.", (observation("view:a.b", "😀" * (MAX_OUTPUT_UNITS // 2)),))

    assert (
        error_of(call_verb(catalog(shown), Call("surface_read", {"capabilityId": "view:a.b"})))["details"][
            "units"
        ]
        > 32768
    )


def test_discovering_lists_what_there_is() -> None:
    found = json.loads(ask("surface_discover").text)

    assert list(found) == ["surfaceId", "surfaceVersion", "components", "procedures"]
    assert found["surfaceVersion"] == "v1"
    assert [(item["type"], item["instanceId"]) for item in found["components"]] == [
        *(("run", "default"), ("devices.table", "one"), ("devices.table", "two"))
    ]
    assert found["components"][0]["observations"] == [
        {"capabilityId": "view:run.state", "effect": "read", "description": "What is there."}
    ]
    assert [(item["capabilityId"], item["inputSchema"]["type"]) for item in found["procedures"]] == [
        *(("domain:devices.echo", "object"), ("domain:query.echo", "object"))
    ]


@pytest.mark.parametrize(
    ("floor", "scope", "types", "procedures", "rejected"),
    [
        ([], ["devices"], 2, 1, None),
        ([], ["query"], 0, 1, None),
        (["run"], [], 1, 0, None),
        (["run"], ["query"], 0, 0, ["query"]),
        ([], ["dev"], 0, 0, None),
        (["devices"], ["devices.table", "run"], 2, 0, ["run"]),
    ],
)
def test_discovering_keeps_to_the_scope(
    floor: Any, scope: Any, types: int, procedures: int, rejected: Any
) -> None:
    found = json.loads(ask("surface_discover", {"scope": scope}, *floor).text)

    assert (len(found["components"]), len(found["procedures"])) == (types, procedures)
    assert found.get("scopeRejected", {}).get("prefixes") == rejected
    assert "truncated" not in found


def test_discovering_drops_components_of_low_priority_and_says_how_many() -> None:
    crowd = [component("crowd", f"i{number:04}") for number in range(400)]
    many = catalog(*crowd, component("run", priority=9), procedures=(procedure("domain:echo"),))
    outcome = call_verb(many, Call("surface_discover", {}))
    found = json.loads(outcome.text)

    assert unit_length(outcome.text) <= MAX_OUTPUT_UNITS
    assert found["components"][0]["type"] == "run"
    assert found["truncated"]["droppedComponents"] == 401 - len(found["components"]) > 0
    assert len(found["procedures"]) == 1
    assert unit_length(outcome.text) > MAX_OUTPUT_UNITS - 400


def test_procedures_are_never_dropped() -> None:
    schema = {"type": "object", "description": "x" * 16_000}
    many = catalog(procedures=tuple(procedure(f"domain:p{number}", schema) for number in range(3)))

    assert (
        error_of(call_verb(many, Call("surface_discover", None)))["details"]["reason"] == "output-too-large"
    )


def test_direct_tools_are_named_described_and_ordered() -> None:
    tools = direct_tools(sample(), EVERYTHING)

    assert [tool.name for tool in tools] == [
        "view_run__state",
        "view_devices__table__state_at_one",
        "view_devices__table__state_at_two",
        "domain_devices__echo",
        "domain_query__echo",
    ]
    assert tools[0].description == "[view · read] What is there."
    assert tools[-1].description == "[domain · server-query] Says what it got."
    assert dict(tools[0].input_schema) == {"type": "object", "properties": {}, "additionalProperties": False}
    assert [tool.name for tool in direct_tools(sample(), Scope(("query",)))] == ["domain_query__echo"]


def test_a_second_instance_renames_no_tool() -> None:
    one, both = catalog(component("a", "x")), catalog(component("a", "x"), component("a", "y"))

    assert (
        direct_tools(one, EVERYTHING)[0].name
        == direct_tools(both, EVERYTHING)[0].name
        == "view_a__state_at_x"
    )


def test_direct_tools_are_called_with_the_input_itself() -> None:
    assert call_direct(sample(), Call("domain_query__echo", {"text": "a"})).text == '{"got":{"text":"a"}}'
    outcome = call_direct(sample(), Call("view_devices__table__state_at_two", None))
    assert (outcome.text, outcome.capability_id) == ('"two"', "view:devices.table.state")


@pytest.mark.parametrize(
    "name", ["domain_query__nope", "view_devices__table__state", "surface_read", "", "é" * 999]
)
def test_an_unknown_tool_is_not_decoded(name: str) -> None:
    assert error_of(call_direct(sample(), Call(name, {})))["code"] == "CAPABILITY_NOT_FOUND"
    assert error_of(call_verb(sample(), Call(f"x{name}", {})))["code"] == "CAPABILITY_NOT_FOUND"


def test_a_direct_tool_outside_the_floor_is_not_there() -> None:
    assert (
        error_of(call_direct(sample(), Call("domain_query__echo", {}, ("run",))))["code"]
        == "CAPABILITY_NOT_FOUND"
    )


def test_an_observation_takes_no_input() -> None:
    error = error_of(call_direct(sample(), Call("view_run__state", {"a": 1, "b": 2})))

    assert (error["code"], [issue["path"] for issue in error["details"]["issues"]]) == (
        "INVALID_INPUT",
        ["a", "b"],
    )


def test_errors_of_a_capability_reach_the_caller() -> None:
    def fail(_given: Any) -> Any:
        raise ToolError(failure(ErrorCode.EXECUTION_FAILED, "x" * 500, {"reason": "r"}, Retry.AFTER_DELAY))

    failing = Capability("domain:fail", Effect.SERVER_QUERY, "Fails.", fail)
    error = error_of(
        call_verb(catalog(procedures=(failing,)), Call("surface_act", {"capabilityId": "domain:fail"}))
    )

    assert (error["retry"], error["details"]) == ("after-delay", {"reason": "r"})
    assert len(error["message"]) == 300


def test_a_code_has_only_its_own_values_of_retry() -> None:
    with pytest.raises(ValueError, match="never tried again"):
        Failure(ErrorCode.INVALID_INPUT, "m", Retry.NO)


def nested(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    for _ in range(levels - 1):
        schema = {"x": schema}
    return schema


@pytest.mark.parametrize(
    ("components", "procedures", "message"),
    [
        ([component("a"), component("a", "x")], [], "told apart"),
        ([component("a", "x"), component("a", "x")], [], "told apart"),
        ([component("a", "x.y")], [], "no instance id"),
        ([Component("A", "A.", ())], [], "no component type"),
        ([Component("a", "x" * 501, ())], [], "longer than 500"),
        ([Component("a", "A.", (observation("view:a.b"), observation("view:a.b")))], [], "registered twice"),
        ([Component("a", "A.", (observation("view:b.b"),))], [], "no id of an observation"),
        ([Component("a", "A.", (observation("domain:a"),))], [], "no id of an observation"),
        ([Component("a", "A.", (Capability("view:a.b", Effect.SERVER_QUERY, "", print),))], [], "only reads"),
        ([Component("a", "A.", (Capability("view:a.b", Effect.READ, "", print, {}),))], [], "takes no input"),
        ([], [procedure("domain:a"), procedure("domain:a")], "registered twice"),
        ([], [procedure("view:a.b")], "no procedure id"),
        ([], [procedure("domain:a_b")], "no procedure id"),
        ([], [procedure("domain:a/b")], "no procedure id"),
        ([], [procedure("domain:caffè")], "no procedure id"),
        ([], [Capability("domain:a", Effect.READ, "x" * 301, print)], "longer than 300"),
        ([], [procedure("domain:a", nested(9))], "more than 8 levels"),
        ([], [procedure("domain:a", {"x": "y" * 16_400})], "longer than 16384"),
    ],
)
def test_a_catalog_that_breaks_a_rule_is_refused(components: Any, procedures: Any, message: str) -> None:
    with pytest.raises(CatalogError, match=message):
        Catalog("v1", tuple(components), tuple(procedures))


def test_what_just_fits_is_taken() -> None:
    schema = {"x": "y" * (16_384 - len('{"x":""}'))}
    longest = Capability("domain:a", Effect.READ, "x" * 300, print, schema)

    assert (
        Catalog("v1", (Component("a", "x" * 500, ()),), (longest, procedure("domain:b", nested(8)))).version
        == "v1"
    )
