"""What a question asks for without naming it: "how old" means an age or a date of birth."""

from __future__ import annotations

import re
from collections.abc import Mapping

from core.grounding.terms import stem

CUES: tuple[tuple[str, str], ...] = (
    (r"how old|older|oldest|younger|youngest|aged?", "age birth born founded"),
    (r"how tall|taller|tallest", "height"),
    (r"how heavy|heavy|heavier|heaviest|weighs?", "weight mass"),
    (r"how long|longer|longest|shorter|shortest", "length duration runtime minutes days"),
    (r"how expensive|expensive|cheap|cheaper|cheapest|how much (?:do|does|did)\b.* costs?", "price cost"),
    (r"how (?:big|large)|bigger|biggest|larger|largest", "area size capacity"),
    (r"how many (?:people|inhabitants)|inhabitants|populous|populated", "population"),
    (r"how fast|faster|fastest|slower|slowest", "speed time"),
    (r"how far", "distance"),
    (r"how good|best|worst|stars", "rating score"),
    (r"earns?|earned|earning|grossed|profitable", "revenue gross income salary profit"),
    (r"money", "currency budget price"),
    (r"spent|spends?|paid|pays?", "amount price cost fee"),
    (r"made|makes?|makers?", "director producer manufacturer creator maker"),
    (r"wrote|writes?|written", "author writer"),
    (r"speaks?|spoken", "language"),
    (r"borders?|bordering|next to|neighbou?ring", "border neighbour"),
    (r"born", "birth"),
    (r"died|dies?|dead", "death"),
    (r"married|wife|husband", "spouse"),
    (r"lives?|living|lived", "residence address city"),
    (r"where", "location place city country address"),
    (r"when|latest|newest|recent|earliest|oldest", "date year"),
    (r"who|whom|whose", "person people"),
)
"""(pattern of what is said, words of the schema terms it may mean)"""

_COMPILED = tuple((re.compile(rf"\b(?:{said})\b", re.IGNORECASE), meant.split()) for said, meant in CUES)


def cued(question: str) -> Mapping[str, str]:
    """Stemmed schema words that the question implies, each with the part of the question that does."""
    found: dict[str, str] = {}
    for said, meant in _COMPILED:
        match = said.search(question)
        if match:
            for word in meant:
                found.setdefault(stem(word), match.group())
    return found
