"""Records as bytes and back, for the cache of results: file scans above all.

The cache lies where other programs can write, so its format must not be able to run anything: plain JSON, turned into
records by decoders that are derived once from the record types themselves. A field added to a record is therefore part
of the format at once; a field of a type that no rule covers is refused when this module is used first.

Contract: ``decode_scan(encode_scan(scan)) == scan``, with -0.0, NaN, infinities, ``undefined``, bigints, regular
expressions, key order and lone surrogates kept. Anything else than the output of :func:`encode_scan` raises
:class:`CodecError` or gives some record; telling damaged bytes from good ones is the caller's job (a checksum).
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import orjson

from scanner.js.values import UNDEFINED, BigInt, RegExp, Undefined
from scanner.plain_records import field_names, is_record_type
from scanner.records import FileRole, FileScan
from scanner.serialization import JsonValue
from scanner.type_expressions import TypeExpression, TypeKind

_PLAIN: Final = b"o"
_SURROGATES: Final = b"s"
_LIST, _BIGINT, _REGEXP, _UNDEFINED, _SPECIAL_NUMBER = range(5)
_DAMAGE: Final = (
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    OverflowError,
    RecursionError,
)
_RecordT = TypeVar("_RecordT")


class CodecError(ValueError):
    """A record cannot be written, or bytes are no such record."""


class _JsMarker:
    """Stands for ``JsValue`` where type hints are looked up: that alias is recursive and only a string."""


@dataclass(frozen=True, slots=True)
class _Codec:
    """How values of one type become JSON data and come back; None where they are JSON data already."""

    encode: Callable[[Any], Any] | None = None
    decode: Callable[[Any], Any] | None = None


def encode_scan(scan: FileScan) -> bytes:
    """Return a scan as bytes; none at all for a file that contributes nothing.

    Raises:
        CodecError: The scan holds something that has no place in it, or is nested too deeply.
    """
    if scan == FileScan(scan.file_path, scan.role):
        return b""
    return encode_record(scan)


def encode_record(record: Any) -> bytes:
    """Return a record as bytes.

    Raises:
        CodecError: It holds something that has no place in the cache, or is nested too deeply.
    """
    kind: Any = type(record)
    try:
        row = _encoder(kind)(record)
        try:
            return _PLAIN + orjson.dumps(row)
        except TypeError:
            # orjson takes no lone surrogates. Writing them unescaped keeps the halves of a pair apart.
            text = json.dumps(row, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
            return _SURROGATES + text.encode("utf-8", "surrogatepass")
    except _DAMAGE as error:
        raise CodecError(f"A {type(record).__name__} cannot be written: {error}") from error


def decode_scan(data: bytes, file_path: str, role: FileRole) -> FileScan:
    """Return the scan of a file that :func:`encode_scan` wrote.

    Args:
        data: What it wrote.
        file_path: The path that the scan records.
        role: What the file was read for.

    Raises:
        CodecError: The bytes are no scan, or one of another file or role.
    """
    if not data:
        return FileScan(file_path, role)
    scan = decode_record(data, FileScan)
    if scan.file_path != file_path or scan.role is not role:
        raise CodecError(f"These bytes are no scan of {file_path!r}")
    return scan


def decode_record(data: bytes, record_type: type[_RecordT]) -> _RecordT:
    """Return the record of a type that :func:`encode_record` wrote.

    Raises:
        CodecError: The bytes are no such record.
    """
    kind: Any = record_type
    try:
        if data[:1] == _PLAIN:
            row = orjson.loads(data[1:])
        else:
            row = json.loads(data[1:].decode("utf-8", "surrogatepass"))
        record = _decoder(kind)(row)
    except _DAMAGE as error:
        raise CodecError(f"These bytes are no {record_type.__name__}: {error}") from error
    if not isinstance(record, record_type):
        raise CodecError(f"These bytes are no {record_type.__name__}")
    return record


@cache
def _encoder(record_type: type[Any]) -> Callable[[Any], Any]:
    return _codec_of_record(record_type).encode or _same


@cache
def _decoder(record_type: type[Any]) -> Callable[[Any], Any]:
    return _codec_of_record(record_type).decode or _same


def _same(value: Any) -> Any:
    return value


def _codec_of(hint: Any) -> _Codec:
    """Return the codec of a field type, or refuse a type that no rule covers."""
    origin = get_origin(hint)
    if hint in (str, bool, int, NoneType) or origin is Literal:
        return _Codec()
    if hint is float:
        return _Codec(_encode_float, _decode_float)
    if hint is _JsMarker:
        return _Codec(_encode_js, _decode_js)
    if hint is TypeExpression:
        return _Codec(_encode_type, _decode_type)
    if origin is tuple:
        return _codec_of_tuple(get_args(hint))
    if origin is not None and isinstance(origin, type) and issubclass(origin, Mapping):
        return _codec_of_mapping(get_args(hint))
    if origin in (Union, UnionType):
        return _codec_of_union(get_args(hint))
    if isinstance(hint, type) and issubclass(hint, Enum):
        members: dict[Any, Any] = {member.value: member for member in hint}
        return _Codec(_encode_enum, members.__getitem__)
    if isinstance(hint, type) and is_record_type(hint):
        return _codec_of_record(hint)
    raise TypeError(f"The cache cannot hold fields of the type {hint!r}")


def _codec_of_tuple(arguments: tuple[Any, ...]) -> _Codec:
    if arguments[1:] != (...,):
        raise TypeError("The cache holds tuples of any length alone")
    item = _codec_of(arguments[0])
    encode, decode = item.encode, item.decode
    return _Codec(
        list if encode is None else lambda values: [encode(value) for value in values],
        tuple if decode is None else lambda values: tuple([decode(value) for value in values]),
    )


def _codec_of_mapping(arguments: tuple[Any, ...]) -> _Codec:
    if arguments[0] is not str:
        raise TypeError("The cache holds mappings of strings alone")
    item = _codec_of(arguments[1])
    encode, decode = item.encode or _same, item.decode or _same
    return _Codec(
        lambda entries: {key: encode(value) for key, value in entries.items()},
        lambda entries: {key: decode(value) for key, value in entries.items()},
    )


def _codec_of_union(branches: tuple[Any, ...]) -> _Codec:
    """Return the codec of a union: None stays null, and of several record types the row says which it is."""
    others = tuple(branch for branch in branches if branch is not NoneType)
    codec = _codec_of(others[0]) if len(others) == 1 else _codec_of_choice(others)
    encode, decode = codec.encode, codec.decode
    return _Codec(
        encode and (lambda value: None if value is None else encode(value)),
        decode and (lambda value: None if value is None else decode(value)),
    )


def _codec_of_choice(branches: tuple[Any, ...]) -> _Codec:
    if not all(is_record_type(branch) for branch in branches):
        raise TypeError(f"The cache cannot tell these types apart: {branches!r}")
    numbers = {branch: number for number, branch in enumerate(branches)}
    encoders = [_encoder(branch) for branch in branches]
    decoders = [_decoder(branch) for branch in branches]

    def encode(value: Any) -> list[Any]:
        number = numbers[type(value)]
        return [number, encoders[number](value)]

    return _Codec(encode, lambda row: decoders[row[0]](row[1]))


def _codec_of_record(record_type: type[Any]) -> _Codec:
    """Return the codec of a record: a list of its fields' values, those left out that no caller can set."""
    hints = get_type_hints(record_type, localns={"JsValue": _JsMarker})
    names = field_names(record_type)
    codecs = [_codec_of(hints[name]) for name in names]
    encoders = [(name, codec.encode) for name, codec in zip(names, codecs, strict=True)]
    decoders = [(index, codec.decode) for index, codec in enumerate(codecs) if codec.decode is not None]
    length = len(names)

    def encode(record: Any) -> list[Any]:
        if type(record) is not record_type:
            raise TypeError(f"{record!r} is no {record_type.__name__}")
        return [
            getattr(record, name) if encode is None else encode(getattr(record, name))
            for name, encode in encoders
        ]

    def decode(row: Any) -> Any:
        if type(row) is not list or len(row) != length:
            raise ValueError(f"no {record_type.__name__}")
        for index, decode in decoders:
            row[index] = decode(row[index])  # the row is ours alone, fresh from the JSON parser
        return record_type(*row)

    return _Codec(encode, decode)


