"""What a file declares, as read from its tree: the counterpart of what ``syntax_oracle.mjs`` says of the same file.

Texts come from the source by offset, as the scanner takes them, so that an outline shows what a rewrite spoils.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from tree_sitter import Node

from scanner.extraction.names import decorator_arguments, decorator_name
from scanner.syntax.nodes import end_without_comments, has_token, significant_children
from scanner.syntax.parsing import ParsedSource

Entry: TypeAlias = list[Any]

_FIELDS: Final = {"public_field_definition", "field_definition"}
_MEMBERS: Final = _FIELDS | {"method_definition", "method_signature", "abstract_method_signature"}
_BLOCKS: Final = {"program", "statement_block"}


def trimmed(text: str) -> str:
    """Return *text* without the separators behind it and the ``|`` before it."""
    text = text.rstrip(" \t\r\n\v\f\ufeff\xa0;,")
    return text[1:].lstrip() if text[:1] in {"|", "&"} else text


def outline(parsed: ParsedSource) -> list[Entry]:
    """Return the entries of one file in source order."""
    reader = _Outline(parsed)
    pending = [parsed.root]
    while pending:
        node = pending.pop()
        reader.visit(node)
        # Decorators that are not plain are rewritten, so that the calls in them may be missing.
        pending.extend(child for child in node.children if child.type != "decorator")
    return [entry for _, entry in sorted(reader.found, key=lambda item: item[0])]


def _is_mapped(node: Node) -> bool:
    return any(
        inner.type == "mapped_type_clause" for child in node.named_children for inner in child.children
    )


class _Outline:
    def __init__(self, parsed: ParsedSource) -> None:
        self._source = parsed.source
        self.found: list[tuple[int, Entry]] = []

    def text(self, node: Node | None) -> str | None:
        return None if node is None else self._source.text(node)

    def visit(self, node: Node) -> None:
        """Note what *node* declares, if anything."""
        for at, entry in self._entries(node):
            self.found.append((at, entry))

    def _entries(self, node: Node) -> Iterator[tuple[int, Entry]]:
        if not node.is_named:
            return
        match node.type:
            case "class_declaration" | "abstract_class_declaration" | "class":
                yield from self._class(node)
            case "type_alias_declaration" if name := node.child_by_field_name("name"):
                value = self.text(node.child_by_field_name("value")) or ""
                yield name.start_byte, ["alias", self.text(name), trimmed(value)]
            case "enum_declaration" if name := node.child_by_field_name("name"):
                body = node.child_by_field_name("body")
                values = [self.text(child) for child in significant_children(body)] if body else []
                yield name.start_byte, ["enum", self.text(name), values]
            case "interface_body" | "object_type" if not _is_mapped(node):
                kind = "interface" if node.type == "interface_body" else "literal"
                members = [trimmed(self._source.text(child)) for child in significant_children(node)]
                yield node.start_byte, [kind, members]
            case "call_expression":
                yield from self._call(node)
            case kind if kind in _BLOCKS:
                for child in significant_children(node):
                    if child.type not in {"empty_statement", "hash_bang_line"}:
                        text = self._source.slice(child.start_byte, end_without_comments(child))
                        yield child.end_byte, ["statement", trimmed(text)[-40:]]

    def _call(self, node: Node) -> Iterator[tuple[int, Entry]]:
        callee, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if callee is not None and callee.type == "identifier" and arguments and arguments.type == "arguments":
            yield callee.start_byte, ["call", self.text(callee), len(significant_children(arguments))]

    def _class(self, node: Node) -> Iterator[tuple[int, Entry]]:
        body = node.child_by_field_name("body")
        if body is None:
            return
        outer = node.parent
        holders = [outer] if outer is not None and outer.type == "export_statement" else []
        decorators = [child for holder in [*holders, node] for child in holder.children]
        base, arguments = self._heritage(node)
        name = self.text(node.child_by_field_name("name"))
        entry = ["class", name, base, arguments, self._decorators(decorators), list(self._members(body))]
        yield body.start_byte, entry

    def _heritage(self, node: Node) -> tuple[str | None, str | None]:
        heritage = next((child for child in node.children if child.type == "class_heritage"), None)
        if heritage is None:
            return None, None
        clause = next((child for child in heritage.children if child.type == "extends_clause"), heritage)
        if not has_token(clause, "extends"):
            return None, None
        value = clause.child_by_field_name("value") or significant_children(clause)[0]
        return self.text(value), self.text(clause.child_by_field_name("type_arguments"))

    def _decorators(self, nodes: list[Node]) -> list[list[str]]:
        found = []
        for node in nodes:
            if node.type != "decorator":
                continue
            name = decorator_name(self._source, node)
            arguments = [self._source.text(argument) for argument in decorator_arguments(node)]
            found.append(["*"] if name is None else [name, *arguments])
        return found

    def _members(self, body: Node) -> Iterator[Entry]:
        decorators: list[Node] = []
        for child in body.children:
            if child.type == "decorator":
                decorators.append(child)
            elif child.type == "index_signature":
                yield ["index"]
            elif child.type == "class_static_block":
                yield ["block"]
            elif child.type in _MEMBERS:
                yield self._member(child, [*decorators, *child.children])
            if child.type in _MEMBERS:
                decorators = []

    def _member(self, node: Node, decorators: list[Node]) -> Entry:
        words = {child.type for child in node.children}
        is_field = node.type in _FIELDS
        kind = "method"
        if is_field:
            kind = "accessor" if "accessor" in words else "field"
        elif "get" in words or "set" in words:
            kind = "get" if "get" in words else "set"
        name = node.child_by_field_name("name") or node.child_by_field_name("property")
        value = node.child_by_field_name("value") if is_field else None
        annotation = node.child_by_field_name("type" if is_field else "return_type")
        flags = self._flags(node, words, kind)
        parameters = None if is_field else self._parameters(node)
        return [
            *(kind, self._key(name), flags, self._type(annotation), self._value(value)),
            *(parameters, self._decorators(decorators)),
        ]

    def _value(self, value: Node | None) -> str | None:
        return None if value is None else self._source.slice(value.start_byte, end_without_comments(value))

    def _key(self, name: Node | None) -> str | None:
        text = self.text(name)
        if text is None or not text.startswith("["):
            return text
        return f"[{trimmed(text[1:-1]).strip()}]"

    def _flags(self, node: Node, words: set[str], kind: str) -> str:
        named = {"?": "optional", "*": "generator"}
        listed = {"?", "*", "static", "readonly", "abstract", "async"}
        flags = [] if kind == "accessor" else [named.get(word, word) for word in words & listed]
        if node.type == "abstract_method_signature" and "abstract" not in flags:
            flags.append("abstract")
        access = [child for child in node.children if child.type == "accessibility_modifier"]
        flags.extend(child.children[0].type for child in access)
        return " ".join(sorted(flags))

    def _type(self, annotation: Node | None) -> str | None:
        if annotation is None:
            return None
        inner = significant_children(annotation)
        start = inner[0].start_byte if inner else annotation.end_byte
        return trimmed(self._source.slice(start, annotation.end_byte))

    def _parameters(self, node: Node) -> list[str | None]:
        holder = node.child_by_field_name("parameters")
        if holder is None:
            return []
        return [self._type(child.child_by_field_name("type")) for child in significant_children(holder)]
