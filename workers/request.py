"""What a run is asked to do."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from scanner.options import ScanOptions
from scanner.project import ToolNames
from workers.execution import Execution
from workers.history import History, Retention


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What to scan, where to write, and with which options.

    Attributes:
        root: The directory to scan.
        out: The directory for the artifacts.
        options: What shapes results.
        tool_names: Names that tools of models have, to compare intents with.
        execution: How the work is done.
        cache: Directory for results of earlier scans; None to scan every file.
        history: Where the artifacts of runs are kept; None to keep none.
        retention: Which runs are kept there.
    """

    root: Path
    out: Path
    options: ScanOptions
    tool_names: ToolNames | None = None
    execution: Execution = field(default_factory=Execution)
    cache: Path | None = None
    history: History | None = None
    retention: Retention = field(default_factory=Retention)
