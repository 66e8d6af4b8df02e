"""The schemas describe what the commands really write: all of it, and nothing looser than it has to be."""

from __future__ import annotations

import contextlib
import copy
import io
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import EXAMPLE
from hypothesis import given, settings
from hypothesis import strategies as st
from parity_cases import CASES, source_cases
from schema_parts import NAMES, described_properties, validator

from scanner.extraction.members import STATIC_PROPERTIES
from workers.cli.main import main
from workers.inspection import inspect_source

# Values that sources may state in ways that no one expects, beside everything that a schema has a word for.
ODD_MODELS = r"""
import { SmrtObject, smrt } from '@happyvertical/smrt-core';
type Level = 'low' | 'high';
@smrt({ tableStrategy: 5, api: { include: ['list', null, 1e999, 10n] }, '': 1 })
@TenantScoped({ mode: 'strict' })
export class Odd<T> extends Base<Level> {
  static uiSlots = { main: [1, { deep: null }] };
  static adminRoutes = [];
  static signalSubscriptions = { 'a.b': true };
  @field({ type: 5, required: 'yes', related: 7, default: /x/g, min: '1', max: 10n, minLength: 0.5, maxLength: null,
    description: ['text'], transient: true, sensitive: true, readonly: true, readPermission: 'staff', unknown: {} })
  stated;
  meta: Meta<Level>;
  @tenantId({ nullable: true }) tenant = '';
  @aggregate({ fn: 'sum', column: 'a', distinct: true }) sum = 0;
  @foreignKey(() => Odd) odd: string;
  lone = '\ud800';
  endless = 1e999;
  taxRate = 1;
  total: number = 1.50;
  both: string & number;
  level?: Level = 'low';
  private 'quoted key' = -0;
  @field({ min: LIMIT }) unreadable = 1;
  @oneToMany(pick()) unrelated: Odd[];
  @method({ expose: false }) async act(a: { b: Date; c: { d(): void }[] }, d: string & {} = '\udc00', ...rest) {}
  @method() static bare({ a, b }): Promise<Level> {}
  #hidden() {}
}
@smrt({ ...ELSEWHERE }) class Open extends (mixin()) {}
export default class { protected x = 1 }
class Broken extends SmrtObject { a: = ; )
"""
ODD_SURFACE = r"""
import { defineIntent } from '@happyvertical/smrt-web/intents';
import { definePlaybook } from '@happyvertical/smrt-playbooks';
defineIntent({ id: 'a.b', description: '\ud800', target: { registry: 'dataSurface', controlId: 'c', surfaceId: 's', kind: 'map' } });
defineIntent({ id: 'a.c', description: 'd', capability: { effect: 'read', idempotent: true, openWorld: false },
  target: { registry: 'control', action: 'apply', formId: 'f', controlId: 'c' }, inputSchema: {} });
defineIntent({ id: 'a.b', description: 'again', target: { registry: 'control', action: 'undo' } });
defineIntent({ id: pick(), description: 'd', target: {} });
definePlaybook({ key: '', title: 't', description: 'd', steps: [] });
definePlaybook({ key: 'any key\n☕', title: 't', description: 'd', planes: ['server', 'browser', 'server'], enabled: false,
  onStepFailure: 'continue', steps: [{ kind: 'operation', model: '@a/b:C', action: 'run' }, { kind: 'intent', id: '?' }] });
"""


