"""``run`` writes the artifacts it promises, for every kind of input, and says what happened by its exit code."""

from __future__ import annotations

import hashlib
import json
import os
import socket
import stat
from pathlib import Path
from typing import Any

import pytest
from runs import diagnostics_of

ARTIFACTS = {"index.json", "diagnostics.json", "run.json", "packages/acme__shop/manifest.json"}


def files_below(directory: Path) -> set[str]:
    return {path.relative_to(directory).as_posix() for path in directory.rglob("*") if path.is_file()}


def load(path: Path) -> Any:
    return json.loads(path.read_bytes())


def test_a_clean_package_gives_its_artifacts_and_exit_0(command: Any, shop: Path, tmp_path: Path) -> None:
    finished = command("run", shop, "--out", tmp_path / "out")

    assert finished.code == 0
    assert files_below(tmp_path / "out") >= ARTIFACTS
    manifest = load(tmp_path / "out/packages/acme__shop/manifest.json")
    assert manifest["objects"]["@acme/shop:Order"]["fields"] == {
        "note": {"type": "text", "required": False, "default": ""}
    }
    assert "1 model" in finished.err


def test_the_index_counts_and_digests_what_was_written(command: Any, shop: Path, tmp_path: Path) -> None:
    command("run", shop, "--out", tmp_path / "out", "--depth", "full")
    index = load(tmp_path / "out/index.json")

    assert (index["totals"]["files"], index["totals"]["models"]) == (2, 1)
    assert [entry["name"] for entry in index["packages"]] == ["@acme/shop"]
    for path, entry in index["artifacts"].items():
        content = (tmp_path / "out" / path).read_bytes()
        assert (len(content), hashlib.sha256(content).hexdigest()) == (entry["bytes"], entry["sha256"])
    assert str(tmp_path) not in (tmp_path / "out/index.json").read_text()


def test_full_depth_adds_every_raw_class_and_changes_no_manifest(
    command: Any, shop: Path, tmp_path: Path
) -> None:
    command("run", shop, "--out", tmp_path / "plain")
    command("run", shop, "--out", tmp_path / "full", "--depth", "full")
    lines = (tmp_path / "full/classes.ndjson").read_bytes().splitlines()

    assert [json.loads(line)["className"] for line in lines] == ["Order"]
    assert not (tmp_path / "plain/classes.ndjson").exists()
    manifest = "packages/acme__shop/manifest.json"
    assert (tmp_path / "plain" / manifest).read_bytes() == (tmp_path / "full" / manifest).read_bytes()


def test_two_runs_give_equal_bytes(command: Any, shop: Path, tmp_path: Path) -> None:
    command("run", shop, "--out", tmp_path / "one")
    command("run", shop, "--out", tmp_path / "two")

    for path in files_below(tmp_path / "one") - {"run.json"}:
        assert (tmp_path / "one" / path).read_bytes() == (tmp_path / "two" / path).read_bytes()


@pytest.mark.parametrize(
    ("fail_on", "source", "code"),
    [
        ("error", "@smrt({ ...x }) class A {}", 1),
        ("never", "@smrt({ ...x }) class A {}", 0),
        ("error", "@smrt() class A { price = 1.5 }", 0),
        ("warning", "@smrt() class A { price = 1.5 }", 1),
    ],
)
def test_findings_set_bit_1_from_the_gravity_asked_for(
    command: Any, shop: Path, tmp_path: Path, fail_on: str, source: str, code: int
) -> None:
    (shop / "src/extra.ts").write_text(source)

    assert command("run", shop, "--out", tmp_path / "out", "--fail-on", fail_on).code == code


def test_a_finding_is_shown_with_its_place_and_remedy(command: Any, shop: Path, tmp_path: Path) -> None:
    (shop / "src/extra.ts").write_text("@smrt({ ...SHARED })\nclass A {}\n")
    out = command("run", shop, "--out", tmp_path / "out").out.decode()

    assert "src/extra.ts" in out
    assert "unresolved-config" in out
    assert "...SHARED" in out


