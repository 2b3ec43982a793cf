"""What a source holds of a question: which of its content words are covered, by what, and where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.grounding.aliases import probe_names
from core.grounding.cards import card_text
from core.grounding.cues import cued
from core.grounding.link import NEAR, opens_with, prune
from core.grounding.synonyms import synonyms
from core.grounding.terms import MEASURES, content_words
from core.grounding.vocabulary import elements_of
from core.results import Kind, Match, Place
from core.sources.base import RdfSchema, Source

CORPUS_HITS = 3
ELEMENT_WEIGHT = 0.8
MEANT_WEIGHT = 0.6
"""A schema word that the question says otherwise: movies for film, born for date of birth."""
CARD_WEIGHT = 0.6
MEASURE = 0.3
"""Weight of a word that says how much or when: a passage that has June in it does not hold a June date."""
NAME_BONUS = 1.6
"""A stored name of several words says more than its words apart."""


@dataclass(slots=True)
class Inside:
    """Coverage of one question in one source: stemmed word to (strength 0..1, what covers it)."""

    source_id: str
    kind: Kind
    covered: dict[str, float] = field(default_factory=dict)
    values: list[Match] = field(default_factory=list)
    elements: list[str] = field(default_factory=list)
    passage: str = ""
    cosine: float = 0.0
    """Best cosine of a corpus; 0 for structured sources."""
    unseen: bool = False
    """A corpus that is known by its card only: nothing in it can be looked up."""

    def cover(self, word: str, strength: float) -> None:
        """Keep the stronger evidence for a word."""
        self.covered[word] = max(self.covered.get(word, 0.0), strength)


def look_inside(question: str, source: Source) -> Inside:
    """Coverage of the question's content words by stored values, schema elements, passages and the card.

    Raises:
        SourceUnavailable: The source can't be reached.
    """
    inside = Inside(source.card.id, source.card.kind)
    own = set(content_words(question))
    for word in content_words(card_text(source.card)):
        if word in own:
            inside.cover(word, CARD_WEIGHT)
    if source.card.kind is Kind.TEXT:
        _look_into_corpus(question, source, inside, own)
    else:
        _look_into_structure(question, source, inside, own)
    return inside


def _meant(question: str, own: set[str]) -> Mapping[str, set[str]]:
    """Stemmed words that a schema may use instead, each with the words of the question that mean it."""
    found: dict[str, set[str]] = {}
    for word in own:
        for other in synonyms(word):
            found.setdefault(other, set()).add(word)
    for other, said in cued(question).items():
        found.setdefault(other, set()).update(w for w in content_words(said) if w in own)
    return found


def _look_into_structure(question: str, source: Source, inside: Inside, own: set[str]) -> None:
    schema = source.describe()
    meant = _meant(question, own)
    for element in elements_of(schema):
        shared = [w for w in element.words if w in own]
        if shared:
            share = len(shared) / len(element.words)
            for word in shared:
                inside.cover(word, ELEMENT_WEIGHT * (0.5 + 0.5 * share))
            if share > 0.49 and element.label not in inside.elements:
                inside.elements.append(element.label)
        for word in element.words:
            for said in meant.get(word, ()):
                inside.cover(said, MEANT_WEIGHT / len(element.words) ** 0.5)
    names = {c.iri: c.label for c in schema.classes} if isinstance(schema, RdfSchema) else {}
    for match in prune(probe_names(question, source)):
        words = content_words(match.term)
        if match.score < NEAR and len(words) == 1 and match.term.islower() and not opens_with(match):
            continue
        for word in words:
            inside.cover(word, match.score)
        place = Place(names.get(match.place.owner, match.place.owner), match.place.field)
        inside.values.append(Match(match.term, match.value, match.label, place, match.score, match.description))


def _look_into_corpus(question: str, source: Source, inside: Inside, own: set[str]) -> None:
    search = getattr(source, "search", None)
    if search is None:
        inside.unseen = True
        return
    for rank, hit in enumerate(search(question, CORPUS_HITS)):
        text = f"{hit.document.title} {hit.document.text}"
        inside.cosine = max(inside.cosine, hit.cosine)
        for word in own & set(content_words(text)):
            inside.cover(word, 1.0 if rank == 0 else 0.8)
        if rank == 0:
            inside.passage = hit.document.title or text[:60]


def word_weights(question: str, insides: Sequence[Inside]) -> Mapping[str, float]:
    """Weight of each content word: less the more sources cover it, more for stored names.

    A word that no source knows keeps the largest weight: missing it must hurt everywhere alike.
    """
    total = max(1, len(insides))
    weights: dict[str, float] = {}
    for word in content_words(question):
        holders = sum(1 for inside in insides if inside.covered.get(word, 0.0) >= 0.5)
        if not holders and (word in MEASURES or word.replace(",", "").replace(".", "").isdigit()):
            continue  # what a stored number is compared with stands in no source
        if word in MEASURES or word.isdigit():
            weights[word] = MEASURE
            continue
        weights[word] = 1.0 + 1.5 * (1 - holders / total)
    for inside in insides:
        for match in inside.values:
            words = content_words(match.term)
            if match.score >= NEAR and len(words) > 1:
                for word in words:
                    weights[word] = max(weights.get(word, 1.0), NAME_BONUS + 1.0)
    return weights


def coverage(inside: Inside, weights: Mapping[str, float]) -> float:
    """Weighted share of the question's content words that the source covers, 0 to 1."""
    total = sum(weights.values())
    return sum(w * inside.covered.get(word, 0.0) for word, w in weights.items()) / total if total else 0.0
