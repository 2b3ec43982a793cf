"""The context c_b that a query writer reads, rendered from schema and grounding (paper, appendix A)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Any

from core.encoding import to_json
from core.grounding.entities import INVERSE
from core.results import Grounding, Iri, Literal, SourceCard, Value
from core.sources.base import (
    Column,
    Edge,
    GraphSchema,
    NodeType,
    Property,
    RdfSchema,
    RelType,
    Schema,
    SqlSchema,
    Table,
    TextSchema,
)

SAMPLES = 3
LINKED_VALUES = 12
SMALL_ONTOLOGY = 120
OPTIONS = 8
"""A text property with at most so many values shows them all, as the paper's graph schemas do."""


def render_context(card: SourceCard, schema: Schema, grounding: Grounding, budget: int = 6_000) -> str:
    """c_b as text, at most about `budget` characters (four a token); what is linked to the question is kept first."""
    match schema:
        case TextSchema():
            return _corpus(card, schema)
        case SqlSchema():
            return _sql(schema, grounding, budget)
        case RdfSchema():
            return _rdf(card, schema, grounding, budget)
        case GraphSchema():
            return _graph(schema, grounding, budget)


# --- A.1 corpora -------------------------------------------------------------------------------


def _corpus(card: SourceCard, schema: TextSchema) -> str:
    lines = [f"Corpus: {card.id}", f"Description: {card.descriptor}"]
    if schema.query_type:
        lines.append(f"Query type: {schema.query_type}")
    if schema.document_style:
        lines.append(f"Document style: {schema.document_style}")
    titles = "; ".join(schema.sample_titles[:4])
    return "\n".join([*lines, f"Titles: {titles}"])


# --- A.2 relational databases ------------------------------------------------------------------


