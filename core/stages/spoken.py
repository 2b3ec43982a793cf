"""A reply without what was not said: reasoning in tags, and remnants of chat templates."""

from __future__ import annotations

import re
from collections.abc import Callable

from core.results import Language
from core.stages.quoting import Plain

THOUGHTS = r"(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis)"
OPENED = re.compile(rf"<{THOUGHTS}(?:\s[^<>\n]{{0,80}})?>", re.I)
CLOSED = re.compile(rf"</{THOUGHTS}\s*>", re.I)
ENDS = re.compile(
    r"<\|(?:im_end|eot_id|eom_id|end|endoftext|end_of_text|return|end_of_turn|eos|assistant|user|im_start)\|>"
    r"|<｜(?:end▁of▁sentence|User|Assistant)｜>|</s>|<end_of_turn>|<eos>|<\|end_of_turn\|>|\[INST\]",
    re.I,
)
"""Marks after which another turn begins."""
MARKS = re.compile(
    r"<\|[^<>|\n]{1,40}\|>|<｜[^<>｜\n]{1,40}｜>|\[/?INST\]|<</?SYS>>|</?s>|<(?:start|end)_of_turn>|<[be]os>", re.I
)
ROLE = re.compile(r"\A\s*(?:assistant|model|final)\s*:?\s*\n", re.I)
FINAL_CHANNEL = re.compile(r"<\|channel\|>\s*final[^<>|\n]{0,40}<\|message\|>", re.I)
OTHER_CHANNEL = re.compile(r"<\|channel\|>\s*(?:analysis|commentary)[^<>|\n]{0,40}<\|message\|>", re.I)
FENCE_MARK = re.compile(r"^[ \t]*(?P<mark>`{3,}|~{3,})", re.M)

MOST_QUERIES = 60
"""Queries of one reply whose strings are respected; a reply with more is no reply."""

Finder = Callable[[str], "int | None"]

_TOKEN = re.compile(
    rf"(?P<fence>(?:^[ \t]*)?(?:`{{3,}}|~{{3,}}))|(?P<opened>{OPENED.pattern})|(?P<closed>{CLOSED.pattern})"
    rf"|(?P<mark>{MARKS.pattern})",
    re.I | re.M,
)


def without_channels(reply: str) -> str:
    """The final message of a reply written in channels; a reply that never left its analysis says nothing."""
    finals = list(FINAL_CHANNEL.finditer(reply))
    if finals:
        return reply[finals[-1].end() :]
    other = OTHER_CHANNEL.search(reply)
    return reply[: other.start()] if other else reply


def spoken(reply: str, language: Language | None = None, finds: Finder | None = None) -> str:
    """The reply without thoughts and template marks; what looks like one inside a query's strings is kept.

    A thought that never ends takes everything after it, one that never began everything before it.
    `finds` tells where in a text a query of `language` begins.
    """
    return ROLE.sub("", _Walk(reply, language, finds).said()).strip()


class _Walk:
    """Goes through a reply from left to right and keeps what was said."""

    def __init__(self, reply: str, language: Language | None, finds: Finder | None) -> None:
        self._reply = reply
        self._language = language
        self._finds = finds
        self._kept: list[str] = []
        self._from = 0
        """Where the part begins that is not yet kept or dropped."""
        self._depth = 0
        self._fence = ""
        self._plain: Plain | None = None
        """Of the fenced or bare query that is being gone through, which begins at `_query`."""
        self._query = 0
        self._searched = 0
        self._queries = 0

    def said(self) -> str:
        for token in _TOKEN.finditer(self._reply):
            if self._depth:
                self._depth += {"opened": 1, "closed": -1}.get(token.lastgroup or "", 0)
                self._from = self._searched = token.end()
            elif self._hidden(token.start()):
                continue
            elif self._fence:
                self._inside_fence(token)
            elif not self._outside(token):
                break
        else:
            if not self._depth:
                self._kept.append(self._reply[self._from :])
        return "".join(self._kept)

    def _hidden(self, position: int) -> bool:
        """Whether `position` is inside a string or comment of the query that stands around it."""
        if self._plain is None and self._finds and self._queries < MOST_QUERIES and self._searched < position:
            start = self._finds(self._reply[self._searched : position])
            if start is not None:
                self._begin(self._searched + start)
            self._searched = position
        return self._plain is not None and not self._plain(position - self._query)

    def _begin(self, position: int) -> None:
        self._query, self._plain = position, Plain(self._reply[position:], self._language)
        self._queries += 1

    def _inside_fence(self, token: re.Match[str]) -> None:
        mark = token.group().strip()
        if token.lastgroup == "fence" and mark.startswith(self._fence[0] * 3):
            self._fence, self._plain, self._searched = "", None, token.end()
        elif token.lastgroup == "closed":
            self._drop_before(token)

    def _outside(self, token: re.Match[str]) -> bool:
        """Take one token; False when the reply ends with it."""
        if token.lastgroup == "fence":
            self._fence = token.group().strip()
            self._begin(token.end())
            return True
        if token.lastgroup == "closed":
            self._drop_before(token)
            return True
        self._kept.append(self._reply[self._from : token.start()])
        self._from = self._searched = token.end()
        self._plain = None
        self._depth = int(token.lastgroup == "opened")
        return not (ENDS.fullmatch(token.group()) and "".join(self._kept).strip())

    def _drop_before(self, token: re.Match[str]) -> None:
        self._kept, self._from, self._searched = [], token.end(), token.end()
        self._fence, self._plain = "", None
