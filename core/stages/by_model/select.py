"""Source selection by a model: a JSON answer checked against the ids shown (paper, section 2.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from itertools import groupby
from typing import Any

from core.errors import SelectionFailed
from core.llm.base import Message, Model
from core.results import Candidate, SourceCard, Stage
from core.settings import Settings
from core.sources.catalog import Catalog
from core.stages.base import Selection, Selector
from core.stages.json_reply import extract_json
from core.stages.prompting import render_prompt

SHORT_LIST = 8
"""Sources shown to the model when the built-in selection ranks them first."""
CATALOG_CHARS = 24_000
"""Room for the cards of the whole catalog in one prompt, about 6,000 tokens."""
BY_HAND = "Choose the sources by hand, or use the built-in selection."


class ModelSelector:
    """Shows the model a list of cards and takes the ids it names.

    Args:
        shortlist: Ranks the catalog beforehand; the model sees its best eight with what was found inside.
            Without it the model sees the whole catalog, grouped by kind and language, the cards of a long
            one cut evenly with a note.
    """

    def __init__(self, model: Model, settings: Settings, shortlist: Selector | None = None) -> None:
        self._model = model
        self._settings = settings
        self._shortlist = shortlist

    def __call__(self, question: str, catalog: Catalog, k: int) -> Selection:
        """At most `k` candidates, in the model's order; a wrong answer is sent back once with what is wrong."""
        shown, found, notes = self._shown(question, catalog)
        messages: tuple[Message, ...] = render_prompt(
            "select", k=k, catalog=render_catalog(shown, found), question=question
        )
        schema = answer_schema([card.id for card in shown], k)
        problem = ""
        for _ in range(2):
            reply = self._model.complete(messages, stage=Stage.SELECT, schema=schema, max_tokens=100 + 80 * k)
            try:
                picked = read_choice(reply, [card.id for card in shown])
            except ValueError as error:
                problem = str(error)
                again = f"That answer can't be used: {problem}. Answer again, with JSON only and ids from the list."
                messages = (*messages, ("assistant", reply[:2_000]), ("user", again))
                continue
            return _selection(picked[:k], notes)
        raise SelectionFailed(f"{self._model.name} chose no sources that can be used: {problem}. {BY_HAND}")

    def _shown(
        self, question: str, catalog: Catalog
    ) -> tuple[Sequence[SourceCard], Mapping[str, str], tuple[str, ...]]:
        cards = catalog.cards()
        if self._shortlist is None:
            whole = max((len(_entry(card, "")) for card in cards), default=0)
            longest = even_length([len(_entry(card, "")) for card in cards], CATALOG_CHARS)
            cut = f"The catalog is long: each of its {len(cards)} cards is shown to {longest} characters."
            return cards, {}, (cut,) if longest < whole else ()
        ranked = self._shortlist(question, catalog, SHORT_LIST)
        found = {c.source_id: c.reason for c in ranked.candidates}
        first = [card for c in ranked.candidates for card in cards if card.id == c.source_id]
        rest = [card for card in cards if card.id not in found]
        return [*first, *rest][:SHORT_LIST], found, ranked.notes


def render_catalog(cards: Sequence[SourceCard], found: Mapping[str, str], room: int = CATALOG_CHARS) -> str:
    """The cards as the model reads them, within about `room` characters.

    Grouped by kind and query language where nothing ranks them (paper, section 2.2). Where all of them
    are too long, each is cut to the same length, and none is left out: ids are always whole.
    """
    if found:
        return "\n".join(_entry(card, found.get(card.id, "")) for card in cards)
    ordered = sorted(cards, key=_backend)
    entries = [_entry(card, "") for card in ordered]
    longest = even_length([len(entry) for entry in entries], room)
    shown = [_cut(entry, card, longest) for entry, card in zip(entries, ordered, strict=True)]
    lines: list[str] = []
    for (kind, language), group in groupby(zip(ordered, shown, strict=True), key=lambda pair: _backend(pair[0])):
        lines += [f"[{kind}, asked in {language}]", *(entry for _, entry in group)]
    return "\n".join(lines)


def even_length(lengths: Sequence[int], room: int) -> int:
    """The length to which all are cut so that together they fit in `room`: what is shorter stays whole.

    Example:
        >>> even_length([10, 100, 100], 110)
        50
    """
    left, count = room, len(lengths)
    for length in sorted(lengths):
        if length * count > left:
            return left // count
        left, count = left - length, count - 1
    return max(lengths, default=0)


def _backend(card: SourceCard) -> tuple[str, str]:
    return card.kind.value, card.language.value


def _cut(entry: str, card: SourceCard, longest: int) -> str:
    if len(entry) <= longest:
        return entry
    return entry[: max(len(f"- {card.id}:"), longest - 1)].rstrip() + "…"


def _entry(card: SourceCard, found: str) -> str:
    lines = [f"- {card.id}: {card.title} ({card.kind}). {card.descriptor}"]
    if card.summary:
        lines.append(f"  holds: {card.summary}")
    if card.query_type:
        lines.append(f"  questions: {card.query_type}")
    if card.document_style:
        lines.append(f"  passages: {card.document_style}")
    if card.examples:
        lines.append(f"  answers, for example: {card.examples[0]}")
    if found:
        lines.append(f"  found in it: {found}")
    return "\n".join(lines)


def answer_schema(ids: Sequence[str], k: int) -> dict[str, Any]:
    """The JSON schema of the answer, with the ids as an enumeration."""
    item = {
        "type": "object",
        "properties": {"id": {"type": "string", "enum": list(ids)}, "reason": {"type": "string"}},
        "required": ["id", "reason"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"sources": {"type": "array", "items": item, "maxItems": k}},
        "required": ["sources"],
        "additionalProperties": False,
    }


def read_choice(reply: str, ids: Sequence[str]) -> list[tuple[str, str]]:
    """(id, reason) pairs of an answer, in its order, each id once.

    Raises:
        ValueError: There is no JSON, or it names something that was not shown. Numbers are never taken
            for positions.
    """
    value = extract_json(reply)
    chosen = value.get("sources", value.get("candidates")) if isinstance(value, dict) else value
    if not isinstance(chosen, list):
        raise ValueError(
            f'no "sources" in the answer, but {", ".join(value) if isinstance(value, dict) else "nothing"}'
        )
    picked: dict[str, str] = {}
    for entry in chosen:
        source_id = entry.get("id", entry.get("source_id")) if isinstance(entry, dict) else entry
        if not isinstance(source_id, str) or source_id not in ids:
            close = get_close_matches(str(source_id), ids, n=1)
            guess = f"; did you mean {close[0]!r}" if close else ""
            raise ValueError(f"{source_id!r} is no id from the list{guess}")
        reason = str(entry.get("reason", "")) if isinstance(entry, dict) else ""
        picked.setdefault(source_id, reason)
    return list(picked.items())


def _selection(picked: Sequence[tuple[str, str]], notes: tuple[str, ...]) -> Selection:
    if not picked:
        return Selection((), "The model found no source that can answer.", notes)
    candidates = tuple(
        Candidate(source_id, rank, round(1 / rank, 4), reason or "chosen by the model")
        for rank, (source_id, reason) in enumerate(picked, 1)
    )
    return Selection(candidates, f"The model chose {len(candidates)} sources.", notes)
