"""Superlatives and aggregates of a question."""

from __future__ import annotations

import re

from core.planner.cue_words import AVERAGE, FILLER, LEAST, MONEY, MOST, SCHEMA
from core.planner.intent import Extreme, Wanted
from core.planner.logical import Func
from core.planner.reading_conditions import ReadingConditions


class ReadingSuperlatives(ReadingConditions):
    """Adds superlatives and aggregates."""

    def _superlative(self) -> None:
        if self.intent.extreme is not None:
            return
        if self._earned():
            return
        turn = re.search(r"^ when .*(?P<w>\bfirst|\blast) (?P<s>[EBR]\d+)(?P<c>)(?P<h>)", self.text)
        if turn:
            self.intent.extreme = Extreme(turn["w"] == "last", 1, None, False, "date")
            self.text = self.text[: turn.start("w")] + self.text[turn.start("s") :]
            return
        for words, descending in ((MOST, True), (LEAST, False)):
            pattern = (
                rf"(?:\b(?:with|having|has|have|had|by|that has|that have|who has|who have|which has|in terms of)\b )?"
                rf"(?:(?:the|their|its) )*\b(?P<w>(?:second )?(?:{words})(?: (?:popular|common|frequent"
                rf"|frequently|often|used|recent|recently|expensive|populous|populated|viewed|successful|active|valuable|commonly"
                rf"|{MONEY}))?)\b"
                rf"(?P<c> (?:total |overall )?(?:numbers?|amounts?|counts?|quantity) of)?"
                rf"(?: (?:the|of|different|distinct|unique|in|average|total|overall|rated|V\d+|{FILLER}))*"
                rf" ?(?P<s>{SCHEMA})?(?P<h>-(?:rated|paid|grossing))?"
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
            rf"(?: (?:the|different|distinct|unique|average|total))* (?P<s>{SCHEMA}|K\d+)", self.text,
        )  # fmt: skip
        if self.top and found:
            self._extreme(found, True)

    def _earned(self) -> bool:
        """A verb that names what is measured, before its superlative: earned the most in total."""
        found = re.search(
            rf"(?P<s>[AB]\d+) (?:the )?(?P<w>most|least)(?: {MONEY})?(?: worldwide| altogether)?"
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
        if word not in AVERAGE or at is None or self.mentions[at].code not in "AB" or found["c"]:
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
        summed = bool(re.search(rf"\b{MONEY}\b", hint)) or hint in ("most", "least", "fewest", "top")
        intent.extreme = Extreme(descending, limit, at, counted, hint, func, summed)
        kept = self._code_of(at) if at is not None else ""
        self.text = self.text[: found.start()] + f" | {kept} " + self.text[found.end() :]

    def _code_of(self, at: int) -> str:
        return f"{self.mentions[at].code}{at}"

    def _aggregate(self) -> None:
        word = "|".join(sorted(AVERAGE, key=len, reverse=True))

        def add(found: re.Match[str]) -> str | None:
            if "of " in found["n"] and "B" in found["k"]:
                return None  # the average number of films asks for groups of them
            functions = [AVERAGE[w] for w in re.findall(rf"\b(?:{word})\b", found["f"])]
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
            rf"\b(?P<f>(?:{word})(?: {between}(?:{word}))*) (?P<n>(?:{FILLER} |value |numbers? of |V\d+ )*)"
            rf"(?P<k>[AB]\d+(?: (?:,|and|and the|, and) [AB]\d+(?! 's))*)", add,
        )  # fmt: skip