def test_quiet_prints_nothing(command: Any, shop: Path, tmp_path: Path) -> None:
    (shop / "src/extra.ts").write_text("@smrt({ ...SHARED }) class A {}")
    finished = command("run", shop, "--out", tmp_path / "out", "--quiet")

    assert (finished.code, finished.out, finished.err) == (1, b"", "")


def test_bad_files_are_named_and_all_others_arrive(command: Any, shop: Path, tmp_path: Path) -> None:
    source = shop / "src"
    (source / "binary.ts").write_bytes(b"\x7fELF\0\0\xff\xfe")
    (source / "empty.ts").write_bytes(b"")
    (source / "huge.ts").write_bytes(b"x" * 2000)
    (source / "latin.ts").write_bytes(b"@smrt() class Latin { caf\xe9 = 1; }")
    (source / "nul.ts").write_bytes(b"@smrt() class Nul { text = 'a\0b'; }")
    (source / "surrogate.ts").write_bytes(b"@smrt({ label: '\\ud83d', raw: '\xed\xa0\xbd' }) class Half {}")
    (source / "broken.ts").write_bytes(b"@smrt() class {")
    os.mkfifo(source / "pipe.ts")
    with socket.socket(socket.AF_UNIX) as endpoint:
        endpoint.bind(str(source / "socket.ts"))
    Path(os.fsdecode(os.fsencode(source) + b"/odd-\xff.ts")).write_text("@smrt() class Odd {}")
    finished = command("run", shop, "--out", tmp_path / "out", "--max-file-bytes", "1000")
    found = diagnostics_of(tmp_path / "out")

    assert finished.code == 1 | 4
    assert "Traceback" not in finished.err
    assert set(found) >= {
        ("file-binary", "src/binary.ts"),
        ("file-too-large", "src/huge.ts"),
        ("invalid-encoding", "src/latin.ts"),
        ("nul-bytes", "src/nul.ts"),
        ("invalid-encoding", "src/surrogate.ts"),
        ("syntax-error", "src/broken.ts"),
        ("not-a-regular-file", "src/pipe.ts"),
        ("not-a-regular-file", "src/socket.ts"),
    }
    manifest = load(tmp_path / "out/packages/acme__shop/manifest.json")
    assert set(manifest["objects"]) == {
        f"@acme/shop:{name}" for name in ("Order", "Latin", "Nul", "Half", "Odd")
    }
    assert manifest["objects"]["@acme/shop:Half"]["decoratorConfig"]["label"] == "\ud83d"
    assert manifest["objects"]["@acme/shop:Odd"]["filePath"] == "src/odd-\udcff.ts"


