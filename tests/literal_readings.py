"""Reading one expression as each kind of literal: for tests of the literal reader."""

from scanner.syntax.grammar import Dialect, parse_bytes
from scanner.syntax.literals import Literal, read_literal, read_object_entries, read_string_constant
from scanner.syntax.source import SourceText

ALL = tuple(Dialect)
TYPED = (Dialect.TYPESCRIPT, Dialect.TSX)
PREFIX = "x = "


def parsed(expression, dialect):
    """Return the source that assigns *expression*, and the expression's node."""
    data = (PREFIX + expression).encode("utf-8", "surrogatepass")
    statement = parse_bytes(data, dialect).root_node.named_children[0]
    return SourceText(data), statement.named_children[0].child_by_field_name("right")


def read(expression, dialect=Dialect.TYPESCRIPT):
    return read_literal(*parsed(expression, dialect))


def value_of(expression, dialect=Dialect.TYPESCRIPT):
    reading = read(expression, dialect)
    assert isinstance(reading, Literal), reading
    return reading.value


def entries_of(expression, dialect=Dialect.TYPESCRIPT):
    return read_object_entries(*parsed(expression, dialect))


def constant_of(expression, dialect=Dialect.TYPESCRIPT):
    return read_string_constant(*parsed(expression, dialect))
