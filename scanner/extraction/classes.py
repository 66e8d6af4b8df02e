"""Class declarations at the top of a module, their heads, decorators and bodies (spec section 1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from tree_sitter import Node

from scanner.extraction.config_values import (
    ConfigFault,
    ConfigReader,
    ConfigReading,
    SpreadResolver,
    ValuePolicy,
)
from scanner.extraction.members import (
    Member,
    class_members,
    method_head,
    read_field,
    read_method,
    too_deep_types,
)
from scanner.extraction.names import decorator_arguments, decorator_name, dotted_name, identifier_text
from scanner.extraction.parameters import ParameterParts, misplaced_parameters, parameter_parts
from scanner.extraction.type_names import read_type
from scanner.js.values import JsValue, in_key_order
from scanner.records import (
    ANONYMOUS_CLASS,
    ExportKind,
    ImportBinding,
    ImportForm,
    RawClass,
    RawField,
    RawMethod,
)
from scanner.syntax.nodes import COMMENTS, children_by_type, has_token, significant_children
from scanner.syntax.source import SourceText
from scanner.type_expressions import TypeExpression

_CLASS_DECLARATIONS: Final = frozenset({"class_declaration", "abstract_class_declaration"})
_DECLARATION_WRAPPERS: Final = frozenset({"export_statement", "ambient_declaration"})
_METHOD_DECORATOR: Final = "method"

_CLASS_DECORATORS: Final = (
    ("smrt", None, ValuePolicy.LITERALS_ONLY),
    ("report", "report", ValuePolicy.LENIENT),
    ("TenantScoped", "tenantScoped", ValuePolicy.LENIENT),
)
"""Each class decorator with the config key that holds its options (``@smrt`` gives the config itself)."""


@dataclass(frozen=True, slots=True)
class LabelledFault:
    """A config fault with the decorator in whose config it stands (spec D3)."""

    fault: ConfigFault
    decorator: str


@dataclass(slots=True)
class TopLevelStatement:
    """A statement of the module body, taken out of its ``export`` or ``declare``.

    Attributes:
        outer: The statement as it stands in the module.
        inner: The declaration in it (the same node when nothing is wrapped).
        kind: The type of the declaration.
    """

    outer: Node
    inner: Node
    kind: str


def top_level_statements(root: Node) -> Iterator[TopLevelStatement]:
    """Yield the statements of a module, also those that stand among broken ones (spec D16)."""
    pending = root.named_children[::-1]
    while pending:
        node = pending.pop()
        kind = node.type
        if kind in COMMENTS:
            continue
        if kind == "ERROR":
            pending.extend(reversed(node.named_children))
            continue
        inner = node
        while kind in _DECLARATION_WRAPPERS and (wrapped := _wrapped_declaration(inner, kind)) is not None:
            inner, kind = wrapped, wrapped.type
        yield TopLevelStatement(node, inner, kind)


def _wrapped_declaration(node: Node, kind: str) -> Node | None:
    if kind == "export_statement":
        declaration = node.child_by_field_name("declaration")
        if declaration is not None:
            return declaration
        value = node.child_by_field_name("value")
        return value if value is not None and value.type == "class" else None
    for child in significant_children(node):
        if child.type != "statement_block":
            return child
    return None


def is_class_statement(statement: TopLevelStatement) -> bool:
    """Tell whether a statement gives a class record (spec section 1, "Which statements give a class")."""
    if statement.kind == "class":
        return statement.outer.type == "export_statement"
    return statement.kind in _CLASS_DECLARATIONS


class ClassReader:
    """Reads the classes of one file; config faults and forbidden parameters gather while it reads."""

    def __init__(
        self, source: SourceText, file_path: str, spreads: SpreadResolver, imports: Sequence[ImportBinding]
    ) -> None:
        self._source = source
        self._file_path = file_path
        self._spreads = spreads
        self._imports = imports
        self.faults: list[LabelledFault] = []
        self.misplaced: list[Node] = []
        self.too_deep: list[Node] = []

    @cached_property
    def _imported_names(self) -> dict[str, str]:
        """Names in their own modules, by the names they have here."""
        return {
            binding.local: binding.imported
            for binding in self._imports
            if binding.form is ImportForm.NAMED or binding.form is ImportForm.STRING_NAMED
        }

    def read(self, statement: TopLevelStatement) -> RawClass:
        """Read one class statement."""
        node, outer = statement.inner, statement.outer
        outer_parts = children_by_type(outer)
        parts = outer_parts if node.id == outer.id else children_by_type(node)
        decorators = _decorators(outer, outer_parts) + (
            [] if parts is outer_parts else _decorators(node, parts)
        )
        config, is_smart = self._class_config(decorators)
        heritage = _base(parts.get("class_heritage"))
        parent = self._parent_name(heritage)
        fields, methods = self._members(parts.get("class_body"))
        name = node.child_by_field_name("name")
        return RawClass(
            class_name=ANONYMOUS_CLASS if name is None else identifier_text(self._source, name),
            file_path=self._file_path,
            extends_clause=self._original_name(parent),
            extends_type_arg=self._extends_type_argument(heritage),
            decorator_config=config,
            has_smart_decorator=is_smart,
            fields=fields,
            methods=methods,
            start_line=self._source.line(_head(outer).start_byte),
            end_line=self._source.line(max(outer.end_byte - 1, outer.start_byte)),
            parent_name=parent,
            export_kind=_export_kind(outer, outer_parts),
        )

    def _class_config(self, decorators: Sequence[Node]) -> tuple[Mapping[str, JsValue] | None, bool]:
        named: dict[str, Node] = {}
        for decorator in decorators:
            name = decorator_name(self._source, decorator)
            if name is not None:
                named.setdefault(name, decorator)
        if not named:
            return None, False
        config: dict[str, JsValue] = {}
        is_configured = False
        for name, key, policy in _CLASS_DECORATORS:
            if name not in named:
                continue
            is_configured = True
            values = self._read_config(named[name], name, policy).values
            config.update(values if key is None else {key: values})
        return (in_key_order(config) if is_configured else None), "smrt" in named

    def _read_config(self, decorator: Node, name: str, policy: ValuePolicy) -> ConfigReading:
        arguments = decorator_arguments(decorator)
        reader = ConfigReader(self._source, self._spreads, policy)
        reading = reader.read_argument(arguments[0] if arguments else None)
        self.faults.extend(LabelledFault(fault, f"@{name}()") for fault in reading.faults)
        return reading

    def _parent_name(self, clause: Node | None) -> str | None:
        if clause is None or (clause.type == "class_heritage" and not has_token(clause, "extends")):
            return None
        value = clause.child_by_field_name("value")
        if value is None:
            parts = significant_children(clause)
            value = parts[0] if parts else None
        return None if value is None else dotted_name(self._source, value)

    def _original_name(self, parent: str | None) -> str | None:
        """Replace an import alias by the name it has in its own module."""
        return None if parent is None else self._imported_names.get(parent, parent)

    def _extends_type_argument(self, clause: Node | None) -> TypeExpression | None:
        arguments = None if clause is None else clause.child_by_field_name("type_arguments")
        types = [] if arguments is None else significant_children(arguments)
        return read_type(self._source, types[0]) if types else None

    def _members(self, body: Node | None) -> tuple[tuple[RawField, ...], tuple[RawMethod, ...]]:
        fields: list[RawField] = []
        methods: list[RawMethod] = []
        for member in class_members(body) if body is not None else ():
            self.too_deep.extend(too_deep_types(self._source, member))
            if member.is_field:
                field = read_field(self._source, member)
                if field is not None:
                    fields.append(field)
            else:
                parameters = parameter_parts(member.parts.get("formal_parameters"))
                self.misplaced.extend(misplaced_parameters(parameters))
                method = self._method(member, parameters)
                if method is not None:
                    methods.append(method)
        return tuple(fields), tuple(methods)

    def _method(self, member: Member, parameters: Sequence[ParameterParts]) -> RawMethod | None:
        head = method_head(self._source, member)
        if head is None:
            return None
        config = None
        for decorator in member.decorators:
            if decorator_name(self._source, decorator) == _METHOD_DECORATOR:
                config = self._read_config(decorator, _METHOD_DECORATOR, ValuePolicy.LITERALS_ONLY)
                break
        return read_method(self._source, head, parameters, config)


def _decorators(node: Node, parts: Mapping[str, Node]) -> list[Node]:
    """Return the decorators that are direct children of *node*."""
    return [child for child in node.children if child.type == "decorator"] if "decorator" in parts else []


def _base(heritage: Node | None) -> Node | None:
    """Return what a class says about its base: the ``extends`` clause, or all of the heritage where there is none."""
    if heritage is None:
        return None
    return next((child for child in heritage.children if child.type == "extends_clause"), heritage)


def _head(outer: Node) -> Node:
    """Return the first token of a class statement that is no decorator."""
    return next((child for child in outer.children if child.type not in {"decorator", "comment"}), outer)


def _export_kind(outer: Node, parts: Mapping[str, Node]) -> ExportKind:
    if outer.type != "export_statement":
        return ExportKind.NONE
    return ExportKind.DEFAULT if "default" in parts else ExportKind.NAMED
