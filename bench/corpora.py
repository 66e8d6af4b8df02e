"""The trees that are measured, and how they come to be.

A corpus is built once and marked complete; what was interrupted is built anew, and downloads are kept.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from generated_tree import TreeShape, write_tree
from npm_corpus import DownloadError, download, pinned_packages, slug_of, unpack

MODELS_ONLY: Final = TreeShape(models=1, intents=0, of=1, noise=1.5)
PLANTED: Final = TreeShape(models=8, intents=1, noise=0.5, files_per_package=10)
PLANTED_FILES: Final = 50
_RECIPE: Final = [
    Path(__file__).with_name(name)
    for name in (
        "corpora.py",
        "generated_tree.py",
        "monorepo_corpus.py",
        "monorepo_jupyterlab.txt",
        "monorepo_theia.txt",
        "npm_corpus.py",
        "npm_packages.txt",
    )
]


@dataclass(frozen=True, slots=True)
class CorpusPlan:
    """A corpus that can be built.

    Attributes:
        name: Its name in the record.
        description: What it holds, for people.
        build: Writes it into a directory and returns what went amiss, for the record.
    """

    name: str
    description: str
    build: Callable[[Path], list[str]]


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus on the disk.

    Attributes:
        name: See :class:`CorpusPlan`.
        description: See :class:`CorpusPlan`.
        root: Its directory.
        listing: A file of its sources' paths, relative to the root, one a line, sorted.
        files: How many sources there are.
        source_bytes: Their size.
        digest: Digest of all paths and bytes: equal for equal corpora, whatever the machine.
        remarks: What went amiss while it was built.
    """

    name: str
    description: str
    root: Path
    listing: Path
    files: int
    source_bytes: int
    digest: str
    remarks: tuple[str, ...] = ()


def npm_plan(downloads: Path, packages: int | None = None) -> CorpusPlan:
    """Return the plan of the corpus of real files, a handful of model files planted among them.

    Args:
        downloads: Where tarballs are kept.
        packages: Take so many packages of the list only, spread evenly over it.
    """
    listed = pinned_packages()
    chosen = listed if packages is None else listed[:: max(1, len(listed) // packages)][:packages]
    name = "npm" if packages is None else f"npm-{packages}"
    what = f"Sources of {len(chosen)} npm packages and {PLANTED_FILES} planted files, 45 of them with models or intents."
    return CorpusPlan(name, what, partial(_build_npm, chosen, downloads))


def generated_plan(files: int) -> CorpusPlan:
    """Return the plan of a generated tree of the usual shape."""
    what = f"Generated, {files:,} in number: of ten files two hold a model and one an intent."
    return CorpusPlan(f"generated-{files}", what, partial(_build_generated, files, TreeShape()))


def models_plan(files: int) -> CorpusPlan:
    """Return the plan of a generated tree in which every file holds a model."""
    what = f"Generated, {files:,} in number: each file holds a model."
    return CorpusPlan(f"models-{files}", what, partial(_build_generated, files, MODELS_ONLY))


def prepare(plan: CorpusPlan, directory: Path) -> Corpus:
    """Return a corpus below *directory*, built if it is not there complete."""
    root, mark = directory / plan.name, directory / f"{plan.name}.json"
    if not _is_complete(mark):
        print(f"Building the corpus {plan.name}.", flush=True)
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir(parents=True)
        _mark_complete(root, mark, plan.build(root))
    facts = json.loads(mark.read_bytes())
    listing = directory / f"{plan.name}.files"
    return Corpus(
        plan.name,
        plan.description,
        root,
        listing,
        facts["files"],
        facts["sourceBytes"],
        facts["digest"],
        tuple(facts["remarks"]),
    )


def _is_complete(mark: Path) -> bool:
    """Tell whether a corpus was built to the end, with nothing missing, by the code and the list of today."""
    if not mark.exists():
        return False
    facts = json.loads(mark.read_bytes())
    return not facts["remarks"] and facts["recipe"] == _recipe()


def _recipe() -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path in _RECIPE)).hexdigest()


def _mark_complete(root: Path, mark: Path, remarks: list[str]) -> None:
    # Directories may be called like sources: ethers has a src.ts.
    sources = (path for path in root.rglob("*") if path.suffix in {".ts", ".tsx"} and path.is_file())
    paths = sorted(path.relative_to(root).as_posix() for path in sources)
    digest, size = hashlib.sha256(), 0
    for path in paths:
        data = (root / path).read_bytes()
        digest.update(f"{path}\0{len(data)}\0".encode() + data)
        size += len(data)
    mark.with_suffix(".files").write_text("".join(f"{path}\n" for path in paths))
    facts = {
        "files": len(paths),
        "sourceBytes": size,
        "digest": digest.hexdigest(),
        "recipe": _recipe(),
        "remarks": remarks,
    }
    fresh = mark.with_suffix(".fresh")
    fresh.write_text(json.dumps(facts, indent=2))
    fresh.replace(mark)


def _build_generated(files: int, shape: TreeShape, root: Path) -> list[str]:
    write_tree(root, files, shape=shape)
    return []


def _build_npm(packages: list[str], downloads: Path, root: Path) -> list[str]:
    seen: set[bytes] = set()
    remarks = []
    for number, package in enumerate(packages, 1):
        print(
            f"\r  {number} of {len(packages)} {package:50}", end="\n" * (number == len(packages)), flush=True
        )
        try:
            unpack(download(package, downloads), root / "packages" / slug_of(package), seen)
        except DownloadError as error:
            remarks.append(f"{error.args[0]} could not be downloaded and is missing: {error.args[1]}")
    write_tree(root / "workspaces", PLANTED_FILES, shape=PLANTED)
    return remarks
