"""What is served of a run, and when it is read anew."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from conftest import EXAMPLE
from runs import scan

from workers.artifact_sets import ArtifactDirectory, read_artifacts
from workers.changes.records import ArtifactSet, PackageArtifact
from workers.errors import UsageError
from workers.serving.live_run import LiveRun, RunUnreadableError
from workers.serving.run_answers import ServedRun
from workers.serving.run_catalog import open_catalog, run_catalog
from workers.serving.surface import Mode, ServedSurface
from workers.toolset.calls import Call, call_verb
from workers.toolset.catalog import Capability, Catalog, Effect
from workers.toolset.failures import ErrorCode

EXPECTED = Path(__file__).parent / "expected/harbour-market"


@pytest.fixture(scope="module")
def market() -> ServedRun:
    surface = json.loads((EXPECTED / "agent-surface.json").read_bytes())
    return ServedRun(read_artifacts(ArtifactDirectory(EXPECTED, "market")), tuple(surface["diagnostics"]))


def test_packages_by_instance(market: ServedRun) -> None:
    assert [package.instance for package in market.packages][:2] == [
        "harbour__accounting",
        "harbour__catalogue",
    ]
    assert (
        market.packages[0].description
        == "Package `@harbour/accounting` in `packages/accounting`: 8 models, 1 diagnostic."
    )


def run_of(*manifests: str) -> ServedRun:
    packages = tuple(PackageArtifact("a", ".", {"objects": {}}) for _ in manifests)
    index: Mapping[str, Any] = {
        "packages": [{"manifest": f"packages/{name}/manifest.json"} for name in manifests]
    }
    return ServedRun(ArtifactSet(index, packages, {}, {}, {}), ())


@pytest.mark.parametrize("name", ["a.b", "a~2", "é", "x" * 101, "a-0123456789ab"])
def test_an_instance_that_is_no_name_gets_one_that_no_other_has(name: str) -> None:
    first = run_of(name, "a-b", "a_b").packages
    made = next(package.instance for package in first if package.instance not in {"a-b", "a_b"})

    assert (
        made.rpartition("-")[0]
        == "".join(char if char.isascii() and char not in ".~" else "-" for char in name)[:100]
    )
    assert len(made) <= 113
    assert [package.instance for package in run_of(made).packages] != [made]
    assert run_of(name).packages[0].instance == made


def test_hostile_names_fit_the_surface() -> None:
    package = PackageArtifact("evil\u202e\n" + "x" * 600, "packages/" + "y" * 600, {"objects": {}})
    index: Mapping[str, Any] = {"packages": [{"manifest": "packages/e/manifest.json"}]}
    run = ServedRun(ArtifactSet(index, (package,), {}, {}, {}), ())
    catalog = run_catalog(run, NoQueries())

    (of_package,) = [component for component in catalog.components if component.type == "package"]
    assert len(of_package.description) == 500
    assert not set(of_package.description) & {"\n", "\u202e"}


class NoQueries:
    """Answers nothing."""

    version = "v"

    def answer(self, operation: str, parameters: Mapping[str, object]) -> Mapping[str, object]:
        raise NotImplementedError(operation, parameters)

    def parameter_schema(self, operation: str) -> Mapping[str, object]:
        return {"type": "object", "title": operation}


def test_pages_say_how_much_there_is(market: ServedRun) -> None:
    first: Any = market.list_packages({"limit": 3})
    last: Any = market.list_packages({"offset": 6, "limit": 3})

    assert (first["total"], first["nextOffset"], len(first["packages"])) == (8, 3, 3)
    assert (last["offset"], len(last["packages"]), "nextOffset" in last) == (6, 2, False)
    beyond: Any = market.list_packages({"offset": 100})
    named: Any = market.list_packages({"text": "PEOPLE"})
    assert (beyond["total"], beyond["packages"]) == (8, [])
    assert [item["name"] for item in named["packages"]] == ["@harbour/people"]


@pytest.mark.parametrize(
    ("given", "count"),
    [
        ({}, 8),
        ({"severity": "error"}, 1),
        ({"severity": "info"}, 0),
        ({"path": "packages/catalogue/src/price-tag.ts"}, 1),
        ({"path": "packages/catalogue/src/price"}, 0),
        ({"path": "packages/"}, 8),
        ({"package": "@harbour/accounting"}, 1),
        ({"code": "numeric-precision", "path": "packages/accounting"}, 0),
    ],
)
def test_diagnostics_are_found_by_what_they_are_about(market: ServedRun, given: Any, count: int) -> None:
    found: Any = market.find_diagnostics(given)

    assert found["total"] == len(found["diagnostics"]) == count


def test_two_packages_of_one_name_have_their_own_diagnostics(tmp_path: Path) -> None:
    for place in ("one", "two"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "package.json").write_text('{"name": "same"}')
        (tmp_path / place / "a.ts").write_text("@smrt() class A extends SmrtObject { price = 0.5; }")
    scan(tmp_path, tmp_path / "out")
    catalog = open_catalog(tmp_path / "out", None)
    found = {
        component.instance: json.loads(
            call_verb(
                catalog,
                Call(
                    "surface_read",
                    {"capabilityId": "view:package.diagnostics", "instanceId": component.instance},
                ),
            ).text
        )
        for component in catalog.components
        if component.instance
    }

    paths = sorted(
        {item["filePath"] for item in part["diagnostics"] if item["code"] == "numeric-precision"}.pop()
        for part in found.values()
    )
    assert paths == ["one/a.ts", "two/a.ts"]


def test_a_damaged_surface_is_named(tmp_path: Path, shop: Path) -> None:
    scan(shop, tmp_path / "out")
    surface = json.loads((tmp_path / "out/agent-surface.json").read_bytes())
    (tmp_path / "out/agent-surface.json").write_text(json.dumps({**surface, "diagnostics": [1]}))

    with pytest.raises(UsageError, match=r"agent-surface\.json is damaged"):
        open_catalog(tmp_path / "out", None)


def test_what_changed_after_the_run_is_told(tmp_path: Path, shop: Path) -> None:
    scan(shop, tmp_path / "out")
    with (tmp_path / "out/diagnostics.json").open("a") as file:
        file.write("\n")
    outcome = call_verb(
        open_catalog(tmp_path / "out", None), Call("surface_read", {"capabilityId": "view:run.summary"})
    )

    assert json.loads(outcome.text)["alteredSinceTheRun"] == ["diagnostics.json"]


class Reader:
    """Reads runs and counts them; each may do something first."""

    def __init__(self, directory: Path) -> None:
        self.index = directory / "index.json"
        self.index.write_text("1")
        self.reads: list[str] = []
        self.meanwhile: list[Any] = []

    def __call__(self, _directory: Path) -> Catalog:
        text = self.index.read_text()
        self.reads.append(text)
        if self.meanwhile:
            self.meanwhile.pop(0)()
        return Catalog(text, (), ())

    def replace(self, text: str) -> None:
        other = self.index.with_name("other")
        other.write_text(text)
        other.replace(self.index)


def test_a_run_is_read_once_until_another_takes_its_place(tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    live = LiveRun(tmp_path, reader)

    assert live.current() is live.current()
    reader.replace("2")
    assert (live.current().version, live.current().version, reader.reads) == ("2", "2", ["1", "2"])


def test_a_run_that_is_replaced_while_it_is_read_is_read_again(tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    reader.meanwhile = [lambda: reader.replace("2")]

    assert LiveRun(tmp_path, reader).current().version == "2"


def fail() -> None:
    raise UsageError("damaged")


def test_what_fails_while_it_is_replaced_is_read_again(tmp_path: Path) -> None:
    reader = Reader(tmp_path)

    def replace_and_fail() -> None:
        reader.replace("2")
        fail()

    reader.meanwhile = [replace_and_fail]

    assert LiveRun(tmp_path, reader).current().version == "2"


def test_a_run_that_changes_all_the_time_is_given_up(tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    reader.meanwhile = [lambda text=str(number): reader.replace(text) for number in range(99)]

    with pytest.raises(RunUnreadableError, match="faster"):
        LiveRun(tmp_path, reader).current()
    assert len(reader.reads) == 3


def test_what_cannot_be_read_is_tried_again_and_never_answered_from_before(tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    live = LiveRun(tmp_path, reader)
    live.current()
    reader.replace("2")
    reader.meanwhile = [fail, fail]

    for _ in range(2):
        with pytest.raises(RunUnreadableError, match="damaged"):
            live.current()
    assert live.current().version == "2"
    reader.index.unlink()
    with pytest.raises(RunUnreadableError, match="no run"):
        live.current()


def test_a_defect_is_an_error_that_hides_nothing_but_its_trace(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_given: Any) -> Any:
        raise KeyError("secret")

    defect = Capability("domain:broken", Effect.SERVER_QUERY, "Breaks.", broken)
    Reader(tmp_path)
    live = LiveRun(tmp_path, lambda _directory: Catalog("v", (), (defect,)))
    outcome = ServedSurface(live, Mode.META).call("surface_act", {"capabilityId": "domain:broken"})
    error = json.loads(outcome.text)

    assert (error["code"], error["details"]["reason"]) == ("EXECUTION_FAILED", "internal-error")
    assert "KeyError" in error["message"]
    assert "secret" not in outcome.text
    assert "secret" in caplog.text


def test_equal_runs_have_the_same_version_and_others_another(tmp_path: Path, shop: Path) -> None:
    for name in ("one", "two"):
        scan(shop, tmp_path / name)
    one, two = (open_catalog(tmp_path / name, None) for name in ("one", "two"))
    (shop / "src/order.ts").write_text("@smrt() export class Order extends SmrtObject { note = 'x'; }")
    scan(shop, tmp_path / "two")

    assert one.version == two.version != open_catalog(tmp_path / "two", None).version


def test_everything_that_is_said_is_a_function_of_the_artifacts(tmp_path: Path) -> None:
    texts = []
    for name in ("one", "two"):
        scan(EXAMPLE, tmp_path / name, "--workers", "1" if name == "one" else "2")
        texts.append(call_verb(open_catalog(tmp_path / name, None), Call("surface_discover", {})).text)

    assert texts[0] == texts[1]
    assert "capturedAt" not in texts[0]


def test_wrong_arguments_are_told_before_anything_else(tmp_path: Path) -> None:
    surface = ServedSurface(LiveRun(tmp_path, Reader(tmp_path)), Mode.META)
    (tmp_path / "index.json").unlink()
    wrong, right = (
        surface.call("surface_read", {}),
        surface.call("surface_read", {"capabilityId": "view:a.b"}),
    )

    assert json.loads(wrong.text)["code"] == "INVALID_INPUT"
    assert json.loads(right.text)["details"]["reason"] == "artifacts-unreadable"
    assert (wrong.surface_version, right.surface_version) == (None, None)


def test_the_guide_names_every_capability_and_code(market: ServedRun) -> None:
    guide = (Path(__file__).parent.parent / "docs/serve.md").read_text()
    catalog = run_catalog(market, NoQueries())

    for target in catalog.targets():
        path = (
            target.capability.id
            if "query." not in target.capability.id
            else target.capability.path.partition(".")[2]
        )
        assert f"{path}`" in guide
    assert all(f"`{code}`" in guide for code in ErrorCode)


def test_artifacts_that_cannot_be_asked_are_named(
    tmp_path: Path, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_directory: Path, _root: Path | None) -> None:
        raise ValueError("of another format")

    scan(shop, tmp_path / "out")
    monkeypatch.setattr("workers.serving.run_catalog.QueryService.open", refuse)

    with pytest.raises(UsageError, match=r"out: the artifacts cannot be asked: of another format\."):
        open_catalog(tmp_path / "out", None)
