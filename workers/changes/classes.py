"""What changed in a model: its table, its surfaces, its fields and methods."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from workers.changes.access import (
    LISTS,
    SURFACES,
    compare_access,
    is_offered,
    is_offering_anything,
    read_access,
)
from workers.changes.fields import field_changes, judge_new_field
from workers.changes.judgement import (
    UNKNOWN,
    Judgement,
    Rule,
    always,
    breaking,
    compatible,
    container,
    cosmetic,
    presence,
)
from workers.changes.methods import method_changes
from workers.changes.records import ABSENT, Action, Change, Exposure, Subject
from workers.changes.values import as_mapping, differences, is_same, is_told_by_keys

_CONFIG: Final = "decoratorConfig"
_STATICS: Final = "staticProperties"
_ACCESS_REASONS: Final = MappingProxyType(
    {
        Exposure.OPENED: "Whoever reaches the surface can do more than before.",
        Exposure.CLOSED: "Callers can no longer do what they could.",
        Exposure.SHIFTED: "Whether the surface is open or closed cannot be known from its config.",
    }
)
_UNSAID: Final = "A surface that the config does not mention is open to everything."
_TENANT_SCOPE: Final = presence(
    gained=breaking("Records are now kept apart by tenant.", Exposure.CLOSED),
    lost=breaking("Records are no longer kept apart by tenant.", Exposure.OPENED),
    changed=breaking("Records are kept apart by tenant in another way.", Exposure.SHIFTED),
)
_CONFIG_RULES: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        "tableName": always(breaking("Records are looked for in another table.")),
        "tableStrategy": always(breaking("Records are stored in tables of another layout.")),
        "tenantScoped": _TENANT_SCOPE,
        "report": always(breaking("The report is computed in another way.")),
        **dict.fromkeys(
            ("description", "label", "title", "icon"), always(cosmetic("It is for people only."))
        ),
    }
)
_RULES: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        "extends": always(breaking("The class inherits from another one.")),
        "extendsTypeArg": always(breaking("The class inherits with another type.")),
    }
)
_OPEN: Final = "It can be reached from outside."
_SAME_ACCESS: Final = cosmetic("It is written in another way and offers the same actions.")


@dataclass(frozen=True, slots=True)
class Model:
    """A class of a manifest.

    Attributes:
        package: Name of its package.
        name: Its class name.
        content: What the manifest says about it.
    """

    package: str | None
    name: str
    content: Mapping[str, Any]

    @property
    def config(self) -> Mapping[str, Any]:
        """Its `@smrt()` config."""
        return as_mapping(self.content.get(_CONFIG))

    @property
    def is_reachable(self) -> bool:
        """Whether it can be reached through any surface."""
        return is_offering_anything(self.config)

    def change(self, subject: Subject, action: Action, judgement: Judgement, **details: Any) -> Change:
        """Return a change of this class."""
        return Change(
            subject,
            action,
            judgement.impact,
            judgement.reason,
            self.package,
            self.name,
            exposure=judgement.exposure,
            **details,
        )


def class_removed(model: Model) -> Change:
    """Return the change that a class is gone."""
    exposure = Exposure.CLOSED if model.is_reachable else None
    judgement = breaking("Its table, its API and all that refers to it go with it.", exposure)
    return model.change(Subject.CLASS, Action.REMOVED, judgement)


def class_added(model: Model) -> Change:
    """Return the change that a class is new."""
    if model.is_reachable:
        judgement = compatible("It is new, and it can be reached from outside.", Exposure.OPENED)
    else:
        judgement = compatible("It is new.")
    return model.change(Subject.CLASS, Action.ADDED, judgement)


def class_moved(before: Model, after: Model) -> Change:
    """Return the change that a class is now in another package."""
    judgement = breaking("Its qualified name is another one, so what refers to it by the old one fails.")
    places = {"before": before.package, "after": after.package}
    return after.change(Subject.CLASS, Action.MOVED, judgement, **places)


def class_changes(before: Model, after: Model) -> Iterator[Change]:
    """Yield everything that changed in a class, under the name and package that it has now.

    The path of its source is no part of it. What its package's name shows in is left to the change that tells of that.
    """
    if is_same(before.content, after.content):
        return
    derived = {"packageName", "qualifiedName"} if before.package != after.package else set()
    for key, old, new in differences(before.content, after.content):
        if key in {_CONFIG, _STATICS} and not is_told_by_keys(old, new):
            yield _changed(after, key, old, new, UNKNOWN(old, new))
        elif key == _CONFIG:
            yield from _config_changes(before, after)
        elif key == "fields":
            yield from _field_changes(before, after)
        elif key == "methods":
            yield from _method_changes(before, after)
        elif key == _STATICS:
            yield from _static_changes(before, after)
        elif key not in derived and key != "filePath":
            yield _changed(after, key, old, new, _RULES.get(key, UNKNOWN)(old, new))


def _changed(model: Model, aspect: str, before: Any, after: Any, judgement: Judgement) -> Change:
    return model.change(Subject.CLASS, Action.CHANGED, judgement, aspect=aspect, before=before, after=after)


def _config_changes(before: Model, after: Model) -> Iterator[Change]:
    for key, old, new in differences(before.config, after.config):
        aspect = f"{_CONFIG}.{key}"
        if key in SURFACES:
            yield from _surface_changes(after, aspect, old, new)
        else:
            yield _changed(after, aspect, old, new, _CONFIG_RULES.get(key, UNKNOWN)(old, new))


def _surface_changes(model: Model, aspect: str, before: Any, after: Any) -> Iterator[Change]:
    """Yield what a surface opened and closed, and which of its other options changed."""
    told = False
    for exposure, actions in compare_access(before, after):
        told = True
        is_unsaid = after is ABSENT and exposure is Exposure.OPENED
        judgement = breaking(_UNSAID if is_unsaid else _ACCESS_REASONS[exposure], exposure)
        details = {"aspect": aspect, "before": before, "after": after, "actions": actions}
        yield model.change(Subject.CLASS, Action.CHANGED, judgement, **details)
    if read_access(before) is None or read_access(after) is None:
        return
    for key, old, new in differences(as_mapping(before), as_mapping(after)):
        if key not in LISTS:
            told = True
            yield _changed(model, f"{aspect}.{key}", old, new, UNKNOWN(old, new))
    if not told:
        yield _changed(model, aspect, before, after, _SAME_ACCESS)


def _static_changes(before: Model, after: Model) -> Iterator[Change]:
    statics = (as_mapping(model.content.get(_STATICS)) for model in (before, after))
    for name, old, new in differences(*statics):
        yield _changed(after, f"{_STATICS}.{name}", old, new, container(old, new))


def _field_changes(before: Model, after: Model) -> Iterator[Change]:
    for name, old, new in differences(before.content["fields"], after.content["fields"]):
        if new is ABSENT:
            judgement = breaking("Its column and all that reads or sets it go with it.")
            yield after.change(Subject.FIELD, Action.REMOVED, judgement, member=name, before=old)
        elif old is ABSENT:
            yield after.change(Subject.FIELD, Action.ADDED, judge_new_field(new), member=name, after=new)
        else:
            for aspect, was, is_now, judgement in field_changes(old, new):
                details = {"member": name, "aspect": aspect, "before": was, "after": is_now}
                yield after.change(Subject.FIELD, Action.CHANGED, judgement, **details)


def _method_changes(before: Model, after: Model) -> Iterator[Change]:
    for name, old, new in differences(before.content["methods"], after.content["methods"]):
        if new is ABSENT:
            exposure = Exposure.CLOSED if is_offered(before.config, old) else None
            judgement = breaking("Whoever calls it fails.", exposure)
            yield after.change(Subject.METHOD, Action.REMOVED, judgement, member=name, before=old)
        elif old is ABSENT:
            is_open = is_offered(after.config, new)
            judgement = compatible(_OPEN, Exposure.OPENED) if is_open else compatible("It is new.")
            yield after.change(Subject.METHOD, Action.ADDED, judgement, member=name, after=new)
        else:
            for aspect, was, is_now, judgement in method_changes(old, new):
                details = {"member": name, "aspect": aspect, "before": was, "after": is_now}
                yield after.change(Subject.METHOD, Action.CHANGED, judgement, **details)
