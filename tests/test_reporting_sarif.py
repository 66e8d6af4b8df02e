from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote_to_bytes

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft4Validator
from reporting_samples import finding, finding_lists, findings

from scanner.diagnostics import CODES, Severity
from scanner.serialization import encode_document
from workers.reporting.fingerprints import fingerprinted
from workers.reporting.sarif import sarif_document

SCHEMA = json.loads((Path(__file__).parent / "data/sarif-schema-2.1.0.json").read_text())
VALIDATOR = Draft4Validator(SCHEMA)
RELATIVE_URI = re.compile(r"(?!//)(?:[A-Za-z0-9_.~-]|%[0-9A-F]{2}|/)+")


def run_of(diagnostics):
    return sarif_document(diagnostics, "1.2.3")["runs"][0]


def uri_of(path):
    return run_of([finding(file_path=path)])["results"][0]["locations"][0]["physicalLocation"][
        "artifactLocation"
    ]


def test_the_schema_rejects_what_is_no_sarif():
    broken = sarif_document([finding()], "1.2.3")
    broken["runs"][0]["results"][0]["level"] = "fatal"
    assert not VALIDATOR.is_valid(broken)
    assert not VALIDATOR.is_valid({"version": "2.1.0"})


def test_a_finding_is_a_result_with_its_place_and_fingerprint():
    diagnostic = finding(hint="Write it as a literal.", expression="...BASE", decorator="@smrt()")
    run = run_of([diagnostic])
    assert run["results"] == [
        {
            "ruleId": "unresolved-config",
            "ruleIndex": list(CODES).index("unresolved-config"),
            "level": "error",
            "message": {"text": "The config depends on `...BASE`.\nWrite it as a literal."},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": "src/order.ts", "uriBaseId": "%SRCROOT%"},
                        "region": {"startLine": 3, "startColumn": 9},
                    }
                }
            ],
            "partialFingerprints": {"scanClusterFinding/v1": fingerprinted([diagnostic])[0].fingerprint},
            "properties": {"expression": "...BASE", "decorator": "@smrt()"},
        }
    ]
    assert run["columnKind"] == "utf16CodeUnits"
    assert (run["tool"]["driver"]["name"], run["tool"]["driver"]["version"]) == ("scan-cluster", "1.2.3")


def test_a_finding_without_line_or_file_has_no_region_or_location():
    whole_file, whole_scan = run_of([finding(line=None, column=None), finding(file_path="", line=None)])[
        "results"
    ][::-1]
    assert whole_file["locations"] == [
        {"physicalLocation": {"artifactLocation": {"uri": "src/order.ts", "uriBaseId": "%SRCROOT%"}}}
    ]
    assert "locations" not in whole_scan


def test_a_place_that_no_file_has_is_left_out():
    def location(**place):
        return run_of([finding(**place)])["results"][0]["locations"][0]["physicalLocation"]

    assert location(line=7, column=0)["region"] == {"startLine": 7}
    assert "region" not in location(line=0, column=4)


@pytest.mark.parametrize(
    ("severity", "level"), [("error", "error"), ("warning", "warning"), ("info", "note")]
)
def test_severities_have_their_levels(severity, level):
    assert run_of([finding(severity=Severity(severity))])["results"][0]["level"] == level


def test_every_code_is_a_rule_with_help():
    rules = run_of([])["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(CODES)
    rule = next(rule for rule in rules if rule["id"] == "file-too-large")
    assert rule["name"] == "FileTooLarge"
    assert rule["shortDescription"]["text"] == CODES["file-too-large"].summary
    assert rule["defaultConfiguration"] == {"level": "error"}
    assert "--max-file-bytes" in rule["help"]["text"]
    assert "**Mend it:**" in rule["help"]["markdown"]


def test_a_code_that_the_table_does_not_know_becomes_a_rule_of_its_own():
    run = run_of([finding(code="from-elsewhere", severity=Severity.INFO), finding()])
    assert run["tool"]["driver"]["rules"][-1]["id"] == "from-elsewhere"
    assert {result["ruleId"]: result["ruleIndex"] for result in run["results"]}["from-elsewhere"] == len(
        CODES
    )
    assert VALIDATOR.is_valid(sarif_document([finding(code="from-elsewhere")], "1"))


def test_unknown_codes_become_rules_by_name():
    run = run_of([finding(code="z", file_path="a.ts"), finding(code="y", file_path="b.ts")])
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"][-2:]] == ["y", "z"]


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("a b/ü#?.ts", "a%20b/%C3%BC%23%3F.ts"),
        ("c:/x.ts", "c%3A/x.ts"),
        ("100%.ts", "100%25.ts"),
        ("x\udcff.ts", "x%FF.ts"),
        ("x\ud83d\udcff.ts", "x%ED%A0%BD%FF.ts"),
        ("a\\b.ts", "a%5Cb.ts"),
    ],
)
def test_paths_are_percent_encoded(path, uri):
    assert uri_of(path) == {"uri": uri, "uriBaseId": "%SRCROOT%"}


def test_an_absolute_path_is_a_file_uri():
    assert uri_of("/srv/a b.ts") == {"uri": "file:///srv/a%20b.ts"}


def test_lone_surrogates_in_texts_become_escapes():
    result = run_of([finding(message="a \ud83d b", expression="\udcff")])["results"][0]
    assert result["message"]["text"] == "a \\ud83d b"
    assert result["properties"]["expression"] == "\\xff"


@settings(max_examples=40, deadline=None)
@given(finding_lists)
def test_any_findings_give_a_valid_log(diagnostics):
    document = sarif_document(diagnostics, "1.2.3")
    VALIDATOR.validate(document)
    # A strict reader takes the bytes: no lone surrogates anywhere.
    assert orjson.loads(encode_document(document)) == document
    rules = document["runs"][0]["tool"]["driver"]["rules"]
    for result in document["runs"][0]["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]


@given(findings)
def test_a_path_can_be_had_back_from_its_uri(diagnostic):
    for result in run_of([diagnostic])["results"]:
        for location in result.get("locations", []):
            uri = location["physicalLocation"]["artifactLocation"]["uri"]
            assert RELATIVE_URI.fullmatch(uri.removeprefix("file://"))
            path = unquote_to_bytes(uri.removeprefix("file://")).decode("utf-8", "surrogateescape")
            if not re.search("[\ud800-\udfff]", diagnostic.file_path):
                assert path == diagnostic.file_path


@pytest.mark.parametrize(
    "changes",
    [
        {"decorator": "@smrt()"},
        {"expression": "...BASE"},
        {"expression": ""},
        {"line": 0, "hint": ""},
        {"hint": "Mend it."},
        {"severity": Severity.WARNING},
    ],
)
def test_findings_at_one_place_have_an_order_of_their_own(changes):
    one = finding(line=None)
    other = replace(one, **changes)
    assert run_of([one, other])["results"] == run_of([other, one])["results"]


@given(finding_lists, st.randoms())
def test_the_order_of_findings_does_not_matter(diagnostics, random):
    shuffled = random.sample(diagnostics, len(diagnostics))
    assert run_of(shuffled)["results"] == run_of(diagnostics)["results"]
