"""Whether enough of a question was linked to answer it rather than something near it."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from core.errors import CannotLink
from core.planner.intent import _AFTER, _AVERAGE, _BEFORE, _COMPARISONS, _HINTED, _LEAST, _MOST, _SINCE
from core.planner.mentions import Mention
from core.planner.words import STOP, UNITS, Token

_HONORIFICS = frozenset({"dr", "mr", "mrs", "ms", "prof", "professor", "sir", "doctor", "saint", "st"})


_USED = re.compile(
    "|".join((_MOST, _LEAST, _BEFORE, _AFTER, _SINCE, *_AVERAGE, *_HINTED, *(words for words, _ in _COMPARISONS)))
)
"""Words that the reading of intent uses without a mention of their own."""


_VERBS = frozenset(
    "is are was were do does did have has had can could will would should in of at from on with by for who that live"
    " lives work works made".split()
)
_KINDS = frozenset({"kind", "kinds", "type", "types", "sort", "year", "years", "time", "day", "date", "percentage",
                    "percent", "share", "proportion", "one", "ones", "times", "much", "many"})  # fmt: skip


_LEADS = frozenset("what which is are was were the a tell me give show us s".split())


def _asked_noun(tokens: Sequence[Token], linked: Container[int]) -> str:
    """The noun that a question asks for, where nothing in the source goes by it: which customers; else empty."""
    words = [t.lower for t in tokens]
    start = next((i for i, w in enumerate(words) if w not in _LEADS), 0)
    if start + 2 < len(words) and words[start + 1] == "of" and start not in linked:
        token = tokens[start]
        if token.kind == "word" and token.lower not in STOP | UNITS | _KINDS:
            return token.lower  # the GDP of Vietnam
    for i, word in enumerate(words[:-1]):
        opens = word == "which" or (word == "many" and i > 0 and words[i - 1] == "how")
        if not opens or (i > 0 and words[i - 1] in _VERBS):
            continue
        at = i + 1
        token = tokens[at]
        if at in linked or token.kind != "word" or token.capitalised or token.lower in STOP | UNITS | _KINDS:
            return ""
        following = words[at + 1] if at + 1 < len(words) else ""
        return token.lower if following in _VERBS or not following else ""
    return ""


def check_coverage(tokens: Sequence[Token], mentions: Sequence[Mention], about: Container[str] = ()) -> tuple[str, ...]:
    """Raise unless the names in the question, and most of its other words, were linked; gives the words left out.

    `about` are words for the source itself, which it need not store.

    Raises:
        CannotLink: Names or too many words stand for nothing in the source; the message lists them.
    """
    linked = {i for m in mentions if m.code != "Q" for i in range(m.first, m.last)}
    asked = _asked_noun(tokens, linked)
    if asked and asked not in about:
        raise CannotLink(f"The question asks for {asked!r}, which this source does not have.")
    names: list[str] = []
    words: list[str] = []
    for i, token in enumerate(tokens):
        if i in linked or token.lower.rstrip(".") in _HONORIFICS or token.kind != "word" or token.lower in STOP | UNITS:
            continue
        if token.lower in about or token.lower in ("year", "years"):
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
