"""Built-in source selection: rank sources by what they say of themselves and by what is inside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import zip_longest

from core.errors import SourceUnavailable
from core.grounding.cards import card_similarity
from core.grounding.inside import Inside, coverage, look_inside, word_weights
from core.grounding.parts import split_question
from core.results import Candidate, Kind, Match
from core.settings import Settings
from core.sources.catalog import Catalog
from core.stages.base import Selection
from core.stages.sureness import near_best, sureness

CARD_SHARE = 0.8
COVERAGE_SHARE = 0.6
CORPUS_SHARE = 0.35
"""Weight of a corpus' best cosine; structured sources get their share of exact stored values instead."""
FLOOR = 0.34
"""Least score of a candidate: below it nothing in a source speaks for it."""
NEAR = 0.45
"""Cosine from which a passage speaks for its corpus, whatever words it uses."""
CARD_FLOOR = 0.2
"""Least cosine of a card, or of one of its example questions, with the question."""
UNSEEN = 0.38
"""Score of a corpus that can't be looked into, before its card counts: it is never ruled out, and comes
before what is weak and after what holds the words of the question."""
MOST_UNSEEN = 2
"""Such corpora among the candidates, so that a source that was looked into keeps its place."""
WORKERS = 4


@dataclass(frozen=True, slots=True)
class _Scored:
    score: float
    similar: float
    inside: Inside


def _interleaved(rankings: Sequence[Sequence[_Scored]]) -> list[_Scored]:
    """Each part's best source before any part's second; every source once, with its best score."""
    best: dict[str, _Scored] = {}
    for one in (one for level in zip_longest(*rankings) for one in level if one is not None):
        known = best.get(one.inside.source_id)
        if known is None or one.score > known.score:
            best[one.inside.source_id] = one
    if len(rankings) == 1:
        return list(best.values())
    firsts = [ranked[0].inside.source_id for ranked in rankings if ranked]
    return sorted(best.values(), key=lambda one: (one.inside.source_id not in firsts, -one.score))


def _plain(ranked: Sequence[_Scored]) -> list[tuple[str, Kind, float]]:
    return [(one.inside.source_id, one.inside.kind, one.score) for one in ranked]


class ProbeSelector:
    """Looks inside every source; `reason` names the stored values, schema terms or passage that matched."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def __call__(self, question: str, catalog: Catalog, k: int) -> Selection:
        """Rank at most `k` sources; a source that can't be reached is left out with a note."""
        cards = catalog.cards()
        rankings: list[list[_Scored]] = []
        notes: tuple[str, ...] = ()
        for part in split_question(question):
            ranked, notes = self._rank(part, catalog)
            rankings.append(ranked)
        margin = self._settings.selection_margin
        near = {source_id for ranked in rankings for source_id in near_best(_plain(ranked), margin)}
        kept = [one for one in _interleaved(rankings) if one.score >= FLOOR and one.inside.source_id in near][:k]
        if not kept:
            best = max((one for ranked in rankings for one in ranked), key=lambda one: one.score, default=None)
            nearest = f" The nearest is {best.inside.source_id} ({best.score:.2f})." if best else ""
            return Selection((), f"No registered source seems to hold what the question names.{nearest}", notes)
        candidates = tuple(
            Candidate(one.inside.source_id, rank, round(one.score, 4), _reason(one.inside, one.similar))
            for rank, one in enumerate(kept, 1)
        )
        scores = [one.score for one in rankings[0]] if len(rankings) == 1 else [one.score for one in kept]
        said = f"{len(candidates)} of {len(cards)} sources may hold the answer."
        return Selection(candidates, said, notes, sureness(scores))

    def _rank(self, question: str, catalog: Catalog) -> tuple[list[_Scored], tuple[str, ...]]:
        similar = card_similarity(question, catalog.cards(), self._settings)
        insides, notes = self.look(question, catalog)
        weights = word_weights(question, insides)
        scored = [_Scored(score_of(i, similar[i.source_id], weights), similar[i.source_id], i) for i in insides]
        ranked = sorted(scored, key=lambda one: (-one.score, one.inside.source_id))
        unseen = [one for one in ranked if one.inside.unseen]
        return [one for one in ranked if one not in unseen[MOST_UNSEEN:]], notes

    def look(self, question: str, catalog: Catalog) -> tuple[list[Inside], tuple[str, ...]]:
        """What every source holds of a question, and a note on each that can't be reached."""

        def look(source_id: str) -> Inside | str:
            try:
                return look_inside(question, catalog[source_id])
            except SourceUnavailable as error:
                return f"{source_id} was left out of the selection: {error.message}"

        with ThreadPoolExecutor(WORKERS) as pool:
            found = list(pool.map(look, [card.id for card in catalog.cards()]))
        return [f for f in found if isinstance(f, Inside)], tuple(f for f in found if isinstance(f, str))


class CardSelector:
    """Reads cards only, as the paper's whole-catalog selection does, ranked by likeness instead of by a model."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def __call__(self, question: str, catalog: Catalog, k: int) -> Selection:
        """Rank at most `k` sources by their cards; nothing is connected."""
        similar = card_similarity(question, catalog.cards(), self._settings)
        ranked = sorted(((score, source_id) for source_id, score in similar.items()), key=lambda s: (-s[0], s[1]))
        kept = [(score, source_id) for score, source_id in ranked[:k] if score >= CARD_FLOOR]
        if not kept:
            return Selection((), "No registered source's card is near the question.")
        candidates = tuple(
            Candidate(source_id, rank, round(score, 4), f"card {score:.2f}")
            for rank, (score, source_id) in enumerate(kept, 1)
        )
        return Selection(candidates, f"{len(candidates)} of {len(similar)} cards are near the question.")


def score_of(inside: Inside, similar: float, weights: Mapping[str, float]) -> float:
    """The score of one source: the likeness of its card, and the weighted share of the question that it holds."""
    score = CARD_SHARE * max(0.0, similar) + COVERAGE_SHARE * coverage(inside, weights)
    if inside.unseen:
        return UNSEEN + CARD_SHARE * similar
    if inside.kind is Kind.TEXT:
        score += CORPUS_SHARE * max(0.0, inside.cosine - 0.35)
        return max(score, FLOOR + inside.cosine - NEAR) if inside.cosine >= NEAR else score
    return score


def _reason(inside: Inside, similar: float) -> str:
    parts = []
    if inside.values:
        parts.append("stored " + _listed([f"{_quoted(m.label)} in {_where(m)}" for m in inside.values]))
    if inside.elements:
        parts.append("schema terms " + _listed(inside.elements))
    if inside.passage:
        parts.append(f"passage {_quoted(inside.passage)} (cosine {inside.cosine:.2f})")
    parts.append(f"card {similar:.2f}" + (", passages not searchable" if inside.unseen else ""))
    return "; ".join(parts)


def _where(match: Match) -> str:
    place = match.place
    field = place.field.rsplit("#")[-1].rsplit("/")[-1]
    return f"{place.owner}.{field}" if place.owner and field else place.owner or field


def _quoted(text: str) -> str:
    return f"“{text if len(text) <= 50 else text[:49] + '…'}”"


def _listed(items: Sequence[str], most: int = 3) -> str:
    unique = list(dict.fromkeys(items))
    more = f" and {len(unique) - most} more" if len(unique) > most else ""
    return ", ".join(unique[:most]) + more
