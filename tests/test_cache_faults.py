"""Nothing that happens to the cache harms a run: damage, crowds, full disks, killed writers."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cache_samples import OPTIONS, cold_scans, files_of, later, make_tree, run, scan_files
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scanner.records import Reading
from workers.cache.directory import DAMAGED, DATABASE, TAG
from workers.cache.store import CacheLimits, ResultCache

TESTS = Path(__file__).parent


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return make_tree(tmp_path / "tree", 40)


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def filled(tree: Path, directory: Path) -> Path:
    run(directory, tree)
    return directory


def start(script: str, *arguments: Path | str) -> subprocess.Popen[str]:
    program = f"import sys\nsys.path.insert(0, {str(TESTS)!r})\n{textwrap.dedent(script)}"
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def check_recovery(directory: Path, tree: Path, remarks: int) -> None:
    """The run at hand is right and says once what happened; the run after it is warm and has nothing to say."""
    scans, _, said = run(directory, tree)
    assert scans == cold_scans(tree)
    assert len(said) == remarks, said
    scans, lookup, said = run(directory, tree)
    assert (scans, lookup.misses, said) == (cold_scans(tree), (), [])


# Damage


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[: len(data) // 2],
        lambda data: data[:50],
        lambda _: b"no database at all" * 1000,
        lambda data: data[:4096] + b"\xff" * (len(data) - 4096),
        lambda data: b"\0" * 100 + data[100:],
    ],
    ids=["half", "stub", "text", "pages", "header"],
)
def test_a_damaged_database_is_set_aside_and_built_anew(
    filled: Path, tree: Path, damage: Callable[[bytes], bytes]
) -> None:
    database = filled / DATABASE
    database.write_bytes(damage(database.read_bytes()))

    check_recovery(filled, tree, 1)
    assert (filled / DAMAGED).exists()


def test_an_emptied_database_is_filled_again(filled: Path, tree: Path) -> None:
    (filled / DATABASE).write_bytes(b"")

    check_recovery(filled, tree, 0)


def test_a_database_of_something_else_is_set_aside(filled: Path, tree: Path) -> None:
    (filled / DATABASE).unlink()
    with sqlite3.connect(filled / DATABASE) as connection:
        connection.execute("CREATE TABLE things (id)")
    connection.close()

    check_recovery(filled, tree, 1)


@pytest.mark.parametrize("table", ["results", "files", "generations"])
def test_a_missing_table_is_damage(filled: Path, tree: Path, table: str) -> None:
    with sqlite3.connect(filled / DATABASE) as connection:
        connection.execute(f"DROP TABLE {table}")
    connection.close()

    check_recovery(filled, tree, 1)


@pytest.mark.parametrize(
    ("statement", "is_damaged"),
    [
        ("UPDATE results SET payload = X'00' || payload", True),
        ("UPDATE results SET payload = SUBSTR(payload, 1, 12)", True),
        ("UPDATE results SET payload = X''", True),
        ("UPDATE results SET payload = 'text'", True),
        ("UPDATE results SET used = 'text'", False),
        ("UPDATE results SET id = X'00' || id", False),
        ("UPDATE files SET content = 'text', used = X'00'", False),
        ("UPDATE files SET state = X'00'", False),
        ("UPDATE generations SET key = X'00'", False),
        ("DELETE FROM generations", False),
        ("DELETE FROM results", False),
    ],
)
def test_scribbled_rows_miss_and_are_mended(
    filled: Path, tree: Path, statement: str, is_damaged: bool
) -> None:
    with sqlite3.connect(filled / DATABASE) as connection:
        connection.execute(statement)
    connection.close()
    with ResultCache.open(filled, OPTIONS, clock_ns=later) as cache:
        assert (cache.lookup(tree, files_of(tree)).damaged > 0) is is_damaged

    check_recovery(filled, tree, 0)


def test_results_swapped_with_each_other_miss(filled: Path, tree: Path) -> None:
    with sqlite3.connect(filled / DATABASE) as connection:
        (one,), (other,), *_ = connection.execute("SELECT payload FROM results ORDER BY LENGTH(payload) DESC")
        connection.execute("UPDATE results SET payload = ? WHERE payload = ?", (other, one))
    connection.close()
    with ResultCache.open(filled, OPTIONS, clock_ns=later) as cache:
        assert cache.lookup(tree, files_of(tree)).damaged == 1

    check_recovery(filled, tree, 0)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.floats(0, 1), st.binary(min_size=1, max_size=300)), min_size=1, max_size=8))
def test_scribbling_anywhere_never_changes_a_result(
    tmp_path_factory: pytest.TempPathFactory, scribbles: list[tuple[float, bytes]]
) -> None:
    base = tmp_path_factory.mktemp("scribbled")
    tree, directory = make_tree(base / "tree", 12), base / "cache"
    run(directory, tree)
    data = bytearray((directory / DATABASE).read_bytes())
    for place, content in scribbles:
        at = int(place * (len(data) - len(content)))
        data[at : at + len(content)] = content
    (directory / DATABASE).write_bytes(data)

    assert run(directory, tree)[0] == cold_scans(tree)
    assert run(directory, tree)[0] == cold_scans(tree)


def test_damage_met_in_the_middle_of_a_run_is_repaired(filled: Path, tree: Path) -> None:
    (tree / "src/new.ts").write_text("@smrt()\nclass New extends SmrtObject {}\n")
    with ResultCache.open(filled, OPTIONS, clock_ns=later) as cache:
        size = (filled / DATABASE).stat().st_size
        with (filled / DATABASE).open("r+b") as file:
            file.write(b"\xff" * size)
        lookup = cache.lookup(tree, files_of(tree))
        cache.store(tree, lookup.misses, Reading.RECORDS, *scan_files(tree, lookup.misses))
    assert {
        **lookup.scans,
        **{scan.file_path: scan for scan in scan_files(tree, lookup.misses)[0]},
    } == cold_scans(tree)
    assert len(cache.remarks) <= 1

    scans, again, remarks = run(filled, tree)
    assert scans == cold_scans(tree)
    assert again.misses == () or remarks


# Places that cannot be used


def test_a_directory_that_holds_other_things_is_left_alone(tree: Path, directory: Path) -> None:
    directory.mkdir()
    (directory / "letter.txt").write_text("dear")
    scans, lookup, remarks = run(directory, tree)

    assert scans == cold_scans(tree)
    assert len(lookup.misses) == 41
    assert len(remarks) == 1
    assert "letter" not in remarks[0]
    assert [path.name for path in directory.iterdir()] == ["letter.txt"]


def test_a_file_in_the_place_of_the_directory_turns_the_cache_off(tree: Path, directory: Path) -> None:
    directory.write_text("a file")
    scans, _, remarks = run(directory, tree)

    assert scans == cold_scans(tree)
    assert len(remarks) == 1


def test_a_directory_in_the_place_of_the_database_turns_the_cache_off(tree: Path, directory: Path) -> None:
    (directory / DATABASE).mkdir(parents=True)
    scans, _, remarks = run(directory, tree)

    assert scans == cold_scans(tree)
    assert len(remarks) == 1


def test_a_full_disk_turns_the_cache_off(
    tree: Path, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    monkeypatch.setattr("workers.cache.database.Database.put_results", fail)
    scans, _, remarks = run(directory, tree)

    assert scans == cold_scans(tree)
    assert len(remarks) == 1
    assert "full" in remarks[0]
    monkeypatch.undo()
    check_recovery(directory, tree, 0)


def test_a_database_locked_by_another_process_turns_the_cache_off_for_this_run(
    filled: Path, tree: Path
) -> None:
    (tree / "src/new.ts").write_text("class New {}\n")
    other = sqlite3.connect(filled / DATABASE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    scans, lookup, remarks = run(filled, tree, limits=CacheLimits(busy_seconds=0.05))
    other.execute("ROLLBACK")
    other.close()

    assert scans == cold_scans(tree)
    assert len(lookup.scans) == 41
    assert len(remarks) == 1
    check_recovery(filled, tree, 0)


# Several processes


WRITER = """
    from pathlib import Path
    from cache_samples import OPTIONS, files_of, later, scan_files
    from scanner.records import Reading
    from workers.cache.store import ResultCache

    directory, tree, offset = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    with ResultCache.open(directory, OPTIONS, clock_ns=later) as cache:
        files = files_of(tree)
        files = files[offset:] + files[:offset]
        lookup = cache.lookup(tree, files)
        print("ready", flush=True)
        for file in lookup.misses:
            cache.store(tree, [file], Reading.RECORDS, *scan_files(tree, [file]))
            cache.flush()
    print(cache.remarks)