def printed(*arguments: str | Path) -> bytes:
    """What a command prints on standard output."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with contextlib.redirect_stdout(stream), pytest.raises(SystemExit):
        main([os.fspath(argument) for argument in arguments])
    stream.seek(0)
    return stream.buffer.read()


def parity_sources() -> list[Path]:
    """Every source file that has an expected result."""
    folders = sorted(folder.name for folder in CASES.iterdir() if folder.name != "trees")
    return [case for folder in folders for case in source_cases(folder)]


def kin_far_away(root: Path) -> dict[Path, str]:
    """A package with parents behind many re-exports, of many namesakes, and in another package."""
    chain = {root / f"barrel{number}.ts": f"export * from './barrel{number + 1}';" for number in range(40)}
    rivals = {root / f"rival{number}.ts": "export class Rival {}" for number in range(30)}
    return {
        root / "package.json": '{"name": "@odd/wide", "version": "0"}',
        root / "tsconfig.json": '{"compilerOptions": {"paths": {"~/*": ["./*"]}}}',
        **chain,
        **rivals,
        root / "barrel40.ts": "export { Short as Far } from '@odd/short/models';",
        root / "near.ts": "import { Far } from '~/barrel0'; @smrt() export class Near extends Far {}",
        root / "many.ts": "@smrt() export class Many extends Rival { static all = 1; static make() {} }",
        root / "sti.ts": "@smrt({ tableStrategy: 'sti' }) export class Root { a = 1; act() {} }\n"
        "@smrt() export class Leaf extends Root { a = 2; act() {} }",
    }


def odd_tree(root: Path) -> Path:
    """A tree of two packages, one without name and version, one in a directory whose name is no UTF-8."""
    package = Path(os.fsdecode(os.fsencode(root / "pack") + b"\xff"))
    files = {
        root / "models.ts": ODD_MODELS,
        root / "surface.ts": ODD_SURFACE,
        root / "twice.tsx": "@smrt() export class Odd {}",
        root / "Part.svelte": ODD_SURFACE,
        root / "empty.ts": "",
        package
        / "package.json": '{"name": "@odd/pack", "version": "1", "exports": {"./manifest": "./m.json"}}',
        package
        / "src/models.ts": "@smrt({ ...ELSEWHERE }) export class Odd { price = 0.5; act(a: { b: Date }) {} }",
        root / "short/package.json": '{"name": "@odd/short", "exports": {"./manifest": "./m.json"}}',
        root / "short/src/models.ts": "@smrt() export class Short {}",
        root / "short/m.json": '{"objects": {}}',
        **kin_far_away(root / "wide"),
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (root / "binary.ts").write_bytes(b"\0\xff")
    return root


def schema_of(artifact: str) -> str | None:
    """The schema of a file among the artifacts; None for one that others have standardised."""
    name, _, suffix = artifact.rpartition("/")[2].partition(".")
    return None if suffix == "sarif" else name


def artifact_documents(out: Path) -> Iterator[tuple[str, Any]]:
    for path in sorted(path for path in out.rglob("*") if path.is_file()):
        name = schema_of(path.relative_to(out).as_posix())
        content = path.read_bytes()
        if name is not None:
            # Bytes are split at ends of lines alone; text would be at U+2028 too, which may stand in a string.
            parts = content.splitlines() if path.suffix == ".ndjson" else [content]
            yield from ((name, json.loads(part.decode())) for part in parts)


def difference(root: Path, out: Path) -> Any:
    """What changed since an earlier state of a tree, in which some words were others."""
    earlier = shutil.copytree(root, out.with_name("earlier"))
    for path in earlier.rglob("*.ts"):
        path.write_bytes(path.read_bytes().replace(b"'list'", b"'show'").replace(b" = '", b" = 'not "))
    printed("run", earlier, "--out", out.with_name("before"), "--max-file-bytes", "1000000", "--quiet")
    return json.loads(printed("diff", out.with_name("before"), out, "--format", "json"))


def explanations(out: Path, lineages: list[Any]) -> Iterator[Any]:
    """What is told about every class of a run."""
    listed = {(item["filePath"], item["className"]) for lineage in lineages for item in lineage["classes"]}
    for path, name in sorted(listed):
        yield json.loads(printed("explain", out, f"{path}#{name}", "--format", "json"))


def gathered(root: Path, out: Path, packages: list[Path]) -> dict[str, list[Any]]:
    """Everything that commands write about a tree, by schema."""
    printed("run", root, "--out", out, "--depth", "full", "--quiet")
    documents: dict[str, list[Any]] = {name: [] for name in NAMES}
    for name, document in artifact_documents(out):
        documents[name].append(document)
    sources = sorted(path for path in root.rglob("*") if path.suffix in {".ts", ".tsx", ".svelte"})
    documents["inspect"] += map(json.loads, printed("inspect", root, *sources).splitlines())
    documents["verify"].append(json.loads(printed("verify", *packages, "--format", "json")))
    documents["diagnostics"].append(json.loads(printed("lint", root, "--format", "json")))
    documents["diff"].append(difference(root, out))
    documents["explain"] += explanations(out, documents["lineage"])
    return documents


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    directory = tmp_path_factory.mktemp("odd")
    root = odd_tree(directory / "tree")
    packages = sorted(path.parent for path in root.rglob("package.json"))
    return gathered(root, directory / "out", packages)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    packages = sorted((EXAMPLE / "packages").iterdir())
    return gathered(EXAMPLE, tmp_path_factory.mktemp("sample") / "out", packages)


class TestRealOutput:
    """What the commands write is valid."""

    @pytest.mark.parametrize("name", NAMES)
    def test_of_the_sample(self, sample: dict[str, list[Any]], name: str) -> None:
        assert sample[name]
        for document in sample[name]:
            validator(name).validate(document)

    @pytest.mark.parametrize("name", NAMES)
    def test_of_a_tree_with_odd_values(self, odd: dict[str, list[Any]], name: str) -> None:
        assert odd[name]
        for document in odd[name]:
            validator(name).validate(document)

    def test_of_every_parity_source_by_itself(self) -> None:
        cases = parity_sources()
        lines = printed("inspect", *cases).splitlines()

        for case, line in zip(cases, lines, strict=True):
            document = json.loads(line)
            assert document["file"] == case.name
            validator("inspect").validate(document)

    def test_of_a_tree_of_parity_sources(self, tmp_path: Path) -> None:
        for case in parity_sources():
            (tmp_path / "tree" / case.parent.name).mkdir(parents=True, exist_ok=True)
            shutil.copy(case, tmp_path / "tree" / case.parent.name)
        printed("run", tmp_path / "tree", "--out", tmp_path / "out", "--depth", "full", "--quiet")
        documents = list(artifact_documents(tmp_path / "out"))

        assert {name for name, _ in documents} == set(NAMES) - {"diff", "explain", "inspect", "verify"}
        for name, document in documents:
            validator(name).validate(document)

    @pytest.mark.parametrize("parameter", ["= 1", "= '' as t"])
    def test_of_a_parameter_without_a_name(self, parameter: str) -> None:
        source = f"@smrt() class Order {{ note\nact({parameter}) {{}} }}"
        document = json.loads(inspect_source(source.encode(), "order.ts"))

        assert document["raw"]["classes"][0]["methods"][0]["parameters"][0]["name"] == ""
        validator("inspect").validate(document)

    @settings(max_examples=60, deadline=None)
    @given(st.data())
    def test_of_broken_sources(self, draw: st.DataObject) -> None:
        case = draw.draw(st.sampled_from(parity_sources()))
        data = case.read_bytes()
        cut, begin, end = sorted(draw.draw(st.tuples(*[st.integers(0, len(data))] * 3)))
        line = inspect_source(data[:cut] + data[begin:end], case.with_suffix(".ts").name)

        validator("inspect").validate(json.loads(line))

    @pytest.mark.parametrize("name", NAMES)
    def test_shows_every_property_that_a_schema_describes(
        self, odd: dict[str, list[Any]], sample: dict[str, list[Any]], name: str
    ) -> None:
        shown = {
            str(path[-1])
            for document in (*odd[name], *sample[name])
            for path, _ in places(document)
            if path and isinstance(path[-1], str)
        }

        assert {key for key, _ in described_properties(name)} - shown == set()


Place = tuple[str | int, ...]

# Keys whose values are maps: what stands in these is up to the source.
MAPS = {
    "objects",
    "fields",
    "methods",
    "smrtImports",
    "typeAliases",
    "artifacts",
    "phases",
    "driverProcessorSeconds",
}
# Values that a source states and that are copied as they are.
STATED = {"type", "required", "related", "default", "description", "min", "max", "minLength", "maxLength"}
# Keys that may be absent, by the key that the object (or the list or map of such objects) stands under.
OPTIONAL = {
    "": {"packageName", "packageVersion"},
    "totals": {"classes"},
    "packages": {"classes"},
    "classes": {"package", "extends", "parent"},
    "chain": {"extends", "parent"},
    "parent": {"class", "via", "viaOmitted", "rivals", "rivalsOmitted"},
    "via": {"rule", "config", "target"},
    "lineage fields": {"isStatic"},
    "lineage methods": {"isStatic"},
    "manifest": {"packageName", "packageVersion"},
    "objects": {"qualifiedName", "packageName", "extends", "extendsTypeArg", "staticProperties"},
    "objects fields": {*STATED, "transient", "sensitive", "readonly", "readPermission", "_meta"},
    "objects methods": {"decoratorConfig"},
    "objects parameters": {"default", "typeUnresolved", "memberTypes"},
    "parameters": {"typeUnresolved", "memberTypes"},
    "staticProperties": set(STATIC_PROPERTIES),
    "surface target": {"formId", "surfaceId", "kind"},
    "diagnostics": {"line", "column", "hint", "expression", "decorator", "package"},
    "warnings": {"line", "column", "hint", "expression", "decorator"},
    "errors": {"line", "column", "hint", "expression", "decorator"},
    "changes": {"package", "name", "member", "aspect", "before", "after", "exposure", "actions"},
}
# Texts that may be empty: names that a source gives, and source text.
MAY_BE_EMPTY = {
    *(
        "name",
        "type",
        "returnType",
        "typeAnnotation",
        "initializer",
        "defaultValue",
        "default",
        "description",
    ),
    *(
        "extends",
        "extendsTypeArg",
        "extendsClause",
        "stiBase",
        "qualifiedName",
        "fieldName",
        "readPermission",
    ),
    *("packageName", "packageVersion", "version", "manifestPath", "filePath"),
    *("expression", "decorator", "hint", "member", "module"),
}


def places(value: Any, path: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Every value in a document, with its path."""
    yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


