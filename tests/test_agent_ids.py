"""Ids and wire names agree with agent-surface core, example by example, and keep its laws."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.agent_ids import (
    CapabilityId,
    DuplicateCapabilityError,
    Plane,
    assign_wire_names,
    decode_wire_name,
    encode_wire_name,
    encode_wire_name_for_instance,
    hash36,
    is_component_type,
    is_instance_id,
    is_strict_domain_path,
    parse_capability_id,
    parse_strict_capability_id,
    wire_names,
)
from scanner.agent_ids.code_units import first_units, shortened, unit_length

EXAMPLES: dict[str, Any] = json.loads((Path(__file__).parent / "data/agent_ids.json").read_text("utf-8"))
LONG = "view:aaaaaaaaaa.bbbbbbbbbb.cccccccccc.dddddddddd.eeeeeeeeee."

segments = st.from_regex(r"[a-z][a-z0-9-]{0,9}", fullmatch=True)
view_ids = st.builds(
    lambda parts, name: f"view:{'.'.join(parts)}.{name}",
    st.lists(segments, min_size=1, max_size=6),
    st.from_regex(r"[a-z][A-Za-z0-9]{0,12}", fullmatch=True),
)
opaque_ids = st.text(st.sampled_from("ab_.:/0#è😀"), min_size=1, max_size=40).map("domain:{}".format)
ids = view_ids | opaque_ids
instances = st.none() | st.text(st.sampled_from("a_-0"), max_size=40)
entries = st.lists(
    st.tuples(ids, instances), max_size=12, unique_by=lambda entry: f"{entry[0]}#{entry[1] or ''}"
)


@pytest.mark.parametrize("row", EXAMPLES["wireNames"], ids=lambda row: f"{row['name']}@{row['level']}")
def test_examples_of_wire_names(row: dict[str, Any]) -> None:
    name = encode_wire_name_for_instance(row["id"], row["instance"], row["level"])

    assert name == row["name"]
    assert unit_length(name) == row["length"]
    assert (decode_wire_name(name) == row["id"]) is row["decodesBack"]
    if not row["decodesBack"]:
        assert decode_wire_name(name) is None


@pytest.mark.parametrize("row", EXAMPLES["hashes"], ids=lambda row: f"{row['text']}-{row['length']}")
def test_examples_of_hashes(row: dict[str, Any]) -> None:
    assert hash36(row["text"], row["length"]) == row["hash"]


def test_the_examples_are_all_there() -> None:
    assert (len(EXAMPLES["wireNames"]), len(EXAMPLES["hashes"])) == (30, 9)


@pytest.mark.parametrize(
    "text",
    ["view:a.b", "view:a-.b", "view:a--b.c", "domain:x", "domain:a/b", "domain:a..b", "domain:a b:c_è"],
)
def test_ids_that_parse(text: str) -> None:
    assert str(parse_capability_id(text)) == text


@pytest.mark.parametrize(
    "value",
    [
        *("view:a", "view:a.B", "view:A.b", "view:a.1b", "view:a.b_c", "view:a:b.c", "domain:", "VIEW:a.b"),
        *("view:.b", "view:a..b", "view:a.b\n", "view:-a.b", "meta:surface.read", "a.b", "", "Domain:x"),
        *(None, 7, ["view:a.b"], b"view:a.b"),
    ],
)
def test_values_that_are_no_ids(value: object) -> None:
    assert parse_capability_id(value) is None


def test_an_id_has_at_most_128_code_units() -> None:
    assert parse_capability_id("domain:" + "x" * 121) is not None
    assert parse_capability_id("domain:" + "x" * 122) is None
    assert parse_capability_id("domain:" + "😀" * 60) is not None
    assert parse_capability_id("domain:" + "😀" * 61) is None


def test_the_parts_of_an_id() -> None:
    assert parse_capability_id("view:a.b-c.d") == CapabilityId(Plane.VIEW, "a.b-c", "d")
    assert parse_capability_id("domain:a.b") == CapabilityId(Plane.DOMAIN, None, "a.b")


def test_component_types_and_instances() -> None:
    assert is_component_type("a.b-2.c--")
    assert is_component_type("a" * 128)
    assert not any(map(is_component_type, ["", "a.", ".a", "a_b", "A", "a\n", "a" * 129]))
    assert is_instance_id("A-z_0" + "9" * 123)
    assert not any(map(is_instance_id, ["", "a.b", "a b", "é", "a\n", "a" * 129]))


@pytest.mark.parametrize("path", ["a/b", "a_b", "a:b", "caffè", "a..b", ".a", "a.", "a.0.b", "-a", "a\n", ""])
def test_strict_domain_paths_hold_nothing_that_a_name_cannot(path: str) -> None:
    assert not is_strict_domain_path(path)
    assert parse_strict_capability_id(f"domain:{path}") is None


def test_strict_ids_are_ids() -> None:
    assert is_strict_domain_path("UserService.findById-2")
    assert parse_strict_capability_id("domain:query.lookup") == parse_capability_id("domain:query.lookup")
    assert parse_strict_capability_id("view:a.b") == parse_capability_id("view:a.b")
    assert parse_strict_capability_id("view:a") is None


@pytest.mark.parametrize(
    "name",
    [
        *(
            "view_a__b_at_c",
            "view_a___b",
            "domain_at____x__a",
            "domain___at__",
            "domain_a__",
            "view_a",
            "view_a__B",
        ),
        *("views_a__b", "_view_a__b", "view", "", "domain_", "domain_" + "x" * 58),
    ],
)
def test_names_that_do_not_decode(name: str) -> None:
    assert decode_wire_name(name) is None


def test_the_longest_name_that_decodes() -> None:
    assert decode_wire_name("domain_" + "x" * 57) == "domain:" + "x" * 57


def test_names_that_collide_are_told_apart_in_either_order() -> None:
    pair = [(f"{LONG}cap8596", None), (f"{LONG}cap2709660", None)]
    escalated = [
        row["name"] for row in EXAMPLES["wireNames"] if row["level"] == 1 and row["id"].startswith(LONG)
    ]

    assert list(assign_wire_names(pair).names) == escalated
    assert list(assign_wire_names(pair[::-1]).names) == escalated[::-1]


def test_bystanders_of_a_collision_keep_their_names() -> None:
    assigned = assign_wire_names([(f"{LONG}cap8596", None), ("view:a.b", "x"), (f"{LONG}cap2709660", None)])

    assert assigned.names[1] == "view_a__b_at_x"
    assert assigned.ids["view_a__b_at_x"] == "view:a.b"


def test_names_that_no_hash_tells_apart_get_a_rank(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire_names, "hash36", lambda _text, length: "0" * length)
    of_rank = [f"{LONG}{letter}" for letter in ("b", "a", "c")]
    names = assign_wire_names([(item, None) for item in of_rank]).names

    assert [name[-4:] for name in names] == ["_0_1", "_0_0", "_0_2"]
    assert {len(name) for name in names} == {64}


@pytest.mark.parametrize("twice", [("domain:a", None), ("domain:a", "x")])
def test_duplicates_are_refused(twice: tuple[str, str | None]) -> None:
    with pytest.raises(DuplicateCapabilityError, match="'domain:a'"):
        assign_wire_names([("domain:b", None), twice, twice])


def test_no_instance_and_an_empty_one_are_the_same() -> None:
    with pytest.raises(DuplicateCapabilityError):
        assign_wire_names([("domain:a", None), ("domain:a", "")])


@given(ids, instances, st.integers(0, 3))
def test_names_have_at_most_64_code_units(capability_id: str, instance: str | None, level: int) -> None:
    assert unit_length(encode_wire_name_for_instance(capability_id, instance, level)) <= 64


@given(ids)
def test_what_decodes_is_what_was_encoded(capability_id: str) -> None:
    assert decode_wire_name(encode_wire_name(capability_id)) in {None, capability_id}


@given(view_ids)
def test_plain_names_decode_back(capability_id: str) -> None:
    raw_length = len(capability_id) + capability_id.count(".")

    assert (decode_wire_name(encode_wire_name(capability_id)) == capability_id) is (raw_length <= 64)


@given(ids, instances.filter(bool))
def test_names_of_instances_never_decode(capability_id: str, instance: str | None) -> None:
    assert decode_wire_name(encode_wire_name_for_instance(capability_id, instance)) is None


@given(st.text(st.sampled_from("viewdoman_aB0"), max_size=70).map("domain_{}".format) | st.text())
def test_a_decoded_name_encodes_back(name: str) -> None:
    found = decode_wire_name(name)

    assert found is None or encode_wire_name(found) == name


@given(entries, st.randoms())
def test_assigned_names_depend_on_the_set_alone(chosen: list[tuple[str, str | None]], random: Any) -> None:
    names = dict(zip(chosen, assign_wire_names(chosen).names, strict=True))
    shuffled = random.sample(chosen, len(chosen))

    assert dict(zip(shuffled, assign_wire_names(shuffled).names, strict=True)) == names
    assert len(set(names.values())) == len(chosen)


@given(st.text(), st.integers(0, 30), st.integers(0, 30))
def test_longer_hashes_begin_like_shorter_ones(text: str, one: int, other: int) -> None:
    short, long = sorted((one, other))

    assert hash36(text, long)[:short] == hash36(text, short)
    assert len(hash36(text, long)) == long


@given(st.text(), st.integers(1, 20))
def test_cutting_counts_code_units(text: str, count: int) -> None:
    assert unit_length(first_units(text, count)) == min(count, unit_length(text))
    assert unit_length(shortened(text, count)) <= count
    assert (shortened(text, count) == text) is (unit_length(text) <= count)


def test_cutting_for_readers_leaves_no_half_of_a_pair() -> None:
    assert shortened("a😀b", 3) == "a…"
    assert first_units("a😀", 2) == "a\ud83d"


def test_the_level_tells_names_of_one_id_apart() -> None:
    names = [encode_wire_name_for_instance(f"{LONG}x", None, level) for level in range(4)]

    assert all(one != other for one, other in itertools.combinations(names, 2))
