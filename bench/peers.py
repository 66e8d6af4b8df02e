"""The tools that the scanner is compared with: where they come from, and which commands they run.

All of them are put below one directory; nothing is installed on the system. A tool that cannot be had is missing from
the comparison, and the record says why.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from contest import Contestant
from corpora import Corpus

NPM_PACKAGES: Final = {"node": "22.23.3", "oxc-parser": "0.159.0"}
AST_GREP: Final = "ast-grep-cli==0.51.1"
TOKENS: Final = ("smrt", "Smrt")
"""What the scanner's first sieve looks for; it finds the words in escaped spellings as well."""

_FOUND_NOTHING: Final = frozenset({0, 1})
_UNREADABLE_INPUT: Final = frozenset({0, 4})
_OXC_SCRIPT: Final = Path(__file__).with_name("oxc_peer.mjs")
_DECORATOR: Final = "{kind: decorator, regex: '^@smrt\\('}"
_AST_GREP_RULE: Final = f"""
rule:
  kind: class_declaration
  any:
    - has: {_DECORATOR}
    - inside: {{kind: export_statement, has: {_DECORATOR}}}
"""
_AST_GREP_RULES: Final = "---\n".join(
    f"id: models-{language}\nlanguage: {language}{_AST_GREP_RULE}" for language in ("TypeScript", "Tsx")
)


@dataclass(slots=True)
class Peers:
    """What could be installed.

    Attributes:
        contestants: The peers that can run, by name.
        versions: Versions of what they are made of.
        missing: Why a peer is not among them, by name.
    """

    contestants: dict[str, Contestant] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)


def install_peers(tools: Path) -> Peers:
    """Install every peer that can be had into *tools*."""
    peers = Peers()
    for name, install in (
        ("oxc-parser", _install_oxc),
        ("ast-grep", _install_ast_grep),
        ("ripgrep", _install_ripgrep),
    ):
        print(f"Looking for {name} in {tools}, installing it there if it is missing.", flush=True)
        try:
            for contestant in install(tools, peers.versions):
                peers.contestants[contestant.name] = contestant
        except (OSError, subprocess.CalledProcessError) as error:
            peers.missing[name] = _reason(error)
            print(f"{name} is left out of the comparison: {peers.missing[name]}", flush=True)
    return peers


def _reason(error: OSError | subprocess.CalledProcessError) -> str:
    if isinstance(error, OSError):
        return str(error)
    last = (error.stderr or error.stdout or "").strip().splitlines()[-1:]
    return f"{Path(error.cmd[0]).name} ended with {error.returncode}. {''.join(last)}".strip()


def _output(*command: str | Path, cwd: Path | None = None) -> str:
    return subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True).stdout.strip()


def _install_oxc(tools: Path, versions: dict[str, str]) -> Iterator[Contestant]:
    tools.mkdir(parents=True, exist_ok=True)
    manifest = tools / "package.json"
    wanted = json.dumps({"private": True, "dependencies": NPM_PACKAGES}, indent=2)
    if not (tools / "node_modules").exists() or manifest.read_text() != wanted:
        manifest.write_text(wanted)
        _output("npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--silent", cwd=tools)
    versions["oxc-parser"] = NPM_PACKAGES["oxc-parser"]
    versions["node of this machine"] = _output("node", "--version")
    yield _oxc("oxc", Path("node"), manifest, "json", 1)
    yield _oxc("oxc-2-threads", Path("node"), manifest, "json", 2)
    node_22 = tools / "node_modules/node/bin/node"
    versions["node of npm"] = _output(node_22, "--version")
    yield _oxc("oxc-node22", node_22, manifest, "json", 1)
    yield _oxc("oxc-node22-raw", node_22, manifest, "raw", 1)
    yield _oxc("oxc-node22-lazy", node_22, manifest, "lazy", 1)
    yield _oxc("oxc-node22-lazy-2-threads", node_22, manifest, "lazy", 2)


