"""Agents ask a server of the installed command, over either transport, with the client of the official SDK."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import anyio
import pytest
from conftest import EXAMPLE
from mcp import Client, types
from mcp_servers import PROTOCOLS, ask, error_of, rescan, talk

TRANSPORTS = ("stdio", "http")
both = pytest.mark.parametrize("transport", TRANSPORTS)
either = pytest.mark.parametrize("protocol", PROTOCOLS)


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("market") / "out"
    rescan(EXAMPLE, out)
    return out


@pytest.fixture
def shop_run(shop: Path, tmp_path: Path) -> Path:
    rescan(shop, tmp_path / "out")
    return tmp_path / "out"


@both
@either
def test_discovering_reading_and_acting(transport: str, protocol: str, market: Path) -> None:
    async def session(client: Client) -> None:
        found = await ask(client, "surface_discover")
        instances = {item["instanceId"] for item in found["components"] if item["type"] == "package"}
        assert "harbour__orders" in instances
        summary = await ask(client, "surface_read", capabilityId="view:run.summary")
        assert summary["totals"]["models"] == 47
        models = await ask(
            client, "surface_read", capabilityId="view:package.models", instanceId="harbour__orders"
        )
        assert "@harbour/orders:Order" in [model["qualifiedName"] for model in models["models"]]
        overview = await client.call_tool(
            "surface_act", {"capabilityId": "domain:query.overview", "invocationId": "i"}
        )
        assert not overview.is_error
        assert overview.meta is not None
        assert overview.meta["scan-cluster/surfaceVersion"] == found["surfaceVersion"]
        assert overview.meta["scan-cluster/capabilityId"] == "domain:query.overview"
        assert overview.meta["scan-cluster/invocationId"] == "i"

    talk(transport, market, session, mode=protocol)


@both
def test_every_capability_that_is_listed_answers(transport: str, market: Path) -> None:
    async def session(client: Client) -> None:
        found = await ask(client, "surface_discover")
        for component in found["components"]:
            for item in component["observations"]:
                await ask(
                    client,
                    "surface_read",
                    capabilityId=item["capabilityId"],
                    instanceId=component["instanceId"],
                )
        for item in found["procedures"]:
            if "required" not in item["inputSchema"]:
                await ask(client, "surface_act", capabilityId=item["capabilityId"])

    talk(transport, market, session)


@both
def test_none_found_is_told_from_refused(transport: str, market: Path) -> None:
    async def session(client: Client) -> None:
        playbooks = await ask(client, "surface_read", capabilityId="view:run.playbooks")
        assert "invalid-identity" in [remark["code"] for remark in playbooks["remarks"]]
        assert {remark["helper"] for remark in playbooks["remarks"]} == {"definePlaybook"}
        codes = await ask(client, "surface_read", capabilityId="view:run.diagnostics")
        assert {"code", "severity", "count", "meaning", "isUnscanned"} == set(codes["codes"][0])
        found = await ask(
            client,
            "surface_act",
            capabilityId="domain:run.findDiagnostics",
            input={"code": "unresolved-config"},
        )
        assert [item["filePath"] for item in found["diagnostics"]] == ["packages/accounting/src/invoice.ts"]
        below = {"path": "packages/frontdesk", "kind": "intent", "text": "PARKING"}
        found = await ask(client, "surface_act", capabilityId="domain:run.findDeclarations", input=below)
        assert [item["id"] for item in found["declarations"]] == ["desk.explain_parking"]
        assert found["remarksInThesePlaces"] == 1

    talk(transport, market, session)


@both
def test_errors_are_results_that_say_what_to_do(transport: str, market: Path) -> None:
    async def session(client: Client) -> None:
        error = await error_of(client, "surface_act", input={})
        assert (error["code"], error["retry"]) == ("INVALID_INPUT", "with-changes")
        assert "not the capability's" in error["message"]

        error = await error_of(
            client, "surface_act", capabilityId="domain:run.listPackages", input={"limit": 0, "x": 1}
        )
        assert error["code"] == "INVALID_INPUT"
        assert [issue["path"] for issue in error["details"]["issues"]] == ["", "limit"]

        error = await error_of(client, "surface_read", capabilityId="domain:query.lookup")
        assert error["code"] == "INVALID_INPUT"
        assert "`surface_act`" in error["message"]

        error = await error_of(client, "surface_read", capabilityId="view:package.models")
        assert (error["code"], error["retry"]) == ("AMBIGUOUS_INSTANCE", "with-changes")
        assert "harbour__stalls" in [item["instanceId"] for item in error["details"]["instances"]]

        for arguments in (
            {"capabilityId": "view:nope.x"},
            {"capabilityId": "view:package.models", "instanceId": "nope"},
        ):
            error = await error_of(client, "surface_read", **arguments)
            assert (error["code"], error["retry"]) == ("CAPABILITY_NOT_FOUND", "after-refresh")

        error = await error_of(client, "no_such_tool")
        assert error["code"] == "CAPABILITY_NOT_FOUND"

    talk(transport, market, session)


@both
def test_parameters_of_queries_are_checked(transport: str, market: Path) -> None:
    async def session(client: Client) -> None:
        error = await error_of(
            client, "surface_act", capabilityId="domain:query.lookup", input={"nonsense": 1}
        )

        assert error["code"] == "INVALID_INPUT"
        assert "`domain:query.lookup` declares" in error["message"]
        assert "nonsense" in json.dumps(error["details"]["issues"])

    talk(transport, market, session)


@both
def test_an_input_that_a_client_wrote_as_text_is_understood(transport: str, market: Path) -> None:
    async def session(client: Client) -> None:
        given = {"capabilityId": "domain:run.listPackages"}
        found = await ask(client, "surface_act", **given, input='{"text": "stalls"}')
        assert [item["name"] for item in found["packages"]] == ["@harbour/stalls"]
        error = await error_of(client, "surface_act", **given, input='{"limit": NaN}')
        assert error["code"] == "INVALID_INPUT"

    talk(transport, market, session)


@both
def test_an_output_that_is_too_large_is_refused_and_paged(transport: str, shop: Path, tmp_path: Path) -> None:
    (shop / "src/many.ts").write_text(
        "\n".join(f"@smrt() class Model{number:04} extends SmrtObject {{}}" for number in range(600))
    )
    for number in range(120):
        (shop / f"src/broken{number:03}.ts").write_text("class {{{{")
    rescan(shop, tmp_path / "out")

    async def session(client: Client) -> None:
        error = await error_of(
            client, "surface_read", capabilityId="view:package.models", instanceId="acme__shop"
        )
        assert (error["code"], error["details"]["reason"]) == ("EXECUTION_FAILED", "output-too-large")

        paths: list[str] = []
        page: dict[str, Any] = {"nextOffset": 0}
        while "nextOffset" in page:
            page = await ask(
                client,
                "surface_act",
                capabilityId="domain:run.findDiagnostics",
                input={"code": "syntax-error", "limit": 50, "offset": page["nextOffset"]},
            )
            paths += [item["filePath"] for item in page["diagnostics"]]
            assert page["total"] >= 120
        assert len(paths) == page["total"]
        assert {f"src/broken{number:03}.ts" for number in range(120)} <= set(paths)

    talk(transport, tmp_path / "out", session)


@both
@either
def test_a_new_run_is_taken_up(transport: str, protocol: str, shop: Path, shop_run: Path) -> None:
    async def session(client: Client) -> None:
        before = await ask(client, "surface_discover")
        tools = (await client.list_tools()).model_dump_json()
        await anyio.to_thread.run_sync(rescan, shop, shop_run)
        same = await ask(client, "surface_discover")
        assert same == before

        (shop / "src/parcel.ts").write_text(
            "@smrt() export class Parcel extends SmrtObject { weight = 0; }\n"
        )
        await anyio.to_thread.run_sync(rescan, shop, shop_run)
        models = await ask(client, "surface_read", capabilityId="view:package.models")
        assert [model["className"] for model in models["models"]] == ["Order", "Parcel"]
        found = await ask(
            client, "surface_act", capabilityId="domain:query.details", input={"handles": ["Parcel"]}
        )
        assert "weight" in json.dumps(found)
        after = await ask(client, "surface_discover")
        assert after["surfaceVersion"] != before["surfaceVersion"]
        assert (await client.list_tools()).model_dump_json() == tools

    talk(transport, shop_run, session, mode=protocol)


def move(source: Path, target: Path) -> None:
    source.rename(target)


@both
def test_a_run_that_cannot_be_read_is_an_error_until_there_is_one_again(
    transport: str, shop_run: Path, tmp_path: Path
) -> None:
    async def session(client: Client) -> None:
        read = {"capabilityId": "view:run.summary"}
        before = await ask(client, "surface_read", **read)
        move(shop_run, tmp_path / "away")
        error = await error_of(client, "surface_read", **read)
        assert (error["code"], error["retry"]) == ("EXECUTION_FAILED", "after-delay")
        assert error["details"]["reason"] == "artifacts-unreadable"
        assert len((await client.list_tools()).tools) == 3

        shutil.copytree(tmp_path / "away", shop_run)
        (shop_run / "diagnostics.json").write_text("{")
        error = await error_of(client, "surface_read", **read)
        assert error["details"]["reason"] == "artifacts-unreadable"
        assert "diagnostics.json is damaged" in error["message"]

        shutil.rmtree(shop_run)
        move(tmp_path / "away", shop_run)
        assert await ask(client, "surface_read", **read) == before

    talk(transport, shop_run, session)


@both
def test_direct_mode_has_a_tool_a_capability(transport: str, market: Path) -> None:
    async def session(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert next(iter(tools)) == "view_run__summary"
        assert (
            tools["view_run__summary"].description == "[view · read] Versions, options and totals of the run."
        )
        assert tools["domain_query__lookup"].description is not None
        assert tools["domain_query__lookup"].description.startswith("[domain · server-query] ")
        assert "view_package__models_at_harbour__orders" in tools
        found = await ask(client, "view_package__models_at_harbour__orders")
        assert found["package"] == "@harbour/orders"
        found = await ask(client, "domain_run__listPackages", limit=1)
        assert found["total"] == 8
        error = await error_of(client, "view_run__summary", extra=1)
        assert error["code"] == "INVALID_INPUT"
        error = await error_of(client, "view_package__models")
        assert error["code"] == "CAPABILITY_NOT_FOUND"

    talk(transport, market, session, "--mode", "direct")


@both
def test_the_scope_limits_what_is_listed(transport: str, market: Path) -> None:
    async def session(client: Client) -> None:
        found = await ask(client, "surface_discover", scope=["query", "package"])
        assert found["components"] == []
        assert {item["capabilityId"].split(".")[0] for item in found["procedures"]} == {"domain:query"}
        assert found["scopeRejected"] == {"prefixes": ["package"]}

    talk(transport, market, session, "--scope", "query", "--scope", "run")


class Changes:
    """Counts what a client hears about its tools."""

    def __init__(self) -> None:
        self.heard = anyio.Event()

    async def __call__(self, message: Any) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            self.heard.set()


def add_package(shop: Path, name: str) -> None:
    (shop / name).mkdir()
    (shop / name / "package.json").write_text(json.dumps({"name": f"@acme/{name}"}))
    (shop / name / "model.ts").write_text("@smrt() export class Extra extends SmrtObject {}\n")


@both
def test_a_client_of_today_hears_of_changed_tools(transport: str, shop: Path, shop_run: Path) -> None:
    async def session(client: Client) -> None:
        assert client.server_capabilities.tools is not None
        assert client.server_capabilities.tools.list_changed is True
        async with client.listen(tools_list_changed=True) as changes:
            before = {tool.name for tool in (await client.list_tools()).tools}
            add_package(shop, "extra")
            await anyio.to_thread.run_sync(rescan, shop, shop_run)
            async for _ in changes:
                break
        after = {tool.name for tool in (await client.list_tools()).tools}
        assert "view_package__models_at_acme__extra" in after - before

        shutil.rmtree(shop / "extra")
        await anyio.to_thread.run_sync(rescan, shop, shop_run)
        error = await error_of(client, "view_package__models_at_acme__extra")
        assert (error["code"], error["retry"]) == ("CAPABILITY_NOT_FOUND", "after-refresh")

    talk(transport, shop_run, session, "--mode", "direct")


@both
def test_a_client_that_shakes_hands_hears_of_changed_tools(
    transport: str, shop: Path, shop_run: Path
) -> None:
    changes = Changes()

    async def session(client: Client) -> None:
        assert client.server_capabilities.tools is not None
        assert client.server_capabilities.tools.list_changed is True
        await client.list_tools()
        number = 0
        # Over HTTP what is said before the client listens is lost, so there may have to be another run.
        while not changes.heard.is_set():
            add_package(shop, f"extra{number}")
            number += 1
            await anyio.to_thread.run_sync(rescan, shop, shop_run)
            with anyio.move_on_after(10):
                await changes.heard.wait()
        assert "view_package__models_at_acme__extra0" in {
            tool.name for tool in (await client.list_tools()).tools
        }

    talk(transport, shop_run, session, "--mode", "direct", mode="legacy", message_handler=changes)


@both
@either
def test_the_tools_of_meta_mode_are_the_same_for_every_run(
    transport: str, protocol: str, market: Path, shop_run: Path
) -> None:
    listed: list[str] = []

    async def session(client: Client) -> None:
        assert client.server_capabilities.tools is not None
        assert not client.server_capabilities.tools.list_changed
        listed.append((await client.list_tools()).model_dump_json())

    for directory in (market, shop_run):
        talk(transport, directory, session, mode=protocol)
    assert listed[0] == listed[1]
