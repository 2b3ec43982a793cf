"""Comparisons with a named thing, and figures made of two: a larger area than Norway, how many more than in France."""

from __future__ import annotations

import re

from core.errors import CannotLink
from core.planner.cue_words import FILLER, SCHEMA
from core.planner.intent import Comparison, Extreme, Wanted
from core.planner.logical import Calc, Func, Op
from core.planner.reading import Reading

MORE = (
    "more|greater|larger|higher|bigger|longer|taller|heavier|older|richer|later|newer|deeper|faster|better|busier|hotter"
    "|more expensive|more populous|more recent"
)
LESS = (
    "fewer|less|smaller|lower|shorter|lighter|younger|cheaper|slower|earlier|worse|poorer|cooler|less expensive"
    "|less populous"
)
_WORDS = rf"(?P<w>{'|'.join(sorted((*MORE.split('|'), *LESS.split('|')), key=len, reverse=True))})"
_F = rf"(?:{FILLER} )*"
_G = rf"(?: {FILLER})*"
_AVERAGES = {
    "average": Func.AVG, "mean": Func.AVG, "maximum": Func.MAX, "highest": Func.MAX, "largest": Func.MAX,
    "biggest": Func.MAX, "minimum": Func.MIN, "lowest": Func.MIN, "smallest": Func.MIN,
}  # fmt: skip
_PLURAL = {"day": "days", "days": "days", "month": "months", "months": "months", "year": "years", "years": "years"}


def _op(word: str) -> Op:
    return Op.GT if word in MORE.split("|") else Op.LT


