"""Commands run in alternation, as whole processes, and those that fail are out."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from contest import Contestant, ContestantError, measure, run_contest
from corpora import Corpus, generated_plan, prepare


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return prepare(generated_plan(3), tmp_path)


def python(name: str, code: str) -> Contestant:
    return Contestant(name, lambda _: [sys.executable, "-c", code], json.loads)


def test_contestants_take_turns_and_each_round_begins_with_another(corpus: Corpus, tmp_path: Path) -> None:
    log = tmp_path / "log"
    contestants = [python(name, f"open({str(log)!r}, 'a').write({name!r}); print('{{}}')") for name in "abc"]
    record = run_contest("turns", corpus, contestants, rounds=4)

    assert log.read_text() == "abcbcacababc"
    assert [len(entry.samples) for entry in record.entries] == [4, 4, 4]
    assert (record.files, record.source_bytes) == (3, corpus.source_bytes)


def test_what_a_contestant_reported_is_kept(corpus: Corpus) -> None:
    _, details = measure(python("speaker", "print('{\"models\": 3}')"), corpus)

    assert details == {"models": 3}


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("raise SystemExit('no luck')", "ended with 1: no luck"),
        ("raise SystemExit('TypeError: no luck\\n\\nNode.js v20')", "ended with 1: TypeError: no luck"),
        ("raise SystemExit(1)", "ended with 1: it said nothing."),
        ("print('no JSON')", "What it reported cannot be read"),
    ],
)
def test_a_contestant_that_fails_is_out_and_the_others_go_on(corpus: Corpus, code: str, message: str) -> None:
    record = run_contest("failure", corpus, [python("bad", code), python("good", "print('{}')")], rounds=2)
    bad, good = record.entries

    assert message in (bad.failure or "")
    assert (len(bad.samples), len(good.samples)) == (0, 2)


def test_a_program_that_is_not_there_is_named(corpus: Corpus) -> None:
    with pytest.raises(ContestantError, match=r"cannot be started: .*no-such-program"):
        measure(Contestant("ghost", lambda _: ["/no-such-program"], json.loads), corpus)


BURN = "import time\nwhile time.process_time() < 0.3: pass"


def test_the_processor_time_of_children_counts(corpus: Corpus) -> None:
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {BURN!r}]); print('{{}}')"
    sample, _ = measure(python("parent", code), corpus)

    assert sample.processor_seconds >= 0.3


def test_the_processor_time_of_orphans_counts_where_they_are_adopted(tmp_path: Path) -> None:
    orphan = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {BURN!r}], stdout=subprocess.DEVNULL); print('{{}}')"
    script = tmp_path / "adopting.py"
    script.write_text(
        "import json, sys\nfrom pathlib import Path\nfrom contest import *\nfrom corpora import Corpus\n"
        "adopt_orphans()\n"
        f"command = [sys.executable, '-c', {orphan!r}]\n"
        "corpus = Corpus('none', '', Path(), Path(), 0, 0, '')\n"
        "sample, _ = measure(Contestant('parent', lambda _: command, json.loads), corpus)\n"
        "print(sample.processor_seconds)\n"
    )
    bench = Path(__file__).parent.parent / "bench"
    finished = subprocess.run(
        [sys.executable, script],
        env={"PYTHONPATH": str(bench)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )

    assert float(finished.stdout) >= 0.3
