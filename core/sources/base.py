"""The contract every source meets, and the values it describes itself with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from core.results import Match, NativeQuery, Passage, Returned, SourceCard, Value


@dataclass(frozen=True, slots=True)
class Limits:
    """What one query may use."""

    seconds: float = 15.0
    max_items: int = 10_000
    """Items kept of a result."""
    max_bytes: int = 20_000_000
    """Bytes kept of a result, as its encoded length."""
    max_cell_bytes: int = 1_000_000
    """Bytes kept of one cell."""


# --- SQL ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table or view; `type` is as declared, empty when the engine knows none."""

    name: str
    type: str
    nullable: bool = True
    samples: tuple[Value, ...] = ()
    """A few distinct stored values, most frequent first."""
    distinct: int | None = None
    minimum: Value = None
    maximum: Value = None
    numeric_text: bool = False
    """Declared as text while most values read as numbers."""


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """`columns` of this table refer to `ref_columns` of `ref_table`."""

    columns: tuple[str, ...]
    ref_table: str
    ref_columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table or view."""

    name: str
    columns: tuple[Column, ...]
    primary_key: tuple[str, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    rows: int | None = None
    is_view: bool = False


@dataclass(frozen=True, slots=True)
class SqlSchema:
    """Tables and views of a relational database; `dialect` is sqlglot's name for its SQL."""

    dialect: str
    tables: tuple[Table, ...]


# --- RDF ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RdfClass:
    """A class with the number of its instances."""

    iri: str
    label: str
    count: int
    samples: tuple[str, ...] = ()
    """Labels of a few instances."""


@dataclass(frozen=True, slots=True)
class RdfPredicate:
    """A predicate, what it connects, and a few of its objects."""

    iri: str
    label: str
    count: int
    domains: tuple[str, ...] = ()
    """Class IRIs of its subjects, most frequent first."""
    ranges: tuple[str, ...] = ()
    """Class IRIs of its objects where they are resources, most frequent first."""
    datatype: str | None = None
    """Datatype IRI of its objects where they are literals (rdf:langString for tagged text)."""
    languages: tuple[str, ...] = ()
    samples: tuple[Value, ...] = ()
    description: str = ""
    form: str = ""
    """In a graph of Wikidata's statement form what it is to its property: direct, claim, statement or qualifier."""
    property: str = ""
    """IRI of the property entity that it is a form of."""
    pairs: tuple[tuple[str, str], ...] = ()
    """Class of a subject and class of its object, for those that occur together, most frequent first."""


@dataclass(frozen=True, slots=True)
class RdfSchema:
    """Classes and predicates of an RDF graph, with the conventions its queries need."""

    prefixes: Mapping[str, str]
    """Prefix name to namespace IRI, as queries of this source may use them undeclared."""
    classes: tuple[RdfClass, ...]
    predicates: tuple[RdfPredicate, ...]
    label_predicate: str
    type_predicate: str
    triples: int = 0
    qualifiers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """In Wikidata's statement form: for each p: predicate the pq: predicates of its statements, most frequent first."""


# --- property graphs ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Property:
    """A property key of a node label or relationship type; `type` is the Cypher name, such as INTEGER or DATE."""

    name: str
    type: str
    samples: tuple[Value, ...] = ()
    distinct: int | None = None
    minimum: Value = None
    """Of a list, its length; so is `maximum`."""
    maximum: Value = None


@dataclass(frozen=True, slots=True)
class NodeType:
    """A node label."""

    label: str
    properties: tuple[Property, ...]
    count: int


@dataclass(frozen=True, slots=True)
class RelType:
    """A relationship type."""

    type: str
    properties: tuple[Property, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Edge:
    """(:start)-[:type]->(:end), with how often it occurs."""

    start: str
    type: str
    end: str
    count: int


@dataclass(frozen=True, slots=True)
class GraphSchema:
    """Labels, relationship types and the edges between them."""

    nodes: tuple[NodeType, ...]
    rels: tuple[RelType, ...]
    edges: tuple[Edge, ...]


# --- text --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TextSchema:
    """What a corpus is about (paper, appendix A.1)."""

    passages: int
    topics: tuple[str, ...]
    """Distinctive words and phrases of the corpus, most distinctive first."""
    sample_titles: tuple[str, ...]
    query_type: str = ""
    document_style: str = ""
    sample_passages: tuple[Passage, ...] = ()
    """A few passages from all over the corpus, as they are stored."""


Schema = SqlSchema | RdfSchema | GraphSchema | TextSchema


class Source(Protocol):
    """One knowledge base, reached through its own query language."""

    @property
    def card(self) -> SourceCard:
        """What the source says of itself without being connected to."""
        ...

    @property
    def limits(self) -> Limits:
        """The limits its manifest entry sets, or the defaults."""
        ...

    def check(self) -> str | None:
        """Reach the engine and touch the data; a remark where the source is ready with less than all of it.

        Raises:
            SourceUnavailable: The data is missing, damaged, locked or of another format, or the
                engine can't be reached. The message says which and what to do.
        """
        ...

    def describe(self) -> Schema:
        """Tables, classes, labels or topics, with samples. What c_b is rendered from.

        Raises:
            SourceUnavailable: As for `check`.
        """
        ...

    def probe(self, terms: Sequence[str]) -> list[Match]:
        """Where stored values, labels or entities of this source match `terms`.

        Terms are parts of a question, longest first. Equality after case folding comes before near
        matches. A text source answers with passages (place.owner is the passage id).

        Raises:
            SourceUnavailable: As for `check`.
        """
        ...

    def run(self, query: NativeQuery, limits: Limits | None = None) -> Returned:
        """Execute `query`, read-only, on this source's engine, within `limits` or the source's own.

        Raises:
            QueryRejected: The guard or the engine's parser refused it; nothing ran.
            QueryFailed: The engine reported an error.
            QueryTimedOut: It ran past `limits.seconds` and was really stopped.
            SourceUnavailable: As for `check`.
        """
        ...

    def close(self) -> None:
        """Release connections and leases; the source may be used again afterwards."""
        ...
