"""The commands ``diff`` and ``history``, and what ``run --history`` leaves for them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from change_trees import SHOP, plant_files
from schema_parts import validator

from workers.history import History

Command = Callable[..., Any]

OLD = "@smrt({ mcp: false, cli: false })\nexport class Order extends SmrtObject {\n  note: string = '';\n}\n"
NEW = OLD.replace("note: string = ''", "total: number = 0")
LABELLED = OLD.replace("mcp", "label: 'Orders', mcp")
GROWN = OLD.replace("note", "total: number = 0;\n  note")


@pytest.fixture
def runs(command: Command, tmp_path: Path) -> Callable[..., Path]:
    """Run a scan of one source and return its artifact directory."""

    def run(name: str, text: str, *options: str | Path) -> Path:
        root = plant_files(tmp_path / f"{name}-tree", {**SHOP, "src/order.ts": text})
        assert command("run", root, "--out", tmp_path / name, "--quiet", *options).code == 0
        return tmp_path / name

    return run


def shown(finished: Any) -> str:
    assert finished.err == ""
    text: str = finished.out.decode()
    return text


class TestDiff:
    def test_text_tells_everything_by_package_and_class(
        self, command: Command, runs: Callable[..., Path]
    ) -> None:
        finished = command("diff", runs("old", OLD), runs("new", NEW))

        assert finished.code == 0
        assert shown(finished) == (
            "@acme/shop\n"
            "  Order\n"
            "    breaking    field note of type text removed. Its column and all that reads or sets it go with it.\n"
            "    compatible  field total of type integer added. Rows and callers need no value for it.\n"
            "\n"
            "2 changes: 1 breaking, 1 compatible, 0 cosmetic.\n"
        )

    def test_equal_runs_have_nothing_to_tell(self, command: Command, runs: Callable[..., Path]) -> None:
        old, new = runs("old", OLD), runs("new", f"// a comment\n{OLD}")

        for options in ((), ("--fail-on", "any")):
            finished = command("diff", old, new, *options)
            assert (finished.code, shown(finished)) == (0, "Nothing changed.\n")

    @pytest.mark.parametrize(
        ("text", "failing"),
        [
            (NEW, {"breaking", "compatible", "any"}),
            (GROWN, {"compatible", "any"}),
            (LABELLED, {"any"}),
            (OLD, set()),
        ],
        ids=["breaking", "compatible", "cosmetic", "equal"],
    )
    def test_the_gravity_that_fails_is_a_choice(
        self, command: Command, runs: Callable[..., Path], text: str, failing: set[str]
    ) -> None:
        old, new = runs("old", OLD), runs("new", text)
        codes = {
            level: command("diff", old, new, "--fail-on", level).code
            for level in ("breaking", "compatible", "any", "never")
        }

        assert {level for level, code in codes.items() if code == 1} == failing
        assert set(codes.values()) <= {0, 1}

    def test_json_is_valid_and_tells_the_same(self, command: Command, runs: Callable[..., Path]) -> None:
        finished = command("diff", runs("old", OLD), runs("new", NEW), "--format", "json")
        document = json.loads(shown(finished))

        validator("diff").validate(document)
        assert document["counts"] == {"breaking": 1, "compatible": 1, "cosmetic": 0}
        assert document["changes"][0] == {
            "impact": "breaking",
            "subject": "field",
            "action": "removed",
            "package": "@acme/shop",
            "name": "Order",
            "member": "note",
            "before": {"type": "text", "required": False, "default": ""},
            "reason": "Its column and all that reads or sets it go with it.",
        }

    def test_null_is_a_value_and_absence_is_none(self, command: Command, runs: Callable[..., Path]) -> None:
        old, new = runs("old", OLD), runs("new", OLD.replace("mcp", "odd: null, mcp"))
        document = json.loads(shown(command("diff", old, new, "--format", "json")))

        (change,) = document["changes"]
        assert change["after"] is None
        assert "before" not in change


class TestWrongArtifacts:
    @pytest.fixture
    def pair(self, runs: Callable[..., Path]) -> tuple[Path, Path]:
        return runs("old", OLD), runs("new", NEW)

    @pytest.mark.parametrize(
        "name",
        ["index.json", "packages/acme__shop/manifest.json", "agent-surface.json", "diagnostics.json"],
    )
    def test_one_that_is_missing_is_named(self, command: Command, pair: tuple[Path, Path], name: str) -> None:
        (pair[1] / name).unlink()
        finished = command("diff", *pair)

        assert (finished.code, finished.out) == (2, b"")
        assert f"{pair[1]}: {name} is missing" in finished.err

    @pytest.mark.parametrize(
        ("content", "needle"),
        [
            (b'{\n  "a": }', "line 2 column 8"),
            (b'{"a": "\xff"}', "invalid start byte"),
            (b"[]", "at the top stands a list, where an object is expected"),
            (b"[" * 5000, "nested too deeply"),
            (b"{}", "formatVersion None"),
            (b'{"formatVersion": 2}', "formatVersion 2, but this version of scan-cluster reads 1"),
            (b'{"formatVersion": true}', "formatVersion True"),
            (b'{"formatVersion": 1}', "at packages stands None, where a list is expected"),
            (
                b'{"formatVersion": 1, "packages": [5]}',
                "at packages[0] stands 5, where an object is expected",
            ),
            (
                b'{"formatVersion": 1, "packages": [{"name": "a", "directory": ".", "manifest": "../x.json"}]}',
                "at packages[0].manifest stands '../x.json', where a path like packages/NAME/manifest.json is expected",
            ),
        ],
    )
    def test_a_damaged_index_says_where(
        self, command: Command, pair: tuple[Path, Path], content: bytes, needle: str
    ) -> None:
        (pair[0] / "index.json").write_bytes(content)
        finished = command("diff", *pair)

        assert (finished.code, finished.out) == (2, b"")
        assert needle in finished.err
        assert f"{pair[0]}: index.json" in finished.err

    @pytest.mark.parametrize(
        ("name", "change", "needle"),
        [
            ("packages/acme__shop/manifest.json", {"version": "2.0.0"}, "version '2.0.0'"),
            (
                "packages/acme__shop/manifest.json",
                {"objects": []},
                "at objects stands a list, where an object",
            ),
            ("packages/acme__shop/manifest.json", {"objects": {"a\x1b": 1}}, "at objects.a\\x1b stands 1"),
            (
                "packages/acme__shop/manifest.json",
                {"objects": {"a": {"fields": {"b": None}, "methods": {}}}},
                "at objects.a.fields.b stands None",
            ),
            (
                "packages/acme__shop/manifest.json",
                {"objects": {"a": {"fields": {}, "methods": {"m": {"parameters": [1]}}}}},
                "at objects.a.methods.m.parameters[0] stands 1",
            ),
            ("agent-surface.json", {"intents": [{"id": 1}]}, "at intents[0].id stands 1, where a text"),
            ("agent-surface.json", {"intents": [{"id": "a"}, {"id": "a"}]}, "where a text that no other has"),
            ("diagnostics.json", {"formatVersion": 9}, "formatVersion 9"),
            (
                "diagnostics.json",
                {"diagnostics": [{"severity": "loud"}]},
                "where one of error, warning, info",
            ),
            (
                "diagnostics.json",
                {"diagnostics": [{"severity": "info", "code": []}]},
                "[0].code stands a list",
            ),
        ],
    )
    def test_a_damaged_artifact_says_where(
        self, command: Command, pair: tuple[Path, Path], name: str, change: dict[str, Any], needle: str
    ) -> None:
        path = pair[0] / name
        path.write_text(json.dumps({**json.loads(path.read_bytes()), **change}))
        finished = command("diff", *pair)

        assert (finished.code, finished.out) == (2, b"")
        assert needle in finished.err
        assert name in finished.err

    def test_values_nested_without_end_are_refused(self, command: Command, pair: tuple[Path, Path]) -> None:
        path = pair[0] / "packages/acme__shop/manifest.json"
        text = path.read_text()
        codes = {}
        for levels in (250, 350, 5000):
            value = "[" * levels + "]" * levels
            path.write_text(text.replace('"mcp": false', f'"odd": {value}, "mcp": false'))
            finished = command("diff", *pair, "--format", "json")
            codes[levels] = finished.code
            assert ("nested too deeply" in finished.err) == (finished.code == 2)

        assert codes == {250: 0, 350: 2, 5000: 2}

    @pytest.mark.parametrize("name", ["nowhere", "file", "empty"])
    def test_what_is_no_artifact_directory_is_refused(
        self, command: Command, pair: tuple[Path, Path], tmp_path: Path, name: str
    ) -> None:
        (tmp_path / "file").write_text("")
        (tmp_path / "empty").mkdir()
        finished = command("diff", tmp_path / name, pair[1])

        assert finished.code == 2
        assert "give a directory that `scan-cluster run --out` wrote" in finished.err

    def test_keys_of_newer_versions_are_no_fault(self, command: Command, pair: tuple[Path, Path]) -> None:
        path = pair[0] / "index.json"
        path.write_text(json.dumps({**json.loads(path.read_bytes()), "news": [1]}))

        assert command("diff", *pair).code == 0


class TestHistory:
    @pytest.fixture
    def history(self, runs: Callable[..., Path], tmp_path: Path) -> Path:
        for text in (OLD, OLD, NEW):
            runs("out", text, "--history", tmp_path / "history")
        return tmp_path / "history"

    def test_runs_are_compared_by_their_age(self, command: Command, history: Path, tmp_path: Path) -> None:
        told = {
            (old, new): shown(command("diff", old, new, "--history", history)).splitlines()[-1]
            for old, new in (
                ("@-1", "@latest"),
                ("@-2", "@-1"),
                ("@latest", str(tmp_path / "out")),
                ("@-2", "@-0"),
            )
        }

        assert list(told.values()) == [
            "2 changes: 1 breaking, 1 compatible, 0 cosmetic.",
            "Nothing changed.",
            "Nothing changed.",
            "2 changes: 1 breaking, 1 compatible, 0 cosmetic.",
        ]

    def test_runs_are_compared_by_their_time(self, command: Command, history: Path) -> None:
        names = ("2026-11-29T23-59-59Z", "2026-11-30T00-00-00Z", "2026-11-30T09-00-00Z")
        for old, new in zip(History(history).names(), names, strict=True):
            (history / f"runs/{old}.json").rename(history / f"runs/{new}.json")
        breaking = "2 changes: 1 breaking, 1 compatible, 0 cosmetic."

        for old, new, last in (
            ("@2026-11-29", "@2026-11-30", breaking),
            ("@2026-11-29", "@2026-11-30T00", "Nothing changed."),
            ("@2026-11-30T00:00:00Z", "@2026-11", breaking),
            ("@2026-11-30T09-00-00Z", "@latest", "Nothing changed."),
        ):
            assert shown(command("diff", old, new, "--history", history)).splitlines()[-1] == last

    @pytest.mark.parametrize(
        ("reference", "needle"),
        [
            ("@-3", "it holds 3, from 20"),
            ("@1999-01-01", "There is no run @1999-01-01"),
            ("@yesterday", "References are @latest, @-1"),
            ("@", "References are @latest, @-1"),
            ("@2026", "References are @latest, @-1"),
        ],
    )
    def test_a_run_that_is_not_there(
        self, command: Command, history: Path, reference: str, needle: str
    ) -> None:
        finished = command("diff", reference, "@latest", "--history", history)

        assert (finished.code, finished.out) == (2, b"")
        assert needle in finished.err

    def test_a_reference_needs_a_history(self, command: Command, tmp_path: Path) -> None:
        finished = command("diff", "@-1", "@latest")
        assert (finished.code, "say with --history" in finished.err) == (2, True)

        for place in (tmp_path / "nowhere", tmp_path):
            finished = command("diff", "@-1", "@latest", "--history", place)
            assert (finished.code, "is no history" in finished.err) == (2, True)

    def test_the_list_of_runs(self, command: Command, history: Path) -> None:
        names = reversed(History(history).names())
        *lines, total = shown(command("history", history)).splitlines()

        assert [line.split()[:2] for line in lines] == [
            [reference, name] for reference, name in zip(("@latest", "@-1", "@-2"), names, strict=True)
        ]
        assert [line.split("Z", 1)[1].lstrip(".23").strip() for line in lines] == [
            "1 model, 0 intents, 0 playbooks, 0 errors, 0 warnings",
            "as the run before it",
            "1 model, 0 intents, 0 playbooks, 0 errors, 0 warnings",
        ]
        assert total.startswith("3 runs, ")

    def test_the_newest_runs_are_kept(
        self, command: Command, history: Path, runs: Callable[..., Path]
    ) -> None:
        runs("out", NEW, "--history", history, "--history-keep", "2")

        assert len(list((history / "runs").iterdir())) == 2
        assert command("diff", "@-1", "@latest", "--history", history).code == 0

    def test_a_history_among_the_sources_is_not_scanned(
        self, runs: Callable[..., Path], tmp_path: Path
    ) -> None:
        out = runs("out", OLD, "--history", tmp_path / "out-tree/history")
        first = (out / "index.json").read_bytes()
        shutil.copy(tmp_path / "out-tree/src/order.ts", tmp_path / "out-tree/history/objects/order.ts")
        runs("out", OLD, "--history", tmp_path / "out-tree/history")

        assert (out / "index.json").read_bytes() == first

    @pytest.mark.parametrize("option", ["--history-keep", "--history-days"])
    def test_a_rule_without_a_history_is_wrong_usage(
        self, command: Command, shop: Path, tmp_path: Path, option: str
    ) -> None:
        finished = command("run", shop, "--out", tmp_path / "out", option, "3")

        assert (finished.code, "give --history too" in finished.err) == (2, True)
        assert not (tmp_path / "out").exists()

    def test_a_directory_that_is_no_history_stops_the_run_before_it_begins(
        self, command: Command, shop: Path, tmp_path: Path
    ) -> None:
        finished = command("run", shop, "--out", tmp_path / "out", "--history", shop)

        assert (finished.code, "none of a history" in finished.err) == (2, True)
        assert not (tmp_path / "out").exists()

    def test_settings_come_from_a_file(self, command: Command, shop: Path, tmp_path: Path) -> None:
        config = tmp_path / "c.toml"
        config.write_text(
            f'history = "{tmp_path / "history"}"\nhistory-keep = 1\nhistory-days = 0.5\n', encoding="utf-8"
        )
        for _ in range(2):
            assert command("run", shop, "--out", tmp_path / "out", "--config", config, "--quiet").code == 0

        assert len(list((tmp_path / "history/runs").iterdir())) == 1
        config.write_text("history-days = 0")
        assert command("run", shop, "--out", tmp_path / "out", "--config", config).code == 2
