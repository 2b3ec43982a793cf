"""Parts of a question that refer to an earlier part, or to its answer: "that country", "there", "its"."""

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


_WORD = r"[A-ZÀ-Þ][\w’'.-]*"
_NAME = re.compile(
    rf"(?<=[\w,] )(?:[\"“'‘](?P<q>[^\"”’]{{2,60}})[\"”’]"
    rf"|(?P<n>{_WORD}(?: (?:(?:of|the|and|de|von|van|der|la|&) )*(?:{_WORD}|\d+))*))"
)
_PEOPLE = re.compile(r"\b(?:he|she|his|her|him)\b", re.IGNORECASE)
_VERB = r"(?:is|are|was|were|does|do|did)\b"
_LED = r"^\W*(?:(?:in|at|on|from|to|by|for) )?"
_ANSWERED = re.compile(rf"{_LED}(?:which|what) (?:(?!{_VERB})|(?:is|was|are) )", re.IGNORECASE)
_WHO = re.compile(r"^\W*(?:who|whom)\b", re.IGNORECASE)


def first_name(part: str) -> str:
    """The first thing that `part` calls by its name, by its capitals or quotes; empty where there is none."""
    found = _NAME.search(part)
    return (found["q"] or found["n"]).removesuffix("'s").removesuffix("’s") if found else ""


def last_thing(part: str) -> str:
    """What `part` ends with by its kind, as in who makes the lithium cell; empty where it ends otherwise."""
    found = re.search(r"\bthe ((?:[a-z-]+ ){0,2}[a-z-]+)\W*$", part)
    return f"the {found[1]}" if found else ""


def about_name(first: str, second: str) -> bool:
    """Whether what `second` refers to is what `first` names, and not what answers it.

    Who made a film is a person, so that "it" is the film; how many live in a country is a number, so that
    "there" is the country. What "which" and "what" ask for may be either, and the answer is likelier.
    """
    said = referring(second)
    if not said or not first_name(first) or _ANSWERED.match(first):
        return False
    return not (_WHO.match(first) and _PEOPLE.search(said))
