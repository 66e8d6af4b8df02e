from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reporting_samples import finding, finding_lists

from scanner.diagnostics import Severity
from workers.reporting.excerpt import MAX_CELLS, SourceLine, make_excerpt
from workers.reporting.text import render_text

SOURCE = b"""import { BASE } from './base';

@smrt({ ...BASE })
export class Order extends SmrtObject {
\ttaxRate = 0;
}
"""


def report(findings, source=SOURCE, *, color=False):
    return "\n".join(render_text(findings, lambda _path: source, color=color)) + "\n"


def excerpt_of(line, column, expression=None):
    return make_excerpt(SourceLine(line), column, expression)


def cells(text):
    return sum(
        0 if unicodedata.category(c) == "Mn" else 1 + (unicodedata.east_asian_width(c) in "WF") for c in text
    )


def marked(line, column, expression=None):
    """What stands in the marked cells of an excerpt."""
    excerpt = excerpt_of(line, column, expression)
    start, left = 0, excerpt.marker_start
    while left > 0:
        left -= cells(excerpt.text[start])
        start += 1
    assert left == 0
    end, left = start, excerpt.marker_length
    while left > 0 and end < len(excerpt.text):
        left -= cells(excerpt.text[end])
        end += 1
    return excerpt.text[start:end]


def test_a_report_groups_by_file_and_shows_the_source():
    findings = [
        finding(
            file_path="src/z.bin",
            code="file-unreadable",
            line=None,
            column=None,
            message="No.",
            hint="Mend it.",
        ),
        finding(
            line=5,
            column=2,
            severity=Severity.WARNING,
            code="numeric-precision",
            message="A rate.",
            hint="0.0",
        ),
        finding(hint="Write the value as a literal.", expression="...BASE"),
        finding(
            file_path="", line=None, column=None, severity=Severity.INFO, code="symlink-loop", message="Hm."
        ),
        finding(line=1, column=None, message="A line without a column."),
    ]
    assert report(findings) == (
        """(the scan as a whole)
  info symlink-loop Hm.

src/order.ts
  1 error unresolved-config A line without a column.
    1 | import { BASE } from './base';

  3:9 error unresolved-config The config depends on `...BASE`.
    3 | @smrt({ ...BASE })
      |         ^^^^^^^
      = hint: Write the value as a literal.

  5:2 warning numeric-precision A rate.
    5 |     taxRate = 0;
      |     ^
      = hint: 0.0

src/z.bin
  error file-unreadable No.
    hint: Mend it.

Found 5 findings in 2 files: 3 errors, 1 warning, 1 info.
"""
    )


def test_no_findings_give_one_line():
    assert report([]) == "No findings.\n"


def test_line_numbers_of_a_file_share_one_gutter():
    source = b"one\n" * 120
    shown = report([finding(line=7, column=1), finding(line=110, column=1)], source)
    assert "      7 | one\n        | ^\n" in shown
    assert "    110 | one\n        | ^\n" in shown


def test_color_adds_escape_sequences_and_nothing_else():
    findings = [
        finding(hint="Mend it."),
        finding(severity=Severity.WARNING),
        finding(severity=Severity.INFO, line=None),
    ]
    colored = report(findings, color=True)
    assert "\x1b[1;31merror\x1b[0m" in colored
    assert "\x1b[1;33m^\x1b[0m" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == report(findings)
    assert "\x1b" not in report(findings)


def test_each_file_with_a_line_to_show_is_read_once_and_no_other():
    asked = []
    findings = [
        finding(),
        finding(line=1),
        finding(file_path="pipe.ts", line=None, column=None),
        finding(file_path="b.ts", line=2),
        finding(file_path=""),
    ]
    list(render_text(findings, lambda path: asked.append(path)))  # noqa: PLW0108 -- append returns None, as it should
    assert asked == ["b.ts", "src/order.ts"]


@pytest.mark.parametrize("source", [None, b"only one line"])
def test_without_the_line_there_is_no_excerpt(source):
    assert report([finding(hint="Look.")], source) == (
        "src/order.ts\n  3:9 error unresolved-config The config depends on `...BASE`.\n    hint: Look.\n\n"
        "Found 1 finding in 1 file: 1 error.\n"
    )


