"""Writing artifacts so that readers see the old set or the new one, never a mixture.

Artifacts are written to a hidden sibling of the output directory and swapped in whole. The output directory must
be new, empty, or one that an earlier run wrote (its ``index.json`` says so); nothing else is ever replaced.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from scanner.artifacts import INDEX_FILE, TOOL_NAME
from scanner.serialization import decode_document
from workers.errors import CommandError, UsageError

_AT_FDCWD: Final = -100
_RENAME_EXCHANGE: Final = 2
_MAX_INDEX_BYTES: Final = 64 * 1024 * 1024


class OutputDirectory:
    """The directory that a run writes; a context manager that leaves nothing half-written behind.

    Args:
        out: Where the artifacts shall be.
        root: The scanned directory.

    Raises:
        UsageError: *out* is or contains *root*, is no directory, holds something that no run wrote, or cannot be
            written.
    """

    def __init__(self, out: Path, root: Path) -> None:
        self.path = Path(os.path.realpath(out))
        _check_place(self.path, Path(os.path.realpath(root)))
        _check_content(self.path)
        self._staging: Path | None = None

    def __enter__(self) -> Self:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._staging = Path(
                tempfile.mkdtemp(prefix=f".{self.path.name}.", suffix=".partial", dir=self.path.parent)
            )
        except OSError as error:
            raise UsageError(
                f"Cannot write to {self.path}: {error.strerror or error}. Choose another --out."
            ) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._staging is not None:
            shutil.rmtree(self._staging, ignore_errors=True)

    def write(self, artifacts: Mapping[str, bytes]) -> None:
        """Write all artifacts and swap them in; where all but one stand there already, this one alone.

        Raises:
            CommandError: Something could not be written; what stood there before is untouched.
        """
        if self._staging is None:
            raise RuntimeError("The output directory has not been entered")
        try:
            only = _only_difference(self.path, artifacts)
            if only is not None:
                staged = self._staging / "artifact"
                staged.write_bytes(artifacts[only])
                staged.replace(self.path / only)
                return
            _write_all(self._staging, artifacts)
            self._staging.chmod(0o755)
            _swap(self._staging, self.path)
        except OSError as error:
            raise CommandError(
                f"Cannot write the artifacts to {self.path}: {error.strerror or error}. What stood there before is untouched."
            ) from error


def _write_all(directory: Path, artifacts: Mapping[str, bytes]) -> None:
    made = {""}
    for name, content in artifacts.items():
        parent = name.rpartition("/")[0]
        if parent not in made:
            (directory / parent).mkdir(parents=True, exist_ok=True)
            made.add(parent)
        (directory / name).write_bytes(content)


def _only_difference(out: Path, artifacts: Mapping[str, bytes]) -> str | None:
    """Return the one artifact that a directory lacks to hold all of them and nothing else; None if there is more."""
    try:
        sizes = dict(_sizes_below(os.fspath(out), ""))
    except OSError:
        return None
    if sizes.keys() != artifacts.keys():
        return None
    changed = [name for name, content in artifacts.items() if sizes[name] != len(content)]
    for name, content in artifacts.items():
        if len(changed) > 1:
            return None
        if name not in changed and not _holds(f"{out}/{name}", content):
            changed.append(name)
    return changed[0] if len(changed) == 1 else None


def _sizes_below(directory: str, prefix: str) -> Iterator[tuple[str, int]]:
    """Yield path and size of every file; -1 for what is neither a file nor a directory that holds any."""
    is_empty = True
    with os.scandir(directory) as entries:
        for entry in entries:
            is_empty = False
            if entry.is_dir(follow_symlinks=False):
                yield from _sizes_below(entry.path, f"{prefix}{entry.name}/")
            else:
                is_file = entry.is_file(follow_symlinks=False)
                yield prefix + entry.name, entry.stat(follow_symlinks=False).st_size if is_file else -1
    if is_empty:
        yield prefix, -1


def _holds(path: str, content: bytes) -> bool:
    try:
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123 -- hundreds of files, paths as text
            return file.read() == content
    except OSError:
        return False


def write_file(path: Path, content: bytes) -> None:
    """Write one file so that readers see the old content or the new one.

    Raises:
        CommandError: It cannot be written; what stood there before is untouched.
    """
    staging = path.with_name(f".{path.name}.partial")
    try:
        staging.write_bytes(content)
        staging.replace(path)
    except OSError as error:
        staging.unlink(missing_ok=True)
        raise CommandError(f"Cannot write {path}: {error.strerror or error}.") from error


def _check_place(out: Path, root: Path) -> None:
    if out == root or out in root.parents:
        raise UsageError(
            f"The output directory {out} is the scanned directory or holds it; a run would replace the sources."
            " Choose a directory inside or beside the root."
        )


def _check_content(out: Path) -> None:
    if not os.path.lexists(out):
        return
    if not out.is_dir():
        raise UsageError(f"{out} exists and is no directory. Choose another --out.")
    try:
        is_empty = next(out.iterdir(), None) is None
    except OSError as error:
        raise UsageError(
            f"Cannot look into {out}: {error.strerror or error}. Choose another --out."
        ) from error
    if not is_empty and not is_artifact_directory(out):
        raise UsageError(
            f"{out} holds files that no run of {TOOL_NAME} wrote (there is no {INDEX_FILE} of ours), so it was left alone."
            " Choose another --out, or empty the directory yourself."
        )


def is_artifact_directory(directory: Path) -> bool:
    """Tell whether *directory* holds the artifacts of an earlier run."""
    index = directory / INDEX_FILE
    try:
        if not index.is_file() or index.stat().st_size > _MAX_INDEX_BYTES:
            return False
        content = decode_document(index.read_bytes())
    except (OSError, ValueError):
        return False
    tool = content.get("tool") if isinstance(content, dict) else None
    return isinstance(tool, dict) and tool.get("name") == TOOL_NAME and "formatVersion" in content


def _swap(staging: Path, out: Path) -> None:
    """Put *staging* in the place of *out*; what stood in *out* is in *staging* afterwards, if anything did."""
    if not out.exists():
        staging.rename(out)
    elif not _exchange(staging, out):
        retired = staging.with_suffix(".retired")
        out.rename(retired)
        try:
            staging.rename(out)
        except OSError:
            retired.rename(out)
            raise
        shutil.rmtree(retired, ignore_errors=True)


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two directories in one step where the kernel can; tell whether it did."""
    try:
        renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    outcome = renameat2(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE)
    return bool(outcome == 0)
