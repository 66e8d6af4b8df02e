"""Findings as a SARIF 2.1.0 log, the exchange format of code-scanning services and editors.

The log is deterministic: rules stand in the order of the table of codes, results in the order of all artifacts, and
there is no clock, host or absolute path in it. Paths are relative URIs from ``%SRCROOT%``, the scanned directory, whose
place the reader of the log knows. Text is well-formed Unicode: lone surrogates become escapes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import MappingProxyType
from typing import Final
from urllib.parse import quote_from_bytes

from scanner.diagnostic_help import help_for
from scanner.diagnostics import CODES, CodeRule, Diagnostic, Severity
from scanner.serialization import JsonValue
from workers.reporting.fingerprints import Fingerprinted, fingerprinted
from workers.reporting.wording import well_formed

SARIF_VERSION: Final = "2.1.0"
SARIF_SCHEMA_URI: Final = "https://json.schemastore.org/sarif-2.1.0.json"
FINGERPRINT_NAME: Final = "scanClusterFinding/v1"
"""Key of ``partialFingerprints`` under which a result carries the fingerprint that baselines use."""

SOURCE_ROOT: Final = "%SRCROOT%"
_TOOL: Final = "scan-cluster"
_LEVELS: Final = MappingProxyType(
    {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
)
_FIRST_ESCAPED_BYTE: Final = "\udc80"
_LAST_ESCAPED_BYTE: Final = "\udcff"


def sarif_document(diagnostics: Iterable[Diagnostic], tool_version: str) -> dict[str, JsonValue]:
    """Return a SARIF 2.1.0 log with one run that holds *diagnostics*, in any order, as results.

    Args:
        diagnostics: All findings of a run; equal ones are told apart by counting them.
        tool_version: Version of this tool, shown as the driver's version.

    Returns:
        JSON data that is valid under the published schema and holds no lone surrogates.
    """
    found = fingerprinted(diagnostics)
    rules = _rules(found)
    indexes = {code: index for index, code in enumerate(rules)}
    return {
        "$schema": SARIF_SCHEMA_URI,
        "version": SARIF_VERSION,
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": _TOOL,
                        "version": well_formed(tool_version),
                        "rules": [_rule_entry(code, rule) for code, rule in rules.items()],
                    }
                },
                "columnKind": "utf16CodeUnits",
                "originalUriBaseIds": {SOURCE_ROOT: {"description": {"text": "The scanned directory."}}},
                "results": [_result(item, indexes[item.diagnostic.code]) for item in found],
            }
        ],
    }


def _rules(found: Iterable[Fingerprinted]) -> dict[str, CodeRule]:
    """Return every known code, then those that only the findings have, by name."""
    extra = {
        item.diagnostic.code: item.diagnostic.severity for item in found if item.diagnostic.code not in CODES
    }
    return {**CODES, **{code: CodeRule(extra[code], help_for(code).meaning) for code in sorted(extra)}}


def _rule_entry(code: str, rule: CodeRule) -> JsonValue:
    explanation = help_for(code)
    return {
        "id": well_formed(code),
        "name": well_formed("".join(word.capitalize() for word in code.split("-"))),
        "shortDescription": {"text": well_formed(rule.summary)},
        "fullDescription": {"text": well_formed(explanation.meaning)},
        "help": {"text": well_formed(explanation.text), "markdown": well_formed(explanation.markdown)},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _result(item: Fingerprinted, rule_index: int) -> JsonValue:
    diagnostic = item.diagnostic
    text = diagnostic.message if not diagnostic.hint else f"{diagnostic.message}\n{diagnostic.hint}"
    result: dict[str, JsonValue] = {
        "ruleId": well_formed(diagnostic.code),
        "ruleIndex": rule_index,
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": well_formed(text)},
    }
    if diagnostic.file_path:
        result["locations"] = [{"physicalLocation": _physical_location(diagnostic)}]
    result["partialFingerprints"] = {FINGERPRINT_NAME: item.fingerprint}
    properties: dict[str, JsonValue] = dict(_properties(diagnostic))
    if properties:
        result["properties"] = properties
    return result


def _physical_location(diagnostic: Diagnostic) -> JsonValue:
    location: dict[str, JsonValue] = {"artifactLocation": _artifact_location(diagnostic.file_path)}
    if diagnostic.line is not None and diagnostic.line >= 1:
        region: dict[str, JsonValue] = {"startLine": diagnostic.line}
        if diagnostic.column is not None and diagnostic.column >= 1:
            region["startColumn"] = diagnostic.column
        location["region"] = region
    return location


def _artifact_location(path: str) -> JsonValue:
    # Everything but letters, digits, "_.-~" and the separator is percent-encoded; a colon, too, which in the first
    # segment of a relative URI would make it a scheme.
    quoted = quote_from_bytes(_path_bytes(path), safe="/")
    if path.startswith("/"):
        return {"uri": f"file://{quoted}"}
    return {"uri": quoted, "uriBaseId": SOURCE_ROOT}


def _path_bytes(path: str) -> bytes:
    """Return a path's own bytes: those that were no UTF-8 come back, any other lone surrogate is kept as it is."""
    try:
        return path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return b"".join(
            char.encode(
                "utf-8",
                "surrogateescape" if _FIRST_ESCAPED_BYTE <= char <= _LAST_ESCAPED_BYTE else "surrogatepass",
            )
            for char in path
        )


def _properties(diagnostic: Diagnostic) -> Iterator[tuple[str, str]]:
    if diagnostic.expression is not None:
        yield "expression", well_formed(diagnostic.expression)
    if diagnostic.decorator is not None:
        yield "decorator", well_formed(diagnostic.decorator)
