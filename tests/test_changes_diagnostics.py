"""Which diagnostics count as new or gone when lines and files move, and what else a comparison has to say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from change_trees import SHOP, ArtifactMap, artifact_set, artifacts_of, between, told

from scanner.artifacts import digest
from workers.artifact_sets import read_artifacts
from workers.changes import Comparison, compare_artifacts

HEAD = "@smrt({ api: false, mcp: false, cli: false }) export class"
BROKEN = f"{HEAD} Tag extends SmrtObject {{ price: number = 0.5; }}\n"
FLAWED = "// no @smrt() here\nconst = 1;\n"
FLAWLESS = "// no @smrt() here\nconst one = 1;\n"
FINDING = (
    '{"code":"numeric-precision","severity":"warning","filePath":"src/tag.ts","line":LINE,"column":COLUMN,"message":'
    '"Tag.price names money, but its default 0.5 is a decimal.","hint":"Keep money in whole minor units (0), or state the'
    ' type with @field({ type })."}'
)


def entry(line: int, column: int) -> str:
    return FINDING.replace("LINE", str(line)).replace("COLUMN", str(column))


class TestDiagnostics:
    def test_one_that_moved_within_its_file_is_the_same(self, tmp_path: Path) -> None:
        trees = [{**SHOP, "src/tag.ts": text} for text in (BROKEN, f"\n// more\n{BROKEN}")]

        assert told(between(tmp_path, *trees)) == []

    def test_one_whose_file_moved_is_the_same(self, tmp_path: Path) -> None:
        trees = [{**SHOP, path: BROKEN} for path in ("src/tag.ts", "src/tags/price.ts")]

        assert told(between(tmp_path, *trees)) == []

    def test_one_in_a_file_that_moved_with_its_package_is_the_same(self, tmp_path: Path) -> None:
        trees = [
            {f"{place}/package.json": SHOP["package.json"], f"{place}/src/bad.ts": FLAWED}
            for place in ("one", "packages/uno")
        ]
        before, after = (artifact_set(tmp_path / str(index), tree) for index, tree in enumerate(trees))

        assert [item.file_path for item in after.diagnostics] == ["packages/uno/src/bad.ts"]
        assert told(compare_artifacts(before, after)) == []

    def test_a_new_one(self, tmp_path: Path) -> None:
        mended = BROKEN.replace("0.5", "0")
        told_of = told(between(tmp_path, {**SHOP, "src/tag.ts": mended}, {**SHOP, "src/tag.ts": BROKEN}))

        assert told_of == [
            "compatible field changed @acme/shop/Tag/price/default 0 -> 0.5",
            'compatible field changed @acme/shop/Tag/price/type "integer" -> "decimal"',
            f"compatible diagnostic added @acme/shop/numeric-precision/src/tag.ts ~ -> {entry(1, 85)}",
        ]

    def test_one_that_is_gone(self, tmp_path: Path) -> None:
        old = {**SHOP, "src/tag.ts": BROKEN, "src/bad.ts": FLAWED}
        new = {**SHOP, "src/tag.ts": BROKEN, "src/bad.ts": FLAWLESS}
        (line,) = told(between(tmp_path, old, new))

        assert line.startswith("compatible diagnostic removed @acme/shop/syntax-error/src/bad.ts {")
        assert line.endswith("} -> ~")

    def test_the_same_mistake_in_another_file_is_another_one(self, tmp_path: Path) -> None:
        old = {**SHOP, "src/a.ts": FLAWED, "src/b.ts": FLAWLESS}
        new = {**SHOP, "src/a.ts": FLAWLESS, "src/b.ts": FLAWED}
        lines = told(between(tmp_path, old, new))

        assert [line.split(" {")[0].removesuffix(" ~ ->") for line in lines] == [
            "compatible diagnostic removed @acme/shop/syntax-error/src/a.ts",
            "compatible diagnostic added @acme/shop/syntax-error/src/b.ts",
        ]

    def test_one_more_of_the_same_is_new(self, tmp_path: Path) -> None:
        old = {**SHOP, "src/a.ts": FLAWED}
        new = {**SHOP, "src/a.ts": f"{FLAWED}const ok = 2;\nconst = 1;\n"}
        (line,) = told(between(tmp_path, old, new))

        assert line.startswith("compatible diagnostic added @acme/shop/syntax-error/src/a.ts ~")
        assert '"line":4' in line

    def test_another_severity_and_other_words(self, tmp_path: Path) -> None:
        content = artifacts_of(tmp_path, {**SHOP, "src/tag.ts": BROKEN})
        document = json.loads(content["diagnostics.json"])
        document["diagnostics"][0] |= {"severity": "error", "hint": "Do as you like."}
        changed = altered(content, "diagnostics.json", document)

        assert told(compared(content, changed)) == [
            (
                "cosmetic diagnostic changed @acme/shop/numeric-precision/src/tag.ts/hint"
                ' "Keep money in whole minor units (0), or state the type with @field({ type })." -> "Do as you like."'
            ),
            'compatible diagnostic changed @acme/shop/numeric-precision/src/tag.ts/severity "warning" -> "error"',
        ]


def altered(content: dict[str, bytes], name: str, document: Any) -> dict[str, bytes]:
    """Artifacts of which one is another, as its index says."""
    text = json.dumps(document).encode()
    index = json.loads(content["index.json"])
    if name == "index.json":
        return {**content, name: text}
    index["artifacts"][name] = {"bytes": len(text), "sha256": digest(text)}
    return {**content, name: text, "index.json": json.dumps(index).encode()}


def compared(old: dict[str, bytes], new: dict[str, bytes]) -> Comparison:
    return compare_artifacts(read_artifacts(ArtifactMap(old)), read_artifacts(ArtifactMap(new)))


class TestRemarks:
    def remarks_for(self, tmp_path: Path, change: dict[str, Any]) -> list[tuple[str, tuple[str, ...]]]:
        content = artifacts_of(tmp_path, {**SHOP, "src/tag.ts": BROKEN})
        index = {**json.loads(content["index.json"]), **change}
        comparison = compared(content, altered(content, "index.json", index))
        assert comparison.changes == ()
        return [(remark.text, remark.names) for remark in comparison.remarks]

    def test_none_for_equal_runs(self, tmp_path: Path) -> None:
        assert self.remarks_for(tmp_path, {}) == []

    def test_other_options_are_named(self, tmp_path: Path) -> None:
        options = json.loads(artifacts_of(tmp_path / "other", SHOP)["index.json"])["options"]
        changed = {**options, "maxFileBytes": 1, "depth": "full"}

        assert self.remarks_for(tmp_path, {"options": changed}) == [
            (
                "The runs had different options, so some changes may come from these and not from the sources.",
                ("depth", "maxFileBytes"),
            )
        ]

    def test_another_version_is_told(self, tmp_path: Path) -> None:
        ((text, names),) = self.remarks_for(tmp_path, {"tool": {"name": "scan-cluster", "version": "9"}})

        assert text.startswith("The runs are of different versions of the tool")
        assert names == ()

    def test_an_artifact_that_was_changed_is_named(self, tmp_path: Path) -> None:
        content = artifacts_of(tmp_path, {**SHOP, "src/tag.ts": BROKEN})
        name = "packages/acme__shop/manifest.json"
        comparison = compared(content, {**content, name: content[name] + b"\n"})

        assert [(remark.text, remark.names) for remark in comparison.remarks] == [
            ("Artifacts of the newer run were changed after it.", (name,))
        ]

    def test_input_that_was_not_scanned_is_told(self, tmp_path: Path) -> None:
        (tmp_path / "new/src").mkdir(parents=True)
        (tmp_path / "new/src/binary.ts").write_bytes(b"\0\xff" * 100)
        comparison = between(tmp_path, {**SHOP, "src/tag.ts": BROKEN}, SHOP)

        assert [remark.text for remark in comparison.remarks] == [
            (
                "Some input of the newer run could not be scanned, so what it declares is missing there; the diagnostics of"
                " that run name it."
            )
        ]