"""


def test_two_processes_may_write_at_once(tree: Path, directory: Path) -> None:
    processes = [start(WRITER, directory, tree, offset) for offset in ("0", "20", "30")]
    results = [process.communicate(timeout=60) for process in processes]

    assert results == [("ready\n[]\n", "")] * 3
    check_recovery(directory, tree, 0)


KILLED = """
    from pathlib import Path
    from cache_samples import OPTIONS, files_of, later, scan_files
    from scanner.records import Reading
    from workers.cache.store import ResultCache

    directory, tree = Path(sys.argv[1]), Path(sys.argv[2])
    cache = ResultCache.open(directory, OPTIONS, clock_ns=later)
    files = files_of(tree)
    cache.lookup(tree, files)
    scanned = scan_files(tree, files)
    cache.store(tree, files[:3], Reading.RECORDS, *scan_files(tree, files[:3]))
    cache.flush()
    print("ready", flush=True)
    while True:
        cache.store(tree, files, Reading.RECORDS, *scanned)
        cache.flush()
"""


@pytest.mark.parametrize("delay", [0.0, 0.02, 0.1])
def test_a_killed_writer_leaves_a_usable_cache(tree: Path, directory: Path, delay: float) -> None:
    process = start(KILLED, directory, tree)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(delay)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    with ResultCache.open(directory, OPTIONS, clock_ns=later) as cache:
        assert len(cache.lookup(tree, files_of(tree)).scans) >= 3
    assert cache.remarks == []

    check_recovery(directory, tree, 0)


def test_two_processes_that_find_the_same_damage_do_not_undo_each_other(filled: Path, tree: Path) -> None:
    (filled / DATABASE).write_bytes(b"no database" * 1000)
    processes = [start(WRITER, filled, tree, "0") for _ in range(3)]
    for process in processes:
        out, err = process.communicate(timeout=60)
        assert (out.startswith("ready\n"), err) == (True, "")

    scans, _, remarks = run(filled, tree)
    assert (scans, remarks) == (cold_scans(tree), [])


# Bound


def test_what_was_used_longest_ago_is_evicted(tmp_path: Path, directory: Path) -> None:
    day = 24 * 3600 * 10**9
    trees = [make_tree(tmp_path / f"tree{number}", 300) for number in range(3)]
    for number, tree in enumerate(trees):
        for path in (tree / "src").rglob("*.ts"):
            path.write_text(path.read_text().replace("total", f"total{number}"))
        run(directory, tree, clock=lambda number=number: later() + number * day)
    run(directory, trees[0], clock=lambda: later() + 4 * day)  # used again: now the youngest
    limit = (directory / DATABASE).stat().st_size * 3 // 4
    run(directory, trees[0], clock=lambda: later() + 5 * day, limits=CacheLimits(max_bytes=limit))
    size = (directory / DATABASE).stat().st_size
    hits = []
    for tree in trees:
        with ResultCache.open(directory, OPTIONS, clock_ns=later) as cache:
            hits.append(len(cache.lookup(tree, files_of(tree)).scans))

    assert hits[0] == 301
    assert hits[1] < hits[2]
    assert size <= limit


def test_a_cache_within_its_bound_keeps_everything(filled: Path, tree: Path) -> None:
    run(filled, tree, limits=CacheLimits(max_bytes=(filled / DATABASE).stat().st_size + 65536))

    check_recovery(filled, tree, 0)


def test_a_bound_of_nothing_is_no_endless_loop(tree: Path, directory: Path) -> None:
    scans, _, remarks = run(directory, tree, limits=CacheLimits(max_bytes=1))

    assert (scans, remarks) == (cold_scans(tree), [])
    assert run(directory, tree)[1].scans == {}


# Commands


def test_info_tells_what_the_cache_holds(filled: Path, command: Callable[..., Any]) -> None:
    finished = command("cache", "info", "--cache", filled)
    lines = finished.out.decode().splitlines()

    assert finished.code == 0
    assert lines[0] == f"directory: {filled}"
    assert lines[1].startswith("size: ")
    assert lines[2:4] == ["results: 41", "known files: 41"]
    assert "tree-sitter-typescript" in lines[4]
    assert lines[4].endswith(": 41")


def test_clear_removes_the_cache(filled: Path, tree: Path, command: Callable[..., Any]) -> None:
    finished = command("cache", "clear", "--cache", filled)

    assert finished.code == 0
    assert not filled.exists()
    assert len(run(filled, tree)[1].misses) == 41


def test_clear_leaves_what_is_not_the_caches(filled: Path, command: Callable[..., Any]) -> None:
    (filled / "letter.txt").write_text("dear")

    assert command("cache", "clear", "--cache", filled).code == 0
    assert [path.name for path in filled.iterdir()] == ["letter.txt"]


@pytest.mark.parametrize("name", ["info", "clear"])
def test_a_directory_that_is_no_cache_is_refused(
    tmp_path: Path, command: Callable[..., Any], name: str
) -> None:
    (tmp_path / DATABASE).write_text("mine")
    (tmp_path / "letter.txt").write_text("dear")
    finished = command("cache", name, "--cache", tmp_path)

    assert finished.code == 2
    assert "is no cache" in finished.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["letter.txt", DATABASE]


@pytest.mark.parametrize("name", ["info", "clear"])
def test_where_there_is_no_cache_the_commands_say_so(
    directory: Path, command: Callable[..., Any], name: str
) -> None:
    finished = command("cache", name, "--cache", directory)

    assert (finished.code, finished.out.decode()) == (0, f"There is no cache in {directory}.\n")
    assert not directory.exists()


def test_info_about_a_damaged_cache_says_how_to_get_rid_of_it(
    filled: Path, command: Callable[..., Any]
) -> None:
    (filled / DATABASE).write_bytes(b"no database" * 1000)
    finished = command("cache", "info", "--cache", filled)

    assert finished.code == 8
    assert "cache clear" in finished.err
    assert command("cache", "clear", "--cache", filled).code == 0


def test_without_a_directory_the_users_cache_directory_is_meant(
    tmp_path: Path, command: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    assert str(tmp_path / "scan-cluster") in command("cache", "info").out.decode()


def test_the_directory_is_marked_as_a_cache_and_private(filled: Path) -> None:
    assert (filled / TAG).read_bytes().startswith(b"Signature: 8a477f597d28d172789f06886806bc55")
    assert filled.stat().st_mode & 0o077 == 0
