"""Length-preserving rewrites that let the grammars read what they refuse or misread.

The grammars of TypeScript and JavaScript are excellent and incomplete. Where a first parse shows an error (or one of
a few constructs that are misread without one), the rules here propose rewrites of equal length, and a second parse
decides whether they help. Names, texts and positions are always taken from the original bytes by offset, so that a
rewrite needs only the right *shape*: a word may become any other word, a line end a blank or a semicolon.

Every rule runs for every source that needs mending, so each asks the stream for the places of the words and signs that
it has something to say about; where none stands, it costs next to nothing.

Each rule says what it mends; ``docs/grammar-gaps.md`` lists them with their smallest examples, and what is still open.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeAlias

from scanner.syntax.grammar import Dialect
from scanner.syntax.repair.class_members import mend_class_members
from scanner.syntax.repair.decorators import mend_decorators
from scanner.syntax.repair.edits import Edit, Repair, apply_repairs, outermost
from scanner.syntax.repair.expressions import mend_arrow_ends, mend_arrow_parameters, mend_new_chains
from scanner.syntax.repair.hints import may_be_misread
from scanner.syntax.repair.import_syntax import mend_imports
from scanner.syntax.repair.literals import (
    mend_closing_tags,
    mend_fractions_behind_question,
    mend_line_separators,
    mend_markup_ampersands,
    mend_template_escapes,
)
from scanner.syntax.repair.marks import mend_optional_marks
from scanner.syntax.repair.stream import TokenStream
from scanner.syntax.repair.type_syntax import (
    mend_call_signatures,
    mend_generic_arguments,
    mend_import_types,
    mend_mapped_keys,
    mend_parameters,
    mend_tagged_type_arguments,
    mend_untyped_mapped_types,
    mend_variance,
)
from scanner.syntax.repair.words import mend_let, mend_operator_names, mend_type_names, mend_using

__all__ = [
    "RULES",
    "Edit",
    "Repair",
    "apply_repairs",
    "may_be_misread",
    "plan_repairs",
    "plan_silent_repairs",
]

Rule: TypeAlias = Callable[[TokenStream], Repair]

RULES: Final[tuple[Rule, ...]] = (
    mend_import_types,
    mend_decorators,
    mend_class_members,
    mend_using,
    mend_imports,
    mend_variance,
    mend_parameters,
    mend_call_signatures,
    mend_tagged_type_arguments,
    mend_generic_arguments,
    mend_mapped_keys,
    mend_untyped_mapped_types,
    mend_let,
    mend_type_names,
    mend_operator_names,
    mend_markup_ampersands,
    mend_closing_tags,
    mend_template_escapes,
    mend_line_separators,
    mend_fractions_behind_question,
    mend_new_chains,
    mend_arrow_parameters,
    mend_arrow_ends,
    mend_optional_marks,
)
"""Every rule; where the edits of two overlap, the earlier rule's stand."""


_SILENT_RULES: Final = (mend_class_members, mend_using, mend_let, mend_type_names, mend_arrow_ends)
"""The rules that mend what a grammar misreads without an error."""


def _run(rule: Rule, stream: TokenStream) -> Repair:
    repair = rule(stream)
    return replace(repair, edits=tuple(outermost(repair.edits)))


def plan_repairs(data: bytes, dialect: Dialect) -> tuple[Repair, ...]:
    """Return what the rules would rewrite or find fault with in *data*; rules that have nothing to say are left out."""
    stream = TokenStream(data, dialect)
    return tuple(repair for rule in RULES if (repair := _run(rule, stream)).edits or repair.faults)


def plan_silent_repairs(data: bytes, dialect: Dialect) -> tuple[Repair, ...]:
    """Return the repairs of what the grammars misread in *data* without an error, and of what they let pass.

    Once something is to be mended, everything that these rules know is, since one reading rests on the other.
    """
    stream = TokenStream(data, dialect)
    repairs = [_run(rule, stream) for rule in _SILENT_RULES]
    is_misread = any(repair.is_silent for repair in repairs)
    return tuple(repair for repair in repairs if repair.faults or (is_misread and repair.edits))
