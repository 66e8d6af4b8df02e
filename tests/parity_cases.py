"""Finding parity cases and comparing results with what they expect.

An expected value matches when every key in it is found with an equal value; null and absent are the same. Keys
that the contract lets a scanner add are ignored. ``"match": "contains"`` makes lists and maps a lower bound.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CASES = Path(__file__).parent / "parity"
SUFFIXES = {".ts", ".tsx", ".js", ".jsx", ".svelte"}
ADDABLE_KEYS = {"startLine", "endLine", "line", "column", "description", "message", "hint", "code"}
EMPTY_SURFACE: dict[str, list[Any]] = {"intents": [], "playbooks": [], "diagnostics": []}


def source_cases(folder: str) -> list[Path]:
    """Return the source files of a folder that have an expected result beside them."""
    return sorted(
        path
        for path in (CASES / folder).iterdir()
        if path.suffix in SUFFIXES and Path(f"{path}.expected.json").exists()
    )


def expected_of(path: Path) -> dict[str, Any]:
    return json.loads(Path(f"{path}.expected.json").read_text("utf-8"))


def difference(want: Any, got: Any, *, is_lower_bound: bool = False, path: str = "$") -> str | None:
    """Return the first difference between an expected and a found value as a sentence, or None."""
    if isinstance(want, dict) and len(want) == 1:
        (key, value), *_ = want.items()
        if key in {"$bigint", "$regex", "$number"}:
            stand_in = {"$bigint": f"{value}n", "$regex": value, "$number": None}[key]
            return None if got == stand_in else f"{path}: want {stand_in!r}, got {got!r}"
    if isinstance(want, dict):
        return _map_difference(want, got, is_lower_bound, path)
    if isinstance(want, list):
        return _list_difference(want, got, is_lower_bound, path)
    equal = want is got if isinstance(want, bool) or isinstance(got, bool) else want == got
    return None if equal else f"{path}: want {want!r}, got {got!r}"


def _map_difference(want: dict[str, Any], got: Any, is_lower_bound: bool, path: str) -> str | None:
    if not isinstance(got, dict):
        return f"{path}: want a map, got {got!r}"
    for key, value in want.items():
        if value is None and got.get(key) is None:
            continue
        if key not in got:
            return f"{path}.{key}: missing"
        found = difference(value, got[key], is_lower_bound=is_lower_bound, path=f"{path}.{key}")
        if found is not None:
            return found
    extra = [key for key in got if key not in want and key not in ADDABLE_KEYS and got[key] is not None]
    return f"{path}: not expected: {extra}" if extra and not is_lower_bound else None


def _list_difference(want: list[Any], got: Any, is_lower_bound: bool, path: str) -> str | None:
    if not isinstance(got, list):
        return f"{path}: want a list, got {got!r}"
    if is_lower_bound:
        missing = [
            item
            for item in want
            if not any(difference(item, other, is_lower_bound=True, path=path) is None for other in got)
        ]
        return f"{path}: not found: {missing}" if missing else None
    if len(want) != len(got):
        return f"{path}: want {len(want)} items, got {len(got)}: {got!r}"
    for index, (one, other) in enumerate(zip(want, got, strict=True)):
        found = difference(one, other, path=f"{path}[{index}]")
        if found is not None:
            return found
    return None


def errors_difference(
    want: list[dict[str, Any]], got: list[dict[str, Any]], case: dict[str, Any]
) -> str | None:
    """Compare errors: config and class errors as sets, syntax errors by file alone."""

    def rows(items: list[dict[str, Any]]) -> set[str]:
        return {
            json.dumps(
                {key: value for key, value in item.items() if key not in {"message", "hint"}}, sort_keys=True
            )
            for item in items
            if item.get("kind") != "syntax"
        }

    if rows(want) != rows(got):
        return f"errors: missing {rows(want) - rows(got)}, not expected {rows(got) - rows(want)}"
    if case.get("errorsOptional"):
        return None
    broken = {item["filePath"] for item in want if item.get("kind") == "syntax"}
    reported = {item["filePath"] for item in got if item.get("kind") == "syntax"}
    is_equal = broken <= reported if case.get("match") == "contains" else broken == reported
    return None if is_equal else f"syntax errors: want {broken}, got {reported}"


def warnings_difference(want: list[dict[str, Any]], got: list[dict[str, Any]]) -> str | None:
    """Every warning that is listed must be found; more may be."""
    missing = [item for item in want if not any(item.items() <= other.items() for other in got)]
    return f"warnings not found: {missing}" if missing else None
