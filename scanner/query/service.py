"""Questions about the artifacts of a run, and their answers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Self

from scanner.artifacts import INDEX_FILE, digest
from scanner.serialization import decode_document

OPERATIONS: Final = ("lookup", "details", "overview")
_NAME: Final = {"type": "string", "description": "Name of a model."}
_SCHEMAS: Final[Mapping[str, dict[str, object]]] = {
    "lookup": {"type": "object", "properties": {"query": _NAME}, "required": ["query"]},
    "details": {"type": "object", "properties": {"handles": {"type": "array"}}, "required": ["handles"]},
    "overview": {"type": "object", "properties": {}},
}


class ParameterError(ValueError):
    """Parameters do not fit an operation.

    Attributes:
        issues: Path and message of each thing that is wrong.
    """

    def __init__(self, issues: tuple[tuple[str, str], ...]) -> None:
        super().__init__("; ".join(f"{path}: {message}" for path, message in issues))
        self.issues = issues


class QueryService:
    """Answers questions about one run."""

    def __init__(self, version: str, models: Mapping[str, Mapping[str, Any]]) -> None:
        self.version = version
        self._models = models

    @classmethod
    def open(cls, directory: Path, root: Path | None = None) -> Self:
        """Read the manifests of a run."""
        del root
        index = (directory / INDEX_FILE).read_bytes()
        models: dict[str, Mapping[str, Any]] = {}
        for package in decode_document(index)["packages"]:
            models.update(decode_document((directory / package["manifest"]).read_bytes())["objects"])
        return cls(digest(index), models)

    def parameter_schema(self, operation: str) -> dict[str, object]:
        """Return the JSON Schema of an operation's parameters."""
        return _SCHEMAS[operation]

    def answer(self, operation: str, parameters: Mapping[str, object]) -> dict[str, object]:
        """Answer one question."""
        known: Any = _SCHEMAS[operation]["properties"]
        issues = [(name, "unknown") for name in parameters if name not in known]
        issues += [(name, "is missing") for name in known if not parameters.get(name)]
        if issues:
            raise ParameterError(tuple(issues))
        if operation == "overview":
            return {"models": len(self._models)}
        handles: Any = parameters.get("handles", [parameters.get("query")])
        hits = [model for model in self._models.values() if model["className"] in handles]
        if operation == "lookup":
            return {"hits": [model["qualifiedName"] for model in hits]}
        return {"nodes": [self._details(model) for model in hits]}

    def _details(self, model: Mapping[str, Any]) -> dict[str, object]:
        referring = [
            {"from": f"{other['qualifiedName']}.{name}", "type": field["type"], "filePath": other["filePath"]}
            for other in self._models.values()
            for name, field in other["fields"].items()
            if field.get("related") in {model["className"], model["qualifiedName"]}
        ]
        return {
            "name": model["qualifiedName"],
            "filePath": model["filePath"],
            "fields": model["fields"],
            "referredBy": referring,
        }
