"""An answered question, evidence first."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from app import state
from app.cards import candidate_cards, count_text, seconds, source_anchor
from app.evidence import evidence_section
from app.markup import esc, tag
from app.notices import FAILURES, Tone, failure, failure_html, notice, notice_html
from app.source_panel import source_panels
from app.trace_view import trace_section, usage_text
from app.words import answered_by, judgement, last_edit, not_asked, picked_how, was_stopped
from core.results import Failed, Outcome, Returned, SourceCard, Trace

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

EDIT_FAILURES = {
    "rejected": "Your edited query was refused and did not run",
    "engine_error": "Your edited query ran into an error",
    "timed_out": "Your edited query was stopped at the deadline",
}


def show_answer(trace: Trace, cards: Mapping[str, SourceCard], unusable: Mapping[str, str]) -> None:
    """The question, what answers it, who was asked, and everything on the way."""
    st.html(tag("div", question_html(trace), "or"))
    edit = last_edit(trace)
    if edit:
        st.html(tag("div", edit_html(edit, cards[edit.source_id]), "or"))
        _beside_an_edit(trace, cards)
    elif was_stopped(trace):
        _stopped(trace, cards)
    else:
        _judged(trace, cards)
    if trace.candidates:
        row = st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute")
        row.html(tag("div", tag("h2", "Sources that were asked", "or-h"), "or"))
        row.button(
            "Change sources", icon=":material/tune:", type="tertiary", key="review-again", on_click=state.review_again
        )
        if sure := picked_how(trace):
            st.html(tag("div", esc(sure), "or-muted or-small"))
        candidate_cards(trace, cards)
    for title, reason in not_asked(trace, cards, unusable):
        notice(f"Left out: {title} can't be asked", reason, "warn")
    if trace.candidates:
        source_panels(trace, cards)
    trace_section(trace)


def _judged(trace: Trace, cards: Mapping[str, SourceCard]) -> None:
    if trace.outcome is Outcome.FAILED:
        _failed(trace, cards)
    elif trace.outcome in OUTCOMES:
        title, tone, advice = OUTCOMES[trace.outcome]
        notice(title, judgement(trace.reason, cards), tone, advice)
    else:
        evidence_section(trace, cards)


def _failed(trace: Trace, cards: Mapping[str, SourceCard]) -> None:
    """What went wrong, each message once; a model that fails every source is said as one thing."""
    title, tone, advice = OUTCOMES[Outcome.FAILED]
    failures = [result for result in trace.results if isinstance(result, Failed)]
    kinds = {f.kind for f in failures}
    if len(kinds) == 1 and failures[0].kind.startswith("model"):
        failure(failures[0].kind, failures[0].message)
        return
    said = "\n".join(f"{cards[f.source_id].title}: {FAILURES.get(f.kind, ('an error', tone))[0]}" for f in failures)
    notice(title, said or judgement(trace.reason, cards), tone, advice)


def _stopped(trace: Trace, cards: Mapping[str, SourceCard]) -> None:
    found = any(isinstance(result, Returned) for result in trace.results)
    text = "What was found until then stands below." if found else "Nothing had come back by then."
    notice("You stopped this", text, advice="Ask again to run it from the start.")
    evidence_section(trace, cards)


def edit_html(edit: Returned | Failed, card: SourceCard) -> str:
    """What became of an edited query, before anything is said of the question."""
    if isinstance(edit, Failed):
        advice = "Your query is kept below, to change and run again."
        return failure_html(edit.kind, edit.message, advice, EDIT_FAILURES.get(edit.kind, ""))
    link = tag("a", esc(card.title), href=f"#{source_anchor(card.id)}", target="_self")
    number = count_text(edit.payload, edit.truncated)
    return notice_html(f"Your edited query returned {number}", body=f"From {link}, in {esc(seconds(edit.elapsed))}.")


def _beside_an_edit(trace: Trace, cards: Mapping[str, SourceCard]) -> None:
    """The judgement of the question itself, apart from what the edited query returned."""
    if trace.outcome is Outcome.ANSWERED:
        st.html(tag("div", tag("h2", "Evidence for your question", "or-h"), "or"))
        evidence_section(trace, cards)
    elif trace.outcome is Outcome.NOTHING_ANSWERS:
        text = judgement(trace.reason, cards).removeprefix("Nothing here answers: ")
        st.html(
            tag(
                "div",
                esc(f"Your question itself is not answered by this. {text[:1].upper()}{text[1:]}"),
                "or-muted or-small",
            )
        )


def question_html(trace: Trace) -> str:
    """The question as it was asked, and one line about who answered."""
    number = len(trace.results)
    facts = [
        answered_by(trace),
        f"{number} source{'' if number == 1 else 's'} asked",
        seconds(trace.timings.total),
    ]
    if trace.calls and not all(call.error for call in trace.calls):
        facts.append(usage_text(trace).rstrip("."))
    line = "".join(tag("span", esc(fact)) for fact in facts)
    return tag("h1", esc(trace.question), f"or-question {'long' if len(trace.question) > LONG else ''}") + tag(
        "div", line, "or-line"
    )
