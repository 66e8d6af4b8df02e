"""Files belong to the nearest package.json with a name, and packages get directories that never meet."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from scanner.packages import Package, assign_packages, package_slugs


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_the_nearest_named_package_json_decides(tmp_path: Path) -> None:
    write(tmp_path / "package.json", '{"name": "root", "version": "1.0.0"}')
    write(tmp_path / "packages/a/package.json", '\ufeff{"name": "@acme/a", "version": 3}')
    write(tmp_path / "packages/a/src/nested/package.json", '{"type": "module"}')
    write(tmp_path / "packages/a/inner/package.json", '{"name": "inner"}')
    paths = ["top.ts", "packages/a/src/nested/x.ts", "packages/a/inner/deep/y.ts", "packages/b/z.ts"]
    assigned = assign_packages(tmp_path, paths)

    assert [assigned.of_file[path].name for path in paths] == ["root", "@acme/a", "inner", "root"]
    assert assigned.of_file["packages/a/src/nested/x.ts"] == Package("packages/a", "@acme/a", None)
    assert assigned.diagnostics == ()


def test_a_broken_package_json_is_named_and_passed_over(tmp_path: Path) -> None:
    write(tmp_path / "a/package.json", "{ name: }")
    os.mkfifo(tmp_path / "package.json")
    assigned = assign_packages(tmp_path, ["a/x.ts"])

    assert assigned.of_file["a/x.ts"] == Package("", None, None)
    assert [(item.code, item.file_path) for item in assigned.diagnostics] == [
        ("invalid-package-json", "a/package.json"),
        ("not-a-regular-file", "package.json"),
    ]


def test_two_packages_with_one_name_are_reported(tmp_path: Path) -> None:
    for directory in ("a", "b", "b/c"):
        write(tmp_path / directory / "package.json", '{"name": "@acme/twin"}')
    assigned = assign_packages(tmp_path, ["a/x.ts", "b/y.ts", "b/c/z.ts", "b/c/y.ts"])

    assert [(item.code, item.severity.value, item.file_path) for item in assigned.diagnostics] == [
        ("duplicate-package", "error", "b/c/package.json"),
        ("duplicate-package", "error", "b/package.json"),
    ]
    assert "a/package.json" in assigned.diagnostics[0].message


def test_slugs_are_readable() -> None:
    slugs = package_slugs([Package("", None, None), Package("p/o", "@acme/orders", "1.0.0")])

    assert sorted(slugs.values()) == ["acme__orders", "root"]


names = (
    st.none()
    | st.text(st.characters(codec="utf-8"), min_size=1, max_size=6)
    | st.sampled_from(["@A/b", "a__B", "a/b", ".x"])
)


@given(st.lists(st.tuples(names, st.sampled_from(["", "a", "a/b", "a__b", "c"])), max_size=6, unique=True))
def test_slugs_never_meet_nor_leave_their_directory(pairs: list[tuple[str | None, str]]) -> None:
    packages = [Package(directory, name, None) for name, directory in pairs]
    slugs = package_slugs(packages)

    assert len({slug.lower() for slug in slugs.values()}) == len(packages)
    assert all(slug and "/" not in slug and not slug.startswith(".") for slug in slugs.values())
    assert slugs == package_slugs(reversed(packages))
