"""Packages are taken from the cache as a whole as long as nothing in them has changed, and only then."""

from __future__ import annotations

import itertools
import json
import os
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from cache_samples import later
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from runs import SCRIPT, artifacts

from scanner.discovery import DiscoveryPolicy
from scanner.options import Depth, Resolution, ScanOptions, SurfaceOptions
from scanner.outcomes import conclude_package
from scanner.packages import PackageFiles, assign_packages, files_by_package
from scanner.sources import discover_sources
from workers.cache.directory import DATABASE
from workers.cache.key import package_generation_of
from workers.cache.packages import PackageLookup
from workers.cache.store import ResultCache
from workers.driver import RunRequest, execute_run
from workers.execution import Execution
from workers.progress import SilentProgress

FULL = ScanOptions(depth=Depth.FULL)
INLINE = Execution(backend="inline")
CONTENTS = (
    b"@smrt() export class Crate extends SmrtObject { total: number = 0.5; kind: Kind = 'a'; }",
    b"@smrt() export class Crate extends SmrtObject { weight: number = 1; kind: Kind = 'b'; }",
    b"@smrt() export class Crate extends SmrtObject { total: number = 0.5; kind: Kind = 'a'; }\n// the same",
    b"// moved down\n@smrt() export class Crate extends SmrtObject { total: number = 0.5; kind: Kind = 'a'; }",
    b"export type Kind = 'a' | 'b';",
    b"// the same\nexport type Kind = 'a' | 'b';",
    b"export type Kind = 1 | 2;",
    b"import { Crate } from './x'; export class Box extends Crate { lid = true; }",
    (
        b"import { defineIntent } from '@happyvertical/smrt-web/intents';\n"
        b"export const show = defineIntent({ id: 'crate.show', description: 'Shows.',"
        b" target: { registry: 'control', action: 'reveal' } });"
    ),
    b"import { Crate } from '@acme/two'; export class Box extends Crate { dent = 1; }",
    b"import { Crate as Base } from '../../b/x'; export class Bin extends Base {}",
    b"import { Crate } from '~/x'; export class Tub extends Crate {}",
    b"export { Crate } from '../b/x'; export * from '../a/src/x';",
    b"class Broken { a: = ; }\n\xff",
    b"\0\x01\x02",
    b"",
)
PATHS = (
    "root.ts",
    "a/src/x.ts",
    "a/src/y.ts",
    "a/src/page.js",
    "a/in/x.ts",
    "b/x.ts",
    "b/dist/x.ts",
    "b/Ui.svelte",
)
FACTS = (None, b'{"name": "@acme/one", "version": "1.0.0"}', b'{"name": "@acme/two"}', b"{}", b"{")
MAPPINGS = (
    None,
    b'{"compilerOptions": {"paths": {"~/*": ["./b/*"]}}}',
    b'{"compilerOptions": {"paths": {"~/*": ["./src/*", "../b/*"], /* more */}}}',
    b'{"extends": "../tsconfig.json"}',
    b"{",
)
OPTIONS = (FULL, ScanOptions(), replace(FULL, framework_bases=("Crate",)), replace(FULL, max_file_bytes=60))
ticks = itertools.count(10**9)


def put(path: Path, content: bytes | None) -> None:
    """Write or remove a file; each write has a time of its own, however coarse the file system's clock."""
    path.unlink(missing_ok=True)
    if content is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        os.utime(path, ns=(0, next(ticks) * 10**6))


def scan(root: Path, options: ScanOptions = FULL, cache: Path | None = None) -> tuple[dict[str, bytes], int]:
    """The artifacts of a run, and how many packages it took from the cache as a whole."""
    out = root.parent / "out"
    execute_run(RunRequest(root, out, options, execution=INLINE, cache=cache), SilentProgress())
    known = json.loads((out / "run.json").read_bytes())["cache"]
    return artifacts(out), 0 if known is None else known["packages"]


@pytest.fixture(autouse=True)
def files_are_old() -> Iterator[None]:
    """Let the cache trust what files look like, as it does with files that were not written just now."""
    opened: Any = ResultCache.open.__func__  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            ResultCache,
            "open",
            classmethod(lambda cls, *given, **named: opened(cls, *given, **{"clock_ns": later, **named})),
        )
        yield


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    for name in "abc":
        put(root / name / "package.json", json.dumps({"name": f"@acme/{name}"}).encode())
        put(root / name / "x.ts", CONTENTS[0])
        put(root / name / "y.ts", CONTENTS[4])
    return root


# The law


steps = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(PATHS), st.sampled_from(CONTENTS)),
    st.tuples(st.just("remove"), st.sampled_from(PATHS), st.none()),
    st.tuples(st.just("rename"), st.sampled_from(PATHS), st.sampled_from(PATHS)),
    st.tuples(st.just("facts"), st.sampled_from(("", "a", "a/in", "b")), st.sampled_from(FACTS)),
    st.tuples(st.just("mapping"), st.sampled_from(("", "a", "b")), st.sampled_from(MAPPINGS)),
)


