"""Parts of a question that may name something: phrases, names, numbers, content words."""

from __future__ import annotations

import re
from functools import lru_cache

LONGEST_PHRASE = 6
TOKEN = re.compile(r"\w+(?:[.'’&/-]\w+)*", re.UNICODE)
QUOTED = re.compile(r"\"([^\"]+)\"|“([^”]+)”|‘([^’]+)’|(?<!\w)'([^']+)'(?!\w)")

STOP = frozenset(
    """a about after all also am an and any are as at be been before being between both but by can could did do
    does doing during each ever every find for from get give had has have having he her here hers him his how i
    if in into is it its just least let list many me more most much my name names need no nor not now of off on
    once only or other our out over own please same shall she should show so some such tell than that the their
    them then there these they this those through to too under until up us very was we were what when where
    which while who whom whose why will with without would yes you your s t d ll re ve per any anything
    something there's what's who's""".split()
)
"""Words that carry no topic."""


MEASURES = frozenset(
    "million billion thousand hundr dollar euro money percent hour minut second metr kilometr januari februari march"
    " april may june juli august septemb octob novemb decemb averag total".split()
)
"""Stemmed words of amounts and dates, which say how much of something and not of what."""


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[str, ...]:
    """Words and numbers of `text` as they are written."""
    return tuple(re.sub(r"[’']s$", "", t) for t in TOKEN.findall(text))


@lru_cache(maxsize=4096)
def content_words(text: str) -> tuple[str, ...]:
    """The words of `text` that carry a topic, stemmed, in order, each once."""
    kept = (t.casefold() for t in tokens(text))
    return tuple(dict.fromkeys(stem(w) for w in kept if w not in STOP and (len(w) > 1 or w.isdigit())))


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The Snowball stem of an English word; "director" comes to "direct" as "composer" to "compos"."""
    import Stemmer

    stemmed = str(Stemmer.Stemmer("english").stemWord(word.casefold()))
    return stemmed.removesuffix("or") if len(stemmed) >= 7 and stemmed.endswith("tor") else stemmed


def words_of(identifier: str) -> tuple[str, ...]:
    """Stemmed words of an identifier: snake_case, camelCase, spaces and hyphens."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_\W]+", " ", identifier)
    return tuple(stem(w) for w in spaced.split() if w.casefold() not in STOP)


def phrases(question: str) -> tuple[str, ...]:
    """Candidate names in `question`, longest first: quoted texts, then runs of up to six words.

    A run neither begins nor ends with a stop word, unless that word is capitalised inside the question
    ("The Matrix").
    """
    quoted = [next(g for g in match.groups() if g) for match in QUOTED.finditer(question)]
    spans = [match.span() for match in TOKEN.finditer(question)]
    found: list[str] = []
    for size in range(min(LONGEST_PHRASE, len(spans)), 0, -1):
        for first in range(len(spans) - size + 1):
            start, end = spans[first][0], spans[first + size - 1][1]
            text = re.sub(r"[’']s$", "", question[start:end])
            if _may_name(text, first == 0):
                found.append(text)
    return tuple(dict.fromkeys([*quoted, *found]))


def _may_name(text: str, opens: bool) -> bool:
    words = TOKEN.findall(text)
    if len(words) == 1:
        return words[0].casefold() not in STOP
    first, last = words[0], words[-1]
    leads = first.casefold() not in STOP or (first[:1].isupper() and not opens)
    return leads and last.casefold() not in STOP
