"""The conceptual view of each kind of schema."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable

from core.planner.concept import Attribute, Concept, Edge, Entity, Form, naming_attributes, touching
from core.planner.derived import with_derived
from core.planner.units import DURATION
from core.planner.words import parts, stems_of
from core.results import Language, Literal, Point, Value
from core.sources.base import Column, GraphSchema, Property, RdfPredicate, RdfSchema, Schema, SqlSchema, Table

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}([T ].*)?$")
_NUMBER = re.compile(r"[-+]?\d[\d,]*(\.\d+)?$")
_KEY_WORDS = {"id", "code", "key", "uuid", "number"}
_META = (
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "http://www.w3.org/2000/01/rdf-schema#",
    "http://www.w3.org/2002/07/owl#",
)
OF_A_ROLE = 1.15
"""Cost of a foreign key that names a role, such as the head of a department, where the question does not."""
_XSD = "http://www.w3.org/2001/XMLSchema#"


def concept_of(schema: Schema) -> Concept:
    """The conceptual view of `schema`.

    Raises:
        TypeError: It is a text schema, which has no entity types.
    """
    if isinstance(schema, SqlSchema):
        return with_derived(_sql_view(schema))
    if isinstance(schema, RdfSchema):
        return with_derived(_rdf_view(schema))
    if isinstance(schema, GraphSchema):
        return with_derived(_graph_view(schema))
    raise TypeError("A text source has no entity types.")


# --- SQL ---------------------------------------------------------------------------------------


def _sql_view(schema: SqlSchema) -> Concept:
    entities = {t.name: _table_entity(t) for t in schema.tables}
    edges: dict[str, Edge] = {}
    for table in schema.tables:
        for number, key in enumerate(table.foreign_keys):
            target = next((t.name for t in schema.tables if t.name.lower() == key.ref_table.lower()), None)
            if target is None:
                continue
            pairs = tuple(zip(key.columns, key.ref_columns or entities[target].keys, strict=False))
            pairs = tuple((_spelt(entities[table.name], a), _spelt(entities[target], b)) for a, b in pairs)
            edge_id = f"{table.name}.{'+'.join(key.columns)}>{target}#{number}"
            roles = _roles(key.columns, entities[target].words)
            cost = OF_A_ROLE if roles else 1.0
            edges[edge_id] = Edge(edge_id, table.name, target, roles, pairs, cost=cost)
    for edge in _implied(schema, entities, edges):
        edges[edge.id] = edge
    return Concept(Language.SQL, entities, edges, schema.dialect, around=touching(edges))


def _spelt(entity: Entity, column: str) -> str:
    return next((a.id for a in entity.attributes if a.id.lower() == column.lower()), column)


def _table_entity(table: Table) -> Entity:
    referring = {c.lower() for key in table.foreign_keys for c in key.columns}
    keys = set(table.primary_key)
    attributes = tuple(
        Attribute(
            c.name, table.name, parts(c.name) or (c.name.lower(),), _column_form(c), c.samples, c.distinct,
            c.name in keys or c.name.lower() in referring or parts(c.name)[-1:] == ("id",), c.type,
        )
        for c in table.columns
    )  # fmt: skip
    words = _entity_words(table.name)
    own = [a for a in attributes if a.id.lower() not in referring]
    link = len(table.foreign_keys) >= 2 and not any(a.words[-1:] == ("name",) for a in own) and len(own) <= 4
    names = naming_attributes(words, attributes)
    return Entity(table.name, words, attributes, names, table.primary_key, link, table.rows or 0, table.name)


def _entity_words(name: str) -> tuple[str, ...]:
    words = parts(name)
    trimmed = tuple(w for w in words if w not in {"ref", "tbl", "table", "tb", "dim", "fact", "vw", "view"})
    return trimmed or words or (name.lower(),)


def _column_form(column: Column) -> Form:
    declared = column.type.upper()
    if column.numeric_text:
        return Form.NUMERIC_TEXT
    if any(w in declared for w in ("DATE", "TIME")) or _all(column.samples, _DATE):
        return Form.DATE
    if "BOOL" in declared or declared == "BIT":
        return Form.BOOL
    if any(w in declared for w in ("INT", "REAL", "NUM", "DEC", "FLOA", "DOUB", "YEAR", "MONEY")):
        return Form.NUMBER
    if column.samples and all(isinstance(s, int | float) and not isinstance(s, bool) for s in column.samples):
        return Form.NUMBER
    return Form.TEXT


def _all(samples: Iterable[Value], pattern: re.Pattern[str]) -> bool:
    texts = [s for s in samples if s is not None]
    return bool(texts) and all(isinstance(s, str) and bool(pattern.match(s)) for s in texts)


def _roles(columns: tuple[str, ...], target: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    words = tuple(w for w in parts(columns[0]) if w not in {"id", "code", "key", "by", "fk"})
    # run_id names no role where it leads to ambulance_run, and head_staff_id names a head where it leads to staff.
    known = set(stems_of(target))
    words = tuple(w for w, one in zip(words, stems_of(words), strict=True) if one not in known)
    return (words,) if words else ()


def _implied(schema: SqlSchema, entities: dict[str, Entity], known: dict[str, Edge]) -> Iterable[Edge]:
    joined = {frozenset((e.source, e.target)) for e in known.values()}
    for owner in schema.tables:
        if len(owner.primary_key) != 1:
            continue
        key = owner.primary_key[0].lower()
        if key in {"id", "name", "code", "title", "year", "date"}:
            continue
        for table in schema.tables:
            pair = frozenset((table.name, owner.name))
            column = next((c.name for c in table.columns if c.name.lower() == key), None)
            if table.name == owner.name or column is None or pair in joined or table.is_view:
                continue
            edge_id = f"{table.name}.{column}~{owner.name}"
            yield Edge(
                edge_id, table.name, owner.name, (), ((column, _spelt(entities[owner.name], key)),), cost=1.6
            )  # fmt: skip


# --- RDF ---------------------------------------------------------------------------------------


def _rdf_view(schema: RdfSchema) -> Concept:
    classes = [c for c in schema.classes if not c.iri.startswith(_META)]
    attributes: dict[str, list[Attribute]] = {c.iri: [] for c in classes}
    edges: dict[str, Edge] = {}
    for predicate in schema.predicates:
        if predicate.iri in (schema.type_predicate, schema.label_predicate):
            continue
        for domain in predicate.domains:
            if domain not in attributes:
                continue
            for target in predicate.ranges:
                if target in attributes and (not predicate.pairs or (domain, target) in predicate.pairs):
                    edge_id = f"{domain} {predicate.iri} {target}"
                    edges[edge_id] = Edge(
                        edge_id, domain, target, (parts(predicate.label or _local(predicate.iri)),),
                        native=predicate.iri, many=True,
                    )  # fmt: skip
            if not any(r in attributes for r in predicate.ranges):
                attributes[domain].append(_predicate_attribute(predicate, domain))
    entities = {}
    for one in classes:
        label = Attribute(schema.label_predicate, one.iri, ("name",), Form.TEXT, one.samples, tagged=True)
        words = parts(one.label or _local(one.iri))
        entities[one.iri] = Entity(
            one.iri, words, (label, *attributes[one.iri]), (schema.label_predicate,), (), False, one.count, one.iri
        )
    return Concept(
        Language.SPARQL, entities, edges, "", schema.label_predicate, schema.type_predicate, touching(edges)
    )  # fmt: skip


def _local(iri: str) -> str:
    return re.split(r"[#/:]", iri.rstrip("#/"))[-1]


def _predicate_attribute(predicate: RdfPredicate, owner: str) -> Attribute:
    datatype = predicate.datatype or ""
    samples = tuple(s.value if isinstance(s, Literal) else s for s in predicate.samples)
    return Attribute(
        predicate.iri, owner, parts(predicate.label or _local(predicate.iri)), _literal_form(datatype, samples),
        samples, native=datatype, tagged=datatype.endswith("langString") or bool(predicate.languages),
    )  # fmt: skip


def _literal_form(datatype: str, samples: tuple[Value, ...]) -> Form:
    local = datatype.removeprefix(_XSD)
    if local in {"date", "dateTime", "gYear", "gYearMonth"}:
        return Form.DATE
    if local == "boolean":
        return Form.BOOL
    if local in {"decimal", "double", "float"} or local.lower().endswith(("integer", "int", "long", "short")):
        return Form.NUMBER
    return Form.NUMERIC_TEXT if _all(samples, _NUMBER) else Form.TEXT


# --- property graphs ---------------------------------------------------------------------------


def _graph_view(schema: GraphSchema) -> Concept:
    entities: dict[str, Entity] = {}
    for node in schema.nodes:
        words = parts(node.label)
        attributes = tuple(_property(p, node.label, words) for p in node.properties)
        entities[node.label] = Entity(
            node.label, words, attributes, naming_attributes(words, attributes), (), False, node.count, node.label
        )
    properties = {r.type: r.properties for r in schema.rels}
    edges: dict[str, Edge] = {}
    for edge in schema.edges:
        if edge.start not in entities or edge.end not in entities:
            continue
        link_id = f"{edge.start}|{edge.type}|{edge.end}"
        words = parts(edge.type)
        attributes = tuple(_property(p, link_id, words) for p in properties.get(edge.type, ()))
        entities[link_id] = Entity(link_id, words, attributes, (), (), True, edge.count, edge.type)
        for end, label in (("start", edge.start), ("end", edge.end)):
            edge_id = f"{link_id}.{end}"
            edges[edge_id] = Edge(edge_id, link_id, label, (), native=end, cost=0.5)
    return Concept(Language.CYPHER, entities, edges, around=touching(edges))


def _property(item: Property, owner: str, owner_words: tuple[str, ...]) -> Attribute:
    words = parts(item.name) or (item.name.lower(),)
    key = words[-1:] in (("id",), ("uuid",))
    return Attribute(item.name, owner, words, _property_form(item), item.samples, item.distinct, key, item.type)


def _property_form(item: Property) -> Form:
    native = item.type.upper()
    if any(w in native for w in ("DATE", "TIME")):
        return Form.DATE
    if "INT" in native or "FLOAT" in native or native == DURATION:
        return Form.NUMBER
    if "BOOL" in native:
        return Form.BOOL
    if _all(item.samples, _DATE):
        return Form.DATE
    if item.samples and all(isinstance(s, dt.date | dt.datetime) for s in item.samples):
        return Form.DATE
    if any(isinstance(s, Point) for s in item.samples):
        return Form.TEXT
    return Form.NUMERIC_TEXT if _all(item.samples, _NUMBER) else Form.TEXT
