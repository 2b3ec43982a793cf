"""The words of a question, marked in the passages they were found in."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from app.markup import cut, esc, tag

COMMON = """
a about all an and any are as at be been by can could did do does for from had has have how i if in into is it its
list many me more most much name of on or our she should show so some tell than that the their them there these they
this those to was we were what when where which who whom whose why will with would you your
"""
STOP_WORDS = frozenset(COMMON.split())


def query_words(question: str) -> tuple[str, ...]:
    """The words of a question worth marking in a passage, folded."""
    words = re.findall(r"\w+", fold(question))
    return tuple(dict.fromkeys(word for word in words if len(word) > 1 and word not in STOP_WORDS))


def fold(text: str) -> str:
    """Case folded, accents removed, one character for each of `text`."""
    return "".join(_fold_char(char) for char in text)


def _fold_char(char: str) -> str:
    base = unicodedata.normalize("NFKD", char)[:1].casefold()
    return base if len(base) == 1 else char


def marked(text: str, words: Iterable[str]) -> str:
    """`text` escaped, with every word that begins like one of `words` in a mark element."""
    stems = tuple({word[: max(4, len(word) - 2)] if len(word) > 4 else word for word in words})
    if not stems:
        return esc(text)
    pieces, at = [], 0
    for match in re.finditer(r"\w+", fold(text)):
        if _matches(match.group(), stems):
            pieces += [esc(text[at : match.start()]), tag("mark", esc(text[match.start() : match.end()]))]
            at = match.end()
    return "".join([*pieces, esc(text[at:])])


def _matches(word: str, stems: Sequence[str]) -> bool:
    return any(
        word == stem or (len(stem) > 3 and word.startswith(stem) and len(word) <= len(stem) + 5) for stem in stems
    )


def snippet(text: str, words: Sequence[str], length: int = 320) -> str:
    """The part of `text` with the most of `words`, escaped and marked, with ellipses where it was cut."""
    if len(text) <= length:
        return marked(text, words)
    folded = fold(text)
    hits = sorted(at for word in words for at in _positions(folded, word))
    start = max(hits, key=lambda hit: sum(hit <= other < hit + length for other in hits), default=0)
    start = max(0, min(start - 40, len(text) - length))
    while 0 < start < len(text) and not text[start - 1].isspace():
        start -= 1
    part = cut(text[start : start + length], length - 1)
    more = "…" if start + length < len(text) and not part.endswith("…") else ""
    return ("…" if start else "") + marked(part, words) + more


def _positions(folded: str, word: str) -> list[int]:
    return [match.start() for match in re.finditer(rf"\b{re.escape(word)}", folded)]
