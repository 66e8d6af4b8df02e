"""Corpora: the same bytes everywhere, built once, and whole or not at all."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import npm_corpus
import pytest
from corpora import CorpusPlan, generated_plan, models_plan, prepare
from generated_tree import TreeShape, write_tree
from monorepo_corpus import monorepo_plan, with_models
from npm_corpus import is_corpus_source, pinned_packages, slug_of, unpack

from scanner.file_scan import parse_source
from scanner.options import ScanOptions
from scanner.rounds import conclude_directory, scan_project
from scanner.sources import discover_sources

LISTS = Path(npm_corpus.__file__).parent


def packed(tmp_path: Path, files: dict[str, bytes]) -> Path:
    target = tmp_path / "package.tgz"
    with tarfile.open(target, "w:gz") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return target


def written(root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}


def test_of_a_package_its_sources_and_its_name_are_taken(tmp_path: Path) -> None:
    names = [
        "src/a.ts",
        "src/b.tsx",
        "src/c.d.ts",
        "a.js",
        "src/a.test.ts",
        "dist/a.ts",
        "src/__tests__/a.ts",
    ]
    files = {f"package/{name}": name.encode() for name in names}
    count = unpack(packed(tmp_path, {**files, "package/package.json": b"{}"}), tmp_path / "out", set())

    assert count == 2
    assert written(tmp_path / "out") == {"src/a.ts", "src/b.tsx", "package.json"}


def test_paths_that_lead_out_of_a_package_are_left_out(tmp_path: Path) -> None:
    members = {"package/../../evil.ts": b"1", "/etc/evil.ts": b"2", "evil.ts": b"3", "package/good.ts": b"4"}
    unpack(packed(tmp_path, members), tmp_path / "inner/out", set())

    assert written(tmp_path) == {"package.tgz", "inner/out/good.ts"}


def test_files_with_equal_bytes_are_taken_once(tmp_path: Path) -> None:
    seen: set[bytes] = set()
    first = unpack(packed(tmp_path, {"package/a.ts": b"1", "package/b.ts": b"1"}), tmp_path / "one", seen)
    second = unpack(packed(tmp_path, {"package/a.ts": b"1", "package/c.ts": b"2"}), tmp_path / "two", seen)

    assert (first, second) == (1, 1)
    assert written(tmp_path / "two") == {"c.ts"}


def test_each_package_of_the_list_is_pinned_and_listed_once() -> None:
    packages = pinned_packages()

    assert len({slug_of(package) for package in packages}) == len(packages) > 50
    assert all(package.rpartition("@")[2][0].isdigit() for package in packages)


@pytest.mark.parametrize("path", ["src/a.ts", "a.tsx", "src.ts/b.ts", "builds/a.ts", "attest.ts"])
def test_what_looks_like_a_source_is_one(path: str) -> None:
    assert is_corpus_source(path)


def test_equal_plans_give_equal_bytes_and_all_that_is_listed_is_scanned(tmp_path: Path) -> None:
    one, two = (prepare(generated_plan(60), tmp_path / name) for name in ("one", "two"))
    found = discover_sources(one.root, ScanOptions())

    assert one.digest == two.digest != prepare(generated_plan(61), tmp_path / "one").digest
    assert sorted(file.path for file in found.files) == one.listing.read_text().splitlines()
    assert (
        (len(found.files), sum(file.size for file in found.files))
        == (one.files, one.source_bytes)
        == (60, one.source_bytes)
    )


def counting_plan(remarks: list[str], builds: list[int]) -> CorpusPlan:
    def build(root: Path) -> list[str]:
        builds.append(len(list(root.iterdir())))
        (root / "a.ts").write_text("1")
        return remarks

    return CorpusPlan("counted", "One file.", build)


def test_a_complete_corpus_is_not_built_again(tmp_path: Path) -> None:
    builds: list[int] = []
    corpora = [prepare(counting_plan([], builds), tmp_path) for _ in range(2)]

    assert builds == [0]
    assert corpora[0] == corpora[1]


def test_a_corpus_with_something_missing_is_built_anew_from_nothing(tmp_path: Path) -> None:
    builds: list[int] = []
    corpora = [prepare(counting_plan(["gone"], builds), tmp_path) for _ in range(2)]

    assert builds == [0, 0]
    assert corpora[0].remarks == ("gone",)


def test_a_corpus_of_other_code_is_built_anew(tmp_path: Path) -> None:
    builds: list[int] = []
    prepare(counting_plan([], builds), tmp_path)
    mark = tmp_path / "counted.json"
    mark.write_text(json.dumps({**json.loads(mark.read_bytes()), "recipe": "older"}))
    prepare(counting_plan([], builds), tmp_path)

    assert builds == [0, 0]


@pytest.mark.parametrize(
    ("shape", "models", "intents"),
    [
        (TreeShape(), 40, 20),
        (TreeShape(models=1, intents=0, of=100), 2, 0),
        (TreeShape(models=1, intents=0, of=1), 200, 0),
        (TreeShape(models=0, intents=0), 0, 0),
    ],
)
def test_a_generated_tree_holds_the_share_of_models_asked_for(
    shape: TreeShape, models: int, intents: int, tmp_path: Path
) -> None:
    write_tree(tmp_path, 200, shape=shape)
    result = scan_project(tmp_path)

    assert sum(len(item.manifest["objects"]) for item in result.packages) == models
    assert len(result.surface.intents) == intents
    assert not result.diagnostics


def test_noise_makes_files_longer_and_changes_nothing_else(tmp_path: Path) -> None:
    for noise in (0.0, 4.0):
        write_tree(tmp_path / str(noise), 20, shape=TreeShape(noise=noise))
    quiet, loud = (
        sum(path.stat().st_size for path in (tmp_path / str(noise)).rglob("*.ts")) for noise in (0.0, 4.0)
    )

    assert loud > quiet + 20 * 4 * 1000
    assert written(tmp_path / "0.0") == written(tmp_path / "4.0")


def test_a_tree_of_models_alone_has_no_other_file(tmp_path: Path) -> None:
    corpus = prepare(models_plan(12), tmp_path)

    assert all(
        "@smrt(" in (corpus.root / path).read_text() for path in corpus.listing.read_text().splitlines()
    )


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("export class A extends B {}", True),
        ("export default abstract class A extends ns.B {}", True),
        ("@injectable()\nexport class A<T extends C<D> = E> extends B<T> {}", True),
        ("export class A\n  extends B {}", True),
        ("export class A<T extends B> {}", False),
        ("export class A implements B {} // extends", False),
        ("class A extends B {}", False),
        ("  export class A extends B {}", False),
    ],
)
def test_exported_classes_with_a_parent_become_models(source: str, expected: bool) -> None:
    changed = with_models(source.encode()).decode()
    scan = parse_source(changed, "a.ts")

    assert [raw.has_smart_decorator for raw in scan.classes] == [expected]
    assert changed.replace("@smrt({ tableStrategy: 'sti' }) ", "") == source
    assert scan.errors == ()


@pytest.mark.parametrize("has_models", [False, True])
def test_a_monorepo_is_its_packages_below_a_root_with_workspaces(tmp_path: Path, has_models: bool) -> None:
    """Files with equal bytes are all kept: a barrel may be what an import leads to."""
    downloads = tmp_path / "downloads"
    downloads.mkdir()
    plan = monorepo_plan("jupyterlab", downloads, has_models=has_models)
    for number, package in enumerate(pinned_packages(LISTS / "monorepo_jupyterlab.txt")):
        parent = "export class Base { own = 1 }" if number == 0 else "export class More extends Base {}"
        files = {"src/index.ts": b"export * from './x';", "src/x.ts": parent.encode()}
        content = json.dumps({"name": package.rpartition("@")[0], "types": "lib/index.d.ts"}).encode()
        members = {f"package/{name}": data for name, data in {**files, "package.json": content}.items()}
        packed(tmp_path, members).rename(downloads / f"{slug_of(package)}-{package.rpartition('@')[2]}.tgz")
    corpus = prepare(plan, tmp_path / "corpora")
    outcome = conclude_directory(corpus.root)

    assert corpus.remarks == ()
    assert corpus.files == 2 * len(outcome.packages)
    assert set(outcome.workspaces.root_of.values()) == {""}
    assert sum(item.facts.models for item in outcome.packages) == (len(outcome.packages) - 1) * has_models
