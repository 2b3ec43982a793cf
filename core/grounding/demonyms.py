"""Adjectives of countries, so that a Japanese film is found under Japan."""

from __future__ import annotations

from dataclasses import replace

from core.grounding.terms import phrases, tokens
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
    if spoken:
        named = source.probe(tuple(spoken))
        found += [replace(m, term=spoken[m.term]) for m in named if m.score >= 1.0 and m.term in spoken]
    return found
