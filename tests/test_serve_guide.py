"""The exchange in the guide is what really happens."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from conftest import EXAMPLE
from mcp_servers import rescan
from runs import SCRIPT

GUIDE = Path(__file__).parent.parent / "docs/serve.md"


def test_the_exchange_of_the_guide(tmp_path: Path) -> None:
    found = re.search(r"```python\n(.*?)```\n\n```text\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    assert found is not None
    rescan(EXAMPLE, tmp_path / "artifacts")
    finished = subprocess.run(
        [sys.executable, "-c", found[1]],
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{SCRIPT.parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )

    assert finished.stdout == found[2], finished.stderr
