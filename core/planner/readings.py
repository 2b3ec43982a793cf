"""Other ways to read a question: the same mentions, with one of them standing for its next likely meaning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.planner.mentions import Mention

CLOSE = 0.16
"""How far behind the likeliest schema element another one may be."""
PLACES = 3
"""Places of one stored value that are tried."""


def readings(mentions: Sequence[Mention]) -> Iterator[tuple[Mention, ...]]:
    """The likeliest reading first, then those that differ from it in one mention."""
    yield tuple(mentions)
    for at, mention in enumerate(mentions):
        for other in (*_values(mention), *_named(mention)):
            yield (*mentions[:at], other, *mentions[at + 1 :])


def _values(mention: Mention) -> Iterator[Mention]:
    """One reading for each place that a value is stored in."""
    places = list(dict.fromkeys(v.place for v in mention.values))
    for place in places[:PLACES] if len(places) > 1 else ():
        yield replace(mention, values=tuple(v for v in mention.values if v.place == place))


def _named(mention: Mention) -> Iterator[Mention]:
    """One reading without the likeliest schema element, and one for each kind that a word may name."""
    if mention.values or len(mention.named) < 2:
        return
    first, second = mention.named[:2]
    if second.score >= first.score - CLOSE:
        yield replace(mention, named=mention.named[1:])
    if mention.code == "B":
        yield replace(mention, named=mention.entities)
        yield replace(mention, named=mention.attributes)
