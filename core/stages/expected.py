"""What kind of answer a question expects, read from its first words."""

from __future__ import annotations

import re
from enum import StrEnum


class Expected(StrEnum):
    """The form of a good answer."""

    NUMBER = "a number"
    TRUTH = "yes or no"
    MOMENT = "a date or year"
    THINGS = "names or values"
    PROSE = "an explanation"


RULES: tuple[tuple[Expected, tuple[str, ...]], ...] = (
    (
        Expected.NUMBER,
        (
            r"\bhow (many|much|tall|long|old|big|large|heavy|far)\b",
            r"\bnumber of\b",
            r"\bcount (of|the)\b",
            r"\b(average|mean|total|sum) ",
        ),
    ),
    (Expected.MOMENT, (r"^(since |until |from )?when\b", r"\b(what|which) (year|date|day)\b")),
    (
        Expected.PROSE,
        (
            r"^why\b|\bexplain|\bwhat happens\b",
            r"^how (do|does|can|should|is|are|did|was|were|to)\b",
            r"^(can|may|must|should|am|do) (i|we|you|an? \w+|employees|staff)\b",
            r"\bwhat (should|must|can) (i|we|you)\b",
            r"\b(policy|rules?|effects?|evidence|studies|study|trials?|risks?|research)\b",
        ),
    ),
    (Expected.TRUTH, (r"^(is|are|was|were|does|do|did|has|have|had|can|will)\b",)),
)
"""The first kind with a pattern that is found wins; patterns read the folded question."""


def expected(question: str) -> Expected:
    """The form that `question` asks for; names or values when nothing says otherwise."""
    text = " ".join(question.casefold().split())
    return next((kind for kind, patterns in RULES if any(re.search(p, text) for p in patterns)), Expected.THINGS)
