"""A history keeps every run, equal artifacts once, and survives whatever happens to those that write it."""

from __future__ import annotations

import gzip
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from change_trees import artifacts_of
from hypothesis import given, settings
from hypothesis import strategies as st

from workers.errors import CommandError, UsageError
from workers.history import DamagedHistoryError, History, Retention
from workers.history_references import kept_run

BEGIN = datetime(2026, 11, 30, 10, 20, 30, tzinfo=UTC)


GARBLED = gzip.compress(b"content", mtime=0)[:10] + b"\xff" * 20


def prepared(tmp_path: Path) -> History:
    history = History(tmp_path / "history")
    history.prepare(tmp_path / "out")
    return history


def run(text: str, *, at: float = 0) -> dict[str, bytes]:
    """Artifacts that share some content with those of other runs."""
    return {"index.json": text.encode(), "packages/same.json": b"same", "run.json": f"{text} {at}".encode()}


def keep(history: History, text: str, *, hours: float = 0, retention: Retention = Retention()) -> None:  # noqa: B008 -- frozen
    started_at = BEGIN + timedelta(hours=hours)
    assert history.keep(started_at, run(text, at=hours), retention) == []


def texts(history: History) -> list[str]:
    """The index of every kept run, the oldest first."""
    return [kept_run(history, f"@{name}").read("index.json").decode() for name in history.names()]


class TestKeeping:
    def test_a_run_comes_back_as_it_was(self, tmp_path: Path) -> None:
        artifacts = artifacts_of(tmp_path / "tree", {"a.ts": "@smrt() export class A {}"})
        history = prepared(tmp_path)
        history.keep(BEGIN, {**artifacts, "run.json": b"{}"}, Retention())
        kept = kept_run(history, "@latest")

        assert {name: kept.read(name) for name in kept.digests} == {**artifacts, "run.json": b"{}"}

    def test_equal_artifacts_are_stored_once(self, tmp_path: Path) -> None:
        history = prepared(tmp_path)
        keep(history, "a")
        keep(history, "b", hours=1)
        keep(history, "a", hours=2)

        assert texts(history) == ["a", "b", "a"]
        # Three times run.json; both indexes, each with a list of contents; what all share.
        assert len(history.objects()) == 3 + 4 + 1

    def test_runs_are_named_by_the_time_in_utc_and_never_replaced(self, tmp_path: Path) -> None:
        history = prepared(tmp_path)
        for text in "abcdefghijkl":
            keep(history, text)
        keep(history, "earlier", hours=-1)

        assert history.names()[:3] == [
            "2026-11-30T09-20-30Z",
            "2026-11-30T10-20-30Z",
            "2026-11-30T10-20-30Z.2",
        ]
        assert history.names()[-1] == "2026-11-30T10-20-30Z.12"
        assert texts(history) == ["earlier", *"abcdefghijkl"]

    def test_another_time_zone_names_the_same_moment(self, tmp_path: Path) -> None:
        history = prepared(tmp_path)
        local = datetime.fromisoformat("2026-12-01T01:00:00+02:00")
        history.keep(local, run("a"), Retention())

        assert history.names() == ["2026-11-30T23-00-00Z"]


