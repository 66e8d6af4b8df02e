"""The report page: its data, and that nothing in it can run, load or hide."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from importlib.resources import files
from pathlib import Path

import pytest
from change_trees import SHOP
from hypothesis import given
from hypothesis import strategies as st
from report_pages import IMPORT, data_of, document_of, scanned
from runs import scan

from workers.report.page import SEARCH_LIBRARY, render_page

LIBRARY_SHA256 = "3eef8ba0ad55444c31f0e86f8375f25916515402cf2d4d7b5a2c01b4b67f2e19"

FAMILY = {
    **SHOP,
    "src/base.ts": IMPORT
    + "export class Record extends SmrtObject { createdBy: string = ''; }\n"
    + "@smrt({ tableStrategy: 'sti', api: { include: ['list'] }, mcp: false })\n"
    + "export class Vehicle extends Record { plate: string = ''; }\n"
    + "@smrt({ cli: { exclude: ['delete'] }, mcp: true })\nexport class Van extends Vehicle { load: number = 0; }\n"
    + "export class Helper {}\n",
}


def named(document, name):
    return next(item for item in document["classes"] if item["name"] == name)


def test_a_field_tells_which_class_it_comes_from(tmp_path):
    document = document_of(scanned(tmp_path, FAMILY))
    origins = {
        field["name"]: document["classes"][field["origin"]]["name"] if "origin" in field else "itself"
        for field in named(document, "Van")["fields"]
    }

    assert origins == {"createdBy": "Record", "plate": "Vehicle", "load": "itself"}


def test_a_surface_that_is_not_mentioned_is_open_by_default(tmp_path):
    document = document_of(scanned(tmp_path, FAMILY))

    assert named(document, "Vehicle")["surfaces"] == [
        {"state": "only", "actions": ["list"]},
        {"state": "closed"},
        {"state": "default"},
    ]
    assert named(document, "Van")["surfaces"] == [
        {"state": "default"},
        {"state": "open"},
        {"state": "except", "actions": ["delete"]},
    ]
    assert {item["state"] for item in named(document, "Record")["surfaces"]} == {"none"}


def test_classes_that_no_manifest_has_are_listed_at_full_depth(tmp_path):
    helper = named(document_of(scanned(tmp_path, FAMILY)), "Helper")

    assert "isListed" not in helper
    assert (helper["file"], helper["line"]) == ("src/base.ts", 7)


def test_a_run_without_class_records_says_what_the_page_cannot_know(tmp_path):
    document = document_of(scanned(tmp_path, FAMILY, "--depth", "manifest"))

    assert any("--depth full" in remark for remark in document["remarks"])
    assert named(document, "Record")["isModel"]


def test_the_parent_is_the_class_that_the_import_leads_to(tmp_path):
    base = IMPORT + "@smrt() export class Base extends SmrtObject {}\n"
    tree = {f"{name}/package.json": f'{{"name": "@acme/{name}"}}' for name in ("a", "b", "c")}
    leaf = "import { Base } from '@acme/b';\n" + IMPORT + "@smrt() export class Leaf extends Base {}\n"
    files = {**tree, "a/index.ts": base, "b/index.ts": base, "c/x.ts": leaf}
    document = document_of(scanned(tmp_path, files))
    leaf = named(document, "Leaf")

    assert document["classes"][leaf["parent"]]["file"] == "b/index.ts"
    assert leaf["rule"] == "import"
    assert "rivals" not in leaf


def test_classes_among_which_no_import_decides_are_listed(tmp_path):
    base = IMPORT + "@smrt() export class Base extends SmrtObject {}\n"
    leaf = IMPORT + "@smrt() export class Leaf extends Base {}\n"
    document = document_of(scanned(tmp_path, {**SHOP, "a.ts": base, "b.ts": base, "c.ts": leaf}))

    assert named(document, "Leaf")["rule"] == "ambiguous"
    assert named(document, "Leaf")["rivals"] == ["b.ts"]


@pytest.mark.parametrize(
    ("parent", "rule"), [("SmrtObject", "framework"), ("Lost", "not-found"), ("View", "external")]
)
def test_a_parent_outside_of_the_scan_is_told_with_its_rule(tmp_path, parent, rule):
    source = IMPORT + f"import {{ View }} from 'react'; @smrt() export class Leaf extends {parent} {{}}\n"
    leaf = named(document_of(scanned(tmp_path, {**SHOP, "a.ts": source})), "Leaf")

    assert (leaf["extends"], leaf["rule"]) == (parent, rule)
    assert not {"parent", "at"} & leaf.keys()


def test_an_ancestor_that_the_page_does_not_list_is_named_with_its_file(tmp_path):
    source = "export class Plain { base = 1; }\n@smrt({ tableStrategy: 'sti' }) class Leaf extends Plain { own = 1; }"
    out = scanned(tmp_path, {**SHOP, "a.ts": source}, "--depth", "manifest")
    leaf = named(document_of(out), "Leaf")

    assert (leaf["extends"], leaf["at"]) == ("Plain", "a.ts")
    assert [field.get("from") for field in leaf["fields"]] == ["Plain in a.ts", None]


def test_a_run_that_did_not_record_lineages_is_shown_without_origins(tmp_path):
    out = scanned(tmp_path, FAMILY)
    index = json.loads((out / "index.json").read_bytes())
    del index["packages"][0]["lineage"]
    (out / "index.json").write_text(json.dumps(index))
    document = document_of(out)

    assert any("which class each class extends" in remark for remark in document["remarks"])
    assert not any("origin" in field for field in named(document, "Van")["fields"])


def test_models_of_a_file_whose_config_could_not_be_read_are_in_doubt(tmp_path):
    tree = {**SHOP, "src/a.ts": IMPORT + "@smrt({ ...REMOTE }) export class A extends SmrtObject {}\n"}

    assert named(document_of(scanned(tmp_path, tree)), "A")["isInDoubt"]


@given(st.text())
def test_no_text_ends_the_data_element_or_gets_lost(text):
    page = render_page({"text": f"</script><!--{text}"}).decode()

    assert page.count("</script>") == 3
    assert data_of(page) == {"text": f"</script><!--{text}"}


def test_the_policy_allows_nothing_but_the_style_and_the_scripts_of_the_page():
    page = render_page({}).decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    inline = [
        *re.findall(r"<style>(.*?)</style>", page, re.DOTALL),
        *re.findall(r"<script>(.*?)</script>", page, re.DOTALL),
    ]
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in inline]

    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert len(digests) == 3
    assert sorted(re.findall(r"'sha256-([^']*)'", policy)) == sorted(digests)


def test_the_search_library_is_the_one_that_its_author_ships():
    library = files("workers.report").joinpath("assets", SEARCH_LIBRARY).read_bytes()

    assert hashlib.sha256(library).hexdigest() == LIBRARY_SHA256


def test_equal_artifacts_give_equal_pages(tmp_path, command):
    out = scanned(tmp_path, FAMILY)
    for name in ("one", "other"):
        assert command("report", out, "--out", tmp_path / f"{name}.html").code == 0

    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "other.html").read_bytes()
    assert str(tmp_path) not in (tmp_path / "one.html").read_text()


def test_findings_come_with_source_lines_of_the_scanned_directory_alone(tmp_path, command):
    out = scanned(
        tmp_path, {**SHOP, "src/a.ts": IMPORT + "@smrt({ ...REMOTE }) export class A extends SmrtObject {}\n"}
    )
    (tmp_path / "secret.ts").write_text("1\n2\n3\nsecret\n")
    diagnostics = out / "diagnostics.json"
    page = tmp_path / "page.html"

    def excerpts():
        command("report", out, "--out", page, "--root", tmp_path / "tree")
        return [finding.get("excerpt", {}).get("text") for finding in data_of(page.read_text())["findings"]]

    assert excerpts() == ["@smrt({ ...REMOTE }) export class A extends SmrtObject {}"]
    diagnostics.write_text(diagnostics.read_text().replace("src/a.ts", "../secret.ts"))
    assert excerpts() == [None]


def test_kept_runs_give_trends_and_changes(tmp_path, command):
    closed = "@smrt({ api: false, mcp: false, cli: false }) export class A extends SmrtObject {}\n"
    tree = (
        scanned(tmp_path, {**SHOP, "src/a.ts": IMPORT + closed}, "--history", str(tmp_path / "kept")).parent
        / "tree"
    )
    (tree / "src/a.ts").write_text(IMPORT + closed.replace("api: false, ", ""))
    scan(tree, tmp_path / "out", "--history", str(tmp_path / "kept"))

    for shown in (tmp_path / "out", "@latest"):
        page = tmp_path / "page.html"
        assert command("report", shown, "--out", page, "--history", tmp_path / "kept").code == 0
        data = data_of(page.read_text())
        assert len(data["trends"]) == 2
        assert data["changes"]["exposures"]["opened"] == 1
        (group,) = data["changes"]["groups"]
        assert data["classes"][group["changes"][0]["class"]]["name"] == "A"


@pytest.mark.parametrize("place", ["out/page.html", "missing/page.html"])
def test_a_page_is_not_written_among_artifacts_or_where_nothing_can_be(tmp_path, command, place):
    finished = command("report", scanned(tmp_path, FAMILY), "--out", tmp_path / place)

    assert finished.code in {2, 8}
    assert not (tmp_path / place).exists()
    assert Path(place).name in finished.err
