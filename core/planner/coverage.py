"""Whether enough of a question was linked to answer it rather than something near it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.errors import CannotLink
from core.planner.intent import _AFTER, _AVERAGE, _BEFORE, _COMPARISONS, _HINTED, _LEAST, _MOST, _SINCE
from core.planner.mentions import Mention
from core.planner.words import STOP, Token

_HONORIFICS = frozenset({"dr", "mr", "mrs", "ms", "prof", "professor", "sir", "doctor", "saint", "st"})


_USED = re.compile(
    "|".join((_MOST, _LEAST, _BEFORE, _AFTER, _SINCE, *_AVERAGE, *_HINTED, *(words for words, _ in _COMPARISONS)))
)
"""Words that the reading of intent uses without a mention of their own."""


def check_coverage(tokens: Sequence[Token], mentions: Sequence[Mention]) -> tuple[str, ...]:
    """Raise unless the names in the question, and most of its other words, were linked; gives the words left out.

    Raises:
        CannotLink: Names or too many words stand for nothing in the source; the message lists them.
    """
    linked = {i for m in mentions if m.code != "Q" for i in range(m.first, m.last)}
    names: list[str] = []
    words: list[str] = []
    for i, token in enumerate(tokens):
        if i in linked or token.lower.rstrip(".") in _HONORIFICS or token.kind != "word" or token.lower in STOP:
            continue
        (names if token.capitalised and i > 0 else words).append(token.text)
    if names:
        raise CannotLink(f"{' '.join(names)!r} is not stored in this source.")
    if words and not any(m.code in "EABV" for m in mentions):
        raise CannotLink(f"These words stand for nothing in this source: {', '.join(words)}.")
    content = len(words) + len([m for m in mentions if m.code != "Q"])
    if not mentions or (len(words) > 2 and len(words) > 0.6 * content):
        raise CannotLink(f"These words stand for nothing in this source: {', '.join(words)}.")
    return tuple(w for w in words if not _USED.search(w.lower()))
