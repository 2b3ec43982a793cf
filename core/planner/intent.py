"""What a question wants, read from its cue words around the parts that were linked."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from core.planner.logical import Func, Op
from core.planner.mentions import Mention
from core.planner.words import UNITS, Token

_S = r"[EABR]\d+"
_NUM = r"[NY]\d+"
_ANY = r"[NYD]\d+"


@dataclass(frozen=True, slots=True)
class Wanted:
    """One thing to return: a mention, or an aggregate of one."""

    mention: int | None
    func: Func | None = None
    distinct: bool = False
    word: str = ""
    """The question word, when nothing in the question names what it asks for."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A condition with an operator; `mention` is the attribute, `counted` what is counted instead."""

    op: Op
    values: tuple[int, ...]
    mention: int | None = None
    counted: int | None = None
    hint: str = ""
    """The comparing word, such as older, when no attribute is named."""
    average: bool = False
    decade: bool = False
    year: bool = False
    position: int = 0


@dataclass(frozen=True, slots=True)
class Extreme:
    """A superlative: the first `limit` things by an attribute, or by how many `counted` they have."""

    descending: bool
    limit: int
    mention: int | None = None
    counted: bool = False
    hint: str = ""
    func: Func | None = None
    summed: bool = False
    """True when what is measured adds up over the parts of a thing: the studio that earned the most."""


@dataclass(slots=True)
class Intent:
    """What was read from the cues; positions are indexes of mentions."""

    ask: bool = False
    distinct: bool = False
    wanted: list[Wanted] = field(default_factory=list)
    comparisons: list[Comparison] = field(default_factory=list)
    extreme: Extreme | None = None
    groups: list[int] = field(default_factory=list)
    order: list[tuple[int | None, bool]] = field(default_factory=list)
    limit: int | None = None
    negated: list[int] = field(default_factory=list)
    both: bool = False
    by_year: bool = False
    """True when the years of dates are asked for, and the source keeps no years of their own."""
    listed: bool = False
    """True when stored values stand in a list: A or B, A and B."""
    used: set[int] = field(default_factory=set)
    """Mentions whose part in the query is settled by a cue."""
    owners: set[int] = field(default_factory=set)
    """Entity mentions that only say whose attribute is meant."""
    present: set[int] = field(default_factory=set)
    """Attribute mentions that must have a value."""
    skeleton: str = ""


def read_intent(tokens: Sequence[Token], mentions: Sequence[Mention]) -> Intent:
    """The intent of a question."""
    return _Reader(tokens, mentions).read()


def skeleton_of(tokens: Sequence[Token], mentions: Sequence[Mention]) -> str:
    """The question in lower case with each mention replaced by its code and index."""
    words: list[str] = []
    starts = {m.first: (i, m) for i, m in enumerate(mentions)}
    position = 0
    while position < len(tokens):
        if position in starts:
            index, mention = starts[position]
            words.append(f"{mention.code}{index}")
            position = mention.last
            continue
        token = tokens[position]
        if token.kind == "possessive":
            words.append("'s")
        elif token.kind == "mark":
            words.append("," if token.text[0] in ",;:" else token.text if token.text[0] in "=<>" else "")
        else:
            words.append(token.lower)
        position += 1
    return " " + " ".join(w for w in words if w) + " "


