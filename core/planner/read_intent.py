"""What a question wants, read from its cue words around the parts that were linked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.planner.cue_words import CONNECT, SPENT
from core.planner.intent import Intent, Wanted
from core.planner.logical import Func
from core.planner.mentions import Mention
from core.planner.reading_superlatives import ReadingSuperlatives
from core.planner.words import CLAUSE_VERBS, Token

MEASURED = re.compile(r" how (?P<h>long|tall|heavy|high|deep|large|big|fast|expensive) (?:is|are|was|were)\b")


def read_intent(tokens: Sequence[Token], mentions: Sequence[Mention]) -> Intent:
    """The intent of a question."""
    return _Reader(tokens, mentions).read()


class _Reader(ReadingSuperlatives):
    """The whole reading, and what comes back."""

    def read(self) -> Intent:
        intent = self.intent
        intent.ask = bool(re.match(r" (?:is|are|was|were|does|do|did|has|have|had|can)\b", self.text))
        intent.distinct = bool(
            re.search(r"\b(?:distinct|different|unique)\b|^ (?:which|what) .*\b(?:are|is) there $", self.text)
        )
        intent.listed = bool(
            re.search(r"V\d+ (?:,|or|and|nor|as well as)|[,&] V\d+|\b(?:or|and) [^V]*V\d+|\beither\b", self.text)
        )
        together = r"\b(?:with|starring|featuring|have|has|stars?) V\d+ and V\d+"
        intent.both = bool(re.search(together, self.text)) or bool(
            re.search(r"\bboth\b|\bas well as\b|\balso\b", self.text)
        )
        for step in (
            self._order, self._comparatives, self._ranges, self._limits, self._counts, self._grouping, self._compare,
            self._superlative, self._aggregate, self._dates, self._negation, self._presence,
        ):  # fmt: skip
            step()
        self.on_average = intent.extreme is None and bool(re.search(r"\bon average\b", self.text))
        self._wanted()
        return intent

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
                if not started and self._kind_of_thing(word, words[:position], following):
                    zone.append(Wanted(int(word[1:])))
                    started = True
                    continue
                if not started:
                    continue
                break
            elif word in ("who", "where", "when", "whom") and not started and not opening:
                opening = word
            elif (started and word not in CONNECT) or (
                not started and word in ("of", "that", "does", "do", "did") and opening
            ):
                break
        if self.on_average:
            zone = [replace(w, func=Func.AVG) if not w.func and self._measurable(w.mention) else w for w in zone]
        kept = [w for w in zone if w.mention not in intent.owners]
        extra = [self.measures[int(k[1:])] for k in re.findall(r"K\d+", self.text)]
        kept += [m for m in extra if m not in kept]
        beside = r"\b(?:with|along with|including|together with|and)(?: also)? (?:their|its|his|her|the corresponding)"
        beside += r" (?P<s>[ABRE]\d+)(?: and (?P<t>[ABRE]\d+))?"
        for found in re.finditer(beside, self.text):
            for code in (found["s"], found["t"]):
                if code and Wanted(int(code[1:])) not in kept and int(code[1:]) not in settled:
                    kept.append(Wanted(int(code[1:])))
        if opening in ("who", "where", "when", "whom") and not any(w.func for w in kept):
            kept = [Wanted(None, word="who" if opening == "whom" else opening), *kept[:0]]
        measured = re.match(
            r" how (?P<h>long|tall|heavy|high|deep|large|big|fast|expensive) (?:is|are|was|were)\b", self.text
        )
        if measured and not kept:
            kept = [Wanted(None, hint=measured["h"])]
        if re.match(r" how much\b", self.text) and not kept:
            kept = [Wanted(None, word="much", func=Func.SUM if SPENT.search(self.text) else None)]
        if intent.ask:
            kept = [w for w in kept if w.func is not None]
        kept = intent.wanted or kept  # a comparison has said what comes back
        intent.wanted = kept
        intent.used.update(w.mention for w in kept if w.mention is not None)

    def _kind_of_thing(self, word: str, before: Sequence[str], following: str) -> bool:
        """Whether a stored word is the kind of what is asked for: which series did she create."""
        asks = bool(before) and before[-1] in ("which", "what")
        return asks and word[0] == "V" and self.mentions[int(word[1:])].text.islower() and following[:1].islower()

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
        subject = self.mentions[int(previous[1:])].text.lower() if previous[0] == "E" else ""
        if subject.endswith("s") and mention.text.lower() in CLAUSE_VERBS:
            return True
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
