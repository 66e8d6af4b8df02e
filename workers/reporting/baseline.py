"""Findings that were there before: a file that tells old findings from new ones.

A team that starts with a thousand findings writes them into a baseline and is told only what is new. Entries are
fingerprints (:mod:`workers.reporting.fingerprints`), so moving code about inside a file makes nothing new, while a
second finding equal to a known one is new. The file is JSON, sorted, without line numbers or times: equal findings
give equal bytes, and its diffs read well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from scanner.diagnostics import Diagnostic
from scanner.serialization import encode_document
from workers.reporting.fingerprints import FINGERPRINT_LENGTH, fingerprinted, without_positions

BASELINE_FORMAT_VERSION: Final = 1
_TOOL: Final = "scan-cluster"
_MESSAGE_LENGTH: Final = 200
_FINGERPRINT: Final = re.compile(f"[0-9a-f]{{{FINGERPRINT_LENGTH}}}")
_KEYS: Final = ("path", "code", "message", "fingerprint")
_REMEDY: Final = "Write the baseline anew."
_CONFLICT_MARKERS: Final = (b"<<<<<<<", b">>>>>>>")


@dataclass(frozen=True, slots=True, order=True)
class BaselineEntry:
    """One known finding.

    Attributes:
        path: Path relative to the scan root.
        code: Diagnostic code.
        message: The message without positions, shortened; for people only.
        fingerprint: What findings are compared by.
    """

    path: str
    code: str
    message: str
    fingerprint: str


class BaselineSplit(NamedTuple):
    """Findings told apart by a baseline.

    Attributes:
        new: Findings that the baseline does not know, in order.
        known: Findings that it knows, in order.
        gone: Entries that no finding fits any more, sorted: mended, moved to another file, or not scanned this time.
    """

    new: tuple[Diagnostic, ...]
    known: tuple[Diagnostic, ...]
    gone: tuple[BaselineEntry, ...]


@dataclass(frozen=True, slots=True)
class Baseline:
    """The known findings.

    Attributes:
        entries: Sorted by path, code, message and fingerprint.
    """

    entries: tuple[BaselineEntry, ...] = ()

    @classmethod
    def of(cls, diagnostics: Iterable[Diagnostic]) -> Baseline:
        """Return the baseline that knows exactly *diagnostics*."""
        return cls(
            tuple(
                sorted(
                    BaselineEntry(
                        item.diagnostic.file_path,
                        item.diagnostic.code,
                        _shown(item.diagnostic),
                        item.fingerprint,
                    )
                    for item in fingerprinted(diagnostics)
                )
            )
        )

    def within(self, covers: Callable[[str], bool]) -> Baseline:
        """Return the findings that are known about the paths that *covers* holds for."""
        return Baseline(tuple(entry for entry in self.entries if covers(entry.path)))

    def split(self, diagnostics: Iterable[Diagnostic]) -> BaselineSplit:
        """Tell new findings from known ones.

        *diagnostics* must be all findings of a run: equal findings are told apart by counting them. Of two equal
        findings of which one is known, the one further down in the file is called new.
        """
        known_names = {entry.fingerprint for entry in self.entries}
        found = fingerprinted(diagnostics)
        found_names = {item.fingerprint for item in found}
        return BaselineSplit(
            new=tuple(item.diagnostic for item in found if item.fingerprint not in known_names),
            known=tuple(item.diagnostic for item in found if item.fingerprint in known_names),
            gone=tuple(entry for entry in self.entries if entry.fingerprint not in found_names),
        )


def write_baseline(diagnostics: Iterable[Diagnostic]) -> bytes:
    """Return the content of a baseline file that knows *diagnostics*."""
    findings = [{key: getattr(entry, key) for key in _KEYS} for entry in Baseline.of(diagnostics).entries]
    return encode_document(
        {"formatVersion": BASELINE_FORMAT_VERSION, "tool": _TOOL, "findings": list(findings)}
    )


def read_baseline(data: bytes) -> Baseline:
    """Read the content of a baseline file.

    Raises:
        ValueError: *data* is no baseline, or one of another version; the message says what is wrong and what to do.
    """
    content = _parsed(data)
    if not isinstance(content, dict) or "findings" not in content or "formatVersion" not in content:
        raise ValueError(
            f"This is JSON, but no baseline: `formatVersion` and `findings` are missing. {_REMEDY}"
        )
    version = content["formatVersion"]
    if isinstance(version, bool) or version != BASELINE_FORMAT_VERSION:
        raise ValueError(
            f"The baseline has format version {version!r:.40}, but this version of {_TOOL} reads version"
            f" {BASELINE_FORMAT_VERSION}. {_REMEDY}"
        )
    findings = content["findings"]
    if not isinstance(findings, list):
        raise ValueError(f"`findings` of the baseline is no list. {_REMEDY}")  # noqa: TRY004 -- one error kind for bad files
    return Baseline(tuple(sorted({_entry(number, item) for number, item in enumerate(findings, 1)})))


def _parsed(data: bytes) -> object:
    # The standard library's reader takes the lone surrogates that file names may hold; orjson does not.
    try:
        content: object = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        if any(line.startswith(_CONFLICT_MARKERS) for line in data.splitlines()):
            raise ValueError(f"The baseline holds the markers of a merge conflict. {_REMEDY}") from error
        reason = error if isinstance(error, ValueError) else "it is nested too deep"
        raise ValueError(f"The baseline is no valid JSON: {reason}. {_REMEDY}") from error
    return content


def _entry(number: int, item: object) -> BaselineEntry:
    if not isinstance(item, dict):
        raise ValueError(f"Finding {number} of the baseline is no object. {_REMEDY}")  # noqa: TRY004 -- as above
    for key in _KEYS:
        if not isinstance(item.get(key), str):
            raise ValueError(f"Finding {number} of the baseline has no text called `{key}`. {_REMEDY}")  # noqa: TRY004 -- as above
    if not _FINGERPRINT.fullmatch(item["fingerprint"]):
        raise ValueError(
            f"Finding {number} of the baseline has a fingerprint that is not {FINGERPRINT_LENGTH} lower-case"
            f" hexadecimal digits. {_REMEDY}"
        )
    return BaselineEntry(item["path"], item["code"], item["message"], item["fingerprint"])


def _shown(diagnostic: Diagnostic) -> str:
    message = without_positions(diagnostic.message)
    return message if len(message) <= _MESSAGE_LENGTH else f"{message[: _MESSAGE_LENGTH - 1]}…"
