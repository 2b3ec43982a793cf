"""What a property graph holds: labels, relationship types, properties and edges, read by Cypher."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from core.results import Place, Value
from core.sources.base import Edge, GraphSchema, NodeType, Property, RelType
from core.sources.values import Entry

Ask = Callable[[str], Sequence[tuple[Value, ...]]]
"""Runs a read query and gives its rows."""

SAMPLES = 6
LONGEST_VALUE = 120
VALUES_PER_PROPERTY = 100_000


def quote(name: str) -> str:
    """A label, type or property key as Cypher takes it, whatever it contains."""
    return "`" + name.replace("`", "``") + "`"


def read_schema(ask: Ask) -> GraphSchema:
    """Labels and types with their properties, most frequent first.

    The queries use nothing beyond openCypher: `db.schema.*` gives nothing on ArcadeDB.
    """
    counts = [
        (str(label), _int(n))
        for label, n in ask("MATCH (n) UNWIND labels(n) AS l RETURN l, count(*) ORDER BY count(*) DESC")
    ]
    types = [
        (str(kind), _int(n)) for kind, n in ask("MATCH ()-[r]->() RETURN type(r), count(*) ORDER BY count(*) DESC")
    ]
    node_keys = _keys(ask("MATCH (n) UNWIND labels(n) AS l UNWIND keys(n) AS k RETURN l, k, valueType(n[k]), count(*)"))
    rel_keys = _keys(ask("MATCH ()-[r]->() UNWIND keys(r) AS k RETURN type(r), k, valueType(r[k]), count(*)"))
    edges: dict[tuple[str, str, str], int] = defaultdict(int)
    for starts, kind, ends, n in ask("MATCH (a)-[r]->(b) RETURN labels(a), type(r), labels(b), count(*)"):
        for start in _strings(starts):
            for end in _strings(ends):
                edges[(start, str(kind), end)] += _int(n)
    return GraphSchema(
        nodes=tuple(
            NodeType(label, tuple(_property(ask, f"(x:{quote(label)})", k, t) for k, t in node_keys[label].items()), n)
            for label, n in counts
        ),
        rels=tuple(
            RelType(
                kind, tuple(_property(ask, f"()-[x:{quote(kind)}]->()", k, t) for k, t in rel_keys[kind].items()), n
            )
            for kind, n in types
        ),
        edges=tuple(Edge(*key, n) for key, n in sorted(edges.items(), key=lambda e: -e[1])),
    )


def read_values(ask: Ask, schema: GraphSchema) -> Iterator[Entry]:
    """Distinct short texts of nodes' and relationships' properties."""
    owners: list[tuple[str, str, Sequence[Property]]] = [
        *((n.label, f"(x:{quote(n.label)})", n.properties) for n in schema.nodes),
        *((r.type, f"()-[x:{quote(r.type)}]->()", r.properties) for r in schema.rels),
    ]
    for owner, pattern, properties in owners:
        for prop in properties:
            if "STRING" not in prop.type and not _holds_strings(prop):
                continue
            key = quote(prop.name)
            unwound = f"UNWIND x.{key} AS v" if prop.type.startswith("LIST") else f"WITH x.{key} AS v"
            rows = ask(
                f"MATCH {pattern} WHERE x.{key} IS NOT NULL {unwound} RETURN DISTINCT v LIMIT {VALUES_PER_PROPERTY}"
            )
            for (value,) in rows:
                if isinstance(value, str) and len(value) <= LONGEST_VALUE:
                    yield value, value, Place(owner, prop.name), ""


def _holds_strings(prop: Property) -> bool:
    return any(isinstance(item, str) for sample in prop.samples if isinstance(sample, tuple) for item in sample)


def _property(ask: Ask, pattern: str, name: str, kind: str) -> Property:
    key = quote(name)
    where = f"MATCH {pattern} WHERE x.{key} IS NOT NULL"
    if kind.startswith(("LIST", "POINT")):
        samples = tuple(row[0] for row in ask(f"{where} RETURN x.{key} LIMIT 3"))
        if kind.startswith("POINT"):
            return Property(name, kind, samples)
        short, long = ask(f"{where} RETURN min(size(x.{key})), max(size(x.{key}))")[0]
        return Property(name, kind, samples, minimum=short, maximum=long)
    common = ask(f"{where} RETURN x.{key} AS v, count(*) AS n ORDER BY n DESC LIMIT {SAMPLES}")
    low, high, distinct = ask(f"{where} RETURN min(x.{key}), max(x.{key}), count(DISTINCT x.{key})")[0]
    return Property(name, kind, tuple(row[0] for row in common), _int(distinct), low, high)


def _keys(rows: Sequence[tuple[Value, ...]]) -> defaultdict[str, dict[str, str]]:
    """Property keys of each owner with their most frequent type, in order of frequency."""
    found: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for owner, key, kind, _ in sorted(rows, key=lambda row: -_int(row[3])):
        found[str(owner)].setdefault(str(key), str(kind).removesuffix(" NOT NULL"))
    return found


def _strings(value: Any) -> tuple[str, ...]:
    return tuple(str(v) for v in value)


def _int(value: Any) -> int:
    return int(value)
