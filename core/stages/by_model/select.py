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
BY_HAND = "Choose the sources by hand, or use the built-in selection."


class ModelSelector:
    """Shows the model a list of cards and takes the ids it names.

    Args:
        shortlist: Ranks the catalog beforehand; the model sees its best eight with what was found inside.
            Without it the model sees the whole catalog, grouped by kind.
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
            return cards, {}, ()
        ranked = self._shortlist(question, catalog, SHORT_LIST)
        found = {c.source_id: c.reason for c in ranked.candidates}
        first = [card for c in ranked.candidates for card in cards if card.id == c.source_id]
        rest = [card for card in cards if card.id not in found]
        return [*first, *rest][:SHORT_LIST], found, ranked.notes


def render_catalog(cards: Sequence[SourceCard], found: Mapping[str, str]) -> str:
    """The cards as the model reads them, grouped by kind where nothing ranks them."""
    if found:
        return "\n".join(_entry(card, found.get(card.id, "")) for card in cards)
    grouped = groupby(sorted(cards, key=lambda c: c.kind), key=lambda c: c.kind)
    return "\n".join(f"[{kind}]\n" + "\n".join(_entry(card, "") for card in group) for kind, group in grouped)


def _entry(card: SourceCard, found: str) -> str:
    lines = [f"- {card.id} ({card.kind}): {card.title}. {card.descriptor}"]
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
