"""The guard lets a package through only when its published manifest holds every model of its source."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import EXAMPLE

from scanner.completeness import CompletenessReport, manifest_export, verify_manifest_completeness

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
        (root / path).write_text(text)
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


@pytest.mark.parametrize("manifest", [None, "not json", "[]", "{}", '{"objects": []}'])
def test_a_manifest_that_cannot_be_read_is_missing(tmp_path: Path, manifest: str | None) -> None:
    assert package(tmp_path, {"order.ts": MODEL}, manifest=manifest).status.value == "missing-manifest"


@pytest.mark.parametrize("target", ["../elsewhere.json", "./dist/../../x.json", "/etc/passwd"])
def test_a_manifest_outside_the_package_is_refused(tmp_path: Path, target: str) -> None:
    report = package(tmp_path / "pkg", {"order.ts": MODEL}, exports={"./manifest": target})

    assert report.status.value == "missing-manifest"
    assert "outside the package" in report.reason


@pytest.mark.parametrize(
    "source",
    [
        {"order.ts": MODEL, "broken.ts": "class {"},
        {"order.ts": "@smrt({ ...SHARED }) export class Order {}"},
        {"order.ts": MODEL, "again.ts": MODEL},
        {"broken.ts": "export const = ;"},
    ],
)
def test_an_error_in_the_source_stops_the_comparison(tmp_path: Path, source: dict[str, str]) -> None:
    report = package(tmp_path, source, manifest=objects("Order"))

    assert report.status.value == "scan-error"
    assert report.diagnostics


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


@pytest.mark.parametrize(
    ("exports", "path"),
    [
        ({"./manifest": "./a.json", "./manifest.json": "./b.json"}, "./a.json"),
        ({"./manifest.json": "./b.json"}, "./b.json"),
        ({"./manifest": {"types": "./t.json", "import": "./i.json", "default": "./d.json"}}, "./d.json"),
        ({"./manifest": {"types": "./t.json", "import": {"default": "./i.json"}}}, "./i.json"),
        ({"./manifest": {"node": "./n.json"}}, None),
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
        found = {
            Path(item["directory"]).name: item["status"] for item in json.loads(finished.out)["packages"]
        }

        assert finished.code == 1
        assert (found.pop("people"), found.pop("kernel"), found.pop("catalogue")) == (
            "ok",
            "missing-manifest",
            "missing-manifest",
        )
        assert set(found.values()) == {"skipped"}

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

        assert b"...SHARED" in finished.out
        assert b"src/order.ts" in finished.out

    def test_a_directory_that_is_none_is_wrong_usage(self, command: Any, tmp_path: Path) -> None:
        assert command("verify", tmp_path / "missing").code == 2
