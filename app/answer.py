"""An answered question, evidence first."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from app.cards import candidate_cards, seconds
from app.evidence import evidence_section
from app.markup import esc, tag
from app.notices import Tone, notice
from app.source_panel import source_panels
from app.trace_view import trace_section, usage_text
from core.results import Outcome, SourceCard, Trace

LONG = 160
"""Characters from which a question is set in smaller type."""

OUTCOMES: dict[Outcome, tuple[str, Tone, str]] = {
    Outcome.NO_SOURCE: (
        "No source here can answer this",
        "plain",
        "Name something the sources hold, or choose sources by hand above and ask again.",
    ),
    Outcome.NOTHING_ANSWERS: (
        "Nothing that was found answers this",
        "plain",
        "What each source returned stands below. You can change a query and run it again.",
    ),
    Outcome.FAILED: (
        "None of the sources could be asked",
        "warn",
        "Each says below what happened. You can change a query and run it again.",
    ),
}


def show_answer(trace: Trace, cards: Mapping[str, SourceCard]) -> None:
    """The question, what answers it, who was asked, and everything on the way."""
    st.html(tag("div", question_html(trace), "or"))
    if trace.outcome in OUTCOMES:
        title, tone, advice = OUTCOMES[trace.outcome]
        notice(title, trace.reason, tone, advice)
    else:
        evidence_section(trace, cards)
    if trace.candidates:
        st.html(tag("div", tag("div", "Sources that were asked", "or-h"), "or"))
        candidate_cards(trace, cards)
        source_panels(trace, cards)
    trace_section(trace)


def question_html(trace: Trace) -> str:
    """The question as it was asked, and one line about who answered."""
    number = len(trace.results)
    facts = [
        f"answered by {trace.backbone}",
        f"{number} source{'' if number == 1 else 's'} asked",
        seconds(trace.timings.total),
    ]
    if trace.calls:
        facts.append(usage_text(trace).rstrip("."))
    line = "".join(tag("span", esc(fact)) for fact in facts)
    return tag("div", esc(trace.question), f"or-question {'long' if len(trace.question) > LONG else ''}") + tag(
        "div", line, "or-line"
    )
