"""Real monorepos, put together again from the TypeScript that their packages ship to npm.

Each is a root package.json with workspaces, and the packages of one repository as ``packages/NAME`` with their own
package.json files, which name what a build makes, as in the repository. Nothing is left out for being alike, since barrels
often are.

Hardly any of their classes is a model, so there is a variant with models: a mechanical change puts ``@smrt({ tableStrategy: 'sti' })`` in front of
every class that is exported where it is declared and extends another one. Then the parent of each of these is looked up, and its columns are those of the whole chain.
"""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path
from typing import Final

from corpora import CorpusPlan
from npm_corpus import DownloadError, download, pinned_packages, slug_of, unpack

MONOREPOS: Final = ("theia", "jupyterlab")
_SOURCES: Final = ("*.ts", "*.tsx")
_DERIVED_CLASS: Final = re.compile(
    rb"^(?=export\s+(?:default\s+)?(?:abstract\s+)?class\s+[\w$]+\s*(?:<[^{]*?>)?\s*extends\b)", re.MULTILINE
)


def monorepo_plan(name: str, downloads: Path, *, has_models: bool) -> CorpusPlan:
    """Return the plan of one of :data:`MONOREPOS`.

    Args:
        name: Which.
        downloads: Where tarballs are kept.
        has_models: Whether classes that extend others are made models.
    """
    packages = pinned_packages(Path(__file__).with_name(f"monorepo_{name}.txt"))
    what = f"The sources of {len(packages)} packages of {name}, laid out as its monorepo"
    what += ", each exported class that extends another made a model." if has_models else "."
    build = partial(_build, name, packages, downloads, has_models=has_models)
    return CorpusPlan(f"{name}-models" if has_models else name, what, build)


def with_models(source: bytes) -> bytes:
    """Return a source with every exported class that extends another one decorated as a model."""
    return _DERIVED_CLASS.sub(b"@smrt({ tableStrategy: 'sti' }) ", source)


def _build(name: str, packages: list[str], downloads: Path, root: Path, *, has_models: bool) -> list[str]:
    remarks = []
    content = {"name": f"{name}-monorepo", "private": True, "workspaces": ["packages/*"]}
    (root / "package.json").write_text(json.dumps(content, indent=2))
    for package in packages:
        try:
            tarball = download(package, downloads)
        except DownloadError as error:
            remarks.append(f"{error.args[0]} could not be downloaded and is missing: {error.args[1]}")
            continue
        unpack(tarball, root / "packages" / slug_of(package).rpartition("__")[2])
    if has_models:
        for pattern in _SOURCES:
            for path in root.rglob(pattern):
                if path.is_file():
                    path.write_bytes(with_models(path.read_bytes()))
    return remarks