class TestRetention:
    @pytest.mark.parametrize(
        ("retention", "left"),
        [
            (Retention(), ["a", "b", "c", "d"]),
            (Retention(keep=2), ["c", "d"]),
            (Retention(keep=9), ["a", "b", "c", "d"]),
            (Retention(days=2), ["b", "c", "d"]),
            (Retention(days=0.5), ["d"]),
            (Retention(days=1e300), ["a", "b", "c", "d"]),
            (Retention(days=float("nan")), ["a", "b", "c", "d"]),
            (Retention(keep=2, days=9), ["c", "d"]),
            (Retention(keep=4, days=1), ["c", "d"]),
        ],
    )
    def test_a_rule_decides_which_runs_stay(
        self, tmp_path: Path, retention: Retention, left: list[str]
    ) -> None:
        history = prepared(tmp_path)
        for day, text in enumerate("abc"):
            keep(history, text, hours=24 * day)
        keep(history, "d", hours=24 * 3, retention=retention)

        assert texts(history) == left
        assert len(history.objects()) == 3 * len(left) + 1

    @settings(max_examples=25, deadline=None)
    @given(
        runs=st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 50)), min_size=1, max_size=6),
        newest=st.integers(1, 4),
    )
    def test_what_is_left_is_the_end_of_what_was_and_nothing_else_is_stored(
        self, tmp_path_factory: pytest.TempPathFactory, runs: list[tuple[str, int]], newest: int
    ) -> None:
        whole, pruned = (prepared(tmp_path_factory.mktemp(name)) for name in ("whole", "pruned"))
        for text, hours in runs[:-1]:
            keep(whole, text, hours=hours)
            keep(pruned, text, hours=hours)
        text, hours = runs[-1]
        keep(whole, text, hours=hours)
        keep(pruned, text, hours=hours, retention=Retention(keep=newest))

        assert texts(pruned) == texts(whole)[-newest:]
        needed = {record for name in pruned.names() for record in pruned.record(name)}
        needed |= {item for name in pruned.names() for item in pruned.contents(pruned.record(name)).values()}
        assert pruned.objects().keys() == needed


