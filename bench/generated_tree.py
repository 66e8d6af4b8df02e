"""Writes a TypeScript monorepo of any size for measurements: the same arguments give the same bytes.

    python bench/generated_tree.py DIRECTORY --files 20000

Of ten files two hold models, one an intent, and seven are helpers, about 3 kB each.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

FILES_PER_PACKAGE = 50
_WORDS = "order invoice stall berth crate ledger route ticket parcel shift vendor tariff".split()  # noqa: SIM905 -- a word list reads best as a line
_TYPES = ("string = ''", "number = 0", "boolean = false", "Date = new Date()", "string | null = null")


def write_tree(root: Path, files: int, seed: int = 1) -> None:
    """Write *files* source files in packages of fifty below *root*."""
    for number in range(files):
        package, index = divmod(number, FILES_PER_PACKAGE)
        directory = root / f"packages/p{package:04}"
        if index == 0:
            (directory / "src").mkdir(parents=True, exist_ok=True)
            (directory / "package.json").write_text(f'{{"name": "@gen/p{package:04}", "version": "1.0.0"}}\n')
        random_of_file = random.Random(f"{seed}/{number}")
        path = directory / f"src/{random_of_file.choice(_WORDS)}-{index:02}.ts"
        path.write_text(_source(number, random_of_file))


def _source(number: int, choose: random.Random) -> str:
    kind = number % 10
    if kind < 2:  # noqa: PLR2004 -- two of ten
        return _model(number, choose) + _helpers(number, choose, 12)
    if kind == 2:  # noqa: PLR2004 -- one of ten
        return _intent(number) + _helpers(number, choose, 18)
    return _helpers(number, choose, 22)


def _model(number: int, choose: random.Random) -> str:
    fields = "\n".join(
        f"  {choose.choice(_WORDS)}{index}: {choose.choice(_TYPES)};"
        for index in range(choose.randint(4, 14))
    )
    return (
        "import { smrt, SmrtObject } from '@happyvertical/smrt-core';\n\n"
        f"@smrt({{ tableName: 'table_{number}', api: {{ include: ['list', 'get'] }} }})\n"
        f"export class Model{number} extends SmrtObject {{\n{fields}\n\n"
        f"  async close{number}(reason: string, amount = 1): Promise<boolean> {{\n    return amount > 0;\n  }}\n}}\n\n"
    )


def _intent(number: int) -> str:
    return (
        "import { defineIntent } from '@happyvertical/smrt-web/intents';\n\n"
        f"export const intent{number} = defineIntent({{\n  id: 'gen.show{number}',\n"
        f"  description: 'Shows number {number}.',\n  target: {{ registry: 'control', action: 'reveal' }},\n}});\n\n"
    )


def _helpers(number: int, choose: random.Random, count: int) -> str:
    return "".join(
        f"/** {choose.choice(_WORDS)} {choose.randint(0, 999)} */\n"
        f"export function {choose.choice(_WORDS)}_{number}_{index}(value: number, scale = {choose.randint(1, 9)}) {{\n"
        f"  return value * scale + {choose.randint(0, 9999)};\n}}\n\n"
        for index in range(count)
    )


def main() -> None:
    """Write a tree as the command line says."""
    parser = argparse.ArgumentParser(description="Write a TypeScript monorepo for measurements.")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--files", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    write_tree(given.directory, given.files, given.seed)


if __name__ == "__main__":
    main()
