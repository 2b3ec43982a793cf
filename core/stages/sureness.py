"""How sure a ranking of sources is, and which of them are near enough to the best to be asked as well."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.results import Kind

FROM_TEXT = 0.2
"""What a structured source may lie further behind a corpus: a corpus holds the words of nearly any question."""
LEAST = 0.34
"""What the best is compared with where nothing is second: the least score of a candidate."""
PER_MARGIN, PER_SCORE, BEFORE = 5.3, 3.6, -1.71
"""Of a logistic regression on whether the first source holds the answer: margin up to 0.5, score, intercept.

Fitted on our own dev and practice questions (benchmarks/README.md); on the blind ones 0.55, 0.83, 0.83 and 1.00
of those below 0.8, 0.9, 0.95 and above were right.
"""


@dataclass(frozen=True, slots=True)
class Sureness:
    """`confidence` that the first source holds the answer, and its `margin` to the second, in scores."""

    confidence: float
    margin: float


def sureness(scores: Sequence[float]) -> Sureness:
    """How sure a ranking is by its scores, best first; it must not be empty."""
    margin = scores[0] - (scores[1] if len(scores) > 1 else LEAST)
    logit = PER_MARGIN * min(margin, 0.5) + PER_SCORE * scores[0] + BEFORE
    return Sureness(round(1 / (1 + math.exp(-logit)), 3), round(margin, 4))


def near_best(ranked: Sequence[tuple[str, Kind, float]], margin: float) -> frozenset[str]:
    """Ids of the sources within `margin` of the first: one where it is sure, more where it is not.

    `ranked` holds id, kind and score, best first.
    """
    if not ranked:
        return frozenset()
    _, lead, best = ranked[0]
    room = margin + FROM_TEXT if lead is Kind.TEXT else margin
    return frozenset(
        source_id for source_id, kind, score in ranked if score >= best - (margin if kind is Kind.TEXT else room)
    )
