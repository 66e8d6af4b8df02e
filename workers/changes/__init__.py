"""What changed between the artifacts of two runs, as a list of typed records; pure, nothing is read or printed."""

from workers.changes.compare import compare_artifacts
from workers.changes.records import Action, Change, Comparison, Exposure, Impact, Remark, Subject

__all__ = ["Action", "Change", "Comparison", "Exposure", "Impact", "Remark", "Subject", "compare_artifacts"]
