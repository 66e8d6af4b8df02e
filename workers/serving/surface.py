"""What a server offers, in one of two modes, whatever carries it."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from scanner.serialization import JsonValue
from workers.serving.live_run import LiveRun, RunUnreadableError
from workers.toolset.calls import Call, Outcome, call_direct, call_verb, envelope_failure, failed
from workers.toolset.failures import ErrorCode, Failure, Retry, failure
from workers.toolset.scope import intersect_scopes
from workers.toolset.tools import Tool, direct_tools, meta_tools

_LOG: Final = logging.getLogger(__name__)
_RETRY_AFTER_MS: Final = 1000


class Mode(StrEnum):
    """How capabilities become tools."""

    META = "meta"
    DIRECT = "direct"


@dataclass(frozen=True, slots=True)
class ServedSurface:
    """What a server offers.

    Attributes:
        run: The run that it is about.
        mode: Three tools that reach everything, or one tool a capability.
        floor: Prefixes of component types and procedure paths that are listed; empty for all.
    """

    run: LiveRun
    mode: Mode
    floor: tuple[str, ...] = ()

    def version(self) -> str:
        """Return the version of the run that is there now.

        Raises:
            RunUnreadableError: It cannot be read.
        """
        return self.run.current().version

    def tools(self) -> tuple[Tool, ...]:
        """Return the tools; in meta mode they never depend on the run, which need not even be readable.

        Raises:
            RunUnreadableError: The run cannot be read, in direct mode.
        """
        if self.mode is Mode.META:
            return meta_tools()
        return direct_tools(self.run.current(), intersect_scopes(self.floor, ()))

    def call(self, tool: str, arguments: object) -> Outcome:
        """Answer a call. Whatever goes wrong is an outcome, too."""
        call = Call(tool, arguments, self.floor)
        version = None
        try:
            catalog = self.run.current()
            version = catalog.version
            return call_verb(catalog, call) if self.mode is Mode.META else call_direct(catalog, call)
        except RunUnreadableError as error:
            misfit = envelope_failure(call) if self.mode is Mode.META else None
            return failed(call, misfit or _unreadable(error), version)
        except Exception as error:  # noqa: BLE001 -- the one boundary between capabilities and a connection
            # A defect here must not end the connection; its trace goes to the log, its name to the caller.
            _LOG.exception("A call of %s failed", tool)
            return failed(call, _defect(error), version)


def _unreadable(error: RunUnreadableError) -> Failure:
    details: dict[str, JsonValue] = {
        "reason": "artifacts-unreadable",
        "transient": True,
        "retryAfterMs": _RETRY_AFTER_MS,
    }
    return failure(ErrorCode.EXECUTION_FAILED, str(error), details, Retry.AFTER_DELAY)


def _defect(error: Exception) -> Failure:
    message = f"The server failed to answer ({type(error).__name__}); its log says where. Please report it."
    return failure(ErrorCode.EXECUTION_FAILED, message, {"reason": "internal-error", "transient": False})
