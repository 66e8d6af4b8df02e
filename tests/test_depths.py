"""Depth ``manifest`` gives what reading everything gives: the sieves hold back nothing that counts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from parity_cases import source_cases

from scanner.file_scan import parse_source, scan_bytes
from scanner.idle_sources import is_idle, sealed
from scanner.inheritance import FRAMEWORK_BASES
from scanner.module_paths import stays_below
from scanner.options import Depth, ScanOptions
from scanner.outcomes import outcome_of
from scanner.packages import Package, PackageAssignment
from scanner.project import ProjectResult, reduce_project
from scanner.records import FileRole, FileScan, Reading, SealedScan
from scanner.rounds import ProjectRounds
from scanner.serialization import encode_document, to_json
from scanner.sieve.declared_names import declared_names, may_declare_records
from scanner.sieve.module_exports import ANY_MODULE, leads_of
from scanner.sieve.smrt_mentions import mentions_smrt
from scanner.sifting import sift_bytes
from scanner.sources import SourceFile, Sources
from scanner.syntax.grammar import dialect_of_path
from workers.cache.codec import decode_scan, encode_scan

OPTIONS = ScanOptions(framework_bases=("Basis",))
BASES = FRAMEWORK_BASES | {"Basis"}


@dataclass(frozen=True)
class Sifted:
    """What reading in rounds came to, and which files it parsed."""

    result: ProjectResult
    parsed: set[str]


def assignment_of(tree: dict[str, bytes]) -> PackageAssignment:
    packages = {name: Package(name, f"@acme/{name}", "1.0.0") for name in ("a", "b", "c")}
    return PackageAssignment({path: packages[path.split("/")[0]] for path in tree}, ())


def sifted(tree: dict[str, bytes], options: ScanOptions = OPTIONS) -> Sifted:
    files = tuple(SourceFile(path, len(tree[path]), FileRole.CLASSES) for path in sorted(tree))
    rounds = ProjectRounds(Sources(files, ()), assignment_of(tree), options)
    parsed: set[str] = set()
    while (step := rounds.next()) is not None:
        for file in step.files:
            found = sift_bytes(tree[file.path], file.path, file.role, step.reading, options.framework_bases)
            parsed |= {file.path} if found.is_parsed else set()
            rounds.add(file, step.reading, found.scan)
    return Sifted(rounds.result(), parsed)


def read_fully(tree: dict[str, bytes], *, seals: bool = True) -> Sifted:
    """Read a tree as workers do at depth ``full``, and note which sealed records were opened."""
    options = replace(OPTIONS, depth=Depth.FULL)
    opened: set[str] = set()

    def open_record(scan: SealedScan) -> FileScan:
        opened.add(scan.file_path)
        return decode_scan(scan.record, scan.file_path, FileRole.CLASSES)

    files = tuple(SourceFile(path, len(tree[path]), FileRole.CLASSES) for path in sorted(tree))
    rounds = ProjectRounds(Sources(files, ()), assignment_of(tree), options, opened=open_record)
    while (step := rounds.next()) is not None:
        for file in step.files:
            found = sift_bytes(tree[file.path], file.path, file.role, step.reading, options.framework_bases)
            scan = found.scan
            if scan is not None and seals and is_idle(scan, BASES) and (record := encode_scan(scan)):
                rounds.add(file, step.reading, sealed(scan, record))
            else:
                rounds.add(file, step.reading, scan)
    return Sifted(rounds.result(), opened)


def whole(tree: dict[str, bytes], options: ScanOptions = OPTIONS) -> ProjectResult:
    scans = [scan_bytes(data, path) for path, data in tree.items()]
    return reduce_project(scans, assignment_of(tree), options)


def documents(result: ProjectResult) -> Any:
    manifests = {item.package.name: encode_document(item.manifest) for item in result.packages}
    lineages = {item.package.name: encode_document(item.lineage) for item in result.packages}
    imports = {item.package.name: (item.smrt_imports, item.external_classes) for item in result.packages}
    return manifests, lineages, imports, to_json(result.surface)


def assert_equal_depths(tree: dict[str, bytes]) -> Sifted:
    less, more = sifted(tree), whole(tree)

    assert documents(less.result) == documents(more)
    held_back = set(more.diagnostics) - set(less.result.diagnostics)
    assert set(less.result.diagnostics) <= set(more.diagnostics)
    assert {remark.file_path for remark in held_back}.isdisjoint(less.parsed)
    return less


def parsed_scans(tree: dict[str, bytes]) -> list[FileScan]:
    """The records of files as depth ``full`` reads them, those that need no parsing empty."""
    role, bases = FileRole.CLASSES, OPTIONS.framework_bases
    found = {path: sift_bytes(data, path, role, Reading.RECORDS, bases) for path, data in tree.items()}
    return [item.scan or FileScan(path) for path, item in found.items()]


def class_documents(result: ProjectResult) -> Any:
    options = replace(OPTIONS, depth=Depth.FULL)
    outcomes = [outcome_of(item, (), options) for item in result.packages]
    return [(item.class_lines, item.facts.classes, item.facts.models) for item in outcomes]


BLANKS = st.sampled_from(
    [
        " ",
        "  ",
        "\n",
        "\t",
        " /* class Zed */ ",
        " // type Zed\n",
        "\r\n",
        "\u00a0",
        " /**/ ",
        "\ufeff",
        " // \u2028 x\n",
    ]
)
NAMES = st.sampled_from(["Ada", "Ben", "Cy", "Dot", "Eve"])
ALIASES = st.sampled_from(["Kind", "Size", "Mode"])
PATHS = [
    f"{package}/src/{stem}" for package in "ab" for stem in ("m0.ts", "m1.ts", "m2.tsx", "index.ts", "m3.js")
]


@st.composite
def spelled(draw: st.DrawFn, name: str) -> str:
    """A name as it is, or with one of its characters as an escape."""
    if draw(st.integers(0, 9)) != 0:
        return name
    index = draw(st.integers(0, len(name) - 1))
    code = f"{ord(name[index]):x}"
    escape = draw(st.sampled_from([f"\\u{code:0>4}", f"\\u{{{code}}}", f"\\u{{000{code.upper()}}}"]))
    return name[:index] + escape + name[index + 1 :]


@st.composite
def parents(draw: st.DrawFn) -> str:
    name = draw(
        spelled(draw(NAMES | st.sampled_from(["SmrtObject", "SmrtJunction", "Basis", "Other", "Given"])))
    )
    blank = draw(BLANKS)
    return draw(
        st.sampled_from(
            [name] * 6
            + [
                f"ns.{name}",
                f"ns{blank}.{blank}{name}",
                f"({name})",
                f"({blank}{name}{blank})",
                f"ns['{name}']",
            ]
            + [f"mix({name})", f"{name}<string>", "(class {})", f"ns . {name}"]
        )
    )


@st.composite
def class_statements(draw: st.DrawFn) -> str:
    blank = draw(BLANKS)
    decorator = draw(
        st.sampled_from(
            [""] * 4
            + ["@smrt()\n", f"@smrt({{ api: false }}){blank}", "@ smrt()\n", "@\\u0073mrt()\n", "@other()\n"]
        )
    )
    export = draw(st.sampled_from(["", "export ", "export default ", f"export{blank}abstract ", "declare "]))
    name = draw(spelled(draw(NAMES)))
    head = draw(st.sampled_from([f"class{blank}{name}"] * 5 + ["class"]))
    if head == "class":
        decorator, export = "", "export default "
    heritage = draw(
        st.sampled_from(["", f"{blank}extends{draw(BLANKS)}{draw(parents())}", " implements Kind"])
    )
    generic = draw(st.sampled_from(["", "", "<T>", "<T extends Kind>", "<T extends { a: 1 }>"]))
    kind = draw(spelled(draw(ALIASES)))
    other = draw(spelled(draw(NAMES)))
    field = draw(
        st.sampled_from([f"f: {kind};", f"@field() g: {kind} | null = null;", "h = 1;", f"m(x: {kind}) {{}}"])
        | st.sampled_from(
            [f"@foreignKey(() => {other}) r = '';", f"p: {other}[];", f"q: Map<string, ns.{other}>;"]
        )
    )
    return f"{decorator}{export}{head}{generic if head != 'class' else ''}{heritage} {{ {field} }}"


@st.composite
def import_statements(draw: st.DrawFn) -> str:
    name, local = draw(spelled(draw(NAMES | ALIASES))), draw(NAMES | ALIASES)
    module = draw(
        st.sampled_from(
            ["./m0", "./m1.js", "./m2", ".", "../src/m1", "./m3.js", "elsewhere", "@happyvertical/smrt-core"]
        )
        | st.sampled_from(
            ["@acme/a", "@acme/b", "@acme/a/m0", "@acme/b/src/m1.js", "../../b/src/m0", "../../a/src"]
        )
        | st.sampled_from(["@acme/\\x61/m1", "./../../b/src/m2", "@acme/a/m2"])
        | st.sampled_from(
            ["@happyvertical/\\x73mrt-core", "@happyvertical/sm\\\nrt-core", "@happyvertical/\\smrt-core"]
        )
    )
    blank = draw(BLANKS)
    statement = draw(
        st.sampled_from(
            [
                f"import {{ {name} }} from '{module}';",
                f"import {{ {name} as{blank}{local} }} from '{module}';",
                f"import {{ {name}{blank}as {local} }} from '{module}';",
                f"import{blank}{local} from '{module}';",
                f"import{blank}type {local} from '{module}';",
                f"import * as ns from '{module}';",
                f"import {{ default as {local} }} from '{module}';",
                f"import {local}, {{ {name} as Other }} from '{module}';",
                f"export {{ {name} as {local} }} from '{module}';",
                f"export * from '{module}';",
                f"export{blank}{{ {name} as{blank}{local} }} from '{module}';",
                f"export{blank}{{ {name}{blank}}} from '{module}';",
                f"export {{ default }} from '{module}';",
                f"export {{ default as{blank}{local} }} from '{module}';",
                f"export{blank}*{blank}as ns from '{module}';",
                f"import {{ ns }} from '{module}';",
                f"export type{blank}{{ {name} as {local} }} from '{module}';",
                f"import {{ {name} as {local} }} from '{module}'; export {{ {local} }};",
                f"import {local} from '{module}'; export{blank}{{{local}}};",
                f"import {{ {name} }} from '{module}'; export{blank}default{blank}{name};",
                f"import {{ SmrtObject as {local} }} from '@happyvertical/smrt-core'; export {{ {local} }};",
                f"export {{ {name} as default }};",
                f"export default ({local} as any);",
            ]
        )
    )
    return statement.replace("from '", f"from{draw(BLANKS | st.just(''))}'")


@st.composite
def alias_statements(draw: st.DrawFn) -> str:
    blank, name = draw(BLANKS), draw(spelled(draw(ALIASES)))
    other = draw(ALIASES)
    return draw(
        st.sampled_from(
            [
                f"type{blank}{name} = 'x' | 'y';",
                f"export type {name}{blank}= string;",
                f"export type {name} = {other} | null;",
                f"enum{blank}{name} {{ A = 'a', B = 'b' }}",
                f"export const enum {name} {{ A = 'a' }}",
                f"declare type {name}<T> = T[];",
            ]
        )
    )


NOISE = st.sampled_from(
    [
        "const text = 'class Ada extends Ben {}';",
        "const t = `\n * class Cy extends Dot {}\n${'//'}`; class Eve {}",
        "/* class Ada\n * type Kind = 1 */ class Dot extends Ada {}",
        " * 1;",
        "// class Ben extends SmrtObject {}",
        "const u = '\\u0041';",
        "const r = /[\\s\\S]/;",
        "function f<T extends (infer U)[]>() { class Ada {} }",
        "const c = class Ada extends Ben {};",
        "}",
        "class {",
        "type",
        "namespace N { export class Ada extends SmrtObject {} }",
        "let className = 1, subtype = 2, typeName = 3;",
        "const smrt = 1;",
        "// \udcff",
    ]
)
STATEMENTS = st.one_of(class_statements(), class_statements(), import_statements(), alias_statements(), NOISE)
SOURCES = st.lists(STATEMENTS, max_size=6).map(
    lambda parts: "\n".join(parts).encode("utf-8", "surrogateescape")
)
TREES = st.dictionaries(st.sampled_from(PATHS), SOURCES, min_size=1, max_size=7)


@settings(max_examples=400, deadline=None)
@given(TREES)
@example(
    {"a/src/m0.ts": b"@smrt() class Ada extends Ben {}", "a/src/m1.ts": b"class Ben extends Cy { f: Kind }"}
)
def test_reading_in_rounds_gives_what_reading_everything_gives(tree: dict[str, bytes]) -> None:
    assert_equal_depths(tree)


@settings(max_examples=400, deadline=None)
@given(TREES)
@example({"a/src/m0.ts": b"@smrt() class Ada extends Ben {}", "b/src/m1.ts": b"class Ben {}; class {"})
def test_idle_sources_sealed_or_not_give_what_resolving_everything_gives(tree: dict[str, bytes]) -> None:
    results = [read_fully(tree).result, read_fully(tree, seals=False).result]
    everything = reduce_project(parsed_scans(tree), assignment_of(tree), OPTIONS)

    for result in results:
        assert documents(result) == documents(everything)
        assert result.diagnostics == everything.diagnostics
        assert class_documents(result) == class_documents(everything)


def test_only_those_records_are_opened_that_models_may_reach() -> None:
    tree = {
        "a/src/m.ts": b"import { Ben } from '@acme/b'; @smrt() class Ada extends Ben {}",
        "a/src/n.ts": b"class Cy {}",
        "b/src/index.ts": b"export class Ben { kind: Kind = 'x' } export type Kind = 'x' | 'y'",
        "c/src/m.ts": b"class Dot extends Eve { constructor( }",
        "c/src/n.ts": b"export class Eve {}",
    }
    less = read_fully(tree)

    assert less.parsed == {"a/src/n.ts", "b/src/index.ts"}
    assert [len(item.classes) for item in less.result.packages] == [1, 0, 0]
    assert [remark.file_path for remark in less.result.diagnostics] == ["c/src/m.ts"]


def test_a_chain_over_many_files_is_followed_both_ways() -> None:
    tree = {
        "a/src/root.ts": b"class C0 extends SmrtObject { x: Kind }",
        "a/src/kind.ts": b"type Kind = string",
    }
    for number in range(1, 9):
        tree[f"a/src/c{number}.ts"] = f"class C{number} extends C{number - 1} {{}}".encode()
    tree["a/src/top.ts"] = b"@smrt() class Top extends P0 { y: Later }"
    for number in range(8):
        tree[f"a/src/p{number}.ts"] = f"class P{number} extends P{number + 1} {{}}".encode()
    tree["a/src/later.ts"] = b"enum Later { A = 'a' }"
    tree |= {f"a/src/n{number}.ts": b"export class Nothing {}" for number in range(20)}
    less = assert_equal_depths(tree)

    assert len(less.result.packages[0].classes) == 10
    assert less.parsed == {path for path in tree if "/n" not in path}


def test_a_package_without_models_is_not_looked_at_again() -> None:
    tree = {
        "a/src/m.ts": b"@smrt() class Ada {}",
        "b/src/m.ts": b"class Ada {}",
        "b/src/n.ts": b"type Kind = 1",
    }
    less = assert_equal_depths(tree)

    assert less.parsed == {"a/src/m.ts"}


@pytest.mark.parametrize("folder", ["classes-fields", "methods-types", "manifest", "decorator-config"])
def test_parity_sources_among_each_other_give_the_same_at_both_depths(folder: str) -> None:
    cases = source_cases(folder)
    for start in range(0, len(cases), 6):
        assert_equal_depths({f"a/src/{case.name}": case.read_bytes() for case in cases[start : start + 6]})


def names_of(scan: FileScan) -> tuple[set[str], set[str]]:
    return {raw.class_name for raw in scan.classes}, set(scan.type_aliases)


@settings(max_examples=300, deadline=None)
@given(SOURCES, st.sampled_from(["m.ts", "m.tsx", "m.js"]))
def test_whatever_a_source_declares_is_among_the_names_that_its_bytes_show(source: bytes, name: str) -> None:
    classes, aliases = names_of(parse_source(source, name))
    shown = declared_names(source, dialect_of_path(name))

    assert shown.is_opaque or (classes <= set(shown.classes) and aliases <= set(shown.aliases))
    assert may_declare_records(source) or not (classes or aliases)


@settings(max_examples=300, deadline=None)
@given(SOURCES, st.sampled_from(["m.ts", "m.tsx", "m.js"]))
def test_whatever_a_source_gives_on_shows_in_its_bytes(source: bytes, name: str) -> None:
    scan, shown = parse_source(source, name), declared_names(source, dialect_of_path(name))

    assert shown.is_opaque or shown.exports_others or not scan.exports
    assert shown.is_opaque or set(scan.renamed_exports()) <= {"default"}


@settings(max_examples=400, deadline=None)
@given(SOURCES)
@example(b"export * from\n  // 'prose'\n  '@acme/a'")
@example(b"export * from/* one */// two \xe2\x80\xa8\n'@acme/a'")
@example(b'export * from "@acme/\\x61"')
@example(b"export * from /*" + b" long" * 1000 + b"*/ '@acme/a'")
def test_whatever_a_source_takes_classes_from_shows_in_its_leads(source: bytes) -> None:
    scan, leads = parse_source(source, "m.ts"), leads_of(source)
    extends = any(raw.extends_clause for raw in scan.classes)
    taken = {binding.module for binding in scan.imports if extends or scan.exports}
    taken |= {export.module for export in scan.exports if export.module is not None}

    assert leads == (ANY_MODULE,) or {module for module in taken if not stays_below(module)} <= set(leads)


def test_prose_leads_nowhere() -> None:
    sources = (
        b"export * from '@acme/a'; // what comes from /usr/lib",
        b"export * from '@acme/a'; // comes from\n  // that other place",
        b"export * from '@acme/a'; /* comes from C:\\here */",
    )
    assert {leads_of(source) for source in sources} == {("@acme/a",)}


def test_only_those_files_behind_a_barrel_are_parsed_that_may_have_what_is_imported() -> None:
    tree = {
        "a/src/m.ts": b"import { Ada } from './index'; @smrt() class Eve extends Ada {}",
        "a/src/index.ts": b"export * from './ben'; export * from './more'; export * from './cy';",
        "a/src/ben.ts": b"export class Ben {}",
        "a/src/more/index.ts": b"export * from './ada';",
        "a/src/more/ada.ts": b"export class Ada {}",
        "a/src/cy.ts": b"export class Cy {}",
    }
    less = assert_equal_depths(tree)

    assert less.parsed == {f"a/src/{name}.ts" for name in ("m", "index", "more/index", "more/ada")}
    assert less.result.packages[0].classes[0].inheritance_chain == ("Ada", "Eve")


def spelled_byte_by_byte(word: str) -> st.SearchStrategy[str]:
    def spellings(character: str) -> st.SearchStrategy[str]:
        code = ord(character)
        coded = [f"\\u{code:04x}", f"\\u{{{code:X}}}", f"\\x{code:02X}", f"\\{code:o}"]
        itself = [f"\\{character}"] if character not in "rt" else []
        return st.sampled_from(
            [character, character, *coded, *itself, f"\\\n{character}", f"\\\u2028{character}"]
        )

    return st.tuples(*map(spellings, word)).map("".join)


@settings(max_examples=500)
@given(spelled_byte_by_byte("smrt") | spelled_byte_by_byte("Smrt"))
def test_smrt_is_found_however_it_is_spelled(word: str) -> None:
    assert mentions_smrt(f"import x from '@happyvertical/{word}-core'".encode())


@pytest.mark.parametrize(
    "text", ["const part = /[\\s\\S]*/", "'\\u0041 \\n\\r\\t'", "martial smart", "s\\\\mart"]
)
def test_what_does_not_spell_smrt_is_held_back(text: str) -> None:
    assert not mentions_smrt(text.encode())


def test_remarks_about_bytes_are_made_whether_or_not_a_source_is_parsed() -> None:
    for reading in Reading:
        for data in (b"\0\xff", b"// \xff", b"let a = '\0'"):
            found = sift_bytes(data, "a.ts", FileRole.CLASSES, reading)
            codes = [remark.code for remark in (found.scan.errors if found.scan else ())]
            assert codes == [remark.code for remark in scan_bytes(data, "a.ts").errors]
