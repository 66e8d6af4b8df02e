"""Calls of an agent and what comes of them.

Meta mode goes through three verbs, whose arguments name a capability; direct mode through a tool a capability, whose
arguments are the capability's input. Either way a call ends in an outcome, never in an exception: what an agent can do
something about is an error record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from scanner.agent_ids.code_units import unit_length
from scanner.serialization import JsonValue, encode_line
from workers.toolset.catalog import Capability, Catalog, Target
from workers.toolset.discovery import discover
from workers.toolset.failures import ErrorCode, Failure, Issue, ToolError, failure, invalid_input
from workers.toolset.input_repair import repaired_input
from workers.toolset.scope import intersect_scopes
from workers.toolset.tools import direct_capability
from workers.toolset.verbs import ACT, DISCOVER, VERBS, Verb, envelope_issues, invalid_envelope

MAX_OUTPUT_UNITS: Final = 32_768
_LISTED_INSTANCES: Final = 50


@dataclass(frozen=True, slots=True)
class Outcome:
    """What comes of one call.

    Attributes:
        text: JSON of the output, or of the error record.
        is_error: Whether it is an error.
        capability_id: The capability that was called; for a verb whose arguments name none, the verb's own id.
        surface_version: The version of the run that the answer is about; None where none could be read.
        invocation_id: The caller's id for the call, if it gave one.
    """

    text: str
    is_error: bool
    capability_id: str
    surface_version: str | None
    invocation_id: str | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """A call as it arrived.

    Attributes:
        tool: Name of the tool.
        arguments: Its arguments, of whatever form.
        floor: Prefixes that the server allows to discover; empty for everything.
    """

    tool: str
    arguments: object
    floor: Sequence[str] = ()


def call_verb(catalog: Catalog, call: Call) -> Outcome:
    """Answer a call of one of the three tools of meta mode."""
    verb = VERBS.get(call.tool)
    if verb is None:
        reason = _unknown_tool(call.tool, f"The tools are {', '.join(VERBS)}.")
        return failed(call, reason, catalog.version)
    try:
        output = _verb_output(catalog, verb, call)
    except ToolError as error:
        return failed(call, error.failure, catalog.version)
    arguments = _mapping(call.arguments)
    return Outcome(output, False, _subject(verb, arguments), catalog.version, _invocation(arguments))


def call_direct(catalog: Catalog, call: Call) -> Outcome:
    """Answer a call of a tool that stands for one capability of one component."""
    capability = direct_capability(catalog, intersect_scopes(call.floor, ()), call.tool)
    if capability is None:
        reason = _unknown_tool(call.tool, "Tools come and go with the runs; list them again.")
        return failed(call, reason, catalog.version)
    try:
        output = _output_of(capability, call.arguments)
    except ToolError as error:
        return Outcome(_error_text(error.failure), True, capability.id, catalog.version)
    return Outcome(output, False, capability.id, catalog.version)


def failed(call: Call, reason: Failure, version: str | None) -> Outcome:
    """Return the outcome of a call that ends in an error."""
    arguments = _mapping(call.arguments)
    verb = VERBS.get(call.tool)
    subject = call.tool if verb is None else _subject(verb, arguments)
    return Outcome(_error_text(reason), True, subject, version, _invocation(arguments))


def envelope_failure(call: Call) -> Failure | None:
    """Return what is wrong with the arguments of a verb, whatever run they are about; None if nothing is."""
    verb = VERBS.get(call.tool)
    issues = () if verb is None else envelope_issues(verb, call.arguments)
    return None if verb is None or not issues else invalid_envelope(verb, issues)


def _mapping(arguments: object) -> Mapping[str, Any]:
    return arguments if isinstance(arguments, Mapping) else {}


def _unknown_tool(name: str, hint: str) -> Failure:
    """Return the error for a tool that there is not; its name is never decoded to find a capability."""
    return failure(ErrorCode.CAPABILITY_NOT_FOUND, f"There is no tool `{name:.100}`. {hint}")


def _subject(verb: Verb, arguments: Mapping[str, Any]) -> str:
    named = arguments.get("capabilityId")
    return named if verb is not DISCOVER and isinstance(named, str) and named else verb.subject


def _invocation(arguments: Mapping[str, Any]) -> str | None:
    named = arguments.get("invocationId")
    return named if isinstance(named, str) and named else None


def _verb_output(catalog: Catalog, verb: Verb, call: Call) -> str:
    misfit = envelope_failure(call)
    if misfit is not None:
        raise ToolError(misfit)
    arguments = _mapping(call.arguments)
    if verb is DISCOVER:
        scope = intersect_scopes(call.floor, arguments.get("scope", ()))
        return _checked_size(discover(catalog, scope, MAX_OUTPUT_UNITS), verb.subject)
    capability_id, instance_id = arguments["capabilityId"], arguments.get("instanceId")
    capability = _single(catalog, verb, capability_id, instance_id).capability
    floor = intersect_scopes(call.floor, ())
    schema = catalog.input_schema_of_target(capability_id, instance_id, floor)
    return _output_of(capability, repaired_input(arguments.get("input"), schema))


def _single(catalog: Catalog, verb: Verb, capability_id: str, instance_id: str | None) -> Target:
    """Return the one target of a call, of the kind that the verb is for."""
    hits = catalog.hits(capability_id, instance_id)
    if not hits:
        raise ToolError(_not_found(catalog, capability_id, instance_id))
    is_observation = hits[0].capability.is_observation
    if is_observation is (verb is ACT):
        raise ToolError(_wrong_kind(verb, capability_id, is_observation=is_observation))
    if len(hits) > 1:
        raise ToolError(_ambiguous(capability_id, hits))
    return hits[0]


def _not_found(catalog: Catalog, capability_id: str, instance_id: str | None) -> Failure:
    if instance_id is not None and catalog.hits(capability_id):
        return failure(
            ErrorCode.CAPABILITY_NOT_FOUND,
            f"`{capability_id}` has no instance `{instance_id:.130}`. Call `{DISCOVER.name}` for those that there are.",
        )
    return failure(
        ErrorCode.CAPABILITY_NOT_FOUND,
        f"There is no capability `{capability_id:.130}`. Call `{DISCOVER.name}` for those that there are.",
    )


def _wrong_kind(verb: Verb, capability_id: str, *, is_observation: bool) -> Failure:
    kind, other = ("an observation", "surface_read") if is_observation else ("a procedure", "surface_act")
    return invalid_input(
        f"`{capability_id}` is {kind}, which `{verb.name}` does not take. Call `{other}` instead.",
        [Issue("capabilityId", f"`{capability_id}` is {kind}; call it with `{other}`.")],
    )


def _ambiguous(capability_id: str, hits: Sequence[Target]) -> Failure:
    instances: list[JsonValue] = [
        {"instanceId": hit.component.instance_id, "description": hit.component.description}
        for hit in hits
        if hit.component is not None
    ]
    details: dict[str, JsonValue] = {"instances": instances[:_LISTED_INSTANCES]}
    if len(instances) > _LISTED_INSTANCES:
        details["omittedInstances"] = len(instances) - _LISTED_INSTANCES
    return failure(
        ErrorCode.AMBIGUOUS_INSTANCE,
        f"{len(instances)} components offer `{capability_id}`. Name the one that is meant as `instanceId`.",
        details,
    )


def _output_of(capability: Capability, given: object) -> str:
    """Run a capability and return its output as JSON."""
    if given is not None and not isinstance(given, Mapping):
        raise ToolError(invalid_capability_input(capability.id, [Issue("", "The input must be an object.")]))
    given = {} if given is None else given
    if capability.is_observation and given:
        issues = [Issue(name, "An observation takes no input.") for name in given]
        raise ToolError(invalid_capability_input(capability.id, issues))
    return _checked_size(capability.run(given), capability.id)


def invalid_capability_input(capability_id: str, issues: Sequence[Issue]) -> Failure:
    """Return the error for an input that does not fit the schema of a capability."""
    return invalid_input(
        f"The input does not fit the schema that `{capability_id}` declares. Mend what the issues name.",
        issues,
    )


def _checked_size(value: JsonValue, capability_id: str) -> str:
    text = encode_line(value).decode().removesuffix("\n")
    size = unit_length(text)
    if size > MAX_OUTPUT_UNITS:
        raise ToolError(
            failure(
                ErrorCode.EXECUTION_FAILED,
                f"The output of `{capability_id}` has {size} characters, and {MAX_OUTPUT_UNITS} can be sent. Nothing of"
                " it was sent; ask for less: with filters, a lower limit, or a procedure that pages.",
                {"reason": "output-too-large", "transient": False, "units": size, "limit": MAX_OUTPUT_UNITS},
            )
        )
    return text


def _error_text(reason: Failure) -> str:
    return encode_line(reason.to_json()).decode().removesuffix("\n")