class TestMishaps:
    def test_what_a_killed_run_left_is_removed_by_the_next(self, tmp_path: Path) -> None:
        history = prepared(tmp_path)
        keep(history, "a")
        count = len(history.objects())
        orphan = history.directory / "objects/ab" / f"ab{'0' * 62}.gz"
        partial = history.directory / "runs/.2026-11-30T10-20-31Z.json.partial"
        orphan.parent.mkdir(exist_ok=True)
        orphan.write_bytes(b"half")
        partial.write_bytes(b"{")
        assert texts(history) == ["a"]

        keep(history, "a", hours=1)

        assert not orphan.exists()
        assert not partial.exists()
        assert texts(history) == ["a", "a"]
        assert len(history.objects()) == count + 1

    def test_runs_that_are_killed_at_any_moment_leave_only_whole_runs(self, tmp_path: Path) -> None:
        history = prepared(tmp_path)
        for number in range(8):
            process = writer(history, f"kill{number}", runs=1000, retention="Retention(keep=5)")
            assert process.stdout is not None
            for _ in range(1 + number % 3):
                process.stdout.readline()
            process.send_signal(signal.SIGKILL)
            process.wait()
            process.stdout.close()

            assert all(text.startswith("kill") for text in texts(history))
            assert history.names()
        keep(history, "last", hours=9999, retention=Retention(keep=1))

        assert texts(history) == ["last"]
        assert len(history.objects()) == 4

    def test_runs_at_the_same_time_are_all_kept(self, tmp_path: Path) -> None:
        history = prepared(tmp_path)
        processes = [writer(history, f"w{number}-", runs=4, retention="Retention()") for number in range(3)]
        for process in processes:
            process.communicate()

        assert [process.returncode for process in processes] == [0, 0, 0]
        assert sorted(texts(history)) == [f"w{number}-{index}" for number in range(3) for index in range(4)]

    def test_a_damaged_run_is_an_error_that_names_it_and_keeps_the_others(self, tmp_path: Path) -> None:
        history = prepared(tmp_path)
        keep(history, "a")
        keep(history, "b", hours=1)
        path = history.directory / "runs" / f"{history.names()[0]}.json"
        path.write_bytes(b'{"contents": "x"}')

        (remark,) = history.keep(BEGIN + timedelta(hours=2), run("c"), Retention())

        assert str(path) in remark
        assert kept_run(history, "@-1").read("index.json") == b"b"
        assert kept_run(history, "@latest").read("index.json") == b"c"
        with pytest.raises(UsageError, match="is damaged"):
            kept_run(history, "@-2")

    @pytest.mark.parametrize("content", [b"", b"no gzip", b"\x1f\x8b\x08\x00", GARBLED])
    def test_a_damaged_object_is_an_error_that_names_it(self, tmp_path: Path, content: bytes) -> None:
        history = prepared(tmp_path)
        keep(history, "a")
        kept = kept_run(history, "@latest")
        path = history.objects()[kept.digests["index.json"]]
        path.write_bytes(content)

        with pytest.raises(UsageError, match=path.name):
            kept.read("index.json")
        with pytest.raises(DamagedHistoryError, match=path.name):
            history.content(kept.digests["index.json"])

    def test_an_object_with_other_content_is_noticed(self, tmp_path: Path) -> None:
        history = prepared(tmp_path)
        keep(history, "a")
        kept = kept_run(history, "@latest")
        objects = history.objects()
        objects[kept.digests["index.json"]].write_bytes(objects[kept.digests["run.json"]].read_bytes())

        with pytest.raises(UsageError, match="does not hold what its name says"):
            kept.read("index.json")

    def test_a_directory_with_other_files_is_left_alone(self, tmp_path: Path) -> None:
        (tmp_path / "history").mkdir()
        (tmp_path / "history/mine.txt").write_text("mine")

        with pytest.raises(UsageError, match="none of a history"):
            prepared(tmp_path)
        assert [path.name for path in (tmp_path / "history").iterdir()] == ["mine.txt"]

    def test_a_history_of_another_version_is_left_alone(self, tmp_path: Path) -> None:
        history = prepared(tmp_path)
        marker = history.directory / "history.json"
        marker.write_text('{"formatVersion": 2, "tool": "scan-cluster"}')

        with pytest.raises(UsageError, match="not of this version"):
            history.prepare(tmp_path / "out")
        with pytest.raises(UsageError, match="is no history"), history.reading():
            pass
        assert b"2" in marker.read_bytes()

    def test_files_that_only_look_like_runs_are_none(self, tmp_path: Path) -> None:
        history = prepared(tmp_path)
        keep(history, "a")
        for name in ("notes", "2026-99-99T00-00-00Z", "2026-11-30T10-20-30Z.x"):
            (history.directory / f"runs/{name}.json").write_text("{}")

        assert history.names() == ["2026-11-30T10-20-30Z"]

    def test_a_history_in_the_output_directory_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="every run replaces"):
            History(tmp_path / "out/history").prepare(tmp_path / "out")
        assert not (tmp_path / "out").exists()

    def test_a_place_that_cannot_be_written_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")

        with pytest.raises(UsageError, match="Cannot keep a history"):
            History(tmp_path / "file/history").prepare(tmp_path / "out")

    def test_a_run_that_cannot_be_kept_leaves_the_others(self, tmp_path: Path) -> None:
        history = prepared(tmp_path)
        keep(history, "a")
        kept = kept_run(history, "@latest")
        for path in (history.directory / "objects").iterdir():
            path.rename(path.with_name(f"moved-{path.name}"))
        for number in range(256):
            (history.directory / f"objects/{number:02x}").write_text("in the way")

        with pytest.raises(CommandError, match="Cannot"):
            history.keep(BEGIN, run("b"), Retention())
        assert history.names() == [kept.name]


WRITER = """
import sys
from datetime import datetime, UTC
from pathlib import Path
from workers.history import History, Retention
history = History(Path(sys.argv[1]))
for number in range(int(sys.argv[3])):
    text = f"{sys.argv[2]}{number}"
    artifacts = {"index.json": text.encode(), "run.json": b"run", **{f"{i}": f"{text} {i}".encode() for i in range(20)}}
    history.keep(datetime(2026, 11, 30, tzinfo=UTC), artifacts, RETENTION)
    print(text, flush=True)
"""


def writer(history: History, text: str, *, runs: int, retention: str) -> subprocess.Popen[bytes]:
    """A process that keeps one run after the other."""
    script = WRITER.replace("RETENTION", retention)
    return subprocess.Popen(
        [sys.executable, "-c", script, history.directory, text, str(runs)], stdout=subprocess.PIPE
    )
