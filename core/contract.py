"""The JSON that scripts depend on: `sources`, `ask` and `query` with --json."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from core.encoding import payload_columns, payload_items, to_json
from core.results import Attempt, ExecutionResult, Failed, Language, ModelCall, SourceCard, Stage, Trace, payload_kind
from core.sources.catalog import SourceStatus

VERSION = 1


def source_json(card: SourceCard, status: SourceStatus) -> dict[str, Any]:
    """One element of `sources --json`."""
    return {
        "id": card.id,
        "kind": card.kind.value,
        "engine": card.engine,
        "language": card.language.value,
        "title": card.title,
        "descriptor": card.descriptor,
        "status": status.status.value,
        "reason": status.reason,
    }


def result_json(result: ExecutionResult, attempts: Iterable[Attempt], language: Language) -> dict[str, Any]:
    """RESULT of the contract; `attempts` are those of this source, oldest first."""
    query = result.query
    body: dict[str, Any] = {
        "source_id": result.source_id,
        "language": (query.language if query else language).value,
        "query": query.text if query else None,
        "origin": query.origin.value if query else None,
        "status": "failed" if isinstance(result, Failed) else "returned",
        "payload": None,
        "columns": None,
        "items": [],
        "truncated": False,
        "elapsed_ms": _ms(result.elapsed),
        "error": None,
        "attempts": [_attempt_json(attempt) for attempt in attempts],
        "notes": [],
    }
    if isinstance(result, Failed):
        body["error"] = {"stage": result.stage.value, "kind": result.kind, "message": result.message}
        return body
    return body | {
        "payload": payload_kind(result.payload),
        "columns": payload_columns(result.payload),
        "items": payload_items(result.payload),
        "truncated": result.truncated,
        "notes": list(result.notes),
    }


def trace_json(trace: Trace, cards: Iterable[SourceCard]) -> dict[str, Any]:
    """The object of `ask --json`."""
    by_id = {card.id: card for card in cards}
    return {
        "version": VERSION,
        "question": trace.question,
        "method": trace.method,
        "backbone": trace.backbone,
        "selector": trace.selector,
        "outcome": trace.outcome.value,
        "reason": trace.reason,
        "candidates": [
            {
                "source_id": c.source_id,
                "kind": by_id[c.source_id].kind.value,
                "rank": c.rank,
                "score": round(c.score, 6),
                "reason": c.reason,
            }
            for c in trace.candidates
        ],
        "results": [result_json(r, trace.attempts_of(r.source_id), by_id[r.source_id].language) for r in trace.results],
        "evidence": [
            {
                "source_id": e.source_id,
                "items": [{"position": item.position, "value": to_json(item.value)} for item in e.items],
                "reason": e.reason,
            }
            for e in trace.evidence
        ],
        "timings_ms": {
            "select": _ms(trace.timings.select),
            "formulate": _ms(trace.timings.formulate),
            "execute": _ms(trace.timings.execute),
            "evidence": _ms(trace.timings.evidence),
            "total": _ms(trace.timings.total),
        },
        "usage": usage_json(trace.calls),
        "selection": {"confidence": trace.confidence, "margin": trace.margin},
        "notes": list(trace.notes),
    }


def usage_json(calls: Iterable[ModelCall]) -> dict[str, Any]:
    """Tokens and cost of a question, selection's own apart; the cost is null when any call's price is unknown."""
    calls = tuple(calls)
    selecting = [call for call in calls if call.stage is Stage.SELECT]
    costs = [call.cost_usd for call in calls]
    known = [cost for cost in costs if cost is not None]
    return {
        "prompt_tokens": sum(call.prompt_tokens or 0 for call in calls),
        "completion_tokens": sum(call.completion_tokens or 0 for call in calls),
        "cost_usd": sum(known) if len(known) == len(costs) else None,
        "selection": {
            "prompt_tokens": sum(call.prompt_tokens or 0 for call in selecting),
            "completion_tokens": sum(call.completion_tokens or 0 for call in selecting),
        },
    }


def _attempt_json(attempt: Attempt) -> dict[str, Any]:
    fault = attempt.error
    error = {"stage": fault.stage.value, "kind": fault.kind, "message": fault.message} if fault else None
    return {
        "query": attempt.query.text,
        "origin": attempt.query.origin.value,
        "error": error,
        "elapsed_ms": _ms(attempt.elapsed),
    }


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 3)
