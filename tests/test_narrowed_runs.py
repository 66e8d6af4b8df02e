"""``run --package`` shows of the packages asked for what a whole run shows, and of others what no one may miss."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from conftest import EXAMPLE
from hypothesis import given, settings
from hypothesis import strategies as st
from runs import artifacts

from scanner.options import Depth, ScanOptions
from scanner.packages import Package
from scanner.project import ToolNames
from scanner.rounds import conclude_directory, scan_project
from scanner.selection import SelectionError, select_packages
from workers.driver import execute_run
from workers.execution import Execution
from workers.progress import SilentProgress
from workers.request import RunRequest

PACKAGES = ["a", "a/inner", "b", "c"]
NAMES = {"a": "@acme/a", "a/inner": "@acme/inner", "b": "@acme/b", "c": "c"}
INTENT = (
    "import {{ defineIntent }} from '@happyvertical/smrt-web/intents';\n"
    "defineIntent({{ id: '{0}', description: 'd', target: {{ registry: 'control', action: 'undo' }} }});"
)
CONTENTS = [
    b"@smrt() export class Base extends SmrtObject { first = 1; price = 0.5 }",
    b"import { Base } from '@acme/a/x'; export class One extends Base { one: Kind; }",
    b"import { One as Base } from '@acme/b/y'; export { Base }; export type Kind = 'a' | 'b';",
    b"export * from '@acme/a/x'; export * from 'c/x';",
    b"import { Base } from 'c/y'; @smrt() export class Two extends Base { two: Kind }",
    b"export class Base { broken = ; }",
    b"class One extends Base {} class Base { @smrt( }",
    b"import { thing } from '@happyvertical/smrt-core'; export type Kind = string;",
    INTENT.format("a.one").encode(),
    INTENT.format("a.two").encode(),
    b"// defineIntent \0 \xff",
    b"export const nothing = 1;",
]
trees = st.dictionaries(
    st.sampled_from([f"{directory}/{file}" for directory in PACKAGES for file in ("x.ts", "y.ts", "z.js")]),
    st.sampled_from(CONTENTS),
    min_size=1,
)


def plant(root: Path, tree: dict[str, bytes]) -> Path:
    for directory in PACKAGES:
        (root / directory).mkdir(parents=True, exist_ok=True)
        (root / directory / "package.json").write_text(json.dumps({"name": NAMES[directory]}))
    for path, content in tree.items():
        (root / path).write_bytes(content)
    return root


def run(
    root: Path, depth: Depth, *packages: str, cache: Path | None = None, names: ToolNames | None = None
) -> dict[str, bytes]:
    out = root.parent / "out"
    options = ScanOptions(depth=depth, packages=packages)
    execution = Execution(backend="inline")
    execute_run(RunRequest(root, out, options, names, execution, cache), SilentProgress())
    return artifacts(out)


def is_of(path: str, directory: str) -> bool:
    """Whether a package, and none that is nested in it, holds a path."""
    nested = directory == "a" and path.startswith("a/inner/")
    return path.startswith(f"{directory}/") and not nested


def part_of(whole: dict[str, bytes], directory: str) -> dict[str, Any]:
    """What the artifacts of a whole run say of one package."""
    index = json.loads(whole["index.json"])
    entries = [entry for entry in index["packages"] if entry["directory"] == directory]
    surface, diagnostics = json.loads(whole["agent-surface.json"]), json.loads(whole["diagnostics.json"])
    return {
        "packages": entries,
        "documents": {entry[key]: whole[entry[key]] for entry in entries for key in ("manifest", "lineage")},
        "surface": {
            key: [entry for entry in surface[key] if is_of(entry["filePath"], directory)] for key in surface
        },
        "diagnostics": [entry for entry in diagnostics["diagnostics"] if is_of(entry["filePath"], directory)],
        "classes": [
            line
            for line in whole.get("classes.ndjson", b"").splitlines()
            if is_of(json.loads(line)["filePath"], directory)
        ],
    }


def shown_by(narrowed: dict[str, bytes], directory: str) -> dict[str, Any]:
    """What the artifacts of a narrowed run say, but for what they may say of other packages."""
    diagnostics = json.loads(narrowed["diagnostics.json"])["diagnostics"]
    others = [entry for entry in diagnostics if not is_of(entry["filePath"], directory)]
    assert {entry["severity"] for entry in others} <= {"info"}
    return {
        "packages": json.loads(narrowed["index.json"])["packages"],
        "documents": {path: content for path, content in narrowed.items() if path.startswith("packages/")},
        "surface": json.loads(narrowed["agent-surface.json"]),
        "diagnostics": [entry for entry in diagnostics if entry not in others],
        "classes": narrowed.get("classes.ndjson", b"").splitlines(),
    }


@settings(max_examples=60, deadline=None)
@given(trees, st.sampled_from(list(Depth)), st.sampled_from(PACKAGES))
def test_a_narrowed_run_shows_what_a_whole_run_shows_of_its_packages(
    tree: dict[str, bytes], depth: Depth, directory: str
) -> None:
    tree = {f"{directory}/x.ts": CONTENTS[-1], **tree}
    with tempfile.TemporaryDirectory() as place:
        root = plant(Path(place) / "tree", tree)
        whole = run(root, depth)
        narrowed = run(root, depth, NAMES[directory])

        assert shown_by(narrowed, directory) == part_of(whole, directory)


def comparable(written: dict[str, bytes]) -> dict[str, bytes]:
    return written


def manifests_and_surface(written: dict[str, bytes]) -> dict[str, bytes]:
    """What does not hang on which files were parsed for other packages, as findings do at depth ``manifest``."""
    return {
        name: content for name, content in written.items() if name.endswith(("manifest.json", "surface.json"))
    }


@settings(max_examples=25, deadline=None)
@given(trees, trees, st.sampled_from(list(Depth)), st.lists(st.sampled_from([*PACKAGES, ""]), max_size=5))
def test_the_cache_serves_narrowed_and_whole_runs_alike(
    tree: dict[str, bytes], edits: dict[str, bytes], depth: Depth, order: list[str]
) -> None:
    """Edits come one at a time, each seen by a run of another kind, and are then taken back."""
    told = comparable if depth is Depth.FULL else manifests_and_surface
    with tempfile.TemporaryDirectory() as place:
        root, cache = Path(place) / "tree", Path(place) / "cache"
        base = {**{f"{directory}/x.ts": CONTENTS[-1] for directory in PACKAGES}, **tree}
        plant(root, base)
        run(root, depth, cache=cache)
        changes = [*edits.items(), *((path, base.get(path, b"")) for path in edits)]
        for number, (path, content) in enumerate(changes):
            (root / path).write_bytes(content)
            chosen = order[number % len(order)] if order else ""
            asked = [NAMES[chosen]] if chosen else []

            assert told(run(root, depth, *asked, cache=cache)) == told(run(root, depth, *asked))
        assert told(run(root, depth, cache=cache)) == told(run(root, depth))


def test_the_library_narrows_as_the_command_does(tmp_path: Path) -> None:
    root = plant(tmp_path / "tree", {"a/x.ts": CONTENTS[0], "b/x.ts": CONTENTS[1], "c/x.ts": CONTENTS[8]})
    options = ScanOptions(packages=("@acme/b",))
    result, outcome = scan_project(root, options), conclude_directory(root, options)

    assert [item.package.name for item in result.packages] == ["@acme/b"]
    assert [item.class_name for item in (each.raw for each in result.packages[0].classes)] == ["One"]
    assert [item.package.name for item in outcome.packages] == ["@acme/b"]
    assert (result.surface, result.diagnostics) == (outcome.surface, outcome.diagnostics)
    assert result.surface.intents == ()


def test_packages_that_cannot_matter_are_not_read_any_further(tmp_path: Path) -> None:
    model = "@smrt() export class Model{0} extends Base{0} {{}}"
    root = plant(
        tmp_path / "tree", {"b/x.ts": model.format("B").encode(), "c/x.ts": model.format("C").encode()}
    )
    (root / "b/base.ts").write_text("export class BaseB {}")
    (root / "c/base.ts").write_text("export class BaseC {}")

    def parsed(*packages: str) -> int:
        run(root, Depth.MANIFEST, *packages)
        work: dict[str, int] = json.loads((tmp_path / "out/run.json").read_bytes())["work"]
        return work["filesParsed"]

    assert (parsed(), parsed("c")) == (4, 3)


def test_a_tool_name_that_another_package_takes_is_still_weighed(tmp_path: Path) -> None:
    root = plant(tmp_path / "tree", {"a/x.ts": CONTENTS[8], "b/x.ts": CONTENTS[8], "c/x.ts": CONTENTS[9]})
    narrowed = run(root, Depth.MANIFEST, "@acme/b")
    surface = json.loads(narrowed["agent-surface.json"])

    assert surface["intents"] == surface["playbooks"] == []
    assert [(entry["code"], entry["filePath"]) for entry in surface["diagnostics"]] == [
        ("duplicate-identity", "b/x.ts")
    ]
    assert b"a/x.ts, line 2 declares it" in narrowed["diagnostics.json"]
    winner = json.loads(run(root, Depth.MANIFEST, "@acme/a")["agent-surface.json"])
    assert [entry["id"] for entry in winner["intents"]] == ["a.one"]


# Findings and exit codes


def test_findings_of_other_packages_do_not_count(command: Any, tmp_path: Path) -> None:
    root = plant(tmp_path / "tree", {"a/x.ts": b"@smrt({ ...other }) class A extends SmrtObject {}"})
    (root / "b/x.ts").write_text("@smrt() export class B extends SmrtObject {}")
    arguments = ["run", root, "--out", tmp_path / "out", "--no-cache"]

    assert command(*arguments).code == 1
    finished = command(*arguments, "--package", "@acme/b")
    assert (finished.code, finished.out) == (0, b"No findings.\n")
    assert "Scanned 2 files of 2 packages, 1 of them asked for, in" in finished.err
    assert "1 model," in finished.err
    assert command(*arguments, "--package", "@acme/b", "--package", "@acme/a").code == 1
    assert command(*arguments, "--package", "!@acme/a").code == 0


def test_input_of_other_packages_that_could_not_be_scanned_is_still_named(
    command: Any, tmp_path: Path
) -> None:
    root = plant(tmp_path / "tree", {"a/x.ts": b"\0\xff smrt", "b/x.ts": CONTENTS[1]})
    finished = command("run", root, "--out", tmp_path / "out", "--no-cache", "--package", "@acme/b")

    assert finished.code == 4
    assert b"a/x.ts\n  info file-binary" in finished.out


def test_known_findings_of_other_packages_are_not_called_gone(command: Any, tmp_path: Path) -> None:
    broken = b"@smrt({ ...other }) class A extends SmrtObject {}"
    root = plant(tmp_path / "tree", {"a/x.ts": broken, "b/x.ts": broken})
    arguments = ["run", root, "--out", tmp_path / "out", "--no-cache"]
    command(*arguments, "--write-baseline", tmp_path / "known.json")
    finished = command(*arguments, "--baseline", tmp_path / "known.json", "--package", "@acme/b")

    assert finished.code == 0
    assert "Baseline: 1 known findings are not shown, 0 are gone." in finished.err


@pytest.mark.parametrize("extra", [[], ["--plan"]])
def test_a_pattern_that_fits_no_package_is_wrong_usage(
    command: Any, tmp_path: Path, extra: list[str]
) -> None:
    finished = command(
        "run",
        EXAMPLE,
        "--out",
        tmp_path / "out",
        "--package",
        "@harbour/*",
        "--package",
        "@harbor/order",
        *extra,
    )

    assert finished.code == 2
    assert (
        "--package: No package with sources is called '@harbor/order'. Near it: @harbour/orders"
        in finished.err
    )
    assert not (tmp_path / "out").exists()


def test_a_pattern_that_cannot_be_read_is_wrong_usage(command: Any, tmp_path: Path) -> None:
    finished = command("run", EXAMPLE, "--out", tmp_path / "out", "--package", "{a,b}" * 20)

    assert finished.code == 2
    assert "stand for more than 1000" in finished.err


def test_a_configuration_file_names_packages_and_the_index_records_them(command: Any, tmp_path: Path) -> None:
    (tmp_path / "scan.toml").write_text('packages = ["@harbour/{orders,people}"]\nfail-on = "never"\n')
    finished = command("run", EXAMPLE, "--out", tmp_path / "out", "--config", tmp_path / "scan.toml")
    index = json.loads((tmp_path / "out/index.json").read_bytes())

    assert finished.code == 0
    assert index["options"]["packages"] == ["@harbour/{orders,people}"]
    assert [entry["name"] for entry in index["packages"]] == ["@harbour/orders", "@harbour/people"]
    assert index["totals"]["packages"] == 2


def test_the_directory_of_a_manifest_is_that_of_a_whole_run(tmp_path: Path) -> None:
    """Two names that give one directory are told apart, whether or not both are asked for."""
    root = tmp_path / "tree"
    for directory, name in (("p", "@acme/a"), ("q", "acme__a")):
        (root / directory).mkdir(parents=True)
        (root / directory / "package.json").write_text(json.dumps({"name": name}))
        (root / directory / "x.ts").write_text("export const one = 1;")
    whole, narrowed = run(root, Depth.MANIFEST), run(root, Depth.MANIFEST, "acme__a")

    assert {path for path in narrowed if path.startswith("packages/")} == {
        "packages/acme__a--q/lineage.json",
        "packages/acme__a--q/manifest.json",
    }
    assert whole["packages/acme__a--q/manifest.json"] == narrowed["packages/acme__a--q/manifest.json"]


# Patterns

SOME = [
    Package("", None, None),
    Package("a", "@acme/orders", None),
    Package("b", "@acme/order-lines", None),
    Package("c", "tool", None),
    Package("d", "!odd[1]", None),
]


@pytest.mark.parametrize(
    ("patterns", "chosen"),
    [
        ([], ["", "a", "b", "c", "d"]),
        (["tool"], ["c"]),
        (["@acme/*"], ["a", "b"]),
        (["@acme/order?", "."], ["", "a"]),
        (["*"], ["c", "d"]),
        (["**"], ["a", "b", "c", "d"]),
        (["@acme/*", "!@acme/order-*"], ["a"]),
        (["!@acme/*"], ["", "c", "d"]),
        (["!odd[1]"], ["d"]),
    ],
)
def test_patterns_choose_packages_by_name(patterns: list[str], chosen: list[str]) -> None:
    found = select_packages(patterns, SOME).chosen

    assert sorted(package.directory for package in found) == chosen


@pytest.mark.parametrize(
    ("patterns", "message"),
    [
        (["orders"], "Near it: @acme/orders"),
        (["@acme/*", "!@acme/nothing*"], "'!@acme/nothing*'"),
        (["zzz"], "There are: !odd[1], ., @acme/order-lines, @acme/orders, tool."),
        (["tool", "!tool"], "leave no package over"),
    ],
)
def test_what_fits_nothing_is_named_with_names_near_it(patterns: list[str], message: str) -> None:
    with pytest.raises(SelectionError) as error:
        select_packages(patterns, SOME)

    assert message in str(error.value)
