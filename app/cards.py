"""Cards of sources: candidates of a question, and what is registered."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from app.markup import anchor, esc, tag
from app.words import picked_because
from core.results import Candidate, ExecutionResult, Failed, Kind, Payload, Returned, SourceCard, Trace, payload_kind

KIND_NAMES = {
    Kind.TEXT: "text",
    Kind.SQL: "SQL",
    Kind.RDF: "RDF",
    Kind.GRAPH: "graph",
    Kind.SPATIAL: "spatial",
    Kind.IMAGE: "images",
}
ITEM_NAMES = {"rows": "row", "triples": "triple", "paths": "path", "passages": "passage"}
FINDINGS = ("cannot_link", "declined", "stopped")
"""Failures that say something about the question and nothing bad about the source."""


def kind_badge(kind: Kind) -> str:
    """A small badge in the colour of the kind."""
    return tag("span", esc(KIND_NAMES[kind]), f"or-badge or-kind-{kind.value}")


def count_text(payload: Payload, truncated: bool = False) -> str:
    """How much a result holds, in words."""
    kind = payload_kind(payload)
    if kind == "truth":
        return "yes or no"
    number = len(payload.items)
    name = ITEM_NAMES[kind] + ("" if number == 1 else "s")
    return f"{'at least ' if truncated else ''}{number:,} {name}" if number else f"no {name}"


def source_anchor(source_id: str) -> str:
    """The id of a source's section on the page."""
    return anchor("source", source_id)


def candidate_cards(trace: Trace, cards: Mapping[str, SourceCard]) -> None:
    """Every candidate with rank, score, why it was picked and what came of it."""
    best = max((c.score for c in trace.candidates), default=0.0) or 1.0
    body = "".join(_candidate(c, cards[c.source_id], trace.result_of(c.source_id), best) for c in trace.candidates)
    st.html(tag("div", tag("div", body, "or-cards"), "or"))


def _candidate(candidate: Candidate, card: SourceCard, result: ExecutionResult | None, best: float) -> str:
    link = tag("a", esc(card.title), href=f"#{source_anchor(card.id)}", target="_self")
    head = tag("span", f"{candidate.rank}", "or-rank") + tag("span", link, "or-title") + kind_badge(card.kind)
    share = max(0.0, min(1.0, candidate.score / best))
    bar = tag("div", tag("i", "", style=f"width:{share:.1%}"), "or-bar", title=f"score {candidate.score:.3f}")
    reason = tag("p", esc(picked_because(candidate.reason)), "or-clamp", title=candidate.reason)
    return tag("div", tag("header", head) + bar + reason + _state(result), "or-card")


def _state(result: ExecutionResult | None) -> str:
    match result:
        case Returned():
            text = f"{count_text(result.payload, result.truncated)} in {seconds(result.elapsed)}"
            return tag("div", esc(text), f"or-state {'ok' if result.payload.items else ''}")
        case Failed():
            tone = "" if result.kind in FINDINGS else "warn"
            return tag("div", esc(state_text(result)), f"or-state {tone}")
    return ""


def state_text(failed: Failed) -> str:
    """A failure in two or three words."""
    words = {
        "cannot_link": "no query could be written",
        "declined": "the model says it can't answer",
        "no_query": "no query in the reply",
        "rejected": "query refused",
        "timed_out": "stopped at the deadline",
        "stopped": "stopped",
        "source_unavailable": "can't be reached",
        "engine_error": "engine error",
    }
    return words.get(failed.kind, "model not available" if failed.kind.startswith("model") else "failed")


def seconds(value: float) -> str:
    """A time as people read it."""
    if value < 0.0095:
        return f"{value * 1000:.1f} ms"
    return f"{value * 1000:.0f} ms" if value < 0.9995 else f"{value:.1f} s"
