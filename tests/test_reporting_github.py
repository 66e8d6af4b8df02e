from __future__ import annotations

import re

import pytest
from hypothesis import given
from reporting_samples import finding, finding_lists

from scanner.diagnostics import Severity
from workers.reporting.github import render_github


def test_a_finding_is_one_command_with_its_place():
    findings = [
        finding(message="It is `...BASE`.", hint="Write a literal."),
        finding(severity=Severity.WARNING, line=4, column=None),
        finding(
            file_path="src/pipe.ts",
            severity=Severity.INFO,
            line=None,
            column=None,
            code="nul-bytes",
            message="Hm.",
        ),
        finding(file_path="", line=None, column=None, code="symlink-loop", message="A loop."),
    ]
    assert list(render_github(findings)) == [
        "::error title=symlink-loop::A loop.",
        "::error file=src/order.ts,line=3,col=9,title=unresolved-config::It is `...BASE`.%0AHint: Write a literal.",
        "::warning file=src/order.ts,line=4,title=unresolved-config::The config depends on `...BASE`.",
        "::notice file=src/pipe.ts,title=nul-bytes::Hm.",
    ]


def test_what_separates_commands_is_escaped():
    command = next(render_github([finding(file_path="a,b:c%.ts", message="100%: a,\r\nb::c")]))
    assert command == "::error file=a%2Cb%3Ac%25.ts,line=3,col=9,title=unresolved-config::100%25: a, b::c"


def test_bytes_and_controls_in_paths_become_escapes():
    command = next(render_github([finding(file_path="a\udcff\x1b\n.ts")]))
    assert command.startswith(r"::error file=a\xff\x1b\x0a.ts,line=3")


@pytest.mark.parametrize(
    ("prefix", "expected"),
    [
        ("", "src/order.ts"),
        (".", "src/order.ts"),
        ("./app/", "app/src/order.ts"),
        ("a/b", "a/b/src/order.ts"),
    ],
)
def test_paths_are_given_from_the_root_of_the_repository(prefix, expected):
    assert next(render_github([finding()], path_prefix=prefix)).startswith(f"::error file={expected},line=")


@given(finding_lists)
def test_each_finding_gives_one_line_that_reads_as_one_command(findings):
    commands = list(render_github(findings))
    assert len(commands) == len(findings)
    for command in commands:
        command.encode()
        assert re.fullmatch(
            r"::(error|warning|notice) (\w+=[^:,\x00-\x1f]*,)*title=[\w-]+::[^\x00-\x1f]*", command
        )
