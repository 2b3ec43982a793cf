"""The words a source's schema is made of, and where each stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.grounding.terms import words_of
from core.results import Place
from core.sources.base import GraphSchema, RdfSchema, Schema, SqlSchema


@dataclass(frozen=True, slots=True)
class Element:
    """A table, column, class, predicate, label, relationship type or property, with its stemmed words."""

    place: Place
    label: str
    words: tuple[str, ...]


def elements_of(schema: Schema) -> tuple[Element, ...]:
    """Every named element of a schema; none for a corpus."""
    return tuple(Element(place, label, words) for place, label in _named(schema) if (words := words_of(label)))


def _named(schema: Schema) -> Iterator[tuple[Place, str]]:
    match schema:
        case SqlSchema():
            for table in schema.tables:
                yield Place(table.name), table.name
                yield from ((Place(table.name, c.name), c.name) for c in table.columns)
        case RdfSchema():
            yield from ((Place(c.iri), c.label) for c in schema.classes)
            # A property's other forms bear the same label as its direct one.
            named = (p for p in schema.predicates if p.form not in ("claim", "statement"))
            yield from ((Place(next(iter(p.domains), ""), p.iri), p.label) for p in named)
        case GraphSchema():
            for node in schema.nodes:
                yield Place(node.label), node.label
                yield from ((Place(node.label, p.name), p.name) for p in node.properties)
            for rel in schema.rels:
                yield Place(rel.type), rel.type
                yield from ((Place(rel.type, p.name), p.name) for p in rel.properties)


def spelt(identifier: str) -> str:
    """An identifier as one would say it: "unit_cost", "unitCost" and "UNIT_COST" are "unit cost"."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[_\W]+", " ", identifier).strip().lower()
