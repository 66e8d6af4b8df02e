"""Compares the scanner's reading of TypeScript files with that of oxc-parser, a second and independent parser.

    python bench/syntax_oracle.py DIRECTORY... [--tools DIR] [--report FILE]
    python bench/syntax_oracle.py DIRECTORY... --mutants 2000 [--seed 1]

The first form reports false syntax errors (the scanner's alone), missed ones (oxc's alone), and every difference in
classes, members, aliases, enums, interfaces, object types, statements and calls of the files that both accept. The
second breaks the files by a token each and compares the verdicts alone. oxc-parser comes from npm into ``--tools``
(a temporary directory otherwise). Node runs the parser only; nothing of the files is run.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from syntax_outline import outline

from scanner.file_scan import parse_source
from scanner.syntax.grammar import dialect_of_path
from scanner.syntax.lexer import tokenize
from scanner.syntax.parsing import parse_source_bytes

OXC: Final = "oxc-parser@0.159.0"
ORACLE: Final = Path(__file__).with_name("syntax_oracle.mjs")
FEWEST_TOKENS: Final = 2
LARGEST_MUTANT: Final = 200_000
SUFFIXES: Final = (".ts", ".tsx", ".mts", ".cts")
INSERTED: Final = [b"(", b")", b"{", b"}", b"[", b"]", b"<", b">", b",", b";", b":", b"=", b"?", b".", b"=>"]
INSERTED_WORDS: Final = [
    b" class ",
    b" static ",
    b" extends ",
    b" as ",
    b" in ",
    b" x ",
    b" 1 ",
    b" async ",
    b" @x ",
]


def source_files(roots: Iterable[Path]) -> list[Path]:
    """Return the TypeScript files below *roots*, sorted."""
    return sorted(
        path for root in roots for path in root.rglob("*") if path.suffix in SUFFIXES and path.is_file()
    )


def install_oracle(tools: Path) -> Path:
    """Install oxc-parser into *tools* unless it is there; return the file that it is required from."""
    tools.mkdir(parents=True, exist_ok=True)
    if not (tools / "node_modules" / "oxc-parser").exists():
        subprocess.run(["npm", "install", "--silent", "--prefix", tools, OXC], check=True)
    return tools / "package.json"


def oracle_answers(paths: Sequence[Path], required_from: Path) -> Iterator[dict[str, Any]]:
    """Yield what oxc-parser says of each of *paths*, in order."""
    with tempfile.TemporaryFile() as listing:
        listing.write("\n".join(map(str, paths)).encode())
        listing.seek(0)
        command = ["node", "--max-old-space-size=4096", ORACLE, required_from]
        with subprocess.Popen(command, stdin=listing, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            for line in process.stdout:
                yield json.loads(line)


def own_answer(path: Path) -> tuple[list[str], list[Any]]:
    """Return the scanner's syntax errors of a file, and its outline when there are none."""
    data = path.read_bytes()
    errors = [
        f"{error.line}:{error.column} {error.message}"
        for error in parse_source(data, str(path)).errors
        if error.code == "syntax-error"
    ]
    return errors, [] if errors else outline(parse_source_bytes(data, dialect_of_path(path.name)))


def differences(path: Path, ours: list[Any], theirs: list[Any]) -> Iterator[dict[str, Any]]:
    """Yield what the outlines of one file do not agree on, kind by kind."""
    for kind in ("class", "alias", "enum", "interface", "literal", "statement", "call"):
        pair = [[entry[1:] for entry in entries if entry[0] == kind] for entries in (ours, theirs)]
        different = [(one, two) for one, two in zip_longest(*pair) if one != two]
        if different:
            yield {"path": str(path), "kind": kind, "ours": different[0][0], "theirs": different[0][1]}


def compare(path: Path, answer: dict[str, Any], own: tuple[list[str], list[Any]]) -> Iterator[dict[str, Any]]:
    """Yield every disagreement about one file."""
    errors, entries = own
    if errors and not answer["errors"]:
        yield {"path": str(path), "kind": "false error", "ours": errors[:3]}
    elif answer["errors"] and not errors:
        yield {"path": str(path), "kind": "missed error", "theirs": answer["errors"][:3]}
    elif not errors:
        yield from differences(path, entries, answer["entries"])


def mutants(paths: Sequence[Path], count: int, seed: int, folder: Path) -> list[Path]:
    """Write *count* files with one token deleted, doubled, swapped with the next, or a stray one put in."""
    dice = random.Random(seed)
    written = []
    while len(written) < count:
        path = dice.choice(paths)
        data = path.read_bytes()
        tokens = tokenize(data, dialect_of_path(path.name))
        if len(tokens) < FEWEST_TOKENS or len(data) > LARGEST_MUTANT:
            continue
        position = dice.randrange(len(tokens) - 1)
        first, second = tokens[position], tokens[position + 1]
        own, following = data[first.start : first.end], data[second.start : second.end]
        between = data[first.end : second.start]
        stray = dice.choice(dice.choice([INSERTED, INSERTED_WORDS]))
        middle = dice.choice(
            [
                between + following,
                own + b" " + own + between + following,
                following + (between or b" ") + own,
                stray + own + between + following,
            ]
        )
        target = folder / f"{len(written):06}{path.suffix}"
        target.write_bytes(data[: first.start] + middle + data[second.end :])
        written.append(target)
    return written


def report(paths: Sequence[Path], tools: Path, target: Path | None) -> int:
    """Compare all *paths*, print counts and where they differ, and return how many false errors there are."""
    counts: Counter[str] = Counter()
    found = []
    required_from = install_oracle(tools)
    with ProcessPoolExecutor() as pool:
        answers = oracle_answers(paths, required_from)
        for path, own, answer in zip(paths, pool.map(own_answer, paths, chunksize=32), answers, strict=True):
            counts["files"] += 1
            counts["rejected by oxc"] += bool(answer["errors"])
            counts["rejected by the scanner"] += bool(own[0])
            for entry in answer["entries"]:
                counts[f"{entry[0]} entries"] += 1
                counts["members"] += len(entry[5]) if entry[0] == "class" else 0
            found.extend(compare(path, answer, own))
    for name, count in counts.items():
        print(f"{count:9} {name}")
    for name, count in Counter(item["kind"] for item in found).items():
        print(f"{count:9} files with: {name}")
    if target is not None:
        target.write_text("".join(json.dumps(item) + "\n" for item in found))
    return sum(item["kind"] == "false error" for item in found)


def main() -> None:
    """Compare as the command line says; the exit code is 1 when a false syntax error is found."""
    parser = argparse.ArgumentParser(description="Compare the scanner's reading with that of oxc-parser.")
    parser.add_argument("roots", nargs="+", type=Path)
    parser.add_argument("--tools", type=Path, help="where oxc-parser is or goes")
    parser.add_argument("--report", type=Path, help="file for the differences, one a line")
    parser.add_argument("--mutants", type=int, default=0, help="break this many copies instead")
    parser.add_argument("--mutants-dir", type=Path, help="keep the broken copies here")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    paths = source_files(given.roots)
    with tempfile.TemporaryDirectory() as scratch:
        tools = given.tools or Path(scratch) / "tools"
        if given.mutants:
            folder = given.mutants_dir or Path(scratch) / "mutants"
            folder.mkdir(parents=True, exist_ok=True)
            paths = mutants(paths, given.mutants, given.seed, folder)
        sys.exit(1 if report(paths, tools.absolute(), given.report) else 0)


if __name__ == "__main__":
    main()
