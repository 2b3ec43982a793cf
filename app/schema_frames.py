"""What a source holds, as tables to read: its parts, and the columns or properties of one part with their values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.plain import plain, short_iri
from core.results import Value
from core.sources.base import (
    Column,
    GraphSchema,
    Property,
    RdfClass,
    RdfPredicate,
    RdfSchema,
    Schema,
    SqlSchema,
    Table,
    TextSchema,
)

SAMPLES = 5
SAMPLE_CHARS = 40


@dataclass(frozen=True, slots=True)
class Part:
    """A table, class, predicate, label or relationship type: its row in the list, and its own rows."""

    name: str
    kind: str
    facts: tuple[object, ...]
    """Cells of its row after name and kind, as `Listing.columns` names them."""
    rows: tuple[tuple[object, ...], ...]
    """Its columns or properties, as `Listing.detail` names their cells."""
    words: str
    """What a search looks through, in lower case."""


@dataclass(frozen=True, slots=True)
class Listing:
    """Everything a schema holds, in the order to show it."""

    noun: str
    """What the parts are called together."""
    columns: tuple[str, ...]
    detail: tuple[str, ...]
    parts: tuple[Part, ...]

    def found(self, words: str) -> tuple[Part, ...]:
        """The parts whose names, or whose columns' names, hold every word of `words`."""
        wanted = words.casefold().split()
        return tuple(p for p in self.parts if all(w in p.words for w in wanted))


def listing_of(schema: Schema) -> Listing | None:
    """The listing of a schema with parts; None for a corpus, which has none."""
    match schema:
        case SqlSchema():
            return _sql(schema)
        case RdfSchema():
            return _rdf(schema)
        case GraphSchema():
            return _graph(schema)
        case TextSchema():
            return None


def _part(name: str, kind: str, facts: Sequence[object], rows: Sequence[tuple[object, ...]], also: str = "") -> Part:
    words = " ".join((name, also, *(str(row[0]) for row in rows))).casefold()
    return Part(name, kind, tuple(facts), tuple(rows), words)


def samples_text(values: Iterable[Value]) -> str:
    """A few stored values on one line."""
    shown = [text if len(text) <= SAMPLE_CHARS else f"{text[: SAMPLE_CHARS - 1]}…" for text in map(plain, values)]
    return " · ".join(shown[:SAMPLES])


def _range(low: Value, high: Value) -> str:
    return "" if low is None and high is None else f"{plain(low)} to {plain(high)}"


# --- SQL ---------------------------------------------------------------------------------------


def _sql(schema: SqlSchema) -> Listing:
    return Listing(
        "tables and views",
        ("rows", "columns", "key", "refers to"),
        ("column", "type", "key", "sample values", "distinct", "from … to"),
        tuple(_table(table) for table in schema.tables),
    )


def _table(table: Table) -> Part:
    refers = ", ".join(dict.fromkeys(key.ref_table for key in table.foreign_keys))
    facts = (table.rows, len(table.columns), ", ".join(table.primary_key), refers)
    targets = {c: key.ref_table for key in table.foreign_keys for c in key.columns}
    rows = [_column(column, table, targets.get(column.name, "")) for column in table.columns]
    return _part(table.name, "view" if table.is_view else "table", facts, rows)


def _column(column: Column, table: Table, target: str) -> tuple[object, ...]:
    key = "primary key" if column.name in table.primary_key else ""
    key = " · ".join(part for part in (key, f"→ {target}" if target else "") if part)
    kind = column.type + (" (numbers as text)" if column.numeric_text else "")
    span = _range(column.minimum, column.maximum)
    return column.name, kind, key, samples_text(column.samples), column.distinct, span


# --- RDF ---------------------------------------------------------------------------------------


def _rdf(schema: RdfSchema) -> Listing:
    names = {c.iri: c.label for c in schema.classes}
    classes = [_class(one, schema, names) for one in schema.classes]
    predicates = [_predicate(one, names) for one in schema.predicates]
    return Listing(
        "classes and predicates",
        ("uses", "from", "to", "sample values", "IRI"),
        ("predicate", "uses", "to", "sample values"),
        (*classes, *predicates),
    )


def _class(one: RdfClass, schema: RdfSchema, names: dict[str, str]) -> Part:
    own = [p for p in schema.predicates if one.iri in p.domains]
    rows = [(p.label, p.count, _target(p, names), samples_text(p.samples)) for p in own]
    return _part(one.label, "class", (one.count, "", "", " · ".join(one.samples[:SAMPLES]), one.iri), rows, one.iri)


def _predicate(one: RdfPredicate, names: dict[str, str]) -> Part:
    origin = ", ".join(names.get(d, short_iri(d)) for d in one.domains[:3])
    facts = (one.count, origin, _target(one, names), samples_text(one.samples), one.iri)
    kind = f"{one.form} predicate" if one.form else "predicate"
    return _part(one.label, kind, facts, (), one.iri)


def _target(one: RdfPredicate, names: dict[str, str]) -> str:
    if one.ranges:
        return ", ".join(names.get(r, short_iri(r)) for r in one.ranges[:3])
    kind = short_iri(one.datatype) if one.datatype else ""
    return f"{kind} ({', '.join(one.languages[:4])})" if one.languages else kind


# --- property graphs ---------------------------------------------------------------------------


def _graph(schema: GraphSchema) -> Listing:
    labels = []
    for node in schema.nodes:
        out = [f"—{e.type}→ {e.end}" for e in schema.edges if e.start == node.label]
        into = [f"←{e.type}— {e.start}" for e in schema.edges if e.end == node.label]
        facts = (node.count, len(node.properties), ", ".join(dict.fromkeys([*out, *into])))
        labels.append(_part(node.label, "label", facts, [_property(p) for p in node.properties]))
    types = []
    for rel in schema.rels:
        ends = ", ".join(f"{e.start} → {e.end}" for e in schema.edges if e.type == rel.type)
        rows = [_property(p) for p in rel.properties]
        types.append(_part(rel.type, "relationship", (rel.count, len(rel.properties), ends), rows))
    return Listing(
        "labels and relationship types",
        ("uses", "properties", "joins"),
        ("property", "type", "sample values", "distinct", "from … to"),
        (*labels, *types),
    )


def _property(one: Property) -> tuple[object, ...]:
    span = _range(one.minimum, one.maximum)
    return one.name, one.type, samples_text(one.samples), one.distinct, span
