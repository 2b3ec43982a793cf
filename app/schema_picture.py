"""The picture of a schema: tables and their keys, classes and what joins them, labels and their relationships."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from app.graph import Dot, Line, Picture
from app.markup import cut
from core.sources.base import GraphSchema, RdfSchema, Schema, SqlSchema

MOST = 24
"""Parts that are drawn at once; of more, one part and what is near it."""
NAMES = 3
"""Predicates between two classes that are written on one edge; the rest are counted."""

Edges = Mapping[tuple[str, str], list[str]]


def schema_picture(schema: Schema, around: str = "") -> Picture | None:
    """The parts of `schema` and what joins them; those nearest to `around` where there are too many.

    None where nothing is to be drawn: a corpus, or parts that nothing joins.
    """
    dots, edges = _drawn(schema)
    if not edges:
        return None
    kept = list(dots) if len(dots) <= MOST else _near(around or busiest(schema)[0], edges)
    picture = Picture(all_dots=len(dots), all_lines=len(edges))
    picture.dots = {name: dots[name] for name in kept}
    for (start, end), names in edges.items():
        if start in picture.dots and end in picture.dots:
            unique = list(dict.fromkeys(names))
            more = f" +{len(unique) - NAMES}" if len(unique) > NAMES else ""
            picture.lines.append(Line(start, end, ", ".join(unique[:NAMES]) + more, "\n".join(unique)))
    return picture


def busiest(schema: Schema) -> list[str]:
    """Names of the parts, the one with most edges first."""
    dots, edges = _drawn(schema)
    count = dict.fromkeys(dots, 0)
    for start, end in edges:
        count[start] += 1
        count[end] += 1
    return sorted(count, key=lambda name: -count[name])


def too_many(schema: Schema) -> bool:
    """Whether only a part of the schema can be drawn at once."""
    return len(_drawn(schema)[0]) > MOST


def _drawn(schema: Schema) -> tuple[dict[str, Dot], Edges]:
    match schema:
        case SqlSchema():
            return _sql(schema)
        case RdfSchema():
            return _rdf(schema)
        case GraphSchema():
            return _graph(schema)
    return {}, {}


def _dot(name: str, group: str, hint: str) -> Dot:
    return Dot(name, cut(name, 28), group, cut(hint, 600))


def _sql(schema: SqlSchema) -> tuple[dict[str, Dot], Edges]:
    dots = {
        t.name: _dot(t.name, "view" if t.is_view else "table", f"{t.name}\n" + "\n".join(c.name for c in t.columns))
        for t in schema.tables
    }
    known = {name.casefold(): name for name in dots}
    edges: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for table in schema.tables:
        for key in table.foreign_keys:
            if target := known.get(key.ref_table.casefold()):
                edges[table.name, target].append(" + ".join(key.columns))
    return dots, edges


def _rdf(schema: RdfSchema) -> tuple[dict[str, Dot], Edges]:
    names = {c.iri: c.label for c in schema.classes}
    edges: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for predicate in schema.predicates:
        pairs = predicate.pairs or [(d, r) for d in predicate.domains[:1] for r in predicate.ranges[:1]]
        for start, end in pairs:
            if start in names and end in names and predicate.iri != schema.type_predicate:
                edges[names[start], names[end]].append(predicate.label)
    joined = {name for pair in edges for name in pair}
    dots = {c.label: _dot(c.label, "class", f"{c.label}\n{c.count:,} of them\n{c.iri}") for c in schema.classes}
    return {name: dot for name, dot in dots.items() if name in joined}, edges


def _graph(schema: GraphSchema) -> tuple[dict[str, Dot], Edges]:
    edges: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for edge in schema.edges:
        edges[edge.start, edge.end].append(edge.type)
    hints = {
        n.label: f"{n.label}\n{n.count:,} of them\n" + "\n".join(p.name for p in n.properties) for n in schema.nodes
    }
    return {name: _dot(name, "label", hint) for name, hint in hints.items()}, edges


def _near(middle: str, edges: Iterable[tuple[str, str]]) -> list[str]:
    """Parts by their distance from `middle`, as many as fit."""
    around: defaultdict[str, list[str]] = defaultdict(list)
    for start, end in edges:
        around[start].append(end)
        around[end].append(start)
    order = [middle]
    for name in order:  # grows while it is walked
        order += [other for other in dict.fromkeys(around[name]) if other not in order]
        if len(order) >= MOST:
            break
    return order[:MOST]
