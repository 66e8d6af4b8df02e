"""Workspaces are read from pnpm-workspace.yaml and package.json, and reported without changing what is scanned."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from runs import artifacts

from scanner.options import Depth, ScanOptions
from scanner.packages import PackageAssignment, assign_packages
from scanner.pnpm_workspace import workspace_document
from scanner.sources import discover_sources
from scanner.workspace_globs import PatternError, are_members, read_directory_pattern
from workers.driver import execute_run
from workers.execution import Execution
from workers.progress import SilentProgress
from workers.request import RunRequest


def plant(root: Path, *directories: str, **files: str) -> Path:
    """Packages, each with one source, and further files, ``__`` for a slash in their names."""
    for directory in directories:
        place = root / directory
        place.mkdir(parents=True, exist_ok=True)
        (place / "package.json").write_text(json.dumps({"name": directory or "top"}))
        (place / "x.ts").write_text("export const one = 1;\n")
    for name, text in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def pnpm(root: Path, text: str | bytes, directory: str = "") -> Path:
    (root / directory / "pnpm-workspace.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


def npm(root: Path, workspaces: Any, directory: str = "") -> Path:
    content = {"name": directory or "top", "workspaces": workspaces}
    (root / directory).mkdir(parents=True, exist_ok=True)
    (root / directory / "package.json").write_text(json.dumps(content))
    return root


def assigned(root: Path) -> PackageAssignment:
    found = discover_sources(root, ScanOptions())
    return assign_packages(root, [file.path for file in found.files], found.packages)


def stated(root: Path) -> dict[str, tuple[str, ...]]:
    return {each.file: each.patterns for each in assigned(root).workspaces.stated}


def remarks(root: Path) -> list[tuple[str, str, str]]:
    return [(item.code, item.severity.value, item.file_path) for item in assigned(root).diagnostics]


# Who states workspaces, and who is a member


def test_pnpm_workspaces_are_read(tmp_path: Path) -> None:
    plant(tmp_path, "", "packages/a", "packages/b", "tools/x/deep")
    pnpm(
        tmp_path,
        "packages:\n  # all\n  - 'packages/*'\n  - tools/**\n  - \"!packages/b\"\ncatalog:\n  a: 1\n",
    )

    assert stated(tmp_path) == {"pnpm-workspace.yaml": ("packages/*", "tools/**", "!packages/b")}
    assert assigned(tmp_path).workspaces.root_of == {"packages/a": "", "tools/x/deep": ""}
    assert remarks(tmp_path) == [("outside-workspaces", "info", "packages/b/package.json")]


@pytest.mark.parametrize(
    "written",
    [["packages/*"], {"packages": ["packages/*"], "nohoist": ["**/react"]}],
    ids=["array", "object"],
)
def test_workspaces_of_package_json_are_read(tmp_path: Path, written: Any) -> None:
    npm(plant(tmp_path, "packages/a"), written)

    assert stated(tmp_path) == {"package.json": ("packages/*",)}
    assert assigned(tmp_path).workspaces.root_of == {"packages/a": ""}
    assert remarks(tmp_path) == []


def test_workspaces_may_be_nested_and_stated_twice(tmp_path: Path) -> None:
    plant(tmp_path, "apps/shop", "apps/shop/parts/till", "apps/shop/extra", "apps/shop/loose", "lib")
    pnpm(npm(tmp_path, ["apps/*", "apps/shop/extra"]), "packages: [lib]")
    npm(tmp_path, ["parts/*"], "apps/shop")

    assert stated(tmp_path) == {
        "apps/shop/package.json": ("parts/*",),
        "package.json": ("apps/*", "apps/shop/extra"),
        "pnpm-workspace.yaml": ("lib",),
    }
    assert assigned(tmp_path).workspaces.root_of == {
        "apps/shop": "",
        "apps/shop/extra": "",
        "apps/shop/parts/till": "apps/shop",
        "lib": "",
    }
    assert remarks(tmp_path) == [("outside-workspaces", "info", "apps/shop/loose/package.json")]


def test_the_root_of_a_workspace_is_not_outside_of_it(tmp_path: Path) -> None:
    npm(plant(tmp_path, "", "a"), ["a"])
    npm(plant(tmp_path, "other/inner", "other"), ["inner"], "other")

    assert assigned(tmp_path).workspaces.root_of == {"a": "", "other/inner": "other"}
    assert remarks(tmp_path) == []


def test_a_tree_without_workspaces_has_none(tmp_path: Path) -> None:
    plant(tmp_path, "", "a")
    pnpm(tmp_path, "catalog:\n  left-pad: 1.0.0\n")

    assert (stated(tmp_path), assigned(tmp_path).workspaces.root_of, remarks(tmp_path)) == ({}, {}, [])


def test_workspaces_above_the_scanned_directory_play_no_part(tmp_path: Path) -> None:
    npm(plant(tmp_path, "tree/a"), ["elsewhere"])

    assert stated(tmp_path / "tree") == {}


def test_a_pattern_is_matched_by_packages_without_sources_too(tmp_path: Path) -> None:
    plant(tmp_path, "a", tools__eslint__package_json="{}")
    (tmp_path / "tools/eslint/package_json").rename(tmp_path / "tools/eslint/package.json")
    npm(tmp_path, ["a", "tools/*", "gone/*", "!never/*"])
    (remark,) = assigned(tmp_path).diagnostics

    assert (remark.code, remark.severity.value, remark.file_path) == (
        "unmatched-workspace-pattern",
        "info",
        "package.json",
    )
    assert "'gone/*'" in remark.message


# Patterns


@pytest.mark.parametrize(
    ("pattern", "inside", "outside"),
    [
        ("packages/*", ["packages/a", "packages/.b"], ["packages", "packages/a/b", "xpackages/a"]),
        ("./packages/*/", ["packages/a"], ["packages"]),
        ("packages/**", ["packages", "packages/a", "packages/a/b"], ["package"]),
        ("**/lib", ["lib", "a/lib", "a/b/lib"], ["lib/a"]),
        ("**", ["", "a", "a/b"], []),
        (".", [""], ["a"]),
        ("*", ["a"], ["", "a/b"]),
        ("{apps,libs}/*", ["apps/a", "libs/b"], ["other/a"]),
        ("lib-?", ["lib-a"], ["lib-", "lib-ab"]),
        ("lib-[a-c]", ["lib-b"], ["lib-d"]),
        ("lib-[^a]", ["lib-b"], ["lib-a"]),
        (r"a\*b", ["a*b"], ["axb"]),
        (r"a\*b*", ["a*bc"], ["axbc"]),
        ("packages/a/package.json", ["packages/a"], ["packages/a/package.json"]),
        ("a//./b/../c", ["a/c"], ["a/b"]),
        ("../up", [], ["up"]),
        ("/packages/*", [], ["packages/a"]),
        ("caf\u00e9\n", ["caf\u00e9\n"], ["caf\u00e9"]),
    ],
)
def test_patterns_mean_what_package_managers_mean(
    pattern: str, inside: list[str], outside: list[str]
) -> None:
    read = read_directory_pattern(pattern)

    assert [path for path in inside if not read.takes(path)] == []
    assert [path for path in outside if read.takes(path)] == []


def test_what_is_taken_out_stays_out_wherever_it_stands() -> None:
    patterns = [read_directory_pattern(each) for each in ("!**/test/**", "packages/**", "!packages/old")]

    assert are_members(patterns, "packages/a")
    assert not are_members(patterns, "packages/test/a")
    assert not are_members(patterns, "packages/old")


@pytest.mark.parametrize(
    "pattern", ["", "!(a)", "@(a|b)/c", "{a,b}" * 20, "a" * 70_000, "{" * 200 + "}" * 200]
)
def test_what_is_no_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(PatternError):
        read_directory_pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "directory"), [("*a" * 60 + "b", "a" * 250), ("**/*/" * 60 + "x", "/".join("a" * 400))]
)
def test_no_pattern_takes_long_to_match(pattern: str, directory: str) -> None:
    # Backtracking would not come to an end in the lifetime of the machine.
    assert not read_directory_pattern(pattern).takes(directory)


# Files that are hard to read


def bomb() -> str:
    """A document whose anchors stand for ten to the thirtieth texts, as a list and as merged mappings."""
    lists = ["a0: &a0 [x]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30))]
    maps = [
        "m0: &m0 {k: v}",
        *(f"m{n}: &m{n} {{<<: [{', '.join([f'*m{n - 1}'] * 10)}]}}" for n in range(1, 30)),
    ]
    return "\n".join([*lists, *maps, "packages: [packages/*]"])


@pytest.mark.parametrize(
    ("text", "patterns"),
    [
        (
            "packages: &p ['a', \"b\\u0020c\", >-\n  d\n  e]".replace(">-\n  d\n  e", "plain text"),
            ["a", "b c", "plain text"],
        ),
        ("shared: &s [a/*]\npackages: *s", ["a/*"]),
        ("packages:\n- |-\n  one\n- &x two\n- *x\n", ["one", "two", "two"]),
        ("packages: [1, true, ~, 1.5]", ["1", "true", "~", "1.5"]),
        ("packages: [[a], {b: c}, d]", [None, None, "d"]),
        ("packages: !!python/object/apply:os.system ['touch pwned']", ["touch pwned"]),
        ("packages: &a [*a]", [None]),
        (bomb(), ["packages/*"]),
        ("%YAML 1.1\n---\npackages: [a]\n...\n", ["a"]),
    ],
)
def test_yaml_is_read_without_making_anything_of_it(text: str, patterns: list[str | None]) -> None:
    assert workspace_document(text.encode()) == {"packages": patterns}


@pytest.mark.parametrize(
    "text", ["", "# nothing\n", "packages:\n", "packages: ''", "packages: null", "other: 1", "---\n"]
)
def test_a_document_may_state_no_packages(text: str) -> None:
    assert workspace_document(text.encode()) == {}


BROKEN = [
    b"packages: [",
    b"packages: [a]\n---\npackages: [b]\n",
    b"packages: [caf\xe9]",
    b"packages:\0 [a]",
    b"[" * 200_000,
    b"{a: " * 200_000,
    b"- " * 200_000,
    b"packages: a",
    b"packages: {a: b}",
    b"packages: [a]\npackages: [b]\n",
    b"- a\n",
    b"packages: *nothing",
    b"packages:\n\t- a\n",
    b"\xff\xfe\x00",
]


@pytest.mark.parametrize("data", BROKEN, ids=range(len(BROKEN)))
def test_a_damaged_document_is_named_and_does_no_harm(tmp_path: Path, data: bytes) -> None:
    pnpm(npm(plant(tmp_path, "a"), ["a"]), data)

    assert remarks(tmp_path) == [("invalid-workspaces", "warning", "pnpm-workspace.yaml")]
    assert assigned(tmp_path).workspaces.root_of == {"a": ""}


@given(
    st.binary(max_size=200) | st.text(alphabet="packages:[]{}&*!|>-'\"\n #,?a\t", max_size=80).map(str.encode)
)
@example(b"packages: !<tag:yaml.org,2002:binary> [a]")
@example(b"? [packages]\n: [a]")
def test_any_bytes_are_patterns_or_no_yaml(data: bytes) -> None:
    try:
        document = workspace_document(data)
    except ValueError:
        return
    assert all(item is None or isinstance(item, str) for item in document.get("packages", []))


def test_files_that_are_no_files_of_the_tree_are_named(tmp_path: Path) -> None:
    root = plant(tmp_path / "tree", "a", "b", "c")
    (tmp_path / "secret.yaml").write_text("packages: [a]")
    (root / "a/pnpm-workspace.yaml").symlink_to(tmp_path / "secret.yaml")
    os.mkfifo(root / "b/pnpm-workspace.yaml")
    (root / "c/pnpm-workspace.yaml").write_text("#" * (4 << 20) + "\npackages: [a]")

    assert remarks(root) == [
        ("invalid-workspaces", "warning", f"{name}/pnpm-workspace.yaml") for name in ("a", "b", "c")
    ]
    assert stated(root) == {}


@pytest.mark.parametrize(
    ("written", "patterns", "message"),
    [
        ("packages/*", None, "no list of patterns"),
        (7, None, "no list of patterns"),
        ({"packages": {"a": 1}}, None, "no list of patterns"),
        (["a", 1, None], ("a",), "no text"),
        (["a", ""], ("a",), "empty pattern"),
        (["a", "!(b)"], ("a",), "has a group"),
        (["a", *(f"{{p,q}}{{p,q}}{{p,q}}/{number}" for number in range(400))], ..., "the rest is left out"),
        (["a", *("b" * 1000 for _ in range(100))], ..., "the rest is left out"),
    ],
)
def test_a_list_that_is_none_is_named(tmp_path: Path, written: Any, patterns: Any, message: str) -> None:
    npm(plant(tmp_path, "a"), written)
    found = [item for item in assigned(tmp_path).diagnostics if item.code == "invalid-workspaces"]

    assert found
    assert all(item.file_path == "package.json" for item in found)
    assert message in found[0].message
    if patterns is not ...:
        assert stated(tmp_path).get("package.json") == patterns


def test_objects_that_state_no_packages_are_fine(tmp_path: Path) -> None:
    npm(plant(tmp_path, "a"), {"nohoist": ["x"]})

    assert (remarks(tmp_path), stated(tmp_path)) == ([], {})


# In artifacts


def run(
    root: Path, *packages: str, depth: Depth = Depth.MANIFEST, cache: Path | None = None
) -> dict[str, bytes]:
    options = ScanOptions(depth=depth, packages=packages)
    request = RunRequest(root, root.parent / "out", options, execution=Execution("inline"), cache=cache)
    execute_run(request, SilentProgress())
    return artifacts(root.parent / "out")


@pytest.mark.parametrize("depth", list(Depth))
def test_the_index_tells_workspaces_and_whose_member_a_package_is(tmp_path: Path, depth: Depth) -> None:
    root = npm(plant(tmp_path / "tree", "apps/a", "apps/a/b", "c"), ["apps/*"])
    npm(root, {"packages": ["b"]}, "apps/a")
    index = json.loads(run(root, depth=depth)["index.json"])

    assert index["workspaces"] == [
        {"file": "apps/a/package.json", "patterns": ["b"]},
        {"file": "package.json", "patterns": ["apps/*"]},
    ]
    assert {entry["directory"]: entry["workspace"] for entry in index["packages"]} == {
        "apps/a": ".",
        "apps/a/b": "apps/a",
        "c": None,
    }
    narrowed = json.loads(run(root, "c", depth=depth)["index.json"])
    assert narrowed["workspaces"] == index["workspaces"]
    assert narrowed["packages"] == [entry for entry in index["packages"] if entry["directory"] == "c"]


@pytest.mark.parametrize("depth", list(Depth))
def test_workspaces_change_nothing_of_what_is_found(tmp_path: Path, depth: Depth) -> None:
    root = plant(tmp_path / "tree", "", "a", "b")
    (root / "a/x.ts").write_text("@smrt() export class Base extends SmrtObject { one = 1 }")
    (root / "b/x.ts").write_text("import { Base } from 'a/x'; export class More extends Base { two = 2 }")
    before = run(root, depth=depth)
    pnpm(root, "packages: ['nothing/*']")
    after = run(root, depth=depth)
    changed = {name for name in before if before[name] != after[name]}

    assert before.keys() == after.keys()
    assert changed == {"index.json", "diagnostics.json", "diagnostics.sarif"}


@pytest.mark.parametrize("depth", list(Depth))
@pytest.mark.parametrize("file", ["pnpm-workspace.yaml", "package.json", "b/package.json"])
def test_the_cache_hides_no_change_of_workspaces(tmp_path: Path, depth: Depth, file: str) -> None:
    root, cache = plant(tmp_path / "tree", "", "a", "b", "b/c"), tmp_path / "cache"
    pnpm(root, "packages: [a]")
    old = time.time() - 3600
    for path in root.rglob("*"):
        os.utime(path, (old, old))
    first = run(root, depth=depth, cache=cache)
    assert run(root, depth=depth, cache=cache) == first
    text = "packages: [b]" if file.endswith("yaml") else '{"name": "top", "workspaces": ["c", "b"]}'
    (root / file).write_text(text)
    second = run(root, depth=depth, cache=cache)

    assert second == run(root, depth=depth)
    assert second["index.json"] != first["index.json"]
