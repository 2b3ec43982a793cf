"""Words as the planner compares them: tokens, stems, synonyms, and readable parts of identifiers."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from core.grounding.synonyms import SYNONYMS

_IRREGULAR = {
    "people": "person", "men": "man", "women": "woman", "children": "child", "wrote": "write", "written": "write",
    "made": "make", "mice": "mouse", "won": "win", "born": "birth", "died": "death", "die": "death", "dies": "death",
    "dead": "death", "sang": "sing", "sung": "sing", "drove": "drive", "built": "build", "bought": "buy",
    "sold": "sell", "taught": "teach", "took": "take", "taken": "take", "began": "begin", "held": "hold",
    "spoke": "speak", "spoken": "speak", "played": "play", "data": "data", "series": "series", "species": "species",
    "movies": "movie", "caused": "cause", "paid": "pay", "ran": "run", "led": "lead", "married": "marry",
    "remade": "remake", "shot": "shoot", "diagnoses": "diagnosis", "analyses": "analysis",
    "companies": "company", "lost": "lose", "given": "give", "gave": "give", "known": "know", "status": "status",
    "address": "address", "addresses": "address", "bus": "bus", "taller": "tall", "statuses": "status",
}  # fmt: skip

STOP = frozenset(
    "a an the of in on at by for to from with and or but is are was were be been being do does did done have has had"
    " which what who whom whose where when why how that this these those there their its his her it they them we i you"
    " me my your our all any some each every as than then also please tell show list give find return get display name"
    " many much more most less least not no never without into about between during after before since until under over"
    " can could will would should may might must out up down only same such other one ones s t so if per ever"
    " frequent frequently common popular often"
    " together altogether overall currently current called named titled known different distinct unique various"
    " name us let see want know having"
    " record records information info details result results number count total average mean".split()
)

SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000, "bn": 1_000_000_000}
UNITS = frozenset(
    "dollar dollars usd us$ eur gbp pound pounds money percent hours hour minutes seconds metres meters kilometres"
    " kilometers km km2 m2 sq kg square".split()
)
"""Words beside a number that say what it is measured in."""

PAST = frozenset(
    "been become became begun bought brought built came chosen cost dealt did done drawn driven fallen fed felt found"
    " gave given gone got gotten grown had heard held kept known laid led left lent lost made meant met paid played put"
    " ran read run said sat saw seen sent set shown sold spent spoken stood stayed taken taught told took went won"
    " worn wrote written".split()
)
"""Past forms without -ed, which name what happened and no thing."""

CLAUSE_VERBS = frozenset(
    "cost earn make weigh last run win won depart arrive leave land fly start end open close report teach".split()
)
"""Verbs that follow a plural and make a clause with it, though an attribute may be called by them."""
ACTS = frozenset(
    "live lives work works share shares use uses travel travels go goes come comes make makes take takes get gets play"
    " plays belong belongs contain contains include includes appear appears happen exist exists show shows serve serves"
    " offer offers provide provides receive receives stay stays earn earns need needs hold holds keep keeps say says"
    " cost costs last lasts start starts end ends sit sits stand stands want mean means".split()
)
"""Words for what things do, which a query says by its joins."""

LIGHT = frozenset(
    "made had did done took taken gave given got went gone came come put set kept held let has have make".split()
)
"""Verbs that mean next to nothing by themselves, and name an attribute only where it has that very word."""

NUMBER_WORDS = {
    w: i
    for i, w in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
} | {"once": 1, "twice": 2}
_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = rf"(?P<{{}}>(?i:{'|'.join(_MONTHS)}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec))\.?"
_SPOKEN = re.compile(
    rf"\b(?:(?P<day1>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?{_MONTH.format('m1')},? (?P<y1>\d{{4}})"
    rf"|{_MONTH.format('m2')} (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y2>\d{{4}})"
    rf"|{_MONTH.format('m3')},? (?:of )?(?P<y3>\d{{4}}))\b"
)
_TOKEN = re.compile(
    r"(?P<quoted>(?<![\w’'])(?:'(?!s\b)[^'\n]+?(?:'s [^'\n]+?)?'(?!\w)|\"[^\"\n]+\"|“[^”\n]+”|‘[^’\n]+’|`[^`\n]+`))"
    r"|(?P<date>\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?Z?)?|\d{4}-(?:0[1-9]|1[0-2])\b(?!-))"
    r"|(?P<clock>(?<![\w:])\d{1,2}:\d{2}(?::\d{2})?(?![\w:]))"
    r"|(?P<decade>\d{3}0[’']?s\b)"
    r"|(?P<number>(?<![\w.])[$€£]?\d+(?:,\d{3})+(?:\.\d+)?%?(?!\w)|(?<![\w.])[$€£]?\d+(?:\.\d+)?%?(?![\w.]*\w))"
    r"|(?P<possessive>[’'`]s\b|(?<=s)[’'](?=\s))"
    r"|(?P<word>[^\W_]+(?:(?:[-.&/_]|[’'](?!s\b))[^\W_]+)*)"
    r"|(?P<mark>[,;:?!()=<>]+)"
)


@dataclass(frozen=True, slots=True)
class Token:
    """One word, number, date or quoted string of a question, with its place in the text."""

    text: str
    kind: str
    """word, number, date, quoted, possessive or mark."""
    start: int
    end: int

    @property
    def lower(self) -> str:
        """The token without case and quotes."""
        return self.text.lower()

    @property
    def capitalised(self) -> bool:
        """True for a word that starts with a capital letter."""
        return self.kind == "word" and self.text[:1].isupper()


def tokenise(question: str) -> tuple[Token, ...]:
    """Tokens of `question`; a quoted string is one token, its quotes removed."""
    tokens: list[Token] = []
    question = _SPOKEN.sub(_dated, question)
    for found in _TOKEN.finditer(question):
        kind = str(found.lastgroup)
        text = found.group()
        if kind == "quoted":
            text = text[1:-1].strip()
        if kind == "word" and text.lower().endswith(("n't", "n’t")):
            text = "not"
        if kind == "clock":
            kind, text = "date", text.zfill(len(text.partition(":")[2]) + 3)
        if text:
            tokens.append(Token(text, kind, found.start(), found.end()))
    return tuple(tokens)


def _dated(found: re.Match[str]) -> str:
    """A spoken date as ISO 8601 writes it; a month without a day stays a month."""
    month = next(m for m in (found["m1"], found["m2"], found["m3"]) if m)
    number = next(i for i, name in enumerate(_MONTHS, 1) if name.startswith(month.lower()[:3]))
    year = found["y1"] or found["y2"] or found["y3"]
    day = found["day1"] or found["day2"]
    return f"{year}-{number:02}-{int(day):02}" if day else f"{year}-{number:02}"


def fold(text: str) -> str:
    """`text` without case, accents, punctuation and surplus white space."""
    plain = unicodedata.normalize("NFKD", text)
    plain = "".join(c for c in plain if not unicodedata.combining(c)).casefold()
    return " ".join(re.sub(r"[^\w]+|_", " ", plain).split())


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The part of an English word that its inflected forms share."""
    word = word.lower()
    if word in _IRREGULAR:
        word = _IRREGULAR[word]
    elif word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith(("sses", "xes", "ches", "shes", "zes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 2:
        word = word[:-1]
    for suffix in ("ing", "ed"):
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            word = word[: -len(suffix)]
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "ls":
                word = word[:-1]
            break
    if word.endswith(("er", "or")) and len(word) > 4:
        word = word[:-2]
    if word.endswith("e") and len(word) > 3:
        word = word[:-1]
    if word.endswith("y") and len(word) > 3:
        word = word[:-1] + "i"
    return word


def _groups() -> dict[str, frozenset[str]]:
    groups: dict[str, set[str]] = {}
    for line in SYNONYMS:
        stems = {stem(w) for w in line.split()}
        for one in stems:
            groups.setdefault(one, set()).update(stems)
    return {k: frozenset(v) for k, v in groups.items()}


_GROUPS = _groups()


def synonymous(left: str, right: str) -> bool:
    """True when two stems are the same or listed as synonyms."""
    return left == right or right in _GROUPS.get(left, ())


def abbreviates(short: str, word: str) -> bool:
    """True when `short` reads as an abbreviation of `word`, such as dept for department."""
    if not 3 <= len(short) < len(word) or short[0] != word[0] or word.endswith("est") or short in PAST:
        return False  # a superlative is no name that a column shortens, and sent no short student
    if word.startswith(short):
        return True
    letters = iter(word)
    few_vowels = sum(c in "aeiou" for c in short) <= 1
    return len(short) >= 4 and few_vowels and short[-1] == word[-1] and all(c in letters for c in short)


@lru_cache(maxsize=16384)
def parts(identifier: str) -> tuple[str, ...]:
    """Lower-case words of an identifier: snake_case, camelCase, spaces and hyphens."""
    if identifier.lower() in _EXPANDED:
        return _EXPANDED[identifier.lower()]  # LName is no L and a name
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", identifier)
    words = [w.lower() for w in re.split(r"[^\w]+|_", spaced) if w]
    expanded: list[str] = []
    for word in words:
        expanded.extend(_EXPANDED.get(word, (word,)))
    return _SAME_NAME.get(tuple(expanded), tuple(expanded))


_SAME_NAME: dict[tuple[str, ...], tuple[str, ...]] = {
    ("given", "name"): ("first", "name"), ("family", "name"): ("last", "name"),
}  # fmt: skip
_EXPANDED = {
    "surname": ("last", "name"), "forename": ("first", "name"),
    "fname": ("first", "name"), "lname": ("last", "name"), "firstname": ("first", "name"),
    "lastname": ("last", "name"), "num": ("number",), "no": ("number",), "nbr": ("number",), "dob": ("birth", "date"),
    "birthdate": ("birth", "date"), "birthday": ("birth", "date"), "avg": ("average",), "max": ("maximum",),
    "min": ("minimum",), "pct": ("percent",), "qty": ("quantity",), "yr": ("year",), "desc": ("description",),
    "dept": ("department",), "addr": ("address",), "tel": ("phone",), "lat": ("latitude",), "lng": ("longitude",),
    "lon": ("longitude",), "username": ("user", "name"), "filename": ("file", "name"),
}  # fmt: skip


def stems_of(words: tuple[str, ...]) -> tuple[str, ...]:
    """The stem of each word."""
    return tuple(stem(w) for w in words)
