"""Stored values that a question names by another word: a Japanese film, female patients, zippers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.grounding.terms import content_words, phrases, tokens
from core.grounding.vocabulary import elements_of
from core.results import Match
from core.sources.base import Source

_NAMES = """
afghan=Afghanistan albanian=Albania algerian=Algeria american=United_States angolan=Angola argentine=Argentina
argentinian=Argentina armenian=Armenia australian=Australia austrian=Austria bangladeshi=Bangladesh belgian=Belgium
bolivian=Bolivia bosnian=Bosnia_and_Herzegovina brazilian=Brazil british=United_Kingdom bulgarian=Bulgaria
cambodian=Cambodia cameroonian=Cameroon canadian=Canada chilean=Chile chinese=China colombian=Colombia
croatian=Croatia cuban=Cuba czech=Czech_Republic danish=Denmark dutch=Netherlands ecuadorian=Ecuador egyptian=Egypt
estonian=Estonia ethiopian=Ethiopia finnish=Finland french=France georgian=Georgia german=Germany ghanaian=Ghana
greek=Greece hungarian=Hungary icelandic=Iceland indian=India indonesian=Indonesia iranian=Iran iraqi=Iraq
irish=Ireland israeli=Israel italian=Italy jamaican=Jamaica japanese=Japan kenyan=Kenya korean=South_Korea
latvian=Latvia lebanese=Lebanon lithuanian=Lithuania malaysian=Malaysia mexican=Mexico mongolian=Mongolia
moroccan=Morocco nepalese=Nepal nigerian=Nigeria norwegian=Norway pakistani=Pakistan peruvian=Peru
philippine=Philippines filipino=Philippines polish=Poland portuguese=Portugal romanian=Romania russian=Russia
scottish=Scotland senegalese=Senegal serbian=Serbia singaporean=Singapore slovak=Slovakia slovenian=Slovenia
soviet=Soviet_Union spanish=Spain swedish=Sweden swiss=Switzerland syrian=Syria taiwanese=Taiwan
tanzanian=Tanzania thai=Thailand tunisian=Tunisia turkish=Turkey ukrainian=Ukraine uruguayan=Uruguay
venezuelan=Venezuela vietnamese=Vietnam welsh=Wales african=Africa asian=Asia european=Europe
"""
_ALSO = {
    "american": ("USA", "US", "United States of America"), "british": ("UK", "Great Britain"), "czech": ("Czechia",),
    "dutch": ("The Netherlands",), "turkish": ("Türkiye",), "german": ("West Germany",), "korean": ("Korea",),
}  # fmt: skip
COUNTRIES = {
    adjective: (name.replace("_", " "), *_ALSO.get(adjective, ()))
    for adjective, name in (pair.split("=") for pair in _NAMES.split())
}
"""Lower-case adjective to the names that its country goes by, usual one first."""


SEXES = {
    "female": ("F", "female", "woman"), "females": ("F", "female"), "women": ("F", "female"), "woman": ("F", "female"),
    "male": ("M", "male", "man"), "males": ("M", "male"), "men": ("M", "male"), "man": ("M", "male"),
}  # fmt: skip
"""Lower-case word to how a column of sexes may write it."""
_OF_SEX = frozenset({"sex", "gender"})


def _of_sex(question: str, source: Source) -> list[Match]:
    spoken = {code: t for t in tokens(question) for code in SEXES.get(t.casefold(), ())}
    if not spoken:
        return []
    named = [m for m in source.probe(tuple(spoken)) if m.score >= 1.0 and m.term in spoken]
    return [
        replace(m, term=spoken[m.term]) for m in named if _OF_SEX & set(re.split(r"\W|_", m.place.field.casefold()))
    ]


_FIELDS = (
    (re.compile(r"logists?$"), "logy"), (re.compile(r"iatrists?$"), "iatry"), (re.compile(r"surgeons?$"), "surgery"),
    (re.compile(r"(p(?:a)?ediatric)ians?$"), r"\1s"), (re.compile(r"(obstetric)ians?$"), r"\1s"),
)  # fmt: skip
"""Endings of those who practise a field, and of the field: a dermatologist, for Dermatology."""


def _of_field(question: str, source: Source) -> list[Match]:
    spoken = {
        ending.sub(field, t): t for t in tokens(question) for ending, field in _FIELDS if ending.search(t.casefold())
    }
    named = source.probe(tuple(spoken)) if spoken else ()
    return [replace(m, term=spoken[m.term]) for m in named if m.score >= 1.0 and m.term in spoken]


def _in_the_singular(question: str, source: Source, found: Sequence[Match]) -> list[Match]:
    """Stored values that begin with the singular of a plural that nothing names: Zipper YKB, for zippers."""
    linked = {word for m in found if m.score >= 0.9 for word in m.term.casefold().split()}
    schema = {word for e in elements_of(source.describe()) for word in e.words}
    spoken = [t for t in tokens(question) if len(t) > 4 and t.islower() and t.endswith("s") and t not in linked]
    plurals = {t[:-1]: t for t in spoken if not schema & set(content_words(t))}
    named = source.probe(tuple(plurals)) if plurals else ()
    return [replace(m, term=plurals[m.term]) for m in named if m.term in plurals and _opens(m)]


def _opens(match: Match) -> bool:
    return f"{match.label.casefold()} ".startswith(f"{match.term.casefold()} ")


def probe_names(question: str, source: Source) -> list[Match]:
    """Stored values that `question` names, those that it names by a country's adjective included.

    The adjective gives way where the source stores the word itself, as languages are, or a longer name with it.

    Raises:
        SourceUnavailable: The source can't be reached.
    """
    found = list(source.probe(phrases(question)))
    stored = {m.term.casefold() for m in found if m.score >= 1.0}
    stored |= {word for m in found if " " in m.term for word in m.term.casefold().split()}
    spoken = {name: t for t in tokens(question) for name in COUNTRIES.get(t.casefold(), ())}
    spoken = {name: t for name, t in spoken.items() if t.casefold() not in stored}
    found += _of_sex(question, source)
    found += _of_field(question, source)
    found += _in_the_singular(question, source, found)
    if spoken:
        named = source.probe(tuple(spoken))
        found += [replace(m, term=spoken[m.term]) for m in named if m.score >= 1.0 and m.term in spoken]
    return found
