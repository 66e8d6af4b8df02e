"""Merging surfaces: who stays, what is said about the others, and that order and grouping do not matter."""

from __future__ import annotations

from collections import Counter
from itertools import count, pairwise

from hypothesis import given
from hypothesis import strategies as st

from scanner.surface.identity import tool_name
from scanner.surface.merge import merge_agent_surfaces
from scanner.surface.records import (
    AgentSurface,
    Capability,
    Helper,
    Intent,
    IntentStep,
    Plane,
    Playbook,
    StepFailure,
    SurfaceDiagnostic,
)

ASTRAL, PRIVATE_USE = "\N{GRINNING FACE}", "\ue000"


def intent(identifier: str, path: str, line: int = 1) -> Intent:
    return Intent(
        id=identifier,
        description=f"{path}:{line}",
        capability=Capability(),
        target={"registry": "control", "action": "focus"},
        has_input_schema=False,
        file_path=path,
        line=line,
        column=1,
    )


def playbook(key: str, path: str, line: int = 1) -> Playbook:
    return Playbook(
        key=key,
        title="t",
        description=f"{path}:{line}",
        steps=(IntentStep("a.b"),),
        planes=(Plane.BROWSER,),
        planes_declared=False,
        on_step_failure=StepFailure.ABORT,
        enabled=True,
        file_path=path,
        line=line,
        column=1,
    )


def remark(path: str, line: int) -> SurfaceDiagnostic:
    return SurfaceDiagnostic("argument-count", Helper.INTENT, path, line, 1, "It has two arguments.")


IDS = st.sampled_from(["a.b", "a.b.c", "a.b_c", "a.b.c.d", "a.b_c_d", "a.b_c.d", "z.z"])
KEYS = st.sampled_from(["a.b", "a_b", ASTRAL, PRIVATE_USE])
PATHS = ["a.ts", "B.ts", "a/b.ts", "a-b.ts", f"{ASTRAL}.ts", f"{PRIVATE_USE}.ts"]


@st.composite
def surface_of_file(draw: st.DrawFn, path: str) -> AgentSurface:
    """A source's surface: its entries in source order, each on a line of its own."""
    lines = count(1)
    intents = [intent(identifier, path, next(lines)) for identifier in draw(st.lists(IDS, max_size=4))]
    playbooks = [playbook(key, path, next(lines)) for key in draw(st.lists(KEYS, max_size=2))]
    remarks = [remark(path, next(lines)) for _ in range(draw(st.integers(0, 2)))]
    return AgentSurface(tuple(intents), tuple(playbooks), tuple(remarks))


@st.composite
def surfaces_of_files(draw: st.DrawFn) -> list[AgentSurface]:
    """The surfaces of some files, in any order."""
    paths = draw(st.lists(st.sampled_from(PATHS), unique=True))
    return [draw(surface_of_file(path)) for path in paths]


@st.composite
def groupings(draw: st.DrawFn) -> tuple[list[AgentSurface], list[list[AgentSurface]]]:
    """The same surfaces as one list, and shuffled and cut into groups."""
    surfaces = draw(surfaces_of_files())
    shuffled = draw(st.permutations(surfaces))
    cuts = sorted(draw(st.sets(st.integers(0, len(shuffled)))) | {0, len(shuffled)})
    return surfaces, [list(shuffled[start:end]) for start, end in pairwise(cuts)]


def unmerged(surfaces: list[AgentSurface]) -> AgentSurface:
    """Put surfaces together without weighing anything."""
    return AgentSurface(
        tuple(entry for surface in surfaces for entry in surface.intents),
        tuple(entry for surface in surfaces for entry in surface.playbooks),
        tuple(entry for surface in surfaces for entry in surface.diagnostics),
    )


@given(groupings())
def test_order_and_grouping_of_files_do_not_matter(
    case: tuple[list[AgentSurface], list[list[AgentSurface]]],
) -> None:
    surfaces, groups = case
    whole = merge_agent_surfaces(surfaces)

    assert merge_agent_surfaces(surface for group in groups for surface in group) == whole
    assert merge_agent_surfaces(unmerged(group) for group in groups) == whole


@given(groupings())
def test_merging_merged_parts_is_merging_the_whole(
    case: tuple[list[AgentSurface], list[list[AgentSurface]]],
) -> None:
    surfaces, groups = case
    whole = merge_agent_surfaces(surfaces)

    assert merge_agent_surfaces(merge_agent_surfaces(group) for group in groups) == whole
    assert merge_agent_surfaces([whole]) == whole


