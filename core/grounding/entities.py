"""Topic entities of an RDF graph and their own predicates, ranked against the question (paper, appendix A.3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from core.errors import OmniError
from core.grounding.terms import content_words, words_of
from core.grounding.vectors import kept_vectors
from core.results import Iri, Language, Match, NativeQuery, Origin, Place, Rows, SchemaLink, Value, term_text
from core.settings import Settings
from core.sources.base import Limits, RdfSchema, Source
from core.sources.encoder import encode

TOP_PREDICATES = 30
MOST_ENTITIES = 8
ENTITIES_PER_TERM = 4
INVERSE = "^"
"""`place.owner` of a predicate that is read from object to subject, as SPARQL writes an inverse path."""
PROBE = Limits(seconds=5.0, max_items=4_000)


def rank_entities(matches: Sequence[Match], source: Source) -> tuple[Match, ...]:
    """Linked entities, best first: longer terms, better matches, then those with more facts."""
    linked = [m for m in matches if isinstance(m.value, Iri)]
    degrees = _degrees([m.value.value for m in linked if isinstance(m.value, Iri)], source)
    linked.sort(key=lambda m: (-len(m.term.split()), -m.score, -degrees.get(m.iri, 0)))
    kept: list[Match] = []
    per_term: dict[str, int] = defaultdict(int)
    for match in linked:
        if per_term[match.term] < ENTITIES_PER_TERM and match.iri not in {k.iri for k in kept}:
            per_term[match.term] += 1
            kept.append(match)
    return tuple(kept[:MOST_ENTITIES])


def rank_predicates(
    question: str, entities: Sequence[Match], source: Source, schema: RdfSchema, settings: Settings
) -> dict[str, tuple[SchemaLink, ...]]:
    """For each entity's IRI its predicates in both directions, best first, at most thirty."""
    found = _predicates([m.iri for m in entities], source)
    labels = {p.iri: p.label for p in schema.predicates}
    skipped = {schema.label_predicate}
    scores = similarity(question, sorted({labels.get(p, "") for ps in found.values() for _, p in ps} - {""}), settings)
    ranked: dict[str, tuple[SchemaLink, ...]] = {}
    for entity, pairs in found.items():
        links = [
            SchemaLink(question, Place(direction, predicate), labels[predicate], scores.get(labels[predicate], 0.0))
            for direction, predicate in pairs
            if predicate in labels and predicate not in skipped
        ]
        ranked[entity] = tuple(sorted(links, key=lambda link: -link.score)[:TOP_PREDICATES])
    return ranked


def similarity(question: str, labels: Sequence[str], settings: Settings) -> dict[str, float]:
    """How near each label is to the question: MiniLM cosine plus the share of its words that the question has."""
    if not labels:
        return {}
    own = set(content_words(question))
    lexical = {label: _overlap(own, words_of(label)) for label in labels}
    try:
        cosines = kept_vectors(labels, settings) @ encode([question], settings, keep=True)[0]
    except OmniError:
        return lexical
    return {label: float(c) + 0.5 * lexical[label] for label, c in zip(labels, cosines, strict=True)}


def _overlap(question: set[str], label: Sequence[str]) -> float:
    return sum(w in question for w in label) / len(label) if label else 0.0


def _degrees(iris: Sequence[str], source: Source) -> Mapping[str, int]:
    if len(set(iris)) < 2:
        return {}
    rows = _ask(source, f"SELECT ?e (COUNT(*) AS ?n) {{ VALUES ?e {{ {_values(iris)} }} ?e ?p ?o }} GROUP BY ?e")
    return {term_text(e): int(term_text(n)) for e, n in rows}


def _predicates(iris: Sequence[str], source: Source) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {iri: [] for iri in iris}
    if not iris:
        return found
    for direction, pattern in (("", "?e ?p ?o"), (INVERSE, "?s ?p ?e")):
        for entity, predicate in _ask(source, f"SELECT DISTINCT ?e ?p {{ VALUES ?e {{ {_values(iris)} }} {pattern} }}"):
            found.setdefault(term_text(entity), []).append((direction, term_text(predicate)))
    return found


def _values(iris: Sequence[str]) -> str:
    return " ".join(f"<{iri}>" for iri in dict.fromkeys(iris))


def _ask(source: Source, text: str) -> Sequence[tuple[Value, ...]]:
    query = NativeQuery(source.card.id, Language.SPARQL, text, Origin.GENERATED)
    try:
        payload = source.run(query, PROBE).payload
    except OmniError:
        return ()  # a source that can't be probed is still asked with what is known
    return payload.items if isinstance(payload, Rows) else ()
