"""Native values as one line of plain text, the way a cell or a label shows them."""

from __future__ import annotations

import datetime as dt
import decimal
from collections.abc import Mapping

from core.results import Bnode, Duration, Iri, Literal, Node, Path, Point, Rel, Value

NULL = "NULL"
HEX_SHOWN = 16
NAME_KEYS = ("name", "title", "label", "fullName", "full_name", "code", "id")
"""Property keys that usually hold what a person would call a node."""

XSD = "http://www.w3.org/2001/XMLSchema#"


def clean(text: str) -> str:
    """`text` with what UTF-8 can't carry (lone surrogates) shown as U+FFFD."""
    return text.encode("utf-8", "replace").decode() if not text.isascii() else text


def plain(value: object) -> str:
    """One value as text: exact where that fits in a cell, and never longer than it is."""
    match value:
        case None:
            return NULL
        case bool():
            return "true" if value else "false"
        case str():
            return clean(value)
        case bytes():
            return plain_bytes(value)
        case dt.datetime() | dt.date() | dt.time():
            return value.isoformat(sep=" ") if isinstance(value, dt.datetime) else value.isoformat()
        case dt.timedelta():
            return str(value)
        case decimal.Decimal() | int() | float():
            return str(value)
        case Literal():
            return clean(value.value) + (f" @{value.lang}" if value.lang else "")
        case Iri():
            return clean(value.value)
        case Bnode():
            return f"_:{value.value}"
        case Duration():
            return plain_duration(value)
        case Point():
            return f"point({', '.join(str(c) for c in value.coordinates)}; {value.srid})"
    return _plain_compound(value)


def _plain_compound(value: object) -> str:
    match value:
        case Node():
            return f"(:{':'.join(value.labels)} {plain_props(value.props)})"
        case Rel():
            return f"[:{value.type}{' ' + plain_props(value.props) if value.props else ''}]"
        case Path():
            return plain_path(value)
        case Mapping():
            return plain_props(value)
        case tuple() | list():
            return "[" + ", ".join(plain(item) for item in value) + "]"
    return clean(str(value))


def plain_bytes(value: bytes) -> str:
    """The first bytes in hexadecimal, and how many there are."""
    shown = value[:HEX_SHOWN].hex()
    return f"0x{shown}{'…' if len(value) > HEX_SHOWN else ''} ({len(value):,} bytes)"


def plain_duration(value: Duration) -> str:
    """ISO 8601, the parts as stored."""
    seconds = decimal.Decimal(value.seconds) + decimal.Decimal(value.nanoseconds) / 1_000_000_000
    return f"P{value.months}M{value.days}DT{seconds.normalize():f}S"


def plain_props(props: Mapping[str, Value]) -> str:
    """Properties as Cypher writes them."""
    return "{" + ", ".join(f"{clean(str(key))}: {plain(item)}" for key, item in props.items()) + "}"


def plain_path(path: Path) -> str:
    """Nodes by name, relationships by type, arrows as stored."""
    steps = [f"({node_name(path.nodes[0])})"] if path.nodes else []
    for rel, left, right in zip(path.rels, path.nodes, path.nodes[1:], strict=False):
        arrow = f"-[:{rel.type}]->" if rel.start == left.id else f"<-[:{rel.type}]-"
        steps += [arrow, f"({node_name(right)})"]
    return "".join(steps)


def node_name(node: Node) -> str:
    """What a person would call this node: a naming property, else its first text, else its label and id."""
    for key in NAME_KEYS:
        if isinstance(node.props.get(key), str | int) and str(node.props[key]).strip():
            return clean(str(node.props[key]))
    named = (item for item in node.props.values() if isinstance(item, str) and item.strip())
    return clean(next(named, f"{next(iter(node.labels), 'node')} {node.id}"))


def short_iri(iri: str) -> str:
    """The last segment of an IRI, for a label; the whole IRI where it has none."""
    tail = iri.rstrip("/#").replace("#", "/").rsplit("/", 1)[-1]
    return clean(tail or iri)


def short_term(value: object) -> str:
    """A term's label: IRIs by their last segment, everything else as `plain` has it."""
    return short_iri(value.value) if isinstance(value, Iri) else plain(value)
