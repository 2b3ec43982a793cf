"""A query out of a model's reply, which is text from outside.

What is taken off: reasoning in tags, remnants of chat templates, fences, labels, surrounding quotes and
prose. Nothing inside the query itself is changed. Of several alternatives the first whole one is taken, or
the last where the reply calls it the corrected one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.errors import Declined, NoQueryInReply
from core.results import Language
from core.stages.json_reply import extract_json
from core.stages.openings import opens, opens_reading
from core.stages.query_span import CLOSERS, FENCE, LABEL, TAGS, first_start, starts, trimmed, unwrapped
from core.stages.quoting import Plain
from core.stages.spoken import FENCE_MARK, spoken, without_channels

__all__ = ["extract_json", "extract_query"]

LONGEST = 100_000
MOST_FENCES = 40
QUERY_KEYS = ("query", "sql", "sparql", "cypher", "statement", "sqlquery", "answer")
INFO = re.compile(
    r"[ \t]*(?:(?:sql\w*|sqlite3?|mysql|postgres\w*|duckdb|tsql|plsql|sparql|rq|cypher|neo4j|opencypher|json|text|txt|"
    r"plain\w*|markdown|md|query|code)\b[^\n]*?(?=\n|[ \t])|[\w+#.-]*[ \t]*(?=\n))",
    re.I,
)
ECHO = re.compile(r"(?:\A\s*Question:[^\n]*\n+)?(?:Passage:\s*)?<collection>.*?(?:</collection>|\Z)", re.S | re.I)
"""A small model may say again what it was shown of the collection."""
PASSAGE_LABEL = re.compile(rf"\A\s*{LABEL}", re.I)
CORRECTED = re.compile(r"\b(?:correct|corrected|correction|fixed|revised|improved|final|better|should be)\b", re.I)
DECLINES = re.compile(
    r"\b(?:sorry|cannot|can't|can not|unable|not possible|impossible|"
    r"no (?:table|column|such|relevant|information|data)|"
    r"does(?:n't| not) (?:have|contain|hold|include|provide)|"
    r"isn't|is not|there (?:is|are) no|NO_QUERY|not available|insufficient)\b",
    re.I,
)
MARKED_DECLINE = re.compile(r"\W*NO_QUERY\b", re.I)
TAGGED = re.compile(rf"<(?P<tag>{TAGS})>\s*", re.I)
"""Tags in which a reply may wrap its query."""
SAID = 300


@dataclass(frozen=True, slots=True)
class _Block:
    """A fenced part, the prose that leads to it, and where it ends."""

    text: str
    closed: bool
    before: str
    end: int


def clean_reply(reply: str) -> str:
    """The reply without reasoning and chat-template remnants."""
    return spoken(without_channels(reply.lstrip("\ufeff")))


def extract_query(reply: str, language: Language, *, cut: bool = False) -> str:
    """The one query in a reply; `cut` says that the reply stopped at its longest length.

    Raises:
        Declined: The model says that it can't; the message keeps its words.
        NoQueryInReply: The reply is empty, holds no query, or stops before the query is surely whole.
    """
    reply = without_channels(reply[:LONGEST].lstrip("\ufeff")).strip()
    if language is Language.TEXT:
        return _passage(clean_reply(reply))
    text = spoken(_from_json_string(reply), language, lambda part: first_start(part, language))
    if not text:
        raise NoQueryInReply("The model's reply is empty. Ask again, or write the query by hand.")
    if MARKED_DECLINE.match(text):
        raise Declined(f"The model wrote no query; it said: {_said(text)}")
    query, whole = _found(text, language)
    if query and cut and not whole:
        raise NoQueryInReply(
            f"The model's reply was cut off, and its query may lack the end. Ask a narrower question, or write "
            f"the query by hand. It said: {_said(text)}"
        )
    if query:
        return query
    if DECLINES.search(text):
        raise Declined(f"The model wrote no query; it said: {_said(text)}")
    raise NoQueryInReply(f"The model's reply holds no query. It said: {_said(text)}")


def _said(text: str) -> str:
    return " ".join(text.split())[:SAID]


def _found(text: str, language: Language) -> tuple[str, bool]:
    """The query and whether its end is certain."""
    if opens(text, 0, language):
        return trimmed(text, language)
    for match in TAGGED.finditer(text):
        if opens(text, match.end(), language):
            return trimmed(text[match.end() :], language)
    blocks = list(_blocks(text, language))
    if block := _best(blocks, language):
        query, ended = trimmed(_start(block.text, language), language)
        return query, block.closed or ended
    for value in [*(b.text for b in blocks), text]:
        if query := _from_json(value, language):
            return query, True
    outside = _outside(text, blocks)
    for reads_only in (True, False):
        for start, closer in starts(outside, language, reads_only):
            inner, closed = unwrapped(outside[start:], closer, language)
            query, ended = trimmed(inner, language)
            return query, closed or ended
    return _foreign(blocks), True


# --- fences ------------------------------------------------------------------------------------


def _blocks(text: str, language: Language | None) -> Iterator[_Block]:
    position = 0
    for _ in range(MOST_FENCES):
        opened = _opening_fence(text, position, language)
        if not opened:
            return
        mark = opened.group()[0] * 3
        info = INFO.match(text, opened.end())
        start = info.end() if info else opened.end()
        body = text[start:]
        end = _closing(body, mark, language)
        before = text[position : opened.start()]
        position = len(text) if end is None else start + end + 3
        while text.startswith(mark[0], position):
            position += 1
        yield _Block((body if end is None else body[:end]).strip(), end is not None, before, position)


def _opening_fence(text: str, position: int, language: Language | None) -> re.Match[str] | None:
    """The next fence that does not stand in a string of a query before it."""
    first = FENCE.search(text, position)
    query = first_start(text[position : first.start()], language) if first and language else None
    if query is None:
        return first
    plain = Plain(text[position + query :], language)
    return next((m for m in FENCE.finditer(text, position) if plain(m.start() - position - query)), None)


def _closing(body: str, mark: str, language: Language | None) -> int | None:
    """Where the block ends: at a fence outside the query's strings, else at the first one on a line of its own."""
    plain = Plain(body, language)
    found = [m.start() for m in re.finditer(re.escape(mark), body)]
    outside = next((p for p in found if plain(p)), None)
    if outside is not None:
        return outside
    alone = next((m.start("mark") for m in FENCE_MARK.finditer(body) if m["mark"].startswith(mark)), None)
    return alone if alone is not None or _opens_any(body) else next(iter(found), None)


