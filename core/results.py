"""Frozen values that pass between the four operations.

Everything here is immutable and free of engine libraries, so a trace can be kept, compared,
written to disk and read back without the engine that made it.
"""

from __future__ import annotations

import datetime as dt
import decimal
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType


class Kind(StrEnum):
    """The form of a source's data."""

    TEXT = "text"
    SQL = "sql"
    RDF = "rdf"
    GRAPH = "graph"
    SPATIAL = "spatial"
    IMAGE = "image"


class Language(StrEnum):
    """The language a source is asked in."""

    TEXT = "text"
    SQL = "sql"
    SPARQL = "sparql"
    CYPHER = "cypher"


class Origin(StrEnum):
    """Who wrote a query."""

    GENERATED = "generated"
    EDITED = "edited"
    REPAIRED = "repaired"
    GIVEN = "given"


class Stage(StrEnum):
    """The four operations of the paper (section 2)."""

    SELECT = "select"
    FORMULATE = "formulate"
    EXECUTE = "execute"
    EVIDENCE = "evidence"


class Outcome(StrEnum):
    """How a question ended."""

    ANSWERED = "answered"
    NO_SOURCE = "no_source"
    NOTHING_ANSWERS = "nothing_answers"
    FAILED = "failed"


class Status(StrEnum):
    """Whether a registered source can be asked."""

    READY = "ready"
    ERROR = "error"
    DISABLED = "disabled"


# --- native values -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Iri:
    """An RDF resource."""

    value: str


@dataclass(frozen=True, slots=True)
class Literal:
    """An RDF literal, with its lexical form untouched."""

    value: str
    lang: str | None = None
    datatype: str | None = None


@dataclass(frozen=True, slots=True)
class Bnode:
    """A blank node; its name means something within one result only."""

    value: str


@dataclass(frozen=True, slots=True)
class Point:
    """A coordinate as a property graph stores it: x, y (and z) in the order of its reference system."""

    coordinates: tuple[float, ...]
    srid: int


@dataclass(frozen=True, slots=True)
class Duration:
    """A temporal amount that no single Python unit can hold."""

    months: int
    days: int
    seconds: int
    nanoseconds: int


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a property graph."""

    id: str
    labels: tuple[str, ...]
    props: Mapping[str, Value]

    def __hash__(self) -> int:
        return hash(self.id)


@dataclass(frozen=True, slots=True)
class Rel:
    """A directed relationship of a property graph; `start` and `end` are node ids."""

    id: str
    type: str
    start: str
    end: str
    props: Mapping[str, Value]

    def __hash__(self) -> int:
        return hash(self.id)


@dataclass(frozen=True, slots=True)
class Path:
    """An alternation of nodes and relationships; `len(nodes) == len(rels) + 1`."""

    nodes: tuple[Node, ...]
    rels: tuple[Rel, ...]


Term = Iri | Literal | Bnode
Scalar = (
    None | bool | int | float | str | bytes | decimal.Decimal | dt.date | dt.datetime | dt.time
    | dt.timedelta | Duration | Point
)  # fmt: skip
Value = Scalar | Term | Node | Rel | Path | tuple["Value", ...] | Mapping[str, "Value"]


def term_text(value: Value) -> str:
    """The IRI of a resource or the lexical form of a literal; any other value as text."""
    return value.value if isinstance(value, Iri | Literal) else str(value)


# --- payloads ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rows:
    """A table: a SQL result, a SPARQL SELECT, or tabular Cypher."""

    columns: tuple[str, ...]
    items: tuple[tuple[Value, ...], ...]


@dataclass(frozen=True, slots=True)
class Triples:
    """An RDF graph: the result of CONSTRUCT or DESCRIBE."""

    items: tuple[tuple[Term, Term, Term], ...]


@dataclass(frozen=True, slots=True)
class Paths:
    """A Cypher result whose every column is a path or a relationship."""

    columns: tuple[str, ...]
    items: tuple[tuple[Path | Rel, ...], ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk of text from a corpus, with the score its retriever gave it."""

    id: str
    title: str
    text: str
    score: float
    similarity: float | None = None
    """Cosine of the query with the passage's nearest part; None where no encoder was used."""


@dataclass(frozen=True, slots=True)
class Passages:
    """Passages, best first."""

    items: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Truth:
    """Yes or no: a SPARQL ASK."""

    value: bool

    @property
    def items(self) -> tuple[bool, ...]:
        """The one value, so that every payload can be walked the same way."""
        return (self.value,)


Payload = Rows | Triples | Paths | Passages | Truth


def payload_kind(payload: Payload) -> str:
    """The payload's name in the JSON contract: rows, triples, paths, passages or truth."""
    return type(payload).__name__.lower()


# --- sources -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SourceCard:
    """What a source says of itself without being connected to."""

    id: str
    kind: Kind
    engine: str
    language: Language
    title: str
    descriptor: str
    examples: tuple[str, ...] = ()
    query_type: str = ""
    document_style: str = ""
    size: str = ""
    samples: str = ""
    """Path of a file of answered questions that may be shown to a model as examples."""
    summary: str = ""
    """What a structured source holds, in a line, once its schema has been read."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A source picked for a question; ranks count from 1, scores compare within one question."""

    source_id: str
    rank: int
    score: float
    reason: str


