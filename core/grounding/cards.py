"""How near a question is to what each source says of itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.errors import OmniError
from core.grounding.terms import content_words
from core.grounding.vectors import kept_vectors
from core.results import SourceCard
from core.settings import Settings
from core.sources.encoder import encode


def card_text(card: SourceCard) -> str:
    """Title, descriptor and style of a card as one text."""
    return ". ".join(part for part in (card.title, card.descriptor, card.query_type) if part)


def card_similarity(question: str, cards: Sequence[SourceCard], settings: Settings) -> Mapping[str, float]:
    """MiniLM cosine of the question with each card, its summary or its nearest example question, by source id.

    Without the encoder: the share of the question's content words that the card has.
    """
    texts: list[str] = []
    owners: list[str] = []
    for card in cards:
        for text in (card_text(card), card.summary.replace("_", " "), *card.examples):
            if text:
                texts.append(text)
                owners.append(card.id)
    try:
        cosines = kept_vectors(texts, settings) @ encode([question], settings, keep=True)[0] if texts else []
    except OmniError:
        own = set(content_words(question))
        return {c.id: len(own & set(content_words(card_text(c)))) / (len(own) or 1) for c in cards}
    best = {card.id: -1.0 for card in cards}
    for owner, score in zip(owners, cosines, strict=True):
        best[owner] = max(best[owner], float(score))
    return best
