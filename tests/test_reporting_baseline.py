from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reporting_samples import finding, finding_lists, findings

from scanner.diagnostics import Severity
from workers.reporting.baseline import Baseline, read_baseline, write_baseline
from workers.reporting.fingerprints import fingerprinted, without_positions


def names(diagnostics):
    return [item.fingerprint for item in fingerprinted(diagnostics)]


def test_a_baseline_file_is_sorted_json_without_positions():
    # These bytes are a file format: teams keep them in their repositories, so a change here needs a new version.
    second = finding(file_path="src/a.ts", code="duplicate-class", message="Also in b.ts, line 40.")
    assert write_baseline([finding(), second]) == (
        b"""{
  "formatVersion": 1,
  "tool": "scan-cluster",
  "findings": [
    {
      "path": "src/a.ts",
      "code": "duplicate-class",
      "message": "Also in b.ts, line #.",
      "fingerprint": "6f3dc27d2fb694bda19d1892973c4f2b"
    },
    {
      "path": "src/order.ts",
      "code": "unresolved-config",
      "message": "The config depends on `...BASE`.",
      "fingerprint": "aeb4b3fe5f22f684ec81d2e2015989f6"
    }
  ]
}
"""
    )


def test_entries_stand_by_path_and_code_wherever_their_findings_stand():
    moving = finding(code="unreadable-options", line=1)
    entries = [Baseline.of([replace(moving, line=line), finding(line=5)]).entries for line in (1, 9)]
    assert [entry.code for entry in entries[0]] == ["unreadable-options", "unresolved-config"]
    assert entries[0] == entries[1]


def test_an_empty_baseline_knows_nothing():
    baseline = read_baseline(write_baseline([]))
    assert baseline == Baseline()
    assert baseline.split([finding()]) == ((finding(),), (), ())


@pytest.mark.parametrize(
    "changes",
    [
        {"line": 80, "column": 1},
        {"line": None, "column": None},
        {"severity": Severity.WARNING},
        {"hint": "Another hint."},
        {"message": "Another wording."},
        {"expression": "{\n  ...BASE,a: 1 }"},
    ],
)
def test_a_known_finding_stays_known_when_only_this_changes(changes):
    before = finding(expression="{ ...BASE, a: 1 }")
    assert Baseline.of([before]).split([replace(before, **changes)]).new == ()


@pytest.mark.parametrize(
    "changes",
    [
        {"code": "unreadable-options"},
        {"file_path": "src/other.ts"},
        {"decorator": "@method()"},
        {"expression": "...OTHER"},
        {"expression": None},
    ],
)
def test_a_finding_is_new_when_this_changes(changes):
    before = finding(expression="...BASE", decorator="@smrt()")
    after = replace(before, **changes)
    split = Baseline.of([before]).split([after])
    assert split.new == (after,)
    assert split.known == ()
    assert [entry.path for entry in split.gone] == ["src/order.ts"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Also stands in a.ts, line 12; kept.", "Also stands in a.ts, line 9; kept."),
        (
            "The file has 900 bytes, more than the limit of 800.",
            "The file has 7 bytes, more than the limit of 5.",
        ),
        ("See src/a.ts:4:10 first.", "See src/a.ts:5 first."),
        ("Line 3 says no.", "Line 14 says no."),
        ("One  blank.", "One blank."),
    ],
)
def test_positions_and_sizes_in_messages_do_not_count(one, other):
    assert without_positions(one) == without_positions(other)
    assert names([finding(message=one)]) == names([finding(message=other)])


@pytest.mark.parametrize(
    ("one", "other"),
    [("Intent order.v1", "Intent order.v2"), ("default 0.5 is", "default 0.7 is"), ("a: 1", "a: 2")],
)
def test_other_numbers_in_messages_do_count(one, other):
    assert names([finding(message=one)]) != names([finding(message=other)])


def test_a_second_equal_finding_in_the_file_is_new():
    first, second = finding(line=3), finding(line=30)
    split = Baseline.of([first]).split([second, first])
    assert split == ((second,), (first,), ())


def test_one_of_two_equal_findings_that_is_mended_is_gone_and_nothing_is_new():
    first, second = finding(line=3), finding(line=30)
    split = Baseline.of([first, second]).split([second])
    assert (split.new, split.known) == ((), (second,))
    assert len(split.gone) == 1


