"""The check for tool names that a model or a UI tool may register too."""

from __future__ import annotations

import pytest

from scanner.diagnostics import CODES
from scanner.file_scan import parse_surface_source
from scanner.surface.identity import tool_name
from scanner.surface.records import AgentSurface
from scanner.surface.tool_names import check_agent_surface_tool_names


def surface_with(*ids: str) -> AgentSurface:
    lines = ["import { defineIntent } from '@happyvertical/smrt-web/intents';"]
    lines += [
        f"defineIntent({{ id: '{one}', description: 'x', target: {{ registry: 'control', action: 'focus' }} }});"
        for one in ids
    ]
    surface = parse_surface_source("\n".join(lines).encode(), "a.ts").agent_surface
    assert len(surface.intents) == len(ids)
    return surface


@pytest.mark.parametrize(("identifier", "name"), [("a.b", "a_b"), ("a.b-c.d_e", "a_b_c_d_e")])
def test_dots_and_hyphens_become_underscores(identifier: str, name: str) -> None:
    assert tool_name(identifier) == name


def test_an_intent_with_the_name_of_a_model_tool_is_reported_at_its_call() -> None:
    (found,) = check_agent_surface_tool_names(
        surface_with("order.open", "product.list"), ["product_list", "order_list"]
    )

    assert (found.code, found.helper, found.file_path) == ("tool-name-collision", "defineIntent", "a.ts")
    assert (found.line, found.column) == (3, 1)
    assert found.code in CODES


def test_the_message_states_what_it_assumes() -> None:
    (found,) = check_agent_surface_tool_names(surface_with("product.list"), ["product_list"])

    for part in (
        '"product.list"',
        "`product_list`",
        "no WebMCP `namespace`",
        "`effects`",
        "Disregard",
        "useWebMcpTool",
    ):
        assert part in found.message


def test_the_check_takes_names_as_they_are() -> None:
    assert (
        check_agent_surface_tool_names(surface_with("product.list"), ["app_product_list", "Product_list"])
        == ()
    )


def test_no_emitted_intent_lies_under_the_default_prefix() -> None:
    assert check_agent_surface_tool_names(surface_with("smrt.ui", "smrt.uix.a", "my.smrt.ui.x"), []) == ()


def test_a_configured_prefix_claims_what_begins_with_it() -> None:
    surface = surface_with("acme.tools.open", "acme.toolbox", "my.acme.tools.x")

    (found,) = check_agent_surface_tool_names(surface, [], ["acme_tools_"])

    assert '"acme.tools.open"' in found.message
    assert "`acme_tools_`" in found.message
    assert "assumes" in found.message


def test_an_empty_prefix_claims_nothing() -> None:
    assert check_agent_surface_tool_names(surface_with("a.b"), [], [""]) == ()


def test_each_claim_is_a_remark_of_its_own_and_places_are_sorted() -> None:
    surface = surface_with("ui.b", "ui.a")

    found = check_agent_surface_tool_names(surface, iter(["ui_a", "ui_b"]), iter(["ui_", "u"]))

    assert [one.line for one in found] == [2, 2, 2, 3, 3, 3]
    assert len(set(found)) == 6