class ReadingComparatives(Reading):
    """Adds comparisons with named things, differences, counts of counts, and time between dates."""

    def _comparatives(self) -> None:
        self._ways()
        self._choice()
        self._difference()
        self._between_dates()
        self._averaged_counts()
        self._than_named()
        self._multiples()
        self._aged_at()

    def _ways(self) -> None:
        """Relations that hold both ways."""

        def mutual(_: re.Match[str]) -> str:
            self.intent.mutual = True
            return " "

        self._each(r"\b(?:each other|one another|mutually)\b", mutual)
        self.text = f" {' '.join(self.text.split())} "
        self.intent.skeleton = self.text

    def _than_named(self) -> None:
        """More films than Pixar, a larger area than Norway, longer than Alien, born before Kurosawa."""
        lead = r"(?:(?:has|have|had|with|having|is|are|was|were|does|do|did) )?(?:a |an |the |any )?"
        of = r"(?:that of |those of |those in |that in |in |for |by |of |did |does |the |a |an  )*"
        tail = r"(?P<v>V\d+)(?: 's(?: [EAB]\d+)?)?(?: [EB]\d+)?(?: (?:does|do|did|has|have|had|is|was|were))?"
        average = rf"(?P<avg>average)(?: (?:number|one|{SCHEMA}))*"
        self._each(
            rf"(?:(?P<s>{SCHEMA}) (?:(?:is|are|was|were|that|which|who|much|far) )*)?{lead}\b{_WORDS}"
            rf"{_G}(?: (?P<a>{SCHEMA}))?(?: \w+){{0,2}}? than {of}(?:{tail}|{average})",
            self._named,
        )
        self._each(
            rf"(?:(?P<s>{SCHEMA}) (?:(?:is|are|was|were|that|which|who) )*)?\b(?P<w>before|after) (?:the )?"
            rf"(?P<v>V\d+)(?: 's)?(?: (?:does|do|did|was|were|is))?(?P<a>)(?P<avg>)",
            self._named,
        )

    def _own_average(self, found: re.Match[str]) -> bool:
        """Whether the average is that of a group of the thing's own: of their genre, in the same country."""
        rest = self.text[found.end() :]
        return bool(
            re.match(rf" ?(?:of|in|for|at|among|within) (?:their|its|his|her|the same|the) (?:own )?{SCHEMA}", rest)
        )

    def _named(self, found: re.Match[str]) -> str | None:
        if found["avg"] and self._own_average(found):
            raise CannotLink("An average of each thing's own group is asked for, which is not written here.")
        before, measured = self._mention(found["s"]), self._mention(found["a"])
        word = found["w"]
        op = {"before": Op.LT, "after": Op.GT}.get(word) or _op(word)
        if found["avg"] and (measured is None or self.mentions[measured].code == "A"):
            at = measured if measured is not None else before
            known = at is not None and self.mentions[at].code in "AB"
            self._keep(Comparison(op, (), at if known else None, hint=word, average=True))
            return f" {found['s'] or ''} | "
        if not found["avg"] and word in ("before", "after") and before is None:
            return None
        standard = self._mention(found["v"]) if not found["avg"] else None
        if standard is not None:
            self.intent.standards.add(standard)
        typical = bool(found["avg"])
        if measured is not None and self.mentions[measured].code in "EBR":
            self._keep(Comparison(op, (), None, measured, standard=standard, typical=typical))
            return f" {found['s'] or ''} | {found['a']} "
        dated = word in ("before", "after", "earlier", "later")
        at = measured if measured is not None else before
        named = at is not None and (self.mentions[at].code in "AB" or (dated and self.mentions[at].attributes))
        self._keep(
            Comparison(op, (), at if named else None, hint="date" if dated else word, standard=standard)
        )  # fmt: skip
        return f" {found['s'] or ''} | "

    def _keep(self, comparison: Comparison) -> None:
        self.intent.comparisons.append(comparison)
        if comparison.mention is not None and self.mentions[comparison.mention].code == "A":
            self.intent.used.add(comparison.mention)

    def _choice(self) -> None:
        """Which is longer, Alien or Jaws?"""
        found = re.search(
            rf"^ (?:which|who|what) .*?\b{_WORDS}{_G}(?: (?P<a>{SCHEMA}))?(?P<r> [^|]*?)?,? "
            rf"(?:between |of )?(?P<x>V\d+) (?:or|and) (?P<y>V\d+) $",
            self.text,
        )
        if not found or " than " in self.text:
            return
        first, at = int(found["x"][1:]), self._mention(found["a"])
        after = re.search(SCHEMA, found["r"] or "") if at is None else None
        verb = re.search(rf"({SCHEMA}) (?:the )?$", self.text[: found.start("w")])
        if at is None and (after or verb):
            at = int((after.group() if after else verb.group(1) if verb else "")[1:])
        attribute = at is not None and self.mentions[at].code == "A"
        if at is not None and attribute:
            self.intent.used.add(at)
        counted = at is not None and not attribute
        self.intent.listed = True
        self.intent.extreme = Extreme(_op(found["w"]) is Op.GT, 1, at, counted, found["w"])
        kept = f" {self.mentions[at].code}{at} " if at is not None and counted else " "
        self.text = f" which {found['x']} or {found['y']} |{kept}"
        self.intent.wanted.append(Wanted(first))

    def _difference(self) -> None:
        """How many more people live in Germany than in France? The difference in area between Norway and Sweden."""
        more = re.search(
            rf"^ (?:by )?how (?:many|much) (?:{_WORDS}){_G}(?: (?P<a>{SCHEMA}))?(?P<r>.*?)(?P<x>V\d+)(?P<t>.*?) than"
            r" (?:(?:in|for|by|of|did|does|do|is|was|the|at|on|from|those|that) )*(?P<y>V\d+)(?: E\d+)?"
            r"(?: (?:does|do|did|has|have|is|was|were))? $",
            self.text,
        )
        if more:
            self._two(more["x"], more["y"], Calc.DIFFERENCE)
            measured = more["a"]
            if measured and measured[0] in "EBR":
                self.text = f" how many {measured} {more['r']} {more['x']} {more['t']} "
                return
            measured = measured or next(iter(re.findall(r"[ABR]\d+", f"{more['r']} {more['t']}")), "")
            if not measured:
                self.intent.wanted.append(Wanted(None, hint=more["w"]))
            self.text = f" what {measured} of {more['x']} "
            return
        between = re.search(
            rf"\bdifference (?:(?:in|of) {_F}(?P<a>{SCHEMA}) )?between {_F}(?:(?P<b>{SCHEMA}) (?:of |in )?)?"
            rf"(?P<x>V\d+)(?: 's)?(?: (?P<c>{SCHEMA}))? and (?:{FILLER} |that of |in )*"
            rf"(?:{SCHEMA} (?:of |in )?)?(?P<y>V\d+)(?: 's)?(?: (?P<d>{SCHEMA}))?",
            self.text,
        )
        measured = next((between[k] for k in "abcd" if between[k]), "") if between else ""
        if between and measured:
            self._two(between["x"], between["y"], Calc.DIFFERENCE)
            counted = measured[0] in "ER"
            self.text = f" {'how many' if counted else 'what'} {measured} of {between['x']} "

    def _two(self, first: str, second: str, calc: Calc) -> None:
        self.intent.versus = int(second[1:])
        self.intent.standards.add(int(second[1:]))
        self.intent.calc = calc

    def _between_dates(self) -> None:
        """How many days lie between the release of Alien and that of Aliens, or between a visit and its follow-up?"""
        things = re.search(
            rf"\bhow (?:many|much|long) ?(?P<u>days|years|time)?\b(?P<on> on average)?.*?\b(?:between|from) {_F}"
            rf"(?:(?P<a>{SCHEMA}) (?:of |date of )?)?{_F}(?P<x>V\d+)(?: 's)?(?: (?P<b>{SCHEMA}))? (?:and|to|until)"
            rf" (?:{FILLER} |that of |date )*(?:{SCHEMA} (?:of )?)?{_F}(?P<y>V\d+)(?: 's)?(?: {SCHEMA})?",
            self.text,
        )
        if things and (things["a"] or things["b"]):
            self._two(things["x"], things["y"], Calc.YEARS if things["u"] == "years" else Calc.DAYS)
            self.text = f" when {things['a'] or things['b']} {things['x']} "
            return
        said = re.match(r" how many ([ABER]\d+)", self.text)
        if said and self.mentions[int(said[1][1:])].text.lower() in _PLURAL:
            self.intent.used.add(int(said[1][1:]))
            self.text = self.text.replace(said[1], self.mentions[int(said[1][1:])].text.lower(), 1)
        own = re.search(
            rf"\bhow (?:many )?(?P<u>days|months|years|long|much time)\b(?P<avg> on average)?(?P<r>.*?)\b"
            rf"(?:between|from) {_F}(?P<x>[ABER]\d+) (?:and|to|until|till) {_F}(?P<y>[ABER]\d+)(?P<t>.*)$",
            self.text,
        )
        if own:
            unit = _PLURAL.get(own["u"], "days")
            self.intent.spans.append((int(own["x"][1:]), int(own["y"][1:]), unit))
            average = own["avg"] or "average" in own["r"] or "average" in own["t"] or "on average" in self.text
            self.intent.wanted.append(Wanted(None, Func.AVG if average else None, word="span"))
            self.text = f" {own['r']} {own['t'].replace('on average', '')} "

    def _averaged_counts(self) -> None:
        """The average number of films of a studio: an aggregate of the counts of groups."""
        per = r"(?:per|(?:(?:for|of|in|by|that) )?(?:each|every)|(?:for|of|in|by|that) an?)"
        word = "|".join(_AVERAGES)

        def add(found: re.Match[str]) -> str:
            func = _AVERAGES[found["f"]] if found["f"] else Func.AVG
            self.measures.append(Wanted(int(found["s"][1:]), Func.COUNT))
            self.intent.groups.append(int(found["g"][1:]))
            self.intent.nested = func
            return f" K{len(self.measures) - 1} {found['m']} {found['g']} "

        self._each(
            rf"\b(?P<f>{word}) (?:number|count)s? of {FILLER}? ?(?P<s>{SCHEMA})(?P<m>(?: [a-z]+| R\d+)*?)"
            rf" {per} (?P<g>[EBR]\d+)",
            add,
        )
        self._each(
            rf"\bhow many (?P<f>)(?P<s>{SCHEMA})(?P<m>) (?:does|do|did|has|have|is|are|were)"
            rf" (?:an?|each|every|the average) (?P<g>[EBR]\d+)(?=.* on average )",
            add,
        )
        if self.intent.nested:
            self.text = self.text.replace(" on average ", " ")

    def _multiples(self) -> None:
        """Earned more than ten times their budget; cost more than they earned."""
        own = r"(?:their|its|his|her|the)"

        def add(found: re.Match[str]) -> str:
            values = (int(found["n"][1:]),) if found["n"] else ()
            factor = {"twice": 2, "double": 2, "half": 0.5}.get(found["k"] or "", 1)
            at, other = int(found["s"][1:]), int(found["a"][1:])
            self.intent.used.update((at, other, *values))
            op = {"more": Op.GT, "over": Op.GT, "higher": Op.GT, "greater": Op.GT, "at least": Op.GE}.get(
                found["w"], Op.LT
            )
            self.intent.comparisons.append(Comparison(op, values, at, times=other, factor=factor))
            return " | "

        self._each(
            rf"(?P<s>[AB]\d+) (?:(?:was|is|are|were) )?(?P<w>more|over|higher|greater|less|fewer|lower|at least)"
            rf"(?: than)? (?:(?P<n>N\d+) times |(?P<k>twice|double|half) )?(?:{own} |they )(?P<a>[AB]\d+)",
            add,
        )

    def _aged_at(self) -> None:
        """Older than 60 at their visit."""

        def add(found: re.Match[str]) -> str:
            number, at = int(found["n"][1:]), int(found["e"][1:])
            op = {"older": Op.GT, "over": Op.GT, "younger": Op.LT, "under": Op.LT}[found["w"]]
            self.intent.used.add(number)
            self.intent.comparisons.append(Comparison(op, (number,), hint="aged", at=at))
            return f" | {found['e']} "

        self._each(
            rf"\b(?P<w>older|younger|over|under)(?: than)?(?: the age of)? (?P<n>N\d+)(?: years?(?: old| of age)?)?"
            rf" (?:at|when|on|during|by) (?:the time of |the date of )?(?:{FILLER} |they |he |she )*(?P<e>{SCHEMA})",
            add,
        )
