"""Which grammar reads which file, and the parsers themselves.

The suffix alone decides (``spec`` section 1): ``.ts`` TypeScript, ``.tsx`` TSX, everything else JavaScript
with JSX. Parsers are made once a process, since a tree-sitter parser is cheap to reuse and costly to build.
"""

from __future__ import annotations

from enum import Enum
from functools import cache

import tree_sitter_javascript
import tree_sitter_typescript
from tree_sitter import Language, Parser, Tree


class Dialect(Enum):
    """The three languages that a source file can be written in."""

    TYPESCRIPT = "typescript"
    TSX = "tsx"
    JAVASCRIPT = "javascript"


def dialect_of_path(path: str) -> Dialect:
    """Return the dialect that *path*'s suffix names; unknown suffixes are JavaScript."""
    if path.endswith(".tsx"):
        return Dialect.TSX
    if path.endswith((".ts", ".mts", ".cts")):
        return Dialect.TYPESCRIPT
    return Dialect.JAVASCRIPT


@cache
def _parser(dialect: Dialect) -> Parser:
    capsule = {
        Dialect.TYPESCRIPT: tree_sitter_typescript.language_typescript,
        Dialect.TSX: tree_sitter_typescript.language_tsx,
        Dialect.JAVASCRIPT: tree_sitter_javascript.language,
    }[dialect]()
    return Parser(Language(capsule))


def parse_bytes(data: bytes, dialect: Dialect) -> Tree:
    """Parse *data* with the grammar of *dialect*; errors stand in the tree, never raised."""
    return _parser(dialect).parse(data)