def test_a_file_that_vanishes_between_listing_and_reading_is_named(
    command: Any, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (shop / "src/gone.ts").write_text("@smrt() class Gone {}")
    real_open = os.open

    def open_after_removal(path: Any, *arguments: Any, **options: Any) -> int:
        if os.fspath(path).endswith("gone.ts"):
            (shop / "src/gone.ts").unlink(missing_ok=True)
        return real_open(path, *arguments, **options)

    monkeypatch.setattr(os, "open", open_after_removal)
    finished = command("run", shop, "--out", tmp_path / "out")

    assert finished.code & 4
    assert ("file-vanished", "src/gone.ts") in diagnostics_of(tmp_path / "out")


class TestOutputDirectory:
    """Nothing is ever replaced but the artifacts of an earlier run."""

    def test_inside_the_root_it_is_not_scanned(self, command: Any, shop: Path) -> None:
        command("run", shop, "--out", shop / "out")
        (shop / "out/packages/late.ts").write_text("@smrt() class Late {}")
        command("run", shop, "--out", shop / "out")

        assert load(shop / "out/index.json")["totals"]["files"] == 2

    @pytest.mark.parametrize("out", [".", "..", "link-to-root"])
    def test_the_root_or_what_holds_it_is_refused(self, command: Any, shop: Path, out: str) -> None:
        (shop / "link-to-root").symlink_to(shop)
        before = files_below(shop)
        finished = command("run", shop, "--out", shop / out)

        assert finished.code == 2
        assert "scanned directory" in finished.err
        assert files_below(shop) == before

    @pytest.mark.parametrize(
        "content", [None, "{}", "[1]", "not json", '{"tool": {"name": "other"}, "formatVersion": 1}']
    )
    def test_a_directory_of_others_is_refused_untouched(
        self, command: Any, shop: Path, tmp_path: Path, content: str | None
    ) -> None:
        out = tmp_path / "precious"
        (out / "packages").mkdir(parents=True)
        (out / "packages/thesis.txt").write_text("years of work")
        if content is not None:
            (out / "index.json").write_text(content)
        finished = command("run", shop, "--out", out)

        assert finished.code == 2
        assert "left alone" in finished.err
        assert (out / "packages/thesis.txt").read_text() == "years of work"

    def test_a_file_is_refused(self, command: Any, shop: Path, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("x")

        assert command("run", shop, "--out", tmp_path / "file").code == 2
        assert command("run", shop, "--out", tmp_path / "file/below").code == 2

    def test_an_earlier_run_is_replaced_whole(self, command: Any, shop: Path, tmp_path: Path) -> None:
        command("run", shop, "--out", tmp_path / "out", "--depth", "full")
        command("run", shop, "--out", tmp_path / "out")

        assert not (tmp_path / "out/classes.ndjson").exists()
        assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o755
        assert {path.name for path in tmp_path.iterdir()} == {"out", "shop"}

    def test_an_empty_directory_and_missing_parents_are_fine(
        self, command: Any, shop: Path, tmp_path: Path
    ) -> None:
        (tmp_path / "empty").mkdir()

        assert command("run", shop, "--out", tmp_path / "empty").code == 0
        assert command("run", shop, "--out", tmp_path / "a/b/c").code == 0

    def test_an_earlier_run_over_names_that_are_no_utf8_is_replaced_too(
        self, command: Any, shop: Path, tmp_path: Path
    ) -> None:
        odd = Path(os.fsdecode(os.fsencode(shop) + b"/\xff"))
        odd.mkdir()
        (odd / "package.json").write_text('{"name": "@acme/odd"}')
        (odd / "a.ts").write_text("@smrt() class A extends SmrtObject {}")

        assert command("run", shop, "--out", tmp_path / "out").code == 0
        assert command("run", shop, "--out", tmp_path / "out").code == 0

    def test_a_failed_write_leaves_the_earlier_artifacts(
        self, command: Any, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        command("run", shop, "--out", tmp_path / "out")
        before = {path: (tmp_path / "out" / path).read_bytes() for path in files_below(tmp_path / "out")}
        (shop / "src/order.ts").write_text("@smrt() class Changed {}")

        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(Path, "write_bytes", full)
        finished = command("run", shop, "--out", tmp_path / "out")
        monkeypatch.undo()

        assert finished.code == 8
        assert "No space left on device" in finished.err
        assert {
            path: (tmp_path / "out" / path).read_bytes() for path in files_below(tmp_path / "out")
        } == before
        assert {path.name for path in tmp_path.iterdir()} == {"out", "shop"}


@pytest.mark.parametrize(
    ("arguments", "needle"),
    [
        (("run", "missing-root", "--out", "x"), "does not exist"),
        (("run",), "--out"),
        (("run", ".", "--out", "x", "--frobnicate"), "--frobnicate"),
        (("run", ".", "--out", "x", "--depth", "deep"), "--depth"),
        (("run", ".", "--out", "x", "--max-file-bytes", "0"), "--max-file-bytes"),
        (("run", ".", "--out", "x", "--config", "none.toml"), "none.toml"),
        (("run", ".", "--out", "x", "--include", "{" * 40 + "a,b" + "}" * 40), "nested"),
        (("run", ".", "--out", "x", "--agent-surface-include", ""), "empty pattern"),
        (("files", ".", "--exclude", ""), "empty pattern"),
        (("walk",), "walk"),
    ],
)
def test_wrong_usage_exits_2_and_names_the_fault(
    command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], needle: str
) -> None:
    monkeypatch.chdir(tmp_path)
    finished = command(*arguments)

    assert finished.code == 2
    assert needle in finished.err
    assert list(tmp_path.iterdir()) == []


def test_a_file_as_root_is_refused(command: Any, shop: Path, tmp_path: Path) -> None:
    finished = command("run", shop / "package.json", "--out", tmp_path / "out")

    assert (finished.code, "is no directory" in finished.err) == (2, True)


class TestConfiguration:
    """Settings come from a file; the command line wins."""

    def test_settings_apply_and_the_command_line_wins(self, command: Any, shop: Path, tmp_path: Path) -> None:
        config = tmp_path / "c.toml"
        config.write_text('depth = "full"\nexclude = ["src/order.ts"]\n')
        command("run", shop, "--out", tmp_path / "a", "--config", config)
        command("run", shop, "--out", tmp_path / "b", "--config", config, "--depth", "manifest")

        assert load(tmp_path / "a/index.json")["totals"]["files"] == 1
        assert (tmp_path / "a/classes.ndjson").exists()
        assert not (tmp_path / "b/classes.ndjson").exists()

    @pytest.mark.parametrize(
        ("text", "needle"),
        [
            ("depht = 'full'", "depht"),
            ("depth = 'deep'", "one of manifest, full"),
            ("include = 'x'", "a list of strings"),
            ("max-file-bytes = 0", "above 0"),
            ("quiet = 1", "true or false"),
            ("include = [", "no valid TOML"),
        ],
    )
    def test_a_wrong_setting_is_named(
        self, command: Any, shop: Path, tmp_path: Path, text: str, needle: str
    ) -> None:
        (tmp_path / "c.toml").write_text(text)
        finished = command("run", shop, "--out", tmp_path / "out", "--config", tmp_path / "c.toml")

        assert finished.code == 2
        assert needle in finished.err
        assert "c.toml" in finished.err

    @pytest.mark.parametrize(
        "preset",
        sorted((Path(__file__).parent.parent / "configs").glob("*.toml")),
        ids=lambda path: path.name,
    )
    def test_every_preset_works(self, command: Any, shop: Path, tmp_path: Path, preset: Path) -> None:
        options = ("--config", preset, "--cache", tmp_path / "cache")
        extra = (
            ("--plan", "--workers", "2") if preset.stem == "ray-cluster" else ()
        )  # there is no cluster here

        assert command("run", shop, "--out", tmp_path / "out", *options, *extra).code == 0

    def test_the_default_preset_says_the_defaults(self, command: Any, shop: Path, tmp_path: Path) -> None:
        preset = Path(__file__).parent.parent / "configs/default.toml"
        command("run", shop, "--out", tmp_path / "a", "--config", preset)
        command("run", shop, "--out", tmp_path / "b")

        assert load(tmp_path / "a/index.json")["options"] == load(tmp_path / "b/index.json")["options"]


class TestReports:
    """Findings in the form that people and tools want, and baselines that hide what is known."""

    @pytest.fixture
    def faulty(self, shop: Path) -> Path:
        (shop / "src/extra.ts").write_text("@smrt({ ...SHARED })\nclass A { price = 1.5; }\n")
        return shop

    def test_json(self, command: Any, faulty: Path, tmp_path: Path) -> None:
        document = json.loads(command("run", faulty, "--out", tmp_path / "out", "--format", "json").out)

        assert [item["code"] for item in document["diagnostics"]] == [
            "unresolved-config",
            "numeric-precision",
        ]
        assert document["counts"] == {"error": 1, "warning": 1, "info": 0}

    def test_github(self, command: Any, faulty: Path, tmp_path: Path) -> None:
        lines = (
            command("run", faulty, "--out", tmp_path / "out", "--format", "github").out.decode().splitlines()
        )

        assert lines[0].startswith("::error file=src/extra.ts,line=1,col=9,")
        assert lines[1].startswith("::warning file=src/extra.ts,line=2,")

    def test_sarif(self, command: Any, faulty: Path, tmp_path: Path) -> None:
        printed = json.loads(command("run", faulty, "--out", tmp_path / "out", "--format", "sarif").out)

        assert printed == load(tmp_path / "out/diagnostics.sarif")
        assert [item["ruleId"] for item in printed["runs"][0]["results"]] == [
            "unresolved-config",
            "numeric-precision",
        ]

    def test_a_baseline_lets_old_findings_pass_and_new_ones_fail(
        self, command: Any, faulty: Path, tmp_path: Path
    ) -> None:
        baseline = tmp_path / "baseline.json"
        out = tmp_path / "out"
        written = command("run", faulty, "--out", out, "--write-baseline", baseline)
        again = command("run", faulty, "--out", out, "--baseline", baseline, "--fail-on", "warning")
        (faulty / "src/new.ts").write_text("@smrt({ ...OTHER }) class B {}")
        finished = command("run", faulty, "--out", out, "--baseline", baseline, "--fail-on", "warning")

        assert (written.code, again.code, finished.code) == (0, 0, 1)
        assert b"SHARED" not in finished.out
        assert b"OTHER" in finished.out
        assert "2 known findings" in finished.err

    @pytest.mark.parametrize("content", [None, "{}", "not json"])
    def test_a_file_that_is_no_baseline_is_refused_before_the_run(
        self, command: Any, shop: Path, tmp_path: Path, content: str | None
    ) -> None:
        if content is not None:
            (tmp_path / "b.json").write_text(content)
        finished = command("run", shop, "--out", tmp_path / "out", "--baseline", tmp_path / "b.json")

        assert (finished.code, "b.json" in finished.err) == (2, True)
        assert not (tmp_path / "out").exists()


INTENT = """import { defineIntent } from '@happyvertical/smrt-web/intents';
export const list = defineIntent({
  id: 'order.list', description: 'Show all.', target: { registry: 'control', action: 'reveal' },
});
"""


class TestAgentSurface:
    """Intents and playbooks of the whole tree in one artifact."""

    def test_declarations_arrive_from_scripts_that_hold_no_classes(
        self, command: Any, shop: Path, tmp_path: Path
    ) -> None:
        (shop / "src/order.intents.js").write_text(INTENT)
        (shop / "src/View.svelte").write_text(f"<script>\n{INTENT}</script>")
        command("run", shop, "--out", tmp_path / "out")
        surface = load(tmp_path / "out/agent-surface.json")

        assert [(item["id"], item["filePath"]) for item in surface["intents"]] == [
            ("order.list", "src/order.intents.js")
        ]
        assert [item["code"] for item in surface["diagnostics"]] == ["svelte-declaration"]
        assert ("svelte-declaration", "src/View.svelte") in diagnostics_of(tmp_path / "out")

    def test_it_can_be_turned_off(self, command: Any, shop: Path, tmp_path: Path) -> None:
        (shop / "src/order.intents.ts").write_text(INTENT)
        command("run", shop, "--out", tmp_path / "out", "--no-agent-surface")

        assert load(tmp_path / "out/agent-surface.json")["intents"] == []

    @pytest.mark.parametrize(
        "content",
        ['["order_list"]', '{"order_list": {}}', '{"generatedToolNames": ["order_list"]}'],
    )
    def test_a_tool_name_that_a_model_registers_is_reported_not_dropped(
        self, command: Any, shop: Path, tmp_path: Path, content: str
    ) -> None:
        (shop / "src/order.intents.ts").write_text(INTENT)
        (tmp_path / "names.json").write_text(content)
        command("run", shop, "--out", tmp_path / "out", "--generated-tool-names", tmp_path / "names.json")

        assert ("tool-name-collision", "src/order.intents.ts") in diagnostics_of(tmp_path / "out")
        assert len(load(tmp_path / "out/agent-surface.json")["intents"]) == 1

    @pytest.mark.parametrize("content", ["[1]", "7", '{"generatedToolNames": "x"}', "not json"])
    def test_a_file_of_another_shape_is_refused(
        self, command: Any, shop: Path, tmp_path: Path, content: str
    ) -> None:
        (tmp_path / "names.json").write_text(content)
        finished = command(
            "run", shop, "--out", tmp_path / "out", "--generated-tool-names", tmp_path / "names.json"
        )

        assert (finished.code, "names.json" in finished.err) == (2, True)
