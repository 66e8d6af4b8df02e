"""The guard lets a package through only when its published manifest holds every model of its source."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from conftest import EXAMPLE

from scanner import scan_project
from scanner.completeness import CompletenessReport, verify_manifest_completeness
from scanner.resolution.package_targets import manifest_export
from scanner.serialization import encode_document

MODEL = "@smrt() export class Order extends SmrtObject {}"


def package(
    root: Path, source: dict[str, str], exports: Any = None, manifest: Any = None
) -> CompletenessReport:
    exports = {"./manifest": "./dist/manifest.json"} if exports is None else exports
    files = {f"src/{path}": text for path, text in source.items()}
    files["package.json"] = json.dumps({"name": "@acme/shop", "exports": exports})
    if manifest is not None:
        files["dist/manifest.json"] = manifest if isinstance(manifest, str) else json.dumps(manifest)
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode("utf-8", "surrogateescape"))
    return verify_manifest_completeness(root)


def objects(*names: str) -> Any:
    return {"objects": {f"@acme/shop:{name}": {} for name in names}}


def test_a_complete_manifest_is_ok(tmp_path: Path) -> None:
    report = package(tmp_path, {"order.ts": MODEL}, manifest=objects("Order", "Retired"))

    assert (report.status.value, report.expected, report.missing) == ("ok", ("@acme/shop:Order",), ())


def test_a_model_that_the_manifest_lacks_is_named(tmp_path: Path) -> None:
    report = package(
        tmp_path,
        {"order.ts": MODEL, "deep/bill.ts": "export class Bill extends SmrtObject {}"},
        manifest=objects("Order"),
    )

    assert (report.status.value, report.missing) == ("incomplete", ("@acme/shop:Bill",))


@pytest.mark.parametrize(
    ("manifest", "reason"),
    [
        (None, "does not exist"),
        ("not json", "is not valid JSON"),
        ('{"objects": NaN}', "is not valid JSON"),
        ("[" * 100_000, "is not valid JSON"),
        ("[]", "is no manifest"),
        ("{}", "is no manifest"),
        ('{"objects": []}', "is no manifest"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_manifest_that_cannot_be_read_is_missing(tmp_path: Path, manifest: str | None, reason: str) -> None:
    report = package(tmp_path, {"order.ts": MODEL}, manifest=manifest)

    assert (report.status.value, report.manifest_path) == ("missing-manifest", "dist/manifest.json")
    assert report.reason == f"dist/manifest.json {reason}; build the package first."
    assert report.expected == ("@acme/shop:Order",)


@pytest.mark.parametrize("target", ["./dist", "./a\0b.json", ""])
def test_a_manifest_path_that_names_no_file_is_missing(tmp_path: Path, target: str) -> None:
    report = package(tmp_path, {"order.ts": MODEL}, exports={"./manifest": target}, manifest=objects("Order"))

    assert report.status.value == "missing-manifest"
    assert "cannot be read" in report.reason


def test_a_fifo_in_the_manifests_place_does_not_hold_up_the_guard(tmp_path: Path) -> None:
    (tmp_path / "dist").mkdir()
    os.mkfifo(tmp_path / "dist/manifest.json")

    assert package(tmp_path, {"order.ts": MODEL}).status.value == "missing-manifest"


def test_what_a_scan_writes_is_complete_whatever_the_source_holds(tmp_path: Path) -> None:
    source = {"order.ts": "@smrt() export class Order { lone: string = '\\ud800'; ok = '☕' }"}
    package(tmp_path, source)
    manifest = scan_project(tmp_path).packages[0].manifest
    report = package(tmp_path, source, manifest="\ufeff" + encode_document(manifest).decode())

    assert "\\ud800" in (tmp_path / "dist/manifest.json").read_text()
    assert report.status.value == "ok"


@pytest.mark.parametrize("target", ["../elsewhere.json", "./dist/../../x.json", "/etc/passwd"])
def test_a_manifest_outside_the_package_is_refused(tmp_path: Path, target: str) -> None:
    report = package(tmp_path / "pkg", {"order.ts": MODEL}, exports={"./manifest": target})

    assert report.status.value == "missing-manifest"
    assert "outside the package" in report.reason
    assert report.manifest_path is None


def test_a_link_is_followed_inside_the_package_and_refused_out_of_it(tmp_path: Path) -> None:
    root = tmp_path / "pkg"
    package(root, {"order.ts": MODEL}, manifest=objects("Order"))
    (root / "dist").rename(root / "output")
    (root / "dist").symlink_to("output")
    inside = verify_manifest_completeness(root)
    (root / "output").rename(tmp_path / "output")
    (root / "dist").unlink()
    (root / "dist").symlink_to("../output")
    outside = verify_manifest_completeness(root)

    assert (inside.status.value, outside.status.value) == ("ok", "missing-manifest")
    assert "outside the package" in outside.reason


@pytest.mark.parametrize(
    "source",
    [
        {"order.ts": MODEL, "broken.ts": "class {"},
        {"order.ts": "@smrt({ ...SHARED }) export class Order {}"},
        {"order.ts": MODEL, "again.ts": MODEL},
        {"broken.ts": "export const = ;"},
        {"order.ts": MODEL, "binary.ts": "\0\udcff"},
    ],
)
@pytest.mark.parametrize("manifest", [None, objects(), objects("Order")])
def test_an_error_in_the_source_stops_the_comparison(
    tmp_path: Path, source: dict[str, str], manifest: Any
) -> None:
    report = package(tmp_path, source, manifest=manifest)

    assert (report.status.value, report.expected, report.missing) == ("scan-error", (), ())
    assert {diagnostic.severity.value for diagnostic in report.diagnostics} == {"error"}


@pytest.mark.parametrize(
    "source",
    [
        {"order.ts": "@smrt() export class Order { @field({ min: LIMIT }) price = 0.5 }"},
        {"order.ts": MODEL, "order2.ts": "export class Order {}"},
        {"order.ts": MODEL, "odd.ts": "// \udcff"},
    ],
)
def test_warnings_do_not_stop_it(tmp_path: Path, source: dict[str, str]) -> None:
    report = package(tmp_path, source, manifest=objects("Order"))

    assert (report.status.value, report.diagnostics) == ("ok", ())


def test_tests_declarations_and_output_do_not_count(tmp_path: Path) -> None:
    source = {
        name: f"@smrt() class X{number} {{}}"
        for number, name in enumerate(
            ["a.test.ts", "a.spec.ts", "__tests__/a.ts", "a.d.ts", "dist/a.ts", "a.tsx", "a.js"]
        )
    }

    assert package(tmp_path, source).status.value == "skipped"


@pytest.mark.parametrize("name", ["core", "types", "config", "scanner", "vitest", "smrt-playground"])
def test_framework_packages_are_skipped(tmp_path: Path, name: str) -> None:
    assert package(tmp_path / name, {"order.ts": MODEL}).status.value == "skipped"


def test_packages_without_a_manifest_to_publish_are_skipped(tmp_path: Path) -> None:
    assert package(tmp_path / "a", {"order.ts": MODEL}, exports={".": "./x.js"}).status.value == "skipped"
    assert package(tmp_path / "b", {"util.ts": "export const one = 1;"}).status.value == "skipped"
    assert verify_manifest_completeness(tmp_path).status.value == "skipped"


@pytest.mark.parametrize("content", ["", "[]", "null", "{" * 100_000, '{"exports": {"./manifest": 1}}'])
def test_a_package_file_without_a_manifest_to_find_is_skipped(tmp_path: Path, content: str) -> None:
    package(tmp_path, {"order.ts": MODEL})
    (tmp_path / "package.json").write_text(content)

    assert verify_manifest_completeness(tmp_path).status.value == "skipped"


def test_a_package_without_a_name_is_compared_by_class_names(tmp_path: Path) -> None:
    package(
        tmp_path, {"order.ts": MODEL, "bill.ts": "@smrt() class Bill {}"}, manifest={"objects": {"order": {}}}
    )
    (tmp_path / "package.json").write_text('{"exports": {"./manifest": "./dist/manifest.json"}}')
    report = verify_manifest_completeness(tmp_path)

    assert (report.status.value, report.package_name) == ("incomplete", None)
    assert (report.expected, report.missing) == (("bill", "order"), ("bill",))


def test_framework_bases_make_models(tmp_path: Path) -> None:
    package(tmp_path, {"visit.ts": "export class Visit extends Clinic {}"}, manifest=objects())

    assert verify_manifest_completeness(tmp_path).status.value == "skipped"
    assert verify_manifest_completeness(tmp_path, ["Clinic"]).missing == ("@acme/shop:Visit",)


def test_the_place_of_the_current_directory_counts_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package(tmp_path / "types", {"order.ts": MODEL})
    monkeypatch.chdir(tmp_path / "types")

    assert verify_manifest_completeness(".").status.value == "skipped"


def nested(depth: int) -> Any:
    entry: Any = "./m.json"
    for _ in range(depth):
        entry = {"import": entry}
    return {"./manifest": entry}


@pytest.mark.parametrize(
    ("exports", "path"),
    [
        ({"./manifest": "./a.json", "./manifest.json": "./b.json"}, "./a.json"),
        ({"./manifest.json": "./b.json"}, "./b.json"),
        ({"./manifest": {"types": "./t.json", "import": "./i.json", "default": "./d.json"}}, "./d.json"),
        ({"./manifest": {"types": "./t.json", "import": {"default": "./i.json"}}}, "./i.json"),
        ({"./manifest": {"node": "./n.json"}}, None),
        ({"./manifest": {"node": "./n.json"}, "./manifest.json": "./b.json"}, "./b.json"),
        ({"./manifest": {"types": "./t.json"}}, "./t.json"),
        (nested(8), "./m.json"),
        (nested(900), None),
        ({"./manifest": None}, None),
        ("./index.js", None),
    ],
)
def test_the_export_is_found_under_its_conditions(exports: Any, path: str | None) -> None:
    assert manifest_export(exports) == path


class TestCommand:
    """``verify`` speaks for several packages at once."""

    def test_the_sample_packages(self, command: Any) -> None:
        directories = sorted((EXAMPLE / "packages").iterdir())
        finished = command("verify", *directories, "--format", "json")
        reports = json.loads(finished.out)["packages"]
        found = {Path(report["directory"]).name: report["status"] for report in reports}

        assert finished.code == 1
        assert [report["directory"] for report in reports] == list(map(str, directories))
        assert (found.pop("people"), found.pop("kernel"), found.pop("catalogue")) == (
            "ok",
            "missing-manifest",
            "missing-manifest",
        )
        assert set(found.values()) == {"skipped"}
        assert command("verify", EXAMPLE / "packages/people").code == 0

    def test_the_samples_built_manifest_is_what_a_scan_of_its_package_writes(self) -> None:
        built = (EXAMPLE / "packages/people/dist/manifest.json").read_bytes()
        (found,) = scan_project(EXAMPLE / "packages/people").packages

        assert encode_document(found.manifest) == built

    def test_the_samples_packages_are_asked_for_what_a_scan_finds_in_them(self) -> None:
        found = {
            item.package.directory: sorted(item.manifest["objects"])
            for item in scan_project(EXAMPLE).packages
        }

        for directory in ("packages/people", "packages/kernel", "packages/catalogue"):
            assert list(verify_manifest_completeness(EXAMPLE / directory).expected) == found[directory]

    def test_a_change_of_the_sample_is_noticed(self, command: Any, tmp_path: Path) -> None:
        shutil.copytree(EXAMPLE / "packages/people", tmp_path / "people")
        (tmp_path / "people/src/late.ts").write_text("@smrt() export class Late {}")
        finished = command("verify", tmp_path / "people")

        assert finished.code == 1
        assert b"missing @harbour/people:Late" in finished.out

    def test_text_names_what_is_missing(self, command: Any, tmp_path: Path) -> None:
        package(tmp_path, {"order.ts": MODEL}, manifest=objects())
        finished = command("verify", tmp_path)

        assert finished.code == 1
        assert b"incomplete" in finished.out
        assert b"missing @acme/shop:Order" in finished.out

    def test_a_complete_package_exits_0_and_may_be_quiet(self, command: Any, tmp_path: Path) -> None:
        package(tmp_path, {"order.ts": MODEL}, manifest=objects("Order"))
        finished = command("verify", tmp_path, "--quiet")

        assert (finished.code, finished.out) == (0, b"")

    def test_errors_are_shown_with_their_place(self, command: Any, tmp_path: Path) -> None:
        package(tmp_path, {"order.ts": "@smrt({ ...SHARED }) export class Order {}"})
        finished = command("verify", tmp_path)
        (report,) = json.loads(command("verify", tmp_path, "--format", "json").out)["packages"]
        (diagnostic,) = report["diagnostics"]

        assert b"...SHARED" in finished.out
        assert b"src/order.ts" in finished.out
        assert (diagnostic["code"], diagnostic["line"]) == ("unresolved-config", 1)
        assert None not in diagnostic.values()

    def test_one_failure_among_several_packages_is_enough(self, command: Any, tmp_path: Path) -> None:
        package(tmp_path / "good", {"order.ts": MODEL}, manifest=objects("Order"))
        package(tmp_path / "bad", {"order.ts": MODEL})
        finished = command("verify", tmp_path / "good", tmp_path / "bad", "--quiet")

        assert finished.code == 1
        assert b"good" not in finished.out
        assert b"bad: missing-manifest." in finished.out

    def test_framework_bases_can_be_added(self, command: Any, tmp_path: Path) -> None:
        package(tmp_path, {"visit.ts": "export class Visit extends Clinic {}"}, manifest=objects())

        assert command("verify", tmp_path).code == 0
        assert command("verify", tmp_path, "--framework-base", "Clinic").code == 1

    def test_no_control_characters_reach_the_terminal(self, command: Any, tmp_path: Path) -> None:
        package(tmp_path, {"order.ts": MODEL}, exports={"./manifest": "./\x1b[2J.json"}, manifest=objects())
        (tmp_path / "package.json").write_text(
            json.dumps({"name": "\x1b[2J\n", "exports": {"./manifest": "./dist/manifest.json"}})
        )
        lines = command("verify", tmp_path).out.splitlines()

        assert lines[1:] == [rb"  missing \x1b[2J\x0a:Order"]

    @pytest.mark.parametrize("name", ["missing", "file"])
    def test_a_directory_that_is_none_is_wrong_usage(self, command: Any, tmp_path: Path, name: str) -> None:
        (tmp_path / "file").write_text("")
        package(tmp_path / "bad", {"order.ts": MODEL})
        finished = command("verify", tmp_path / "bad", tmp_path / name)

        assert (finished.code, finished.out) == (2, b"")
        assert name in finished.err

    def test_no_directory_at_all_is_wrong_usage(self, command: Any) -> None:
        assert command("verify").code == 2