# --- grounding ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands in a source.

    `owner` is a table, class IRI or node label (a relationship type for its properties);
    `field` is a column, predicate IRI or property key, empty when the place is the owner itself.
    """

    owner: str
    field: str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """A stored value or entity of a source that a part of the question names."""

    term: str
    """The part of the question."""
    value: Value
    """The value as the engine stores it; for RDF the entity's `Iri`, or a `Literal`."""
    label: str
    place: Place
    score: float
    """1.0 for equality after case folding and white space; less for a near match."""
    description: str = ""

    @property
    def iri(self) -> str:
        """The IRI of a linked entity; any other value as text."""
        return term_text(self.value)


@dataclass(frozen=True, slots=True)
class SchemaLink:
    """A schema element that a part of the question names."""

    term: str
    place: Place
    label: str
    score: float


@dataclass(frozen=True, slots=True)
class Grounding:
    """What links a question to one source."""

    source_id: str
    values: tuple[Match, ...] = ()
    elements: tuple[SchemaLink, ...] = ()
    entities: tuple[Match, ...] = ()
    """Linked topic entities of an RDF source."""
    predicates: Mapping[str, tuple[SchemaLink, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """For each topic entity's IRI, its candidate predicates, best first (paper, appendix A.3)."""


# --- queries and what became of them -----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NativeQuery:
    """A query in the source's own language, exactly as its engine receives it."""

    source_id: str
    language: Language
    text: str
    origin: Origin
    left_out: tuple[str, ...] = ()
    """Words of the question that a written query does not use, as far as its writer tells."""
    part: str = ""
    """The part of a question of several that it asks; empty for the whole."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a stage lost a source: `kind` is the error class' stable name, `message` says what to do."""

    stage: Stage
    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """One query that was written for a source and what became of it."""

    query: NativeQuery
    error: Fault | None
    elapsed: float
    """Seconds in the engine."""


@dataclass(frozen=True, slots=True)
class Returned:
    """An engine answered. An empty payload is an answer, not a failure."""

    query: NativeQuery
    payload: Payload
    truncated: bool
    """True when the engine had more than the limits allow to keep."""
    elapsed: float
    """Seconds."""
    notes: tuple[str, ...] = ()
    """Quiet remarks for the reader, such as an added prefix or a cut cell."""
    doubtful: bool = False
    """True when nothing was found and `notes` name something in the query that may be why."""

    @property
    def source_id(self) -> str:
        """The source that answered."""
        return self.query.source_id


@dataclass(frozen=True, slots=True)
class Failed:
    """A candidate that produced no result, and the stage that lost it."""

    source_id: str
    stage: Stage
    kind: str
    message: str
    query: NativeQuery | None
    """None when no query could be written."""
    elapsed: float = 0.0


ExecutionResult = Returned | Failed


@dataclass(frozen=True, slots=True)
class EvidenceItem:
    """One item of a source's payload; `position` counts from 0 in `payload.items`."""

    position: int
    value: Value | Passage | tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was kept of one source's result."""

    source_id: str
    items: tuple[EvidenceItem, ...]
    reason: str


# --- the model and the trace -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One exchange with a model: what was sent, what came back, what it cost."""

    stage: Stage
    source_id: str | None
    model: str
    messages: tuple[tuple[str, str], ...]
    """(role, content), secrets masked."""
    reply: str
    """The raw reply, before any extraction; empty when the call failed."""
    prompt_tokens: int | None
    completion_tokens: int | None
    cost_usd: float | None
    """None when the model's price is unknown."""
    elapsed: float
    error: str = ""


@dataclass(frozen=True, slots=True)
class Timings:
    """Wall time of each stage, in seconds; formulate and execute overlap between sources."""

    select: float = 0.0
    formulate: float = 0.0
    execute: float = 0.0
    evidence: float = 0.0
    total: float = 0.0


STOPPED = "You stopped this."
"""How the reason of a trace begins when the person stopped the question before it was done."""


@dataclass(frozen=True, slots=True)
class Trace:
    """One question, start to finish. The UI, the run log and the metrics read this."""

    question: str
    method: str
    backbone: str
    selector: str
    outcome: Outcome
    reason: str
    candidates: tuple[Candidate, ...]
    groundings: tuple[Grounding, ...]
    contexts: tuple[tuple[str, str], ...]
    """(source_id, the context c_b as the formulator read it); empty texts for the built-in planner."""
    attempts: tuple[Attempt, ...]
    results: tuple[ExecutionResult, ...]
    """In the order of the candidates."""
    evidence: tuple[Evidence, ...]
    timings: Timings
    calls: tuple[ModelCall, ...]
    notes: tuple[str, ...] = ()
    confidence: float | None = None
    """That the first candidate holds the answer, 0 to 1; None where nobody can tell, as when a model chose."""
    margin: float | None = None
    """How far the second source of the ranking lies behind the first, in scores."""

    def result_of(self, source_id: str) -> ExecutionResult | None:
        """What came of one candidate, if it was one."""
        return next((r for r in self.results if r.source_id == source_id), None)

    def attempts_of(self, source_id: str) -> tuple[Attempt, ...]:
        """Every query written for one source, oldest first."""
        return tuple(a for a in self.attempts if a.query.source_id == source_id)
