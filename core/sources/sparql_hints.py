"""Why a SPARQL query may have found nothing: a text that the graph stores under another language tag."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator

from core.results import Literal, Payload, Rows, Truth, Value
from core.sources.base import RdfSchema

TEXT = re.compile(
    r"""\#[^\n]* | <[^<>\s]*>
    | (?P<text> "(?:\\.|[^"\\\n])+" | '(?:\\.|[^'\\\n])+' ) (?: @(?P<lang>[A-Za-z-]+) | (?P<typed>\^\^) )?""",
    re.VERBOSE,
)
MOST_TEXTS = 4
MOST_LANGUAGES = 12


def found_nothing(payload: Payload) -> bool:
    """No row, no triple, a no, or a count of nothing."""
    if isinstance(payload, Rows) and len(payload.items) == 1:
        return all(isinstance(cell, Literal) and cell.value == "0" for cell in payload.items[0])
    return payload == Truth(False) or not payload.items


def tag_hints(query: str, schema: RdfSchema, ask: Callable[[str], Iterable[tuple[Value, ...]]]) -> Iterator[str]:
    """For each text of `query`, the tags it is stored with, if it is not stored as it is written there."""
    languages = [lang for p in schema.predicates for lang in p.languages]
    tags = list(dict.fromkeys([*languages, "en"]))[:MOST_LANGUAGES]
    for text, lang in itertools.islice(_texts(query), MOST_TEXTS):
        forms = " ".join([text, *(f"{text}@{tag}" for tag in dict.fromkeys([*tags, *([lang] if lang else [])]))])
        stored = {row[0] for row in ask(f"SELECT DISTINCT ?o {{ VALUES ?o {{ {forms} }} ?s ?p ?o }}")}
        found = {(v.lang or "").lower() for v in stored if isinstance(v, Literal)}
        if found and lang.lower() not in found:
            written = f"{text}@{lang}" if lang else f"{text} without a language tag"
            there = ", ".join(f"{text}@{tag}" if tag else f"{text} without a tag" for tag in sorted(found))
            yield f"Nothing is called {written} here, but there is {there}. Compare with that, or with STR(?x)."


def _texts(query: str) -> Iterator[tuple[str, str]]:
    """Texts of the query, still in their quotes, with their language tags."""
    for match in TEXT.finditer(query):
        if match["text"] is not None and not match["typed"]:
            yield match["text"], match["lang"] or ""
