"""Tables in Markdown from a record, and the place in the documentation where they stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from bench_record import BenchRecord, ContestRecord, EntryRecord
from goals import outcomes
from scaling import measured, predictions

BEGIN: Final = "<!-- bench: what follows is generated from docs/benchmarks.json by `make bench-report` -->"
END: Final = "<!-- bench: end -->"


def report(record: BenchRecord) -> str:
    """Return the tables of a record as Markdown."""
    parts = [*_setting(record), *_goals(record), *_contests(record), *_scaling(record)]
    return "\n\n".join(parts) + "\n"


def refresh(document: Path, text: str) -> None:
    """Put *text* between the marks of a document.

    Raises:
        ValueError: The document lacks the marks.
    """
    content = document.read_text()
    head, begin, rest = content.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(
            f"{document} lacks the lines {BEGIN!r} and {END!r}; put them where the tables belong."
        )
    document.write_text(f"{head}{BEGIN}\n\n{text}\n{END}{tail}")


def table(head: Sequence[str], rows: Iterable[Sequence[str]], numbers_from: int) -> str:
    """Return a Markdown table; columns from *numbers_from* on are aligned to the right."""
    rule = ["--:" if column >= numbers_from else "---" for column in range(len(head))]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows))


def _setting(record: BenchRecord) -> Iterator[str]:
    machine = record.machine
    if record.is_quick:
        yield "**This was the short form: few files, few rounds. Its figures prove nothing.**"
    versions = ", ".join(f"{name} {version}" for name, version in record.versions.items())
    yield (
        f"Measured from {record.started_at} on {machine['processors']} processors ({machine['processor']}, "
        f"{machine['memoryGigabytes']} GB, {machine['system']}, Python {machine['python']}), "
        f"load {machine['loadBefore']} before. {versions}."
    )
    yield from (f"Without {name}: {reason}" for name, reason in record.missing.items())
    rows = [
        (name, facts["description"], f"{facts['files']:,}", f"{facts['sourceBytes'] / 1e6:,.1f}")
        for name, facts in record.corpora.items()
    ]
    yield table(("corpus", "what it holds", "files", "MB"), rows, 2)
    yield from (f"{name}: {remark}" for name, facts in record.corpora.items() for remark in facts["remarks"])


def _goals(record: BenchRecord) -> Iterator[str]:
    yield "### Goals"
    rows = [(row.what, row.goal, row.figure, row.verdict) for row in outcomes(record)]
    yield table(("what", "goal", "median (least to most of the rounds)", "verdict"), rows, 4)


def _contests(record: BenchRecord) -> Iterator[str]:
    yield "### All contests"
    for contest in record.contests:
        megabytes = contest.source_bytes / 1e6
        yield f"`{contest.name}` over {contest.files:,} files, {megabytes:,.1f} MB"
        entries = sorted(
            (entry for entry in contest.entries if entry.samples), key=lambda entry: entry.median
        )
        yield table(
            (
                "contestant",
                "median s",
                "least",
                "most",
                "processor s",
                "files/s",
                "MB/s",
                "files parsed",
                "models found",
            ),
            [_row(contest, entry) for entry in entries],
            1,
        )
        yield from (f"{entry.name} is out: {entry.failure}" for entry in contest.entries if entry.failure)
        yield from disagreements(contest)


def disagreements(contest: ContestRecord) -> Iterator[str]:
    """Yield where contestants did not read, or did not find, the same: then their times cannot be compared."""
    for name, what, expected in (
        ("files", "files", contest.files),
        ("sourceBytes", "bytes", contest.source_bytes),
    ):
        for entry in contest.entries:
            found = entry.details.get(name, expected)
            if found != expected:
                yield f"**{entry.name} read {found:,} {what}, not {expected:,}.**"
    models = {entry.name: entry.details["models"] for entry in contest.entries if "models" in entry.details}
    if len(set(models.values())) > 1:
        counts = ", ".join(f"{name} {count:,}" for name, count in models.items())
        yield f"**They did not find the same models: {counts}.**"


def _row(contest: ContestRecord, entry: EntryRecord) -> tuple[str, ...]:
    low, high = entry.spread
    counts = (entry.details.get(name) for name in ("filesParsed", "models"))
    return (
        entry.name,
        f"{entry.median:.2f}",
        f"{low:.2f}",
        f"{high:.2f}",
        f"{entry.median_processor:.2f}",
        f"{contest.files / entry.median:,.0f}",
        f"{contest.source_bytes / 1e6 / entry.median:,.1f}",
        *("" if count is None else f"{count:,}" for count in counts),
    )


def _scaling(record: BenchRecord) -> Iterator[str]:
    contest, predicted = record.contest("workers"), predictions(record)
    if contest is None or not predicted:
        return
    yield "### More workers"
    yield "Predicted from the costs of shards with one worker, at `--depth full`."
    found = measured(contest)
    alone = predicted[1]
    rows = [
        (
            str(workers),
            f"{seconds:.2f}",
            f"{found[workers]:.2f}" if workers in found else "",
            f"{contest.source_bytes / 1e6 / seconds:,.1f}",
            f"{alone / seconds:.1f}",
        )
        for workers, seconds in predicted.items()
    ]
    yield table(("workers", "predicted s", "measured s", "MB/s", "times as fast as one"), rows, 0)