def _sql(schema: SqlSchema, grounding: Grounding, budget: int) -> str:
    linked = [m.place.owner for m in grounding.values] + [e.place.owner for e in grounding.elements]
    fields = frozenset([*(m.place.field for m in grounding.values), *(e.place.field for e in grounding.elements)])
    tables = sorted(schema.tables, key=lambda t: _first(linked, t.name))
    parts: list[str] = []
    left_out: list[str] = []
    size = 0
    for table in tables:
        text = _create_table(table, fields, budget // 2)
        if parts and size + len(text) > budget:
            left_out.append(table.name)
            continue
        parts.append(text)
        size += len(text)
    if left_out:
        parts.append("-- other tables: " + ", ".join(_quoted(n) for n in left_out[:40]))
    return "\n".join([*parts, *_linked_values(grounding, "--")])


def _create_table(table: Table, fields: frozenset[str], room: int) -> str:
    """One declaration; of a table too wide for `room`, the keys and the linked columns come first."""
    keys = {*table.primary_key, *(c for key in table.foreign_keys for c in key.columns)}
    order = sorted(table.columns, key=lambda c: c.name not in fields and c.name not in keys)
    kept: set[str] = set()
    for column in order:
        room -= len(_column(column, ",")) + 1
        if kept and room < 0:
            break
        kept.add(column.name)
    parts: list[tuple[str, str]] = [_parts_of(c) for c in table.columns if c.name in kept]
    if table.primary_key:
        parts.append((f"PRIMARY KEY ({', '.join(_quoted(c) for c in table.primary_key)})", ""))
    for key in table.foreign_keys:
        own, other = (", ".join(_quoted(c) for c in columns) for columns in (key.columns, key.ref_columns))
        parts.append((f"FOREIGN KEY ({own}) REFERENCES {_quoted(key.ref_table)} ({other})", ""))
    left_out = [c.name for c in table.columns if c.name not in kept]
    lines = [_line(text, note, "," if n < len(parts) else "") for n, (text, note) in enumerate(parts, 1)]
    if left_out:
        lines.append(f"  -- and {len(left_out)} more columns")
    rows = f" -- {table.rows} rows" if table.rows is not None else ""
    kind = "VIEW" if table.is_view else "TABLE"
    return f"CREATE {kind} {_quoted(table.name)} ({rows}\n" + "\n".join(lines) + "\n);"


def _parts_of(column: Column) -> tuple[str, str]:
    notes = ", ".join(_sample(s) for s in column.samples[:SAMPLES])
    extra = "numbers stored as text; " if column.numeric_text else ""
    return f"{_quoted(column.name)} {column.type}".rstrip(), f"{extra}{notes}".strip()


def _line(text: str, note: str, comma: str) -> str:
    return f"  {text}{comma}" + (f" -- {note}" if note else "")


def _column(column: Column, comma: str) -> str:
    return _line(*_parts_of(column), comma)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


# --- A.3 RDF graphs ----------------------------------------------------------------------------

XSD = "http://www.w3.org/2001/XMLSchema#"
"""Datatypes are shown by their usual prefix whether the source declares it or not."""

TEMPLATES = """Query forms (replace the placeholders by the entities, classes and predicates below):
  SELECT ?x ?label WHERE { <entity> <predicate> ?x . ?x rdfs:label ?label }
  SELECT ?value WHERE { <entity> <predicate> ?y . ?y <predicate2> ?value }
  ASK WHERE { <entity> <predicate> <entity2> }
  SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE { ?x <predicate> <entity> }
  SELECT ?x ?label WHERE { ?x a <class> ; rdfs:label ?label ; <predicate> ?v . FILTER(?v > 10) }
  SELECT ?x ?label WHERE { ?x a <class> ; rdfs:label ?label ; <predicate> ?v } ORDER BY DESC(?v) LIMIT 1"""


def _rdf(card: SourceCard, schema: RdfSchema, grounding: Grounding, budget: int) -> str:
    short = _Shortener(schema.prefixes)
    forms = TEMPLATES.replace(" a <class>", f" {short(schema.type_predicate)} <class>")
    forms = forms.replace("rdfs:label", short(schema.label_predicate))
    body = [*_entities(schema, grounding, short), *_ontology(schema, grounding, short)]
    prefixes = [
        f"PREFIX {p}: <{iri}>" for p, iri in schema.prefixes.items() if p in short.used or len(schema.prefixes) < 8
    ]
    head = [f"Knowledge graph: {card.title}", *prefixes, _labels(schema, short), forms]
    kept: list[str] = []
    size = sum(len(line) for line in head)
    for line in body:
        size += len(line) + 1
        if size > budget:
            break
        kept.append(line)
    return "\n".join([*head, *kept])


def _labels(schema: RdfSchema, short: _Shortener) -> str:
    where = f"Labels are at {short(schema.label_predicate)}"
    languages = next((p.languages for p in schema.predicates if p.iri == schema.label_predicate), ())
    if len(languages) < 2:
        return f"{where}."
    first = "en" if "en" in languages else languages[0]
    return f'{where} in {", ".join(languages[:6])}; for one language add FILTER(LANG(?label) = "{first}").'


def _entities(schema: RdfSchema, grounding: Grounding, short: _Shortener) -> Iterable[str]:
    linked = [m for m in grounding.entities if isinstance(m.value, Iri)]
    if linked:
        yield "Topic entities:"
        for match in linked:
            about = f", {match.description}" if match.description else ""
            yield f'  {short(_iri(match.value))} ("{match.label}"{about}) for "{match.term}"'
    literals = [m for m in grounding.values if isinstance(m.value, Literal)][:LINKED_VALUES]
    for match in literals:
        yield f'  literal {_sample(match.value)} at {short(match.place.field)} for "{match.term}"'
    if any(grounding.predicates.values()):
        yield "Candidate predicates of each entity:"
        for iri, links in grounding.predicates.items():
            for link in links:
                arrow = (
                    f"?x {short(link.place.field)} {short(iri)}"
                    if link.place.owner == INVERSE
                    else f"{short(iri)} {short(link.place.field)} ?x"
                )
                yield f"  {arrow}   # {link.label}"


def _ontology(schema: RdfSchema, grounding: Grounding, short: _Shortener) -> Iterable[str]:
    if len(schema.predicates) > SMALL_ONTOLOGY:
        return
    linked = {e.place.owner for e in grounding.elements} | {e.place.field for e in grounding.elements}
    yield "Classes:"
    for item in sorted(schema.classes, key=lambda c: c.iri not in linked)[:40]:
        yield f"  {short(item.iri)}   # {item.label}, {item.count}"
    yield "Predicates (subject class -> object):"
    for predicate in sorted(schema.predicates, key=lambda p: p.iri not in linked):
        subject = " | ".join(short(d) for d in predicate.domains[:3]) or "?"
        value = " | ".join(short(r) for r in predicate.ranges[:3]) or short(predicate.datatype or "literal")
        samples = ", ".join(_sample(s) for s in predicate.samples[:2] if isinstance(s, Literal))
        yield f"  {short(predicate.iri)}: {subject} -> {value}   # {predicate.label}" + (
            f", e.g. {samples}" if samples else ""
        )


class _Shortener:
    """IRIs as prefixed names where a prefix fits; remembers which prefixes it used."""

    def __init__(self, prefixes: Any) -> None:
        known = {"xsd": XSD, **prefixes}
        self._spaces = sorted(((iri, p) for p, iri in known.items()), key=lambda pair: -len(pair[0]))
        self.used: set[str] = set()

    def __call__(self, iri: str) -> str:
        for space, prefix in self._spaces:
            local = iri[len(space) :]
            if iri.startswith(space) and local.replace("_", "").replace("-", "").isalnum():
                self.used.add(prefix)
                return f"{prefix}:{local}"
        return f"<{iri}>" if "://" in iri else iri


def _iri(value: Value) -> str:
    return value.value if isinstance(value, Iri) else str(value)


# --- A.4 property graphs -----------------------------------------------------------------------


def _graph(schema: GraphSchema, grounding: Grounding, budget: int) -> str:
    linked = [m.place.owner for m in grounding.values] + [e.place.owner for e in grounding.elements]
    lines = ["Node properties:"]
    for node in sorted(schema.nodes, key=lambda n: _first(linked, n.label)):
        lines += _owner(node.label, node)
    rels = [r for r in schema.rels if r.properties]
    if rels:
        lines.append("Relationship properties:")
        for rel in sorted(rels, key=lambda r: _first(linked, r.type)):
            lines += _owner(rel.type, rel)
    tail = ["The relationships:", *_edges(schema, linked, budget // 2), *_linked_values(grounding, "//")]
    room = budget - sum(len(line) for line in tail)
    kept: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    return "\n".join([*kept, *tail])


def _edges(schema: GraphSchema, linked: Sequence[str], room: int) -> list[str]:
    """Edge patterns, those between linked labels and types first, as many as there is room for."""

    def links(edge: Edge) -> int:
        return -sum(name in linked for name in (edge.start, edge.type, edge.end))

    kept: list[str] = []
    for edge in sorted(schema.edges, key=links):
        kept.append(f"(:{_ticked(edge.start)})-[:{_ticked(edge.type)}]->(:{_ticked(edge.end)})")
        room -= len(kept[-1]) + 1
        if room < 0:
            return [*kept, f"... and {len(schema.edges) - len(kept)} more"] if len(kept) < len(schema.edges) else kept
    return kept


def _owner(name: str, owner: NodeType | RelType) -> Iterable[str]:
    yield f"- {_ticked(name)}"
    for prop in owner.properties:
        yield f"  - {_ticked(prop.name)}: {prop.type} {_range(prop)}".rstrip()


def _range(prop: Property) -> str:
    if prop.minimum is not None and not isinstance(prop.minimum, str):
        return f"Min: {_sample(prop.minimum)}, Max: {_sample(prop.maximum)}"
    if prop.distinct and prop.distinct <= OPTIONS and len(prop.samples) >= min(prop.distinct, 6):
        return "Options: " + ", ".join(_sample(s) for s in prop.samples)
    return f"Example: {_sample(prop.samples[0])}" if prop.samples else ""


def _ticked(name: str) -> str:
    plain = name.replace("_", "a").isalnum() and not name[:1].isdigit()
    return name if plain else "`" + name.replace("`", "``") + "`"


# --- shared ------------------------------------------------------------------------------------


def _linked_values(grounding: Grounding, comment: str) -> Iterable[str]:
    values = grounding.values[:LINKED_VALUES]
    if values:
        yield f"{comment} Stored values that the question names:"
        for match in values:
            yield f'{comment}   "{match.term}" is {_sample(match.value)} in {match.place.owner}.{match.place.field}'


def _sample(value: Value) -> str:
    if isinstance(value, Literal):
        return f'"{_cut(value.value)}"' + (f"@{value.lang}" if value.lang else "")
    if isinstance(value, Iri):
        return f"<{value.value}>"
    if isinstance(value, str):
        return "'" + _cut(value).replace("'", "''") + "'"
    return _cut(value.isoformat() if isinstance(value, dt.date | dt.time) else str(to_json(value)))


def _cut(text: str, most: int = 40) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"


def _first(linked: Sequence[str], name: str) -> int:
    """Position of the first link to `name`; what is not linked comes last, in its own order."""
    return linked.index(name) if name in linked else len(linked)
