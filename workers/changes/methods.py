"""What changed in a method of a model: its signature and who may call it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from workers.changes.judgement import (
    SAME_MEANING,
    UNKNOWN,
    AspectChange,
    Judgement,
    Rule,
    always,
    breaking,
    compatible,
    cosmetic,
    is_plain,
    presence,
)
from workers.changes.records import ABSENT, Exposure
from workers.changes.type_names import Width, compare_types, is_promise
from workers.changes.values import as_mapping, differences, is_told_by_keys

_SAME_TYPE: Final = cosmetic("It is another way to write the same type.")
_OTHER_TYPE: Final = breaking("Neither type takes in the other, as far as their names tell.")


def _return_type(before: Any, after: Any) -> Judgement:
    match compare_types(str(before), str(after)):
        case Width.SAME:
            return _SAME_TYPE
        case Width.NARROWER:
            return compatible("Everything that is returned now could be returned before.")
        case Width.WIDER:
            return breaking("Callers may get values that were never returned before.")
        case _:
            return _OTHER_TYPE


def _parameter_type(before: Any, after: Any) -> Judgement:
    match compare_types(str(before), str(after)):
        case Width.SAME:
            return _SAME_TYPE
        case Width.WIDER:
            return compatible("Everything that was accepted still is.")
        case Width.NARROWER:
            return breaking("The type is narrower, so values that were fine may be refused.")
        case _:
            return _OTHER_TYPE


def _optional(_before: Any, after: Any) -> Judgement:
    if after is True:
        return compatible("The parameter can be left out.")
    return breaking("The parameter is now required.")


def _expose(before: Any, after: Any) -> Judgement:
    if not is_plain(before) or not is_plain(after):
        return breaking("Whether the method can be called from outside cannot be known.", Exposure.SHIFTED)
    if (before is False) == (after is False):
        return SAME_MEANING
    if after is False:
        return breaking("The method can no longer be called from outside.", Exposure.CLOSED)
    return breaking("The method can be called from outside.", Exposure.OPENED)


_PARAMETER_RULES: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        "type": _parameter_type,
        "optional": _optional,
        "default": always(compatible("Callers that leave the parameter out get another value.")),
        "typeUnresolved": always(breaking("What the type takes in cannot be known from its name.")),
        "memberTypes": always(breaking("The object that is passed has members of other types.")),
    }
)
_CONFIG_RULES: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        "expose": _expose,
        "audience": always(breaking("The method is meant for other callers.", Exposure.SHIFTED)),
        **dict.fromkeys(
            ("description", "title", "label", "summary"), always(cosmetic("It is for people only."))
        ),
    }
)
_DECLARED: Final = presence(
    gained=compatible("The method is now declared with @method()."),
    lost=breaking("The method is no longer declared with @method()."),
    changed=UNKNOWN(None, None),
)
_STATIC: Final = breaking("The method is called in another way.")


def method_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[AspectChange]:
    """Yield what changed in a method, by key, parameter and option."""
    for key, old, new in differences(before, after):
        if key == "parameters" and isinstance(old, list) and isinstance(new, list):
            yield from _parameter_changes(old, new)
        elif key == "decoratorConfig":
            yield from _config_changes(old, new)
        else:
            yield key, old, new, _judge(key, before, after)


def _judge(key: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Judgement:
    if key == "returnType":
        return _return_type(before.get(key), after.get(key))
    if key == "async":
        is_promised = is_promise(str(before.get("returnType"))) and is_promise(str(after.get("returnType")))
        if is_promised:
            return cosmetic("The method returns a promise either way.")
        return breaking("Callers must wait for the result, or need not any more.")
    return _STATIC if key == "isStatic" else UNKNOWN(before, after)


def _config_changes(before: Any, after: Any) -> Iterator[AspectChange]:
    if (before is ABSENT) != (after is ABSENT):
        yield "decoratorConfig", before, after, _DECLARED(before, after)
    elif not is_told_by_keys(before, after):
        yield "decoratorConfig", before, after, UNKNOWN(before, after)
    for key, old, new in differences(as_mapping(before), as_mapping(after)):
        yield f"decoratorConfig.{key}", old, new, _CONFIG_RULES.get(key, UNKNOWN)(old, new)


def _parameter_changes(
    before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]
) -> Iterator[AspectChange]:
    """Compare parameters by name, since generated APIs pass them so; then by place, for callers in code."""
    old, new = _by_name(before), _by_name(after)
    renamed = _renamed(list(old), list(new))
    for name in old.keys() - new.keys() - renamed.keys():
        parameter = before[old[name]]
        reason = "The parameter is gone, so what callers pass for it is lost."
        yield f"parameters.{name}", parameter, ABSENT, breaking(reason)
    for name in new.keys() - old.keys() - set(renamed.values()):
        yield f"parameters.{name}", ABSENT, after[new[name]], _judge_new_parameter(after[new[name]])
    for name in old.keys() & (new.keys() | renamed.keys()):
        counterpart = renamed.get(name, name)
        path = f"parameters.{counterpart}"
        if old[name] != new[counterpart]:
            judgement = breaking("The parameter has another place among the others.")
            yield f"{path}.position", old[name] + 1, new[counterpart] + 1, judgement
        for key, was, is_now in differences(before[old[name]], after[new[counterpart]]):
            yield f"{path}.{key}", was, is_now, _judge_parameter(key, was, is_now)


def _judge_new_parameter(parameter: Mapping[str, Any]) -> Judgement:
    if parameter.get("optional") is True:
        return compatible("The parameter can be left out.")
    return breaking("The parameter is required, so calls without it fail.")


def _judge_parameter(key: str, before: Any, after: Any) -> Judgement:
    if key == "name":
        return breaking("Callers that pass the parameter by its name have to change.")
    return _PARAMETER_RULES.get(key, UNKNOWN)(before, after)


def _by_name(parameters: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Return each parameter's index by name; further ones of a name are told apart by a number."""
    seen: Counter[str] = Counter()
    found: dict[str, int] = {}
    for index, parameter in enumerate(parameters):
        name = str(parameter.get("name", ""))
        seen[name] += 1
        found[name if seen[name] == 1 else f"{name}#{seen[name]}"] = index
    return found


def _renamed(before: Sequence[str], after: Sequence[str]) -> dict[str, str]:
    """Return parameters whose place is taken by one of another name, where no name of the two is known elsewhere."""
    pairs = zip(before, after, strict=False)
    return {old: new for old, new in pairs if old not in after and new not in before}
