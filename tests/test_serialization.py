"""Values become JSON in one way, also those that JSON does not have."""

from __future__ import annotations

import json
import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.file_scan import parse_source
from scanner.js.values import UNDEFINED, BigInt, RegExp, in_key_order, is_array_index
from scanner.serialization import encode_document, encode_line, to_json


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (BigInt(10), '"10n"'),
        (RegExp("/a/g"), '"/a/g"'),
        (math.nan, "null"),
        (-math.inf, "null"),
        (-0.0, "0"),
        (5.0, "5"),
        (2.0**53, "9007199254740992"),
        (1e300, "1e+300"),
        ([UNDEFINED, None], "[null,null]"),
        ({"a": UNDEFINED, "b": 1.5}, '{"b":1.5}'),
        ("\ud83d", '"\\ud83d"'),
        ({"\udcff": "é\udc80"}, '{"\\udcff":"é\\udc80"}'),
    ],
)
def test_a_value_has_one_form(value: object, text: str) -> None:
    assert encode_line(to_json(value)) == f"{text}\n".encode()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(json_values)
def test_documents_and_lines_read_back_as_they_were(value: object) -> None:
    assert json.loads(encode_line(value)) == value
    assert json.loads(encode_document(value)) == value
    assert encode_line(value).count(b"\n") == 1


def test_an_object_without_a_json_form_is_refused() -> None:
    with pytest.raises(TypeError, match="set has no JSON form"):
        to_json({1, 2})


@given(
    st.dictionaries(st.from_regex(r"[0-9]{1,3}|[a-c]{1,2}|-1|1\.5", fullmatch=True), st.floats(), max_size=6)
)
def test_integer_keys_come_first_in_order(entries: dict[str, float]) -> None:
    keys = list(in_key_order(entries))
    indices = [key for key in keys if is_array_index(key)]

    assert keys == sorted(indices, key=int) + [key for key in entries if not is_array_index(key)]


def test_a_file_record_survives_pickling() -> None:
    source = """
        import { field as f } from './x';
        type T = 'a' | 'b';
        @smrt({ a: undefined, b: 10n, c: /x/ })
        export default class M<T> extends SmrtObject { @field({ d: undefined }) x: T[] = []; static uiSlots = [1n];
          @method({ k: call() }) run(a: { b: string } = {}) {} }
    """
    scan = parse_source(source, "m.ts")

    assert pickle.loads(pickle.dumps(scan)) == scan
    assert pickle.loads(pickle.dumps(scan)).classes[0].decorator_config["a"] is UNDEFINED