_GT = (
    "more than|greater than|larger than|higher than|bigger than|over|above|exceeding|exceeds|exceed|longer than"
    "|in excess of|better than|>"
)
_LT = "less than|fewer than|lower than|smaller than|below|under|shorter than|<"
_GE = (
    "at least|no less than|no fewer than|not less than|a minimum of|minimum of|greater than or equal to"
    "|more than or equal to|>="
)
_LE = "at most|no more than|not more than|a maximum of|maximum of|up to|less than or equal to|<="
_EQ = "exactly|equal to|equals|equal|precisely|="
_BEFORE = "before|prior to|earlier than|older than"
_AFTER = "after|later than|newer than|younger than"
_SINCE = "since|on or after|from"
_COMPARISONS: tuple[tuple[str, Op], ...] = (
    (_GE, Op.GE), (_LE, Op.LE), (_GT, Op.GT), (_LT, Op.LT), (_EQ, Op.EQ),
)  # fmt: skip
_HINTED = {
    "older than": Op.GT, "younger than": Op.LT, "taller than": Op.GT, "heavier than": Op.GT, "lighter than": Op.LT,
    "cheaper than": Op.LT, "faster than": Op.GT, "slower than": Op.LT, "longer than": Op.GT, "shorter than": Op.LT,
    "aged over": Op.GT, "aged under": Op.LT, "aged": Op.EQ,
}  # fmt: skip
_MOST = (
    "most|highest|largest|biggest|greatest|maximum|max|best|longest|oldest|tallest|heaviest|latest|newest"
    "|most recent|most expensive|most populous|most populated|fastest|strongest|deepest|richest|busiest"
)
_LEAST = (
    "least|fewest|lowest|smallest|minimum|min|worst|shortest|youngest|earliest|cheapest|lightest|least recent"
    "|least expensive|slowest|least populous"
)
_AVERAGE = {
    "average": Func.AVG, "mean": Func.AVG, "avg": Func.AVG, "sum of": Func.SUM, "sum": Func.SUM, "total": Func.SUM,
    "combined": Func.SUM, "maximum": Func.MAX, "max": Func.MAX, "minimum": Func.MIN, "min": Func.MIN,
    "highest": Func.MAX, "largest": Func.MAX, "lowest": Func.MIN, "smallest": Func.MIN,
}  # fmt: skip
_MONEY = r"(?:money|dollars|euros|revenue|income)"
_FILLER = r"(?:the|a|an|their|its|his|her|all|of|distinct|different|unique|various|average|total|overall|any|other)"
_NEGATION = r"\b(?:not|never|no|without|except|excluding|neither|nor|none)\b"


_SPENT = re.compile(r"\b(?:spent|spend|spends|in total|altogether|overall|earned|paid|made)\b")


