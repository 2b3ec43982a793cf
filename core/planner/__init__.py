"""Built-in query formulation: one logical query, found by linking, lowered to SQL, SPARQL or Cypher."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from core.errors import CannotLink
from core.planner.assemble import assemble
from core.planner.concept import Concept
from core.planner.coverage import ACTS, check_coverage
from core.planner.cypher import to_cypher
from core.planner.logical import Calculation, Logical, Nested, Op, Statement
from core.planner.mentions import find_mentions
from core.planner.read_intent import read_intent
from core.planner.route import plan_route
from core.planner.sparql import shorten, to_sparql
from core.planner.sql import to_sql
from core.planner.views import concept_of
from core.planner.words import PAST, tokenise
from core.results import Grounding, Language
from core.sources.base import RdfSchema, Source, TextSchema

LOWER: dict[Language, Callable[[Statement, Concept], str]] = {
    Language.SQL: to_sql, Language.SPARQL: to_sparql, Language.CYPHER: to_cypher,
}  # fmt: skip


WIDE = 200
"""Predicates above which an RDF graph is asked around its entities rather than by its schema."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A native query, the logical one it came from, and remarks for the reader."""

    text: str
    logical: Statement | None
    """None for a text source, whose query is the question, and for a query anchored on entities."""
    notes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    """Words of the question that stand for nothing in the source."""


def plan(question: str, source: Source, grounding: Grounding) -> Plan:
    """One native query for `question` on `source`.

    Raises:
        CannotLink: A part of the question is not in the source; the message names it.
        SourceUnavailable: The source can't be described.
    """
    schema = source.describe()
    if isinstance(schema, TextSchema):
        return Plan(question, None)
    if not isinstance(schema, RdfSchema):
        return _by_schema(question, source, grounding)
    wide = len(schema.predicates) > WIDE
    made = _anchored(question, source, grounding) if wide else _by_schema(question, source, grounding)
    return replace(made, text=shorten(made.text, schema.prefixes))


def _anchored(question: str, source: Source, grounding: Grounding) -> Plan:
    from core.planner.entity import plan_by_entities

    text, notes = plan_by_entities(question, source, grounding)
    return Plan(text, None, notes)


_SAID = (
    # "First and last name" are two attributes, each with its whole name.
    (r"\b(first|last)( and |, | or )(first|last) (names?)\b", r"\1 \4\2\3 \4"),
    (r"\bbox[ -]office(?: takings?| gross| revenues?| results?)?\b", "gross"),
    (r"\b(?:running|run|screen) time\b", "runtime"),
    (r"\b(what|which) part( did| does| do)\b", r"\1 role\2"),
)


def _plainly(question: str) -> str:
    """Phrases as schemas write what they mean."""
    for said, meant in _SAID:
        question = re.sub(said, meant, question, flags=re.IGNORECASE)
    return question


def _by_schema(question: str, source: Source, grounding: Grounding) -> Plan:
    concept = concept_of(source.describe())
    tokens = tokenise(_plainly(question))
    mentions = find_mentions(tokens, concept, grounding)
    intent = read_intent(tokens, mentions)
    about = set(re.findall(r"\w+", f"{source.card.title} {source.card.id.replace('_', ' ')}".lower()))
    left_out = check_coverage(tokens, mentions, about)
    told = [
        word for word in left_out if word.lower() not in ACTS | PAST and not word.endswith("ed")
    ]  # what verbs say, the joins say
    notes = (f"Not linked, and left out of the query: {', '.join(told)}.",) if told else ()
    way = plan_route(mentions, intent.skeleton, concept)
    if way:
        return Plan(way, None, notes, left_out)
    try:
        logical = assemble(mentions, intent, concept)
    except ValueError as error:
        raise CannotLink(f"The parts that were linked make no query: {error}") from error
    if left_out and _lists_all(logical):
        raise CannotLink(f"Without {', '.join(left_out)!r} this source could only list all it has.")
    if left_out and _echoes(logical):
        raise CannotLink(f"{', '.join(left_out)!r} stands for nothing in this source, and the rest asks for nothing.")
    return Plan(LOWER[concept.language](logical, concept), logical, notes, left_out)


def _lists_all(logical: Statement) -> bool:
    """Whether a query narrows nothing, sorts nothing and counts nothing."""
    if isinstance(logical, Nested | Calculation):
        return False
    narrows = logical.filters or logical.absent or logical.having or logical.order or logical.hops
    return not (narrows or logical.measures or logical.groups)


def _echoes(logical: Statement) -> bool:
    """Whether only what the question named itself would come back."""
    if isinstance(logical, Nested | Calculation):
        return False
    fixed = {f.on for f in logical.filters if f.op in (Op.EQ, Op.IN) and len(f.values) == 1}
    return not logical.ask and bool(logical.targets) and all(t in fixed for t in logical.targets)
