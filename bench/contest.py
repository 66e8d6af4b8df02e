"""Running commands in alternation and measuring each as a whole process.

Every round runs each contestant once, each round beginning with another one, so that whatever slows the machine for a
while slows all of them. Ratios are taken within a round.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Final

from bench_record import ContestRecord, EntryRecord, Sample
from corpora import Corpus

_PR_SET_CHILD_SUBREAPER: Final = 36


class ContestantError(Exception):
    """A contestant failed; the message says how."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """A command that takes part.

    Attributes:
        name: Its name in the record.
        command: Makes the command line for a corpus.
        details: Reads what it reported from its standard output (or from where it wrote it).
        exits: Exit codes that count as success.
    """

    name: str
    command: Callable[[Corpus], Sequence[str | Path]]
    details: Callable[[str], Mapping[str, Any]]
    exits: frozenset[int] = frozenset({0})


def adopt_orphans() -> None:
    """Make grandchildren whose parents are gone children of this process, so that their processor time counts."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def run_contest(name: str, corpus: Corpus, contestants: Sequence[Contestant], rounds: int) -> ContestRecord:
    """Run *contestants* over *corpus* in alternation.

    All files are read once before, so that they are in memory for everyone. A contestant that fails is out, and its
    entry says why.
    """
    print(f"{name}: {corpus.files} files, {len(contestants)} contestants, {rounds} rounds.", flush=True)
    warm(corpus)
    entries = {contestant.name: EntryRecord(contestant.name) for contestant in contestants}
    for number in range(rounds):
        start = number % len(contestants)
        for contestant in (*contestants[start:], *contestants[:start]):
            entry = entries[contestant.name]
            if entry.failure is not None:
                continue
            try:
                sample, entry.details = measure(contestant, corpus)
            except ContestantError as error:
                entry.failure = str(error)
                print(f"  {contestant.name} is out: {error}", flush=True)
            else:
                entry.samples.append(sample)
                print(f"  {number + 1} {contestant.name:28} {sample.seconds:8.2f} s", flush=True)
    return ContestRecord(name, corpus.name, corpus.files, corpus.source_bytes, list(entries.values()))


def warm(corpus: Corpus) -> None:
    """Read every file of a corpus, so that it is in the page cache."""
    for path in corpus.listing.read_text().splitlines():
        (corpus.root / path).read_bytes()


def measure(contestant: Contestant, corpus: Corpus) -> tuple[Sample, dict[str, Any]]:
    """Run one contestant once.

    Returns:
        What it took, and what it reported.

    Raises:
        ContestantError: It could not be started, failed, or reported nothing that can be read.
    """
    before = _processor_seconds()
    # Files, since a pipe would end only with the last process that holds it.
    with _text_file() as output, _text_file() as errors:
        begin = time.perf_counter()
        returncode, group = _run(contestant.command(corpus), output, errors)
        seconds = time.perf_counter() - begin
        _reap_orphans(group)
        sample = Sample(round(seconds, 4), round(_processor_seconds() - before, 4))
        return sample, _reported(contestant, returncode, output, errors)


def _text_file() -> IO[str]:
    return TemporaryFile("w+", encoding="utf-8", errors="replace")


def _run(command: Sequence[str | Path], output: IO[str], errors: IO[str]) -> tuple[int, int]:
    """Run a command in a process group of its own; return its exit code and the group.

    Whatever interrupts the wait ends the whole group.
    """
    try:
        process = subprocess.Popen(command, process_group=0, stdout=output, stderr=errors)
    except OSError as error:
        raise ContestantError(f"It cannot be started: {error}") from error
    try:
        return process.wait(), process.pid
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise


def _reported(contestant: Contestant, returncode: int, output: IO[str], errors: IO[str]) -> dict[str, Any]:
    output.seek(0)
    errors.seek(0)
    if returncode not in contestant.exits:
        raise ContestantError(f"It ended with {returncode}: {_gist(errors.read())}")
    try:
        return dict(contestant.details(output.read()))
    except (OSError, ValueError, KeyError) as error:
        raise ContestantError(f"What it reported cannot be read: {error!r}") from error


def _gist(text: str) -> str:
    """Return the line of an error output that says most: one that speaks of an error, else the last."""
    lines = text.strip().splitlines()
    return next((line for line in lines if "rror" in line), lines[-1] if lines else "it said nothing.")


def _processor_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _reap_orphans(group: int) -> None:
    """Wait for what a process left behind, so that its processor time counts."""
    try:
        while True:
            os.waitpid(-group, 0)
    except ChildProcessError:
        pass
