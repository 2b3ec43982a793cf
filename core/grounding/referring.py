"""Parts of a question that refer to the answer of an earlier part: "that country", "there", "its"."""

from __future__ import annotations

import re

_THING = r"\b(?:that|this|the same|these|those) (?!is\b|are\b|was\b|were\b|do\b|does\b|have\b|has\b)[a-z]+\b"
_OWNED = r"\b(?:its|their|his|her)\b(?= \w)"
_PLACE = r"\bthere\b(?! (?:is|are|was|were|a|an|any)\b)(?<!is there)(?<!are there)(?<!was there)(?<!were there)"
_ITSELF = r"\b(?:it|they|them|he|she|him)\b"
_REFERS = re.compile(
    f"(?P<thing>{_THING})|(?P<owned>{_OWNED})|(?P<place>{_PLACE})|(?P<itself>{_ITSELF})", re.IGNORECASE
)


def referring(part: str) -> str:
    """The words of `part` that refer to something said before; empty when none do."""
    found = _REFERS.search(part)
    return found.group() if found else ""


def resolved(part: str, name: str) -> str:
    """`part` with the first words that refer to something replaced by its `name`."""

    def put(found: re.Match[str]) -> str:
        if found["owned"]:
            return f"{name}'s"
        return f"in {name}" if found["place"] else name

    return _REFERS.sub(put, part, count=1)
