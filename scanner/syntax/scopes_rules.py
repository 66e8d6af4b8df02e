"""What each piece of syntax does to the names below it: read them, declare them, or neither.

A walk comes down from the program to one word. At every step :func:`enter` says how the child stands: whether
identifiers in it are values, declarations or no variables at all, and in which scope. The rules are the only part of
scope analysis that knows the node kinds of the TypeScript and JavaScript grammars, and each looks at nothing but a
node, its parent and its grandparent, so a step costs the same at every depth.

Where a broken file leaves a doubt, a name counts as a value: too many references are noticed, too few are not.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from scanner.syntax.nodes import first_significant, has_token

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Node


class Mode(Enum):
    """How an identifier counts where it stands."""

    VALUE = "value"
    BINDING = "binding"
    IGNORED = "ignored"


@dataclass(slots=True, eq=False)
class Scope:
    """A region of names.

    Attributes:
        index: The scope's number; 0 is the module, and a scope's parent comes before it.
        parent: The scope around this one; None for the module.
        function: The scope that takes a ``var`` written here; None when this scope does so itself.
    """

    index: int
    parent: Scope | None
    function: Scope | None

    @property
    def hoists_to(self) -> Scope:
        """The scope that a ``var`` written here belongs to."""
        return self.function or self


@dataclass(slots=True, eq=False)
class Frame:
    """One node on the way from the program down to a word.

    Attributes:
        node: The node.
        kind: Its type.
        end_byte: Offset behind its last byte.
        parent: The frame of the node above.
        mode: How identifiers in it count.
        outer: The scope that the node stands in.
        scope: The scope for what stands in the node: its own when it opens one, else *outer*.
        targets: The scopes that names in it are declared in, when it is a binding.
    """

    node: Node
    kind: str
    end_byte: int
    parent: Frame | None
    mode: Mode
    outer: Scope
    scope: Scope
    targets: tuple[Scope, ...]


class Step(NamedTuple):
    """How a child stands below its parent: its mode, its scope, and where its names are declared."""

    mode: Mode
    scope: Scope
    targets: tuple[Scope, ...]


class Opening(Enum):
    """The kind of scope that a node opens; a function keeps the ``var`` declarations in it."""

    BLOCK = "block"
    FUNCTION = "function"


VALUE_LEAVES: Final = frozenset(
    {"identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern", "undefined"}
)
"""Leaves that read or write a variable where values stand."""

BINDING_LEAVES: Final = VALUE_LEAVES | {"type_identifier", "property_identifier", "string_fragment"}
"""Leaves that declare a name where bindings stand: also classes, enum members and parts of namespace names."""

JSX_TAGS: Final = frozenset({"jsx_opening_element", "jsx_self_closing_element"})
"""Elements whose plain lower-case names are no variables."""

_DECLARED_FUNCTIONS: Final = frozenset({"function_declaration", "generator_function_declaration"})
_FUNCTIONS: Final = _DECLARED_FUNCTIONS | {
    "function_expression",
    "generator_function",
    "arrow_function",
    "method_definition",
}
_DECLARED_CLASSES: Final = frozenset({"class_declaration", "abstract_class_declaration"})
_CLASSES: Final = _DECLARED_CLASSES | {"class"}
_NAMESPACES: Final = frozenset({"internal_module", "module"})
_DOTTED_NAMES: Final = frozenset({"nested_identifier", "member_expression"})

_FUNCTION_SCOPES: Final = _FUNCTIONS | _NAMESPACES | {"class_static_block"}
_BLOCK_SCOPES: Final = _CLASSES | {
    "statement_block",
    "switch_body",
    "for_statement",
    "for_in_statement",
    "catch_clause",
    "enum_body",
}
_BODY_HOLDERS: Final = _FUNCTIONS | {"ambient_declaration"}

_PATTERNS: Final = frozenset(
    {
        "identifier",
        "undefined",
        "shorthand_property_identifier_pattern",
        "required_parameter",
        "optional_parameter",
        "object_pattern",
        "array_pattern",
        "pair_pattern",
        "assignment_pattern",
        "object_assignment_pattern",
        "rest_pattern",
    }
)

_NO_VARIABLES: Final = frozenset(
    {
        # types, with everything in them
        "type_annotation",
        "type_arguments",
        "type_parameters",
        "type_alias_declaration",
        "interface_declaration",
        "implements_clause",
        "type_predicate_annotation",
        "asserts_annotation",
        "index_signature",
        # identifiers that name no variable
        "namespace_export",
        "jsx_namespace_name",
        "jsx_closing_element",
    }
)


def enter(parent: Frame, child: Node, field: str | None) -> Step:
    """Say how *child* stands below *parent*.

    Args:
        parent: The frame above.
        child: One of its node's children.
        field: The child's field name, if it has one.
    """
    if parent.mode is Mode.IGNORED or child.type in _NO_VARIABLES:
        return _ignored(parent)
    if parent.mode is Mode.BINDING:
        return _in_binding(parent, child, field)
    rule = _RULES.get(parent.kind)
    return _value(parent) if rule is None else rule(parent, child, field)


def opening(parent: Frame, kind: str, mode: Mode) -> Opening | None:
    """Return the kind of scope that a node of type *kind* opens below *parent*, if it opens one."""
    if mode is not Mode.VALUE:
        return None
    if kind in _FUNCTION_SCOPES or (kind == "statement_block" and parent.kind in _BODY_HOLDERS):
        return Opening.FUNCTION
    # A parameter list outside a function is debris: its names must hide nothing else.
    if kind in _BLOCK_SCOPES or kind == "formal_parameters":
        return Opening.BLOCK
    return None


def _value(parent: Frame) -> Step:
    return Step(Mode.VALUE, parent.scope, ())


def _outer_value(parent: Frame) -> Step:
    return Step(Mode.VALUE, parent.outer, ())


def _ignored(parent: Frame) -> Step:
    return Step(Mode.IGNORED, parent.scope, ())


def _binding(parent: Frame, *targets: Scope) -> Step:
    return Step(Mode.BINDING, parent.scope, targets)


def _in_binding(parent: Frame, child: Node, field: str | None) -> Step:
    """A part of a pattern, of a parameter list or of the name of a namespace or enum member."""
    if child.type == "decorator":
        # Decorators of parameters run beside the function, not in it.
        return Step(Mode.VALUE, parent.scope.parent or parent.scope, ())
    if parent.kind == "string":
        is_whole = (child.start_byte, child.end_byte) == (parent.node.start_byte + 1, parent.end_byte - 1)
        return _binding(parent, *parent.targets) if is_whole else _ignored(parent)
    if parent.kind in _DOTTED_NAMES:
        return _binding(parent, *((parent.scope,) if field == "property" else parent.targets))
    is_default = field == "right" or (field == "value" and parent.kind != "pair_pattern")
    if is_default or child.type not in _PATTERNS:
        return _value(parent)
    return _binding(parent, *parent.targets)


def _in_stray_parameters(parent: Frame, child: Node, _field: str | None) -> Step:
    return _binding(parent, parent.scope) if child.type in _PATTERNS else _value(parent)


def _in_function(parent: Frame, child: Node, field: str | None) -> Step:
    if field == "name":
        if parent.kind == "method_definition":
            return _outer_value(parent)
        return _binding(parent, parent.outer if parent.kind in _DECLARED_FUNCTIONS else parent.scope)
    if child.type == "decorator":
        return _outer_value(parent)
    if field in {"parameter", "parameters"}:
        return _binding(parent, parent.scope)
    return _value(parent)


def _in_function_signature(parent: Frame, _child: Node, field: str | None) -> Step:
    return _binding(parent, parent.scope) if field == "name" else _ignored(parent)


def _in_method_signature(parent: Frame, child: Node, field: str | None) -> Step:
    return _value(parent) if field == "name" or child.type == "decorator" else _ignored(parent)


def _in_class(parent: Frame, child: Node, field: str | None) -> Step:
    if field == "name":
        return _binding(parent, parent.scope, *((parent.outer,) if parent.kind in _DECLARED_CLASSES else ()))
    return _outer_value(parent) if child.type == "decorator" else _value(parent)


def _in_enum(parent: Frame, _child: Node, field: str | None) -> Step:
    return _binding(parent, parent.scope) if field == "name" else _value(parent)


def _in_enum_member(parent: Frame, child: Node, _field: str | None) -> Step:
    """Members of an enum are names in its initialisers."""
    is_name = child.type in {"property_identifier", "string"} and child.start_byte == parent.node.start_byte
    return _binding(parent, parent.scope) if is_name else _value(parent)


def _in_enum_body(parent: Frame, child: Node, _field: str | None) -> Step:
    return (
        _binding(parent, parent.scope) if child.type in {"property_identifier", "string"} else _value(parent)
    )


def _in_namespace(parent: Frame, child: Node, field: str | None) -> Step:
    if field != "name":
        return _value(parent)
    return _ignored(parent) if child.type == "string" else _binding(parent, parent.outer)


def _in_declarator(parent: Frame, _child: Node, field: str | None) -> Step:
    if field != "name":
        return _value(parent)
    is_var = parent.parent is not None and parent.parent.kind == "variable_declaration"
    return _binding(parent, parent.scope.hoists_to if is_var else parent.scope)


def _in_for_in(parent: Frame, _child: Node, field: str | None) -> Step:
    kind = parent.node.child_by_field_name("kind") if field == "left" else None
    if kind is None:
        return _value(parent)
    return _binding(parent, parent.scope.hoists_to if kind.type == "var" else parent.scope)


def _in_catch(parent: Frame, _child: Node, field: str | None) -> Step:
    return _binding(parent, parent.scope) if field == "parameter" else _value(parent)


def _in_assignment(parent: Frame, _child: Node, field: str | None) -> Step:
    """The TypeScript grammar takes ``using a = x, b = y`` for assignments, the first one with a keyword."""
    if field == "left" and (_begins_with_using(parent.node) or _is_in_using_sequence(parent)):
        return _binding(parent, parent.scope)
    return _value(parent)


def _is_in_using_sequence(assignment: Frame) -> bool:
    sequence = assignment.parent
    if sequence is None or sequence.kind != "sequence_expression":
        return False
    first = sequence.node.child(0)
    operand = first_significant(first) if first is not None and first.type == "await_expression" else first
    return operand is not None and _begins_with_using(operand)


def _begins_with_using(node: Node) -> bool:
    return node.type == "assignment_expression" and node.children[0].type == "using"


def _in_import(parent: Frame, child: Node, field: str | None) -> Step:
    """Imports of the module itself declare at module scope; those of namespaces and ambient modules hide."""
    if child.type != "identifier":
        return _value(parent)
    if field == "name" and parent.node.child_by_field_name("alias") is not None:
        return _ignored(parent)
    return _binding(parent, parent.scope)


def _in_import_alias(parent: Frame, child: Node, _field: str | None) -> Step:
    return _binding(parent, parent.scope) if _is_first(parent, child) else _value(parent)


def _in_export(parent: Frame, child: Node, _field: str | None) -> Step:
    node = parent.node
    if child.type == "export_clause":
        is_foreign = node.child_by_field_name("source") is not None
        return _ignored(parent) if is_foreign or has_token(node, "type") else _value(parent)
    if child.type == "identifier" and has_token(node, "namespace"):
        return _ignored(parent)
    return _value(parent)


def _in_export_specifier(parent: Frame, _child: Node, field: str | None) -> Step:
    is_value = field == "name" and not has_token(parent.node, "type")
    return _value(parent) if is_value else _ignored(parent)


def _in_cast(parent: Frame, child: Node, _field: str | None) -> Step:
    return _value(parent) if _is_first(parent, child) else _ignored(parent)


def _is_first(parent: Frame, child: Node) -> bool:
    first = first_significant(parent.node)
    return first is not None and first.id == child.id


_Rule: TypeAlias = "Callable[[Frame, Node, str | None], Step]"

_RULES: Final[Mapping[str, _Rule]] = MappingProxyType(
    {
        **dict.fromkeys(_FUNCTIONS, _in_function),
        **dict.fromkeys(_CLASSES, _in_class),
        **dict.fromkeys(_NAMESPACES, _in_namespace),
        "formal_parameters": _in_stray_parameters,
        "function_signature": _in_function_signature,
        "method_signature": _in_method_signature,
        "abstract_method_signature": _in_method_signature,
        "enum_declaration": _in_enum,
        "enum_body": _in_enum_body,
        "enum_assignment": _in_enum_member,
        "variable_declarator": _in_declarator,
        "for_in_statement": _in_for_in,
        "catch_clause": _in_catch,
        "assignment_expression": _in_assignment,
        "import_clause": _in_import,
        "import_specifier": _in_import,
        "namespace_import": _in_import,
        "import_require_clause": _in_import,
        "import_alias": _in_import_alias,
        "export_statement": _in_export,
        "export_specifier": _in_export_specifier,
        "as_expression": _in_cast,
        "satisfies_expression": _in_cast,
    }
)