@given(surfaces_of_files())
def test_every_entry_stays_or_becomes_a_remark(surfaces: list[AgentSurface]) -> None:
    given_surface, merged = unmerged(surfaces), merge_agent_surfaces(surfaces)
    superseded = [
        diagnostic.superseded for diagnostic in merged.diagnostics if diagnostic.superseded is not None
    ]

    def places(entries: list[Intent | Playbook]) -> Counter[tuple[str, int]]:
        return Counter((entry.file_path, entry.line) for entry in entries)

    assert places([*merged.intents, *merged.playbooks, *superseded]) == places(
        [*given_surface.intents, *given_surface.playbooks]
    )
    others = [diagnostic for diagnostic in merged.diagnostics if diagnostic.superseded is None]
    assert Counter(others) == Counter(given_surface.diagnostics)


@given(surfaces_of_files())
def test_the_smallest_path_then_the_smallest_identity_then_the_first_call_stays(
    surfaces: list[AgentSurface],
) -> None:
    entries, merged = unmerged(surfaces), merge_agent_surfaces(surfaces)

    def rank(entry: Intent | Playbook) -> tuple[bytes, bytes, int]:
        return (entry.file_path.encode("utf-16-be"), entry.identity.encode("utf-16-be"), entry.line)

    for kept in merged.intents:
        assert kept == min((e for e in entries.intents if tool_name(e.id) == tool_name(kept.id)), key=rank)
    for book in merged.playbooks:
        assert book == min((e for e in entries.playbooks if e.key == book.key), key=rank)
    assert len({tool_name(entry.id) for entry in merged.intents}) == len(merged.intents)
    assert len({entry.key for entry in merged.playbooks}) == len(merged.playbooks)


@given(surfaces_of_files())
def test_a_merged_surface_is_sorted_as_javascript_sorts(surfaces: list[AgentSurface]) -> None:
    merged = merge_agent_surfaces(surfaces)

    ids = [entry.id.encode("utf-16-be") for entry in merged.intents]
    keys = [entry.key.encode("utf-16-be") for entry in merged.playbooks]
    places = [
        (d.file_path.encode("utf-16-be"), d.line or 0, d.column or 0, d.code) for d in merged.diagnostics
    ]
    assert (ids, keys, places) == (sorted(ids), sorted(keys), sorted(places))


def test_surrogates_sort_before_private_use() -> None:
    merged = merge_agent_surfaces(
        [AgentSurface(playbooks=(playbook(PRIVATE_USE, "a.ts"), playbook(ASTRAL, "a.ts")))]
    )

    assert [entry.key for entry in merged.playbooks] == [ASTRAL, PRIVATE_USE]


def test_a_duplicate_has_no_place_and_names_both() -> None:
    surface = AgentSurface(intents=(intent("a.b", "b.ts", 7), intent("a.b", "a.ts", 5)))

    (diagnostic,) = merge_agent_surfaces([surface]).diagnostics

    assert (diagnostic.code, diagnostic.file_path, diagnostic.line, diagnostic.column) == (
        "duplicate-identity",
        "b.ts",
        None,
        None,
    )
    for part in ('"a.b"', "line 7", "a.ts, line 5", "useWebMcpTool"):
        assert part in diagnostic.message


def test_a_duplicate_of_a_merged_part_is_weighed_again() -> None:
    part = merge_agent_surfaces([AgentSurface(intents=(intent("a.b", "b.ts"), intent("a.b", "c.ts")))])

    merged = merge_agent_surfaces([part, AgentSurface(intents=(intent("a.b", "a.ts"),))])

    assert [(d.file_path, "a.ts, line 1" in d.message) for d in merged.diagnostics] == [
        ("b.ts", True),
        ("c.ts", True),
    ]


def test_ids_that_make_one_tool_name_cannot_both_stay() -> None:
    surface = AgentSurface(intents=(intent("a.b_c", "a.ts"), intent("a.b.c", "b.ts")))

    merged = merge_agent_surfaces([surface])

    assert [entry.id for entry in merged.intents] == ["a.b_c"]
    assert "`a_b_c`" in merged.diagnostics[0].message
    assert '"a.b_c" in a.ts, line 1' in merged.diagnostics[0].message


def test_a_playbook_may_have_the_name_of_an_intent() -> None:
    surface = AgentSurface((intent("a.b", "a.ts"),), (playbook("a.b", "a.ts"), playbook("a_b", "a.ts")))

    assert merge_agent_surfaces([surface]).diagnostics == ()


def test_a_remark_read_back_without_its_entry_is_kept() -> None:
    foreign = SurfaceDiagnostic("duplicate-identity", Helper.INTENT, "a.ts", None, None, "From elsewhere.")

    assert merge_agent_surfaces([AgentSurface(diagnostics=(foreign,))]).diagnostics == (foreign,)


def test_nothing_merges_to_nothing() -> None:
    assert merge_agent_surfaces([]) == merge_agent_surfaces([AgentSurface()]) == AgentSurface()
