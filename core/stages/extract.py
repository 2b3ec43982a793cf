"""A query or a JSON value out of a model's reply, which is text from outside.

What is taken off: reasoning in tags, remnants of chat templates, fences, labels, surrounding quotes and
prose. Where a reply holds several alternatives, the first whole one is taken. Nothing inside the query
itself is changed.
"""

from __future__ import annotations

import json
import re
from typing import Any

from core.errors import Declined, NoQueryInReply
from core.results import Language

THOUGHT = re.compile(
    r"<(think|thinking|thought|reasoning|reflection|scratchpad|analysis)\b[^>]*>.*?</\1\s*>", re.S | re.I
)
OPEN_THOUGHT = re.compile(
    r"<(think|thinking|thought|reasoning|reflection|scratchpad|analysis)\b[^>]*>.*\Z", re.S | re.I
)
CLOSED_BEFORE = re.compile(r"\A.*</(think|thinking|thought|reasoning|reflection|scratchpad|analysis)\s*>", re.S | re.I)
TEMPLATE = re.compile(
    r"<\|[^<>|]{1,40}\|>|<｜[^<>｜]{1,40}｜>|\[/?INST\]|<</?SYS>>|</?s>|"
    r"<(?:start|end)_of_turn>(?:model|user)?|<\|?eot_id\|?>|<eos>|<bos>"
)
ROLE = re.compile(r"\A\s*(?:assistant|model)\s*:?\s*\n", re.I)
FENCE = re.compile(r"^[^\S\n]*(?P<mark>```|~~~)[^\S\n]*(?P<info>[\w+#.-]*)[^\S\n]*\n?(?P<body>.*?)(?:(?P=mark)|\Z)", re.S | re.M)
LABEL = re.compile(
    r"\A\s*(?:\*\*|__|#+\s*)?(?:(?:the |final |generated |corrected |fixed |repaired |here is the )*"
    r"(?:sql|sparql|cypher|sqlite|neo4j)?\s*-?\s*(?:query|answer|statement|sqlquery|code|output|result|passage|response)|sql|sparql|cypher)"
    r"\s*(?:\*\*|__)?\s*[:：]\s*(?:\*\*|__)?\s*",
    re.I,
)
STARTS = {
    Language.SQL: r"(?:SELECT|WITH|VALUES)\b",
    Language.SPARQL: r"(?:PREFIX|BASE|SELECT|ASK|CONSTRUCT|DESCRIBE)\b",
    Language.CYPHER: r"(?:MATCH|OPTIONAL\s+MATCH|WITH|UNWIND|CALL|RETURN)\b",
}
WRITES = (
    r"(?:INSERT|UPDATE|DELETE|DROP|CREATE|ALTER|MERGE|SET|ATTACH|PRAGMA|LOAD|CLEAR|DETACH|REMOVE|FOREACH|REPLACE|"
    r"TRUNCATE)\b"
)
"""What a writing statement begins with: it is handed on whole, for the guard to refuse by name."""
DECLINES = re.compile(
    r"\b(?:sorry|cannot|can't|can not|unable|not possible|impossible|"
    r"no (?:table|column|such|relevant|information|data)|"
    r"does(?:n't| not) (?:have|contain|hold|include|provide)|"
    r"isn't|is not|there (?:is|are) no|NO_QUERY|not available|insufficient)\b",
    re.I,
)
PAIRS = {'"': '"', "'": "'", "`": "`", "“": "”", "‘": "’"}


def clean_reply(reply: str) -> str:
    """The reply without reasoning and chat-template remnants; a thought that never ends takes all after it."""
    text = THOUGHT.sub("", reply)
    if CLOSED_BEFORE.search(text):
        text = CLOSED_BEFORE.sub("", text)
    text = OPEN_THOUGHT.sub("", text)
    text = TEMPLATE.sub("", text)
    return ROLE.sub("", text).strip()


def extract_query(reply: str, language: Language) -> str:
    """The one query in a reply.

    Raises:
        Declined: The model says that it can't; the message keeps its words.
        NoQueryInReply: The reply is empty or holds no query.
    """
    text = clean_reply(reply)
    if not text:
        raise NoQueryInReply("The model's reply is empty. Ask again, or write the query by hand.")
    if language is Language.TEXT:
        return _prose(text)
    for candidate in _candidates(text):
        query = _query(candidate, language)
        if query:
            return query
    said = " ".join(text.split())[:300]
    if DECLINES.search(text):
        raise Declined(f"The model wrote no query; it said: {said}")
    raise NoQueryInReply(f"The model's reply holds no query. It said: {said}")


def _candidates(text: str) -> list[str]:
    fenced = [m["body"].strip() for m in FENCE.finditer(text) if m["body"].strip()]
    bare = FENCE.sub("\n", text).strip() if fenced else text
    return [*fenced, bare] if fenced else [bare]