def shape_of(path: Place) -> Place:
    """A path with a star for every index and for every key of a map."""
    pairs = zip((None, *path), path, strict=False)
    return tuple("*" if above in MAPS or isinstance(key, int) else key for above, key in pairs)


def holder_of(name: str, shape: Place) -> str:
    """The key that an object, or the list or map that it is in, stands under, after the part of a document it is in."""
    keys = [str(part) for part in shape[:-1] if part != "*"]
    is_in_surface = name == "agent-surface" or "agentSurface" in keys
    part = "surface " if is_in_surface else "objects " if "objects" in keys[:-1] else ""
    if name == "lineage" and keys[-1:] in (["fields"], ["methods"]):
        part = "lineage "
    return part + "".join(keys[-1:])


def is_free(shape: Place) -> bool:
    """Whether a source decides what stands at a place."""
    if shape[:1] == ("changes",) and {"before", "after"} & set(shape):
        return True
    if {"decoratorConfig", "_meta", "effectiveTableStrategy"} & set(shape) or "staticProperties" in shape[
        :-1
    ]:
        return True
    return any(
        shape[index : index + 2] == ("fields", "*") and part in STATED for index, part in enumerate(shape[2:])
    )


def different_places(documents: list[Any]) -> Iterator[tuple[Any, Place, Place, Any]]:
    """A document, path, shape and value for each kind of place with each type of value."""
    tried = set()
    for document in documents:
        for path, value in places(document):
            shape = shape_of(path)
            if (shape, type(value)) not in tried and not is_free(shape):
                tried.add((shape, type(value)))
                yield document, path, shape, value