def _oxc(name: str, node: Path, manifest: Path, mode: str, threads: int) -> Contestant:
    def command(corpus: Corpus) -> list[str | Path]:
        return [
            node,
            "--max-old-space-size=4096",
            _OXC_SCRIPT,
            manifest.absolute(),
            corpus.root.absolute(),
            corpus.listing.absolute(),
            mode,
            str(threads),
        ]

    return Contestant(name, command, json.loads)


def _install_ast_grep(tools: Path, versions: dict[str, str]) -> Iterator[Contestant]:
    target = tools / "python"
    program = target / "bin/ast-grep"
    if not program.exists():
        _output(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", target, AST_GREP)
    versions["ast-grep"] = _output(program, "--version").removeprefix("ast-grep ")
    # The corpora lie in a directory that git ignores.
    unignored = [f"--no-ignore={kind}" for kind in ("hidden", "dot", "exclude", "global", "parent", "vcs")]

    def command(corpus: Corpus) -> list[str | Path]:
        return [program, "scan", *unignored, "--json=stream", "--inline-rules", _AST_GREP_RULES, corpus.root]

    yield Contestant("ast-grep", command, lambda output: {"models": len(output.splitlines())}, _FOUND_NOTHING)


def _install_ripgrep(tools: Path, versions: dict[str, str]) -> Iterator[Contestant]:
    program = _debian_ripgrep(tools)
    versions["ripgrep"] = _output(program, "--version").splitlines()[0].removeprefix("ripgrep ")
    tokens = [argument for token in TOKENS for argument in ("-e", token)]

    def command(corpus: Corpus) -> list[str | Path]:
        options = [
            "--no-ignore",
            "--hidden",
            "--count-matches",
            "--fixed-strings",
            "--glob=*.ts",
            "--glob=*.tsx",
        ]
        return [program, *options, *tokens, corpus.root]

    yield Contestant(
        "ripgrep", command, lambda output: {"filesWithTokens": len(output.splitlines())}, _FOUND_NOTHING
    )


def _debian_ripgrep(tools: Path) -> Path:
    """Return ripgrep as Debian builds it, unpacked below *tools*; the one on the PATH where there is no apt-get."""
    program = tools / "ripgrep/usr/bin/rg"
    if program.exists():
        return program
    if shutil.which("apt-get") is None:
        return Path(shutil.which("rg") or "rg")
    tools.mkdir(parents=True, exist_ok=True)
    print(
        "Downloading Debian's package of ripgrep, to unpack it there; the system stays as it is.", flush=True
    )
    _output("apt-get", "download", "ripgrep", cwd=tools)
    package = max(tools.glob("ripgrep_*.deb"))
    _output("dpkg-deb", "--extract", package, tools / "ripgrep")
    return program


def scanner_contestant(
    name: str, scratch: Path, *options: str, details: Callable[[Path], dict[str, object]] | None = None
) -> Contestant:
    """Return a contestant that is the scanner itself.

    Args:
        name: Its name in the record.
        scratch: Directory for its artifacts.
        options: Options of ``scan-cluster run``.
        details: Reads figures from the artifacts; by default how many files and models there were.
    """
    out = scratch / name
    script = Path(sys.executable).with_name("scan-cluster")

    def command(corpus: Corpus) -> list[str | Path]:
        always = ["--no-cache", "--quiet", "--no-progress", "--fail-on", "never"]
        return [script, "run", corpus.root, "--out", out, *always, *options]

    return Contestant(name, command, lambda _: (details or counts_of_run)(out), _UNREADABLE_INPUT)


def counts_of_run(out: Path) -> dict[str, object]:
    """Return how many files a run of the scanner read and parsed, their bytes, and how many models it found."""
    run = json.loads((out / "run.json").read_bytes())
    index = json.loads((out / "index.json").read_bytes())
    return {
        "files": run["files"],
        "filesParsed": run["work"]["filesParsed"],
        "sourceBytes": run["sourceBytes"],
        "models": index["totals"]["models"],
    }


def details_of_run(out: Path) -> dict[str, object]:
    """Return what the scaling model needs to know about a run, besides its counts."""
    run = json.loads((out / "run.json").read_bytes())
    names = ("phases", "driverProcessorSeconds", "shardSeconds")
    return {**counts_of_run(out), **{name: run[name] for name in names}}
