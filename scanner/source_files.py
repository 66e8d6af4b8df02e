"""Reading source files from disk: bounded, never blocking, every mishap a diagnostic."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from typing import Final

from scanner.diagnostics import Diagnostic, Severity, diagnose
from scanner.syntax.source import SourceText

DEFAULT_MAX_FILE_BYTES: Final = 8 * 1024 * 1024
"""Files larger than this are reported instead of scanned."""


def read_source_file(path: str | os.PathLike[str], file_path: str, max_bytes: int) -> bytes | Diagnostic:
    """Read a regular file of bounded size, or say why that is not possible.

    The file is opened without blocking, so that a FIFO put in its place cannot hold up the scan.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return diagnose(
            "file-vanished",
            file_path,
            "The file was listed but is gone.",
            hint="Run the scan again on a quiet tree.",
        )
    except (OSError, ValueError) as error:
        return _unreadable(file_path, error)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return diagnose(
                "not-a-regular-file",
                file_path,
                "This is no regular file, so it was not opened for reading.",
                hint="Remove it, or exclude its path.",
            )
        if status.st_size > max_bytes:
            return _too_large(file_path, status.st_size, max_bytes)
        data = _read_up_to(descriptor, status.st_size, max_bytes + 1)
    except OSError as error:
        return _unreadable(file_path, error)
    finally:
        os.close(descriptor)
    return data if len(data) <= max_bytes else _too_large(file_path, len(data), max_bytes)


def _read_up_to(descriptor: int, expected: int, limit: int) -> bytes:
    """Read up to *limit* bytes of a file of about *expected* bytes, which may be changing."""
    first = os.read(descriptor, min(expected + 1, limit))
    if len(first) == expected:
        return first  # one byte more was asked for: this is the end
    chunks = [first]
    limit -= len(first)
    while limit > 0:
        chunk = os.read(descriptor, min(limit, 1 << 20))
        if not chunk:
            break
        chunks.append(chunk)
        limit -= len(chunk)
    return b"".join(chunks)


def byte_remarks(data: bytes, file_path: str) -> Sequence[Diagnostic]:
    """Return what is to be said about a file's bytes: binary content, bad UTF-8, NUL characters."""
    has_nul = b"\0" in data
    try:
        if not data.isascii():
            data.decode("utf-8")
    except UnicodeDecodeError as error:
        return [_binary(file_path) if has_nul else _invalid_encoding(data, error.start, file_path)]
    return [_nul_bytes(data, file_path)] if has_nul else []


def _binary(file_path: str) -> Diagnostic:
    return diagnose(
        "file-binary",
        file_path,
        "The file holds NUL bytes and is not valid UTF-8, so it is taken for binary.",
        hint="Exclude it, or convert it to UTF-8 if it is source text.",
    )


def _invalid_encoding(data: bytes, offset: int, file_path: str) -> Diagnostic:
    position = SourceText(data).position(offset)
    return Diagnostic(
        "invalid-encoding",
        Severity.WARNING,
        file_path,
        position.line,
        position.column,
        f"Byte 0x{data[offset]:02x} is not valid UTF-8; it was read as U+FFFD.",
        "Save the file as UTF-8.",
    )


def _nul_bytes(data: bytes, file_path: str) -> Diagnostic:
    position = SourceText(data).position(data.index(b"\0"))
    return Diagnostic(
        "nul-bytes",
        Severity.WARNING,
        file_path,
        position.line,
        position.column,
        "The source holds a NUL character.",
        "Write it as \\0 inside a string, or remove it.",
    )


def _too_large(file_path: str, size: int, max_bytes: int) -> Diagnostic:
    return diagnose(
        "file-too-large",
        file_path,
        f"The file has {size} bytes, more than the limit of {max_bytes}.",
        hint="Raise --max-file-bytes, or exclude the file.",
    )


def _unreadable(file_path: str, error: OSError | ValueError) -> Diagnostic:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return diagnose(
        "file-unreadable",
        file_path,
        f"The file cannot be read: {reason}.",
        hint="Check its permissions, or exclude it.",
    )
