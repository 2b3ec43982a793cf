"""The skeleton of a question, and its sort keys, limits, counts, groups and negations."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from core.planner.cue_words import FILLER, LEAST, MOST, NEGATION, NUMBER, SCHEMA
from core.planner.intent import Intent, Wanted
from core.planner.logical import Func
from core.planner.mentions import Mention
from core.planner.words import Token

_DENIED = re.compile(
    r"(?:(?!V\d).)*?V\d+(?:(?: (?:,|or|and|nor))+(?: (?:from|in|by|with|of|the))*"
    r"(?: [EABR]\d+)?(?: (?:from|in|by|with|of))* V\d+)*"
)
"""What a negation reaches: up to the first name after it, and the names in a list with that."""


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


class Reading:
    """Reads cues off a skeleton; what is read is taken out of its text."""

    def __init__(self, tokens: Sequence[Token], mentions: Sequence[Mention]) -> None:
        self.mentions = mentions
        self.text = re.sub(
            r"^ (?:(?:can|could|would|will) you|please|i want to|i need to) (?:please )?",
            " ",
            skeleton_of(tokens, mentions),
        )
        # An owner that is no part of the source is the source: the clinic's patients.
        self.text = re.sub(r" (?:the |our )?[a-z][\w-]* 's (?=[EABRV]\d)", " ", self.text)
        self.text = re.sub(r" (?:worldwide|global|globally|international)(?= )", "", self.text)
        self.text = re.sub(r" (?:dr|mr|mrs|ms|prof|professor|sir) (?=V\d)", " ", self.text)
        self.intent = Intent(skeleton=self.text)
        self.measures: list[Wanted] = []
        self.top = False
        self.on_average = False

    def _each(self, pattern: str, handle: Callable[[re.Match[str]], str | None]) -> None:
        """Replace each match by what `handle` returns; None leaves it."""

        def swap(found: re.Match[str]) -> str:
            new = handle(found)
            return found.group() if new is None else new

        self.text = re.sub(pattern, swap, self.text)

    def _mention(self, code: str | None) -> int | None:
        return int(code[1:]) if code else None

    def _order(self) -> None:
        direction = r"(?:ascending|descending|increasing|decreasing|asc|desc|alphabetical|alphabetic|lexicographic\w*"
        direction += r"|reverse alphabetical|reverse|chronological)"

        def down(text: str) -> bool:
            return bool(re.search(r"desc|decreas|reverse|high\w* to low|largest first", text))

        def add(found: re.Match[str]) -> str:
            intent = self.intent
            keys = re.findall(SCHEMA, found.group())
            for key in keys or [None]:
                at = self._mention(key)
                intent.order.append((at, down(found.group())))
                if at is not None:
                    intent.used.add(at)
            return " "

        more = rf"(?:{FILLER} )*(?P<key>{SCHEMA})(?: and {FILLER}? ?{SCHEMA})?"
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
            rf"\b(?:only |limit (?:to |the results? to )?)?(?:the )?(?P<w>first|top|any|best|up to) (?P<n>{NUMBER})\b",
            add,
        )
        self._each(
            rf",? ?\b(?:limited?|limit the results?)(?: it)? to (?P<w>top |)(?P<n>{NUMBER})(?: results?| rows?)?", add
        )
        self._each(
            rf"(?P<w>)(?:(?<=which )|(?<=what )|(?<=list )|(?<=the )|(?<=name )|(?<=show )|(?<=find )|(?<=identify ))"
            rf"(?P<n>N\d+)(?= {SCHEMA})",
            add,
        )
        self._each(rf"\b(?P<w>)(?P<n>N\d+)(?= (?:{MOST}|{LEAST})\b)", add)

    def _counts(self) -> None:
        def add(found: re.Match[str]) -> str:
            at = self._mention(found["s"])
            distinct = bool(re.search(r"distinct|different|unique", found.group()))
            self.measures.append(Wanted(at, Func.COUNT, distinct))
            return f" K{len(self.measures) - 1} "

        guard = r"(?<!most )(?<!least )(?<!highest )(?<!largest )(?<!greatest )(?<!lowest )(?<!smallest )(?<!maximum )"
        guard += r"(?<!minimum )(?<!average )(?<!biggest )(?<!fewest )(?<!by )(?<!on )"
        fill = rf"(?:{FILLER} |\w+ (?=[EB]\d))*?"
        self._each(rf"\bhow many {fill}(?P<s>{SCHEMA})\b", add)
        # What has a stored word: how many series, where a title's kind is series.
        ends = r"(?= (?:are|is|were|was|there|per|in|on|of|have|has|had|did|do|does|each|by|with|from)\b| $)"
        self._each(rf"\bhow many (?P<s>V\d+){ends}", add)
        self._each(rf"{guard}\b(?:the )?(?<!by the )(?:total )?numbers? of {fill}(?P<s>{SCHEMA})\b", add)
        self._each(rf"\b(?:count|total count)(?: of)?(?: the)?(?: number of)? {fill}(?P<s>{SCHEMA})\b", add)

    def _parts(self, found: re.Match[str]) -> str:
        self.intent.by_part = found["p"]
        return " | " if found.end() < len(self.text) - 1 else " "

    def _grouping(self) -> None:
        self._each(
            r"\b(?:per|in each|in every|for each|for every|each|every|by) (?:calendar )?(?P<p>year|month)\b",
            self._parts,
        )
        self._each(r"(?<=^ )(?:in )?(?:which|what) (?P<p>year|month)\b", self._parts)

        def add(found: re.Match[str]) -> str:
            at = int(found["s"][1:])
            self.intent.groups.append(at)
            return f" {found['s']} "

        self._each(
            rf"\b(?:for|of|in|by|per|from|at|to|with|on)? ?(?:each|every)(?: of the| distinct| different| [a-z]+)?"
            rf" (?P<s>{SCHEMA})\b",
            add,
        )
        self._each(rf"\b(?:per|grouped by|group by)(?: the| each)? (?P<s>{SCHEMA})\b", add)
        if self.measures or re.search(r"\b(?:average|total|number of)\b", self.text):
            self._each(r"(?<!sorted )(?<!ordered )\bby (?:the )?(?P<s>[AEB]\d+)(?= (?:\w+ )?$)", add)

    def _negation(self) -> None:
        for found in re.finditer(r"\b(?:is|are|was|were|does|do|did|has|have) V(\d+) (?:not|never)\b", self.text):
            self.intent.negated.append(int(found[1]))
        for found in re.finditer(NEGATION, self.text):
            rest = self.text[found.end() :]
            first = _DENIED.match(rest)
            rest = rest[: first.end()] if first else rest
            stop = re.search(r"\b(?:but|and also|who are|that are)\b", rest)
            for code in re.findall(r"[EABRVQ]\d+", rest[: stop.start()] if stop else rest):
                self.intent.negated.append(int(code[1:]))

    def _presence(self) -> None:
        for found in re.finditer(
            r"\b(?:won|win|wins|winning|received|got|gets|have|has|with|having) (?:a|an|any|at least one)"
            rf" ({SCHEMA})\b",
            self.text,
        ):
            if int(found[1][1:]) not in self.intent.negated:
                self.intent.present.add(int(found[1][1:]))
        for found in re.finditer(
            rf"\b(?:have|has|with|having) (?:a|an|any|known|some) ({SCHEMA})(?: \w+)? $", self.text
        ):
            self.intent.present.add(int(found[1][1:]))