def take(root: Path, step: tuple[str, str, Any]) -> None:
    kind, where, what = step
    match kind:
        case "write" | "remove":
            put(root / where, what)
        case "rename" if (root / where).exists() and where != what:
            (root / what).parent.mkdir(parents=True, exist_ok=True)
            (root / where).replace(root / what)
        case "facts":
            put(root / where / "package.json", what)
        case "mapping":
            put(root / where / "tsconfig.json", what)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    start=st.dictionaries(st.sampled_from(PATHS), st.sampled_from(CONTENTS), min_size=3),
    edits=st.lists(st.tuples(st.lists(steps, max_size=2), st.sampled_from(OPTIONS)), max_size=6),
)
def test_whatever_happens_between_runs_a_cached_run_writes_the_bytes_of_one_without_cache(
    tmp_path_factory: pytest.TempPathFactory,
    start: dict[str, bytes],
    edits: list[tuple[list[Any], ScanOptions]],
) -> None:
    base = tmp_path_factory.mktemp("edited")
    root, cache = base / "tree", base / "cache"
    root.mkdir()
    for path, content in start.items():
        put(root / path, content)
    for edit, options in ([], FULL), *edits:
        for step in edit:
            take(root, step)
        expected, _ = scan(root, options)

        assert scan(root, options, cache)[0] == expected
        assert scan(root, options, cache)[0] == expected


# What counts


def test_packages_that_did_not_change_are_known_as_a_whole(tree: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cold, none = scan(tree, cache=cache)
    warm, known = scan(tree, cache=cache)
    put(tree / "b/y.ts", CONTENTS[6])
    changed, rest = scan(tree, cache=cache)

    assert (none, known, rest) == (0, 3, 2)
    assert warm == cold
    assert changed == scan(tree)[0] != cold


@pytest.mark.parametrize(
    "change",
    [
        lambda tree: put(tree / "b/z.ts", b""),
        lambda tree: put(tree / "b/y.ts", None),
        lambda tree: (tree / "b/y.ts").rename(tree / "b/z.ts"),
        lambda tree: put(tree / "b/package.json", b'{"name": "@acme/b", "version": "2.0.0"}'),
        lambda tree: put(tree / "b/Ui.svelte", b"<script>defineIntent({})</script>"),
    ],
    ids=["added", "removed", "renamed", "version", "component"],
)
def test_each_fact_of_a_package_counts(tree: Path, tmp_path: Path, change: Callable[[Path], Any]) -> None:
    scan(tree, cache=tmp_path / "cache")
    change(tree)
    found, known = scan(tree, cache=tmp_path / "cache")

    assert known == 2
    assert found == scan(tree)[0]
    assert scan(tree, cache=tmp_path / "cache")[1] == 3


@pytest.mark.parametrize(
    ("name", "content", "known"),
    [
        ("b/y.ts", CONTENTS[4] + b"\nexport const more = 1;\n", 3),
        ("b/y.ts", b"// moved down\n" + CONTENTS[4], 3),
        ("b/x.ts", CONTENTS[0] + b"\nfunction more() { return 1; }\n", 3),
        ("b/x.ts", b"// moved down\n" + CONTENTS[0], 2),
        ("b/y.ts", CONTENTS[6], 2),
        ("b/y.ts", CONTENTS[4] + b"\nexport class More {}", 2),
    ],
    ids=["code", "lines-of-an-alias", "code-below", "lines-of-a-class", "alias", "class"],
)
def test_an_edit_that_changes_no_declaration_leaves_the_package_as_it_is(
    tree: Path, tmp_path: Path, name: str, content: bytes, known: int
) -> None:
    cache = tmp_path / "cache"
    scan(tree, cache=cache)
    put(tree / name, content)

    assert scan(tree, cache=cache) == (scan(tree)[0], known)
    assert scan(tree, cache=cache) == (scan(tree)[0], 3)


def test_touched_files_are_read_once_and_then_known_again(tree: Path, tmp_path: Path) -> None:
    scan(tree, cache=tmp_path / "cache")
    os.utime(tree / "a/x.ts", ns=(0, next(ticks) * 10**6))

    def hits() -> tuple[int, int]:
        scan(tree, cache=tmp_path / "cache")
        known = json.loads((tmp_path / "out/run.json").read_bytes())["cache"]
        return known["hits"], known["hitsWithoutReading"]

    assert hits() == (6, 5)
    assert hits() == (6, 6)


@pytest.mark.parametrize(
    "options",
    [
        ScanOptions(),
        replace(FULL, framework_bases=("Base",)),
        replace(FULL, resolution=Resolution.NAMES),
        replace(FULL, max_file_bytes=1000),
        replace(FULL, surface=SurfaceOptions(is_on=False)),
        replace(FULL, discovery=DiscoveryPolicy(include=("**/*.tsx",))),
    ],
)
def test_every_option_counts(options: ScanOptions) -> None:
    assert package_generation_of(options).key != package_generation_of(FULL).key
    assert len(fields(ScanOptions)) == 7  # one case above for each but `packages`


def test_which_packages_are_shown_does_not_count() -> None:
    assert package_generation_of(replace(FULL, packages=("a",))).key == package_generation_of(FULL).key


def test_a_package_with_a_file_that_could_not_be_read_is_not_kept(tree: Path, tmp_path: Path) -> None:
    options = replace(FULL, max_file_bytes=60)
    scan(tree, options, tmp_path / "cache")
    put(tree / "a/x.ts", b"class Small {}")
    scan(tree, options, tmp_path / "cache")

    assert scan(tree, options, tmp_path / "cache") == (scan(tree, options)[0], 1)


# Files of other packages


def packages_of(root: Path) -> tuple[PackageFiles, ...]:
    files = discover_sources(root, FULL).files
    return files_by_package(files, assign_packages(root, [file.path for file in files]))


def lookup(cache: Path, tree: Path) -> PackageLookup:
    with ResultCache.open(cache, FULL) as opened:
        return opened.packages(tree).lookup(packages_of(tree))


@pytest.mark.parametrize(
    ("change", "known"),
    [
        (lambda _: None, {"a", "b", "c"}),
        (lambda tree: put(tree / "b/x.ts", CONTENTS[1]), {"c"}),
        (lambda tree: put(tree / "b/y.ts", CONTENTS[6]), {"a", "c"}),
        (lambda tree: put(tree / "b/later.ts", b""), {"c"}),
        (lambda tree: put(tree / "b/x.ts", None), {"c"}),
    ],
    ids=["nothing", "consulted", "other", "appeared", "gone"],
)
def test_what_was_consulted_in_other_packages_counts(
    tree: Path, tmp_path: Path, change: Callable[[Path], None], known: set[str]
) -> None:
    cache = tmp_path / "cache"
    scan(tree, cache=cache)
    with ResultCache.open(cache, FULL) as opened:
        packages = opened.packages(tree)
        found = packages.lookup(packages_of(tree))
        first = packages_of(tree)[0]
        opened.lookup(tree, first.files)
        packages.store(first, found.outcomes["a"], consulted=["b/x.ts", "b/later.ts"])
    change(tree)

    assert set(lookup(cache, tree).outcomes) == known


# Faults


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE results SET payload = X'00' || payload",
        "UPDATE results SET payload = SUBSTR(payload, 1, LENGTH(payload) - 1)",
        "UPDATE results SET payload = X''",
        "UPDATE results SET payload = 'text'",
        "DELETE FROM results",
        "UPDATE files SET content = ZEROBLOB(32)",
        "UPDATE files SET state = X''",
    ],
)
def test_damaged_entries_of_packages_miss_and_are_mended(tree: Path, tmp_path: Path, statement: str) -> None:
    cache = tmp_path / "cache"
    expected, _ = scan(tree, cache=cache)
    with closing(sqlite3.connect(cache / DATABASE, isolation_level=None)) as connection:
        connection.execute(statement)

    assert scan(tree, cache=cache)[0] == expected
    assert scan(tree, cache=cache) == (expected, 3)


