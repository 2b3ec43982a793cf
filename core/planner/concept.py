"""One conceptual view of tables, classes and labels: entity types, attributes and the edges between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from core.planner.words import stems_of
from core.results import Language, Value


class Form(StrEnum):
    """What an attribute's values read as."""

    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    BOOL = "bool"
    NUMERIC_TEXT = "numeric text"


@dataclass(frozen=True, slots=True)
class Attribute:
    """A column, literal predicate or property key."""

    id: str
    owner: str
    words: tuple[str, ...]
    form: Form
    samples: tuple[Value, ...] = ()
    distinct: int | None = None
    key: bool = False
    """True when it identifies its owner or refers to another entity."""
    native: str = ""
    """The native type: the declared type, datatype IRI, or Cypher type name."""
    tagged: bool = False
    """True for text with language tags."""
    span: tuple[str, str, str] = ("", "", "")
    """For one that is not stored: the dates it lies between, and the unit."""


@dataclass(frozen=True, slots=True)
class Entity:
    """A table, class or node label; or a relationship type, seen as the thing that joins two others."""

    id: str
    words: tuple[str, ...]
    attributes: tuple[Attribute, ...]
    names: tuple[str, ...] = ()
    """Attributes that name an instance to a reader, such as first and last name."""
    keys: tuple[str, ...] = ()
    link: bool = False
    """True for what exists to join two other entity types."""
    count: int = 0
    native: str = ""
    """The table name, class IRI, label or relationship type."""

    def attribute(self, attribute_id: str) -> Attribute:
        """The attribute of this id."""
        return next(a for a in self.attributes if a.id == attribute_id)

    def has(self, attribute_id: str) -> bool:
        """Whether there is an attribute of this id."""
        return any(a.id == attribute_id for a in self.attributes)


@dataclass(frozen=True, slots=True)
class Edge:
    """A foreign key, an object predicate, or one end of a relationship type."""

    id: str
    source: str
    target: str
    words: tuple[tuple[str, ...], ...]
    """Readable names: the role of the target for the source."""
    columns: tuple[tuple[str, str], ...] = ()
    """Column pairs of a foreign key."""
    native: str = ""
    """The predicate IRI, or start or end."""
    many: bool = False
    """True when one source may have several targets."""
    cost: float = 1.0


@dataclass(frozen=True, slots=True)
class Concept:
    """The conceptual view of one source."""

    language: Language
    entities: Mapping[str, Entity]
    edges: Mapping[str, Edge]
    dialect: str = ""
    label_predicate: str = ""
    type_predicate: str = ""
    around: Mapping[str, tuple[Edge, ...]] = field(default_factory=dict)
    """Edges by the entity types they touch."""

    def attributes(self) -> Iterator[Attribute]:
        """Every attribute of every entity type."""
        for entity in self.entities.values():
            yield from entity.attributes

    def attribute(self, entity_id: str, attribute_id: str) -> Attribute:
        """One attribute of one entity type."""
        return self.entities[entity_id].attribute(attribute_id)


def touching(edges: Mapping[str, Edge]) -> dict[str, tuple[Edge, ...]]:
    """Edges by the entity types at their ends."""
    around: dict[str, list[Edge]] = {}
    for edge in edges.values():
        around.setdefault(edge.source, []).append(edge)
        if edge.target != edge.source:
            around.setdefault(edge.target, []).append(edge)
    return {k: tuple(v) for k, v in around.items()}


_NAMING = {
    ("name",): 10.0, ("title",): 9.5, ("full", "name"): 9.7, ("label",): 9.0, ("display", "name"): 9.6,
    ("company", "name"): 9.2, ("text",): 2.0, ("ip",): 4.0, ("description",): 4.5,
    ("first", "name"): 6.0, ("last", "name"): 6.0,
}  # fmt: skip


def naming_attributes(owner: tuple[str, ...], attributes: tuple[Attribute, ...]) -> tuple[str, ...]:
    """The attributes that name an instance of `owner`, best first; first and last name go together."""
    own = stems_of(owner)
    scored: list[tuple[float, int, Attribute]] = []
    for position, attribute in enumerate(attributes):
        scored.append((_naming_score(own, attribute), -position, attribute))
    scored.sort(key=lambda s: (s[0], s[1]), reverse=True)
    if not scored or scored[0][0] <= 0:
        return ()
    best = scored[0][2]
    pair = tuple(a.id for a in attributes if a.words in (("first", "name"), ("last", "name")))
    if len(pair) == 2 and scored[0][0] < _NAMING["name",]:
        return pair  # a patient's own names, and not their doctor's
    if best.words[-2:] in (("first", "name"), ("last", "name")):
        return tuple(a.id for a in attributes if a.words[-2:] in (("first", "name"), ("last", "name")))[:2]
    return (best.id,)


def _naming_score(own: tuple[str, ...], attribute: Attribute) -> float:
    words = attribute.words
    if attribute.form not in (Form.TEXT, Form.NUMERIC_TEXT):
        return 0.5 if words == ("id",) else 0.0
    rest = words[len(own) :] if stems_of(words[: len(own)]) == own else words
    if own and stems_of(words) == own:
        return 8.0
    if rest in _NAMING:
        return _NAMING[rest] + (0.1 if rest is not words else 0)
    if words[-1:] == ("name",):
        return 7.0 if not attribute.key else 6.5
    if words[-1:] == ("title",):
        return 5.5
    return 1.0 if not attribute.key else 0.8
