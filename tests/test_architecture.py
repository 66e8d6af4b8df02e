"""The code keeps the architecture: imports point down, and only the command line prints, exits or reads its surroundings."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parent.parent
MODULES = sorted(path for package in ("scanner", "workers") for path in (REPOSITORY / package).rglob("*.py"))


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(REPOSITORY).with_suffix("").parts).removesuffix(".__init__")


def imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module


LAYERS = [
    (
        "scanner.js",
        "scanner.module_paths",
        "scanner.plain_records",
        "scanner.type_expressions",
        "scanner.diagnostics",
        "scanner.surface.records",
        "scanner.records",
        "scanner.serialization",
    ),
    ("scanner.syntax",),
    ("scanner.extraction", "scanner.surface", "scanner.sieve"),
    ("scanner.source_files", "scanner.file_remarks", "scanner.file_scan", "scanner.sifting"),
    ("scanner",),
    ("workers",),
    ("workers.cli",),
]


def layer_of(module: str) -> int:
    """The layer whose longest prefix fits."""
    fitting = [
        (len(prefix), level)
        for level, prefixes in enumerate(LAYERS)
        for prefix in prefixes
        if module == prefix or module.startswith(f"{prefix}.")
    ]
    return max(fitting)[1]


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_point_down(path: Path) -> None:
    own = layer_of(name_of(path))
    upward = [
        imported
        for imported in imports_of(path)
        if imported.split(".")[0] in {"scanner", "workers"}
        and layer_of(imported) > own
        and imported != "scanner"
    ]

    assert upward == []


@pytest.mark.parametrize(
    "path", [path for path in MODULES if not name_of(path).startswith("workers.cli")], ids=name_of
)
def test_nothing_below_the_command_line_prints_exits_or_reads_the_environment(path: Path) -> None:
    text = path.read_text()
    called = {ast.unparse(node.func) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)}

    assert not called & {"print", "exit", "sys.exit", "quit", "input", "click.echo"}
    # One is a process of its own, which prepares it for Ray; one prepares it for the processes that it starts.
    if name_of(path) not in {"workers.backends.ray_host", "workers.backends.child_processes"}:
        assert "os.environ" not in text
    assert "getenv" not in text


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_nothing_evaluates_code(path: Path) -> None:
    called = {
        ast.unparse(node.func) for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)
    }

    assert not called & {
        "eval",
        "exec",
        "compile",
        "pickle.loads",
        "subprocess.run",
        "subprocess.Popen",
        "os.system",
    }


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_modules_and_functions_stay_small(path: Path) -> None:
    text = path.read_text()
    long = [
        f"{node.name}: {(node.end_lineno or 0) - node.lineno + 1} lines"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef)
        and (node.end_lineno or 0) - node.lineno - _docstring_lines(node) >= 40
    ]

    assert long == []
    assert len(text.splitlines()) <= 500


def _docstring_lines(node: ast.FunctionDef) -> int:
    first = node.body[0]
    is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return (first.end_lineno or 0) - first.lineno + 1 if is_docstring else 0


def test_one_module_alone_imports_ray() -> None:
    importers = [
        name_of(path) for path in MODULES if any(name.split(".")[0] == "ray" for name in imports_of(path))
    ]

    assert importers == ["workers.backends.ray_cluster"]


def test_one_module_alone_imports_the_protocol_of_agents() -> None:
    needed = {"mcp", "uvicorn", "starlette", "anyio"}
    importers = [
        name_of(path) for path in MODULES if {name.split(".")[0] for name in imports_of(path)} & needed
    ]

    assert importers == ["workers.serving.mcp_server"]
