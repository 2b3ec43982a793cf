"""Where a query starts in a model's reply, and where it ends."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.results import Language
from core.stages.openings import opens, opens_reading
from core.stages.quoting import Plain
from core.stages.spoken import MARKS, OPENED

FENCE = re.compile(r"`{3,}|~{3,}")
LABEL = (
    r"(?:\*\*|__|\#+[ \t]*)?(?:(?:the|final|generated|corrected|fixed|repaired|here[ \t]is[ \t]the|my)[ \t]+)*"
    r"(?:(?:sql|sparql|cypher|sqlite|neo4j)[ \t_-]*)?"
    r"(?:query|answer|statement|code|output|response|sql|sparql|cypher|passage)"
    r"[ \t]*(?:\*\*|__)?[ \t]*[:：][ \t]*(?:\*\*|__)?\s*"
)
LINE_START = re.compile(
    rf"^[ \t]*(?:(?:[-*•>]|\d{{1,2}}[.)])[ \t]+)?(?:{LABEL})?(?P<quote>[\"'`“‘]?)(?P<query>(?=\S))", re.I | re.M
)
INLINE = re.compile(r"(?:[:：]\s*(?P<quote>[\"'`“‘]?)|(?P<tick>(?<!`)`(?!`)))(?P<query>(?=\S))")
LANGUAGE_LINE = re.compile(r"\A\s*(?:sql|sqlite|sparql|cypher)[ \t]*\n", re.I)
AFTER_LABEL = re.compile(
    r"[ \t]*(?:\*\*|__|\#+[ \t]*)?(?:sql[ \t_]?result|result|answer|explanation|note|notes|output|question|reasoning|"
    r"sqlquery|alternatively|alternative|example|where|this)[ \t]*(?:\*\*|__)?[ \t]*[:：](?!:)",
    re.I,
)
PROSE_OPENER = re.compile(
    r"[ \t]*(?:[-*•][ \t]+|\d+[.)][ \t]+|\*\*|\#+[ \t]+)?"
    r"(?:This|These|That|The|It|Here|Note|You|We|I|I'm|I've|If|However|Alternatively|Please|Hope|Let|Explanation|Above|"
    r"Both|Each|My|Your|Make|Since|Because|Also|But|Or|And|To|In|As|For|Where)"
    r"[ \t,]+"
    r"(?!(?:as|from|on|is|in|like|and|or|not|asc|desc|by|select|join|where|using|set|match|with|return)\b)[a-z']+\b"
    r"(?![ \t]*[.(=<>])"
)
SENTENCE = re.compile(r"[ \t]*(?:[-*•][ \t]+)?[A-Z][\w'’,`-]*(?:[ \t]+[^\s?{}=<>;()]+){2,}[A-Za-z`'\")][.!]\**[ \t]*\Z")
TAGS = r"(?:(?:sql|sparql|cypher|final|generated|corrected)[_-]?)?(?:query|answer|output|statement)|sql|sparql|cypher"
"""Names of the tags in which a reply may wrap its query."""
TAG_END = re.compile(rf"</(?:{TAGS})\s*>", re.I)
CLOSERS = {'"': '"', "'": "'", "`": "`", "“": "”", "‘": "’"}


def starts(text: str, language: Language, reads_only: bool) -> Iterator[tuple[int, str]]:
    """Where queries begin: first those that begin a line, then those after a colon or in inline code."""
    begins = opens_reading if reads_only else opens
    text = LANGUAGE_LINE.sub(lambda m: " " * len(m.group()), text)
    for pattern in (LINE_START, INLINE):
        for match in pattern.finditer(text):
            if begins(text, match.start("query"), language):
                quote = match["quote"] or (match.groupdict().get("tick") or "")
                yield match.start("query"), CLOSERS.get(quote, "")


def first_start(text: str, language: Language) -> int | None:
    """Where the first query begins, or None."""
    return 0 if opens(text, 0, language) else next((start for start, _ in starts(text, language, False)), None)


def unwrapped(text: str, closer: str, language: Language) -> tuple[str, bool]:
    """The text up to the quote that closes it: one with whole strings before it and no word right after it."""
    if not closer:
        return text, False
    for match in re.finditer(re.escape(closer), text):
        end = match.start()
        inner, after = text[:end], text[end + 1 : end + 2]
        if after.isalnum():
            continue
        plain = Plain(inner, language)
        if not any(char == closer and plain(n) for n, char in enumerate(inner)):
            return inner, True
    return text, False


def trimmed(text: str, language: Language) -> tuple[str, bool]:
    """The query without what follows it, and whether something showed where it ends."""
    plain = Plain(text, language)
    end = min(_ends(text, plain, language), default=len(text))
    query = text[:end].rstrip()
    ended = end < len(text)
    while query.endswith(";") and plain(len(query) - 1):
        query, ended = query[:-1].rstrip(), True
    return query.strip(), ended


def _ends(text: str, plain: Plain, language: Language) -> Iterator[int]:
    closed_at = text.rfind("}") if language is Language.SPARQL else -1
    if language is Language.SPARQL:
        yield from (m.start() for m in TAG_END.finditer(text) if _is_whole(text[: m.start()]))
    for pattern in (MARKS, OPENED, TAG_END):
        # In SPARQL a tag reads like an IRI, so it counts only behind the last brace.
        yield from (m.start() for m in pattern.finditer(text) if plain(m.start()) or 0 <= closed_at < m.start())
    yield from (m.start() for m in FENCE.finditer(text) if plain(m.start()))
    for match in re.finditer(r";\s*(?=\S)", text):
        rest = match.end()
        if plain(match.start()) and language is not Language.SPARQL and not _goes_on(text, rest, language):
            yield match.start() + 1
            break
    for match in re.finditer(r"\n(?=[^\n]*\S)", text):
        if plain(match.start()) and plain(match.end()) and _is_remark(text, match.end()):
            yield match.start()
            break


def _is_whole(query: str) -> bool:
    """Whether as many braces close as open, so that what looks like an IRI behind them is a tag."""
    return 0 < query.count("{") <= query.count("}")


def _goes_on(text: str, position: int, language: Language) -> bool:
    """Whether behind a semicolon stands more for the guard to see, rather than a remark."""
    line = text[position:].split("\n", 1)[0]
    return opens(text, position, language) or (
        bool(re.match(r"--|/\*|//|\w+\b", line)) and not _is_remark(text, position)
    )


def _is_remark(text: str, position: int) -> bool:
    line = text[position:].split("\n", 1)[0]
    return bool(AFTER_LABEL.match(line) or PROSE_OPENER.match(line) or SENTENCE.match(line))
