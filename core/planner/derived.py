"""Attributes that follow from stored dates: the age of who has a date of birth, how long a stay lasted."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

from core.planner.concept import Attribute, Concept, Entity, Form
from core.planner.logical import Field, Logical, Statement
from core.planner.words import stem, stems_of

_BIRTH = stem("birth")
_DEATH = stem("death")
_PAIRS = tuple(
    (stem(start), stem(end))
    for start, end in (
        ("start", "end"), ("begin", "end"), ("admission", "discharge"), ("admitted", "discharged"),
        ("opened", "closed"),
        ("open", "close"), ("from", "to"), ("from", "until"), ("ordered", "shipped"), ("shipped", "delivered"),
        ("shipped", "arrived"), ("departure", "arrival"), ("departed", "arrived"), ("requested", "completed"),
        ("sent", "received"), ("issued", "paid"), ("borrowed", "returned"),
    )
)  # fmt: skip
TODAY = "today"
S = TypeVar("S", bound=Statement)


def with_derived(concept: Concept) -> Concept:
    """The same view, its entity types with what their dates say besides: age, age at death, duration."""
    return replace(concept, entities={i: _derive(e) for i, e in concept.entities.items()})


def _derive(entity: Entity) -> Entity:
    dates = [a for a in entity.attributes if a.form is Form.DATE and not a.native.endswith("gYear")]
    added = [*_ages(entity, dates), *_durations(entity, dates)]
    return replace(entity, attributes=(*entity.attributes, *added)) if added else entity


def _ages(entity: Entity, dates: list[Attribute]) -> Iterator[Attribute]:
    if any("age" in a.words for a in entity.attributes):
        return
    birth = next((a for a in dates if _BIRTH in stems_of(a.words)), None)
    death = next((a for a in dates if _DEATH in stems_of(a.words)), None)
    if birth is not None:
        yield _attribute(entity, ("age",), birth, death.id if death else TODAY, "years")
    if birth is not None and death is not None:
        yield _attribute(entity, ("lifespan",), birth, death.id, "years")


def _durations(entity: Entity, dates: list[Attribute]) -> Iterator[Attribute]:
    if any(set(a.words) & {"duration", "length", "days"} for a in entity.attributes):
        return
    for start in dates:
        for end in dates:
            if any(s in stems_of(start.words) and e in stems_of(end.words) for s, e in _PAIRS) and start is not end:
                yield _attribute(entity, ("duration",), start, end.id, "days")
                return


def _attribute(entity: Entity, words: tuple[str, ...], start: Attribute, end: str, unit: str) -> Attribute:
    return Attribute(f"~{words[0]}", entity.id, words, Form.NUMBER, native="INTEGER", span=(start.id, end, unit))


def attribute_of(field: Field, query: Logical, concept: Concept) -> Attribute:
    """The attribute that a field reads; of a time between two dates a whole number."""
    stored = field if field.since is None else field.since
    attribute = concept.attribute(query.entity_of(stored.var), stored.attribute)
    return attribute if field.since is None else replace(attribute, form=Form.NUMBER, native="INTEGER")


def spelled_out(query: S, concept: Concept) -> S:
    """`query` with every derived attribute as the dates it follows from."""

    def stored(field: Field, entities: Mapping[str, str]) -> Field:
        if not field.attribute.startswith("~"):
            return field
        start, end, unit = concept.attribute(entities[field.var], field.attribute).span
        since = Field(field.var, start)
        if end == TODAY:
            return Field(field.var, "", since=since, unit=unit, until=dt.date.today().isoformat())
        return Field(field.var, end, since=since, unit=unit)

    return cast(S, _rebuilt(query, stored, {}))


def _rebuilt(node: Any, stored: Callable[[Field, Mapping[str, str]], Field], entities: Mapping[str, str]) -> Any:
    if isinstance(node, Field):
        return stored(node, entities)
    if isinstance(node, tuple):
        return tuple(_rebuilt(n, stored, entities) for n in node)
    if not is_dataclass(node) or isinstance(node, type) or not type(node).__module__.endswith(".logical"):
        return node
    if isinstance(node, Logical):
        entities = {v.name: v.entity for v in (*node.vars, *(v for b in (*node.absent, *node.present) for v in b.vars))}
    changed = {f.name: _rebuilt(getattr(node, f.name), stored, entities) for f in fields(node)}
    return replace(node, **changed)
