from __future__ import annotations

import re
from pathlib import Path

import pytest

from scanner.diagnostic_help import HELP, help_for
from scanner.diagnostics import CODES
from scanner.file_scan import scan_bytes
from scanner.inheritance import InheritanceResolver
from scanner.manifest import ManifestAdapter
from scanner.numeric_precision import finding_diagnostic, lint_numeric_precision
from workers.reporting.code_table import code_table_markdown, diagnostics_page

PAGE = Path(__file__).parent.parent / "docs/diagnostics.md"
WRITE_PAGE = (
    'python -c "from pathlib import Path; from workers.reporting.code_table import diagnostics_page; '
    "Path('docs/diagnostics.md').write_text(diagnostics_page(), encoding='utf-8')\""
)


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_says_what_it_means_and_how_to_mend_it(code):
    assert code in HELP
    texts = (HELP[code].meaning, HELP[code].remedy)
    assert all(text.endswith(".") for text in texts)
    sentences = re.findall(r"[.:](?:\s|$)", " ".join(texts))
    assert 2 <= len(sentences) <= 8
    assert HELP[code].meaning in HELP[code].text
    assert HELP[code].remedy in HELP[code].markdown


def test_examples_are_indented_in_text_and_fenced_in_markdown():
    explanation = help_for("invalid-package-json")
    assert '\n\n    { "name": "@acme/orders", }\n\n' in explanation.text
    assert '\n\n```json\n{ "name": "@acme/orders", }\n```\n\n' in explanation.markdown


def test_a_code_without_help_is_named():
    assert help_for("from-elsewhere").meaning == "The scanner reported `from-elsewhere`."


def test_the_table_has_one_row_for_each_code():
    rows = code_table_markdown().splitlines()[2:]
    assert len(rows) == len(CODES)
    assert (
        "| [`file-too-large`](#file-too-large) | error | yes | The file is larger than the limit. |" in rows
    )
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 5 for row in rows)


def test_the_page_in_the_documentation_is_the_one_the_code_gives():
    assert PAGE.read_text(encoding="utf-8") == diagnostics_page(), f"Write the page anew: {WRITE_PAGE}"


@pytest.mark.parametrize(
    "code",
    [
        "empty-config-key",
        "numeric-precision",
        "syntax-error",
        "unreadable-options",
        "unreadable-relation",
        "unresolved-config",
    ],
)
def test_an_example_gives_the_diagnostic_it_stands_for(code):
    scan = scan_bytes(HELP[code].example.encode(), "example.ts")
    manifest = ManifestAdapter([scan], "@acme/pkg", "1.0.0").to_manifest(resolved(scan))
    remarks = (*scan.errors, *manifest.diagnostics, *map(finding_diagnostic, lint_numeric_precision([scan])))
    assert {remark.code for remark in remarks} == {code}


def resolved(scan):
    resolver = InheritanceResolver(())
    resolver.add_files([scan])
    return resolver.resolve_all().classes