def _encode_enum(value: Enum) -> Any:
    return value.value


_KINDS: Final = {kind.value: kind for kind in TypeKind}


def _encode_type(value: TypeExpression) -> list[Any]:
    # Parts follow in the same list: half the nesting, which the JSON library limits.
    return [value.kind.value, value.word, *[_encode_type(part) for part in value.parts]]


def _decode_type(row: list[Any]) -> TypeExpression:
    if len(row) == 2:  # noqa: PLR2004 -- kind and word: the common case
        return TypeExpression(_KINDS[row[0]], row[1])
    return TypeExpression(_KINDS[row[0]], row[1], tuple([_decode_type(part) for part in row[2:]]))


def _encode_float(value: float) -> float | str:
    return value if math.isfinite(value) else repr(value)


def _decode_float(value: float | str) -> float:
    return float(value) if isinstance(value, str) else value


def _encode_js(value: Any) -> JsonValue:
    """Return a JavaScript value as JSON data; whatever JSON lacks, and lists, start with a number that says so."""
    if value is None or value is True or value is False or type(value) is str:
        return value
    if type(value) is float:
        return value if math.isfinite(value) else [_SPECIAL_NUMBER, repr(value)]
    if type(value) is dict:
        return {key: _encode_js(item) for key, item in value.items()}
    if type(value) is list:
        return [_LIST, *[_encode_js(item) for item in value]]
    if value is UNDEFINED:
        return [_UNDEFINED]
    if type(value) is BigInt:
        return [_BIGINT, hex(value.value)]  # decimal digits are limited in number, hexadecimal ones are not
    if type(value) is RegExp:
        return [_REGEXP, value.source]
    raise TypeError(f"{type(value).__name__} is no JavaScript value")


def _decode_js(value: Any) -> Any:
    if type(value) is dict:
        return {key: _decode_js(item) for key, item in value.items()}
    if type(value) is not list:
        return value
    if value[0] == _LIST:
        return [_decode_js(item) for item in value[1:]]
    return _decode_special(value)


def _decode_special(value: list[Any]) -> Undefined | BigInt | RegExp | float:
    match value:
        case [tag, str(digits)] if tag == _BIGINT:
            return BigInt(int(digits, 16))
        case [tag, str(source)] if tag == _REGEXP:
            return RegExp(source)
        case [tag] if tag == _UNDEFINED:
            return UNDEFINED
        case [tag, str(number)] if tag == _SPECIAL_NUMBER:
            return float(number)
    raise ValueError("no JavaScript value")
