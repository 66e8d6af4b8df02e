"""Report pages of small trees, and the data in them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from change_trees import Files, plant_files
from runs import scan

from workers.artifact_sets import ArtifactDirectory
from workers.report.document import ReportInput, report_document
from workers.report.inputs import read_run

IMPORT = "import { smrt, field, SmrtObject } from '@happyvertical/smrt-core';\n"


def scanned(place: Path, files: Files, *options: str) -> Path:
    """The artifacts of a tree."""
    scan(plant_files(place / "tree", files), place / "out", *options)
    return place / "out"


def document_of(out: Path) -> dict[str, Any]:
    """The data of the page for an artifact directory."""
    document: Any = report_document(ReportInput(read_run(ArtifactDirectory(out, "out"))), lambda _: None)
    return document


def data_of(page: str) -> dict[str, Any]:
    """The data in a page."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])
