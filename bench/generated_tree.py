"""Writes a TypeScript monorepo of any size for measurements: the same arguments give the same bytes.

    python bench/generated_tree.py DIRECTORY --files 20000
    python bench/generated_tree.py DIRECTORY --files 20000 --models 1 --intents 0 --of 1000 --noise 3

Unless told otherwise two files of ten hold models, one an intent, and seven are helpers, about 3 kB each.
"""

from __future__ import annotations

import argparse
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_WORDS = "order invoice stall berth crate ledger route ticket parcel shift vendor tariff".split()  # noqa: SIM905 -- a word list reads best as a line
_TYPES = ("string = ''", "number = 0", "boolean = false", "Date = new Date()", "string | null = null")


@dataclass(frozen=True, slots=True)
class TreeShape:
    """What kinds of files a tree is made of.

    Attributes:
        models: How many files of each *of* files hold a model.
        intents: How many hold an intent.
        of: The number that the two shares refer to; all other files are helpers.
        noise: How much a scanner has no use for stands in each file, in multiples of about 2.5 kB.
        files_per_package: How many files a package has.
    """

    models: int = 2
    intents: int = 1
    of: int = 10
    noise: float = 1.0
    files_per_package: int = 50


DEFAULT_SHAPE: Final = TreeShape()


def write_tree(root: Path, files: int, seed: int = 1, shape: TreeShape = DEFAULT_SHAPE) -> None:
    """Write *files* source files in packages below *root*."""
    for number in range(files):
        package, index = divmod(number, shape.files_per_package)
        directory = root / f"packages/p{package:04}"
        if index == 0:
            (directory / "src").mkdir(parents=True, exist_ok=True)
            (directory / "package.json").write_text(f'{{"name": "@gen/p{package:04}", "version": "1.0.0"}}\n')
        random_of_file = random.Random(f"{seed}/{number}")
        path = directory / f"src/{random_of_file.choice(_WORDS)}-{index:02}.ts"
        path.write_text(_source(number, random_of_file, shape))


def _source(number: int, choose: random.Random, shape: TreeShape) -> str:
    kind = number % shape.of
    if kind < shape.models:
        return _model(number, choose) + _helpers(number, choose, round(12 * shape.noise))
    if kind < shape.models + shape.intents:
        return _intent(number) + _helpers(number, choose, round(18 * shape.noise))
    return _helpers(number, choose, round(22 * shape.noise))


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
    parser.add_argument(
        "--models", type=int, default=DEFAULT_SHAPE.models, help="files with a model, of --of"
    )
    parser.add_argument("--intents", type=int, default=DEFAULT_SHAPE.intents, help="files with an intent")
    parser.add_argument("--of", type=int, default=DEFAULT_SHAPE.of, help="what the shares refer to")
    parser.add_argument("--noise", type=float, default=1.0, help="helper code in each file, times 2.5 kB")
    given = parser.parse_args()
    shape = TreeShape(given.models, given.intents, given.of, given.noise)
    write_tree(given.directory, given.files, given.seed, shape)


if __name__ == "__main__":
    main()
