"""Questions of a source that were answered before, with their queries, as examples for the next."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from core.grounding.samples import Sample
from core.results import Language
from core.stages.contexts.shared import one_line

COMMENT = {Language.SQL: "--", Language.SPARQL: "#", Language.CYPHER: "//"}
DECLARED = re.compile(r"\s*PREFIX\s+([\w.-]*):\s*<([^>]*)>\s*", re.IGNORECASE)


def examples_of(samples: Sequence[Sample], language: Language, prefixes: Mapping[str, str], room: int) -> str:
    """Lines to stand behind a context, nearest question first; empty without samples or room for one."""
    mark = COMMENT[language]
    head = f"\n{mark} Questions answered before, with their queries:"
    text = ""
    for sample in samples:
        query = _without_prefixes(sample.query, prefixes) if language is Language.SPARQL else sample.query
        more = f"\n{mark} {one_line(sample.question, 200)}\n{query.strip()}"
        if len(head) + len(text) + len(more) <= room:
            text += more
    return f"{head}{text}" if text else ""


def _without_prefixes(query: str, prefixes: Mapping[str, str]) -> str:
    """The query without the declarations that the source adds by itself."""
    while (match := DECLARED.match(query)) and prefixes.get(match[1]) == match[2]:
        query = query[match.end() :]
    return query