class _Reader:
    def __init__(self, tokens: Sequence[Token], mentions: Sequence[Mention]) -> None:
        self.mentions = mentions
        self.text = re.sub(
            r"^ (?:(?:can|could|would|will) you|please|i want to|i need to) (?:please )?",
            " ",
            skeleton_of(tokens, mentions),
        )
        # An owner that is no part of the source is the source: the clinic's patients.
        self.text = re.sub(r" (?:the |our )?[a-z][\w-]* 's (?=[EABRV]\d)", " ", self.text)
        self.intent = Intent(skeleton=self.text)
        self.measures: list[Wanted] = []
        self.top = False
        self.on_average = False

    def read(self) -> Intent:
        intent = self.intent
        intent.ask = bool(re.match(r" (?:is|are|was|were|does|do|did|has|have|had|can)\b", self.text))
        intent.distinct = bool(re.search(r"\b(?:distinct|different|unique)\b", self.text))
        intent.listed = bool(
            re.search(r"V\d+ (?:,|or|and|nor|as well as)|[,&] V\d+|\b(?:or|and) [^V]*V\d+|\beither\b", self.text)
        )
        together = r"\b(?:with|starring|featuring|have|has|stars?) V\d+ and V\d+"
        intent.both = bool(re.search(together, self.text)) or bool(
            re.search(r"\bboth\b|\bas well as\b|\balso\b", self.text)
        )
        for step in (
            self._order, self._ranges, self._limits, self._counts, self._grouping, self._compare,
            self._superlative, self._aggregate, self._dates, self._negation, self._presence,
        ):  # fmt: skip
            step()
        self.on_average = intent.extreme is None and bool(re.search(r"\bon average\b", self.text))
        self._wanted()
        return intent

    def _each(self, pattern: str, handle: Callable[[re.Match[str]], str | None]) -> None:
        """Replace each match by what `handle` returns; None leaves it."""

        def swap(found: re.Match[str]) -> str:
            new = handle(found)
            return found.group() if new is None else new

        self.text = re.sub(pattern, swap, self.text)

    def _mention(self, code: str | None) -> int | None:
        return int(code[1:]) if code else None

    # --- order and limit ---

    def _order(self) -> None:
        direction = r"(?:ascending|descending|increasing|decreasing|asc|desc|alphabetical|alphabetic|lexicographic\w*"
        direction += r"|reverse alphabetical|reverse|chronological)"

        def down(text: str) -> bool:
            return bool(re.search(r"desc|decreas|reverse|high\w* to low|largest first", text))

        def add(found: re.Match[str]) -> str:
            intent = self.intent
            keys = re.findall(_S, found.group())
            for key in keys or [None]:
                at = self._mention(key)
                intent.order.append((at, down(found.group())))
                if at is not None:
                    intent.used.add(at)
            return " "

        more = rf"(?:{_FILLER} )*(?P<key>{_S})(?: and {_FILLER}? ?{_S})?"
        by = r"(?:sorted|sort|ordered|order|ranked|arranged|listed|rank)(?: \w+){0,2}? by"
        self._each(
            rf"\b(?:in |and )?(?:the )?{by} {more}(?: (?:in|from) (?:the |an? )?{direction}(?: order)?"
            r"| from \w+ to \w+| [a-z]*(?:asc|desc)[a-z]*)?", add,
        )  # fmt: skip
        self._each(
            rf"\b(?:{by} |sorted |ordered )?(?:in |by )(?:the |an? )?{direction} (?:order )?(?:of|by) {more}", add
        )
        self._each(
            rf"\b(?:sorted|ordered|listed|sort|order)?(?: them)? ?in (?:the |an? )?{direction}(?: order)?\b", add
        )
        self._each(r"\b(?:sorted |ordered )?alphabetically\b", add)

    def _limits(self) -> None:
        def add(found: re.Match[str]) -> str | None:
            number = self.mentions[int(found["n"][1:])].number
            if not isinstance(number, int) or number < 1:
                return None
            self.intent.limit = number
            self.intent.used.add(int(found["n"][1:]))
            self.top = self.top or (found["w"] or "") in ("top", "best")
            return " "

        self._each(
            rf"\b(?:only |limit (?:to |the results? to )?)?(?:the )?(?P<w>first|top|any|best|up to) (?P<n>{_NUM})\b",
            add,
        )
        self._each(
            rf",? ?\b(?:limited?|limit the results?)(?: it)? to (?P<w>top |)(?P<n>{_NUM})(?: results?| rows?)?", add
        )
        self._each(
            rf"(?P<w>)(?:(?<=which )|(?<=what )|(?<=list )|(?<=the )|(?<=name )|(?<=show )|(?<=find )|(?<=identify ))"
            rf"(?P<n>N\d+)(?= {_S})",
            add,
        )
        self._each(rf"\b(?P<w>)(?P<n>N\d+)(?= (?:{_MOST}|{_LEAST})\b)", add)

    # --- counts, groups ---

    def _counts(self) -> None:
        def add(found: re.Match[str]) -> str:
            at = self._mention(found["s"])
            distinct = bool(re.search(r"distinct|different|unique", found.group()))
            self.measures.append(Wanted(at, Func.COUNT, distinct))
            return f" K{len(self.measures) - 1} "

        guard = r"(?<!most )(?<!least )(?<!highest )(?<!largest )(?<!greatest )(?<!lowest )(?<!smallest )(?<!maximum )"
        guard += r"(?<!minimum )(?<!average )(?<!biggest )(?<!fewest )(?<!by )(?<!on )"
        fill = rf"(?:{_FILLER} |\w+ (?=[EB]\d))*?"
        self._each(rf"\bhow many {fill}(?P<s>{_S})\b", add)
        self._each(rf"{guard}\b(?:the )?(?<!by the )(?:total )?numbers? of {fill}(?P<s>{_S})\b", add)
        self._each(rf"\b(?:count|total count)(?: of)?(?: the)?(?: number of)? {fill}(?P<s>{_S})\b", add)

    def _years(self, found: re.Match[str]) -> str:
        self.intent.by_year = True
        return " | " if found.end() < len(self.text) - 1 else " "

    def _grouping(self) -> None:
        self._each(r"\b(?:per|in each|in every|for each|for every|each|every|by) (?:calendar )?year\b", self._years)
        self._each(r"(?<=^ )(?:in )?(?:which|what) year\b", self._years)

        def add(found: re.Match[str]) -> str:
            at = int(found["s"][1:])
            self.intent.groups.append(at)
            return f" {found['s']} "

        self._each(
            rf"\b(?:for|of|in|by|per|from|at|to|with|on)? ?(?:each|every)(?: of the| distinct| different)?"
            rf" (?P<s>{_S})\b",
            add,
        )
        self._each(rf"\b(?:per|grouped by|group by)(?: the| each)? (?P<s>{_S})\b", add)
        if self.measures or re.search(r"\b(?:average|total|number of)\b", self.text):
            self._each(r"(?<!sorted )(?<!ordered )\bby (?:the )?(?P<s>[AEB]\d+)(?= (?:\w+ )?$)", add)

    # --- comparisons ---

    def _ranges(self) -> None:
        def add(found: re.Match[str]) -> str:
            numbers = (int(found["a"][1:]), int(found["b"][1:]))
            year = all(self.mentions[n].code == "Y" for n in numbers)
            at = self._mention(found["s"])
            place = self.mentions[numbers[0]].first
            hint = "date" if year else ""
            self._compared(Comparison(Op.BETWEEN, numbers, at, hint=hint, year=year, position=place))
            return f" {found['s'] or ''} "

        self._each(
            rf"(?:(?P<s>{_S}) (?:(?:is|are|was|were|of|with|that|which|have|has|in the range|ranging) )*)?"
            rf"\b(?:between|from|in between) (?:the years? )?(?P<a>{_ANY}) (?:and|to|-|through) (?P<b>{_ANY})", add,
        )  # fmt: skip

    def _compared(self, comparison: Comparison) -> None:
        self.intent.comparisons.append(comparison)
        self.intent.used.update(comparison.values)
        if comparison.mention is not None and self.mentions[comparison.mention].code in "AB":
            self.intent.used.add(comparison.mention)

    def _compare(self) -> None:
        verb = r"(?:(?:is|are|was|were|of|that|which|have|has|had|with|a|an|value|being|the|their|and|,|who) )*"
        for words, op in _HINTED.items():
            self._each(rf"\b{words} (?:the age of )?(?P<n>N\d+)(?: years?(?: old)?)?\b", self._hinted(words, op))
        for words, op in _COMPARISONS:
            average = r"(?:the )?(?:overall )?average(?: of)?(?: (?:all|the))*(?: (?P<avg>[EABR]\d+))?"
            self._each(
                rf"(?:(?P<s>{_S}) {verb})?\b(?:{words}) (?:or equal to )?"
                rf"(?:(?P<n>{_ANY})(?: (?:of )?(?P<t>{_S}))?|{average})",
                self._operand(op),
            )  # fmt: skip
        self._each(
            rf"(?:(?P<s>{_S}) {verb})?(?P<n>N\d+) or (?:more|greater|above|higher)(?: (?P<t>{_S}))?",
            self._operand(Op.GE),
        )
        self._each(
            rf"(?:(?P<s>{_S}) {verb})?(?P<n>N\d+) or (?:less|fewer|below|lower)(?: (?P<t>{_S}))?", self._operand(Op.LE)
        )
        for words, op in ((_SINCE, Op.GE), (_BEFORE, Op.LT), (_AFTER, Op.GT)):
            self._each(
                rf"(?:(?P<s>{_S}) {verb})?\b(?:on )?(?:{words}) (?:the )?(?:years? |date )?(?P<n>[YD]\d+)",
                self._dated(op),
            )  # fmt: skip

    def _hinted(self, words: str, op: Op) -> Callable[[re.Match[str]], str]:
        def add(found: re.Match[str]) -> str:
            at = int(found["n"][1:])
            self._compared(Comparison(op, (at,), hint=words.split()[0], position=self.mentions[at].first))
            return " "

        return add

    def _operand(self, op: Op) -> Callable[[re.Match[str]], str]:
        def add(found: re.Match[str]) -> str:
            groups = found.groupdict()
            before, after = self._mention(groups.get("s")), self._mention(groups.get("t"))
            if not groups.get("n"):
                of = self._mention(groups.get("avg"))
                at = before if before is not None and self.mentions[before].code in "AB" else of
                position = self.mentions[at].first if at is not None else 0
                self._compared(Comparison(op, (), at, average=True, position=position))
                return f" {groups.get('s') or ''} | "
            number = int(groups["n"][1:])
            year = self.mentions[number].code == "Y"
            place = self.mentions[number].first
            if after is not None and self.mentions[after].code in "EBR":
                self._compared(Comparison(op, (number,), before, after, year=False, position=place))
                return f" {groups.get('s') or ''} | {groups.get('t')} "
            if before is not None and after is not None and self._is_unit(after, before):
                self.intent.used.add(after)
                after = None
            if after is not None:
                self._compared(Comparison(op, (number,), after, position=place))
                return f" {groups.get('s') or ''} | "
            if before is not None and self.mentions[before].code == "R":
                self._compared(Comparison(op, (number,), None, before, position=place))
                return f" | {groups.get('s')} | "
            self._compared(Comparison(op, (number,), before, year=year, position=place))
            return f" {groups.get('s') or ''} | "

        return add

    def _is_unit(self, after: int, before: int) -> bool:
        """Whether the attribute after a number is the unit of the one before it: cost more than 300 euros."""
        text = self.mentions[after].text.lower()
        return self.mentions[before].code in "AB" and (text in UNITS or text in ("euro", "euros", "days", "years"))

    def _dated(self, op: Op) -> Callable[[re.Match[str]], str]:
        def add(found: re.Match[str]) -> str:
            number = int(found["n"][1:])
            year = self.mentions[number].code == "Y"
            place = self.mentions[number].first
            self._compared(Comparison(op, (number,), self._mention(found["s"]), year=year, hint="date", position=place))
            return f" {found['s'] or ''} "

        return add

    def _dates(self) -> None:
        def add(found: re.Match[str]) -> str:
            number = int(found["n"][1:])
            if number in self.intent.used:
                return found.group()
            place = self.mentions[number].first
            self._compared(
                Comparison(Op.EQ, (number,), self._mention(found["s"]), year=self.mentions[number].code == "Y",
                           hint="date", position=place)
            )  # fmt: skip
            return f" {found['s'] or ''} "

        def decade(found: re.Match[str]) -> str:
            number = int(found["n"][1:])
            place = self.mentions[number].first
            self._compared(
                Comparison(
                    Op.BETWEEN,
                    (number,),
                    self._mention(found["s"]),
                    hint="date",
                    decade=True,
                    year=True,
                    position=place,
                )
            )
            return f" {found['s'] or ''} | "

        self._each(rf"(?:(?P<s>{_S}) )?(?:(?:in|during|of|from|is|was|were) )+(?:the )?(?P<n>T\d+)\b", decade)
        lead = r"(?:in|during|on|of|for|from|is|was|are|were|at|=)"
        self._each(rf"(?:(?P<s>{_S}) )?(?:{lead} )+(?:the )?(?:years? )?(?P<n>[YD]\d+)\b", add)

    # --- superlatives and aggregates ---

    def _superlative(self) -> None:
        if self.intent.extreme is not None:
            return
        if self._earned():
            return
        for words, descending in ((_MOST, True), (_LEAST, False)):
            pattern = (
                rf"(?:\b(?:with|having|has|have|had|by|that has|that have|who has|who have|which has|in terms of)\b )?"
                rf"(?:(?:the|their|its) )*\b(?P<w>(?:second )?(?:{words})(?: (?:popular|common|frequent"
                rf"|frequently|often|used|recent|recently|expensive|populous|populated|viewed|successful|active|valuable|commonly"
                rf"|{_MONEY}))?)\b"
                rf"(?P<c> (?:total |overall )?(?:numbers?|amounts?|counts?|quantity) of)?"
                rf"(?: (?:the|of|different|distinct|unique|in|average|total|overall|rated|V\d+|{_FILLER}))*"
                rf" ?(?P<s>{_S})?(?P<h>-(?:rated|paid|grossing))?"
            )
            found = re.search(pattern, self.text)
            if found and not self._aggregated(found):
                self._extreme(found, descending)
                return
        last = re.search(r"(?P<s>[AB]\d+) (?P<w>first|last|earliest|latest|most recently) $(?P<c>)(?P<h>)", self.text)
        if last:
            self._extreme(last, last["w"] in ("last", "latest", "most recently"))
            return
        found = re.search(
            rf"\b(?:by|in terms of|based on|ranked by|according to|for|with)(?: (?:the|their|its|highest|total))*"
            rf"(?P<c> (?:total |overall )?(?:numbers?|amounts?|counts?) of)?(?P<w>)(?P<h>)"
            rf"(?: (?:the|different|distinct|unique|average|total))* (?P<s>{_S}|K\d+)", self.text,
        )  # fmt: skip
        if self.top and found:
            self._extreme(found, True)

    def _earned(self) -> bool:
        """A verb that names what is measured, before its superlative: earned the most in total."""
        found = re.search(
            rf"(?P<s>[AB]\d+) (?:the )?(?P<w>most|least)(?: {_MONEY})?(?: worldwide| altogether)?"
            rf"(?P<f> in total| overall| combined| altogether| on average)?(?= \$| $| in | at | for | from |\?|,)",
            self.text,
        )
        if not found or not self.mentions[int(found["s"][1:])].attributes:
            return False
        at = int(found["s"][1:])
        func = Func.AVG if found["f"] == " on average" else None
        self.intent.used.add(at)
        self.intent.extreme = Extreme(found["w"] == "most", self.intent.limit or 1, at, False, "top", func, True)
        self.text = self.text[: found.start()] + " | " + self.text[found.end() :]
        return True

    def _aggregated(self, found: re.Match[str]) -> bool:
        """Whether a superlative asks for the value itself, as in: what is the highest salary."""
        word = found["w"]
        at = self._mention(found["s"])
        if re.match(
            r" (?:and|,|or)(?: the)? (?:average|mean|minimum|maximum|lowest|highest|total)\b",
            self.text[found.end("w") :],
        ):
            return True
        if re.search(
            r"\b(?:average|mean|total|minimum|maximum|sum) (?:and|,)(?: the)? $", self.text[: found.start("w")]
        ):
            return True
        if word not in _AVERAGE or at is None or self.mentions[at].code not in "AB" or found["c"]:
            return False
        if re.match(r" [EBR]\d+", self.text[found.end() :]):
            return False  # the highest grossing film asks for the film
        before = self.text[: found.start("w")]
        led = re.fullmatch(
            r" (?:(?:what|which|is|are|was|were|the|find|show|give|return|list|tell|me|us|and|K\d+|G\d+|,|please"
            r"|average|mean|minimum|maximum|lowest|highest|largest|smallest|min|max|[AB]\d+) )*", before,
        )  # fmt: skip
        return bool(led) and self.intent.limit is None

    def _extreme(self, found: re.Match[str], descending: bool) -> None:
        intent = self.intent
        counted = bool(found["c"])
        at = self._mention(found["s"])
        if found["s"] and found["s"][0] == "K":
            measure = self.measures[int(found["s"][1:])]
            at, counted = measure.mention, True
        code = self.mentions[at].code if at is not None else ""
        hint = found["w"] or "top"
        func = None
        average = re.search(r"\b(average|total)\b", found.group())
        if re.search(r"\bon average\b", self.text) and code in ("A", "B"):
            func = Func.AVG
        if average:
            func = Func.AVG if average[1] == "average" else Func.SUM
        if at is not None and code == "A":
            intent.used.add(at)
        limit = intent.limit or 1
        summed = bool(re.search(rf"\b{_MONEY}\b", hint)) or hint in ("most", "least", "fewest")
        intent.extreme = Extreme(descending, limit, at, counted, hint, func, summed)
        kept = self._code_of(at) if at is not None else ""
        self.text = self.text[: found.start()] + f" | {kept} " + self.text[found.end() :]

    def _code_of(self, at: int) -> str:
        return f"{self.mentions[at].code}{at}"

    def _aggregate(self) -> None:
        word = "|".join(sorted(_AVERAGE, key=len, reverse=True))

        def add(found: re.Match[str]) -> str:
            functions = [_AVERAGE[w] for w in re.findall(rf"\b(?:{word})\b", found["f"])]
            keys = [int(k[1:]) for k in re.findall(r"[AB]\d+", found["k"])]
            out = []
            for key in keys:
                for func in functions:
                    self.measures.append(Wanted(key, func))
                    out.append(f"K{len(self.measures) - 1}")
                self.intent.used.add(key)
            return " " + " , ".join(out) + " "

        between = r"(?:(?:,|and|the|or|of|as well as) )*"
        self._each(
            rf"\b(?P<f>(?:{word})(?: {between}(?:{word}))*) (?:{_FILLER} |value |V\d+ )*(?P<k>[AB]\d+"
            rf"(?: (?:,|and|and the|, and) [AB]\d+(?! 's))*)", add,
        )  # fmt: skip

    def _negation(self) -> None:
        for found in re.finditer(r"\b(?:is|are|was|were|does|do|did|has|have) V(\d+) (?:not|never)\b", self.text):
            self.intent.negated.append(int(found[1]))
        for found in re.finditer(_NEGATION, self.text):
            rest = self.text[found.end() :]
            stop = re.search(r"\b(?:but|and also|who are|that are)\b", rest)
            for code in re.findall(r"[EABRVQ]\d+", rest[: stop.start()] if stop else rest):
                self.intent.negated.append(int(code[1:]))

    def _presence(self) -> None:
        for found in re.finditer(
            rf"\b(?:won|win|wins|winning|received|got|gets|have|has|with|having) (?:a|an|any|at least one) ({_S})\b",
            self.text,
        ):
            if int(found[1][1:]) not in self.intent.negated:
                self.intent.present.add(int(found[1][1:]))
        for found in re.finditer(rf"\b(?:have|has|with|having) (?:a|an|any|known|some) ({_S})(?: \w+)? $", self.text):
            self.intent.present.add(int(found[1][1:]))

    # --- targets ---

    def _wanted(self) -> None:
        """What stands between the opening words and the first boundary, and every aggregate."""
        intent = self.intent
        for position, measure in enumerate(self.measures):
            if measure.mention is not None and f"K{position} " in self.text:
                intent.used.add(measure.mention)
        words = self.text.split()
        settled = set(intent.used)
        zone: list[Wanted] = []
        started = False
        opening = ""
        for position, word in enumerate(words):
            following = words[position + 1] if position + 1 < len(words) else ""
            if word == "|":
                if started:
                    break
                continue
            if re.fullmatch(r"[EABR]\d+", word):
                at = int(word[1:])
                if at in settled:
                    if started:
                        break
                    continue
                previous = words[position - 1] if position else ""
                if zone and zone[-1].func and word[0] == "E" and not _joined(words[:position]):
                    break  # the highest value the laboratory reported
                if started and self._verb(at, previous):
                    break
                if following == "'s" and intent.extreme and words[max(position - 1, 0)] in ("which", "what"):
                    zone.append(Wanted(at))
                    started = True
                    break
                if self._owns(word, following):
                    intent.owners.add(at)
                elif word[0] != "R" or following not in ("V", "") or not started:
                    if word[0] == "R" and not self._noun(word, words, position):
                        break
                    zone.append(Wanted(at))
                started = True
            elif re.fullmatch(r"K\d+", word):
                zone.append(self.measures[int(word[1:])])
                started = True
            elif re.fullmatch(r"[VQNYDT]\d+", word):
                if not started:
                    continue
                break
            elif word in ("who", "where", "when", "whom") and not started and not opening:
                opening = word
            elif (started and word not in _CONNECT) or (
                not started and word in ("of", "that", "does", "do", "did") and opening
            ):
                break
        if self.on_average:
            zone = [replace(w, func=Func.AVG) if not w.func and self._measurable(w.mention) else w for w in zone]
        kept = [w for w in zone if w.mention not in intent.owners]
        extra = [self.measures[int(k[1:])] for k in re.findall(r"K\d+", self.text)]
        kept += [m for m in extra if m not in kept]
        beside = r"\b(?:with|along with|including|together with|and)(?: also)? (?:their|its|his|her|the corresponding)"
        beside += r" (?P<s>[AB]\d+)(?: and (?P<t>[AB]\d+))?"
        for found in re.finditer(beside, self.text):
            for code in (found["s"], found["t"]):
                if code and Wanted(int(code[1:])) not in kept and int(code[1:]) not in settled:
                    kept.append(Wanted(int(code[1:])))
        if opening in ("who", "where", "when", "whom") and not any(w.func for w in kept):
            kept = [Wanted(None, word="who" if opening == "whom" else opening), *kept[:0]]
        if re.match(r" how much\b", self.text) and not kept:
            kept = [Wanted(None, word="much", func=Func.SUM if _SPENT.search(self.text) else None)]
        if intent.ask:
            kept = [w for w in kept if w.func is not None]
        intent.wanted = kept
        intent.used.update(w.mention for w in kept if w.mention is not None)

    def _measurable(self, at: int | None) -> bool:
        return at is not None and self.mentions[at].code in "AB" and bool(self.mentions[at].attributes)

    def _owns(self, word: str, following: str) -> bool:
        if word[0] not in "EB":
            return False
        attribute = following[:1] in ("A", "B") and following[1:].isdigit()
        attribute = attribute and int(following[1:]) not in self.intent.used
        return following == "'s" or (attribute and not self._verb(int(following[1:]), word))

    def _verb(self, at: int, previous: str) -> bool:
        """Whether a linked word right after another one says what it does: studios released, countries border."""
        if not re.fullmatch(r"[EABRVK]\d+", previous):
            return False
        mention = self.mentions[at]
        named = mention.named[0] if mention.named else None
        return mention.text.lower().endswith("ed") or (named is not None and named.edge)

    def _noun(self, word: str, words: Sequence[str], position: int) -> bool:
        text = self.mentions[int(word[1:])].text.lower()
        before = words[position - 1] if position else ""
        return (not text.endswith("ed") and before not in ("that", "who", "which", "is", "are", "was", "were")) or (
            before in ("the", "a", "an", "which", "what", "all", "list", "show", "find")
        )


def _joined(words: Sequence[str]) -> bool:
    """Whether the last thing that was read and the next are a list."""
    since = list(words[::-1][:3])
    between = since[: next((i for i, w in enumerate(since) if re.fullmatch(r"[A-Z]\d+", w)), len(since))]
    return any(w in (",", "and", "both", "each", "every", "of", "per") for w in between) or "the" not in between


_CONNECT = frozenset(
    "and , the a an their its his her all different distinct unique 's both as well or each every corresponding of also"
    " along with".split()
) - {"with", "of"}