def _query(text: str, language: Language) -> str:
    text = _unquoted(_unlabelled(text), language)
    start = re.compile(STARTS[language], re.I)
    write = re.compile(WRITES, re.I)
    begins = start.match(text) and (_looks_whole(text, language) or not DECLINES.search(text))
    if begins or write.match(text) or text.startswith(("--", "#", "//", "/*")):
        return _without_tail(text)
    # A query may follow prose; it begins a line there, and prose seldom begins a line with these words.
    opening = rf"^[^\S\n]*(?:[-*>]\s+|\d+[.)]\s+)?(?P<rest>(?:{STARTS[language]}|{WRITES}).*)"
    for match in re.finditer(opening, text, re.I | re.S | re.M):
        rest = _unquoted(match["rest"].strip(), language)
        if _looks_whole(rest, language):
            return _without_tail(rest)
    label = re.search(rf":\s*(?P<rest>{STARTS[language]}.*)", text, re.I | re.S)
    if label and _looks_whole(label["rest"], language):
        return _without_tail(_unquoted(label["rest"].strip(), language))
    return ""


WHOLE = {
    Language.SQL: r"^\s*(?:SELECT\b.+?(?:\bFROM\b|\d|'|\*|\()|WITH\s+\w+.*?\bAS\s*\(|VALUES\s*\(|"
    + WRITES
    + r".*\b(?:FROM|INTO|TABLE|DATABASE|SET)\b)",
    Language.SPARQL: r"^\s*(?:PREFIX\s+\S*:\s*<|BASE\s*<|(?:SELECT|ASK|CONSTRUCT|DESCRIBE)\b.*[{<?]|" + WRITES + ")",
    Language.CYPHER: r"^\s*(?:(?:OPTIONAL\s+)?MATCH\b.*\(|WITH\b.*\b(?:RETURN|AS)\b|UNWIND\b.*\bAS\b|"
    r"CALL\b.*[({]|RETURN\s+\S|" + WRITES + r".*[({])",
}
EXPLAINS = re.compile(
    r"\s*(?:\*\*|#{1,6}\s|[-*]\s+\*\*|"
    r"(?:This|Note|Explanation|The|Here|It|In|I|You|Please|Alternatively|Or|If|Let|However)\b(?!\s*\())"
)


def _looks_whole(text: str, language: Language) -> bool:
    """Whether it reads as a query rather than as a sentence that begins with one of its words."""
    return bool(re.match(WHOLE[language], text, re.I | re.S))


def _unlabelled(text: str) -> str:
    previous = None
    while previous != text:
        previous = text
        text = LABEL.sub("", text, count=1).strip()
    return text


def _unquoted(text: str, language: Language) -> str:
    """The text inside quotes that surround all of it, if what is inside begins like a query."""
    while len(text) > 2 and PAIRS.get(text[0]) == text[-1]:
        inner = text[1:-1].strip()
        if not re.match(rf"(?:{STARTS[language]}|{WRITES})", inner, re.I):
            break
        text = inner
    return text


def _without_tail(text: str) -> str:
    """The query without an explanation after a blank line or a note after its semicolon."""
    pieces = re.split(r"\n\s*\n", text)
    kept = pieces[0]
    for piece in pieces[1:]:
        if EXPLAINS.match(piece):
            break
        kept += "\n\n" + piece
    kept = re.sub(
        r";\s*\n(?:\*\*)?(?:This|Note|Explanation|The|Here|It|You|Alternatively)\b.*\Z", ";", kept, flags=re.S
    )
    return re.sub(r";\s*\Z", "", kept.strip()).strip()


def _prose(text: str) -> str:
    fenced = [m["body"].strip() for m in FENCE.finditer(text) if m["body"].strip()]
    text = _unlabelled(fenced[0] if fenced else text)
    if len(text) > 2 and PAIRS.get(text[0]) == text[-1] and text[0] not in text[1:-1]:
        text = text[1:-1].strip()
    if re.match(r"(?:I'?m sorry|Sorry|I cannot|I can't|As an AI)\b", text, re.I):
        raise Declined(f"The model wrote no passage; it said: {' '.join(text.split())[:300]}")
    if not text:
        raise NoQueryInReply("The model's reply is empty. Ask again, or write the query by hand.")
    return text


def extract_json(reply: str) -> Any:
    """The first JSON object or list in a reply, whatever stands around it.

    Raises:
        ValueError: There is none.
    """
    text = clean_reply(reply)
    decoder = json.JSONDecoder()
    for candidate in _candidates(text):
        for attempt in (candidate, re.sub(r",(\s*[}\]])", r"\1", candidate)):
            for match in re.finditer(r"[{\[]", attempt):
                try:
                    value, _ = decoder.raw_decode(attempt, match.start())
                except ValueError:
                    continue
                if isinstance(value, dict) or (isinstance(value, list) and value):
                    return value
    raise ValueError(f"no JSON in the reply: {' '.join(text.split())[:200]!r}")
