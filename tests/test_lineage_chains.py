"""Read back from artifacts, chains and the origins of fields are those by which manifests were made."""

from __future__ import annotations

from typing import Any

from change_trees import ArtifactMap
from hypothesis import given, settings
from hypothesis import strategies as st

from scanner.artifacts import INDEX_FILE, build_artifacts
from scanner.file_scan import parse_source
from scanner.options import ScanOptions
from scanner.outcomes import conclude_project, outcome_of
from scanner.package_fold import reduce_package
from scanner.packages import Package
from scanner.serialization import decode_document
from workers.artifact_sets import read_artifacts
from workers.lineages.chains import ChainEnd, chain_of, field_origins, method_origins
from workers.lineages.explanation import explain_class, known_classes
from workers.lineages.reading import read_lineages
from workers.lineages.records import PackageLineage

PACKAGE = Package("", "@acme/shop", None)
NAMES = st.sampled_from(["Ada", "Ben", "Cy", "Dot", "SmrtObject", "Gone"])
MEMBERS = st.lists(
    st.sampled_from(
        ["a = 1;", "b = 2;", "private b = 3;", "static a = 4;", "static c = 5;", "c: string;", "act() {}"]
        + ["static act() {}", "go() {}", "private go() {}"]
    ),
    max_size=4,
    unique_by=lambda text: text.replace("static ", "").replace("private ", "").split()[0].strip(":()"),
)
DECORATORS = st.sampled_from(
    ["", "@smrt() ", "@smrt({ tableStrategy: 'sti' }) ", "@smrt({ tableStrategy: 'cti' }) "]
)
CLASSES = st.builds(
    lambda decorator, name, parent, members: (
        f"{decorator}class {name}{f' extends {parent}' if parent else ''} {{ {' '.join(members)} }}"
    ),
    DECORATORS,
    NAMES,
    NAMES | st.just(""),
    MEMBERS,
)
FILES = st.lists(st.lists(CLASSES, max_size=3).map("\n".join), min_size=1, max_size=4)


def read_back(sources: list[str]) -> tuple[Any, PackageLineage, Any]:
    """The models as they were resolved, and lineage and artifacts as read back."""
    scans = [parse_source(text, f"src/m{number}.ts") for number, text in enumerate(sources)]
    result = reduce_package(PACKAGE, scans, ScanOptions())
    outcome = conclude_project([outcome_of(result, (), ScanOptions())])
    source = ArtifactMap(build_artifacts(outcome, ScanOptions()))
    artifacts = read_artifacts(source)
    (lineage,), altered = read_lineages(source, decode_document(source.read(INDEX_FILE)))
    assert not altered
    return result.classes, lineage, artifacts


@settings(max_examples=300, deadline=None)
@given(FILES)
def test_chains_and_origins_are_those_of_the_manifest(sources: list[str]) -> None:
    models, lineage, artifacts = read_back(sources)
    known = {item.address: item for item in known_classes(artifacts, [lineage])}
    for model in models:
        item = known[f"{model.raw.file_path}#{model.raw.class_name}"]
        found = explain_class(item)
        owners = {
            field.field.name: (field.owner.file_path, field.owner.class_name) for field in model.all_fields
        }
        names = [entry.place.class_name for entry in found.chain.classes]
        beyond = found.chain.beyond
        if beyond is not None and found.chain.end is not ChainEnd.CYCLE:
            names.append(beyond.name)

        assert tuple(reversed(names)) == model.inheritance_chain
        assert [origin.name for origin in found.fields] == list(item.content["fields"])
        for origin in found.fields:
            assert origin.declared is not None
            place = origin.declared.owner.place
            assert (place.file_path, place.class_name) == owners[origin.name]
        assert all(origin.declared.owner is item.entry for origin in found.methods if origin.declared)
        assert [origin.name for origin in found.methods] == list(item.content["methods"])


FAMILY = """
@smrt({ tableStrategy: 'sti' }) export class Root extends SmrtObject { a = 1; b = 1; act() {} static make() {} }
@smrt() export class Middle extends Root { a = 2; static b = 2; make() {} act() {} }
@smrt() export class Leaf extends Middle { a = 3; own = 3; act() {} make() {} }
@smrt({ tableStrategy: 'cti' }) export class Apart extends Middle { a = 4; }
"""


def test_what_is_declared_more_than_once_is_told_with_all_its_places() -> None:
    _, lineage, _ = read_back([FAMILY])
    by_name = {entry.place.class_name: entry for entry in lineage.classes.values()}

    def told(name: str, member: str, kind: Any) -> Any:
        (origin,) = kind(chain_of(lineage, by_name[name]), [member])
        return [
            [(item.owner.place.class_name, item.member.line) for item in items]
            for items in ([origin.declared] if origin.declared else [], origin.overrides, origin.redeclared)
        ]

    assert told("Leaf", "a", field_origins) == [[("Root", 2)], [], [("Leaf", 4), ("Middle", 3)]]
    assert told("Leaf", "b", field_origins) == [[("Root", 2)], [], []]
    assert told("Leaf", "own", field_origins) == [[("Leaf", 4)], [], []]
    assert told("Apart", "a", field_origins) == [[("Apart", 5)], [("Middle", 3), ("Root", 2)], []]
    assert told("Leaf", "act", method_origins) == [[("Leaf", 4)], [("Middle", 3), ("Root", 2)], []]
    assert told("Leaf", "make", method_origins) == [[("Leaf", 4)], [("Middle", 3)], []]
    assert told("Leaf", "nothing", method_origins) == [[], [], []]


def end_of(source: str, name: str = "A") -> ChainEnd:
    _, lineage, _ = read_back([source])
    return chain_of(lineage, next(e for e in lineage.classes.values() if e.place.class_name == name)).end


def test_a_chain_tells_why_it_ends() -> None:
    assert end_of("@smrt() class A {}") is ChainEnd.NO_PARENT
    assert end_of("class A extends SmrtObject {}") is ChainEnd.FRAMEWORK
    assert end_of("@smrt() class A extends Gone {}") is ChainEnd.NOT_FOUND
    assert end_of("@smrt() class A extends A {}") is ChainEnd.CYCLE
    assert end_of("@smrt() class A extends B {} class B extends A {}") is ChainEnd.CYCLE
    assert end_of("class A extends SmrtObject {} class SmrtObject extends Other {}") is ChainEnd.FRAMEWORK
    deep = " ".join(f"class C{number} extends C{number + 1} {{}}" for number in range(1100))
    assert end_of(f"@smrt() class A extends C0 {{}} {deep}") is ChainEnd.TOO_LONG


def test_a_chain_of_the_longest_length_is_read_back_whole() -> None:
    deep = " ".join(f"class C{number} extends C{number + 1} {{}}" for number in range(998))
    _, lineage, _ = read_back([f"@smrt() class A extends C0 {{}} {deep} class C998 extends SmrtObject {{}}"])
    top = next(entry for entry in lineage.classes.values() if entry.place.class_name == "A")

    assert len(chain_of(lineage, top).classes) == 1000
