r"""Which names of a module lead to a helper, and which files can hold a helper call at all.

A helper counts only when it is imported from its one module (spec, "What it accepts"): by name, with or without an
alias, or through a namespace. Default imports and type-only imports lead nowhere (spec D19).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from scanner.extraction.imports import ImportDeclaration
from scanner.records import ImportForm
from scanner.sieve.spellings import spelling_of
from scanner.surface.records import Helper

HELPER_MODULES: Final[Mapping[Helper, str]] = MappingProxyType(
    {
        Helper.INTENT: "@happyvertical/smrt-web/intents",
        Helper.PLAYBOOK: "@happyvertical/smrt-playbooks",
    }
)
"""The one module that each helper is imported from."""

_HELPER_OF_MODULE: Final = MappingProxyType({module: helper for helper, module in HELPER_MODULES.items()})
_BY_NAME: Final = frozenset({ImportForm.NAMED, ImportForm.STRING_NAMED})


@dataclass(frozen=True, slots=True)
class HelperBinding:
    """What an imported name leads to.

    Attributes:
        helper: The helper.
        is_namespace: Whether the name is the module, so that the helper is a member of it.
    """

    helper: Helper
    is_namespace: bool


def bind_helpers(imports: Iterable[ImportDeclaration]) -> dict[str, HelperBinding]:
    """Return the local names that lead to a helper."""
    return dict(_bindings(imports))


def _bindings(imports: Iterable[ImportDeclaration]) -> Iterator[tuple[str, HelperBinding]]:
    for declaration in imports:
        helper = _HELPER_OF_MODULE.get(declaration.module)
        if helper is None:
            continue
        for binding in declaration.bindings:
            if binding.is_type_only:
                continue
            if binding.form is ImportForm.NAMESPACE:
                yield binding.local, HelperBinding(helper, is_namespace=True)
            elif binding.form in _BY_NAME and binding.imported == helper:
                yield binding.local, HelperBinding(helper, is_namespace=False)


_COMMON: Final = re.compile(rb"smrt")
"""What the names of all helper modules share: looking for it rules out nearly every file."""

_ESCAPED_COMMON: Final = re.compile(
    rb"\\(?:[xu01]|s(?=m|\\)|(?<=s\\)m|(?<=sm\\)r|(?<=smr\\)t|(?<=[smr]\\)[\r\n\xe2])"
)
"""The first escape in any spelling of that word which has one; plain letters stand before it."""


def may_declare_agent_surface(data: bytes) -> bool:
    r"""Tell from a file's bytes whether it can hold a helper call.

    False is certain: then no import names a helper's module, or the helper itself is never named. Both can be written
    with escapes, in part or in whole (``'…smrt\\x2dplaybooks'``), and are found all the same.
    """
    if _COMMON.search(data) is None and not (b"\\" in data and _ESCAPED_COMMON.search(data)):
        return False
    return any(
        _may_spell(data, module) and _may_spell(data, helper) for helper, module in HELPER_MODULES.items()
    )


def _may_spell(data: bytes, text: str) -> bool:
    return text.encode("ascii") in data or (b"\\" in data and _SPELLINGS[text].search(data) is not None)


_SPELLINGS: Final[Mapping[str, re.Pattern[bytes]]] = MappingProxyType(
    {text: spelling_of(text) for text in (*HELPER_MODULES.values(), *(helper.value for helper in Helper))}
)
