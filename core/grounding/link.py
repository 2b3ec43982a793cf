"""Links a question to one source: stored values, schema elements, and topic entities with their predicates."""

from __future__ import annotations

from collections.abc import Sequence

from core.grounding.entities import rank_entities, rank_predicates
from core.grounding.terms import STOP, content_words, phrases, tokens
from core.grounding.vocabulary import Element, elements_of
from core.results import Grounding, Iri, Kind, Match, SchemaLink
from core.settings import Settings
from core.sources.base import RdfSchema, Source
from core.sources.values import fold

MOST_VALUES = 60
NEAR = 0.93
"""A value found by a near spelling or one word gives way to an exact one for an overlapping term."""


def ground(question: str, source: Source, settings: Settings | None = None) -> Grounding:
    """What the question names in `source`.

    Values are ordered by length of the term, then by score; alternatives for one term are kept side by side.

    Raises:
        SourceUnavailable: The source can't be reached.
    """
    settings = settings or Settings.load()
    schema = source.describe()
    if source.card.kind is Kind.TEXT:
        return Grounding(source.card.id, values=tuple(source.probe(phrases(question)))[:MOST_VALUES])
    matches = [m for m in prune(source.probe(phrases(question))) if m.score >= NEAR or _reads_as_name(m.term, question)]
    elements = link_elements(question, elements_of(schema))
    if not isinstance(schema, RdfSchema):
        return Grounding(source.card.id, values=tuple(matches)[:MOST_VALUES], elements=elements)
    entities = rank_entities(matches, source)
    literals = tuple(m for m in matches if not isinstance(m.value, Iri))
    predicates = rank_predicates(question, entities, source, schema, settings)
    return Grounding(source.card.id, literals[:MOST_VALUES], elements, entities, predicates)


def _reads_as_name(term: str, question: str) -> bool:
    """Whether a near match may be meant: its term has a capital, or the question is written without any."""
    return any(c.isupper() for c in term) or not any(c.isupper() for c in question[1:])


def prune(matches: Sequence[Match]) -> list[Match]:
    """Matches without those inside a longer exact one, longest terms first, equal stored values once."""
    exact = {fold(m.term) for m in matches if m.score >= NEAR}
    kept: list[Match] = []
    seen: set[tuple[str, str, str, str]] = set()
    for match in sorted(matches, key=lambda m: (-len(fold(m.term).split()), -m.score)):
        term = fold(match.term)
        inside = any(term != other and f" {term} " in f" {other} " for other in exact)
        weak = match.score < NEAR and any(_overlap(term, other) for other in exact)
        key = (term, str(match.value), match.place.owner, match.place.field)
        if not inside and not weak and key not in seen:
            seen.add(key)
            kept.append(match)
    return kept


def _overlap(left: str, right: str) -> bool:
    return bool(set(left.split()) & set(right.split()) - STOP)


def link_elements(question: str, elements: Sequence[Element]) -> tuple[SchemaLink, ...]:
    """Schema elements some word of which the question has; score is the share of the element's words, best first."""
    own = set(content_words(question))
    spoken = {w: t for t in tokens(question) for w in content_words(t)}
    links = []
    for element in elements:
        shared = [w for w in dict.fromkeys(element.words) if w in own]
        if shared:
            term = " ".join(spoken.get(w, w) for w in shared)
            links.append(SchemaLink(term, element.place, element.label, len(shared) / len(set(element.words))))
    return tuple(sorted(links, key=lambda link: (-link.score, link.place.owner, link.place.field)))
