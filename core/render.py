"""Plain text for the command line."""

from __future__ import annotations

import json
from collections.abc import Sequence

from core.encoding import to_json
from core.results import (
    Bnode,
    ExecutionResult,
    Failed,
    Iri,
    Literal,
    Node,
    Passages,
    Path,
    Paths,
    Rel,
    Returned,
    Rows,
    SourceCard,
    Trace,
    Triples,
)
from core.sources.catalog import SourceStatus

SHOWN = 20
EXAMPLES = 3
CELL = 60


def sources_text(cards: Sequence[SourceCard], statuses: Sequence[SourceStatus]) -> str:
    """One line a source: id, kind, state, title; the reason under a source that can't be asked."""
    width = max((len(card.id) for card in cards), default=0)
    lines = []
    for card, status in zip(cards, statuses, strict=True):
        lines.append(f"{card.id:<{width}}  {card.kind.value:<7} {status.status.value:<8} {card.title}")
        if status.reason:
            lines.append(f"{'':<{width}}  {status.reason}")
    return "\n".join(lines) or "No sources are registered."


def examples_text(cards: Sequence[SourceCard]) -> str:
    """A few questions that the sources name as their own, one of each source; empty where there are none."""
    questions = [card.examples[0] for card in cards if card.examples][:EXAMPLES]
    return "\nFor example:" + "".join(f"\n  {question}" for question in questions) if questions else ""


def general_notes(trace: Trace) -> list[str]:
    """The notes of a trace that are about no one source."""
    of_sources = {note for c in trace.candidates for note in _notes_of(trace, c.source_id)}
    return [note for note in trace.notes if note not in of_sources]


def _notes_of(trace: Trace, source_id: str) -> list[str]:
    return [note for note in trace.notes if note.startswith(f"{source_id}: ")]


def _notes_on(trace: Trace, source_id: str) -> list[str]:
    return [f"note: {note.removeprefix(f'{source_id}: ')}" for note in _notes_of(trace, source_id)]


def trace_text(trace: Trace) -> str:
    """The evidence first, then each candidate with its query and result; notes on a source stand with both."""
    lines = [f"{trace.outcome.value.replace('_', ' ')} ({trace.backbone}): {trace.reason}"]
    for evidence in trace.evidence:
        lines.append(f"\nEvidence from {evidence.source_id}: {evidence.reason}")
        lines += [f"  {one_line(item.value)}" for item in evidence.items[:SHOWN]]
        lines += _notes_on(trace, evidence.source_id)
    for candidate in trace.candidates:
        lines.append(f"\n{candidate.rank}. {candidate.source_id} ({candidate.score:.2f}): {candidate.reason}")
        result = trace.result_of(candidate.source_id)
        if result:
            lines.append(result_text(result))
        lines += _notes_on(trace, candidate.source_id)
    lines.append(f"\n{trace.timings.total:.2f} s")
    return "\n".join(lines)


def result_text(result: ExecutionResult) -> str:
    """The query as it ran, and up to 20 items."""
    query = f"{result.query.text}\n" if result.query else ""
    if isinstance(result, Failed):
        return f"{query}failed at {result.stage.value}: {result.message}"
    items = result.payload.items
    shown = [one_line(item) for item in items[:SHOWN]]
    more = f"\n... first {SHOWN} of {len(items)}{' or more' if result.truncated else ''}" if len(items) > SHOWN else ""
    header = " | ".join(result.payload.columns) + "\n" if isinstance(result.payload, Rows | Paths) else ""
    notes = "".join(f"\nnote: {note}" for note in result.notes)
    return f"{query}{header}{chr(10).join(shown) or _empty(result)}{more}{notes}"


def _empty(result: Returned) -> str:
    return {Rows: "no rows", Triples: "no triples", Paths: "no paths", Passages: "no passages"}.get(
        type(result.payload), "nothing"
    )


def one_line(item: object) -> str:
    """One item of a payload on one line, long cells cut."""
    if isinstance(item, tuple):
        return " | ".join(_cell(cell) for cell in item)
    return _cell(item)


def _cell(value: object) -> str:
    match value:
        case None:
            text = "NULL"
        case Iri():
            text = f"<{value.value}>"
        case Literal():
            text = value.value + (f"@{value.lang}" if value.lang else "")
        case Bnode():
            text = f"_:{value.value}"
        case Node():
            text = f"(:{':'.join(value.labels)} {json.dumps(to_json(value.props), ensure_ascii=False)})"
        case Rel():
            text = f"-[:{value.type}]->"
        case Path():
            text = _path(value)
        case str():
            text = value
        case _:
            encoded = to_json(value)
            text = _passage(encoded) if isinstance(encoded, dict) and "text" in encoded else str(encoded)
    text = " ".join(text.split())
    return text if len(text) <= CELL * 3 else text[: CELL * 3 - 1] + "…"


def _passage(encoded: dict[str, object]) -> str:
    return f"[{encoded['id']}] {encoded['title']}: {encoded['text']}"


def _path(path: Path) -> str:
    steps = [_cell(path.nodes[0])] if path.nodes else []
    for rel, left, right in zip(path.rels, path.nodes, path.nodes[1:], strict=False):
        arrow = f"-[:{rel.type}]->" if rel.start == left.id else f"<-[:{rel.type}]-"
        steps += [arrow, _cell(right)]
    return "".join(steps)