def test_entries_of_packages_swapped_with_each_other_miss(tree: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    expected, _ = scan(tree, cache=cache)
    with closing(sqlite3.connect(cache / DATABASE, isolation_level=None)) as connection:
        rows = connection.execute("SELECT id, payload FROM results ORDER BY LENGTH(payload) DESC LIMIT 2")
        (one, first), (other, second) = rows.fetchall()
        connection.executemany("UPDATE results SET payload = ? WHERE id = ?", [(second, one), (first, other)])

    assert scan(tree, cache=cache) == (expected, 1)
    assert scan(tree, cache=cache) == (expected, 3)


def test_an_outcome_comes_out_as_it_went_in(tree: Path, tmp_path: Path) -> None:
    name = os.fsdecode(b"a/caf\xe9.ts")
    put(tree / name, b"@smrt() class \\u{41} extends SmrtObject { a = '\\ud800'; total = 0.5 }")
    (package, *_) = packages_of(tree)
    cache = tmp_path / "cache"
    with ResultCache.open(cache, FULL) as opened:
        opened.packages(tree).lookup([package])
        found = opened.lookup(tree, package.files)
        assert found.misses == package.files
    scan(tree, cache=cache)
    with ResultCache.open(cache, FULL) as opened:
        scans = opened.lookup(tree, package.files).scans
        outcome = opened.packages(tree).lookup([package]).outcomes["a"]

    assert outcome == conclude_package(package.package, scans.values(), FULL)
    assert [path for path, _ in outcome.class_lines_by_path()] == [name, "a/x.ts"]


def test_two_runs_at_once_get_in_no_ones_way(tree: Path, tmp_path: Path) -> None:
    expected, _ = scan(tree)
    cache = tmp_path / "cache"
    arguments = ["--cache", cache, "--depth", "full", "--quiet", "--fail-on", "never"]
    outs = [tmp_path / f"out{number}" for number in range(3)]
    for _ in range(2):
        runs = [subprocess.Popen([SCRIPT, "run", tree, "--out", out, *arguments]) for out in outs]
        assert [run.wait(60) & ~4 for run in runs] == [0, 0, 0]
        assert [artifacts(out) for out in outs] == [expected] * 3
        put(tree / "b/y.ts", CONTENTS[6])
        expected, _ = scan(tree)
