"""Cross-source evidence selection by a model, over a bounded digest of each result (paper, section 2.4)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from core.encoding import to_json
from core.errors import EvidenceFailed
from core.llm.base import Message, Model
from core.results import Evidence, EvidenceItem, Iri, Literal, Passage, Paths, Returned, Rows, Stage
from core.settings import Settings
from core.stages.base import Choice
from core.stages.json_reply import extract_json
from core.stages.prompting import render_prompt

DIGEST_ITEMS = 12
DIGEST_CHARS = 1_600
"""Of one source's result; the rest is counted."""
ITEM_CHARS = 320


class ModelEvidence:
    """Shows numbered items of every result and takes the numbers the model names."""

    def __init__(self, model: Model, settings: Settings) -> None:
        self._model = model
        self._settings = settings

    def __call__(self, question: str, results: Sequence[Returned]) -> Choice:
        """The chosen items; "all" means every item of that source, also those the digest left out."""
        filled = [r for r in results if r.payload.items]
        if not filled:
            return Choice((), "Every result is empty.")
        messages: tuple[Message, ...] = render_prompt("evidence", results=render_results(filled), question=question)
        schema = answer_schema([r.source_id for r in filled])
        problem = ""
        for _ in range(2):
            reply = self._model.complete(messages, stage=Stage.EVIDENCE, schema=schema, max_tokens=400)
            try:
                return _choice(extract_json(reply), filled)
            except ValueError as error:
                problem = str(error)
                again = f"That answer can't be used: {problem}. Answer again, with JSON only."
                messages = (*messages, ("assistant", reply[:2_000]), ("user", again))
        raise EvidenceFailed(f"{self._model.name} chose no evidence that can be used: {problem}.")


def render_results(results: Sequence[Returned]) -> str:
    """A digest of each result: its query, its columns, and its first items by number."""
    return "\n\n".join(_digest(result) for result in results)


def _digest(result: Returned) -> str:
    items = result.payload.items
    lines = [f"source {result.source_id} ({result.query.language}), {len(items)} items"]
    lines.append(f"query: {_cut(' '.join(result.query.text.split()), 300)}")
    if isinstance(result.payload, Rows | Paths):
        lines.append("columns: " + " | ".join(result.payload.columns))
    size = 0
    for number, item in enumerate(items[:DIGEST_ITEMS], 1):
        line = f"{number}. {_item(item)}"
        size += len(line)
        if size > DIGEST_CHARS and number > 1:
            break
        lines.append(line)
    shown = len(lines) - (3 if isinstance(result.payload, Rows | Paths) else 2)
    if shown < len(items):
        lines.append(f"... and {len(items) - shown} more")
    return "\n".join(lines)


def _item(item: object) -> str:
    if isinstance(item, Passage):
        return _cut(f"{item.title}: {item.text}", ITEM_CHARS)
    cells = item if isinstance(item, tuple) else (item,)
    return _cut(" | ".join(_cell(c) for c in cells), ITEM_CHARS)


def _cell(value: object) -> str:
    if isinstance(value, Literal | Iri):
        return value.value
    return value if isinstance(value, str) else json.dumps(to_json(value), ensure_ascii=False)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def answer_schema(ids: Sequence[str]) -> dict[str, Any]:
    """The JSON schema of the answer."""
    numbers = {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "string", "enum": ["all"]}]}
    item = {
        "type": "object",
        "properties": {"source": {"type": "string", "enum": list(ids)}, "items": numbers, "reason": {"type": "string"}},
        "required": ["source", "items", "reason"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"evidence": {"type": "array", "items": item, "maxItems": len(ids)}},
        "required": ["evidence"],
        "additionalProperties": False,
    }


def _choice(value: Any, results: Sequence[Returned]) -> Choice:
    chosen = value.get("evidence") if isinstance(value, dict) else value
    if not isinstance(chosen, list):
        raise ValueError('no "evidence" in the answer')
    by_id = {r.source_id: r for r in results}
    evidence: dict[str, Evidence] = {}
    for entry in chosen:
        named = entry.get("source") if isinstance(entry, dict) else entry
        if not isinstance(entry, dict) or not isinstance(named, str) or named not in by_id:
            raise ValueError(f"{named!r} is no source shown")
        result = by_id[named]
        positions = _positions(entry.get("items"), result)
        values: Sequence[Any] = result.payload.items
        items = tuple(EvidenceItem(p, values[p]) for p in positions)
        if items:
            reason = str(entry.get("reason") or "chosen by the model")
            evidence.setdefault(result.source_id, Evidence(result.source_id, items, reason))
    if not evidence:
        return Choice((), "The model found that nothing here answers.")
    return Choice(tuple(evidence.values()), f"The model chose items of {', '.join(evidence)}.")


def _positions(given: Any, result: Returned) -> list[int]:
    count = len(result.payload.items)
    if given == "all":
        return list(range(count))
    numbers = given if isinstance(given, list) else [given]
    positions = []
    for number in numbers:
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= count:
            raise ValueError(f"{number!r} is no item of {result.source_id}, which has items 1 to {count}")
        positions.append(number - 1)
    return list(dict.fromkeys(positions))