def test_long_messages_are_shortened_for_people_only():
    entry = Baseline.of([finding(message="x" * 1000)]).entries[0]
    assert len(entry.message) == 200
    assert names([finding(message="x" * 1000)]) != names([finding(message="x" * 1001)])


def changed(**changes):
    content = json.loads(write_baseline([finding()]))
    return json.dumps({**content, **changes}).encode()


def changed_entry(**changes):
    content = json.loads(write_baseline([finding()]))
    return changed(findings=[{**content["findings"][0], **changes}])


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "no valid JSON"),
        (b"{", "no valid JSON"),
        (b"\xff\xfe", "no valid JSON"),
        (b"[" * 200_000, "nested too deep"),
        (b"{\n<<<<<<< HEAD\n", "merge conflict"),
        (b"[]", "no baseline"),
        (b'{"diagnostics": []}', "no baseline"),
        (changed(formatVersion=2), "format version 2"),
        (changed(formatVersion=True), "format version True"),
        (changed(findings={}), "no list"),
        (changed(findings=["x"]), "Finding 1 of the baseline is no object"),
        (changed_entry(path=None), "no text called `path`"),
        (changed_entry(fingerprint="x"), "32 lower-case hexadecimal digits"),
    ],
)
def test_what_is_no_baseline_is_refused_with_a_reason_and_a_way_out(data, complaint):
    with pytest.raises(ValueError, match=complaint) as refusal:
        read_baseline(data)
    assert str(refusal.value).endswith("Write the baseline anew.")


def test_an_editor_may_leave_a_byte_order_mark_and_twice_the_same_entry():
    content = json.loads(write_baseline([finding()]))
    content["findings"] *= 2
    assert read_baseline(b"\xef\xbb\xbf" + json.dumps(content).encode()) == Baseline.of([finding()])


@given(finding_lists)
def test_fingerprints_are_unique_within_a_run(diagnostics):
    found = names([*diagnostics, *diagnostics])
    assert len(set(found)) == len(found) == 2 * len(diagnostics)


@given(st.lists(st.tuples(findings, st.integers(1, 40)), max_size=6), st.integers(1, 5000))
def test_moving_a_file_s_code_down_changes_no_fingerprint(placed, lines):
    before = [replace(item, line=line) for item, line in placed]
    after = [replace(item, line=line + lines) for item, line in placed]
    assert names(after) == names(before)
    assert Baseline.of(before).split(after).new == ()


@given(finding_lists)
def test_everything_in_a_baseline_is_known(diagnostics):
    split = read_baseline(write_baseline(diagnostics)).split(diagnostics)
    assert (split.new, len(split.known), split.gone) == ((), len(diagnostics), ())


@given(finding_lists, findings)
def test_one_more_finding_is_the_only_new_one(diagnostics, extra):
    extra = replace(extra, expression=None, message="Nothing else says this.")
    split = Baseline.of(diagnostics).split([extra, *diagnostics])
    assert split.new == (extra,)
    assert (len(split.known), split.gone) == (len(diagnostics), ())


@given(st.lists(findings, min_size=1, max_size=6), st.data())
def test_one_more_of_an_equal_finding_is_one_new_one(diagnostics, data):
    original = data.draw(st.sampled_from(diagnostics))
    again = replace(original, line=data.draw(st.integers(1, 50)))
    split = Baseline.of(diagnostics).split([*diagnostics, again])
    assert [(item.code, item.file_path, item.decorator) for item in split.new] == [
        (original.code, original.file_path, original.decorator)
    ]
    assert (len(split.known), split.gone) == (len(diagnostics), ())


@given(st.lists(findings, min_size=1, max_size=6), st.data())
def test_one_finding_less_is_one_entry_gone(diagnostics, data):
    index = data.draw(st.integers(0, len(diagnostics) - 1))
    rest = diagnostics[:index] + diagnostics[index + 1 :]
    split = Baseline.of(diagnostics).split(rest)
    assert (split.new, len(split.gone)) == ((), 1)
    assert (split.gone[0].path, split.gone[0].code) == (diagnostics[index].file_path, diagnostics[index].code)


@given(finding_lists, st.randoms())
def test_equal_findings_give_equal_bytes_in_whatever_order_they_come(diagnostics, random):
    shuffled = random.sample(diagnostics, len(diagnostics))
    assert write_baseline(shuffled) == write_baseline(diagnostics)
