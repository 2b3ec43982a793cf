"""Questions that ask two things at once, taken apart."""

from __future__ import annotations

import re

from core.grounding.referring import about_name, first_name, referring, resolved
from core.grounding.terms import content_words

ASKS = (
    r"(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|does|do|did|has|have|can|list|show|name|give)\b"
)
GOES_ON = (
    r"(?:is|are|was|were|has|have|had)\s+(?:in|on|at|of|part|from|by|also|not|to|with|under|over|more|less|fewer|no"
    r"|(?!(?:need|bed|seed|red|men|women|children|ten|seven)\b)\w+(?:ed|en)|born|made|held|set|built|sold|won)\b"
    r"|(?:has|have|had)\s+an?\b"
)
"""A second thing said of the same subject, and no second question: and are part of, and were released in."""
LEADS = r"(?:in|on|at|to|from|for|by|of|with|about|under|and|please|then|also|so|tell|me)"
SEAM = re.compile(rf"(?:[,;?]\s*(?:and|also|but|or)?\s+|\s+and\s+(?:also\s+)?)(?!{GOES_ON})(?={ASKS})", re.IGNORECASE)
LEAST_WORDS = 2


def split_question(question: str) -> tuple[str, ...]:
    """The parts of a question that each ask something; the question alone when it asks one thing.

    A part begins with a question word and names at least two things. A pronoun in the second of two parts is
    replaced where it stands for what the first one names.
    """
    pieces = [piece.strip(" ,;") for piece in SEAM.split(question)]
    opens = re.compile(rf"(?:{LEADS}\s+){{0,2}}{ASKS}", re.IGNORECASE)
    if len(pieces) < 2 or not all(opens.match(p) and _asks_enough(p) for p in pieces):
        return (question,)
    if len(pieces) == 2 and about_name(*pieces):
        pieces[1] = resolved(pieces[1], first_name(pieces[0]))
    return tuple(p if p.endswith("?") else f"{p}?" for p in pieces)


def _asks_enough(piece: str) -> bool:
    """Whether a part names two things, one of which a pronoun may stand for."""
    return len(content_words(piece)) + bool(referring(piece)) >= LEAST_WORDS