def put(document: Any, path: Place, value: Any) -> Any:
    """A copy of a document with another value at a path."""
    if not path:
        return value
    changed = copy.copy(document)
    changed[path[0]] = put(document[path[0]], path[1:], value)
    return changed


def without(document: Any, path: Place) -> Any:
    """A copy of a document without the key at a path."""
    if len(path) == 1:
        return {key: value for key, value in document.items() if key != path[0]}
    return put(document, path[:1], without(document[path[0]], path[1:]))


ODD = ("objects", "@odd/pack:Odd")


class TestWrongDocuments:
    """A schema refuses what no command writes."""

    @pytest.mark.parametrize("name", NAMES)
    def test_a_value_of_another_kind_anywhere(self, odd: dict[str, list[Any]], name: str) -> None:
        for document, path, _, _ in different_places(odd[name]):
            for wrong in ({"unexpected": None}, [{}]):
                assert not validator(name).is_valid(put(document, path, wrong)), path

    @pytest.mark.parametrize("name", NAMES)
    def test_an_unknown_key_in_any_object(self, odd: dict[str, list[Any]], name: str) -> None:
        for document, path, _, value in different_places(odd[name]):
            if isinstance(value, dict):
                changed = put(document, path, {**value, "unexpected": None})
                assert not validator(name).is_valid(changed), path

    @pytest.mark.parametrize("name", NAMES)
    def test_a_missing_key_anywhere_but_where_it_may_be_absent(
        self, odd: dict[str, list[Any]], name: str
    ) -> None:
        for document, path, shape, _ in different_places(odd[name]):
            if shape and shape[-1] != "*":
                is_optional = shape[-1] in OPTIONAL.get(holder_of(name, shape), ())
                assert validator(name).is_valid(without(document, path)) == is_optional, path

    @pytest.mark.parametrize("name", NAMES)
    def test_a_negative_number_or_an_empty_text(self, odd: dict[str, list[Any]], name: str) -> None:
        for document, path, shape, value in different_places(odd[name]):
            key = "" if not shape or shape[-1] == "*" else shape[-1]
            if isinstance(value, int | float) and not isinstance(value, bool) and key != "numericValue":
                assert not validator(name).is_valid(put(document, path, -1)), path
            if isinstance(value, str) and key and key not in MAY_BE_EMPTY:
                assert not validator(name).is_valid(put(document, path, "")), path

    @pytest.mark.parametrize(
        ("name", "path", "value"),
        [
            ("diagnostics", ("diagnostics", 0, "severity"), "fatal"),
            ("diagnostics", ("diagnostics", 0, "code"), "Not Kebab"),
            ("diagnostics", ("counts", "error"), -1),
            ("index", ("packages", 0, "sha256"), "abc"),
            ("index", ("packages", 0, "manifest"), "../manifest.json"),
            ("index", ("options", "depth"), "deep"),
            ("index", ("formatVersion",), 2),
            ("manifest", ("timestamp",), 1),
            ("manifest", ("moduleType",), "other"),
            ("manifest", (*ODD, "name"), ""),
            ("manifest", (*ODD, "fields", "price"), {"type": "text"}),
            ("manifest", (*ODD, "fields", "price"), {"required": True}),
            ("manifest", (*ODD, "fields", "price"), {"type": "text", "required": True, "readonly": False}),
            ("manifest", (*ODD, "methods", "act", "parameters", 0, "memberTypes"), []),
            ("agent-surface", ("intents", 0, "id"), "Upper.case"),
            ("agent-surface", ("intents", 0, "capability", "effect"), "none"),
            ("agent-surface", ("intents", 0, "target"), {"registry": "control", "controlId": "c"}),
            ("agent-surface", ("intents", 0, "planes"), []),
            ("agent-surface", ("playbooks", 0, "planes"), []),
            ("agent-surface", ("playbooks", 0, "steps"), []),
            ("classes", ("startLine",), 0),
            ("classes", ("fields", 0, "accessibility"), "internal"),
            ("run", ("workers",), 0),
            ("run", ("seconds",), -0.1),
            ("inspect", ("errors", 0, "severity"), "warning"),
            ("verify", ("packages", 0, "status"), "fine"),
        ],
    )
    def test_a_value_of_the_right_type_out_of_bounds(
        self, odd: dict[str, list[Any]], name: str, path: Place, value: Any
    ) -> None:
        assert validator(name).is_valid(odd[name][0])
        assert not validator(name).is_valid(put(odd[name][0], path, value))

    def test_a_verdict_without_its_evidence(self, odd: dict[str, list[Any]]) -> None:
        reports = {report["status"]: report for report in odd["verify"][0]["packages"]}

        for status, evidence in (("incomplete", "missing"), ("scan-error", "diagnostics")):
            document = {"packages": [{**reports[status], evidence: []}]}
            assert not validator("verify").is_valid(document)