def _opens_any(body: str) -> bool:
    return any(opens(body.lstrip(), 0, language) for language in (Language.SQL, Language.SPARQL, Language.CYPHER))


def _best(blocks: list[_Block], language: Language) -> _Block | None:
    """The first block that reads; the last one where it is called the corrected one; else one that writes."""
    reading = [b for b in blocks if opens_reading(_start(b.text, language), 0, language)]
    if len(reading) > 1 and CORRECTED.search(reading[-1].before):
        return reading[-1]
    writing = [b for b in blocks if opens(_start(b.text, language), 0, language)]
    return next(iter(reading or writing), None)


def _start(body: str, language: Language) -> str:
    """A block's text from its query on, past a label or surrounding quotes."""
    if opens(body, 0, language):
        return body
    for reads_only in (True, False):
        for start, closer in starts(body, language, reads_only):
            return unwrapped(body[start:], closer, language)[0]
    return body


def _outside(text: str, blocks: list[_Block]) -> str:
    return "\n".join([*(b.before for b in blocks), text[blocks[-1].end :]]) if blocks else text


def _foreign(blocks: list[_Block]) -> str:
    """A block in another query language: its engine will say what is wrong, and a repair can follow."""
    return next((b.text for b in blocks if _opens_any(b.text)), "")


def _from_json(text: str, language: Language) -> str:
    if not text.lstrip().startswith("{"):
        return ""
    try:
        value = extract_json(text)
    except ValueError:
        return ""
    values = [v for k, v in value.items() if k.casefold() in QUERY_KEYS] if isinstance(value, dict) else []
    return next((v.strip() for v in values if isinstance(v, str) and opens(v.strip(), 0, language)), "")


def _from_json_string(text: str) -> str:
    """A reply that is one JSON string, unescaped."""
    if text.startswith('"') and "\\" in text:
        try:
            value = json.loads(text, strict=False)
        except ValueError:
            return text
        return value.strip() if isinstance(value, str) else text
    return text


def _passage(text: str) -> str:
    text = ECHO.sub("", text).strip()
    blocks = [b for b in _blocks(text, None) if b.text]
    text = PASSAGE_LABEL.sub("", blocks[0].text if blocks else text).strip()
    if len(text) > 2 and CLOSERS.get(text[0]) == text[-1] and " " in text and text[0] not in text[1:-1] and "." in text:
        text = text[1:-1].strip()
    if not text:
        raise NoQueryInReply("The model's reply is empty. Ask again, or write the query by hand.")
    if MARKED_DECLINE.match(text) or re.match(
        r"(?:I(?:'|’)?m sorry|Sorry|I cannot|I can(?:'|’)t|As an AI)\b", text, re.I
    ):
        raise Declined(f"The model wrote no passage; it said: {_said(text)}")
    return text
