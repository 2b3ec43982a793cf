"""What a corpus is about: its distinctive words and phrases."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import log

from core.sources.corpus import Document

MOST_READ = 5_000
"""Passages that are read for it; more do not change the list."""
INSIDE_PHRASE = 0.6
"""A word that mostly stands inside a phrase of the list is not listed again."""

COMMON = frozenset(
    """able about above across after again against ago almost along already also although always among another any
    around away back became because become been before being below best better between both came can cannot come could
    days did does done down during each early eight either else end enough even ever every far few first five following
    found four from full further gave get give given goes gone good great had half has have having her here hers high
    higher him his how however hundred including into itself just keep kept large larger last late later least left less
    like long longer lower made main make many may might more most much must near nearly need needs never new next nine
    none nor not nothing now number off often once one only open other others our out over own part parts per percent
    place put rather right said same second see seen set seven several shall she should show shown since six small some
    something soon still such take taken ten than that the their them then there these they thing things third this
    those though three through thus time times together too took total toward twice two under until upon use used uses
    using very want was way ways week weeks well went were what when where whether which while who whole whom whose why
    will with within without work would year years yes yet you your day hour hours minute minutes month months result
    results showed significantly significant compared associated study studies respectively""".split()
)
"""Words that say little of a subject, whatever the corpus."""


def topics(documents: Sequence[Document], most: int = 24) -> tuple[str, ...]:
    """Distinctive words and two-word phrases by tf-idf within the corpus, most distinctive first."""
    read = documents[:MOST_READ]
    overall: Counter[str] = Counter()
    inside: Counter[str] = Counter()
    for document in read:
        terms = _terms(f"{document.title}. {document.text}")
        overall.update(terms)
        inside.update(set(terms))
    least = 2 if len(read) >= 4 else 1
    scored = {
        term: overall[term] * log((1 + len(read)) / count) * (1.6 if " " in term else 1.0)
        for term, count in inside.items()
        if count >= (least + 1 if " " in term and least > 1 else least)
    }
    ranked = sorted(scored, key=lambda term: (-scored[term], term))
    return tuple(_without_parts(ranked[: most * 3], overall)[:most])


def _terms(text: str) -> list[str]:
    found: list[str] = []
    for clause in re.split(r"[^\w\s'’-]+", text.casefold()):
        before = ""
        for word in re.findall(r"\w+", clause):
            telling = len(word) > 3 and not word.isdigit() and word not in COMMON
            if telling:
                found.append(word)
                if before:
                    found.append(f"{before} {word}")
            before = word if telling else ""
    return found


def _without_parts(ranked: Sequence[str], overall: Counter[str]) -> list[str]:
    in_phrases: Counter[str] = Counter()
    for phrase in (term for term in ranked if " " in term):
        for word in phrase.split():
            in_phrases[word] += overall[phrase]
    return [t for t in ranked if " " in t or in_phrases[t] < INSIDE_PHRASE * overall[t]]
