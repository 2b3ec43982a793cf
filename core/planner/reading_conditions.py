"""Comparisons, ranges and dates of a question."""

from __future__ import annotations

import re
from collections.abc import Callable

from core.planner.cue_words import AFTER, BEFORE, COMPARISONS, CONSTANT, HINTED, SCHEMA, SINCE
from core.planner.intent import Comparison
from core.planner.logical import Op
from core.planner.reading_comparatives import ReadingComparatives
from core.planner.words import UNITS


class ReadingConditions(ReadingComparatives):
    """Adds comparisons, ranges and dates."""

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
            rf"(?:(?P<s>{SCHEMA}) (?:(?:is|are|was|were|of|with|that|which|have|has|in the range|ranging) )*)?"
            rf"\b(?:between|from|in between) (?:the years? )?(?P<a>{CONSTANT}) (?:and|to|-|through)"
            rf" (?P<b>{CONSTANT})", add,
        )  # fmt: skip

    def _compared(self, comparison: Comparison) -> None:
        self.intent.comparisons.append(comparison)
        self.intent.used.update(comparison.values)
        if comparison.mention is not None and self.mentions[comparison.mention].code in "AB":
            self.intent.used.add(comparison.mention)

    def _compare(self) -> None:
        verb = r"(?:(?:is|are|was|were|of|that|which|have|has|had|with|a|an|value|being|the|their|and|,|who) )*"
        for words, op in HINTED.items():
            self._each(rf"\b{words} (?:the age of )?(?P<n>N\d+)(?: years?(?: old)?)?\b", self._hinted(words, op))
        for words, op in COMPARISONS:
            average = r"(?:the )?(?:overall )?average(?: of)?(?: (?:all|the))*(?: (?P<avg>[EABR]\d+))?"
            self._each(
                rf"(?:(?P<s>{SCHEMA}) {verb})?\b(?:{words}) (?:or equal to )?"
                rf"(?:(?P<n>{CONSTANT})(?: (?:of )?(?P<t>{SCHEMA}))?|{average})",
                self._operand(op),
            )  # fmt: skip
        self._each(
            rf"(?:(?P<s>{SCHEMA}) {verb})?(?P<n>N\d+) or (?:more|greater|above|higher)(?: (?P<t>{SCHEMA}))?",
            self._operand(Op.GE),
        )
        self._each(
            rf"(?:(?P<s>{SCHEMA}) {verb})?(?P<n>N\d+) or (?:less|fewer|below|lower)(?: (?P<t>{SCHEMA}))?",
            self._operand(Op.LE),
        )
        for words, op in ((SINCE, Op.GE), (BEFORE, Op.LT), (AFTER, Op.GT)):
            self._each(
                rf"(?:(?P<s>{SCHEMA}) {verb})?\b(?:on )?(?:{words}) (?:the )?(?:years? |date )?(?P<n>[YD]\d+)",
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
                grouped = before is not None and self.mentions[before].code == "A"  # locations with two cinemas
                subject = None if grouped else before
                self._compared(Comparison(op, (number,), subject, after, year=False, position=place))
                return f" {groups.get('s') or ''} | {groups.get('t')} "
            if before is not None and after is not None and self._is_unit(after, before):
                self.intent.used.add(after)
                after = None
            if after is not None:
                self._compared(Comparison(op, (number,), after, position=place))
                return f" {groups.get('s') or ''} | "
            times = self.mentions[number].text.lower() in ("once", "twice")
            if before is not None and (self.mentions[before].code == "R" or (times and self.mentions[before].named)):
                self._compared(Comparison(op, (number,), None, before, position=place))
                return f" | {groups.get('s')} | "
            named = re.search(r" V(\d+)(?: (?:of|is|was|level|levels|result|results|that|which|a|an))* $",
                              self.text[: found.start()].rstrip() + " ") if before is None else None  # fmt: skip
            beside = int(named[1]) if named else None
            self._compared(Comparison(op, (number,), before, year=year, position=place, beside=beside))
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

        self._each(rf"(?:(?P<s>{SCHEMA}) )?(?:(?:in|during|of|from|is|was|were) )+(?:the )?(?P<n>T\d+)\b", decade)
        lead = r"(?:in|during|on|of|for|from|is|was|are|were|at|=)"
        self._each(rf"(?:(?P<s>{SCHEMA}) )?(?:{lead} )+(?:the )?(?:years? )?(?P<n>[YD]\d+)\b", add)