@pytest.mark.parametrize(
    ("line", "column", "expression", "expected"),
    [
        ("const a = 1;", 7, None, "a"),
        ("const a = f(x);", 11, "f(x)", "f(x)"),
        ("const a = f(x);", 11, "g(x)", "f"),
        ("\t\tname = 0;", 3, "name", "name"),
        ("'日本語', x", 8, "x", "x"),
        ("'😀😀', x", 9, "x", "x"),
        ("'😀', x", 3, None, "😀"),
        ("e\u0301e\u0301 = call()", 8, "call()", "call()"),
        ("f(a,", 1, "f(a,\n  b)", "f(a,"),
        ("\ufeffimport x", 2, "import", "import"),
        ("日 = 1", 1, None, "日"),
    ],
)
def test_the_marker_stands_under_what_is_meant(line, column, expression, expected):
    assert marked(line, column, expression) == expected


@pytest.mark.parametrize("column", [6, 7, 4000])
def test_a_column_behind_the_line_marks_the_place_behind_it(column):
    excerpt = excerpt_of("short", column)
    assert (excerpt.text, excerpt.marker_start, excerpt.marker_length) == ("short", 5, 1)


def test_a_long_line_is_cut_to_a_window_around_the_column():
    line = "a" * 5000 + "HERE" + "b" * 5000
    excerpt = excerpt_of(line, 5001, "HERE")
    assert excerpt.text.startswith("…aaa")
    assert excerpt.text.endswith("bbb…")
    assert cells(excerpt.text) == MAX_CELLS + 2
    assert marked(line, 5001, "HERE") == "HERE"


def test_the_ends_of_a_long_line_are_cut_on_one_side_only():
    line = "0123456789" * 100
    assert excerpt_of(line, 1).text == line[:MAX_CELLS] + "…"
    assert excerpt_of(line, None).text == line[:MAX_CELLS] + "…"
    assert excerpt_of(line, 1001).text == "…" + line[-MAX_CELLS:]
    assert excerpt_of("x" * MAX_CELLS, 60).text == "x" * MAX_CELLS
    assert excerpt_of("y" + "x" * MAX_CELLS, MAX_CELLS + 1).text == "…" + "x" * MAX_CELLS


def test_an_expression_longer_than_the_window_is_marked_as_far_as_it_is_shown():
    line = "f(" + "x" * 500 + ")"
    excerpt = excerpt_of(line, 1, line)
    assert excerpt.marker_length == MAX_CELLS


def test_characters_without_width_do_not_make_an_endless_excerpt():
    assert len(excerpt_of("a" + "\u0301" * 100_000, 50_000).text) < 20 * MAX_CELLS


def test_the_source_cannot_drive_the_terminal():
    shown = report([finding(line=1, column=1)], b"a\x1b[31m\x00\r\x7f \xe2\x80\xae \xc2\x9b \xff\r\n")
    assert "    1 | a␛[31m␀␍␡ � � �\n" in shown


def test_paths_and_messages_cannot_forge_lines():
    shown = report(
        [finding(file_path="a\nb\x1b\udcff.ts", message="one\n  two\ttab\x07", hint="a\r\nb")], None
    )
    assert shown == (
        "a\\x0ab\\x1b\\xff.ts\n  3:9 error unresolved-config one two tab\\x07\n    hint: a b\n\n"
        "Found 1 finding in 1 file: 1 error.\n"
    )


@pytest.mark.parametrize("path", ["::add-mask::a.ts", " ##[group]a.ts"])
def test_a_path_is_never_taken_for_a_command_of_a_build_service(path):
    assert report([finding(file_path=path)], None).startswith(f"./{path}\n")


line_text = st.text(st.sampled_from("ab 日😀é\t"), max_size=200)


@given(line_text, st.data())
def test_the_marker_stands_under_the_utf16_column(line, data):
    index = data.draw(st.integers(0, max(len(line) - 1, 0)))
    column = len(line[:index].encode("utf-16-le")) // 2 + 1
    expected = line[index : index + 1]
    assert marked(line, column) == ("    " if expected == "\t" else expected)


@given(finding_lists, st.none() | st.binary(max_size=60) | line_text.map(str.encode), st.booleans())
def test_any_findings_and_bytes_give_lines_that_can_be_printed(findings, source, color):
    for line in render_text(findings, lambda _path: source, color=color):
        line.encode()
        shown = re.sub(r"\x1b\[[0-9;]*m", "", line) if color else line
        assert not re.search("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", shown)


@given(finding_lists, st.randoms())
def test_the_order_of_findings_does_not_matter(findings, random):
    shuffled = random.sample(findings, len(findings))
    assert report(shuffled) == report(findings)
