"""The cache of scan results gives what a scan would give, and forgets when anything that matters changes."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from cache_samples import OPTIONS, cold_scans, files_of, later, make_tree, run, scan_files
from hypothesis import given, settings
from hypothesis import strategies as st
from parity_cases import CASES, SUFFIXES

from scanner.diagnostics import CODES, Diagnostic, Severity, diagnose
from scanner.discovery import DiscoveryPolicy
from scanner.file_scan import scan_bytes
from scanner.js.values import UNDEFINED, BigInt, RegExp
from scanner.options import Depth, ScanOptions, SurfaceOptions
from scanner.records import FileRole, FileScan, RawClass, Reading
from scanner.surface.records import AgentSurface, Capability, Helper, Intent, SurfaceDiagnostic
from scanner.type_expressions import TypeExpression, TypeKind
from workers.cache import key as key_module
from workers.cache.codec import CodecError, decode_scan, encode_scan
from workers.cache.content import content_digest
from workers.cache.key import ACTS_AFTER_FILES, generation_of, source_digest
from workers.cache.stat_index import SAFE_AGE_NS
from workers.cache.store import NOT_OF_CONTENT, ResultCache
from workers.shards import ShardTask

SOURCES = sorted(path for path in CASES.rglob("*") if path.suffix in SUFFIXES and path.is_file())

texts = st.text(st.characters(exclude_categories=()), max_size=8)
js_values = st.recursive(
    st.none()
    | st.booleans()
    | st.floats()
    | texts
    | st.just(UNDEFINED)
    | st.builds(BigInt, st.integers())
    | st.builds(RegExp, texts),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=12,
)
type_expressions = st.recursive(
    st.builds(TypeExpression, st.sampled_from(TypeKind), texts),
    lambda inner: st.builds(
        TypeExpression, st.sampled_from(TypeKind), texts, st.lists(inner, max_size=3).map(tuple)
    ),
    max_leaves=8,
)


def round_trip(scan: FileScan) -> FileScan:
    return decode_scan(encode_scan(scan), scan.file_path, scan.role)


def class_with(config: Any) -> RawClass:
    return RawClass("A", "a.ts", None, None, config, True, (), (), 1, 2)


# Format


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_scans_of_real_sources_survive_the_format(path: Path) -> None:
    role = FileRole.MARKUP if path.suffix == ".svelte" else FileRole.CLASSES
    scan = scan_bytes(path.read_bytes(), f"src/{path.name}", role)

    # Representations tell -0.0 from 0.0, tuples from lists and the order of keys, which equality does not.
    assert repr(round_trip(scan)) == repr(scan)


@settings(deadline=None)
@given(st.dictionaries(texts, js_values, max_size=3), st.dictionaries(texts, type_expressions, max_size=3))
def test_every_value_survives_the_format(config: dict[str, Any], aliases: dict[str, TypeExpression]) -> None:
    scan = FileScan("a.ts", classes=(class_with(config),), type_aliases=aliases)

    assert repr(round_trip(scan)) == repr(scan)


@pytest.mark.parametrize(
    "value",
    [
        -0.0,
        0.0,
        float("nan"),
        float("inf"),
        float("-inf"),
        1.0,
        "\ud800",
        "\ud83d\ude00",
        "😀",
        BigInt(-(16**5000)),
        [],
        {},
        [[0.0]],
        [3.0],
        {"2": 1.0, "1": 2.0},
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_that_json_lacks_survive_the_format(value: Any) -> None:
    scan = FileScan("a.ts", classes=(class_with({"value": value, "undefined": UNDEFINED}),))

    config = round_trip(scan).classes[0].decorator_config
    assert config is not None
    found = config["value"]
    assert type(found) is type(value)
    assert found == value if isinstance(value, BigInt) else repr(found) == repr(value)
    assert config["undefined"] is UNDEFINED


def test_declarations_and_what_they_superseded_survive_the_format() -> None:
    intent = Intent("a.b", "d", Capability(), {"registry": "x"}, False, "a.ts", 3, 4)
    remark = SurfaceDiagnostic("duplicate-identity", Helper.INTENT, "a.ts", None, None, "m", intent)
    scan = FileScan("a.ts", FileRole.SURFACE, agent_surface=AgentSurface((intent,), (), (remark,)))

    assert round_trip(scan) == scan
    assert round_trip(scan).agent_surface.intents[0].planes == intent.planes


def test_a_file_that_contributes_nothing_takes_no_bytes() -> None:
    scan = FileScan("a.ts", FileRole.SURFACE)

    assert encode_scan(scan) == b""
    assert round_trip(scan) == scan


def test_types_and_configs_as_deep_as_the_scanner_reads_survive_the_format() -> None:
    depth = 98
    source = f"type A = {'X<' * depth}string{'>' * depth};\n@smrt({{ a: {'[' * depth}{']' * depth} }})\nclass B {{}}\n"
    scan = scan_bytes(source.encode(), "a.ts")

    assert scan.type_aliases
    assert scan.classes[0].decorator_config
    assert round_trip(scan) == scan


def test_a_value_that_is_nested_too_deeply_is_refused() -> None:
    value: Any = []
    for _ in range(100_000):
        value = [value]

    with pytest.raises(CodecError):
        encode_scan(FileScan("a.ts", classes=(class_with({"a": value}),)))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_bytes_that_are_no_scan_are_refused_or_give_one(data: st.DataObject) -> None:
    good = encode_scan(scan_bytes(SOURCES[0].read_bytes(), "a.ts"))
    index = data.draw(st.integers(0, len(good) - 1))
    bad = good[:index] + data.draw(st.binary(max_size=3)) + good[index + data.draw(st.integers(0, 4)) :]

    with suppress(CodecError):
        assert isinstance(decode_scan(bad, "a.ts", FileRole.CLASSES), FileScan)


def test_a_scan_of_another_file_or_role_is_refused() -> None:
    data = encode_scan(FileScan("a.ts", smrt_imports={"m": ("A",)}))

    for path, role in (("b.ts", FileRole.CLASSES), ("a.ts", FileRole.SURFACE)):
        with pytest.raises(CodecError):
            decode_scan(data, path, role)


# Key


def test_every_option_is_classified() -> None:
    # A field that is new here counts for the key unless ACTS_AFTER_FILES names it: decide which, then add it.
    assert {field.name for field in fields(ScanOptions)} - ACTS_AFTER_FILES == {
        "max_file_bytes",
        "framework_bases",
    }
    assert {field.name for field in fields(ScanOptions)} >= ACTS_AFTER_FILES


def test_nothing_but_classified_options_reaches_a_worker() -> None:
    # What is new here may shape results; then it must count for the key.
    assert {field.name for field in fields(ShardTask)} == {
        "number",
        "root",
        "files",
        "max_file_bytes",
        "first",
        "reading",
        "further_bases",
        "file_seconds",
        "is_digested",
        "is_sealing",
        "contents",
    }


@pytest.mark.parametrize(
    ("options", "is_same"),
    [
        (replace(OPTIONS, max_file_bytes=1000), False),
        (replace(OPTIONS, depth=Depth.FULL), True),
        (replace(OPTIONS, framework_bases=("Base",)), False),
        (replace(OPTIONS, surface=SurfaceOptions(is_on=False)), True),
        (replace(OPTIONS, discovery=DiscoveryPolicy(include=("**/*.tsx",))), True),
    ],
)
def test_options_count_when_they_reach_the_scan_of_a_file(options: ScanOptions, is_same: bool) -> None:
    assert (generation_of(options).key == generation_of(OPTIONS).key) is is_same


def test_every_code_that_means_unread_input_is_classified() -> None:
    unscanned = {code for code, rule in CODES.items() if rule.is_unscanned}

    assert unscanned <= NOT_OF_CONTENT | {"file-binary", "directory-unreadable", "directory-cycle"}
    assert set(CODES) >= NOT_OF_CONTENT


def test_the_source_digest_covers_the_scanner_and_changes_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def digest(changed: str | None) -> bytes:
        copy = tmp_path / str(changed).replace("/", "-")
        for package in ("scanner", "workers"):
            shutil.copytree(Path(key_module.__file__).parents[2] / package, copy / package)
        if changed is not None:
            with (copy / changed).open("a") as file:
                file.write("# changed\n")
        with monkeypatch.context() as patch:
            patch.setattr(key_module, "files", lambda package: copy.joinpath(*package.split(".")))
            return source_digest.__wrapped__()

    unchanged = digest(None)
    assert unchanged == source_digest.__wrapped__()
    for path in ("scanner/file_scan.py", "scanner/syntax/repair/edits.py", "workers/shards.py"):
        assert digest(path) != unchanged, path
    assert digest("workers/cli/main.py") == unchanged


# Lookup and store


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return make_tree(tmp_path / "tree", 12)


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def test_a_warm_run_gives_what_a_cold_one_gives_without_reading(tree: Path, directory: Path) -> None:
    cold, first, _ = run(directory, tree)
    warm, second, remarks = run(directory, tree)

    assert len(first.misses) == 13
    assert cold == warm == cold_scans(tree)
    assert (second.misses, second.unread, second.reread, second.damaged) == ((), 13, 0, 0)
    assert remarks == []


def test_parity_sources_come_out_of_the_cache_as_they_went_in(directory: Path) -> None:
    run(directory, CASES)
    warm, lookup, _ = run(directory, CASES)

    assert lookup.misses == ()
    assert {path: repr(scan) for path, scan in warm.items()} == {
        path: repr(scan) for path, scan in cold_scans(CASES).items()
    }


def test_a_changed_file_alone_misses(tree: Path, directory: Path) -> None:
    run(directory, tree)
    (tree / "src/empty.ts").write_text("@smrt()\nclass New extends SmrtObject {}\n")
    warm, lookup, _ = run(directory, tree)

    assert [file.path for file in lookup.misses] == ["src/empty.ts"]
    assert warm == cold_scans(tree)


def test_a_touched_file_hits_after_reading_and_then_without(tree: Path, directory: Path) -> None:
    run(directory, tree)
    os.utime(tree / "src/empty.ts", ns=(5, 10**9))
    _, lookup, _ = run(directory, tree)
    _, again, _ = run(directory, tree)

    assert (len(lookup.misses), lookup.unread, lookup.reread) == (0, 12, 1)
    assert (len(again.misses), again.unread, again.reread) == (0, 13, 0)


def test_equal_size_and_modification_time_set_back_do_not_hide_a_change(tree: Path, directory: Path) -> None:
    path = tree / "src/d0/model0.ts"
    run(directory, tree)
    before = path.stat()
    path.write_text(path.read_text().replace("Model0", "Model9"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert path.stat().st_size == before.st_size
    warm, lookup, _ = run(directory, tree)

    assert [file.path for file in lookup.misses] == ["src/d0/model0.ts"]
    assert warm["src/d0/model0.ts"].classes[0].class_name == "Model9"


@pytest.mark.parametrize(("age", "is_trusted"), [(SAFE_AGE_NS // 2, False), (SAFE_AGE_NS * 2, True)])
def test_a_file_written_just_before_it_was_read_is_read_again(
    tree: Path, directory: Path, age: int, is_trusted: bool
) -> None:
    newest = max((tree / file.path).stat().st_ctime_ns for file in files_of(tree))
    oldest = min((tree / file.path).stat().st_ctime_ns for file in files_of(tree))
    run(directory, tree, clock=lambda: (newest if is_trusted else oldest) + age)
    _, lookup, _ = run(directory, tree)

    assert lookup.misses == ()
    assert (lookup.unread, lookup.reread) == ((13, 0) if is_trusted else (0, 13))


def test_a_racy_change_that_no_time_shows_is_still_seen(tree: Path, directory: Path) -> None:
    """On a file system with a coarse clock, a write can leave size and both times as they were."""
    path = tree / "src/d0/model0.ts"
    files = files_of(tree)
    with ResultCache.open(directory, OPTIONS, clock_ns=lambda: path.stat().st_ctime_ns + 10**6) as cache:
        cache.lookup(tree, files)
        cache.store(tree, files, Reading.RECORDS, *scan_files(tree, files))
    path.write_text(path.read_text().replace("Model0", "Model9"))
    with ResultCache.open(directory, OPTIONS, clock_ns=later) as cache:
        lookup = cache.lookup(tree, files)  # what the files look like is as before

    assert [file.path for file in lookup.misses] == ["src/d0/model0.ts"]


def test_a_file_changed_between_lookup_and_scan_is_known_by_what_was_scanned(
    tree: Path, directory: Path
) -> None:
    path = tree / "src/d0/model0.ts"
    old = path.read_text()
    with ResultCache.open(directory, OPTIONS, clock_ns=later) as cache:
        lookup = cache.lookup(tree, files_of(tree))
        path.write_text(old.replace("Model0", "Model9"))
        cache.store(tree, lookup.misses, Reading.RECORDS, *scan_files(tree, lookup.misses))
    assert run(directory, tree)[0] == cold_scans(tree)
    path.write_text(old)

    assert run(directory, tree)[0] == cold_scans(tree)


def test_a_file_changed_after_it_was_scanned_misses(tree: Path, directory: Path) -> None:
    path = tree / "src/d0/model0.ts"
    with ResultCache.open(directory, OPTIONS, clock_ns=later) as cache:
        lookup = cache.lookup(tree, files_of(tree))
        scans, digests = scan_files(tree, lookup.misses)
        path.write_text(path.read_text().replace("Model0", "Model9"))
        cache.store(tree, lookup.misses, Reading.RECORDS, scans, digests)

    assert [file.path for file in run(directory, tree)[1].misses] == ["src/d0/model0.ts"]


def test_a_renamed_file_misses_since_its_record_holds_its_path(tree: Path, directory: Path) -> None:
    run(directory, tree)
    (tree / "src/empty.ts").rename(tree / "src/void.ts")
    warm, lookup, _ = run(directory, tree)

    assert [file.path for file in lookup.misses] == ["src/void.ts"]
    assert warm["src/void.ts"].file_path == "src/void.ts"


def test_a_copy_of_the_tree_hits(tree: Path, directory: Path, tmp_path: Path) -> None:
    run(directory, tree)
    _, lookup, _ = run(directory, make_tree(tmp_path / "elsewhere", 12))

    assert (len(lookup.misses), lookup.unread, lookup.reread) == (0, 0, 13)


def test_a_root_reached_by_a_link_is_the_same_root(tree: Path, directory: Path, tmp_path: Path) -> None:
    run(directory, tree)
    (tmp_path / "link").symlink_to(tree)

    assert run(directory, tmp_path / "link")[1].unread == 13


def test_another_role_misses(tree: Path, directory: Path) -> None:
    run(directory, tree)
    with ResultCache.open(directory, OPTIONS, clock_ns=later) as cache:
        files = [replace(file, role=FileRole.SURFACE) for file in files_of(tree)]

        assert cache.lookup(tree, files).scans == {}


def test_options_that_shape_a_files_result_part_the_results(tree: Path, directory: Path) -> None:
    run(directory, tree)
    small = replace(OPTIONS, max_file_bytes=10_000)

    assert len(run(directory, tree, small)[1].misses) == 13
    assert run(directory, tree, small)[1].misses == ()
    assert run(directory, tree, replace(OPTIONS, depth=Depth.FULL))[1].misses == ()


@pytest.mark.parametrize(
    ("name", "stand_in"),
    [
        ("tool_versions", lambda: {"tool": {"name": "scan-cluster", "version": "9"}, "grammars": {}}),
        ("source_digest", lambda: b"other code"),
    ],
)
def test_another_version_or_other_code_misses(
    tree: Path, directory: Path, monkeypatch: pytest.MonkeyPatch, name: str, stand_in: Callable[[], Any]
) -> None:
    run(directory, tree)
    with monkeypatch.context() as patch:
        patch.setattr(key_module, name, stand_in)
        assert len(run(directory, tree)[1].misses) == 13

    assert run(directory, tree)[1].misses == ()


@pytest.mark.parametrize("code", sorted(NOT_OF_CONTENT))
def test_mishaps_are_not_kept(tree: Path, directory: Path, code: str) -> None:
    with ResultCache.open(directory, OPTIONS, clock_ns=later) as cache:
        lookup = cache.lookup(tree, files_of(tree))
        scans, digests = scan_files(tree, lookup.misses)
        broken = [replace(scan, errors=(diagnose(code, scan.file_path, "It failed."),)) for scan in scans[:2]]
        cache.store(tree, lookup.misses, Reading.RECORDS, broken + scans[2:], digests)

    assert {file.path for file in run(directory, tree)[1].misses} == {scan.file_path for scan in broken}


def test_results_without_a_digest_are_not_kept(tree: Path, directory: Path) -> None:
    with ResultCache.open(directory, OPTIONS, clock_ns=later) as cache:
        lookup = cache.lookup(tree, files_of(tree))
        scans, _ = scan_files(tree, lookup.misses)
        cache.store(tree, lookup.misses, Reading.RECORDS, scans, [None] * len(scans))

    assert len(run(directory, tree)[1].misses) == 13


def test_findings_of_a_file_are_kept_with_it(tree: Path, directory: Path) -> None:
    (tree / "src/broken.ts").write_bytes(b"class A { x: = ; }\n\xff\n")
    run(directory, tree)
    warm, lookup, _ = run(directory, tree)

    assert lookup.misses == ()
    assert {error.code for error in warm["src/broken.ts"].errors} == {"syntax-error", "invalid-encoding"}
    assert all(isinstance(error, Diagnostic) for error in warm["src/broken.ts"].errors)
    assert Severity.ERROR in {error.severity for error in warm["src/broken.ts"].errors}


@pytest.mark.parametrize("replacement", ["gone", "directory", "fifo", "unreadable", "large"])
def test_a_file_that_cannot_be_read_any_more_misses(tree: Path, directory: Path, replacement: str) -> None:
    files = files_of(tree)
    run(directory, tree)
    path = tree / "src/empty.ts"
    path.unlink()
    match replacement:
        case "directory":
            path.mkdir()
        case "fifo":
            os.mkfifo(path)
        case "unreadable":
            path.symlink_to(path.name)
        case "large":
            path.write_bytes(b" " * (OPTIONS.max_file_bytes + 1))
    with ResultCache.open(directory, OPTIONS, clock_ns=later) as cache:
        looks_changed = [replace(file, state=b"") if file.path == "src/empty.ts" else file for file in files]
        lookup = cache.lookup(tree, looks_changed)

    assert [file.path for file in lookup.misses] == ["src/empty.ts"]


def test_names_that_are_no_text_are_kept(tree: Path, directory: Path) -> None:
    name = os.fsdecode(b"src/caf\xe9.ts")
    (tree / name).write_text("@smrt()\nclass A extends SmrtObject {}\n")
    run(directory, tree)
    warm, lookup, _ = run(directory, tree)

    assert lookup.misses == ()
    assert warm[name].classes[0].file_path == name


def test_an_interrupted_run_resumes_from_what_it_had_finished(tree: Path, directory: Path) -> None:
    files = files_of(tree)

    def interrupted() -> None:
        with ResultCache.open(directory, OPTIONS, clock_ns=later) as cache:
            lookup = cache.lookup(tree, files)
            cache.store(tree, lookup.misses[:5], Reading.RECORDS, *scan_files(tree, lookup.misses[:5]))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    _, resumed, _ = run(directory, tree)

    assert resumed.misses == files[5:]


def test_results_reach_the_disk_while_the_run_goes_on(
    tree: Path, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = time.monotonic()
    monkeypatch.setattr("workers.cache.store.time.monotonic", lambda: moment)
    with ResultCache.open(directory, OPTIONS, clock_ns=later) as cache:
        lookup = cache.lookup(tree, files_of(tree))
        cache.store(tree, lookup.misses[:5], Reading.RECORDS, *scan_files(tree, lookup.misses[:5]))
        assert len(run(directory, tree, clock=later)[1].misses) == 13
        moment += 1.5
        cache.store(tree, lookup.misses[5:6], Reading.RECORDS, *scan_files(tree, lookup.misses[5:6]))

        with ResultCache.open(directory, OPTIONS, clock_ns=later) as other:
            assert len(other.lookup(tree, files_of(tree)).scans) == 13


def test_digests_are_of_the_content_alone() -> None:
    assert content_digest(b"a") == content_digest(b"a") != content_digest(b"b")
