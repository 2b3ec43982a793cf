"""Links a question to one source: stored values, schema elements, and topic entities with their predicates."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.errors import OmniError
from core.grounding.aliases import probe_names
from core.grounding.cues import cued
from core.grounding.entities import rank_entities, rank_predicates
from core.grounding.terms import STOP, content_words, phrases, tokens
from core.grounding.vectors import kept_vectors
from core.grounding.vocabulary import Element, elements_of, spelt
from core.results import Grounding, Iri, Kind, Match, SchemaLink
from core.settings import Settings
from core.sources.base import RdfSchema, Source
from core.sources.encoder import encode
from core.sources.values import fold

MOST_VALUES = 60
IMPLIED = 0.5
"""What a schema word counts that the question implies, where one that it has counts 1."""
MEANT = 0.6
"""What a link by meaning counts, times its cosine."""
NEAR_MEANING = 0.5
CLOSE_BEHIND = 0.03
WIDEST_SCHEMA = 400
"""Names of a schema that are compared by meaning; a wider one is linked by its entities' own predicates."""
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
    found = as_written(prune(probe_names(question, source)), question)
    matches = [m for m in found if m.score >= NEAR or opens_with(m) or _reads_as_name(m.term, question)]
    elements = _elements(question, elements_of(schema), matches, settings)
    if not isinstance(schema, RdfSchema):
        return Grounding(source.card.id, values=tuple(matches)[:MOST_VALUES], elements=elements)
    entities = rank_entities(matches, source)
    literals = tuple(m for m in matches if not isinstance(m.value, Iri))
    predicates = rank_predicates(question, entities, source, schema, settings)
    return Grounding(source.card.id, literals[:MOST_VALUES], elements, entities, predicates)


def _elements(
    question: str, elements: Sequence[Element], matches: Sequence[Match], settings: Settings
) -> tuple[SchemaLink, ...]:
    named = link_elements(question, elements)
    linked = [*(link.term for link in named), *(m.term for m in matches)]
    return (*named, *link_by_meaning(question, elements, linked, settings))


def opens_with(match: Match) -> bool:
    """Whether the stored value begins with the term as a whole word: asthma, for "Asthma, unspecified"."""
    return f"{fold(match.label)} ".startswith(f"{fold(match.term)} ")


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
        if term.isdigit() and match.score < 1.0 and not match.label.startswith(f"{term}-"):
            continue  # a year is part of a date, and of no name
        inside = any(term != other and f" {term} " in f" {other} " for other in exact)
        weak = match.score < NEAR and any(_overlap(term, other) for other in exact)
        key = (term, str(match.value), match.place.owner, match.place.field)
        if not inside and not weak and key not in seen:
            seen.add(key)
            kept.append(match)
    return kept


def as_written(matches: Sequence[Match], question: str) -> list[Match]:
    """Matches without those that only a sign tells from one the question writes out: O+ where it says O-."""

    def written(match: Match) -> bool:
        return bool(re.search(rf"(?<![\w+#-]){re.escape(match.label)}(?![\w+#-])", question, re.IGNORECASE))

    exact = {(fold(m.label), m.place) for m in matches if not m.label.isalnum() and written(m)}
    return [m for m in matches if (fold(m.label), m.place) not in exact or written(m)]


def _overlap(left: str, right: str) -> bool:
    return bool(set(left.split()) & set(right.split()) - STOP)


def link_elements(question: str, elements: Sequence[Element]) -> tuple[SchemaLink, ...]:
    """Schema elements that the question names, or implies, best first.

    The score is the share of the element's words that the question has; a word that is only implied
    ("how old" for a date of birth) counts for less.
    """
    implied = cued(question)
    spoken = {w: t for t in reversed(tokens(question)) for w in content_words(t)}
    links = []
    for element in elements:
        words = dict.fromkeys(element.words)
        weights = {w: 1.0 if w in spoken else IMPLIED for w in words if w in spoken or w in implied}
        if weights:
            term = " ".join(dict.fromkeys(spoken.get(w) or implied[w] for w in weights))
            links.append(SchemaLink(term, element.place, element.label, sum(weights.values()) / len(words)))
    return _best_first(links)


def link_by_meaning(
    question: str, elements: Sequence[Element], linked: Sequence[str], settings: Settings
) -> tuple[SchemaLink, ...]:
    """For each word of the question that nothing else links, the element nearest in meaning, if it is near enough.

    Nothing where the schema is too wide to be compared at once, or the encoder is missing.
    """
    names = {spelt(e.label): e for e in reversed(elements)}
    done = {w for term in linked for w in content_words(term)}
    words = [t for t in tokens(question) if content_words(t) and not done & set(content_words(t)) and t.isalpha()]
    if not words or not 0 < len(names) <= WIDEST_SCHEMA:
        return ()
    try:
        scores = encode(words, settings, keep=True) @ kept_vectors(list(names), settings).T
    except OmniError:
        return ()
    links = []
    for word, row in zip(words, scores, strict=True):
        best = float(row.max())
        if best >= NEAR_MEANING:
            near = [e for e, score in zip(names.values(), row, strict=True) if score >= best - CLOSE_BEHIND]
            links += [SchemaLink(word, e.place, e.label, MEANT * best) for e in near]
    return _best_first(links)


def _best_first(links: Sequence[SchemaLink]) -> tuple[SchemaLink, ...]:
    return tuple(sorted(links, key=lambda link: (-link.score, link.place.owner, link.place.field)))
