"""Errors that end a command, each with its exit code's meaning."""

from __future__ import annotations

from enum import IntFlag


class ExitCode(IntFlag):
    """Bits of the exit code; a clean run exits 0, an interrupted one 130."""

    CLEAN = 0
    FINDINGS = 1
    USAGE = 2
    UNSCANNED = 4
    FAILED = 8


INTERRUPTED = 130
"""Exit code of a command ended by Ctrl-C."""


class CommandError(Exception):
    """A command cannot go on; the message says why and what to do."""

    exit_code = ExitCode.FAILED


class UsageError(CommandError):
    """The command line, configuration or directories given make no sense together."""

    exit_code = ExitCode.USAGE
