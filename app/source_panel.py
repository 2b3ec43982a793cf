"""One source of an answer: its query to edit and run again, and its result."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from app import state
from app.cards import kind_badge, seconds, source_anchor
from app.editor import query_editor
from app.markup import esc, tag, value_html
from app.notices import FAILURES, failure, notice
from app.progress import TICK
from app.rerun import generated_query
from app.results import show_result
from app.words import left_out
from core.errors import OmniError
from core.results import Attempt, Failed, Language, NativeQuery, Origin, Outcome, Returned, SourceCard, Trace

LANGUAGE_NAMES = {
    Language.TEXT: "Search text",
    Language.SQL: "SQL",
    Language.SPARQL: "SPARQL",
    Language.CYPHER: "Cypher",
}
ORIGINS = {
    Origin.GENERATED: "written for you",
    Origin.REPAIRED: "repaired after an error",
    Origin.EDITED: "edited by you",
    Origin.GIVEN: "given",
}


def source_panels(trace: Trace, cards: Mapping[str, SourceCard]) -> None:
    """A section for each source that was asked, in the order of the candidates."""
    for result in trace.results:
        with st.container(border=True, key=f"panel-{result.source_id}"):
            source_panel(cards[result.source_id])


@st.fragment
def source_panel(card: SourceCard) -> None:
    """The section of one source; it redraws by itself while its query is edited."""
    trace = state.asked().trace
    result = trace.result_of(card.id) if trace else None
    if trace is None or result is None:
        return
    title = tag("h3", esc(card.title), "or-title or-h or-inline")
    origin = tag("span", ORIGINS[result.query.origin], "or-muted or-small") if result.query else ""
    head = f"{title} {kind_badge(card.kind)} {origin}"
    st.html(tag("div", tag("div", head, "or-anchor", id=source_anchor(card.id)), "or"))
    left, right = st.columns([5, 7], gap="large")
    with left:
        _query_side(trace, card, result.query)
    with right:
        _result_side(trace, result)


def _query_side(trace: Trace, card: SourceCard, query: NativeQuery | None) -> None:
    generated = generated_query(trace, card.id)
    st.html(tag("div", esc(LANGUAGE_NAMES[card.language]), "or-muted or-small"))
    text = query_editor(card.id, card.language, query.text if query else "")
    row = st.container(horizontal=True, vertical_alignment="center")
    again = row.button("Run again", icon=":material/play_arrow:", key=f"{state.editor_key(card.id)}-run")
    back = generated is not None and (text.strip() != generated.text.strip() or query != generated)
    restored = row.button(
        "Back to generated",
        icon=":material/undo:",
        type="tertiary",
        key=f"{state.editor_key(card.id)}-back",
        disabled=not back,
        on_click=state.set_editor_text,
        args=(card.id, generated.text if generated else ""),
    )
    if again or (restored and generated):
        _run(card.id, generated.text if restored and generated else text)
    _watch_again(card.id)
    _attempts(trace.attempts_of(card.id), card.language)
    _linked(trace, card.id)


def _run(source_id: str, text: str) -> None:
    try:
        state.run_again(source_id, text)
    except OmniError as error:
        failure(error.kind, error.message)


def _watch_again(source_id: str) -> None:
    """Wait for an edited query that is running, with a way to stop it."""
    job = state.running_again(source_id)
    if job is None:
        return
    row = st.container(horizontal=True, vertical_alignment="center")
    row.button("Stop", icon=":material/stop_circle:", on_click=job.stop, key=f"stop-{source_id}", disabled=job.stopping)
    row.html(tag("span", "Stopping" if job.stopping else "Running the query", "or-muted or-small"))
    while not job.done and not job.overdue(state.PATIENCE):
        job.wait(TICK)
    try:
        state.finish_again()
    except OmniError as error:
        failure(error.kind, error.message)
    else:
        # The evidence above belongs to all sources, so the whole page is drawn again.
        st.rerun()


def _result_side(trace: Trace, result: Returned | Failed) -> None:
    if isinstance(result, Failed):
        if result.kind.startswith("model") and trace.outcome is Outcome.FAILED:
            notice(FAILURES.get(result.kind, ("The model could not be asked", "warn"))[0], "The reason stands above.")
        else:
            failure(result.kind, result.message)
        return
    if missing := left_out(trace, result.source_id):
        notice(missing, "The result may hold more than you asked for.", "warn")
    kept = {item.position for e in trace.evidence if e.source_id == result.source_id for item in e.items}
    show_result(result, trace.attempts_of(result.source_id), trace.question, kept)
    for note in result.notes:
        st.html(tag("div", esc(note), "or-muted or-small"))


def _attempts(attempts: tuple[Attempt, ...], language: Language) -> None:
    if len(attempts) < 2 and not any(a.error for a in attempts):
        return
    with st.expander(f"{len(attempts)} attempt{'' if len(attempts) == 1 else 's'}", icon=":material/history:"):
        for number, attempt in enumerate(attempts, 1):
            outcome = "failed" if attempt.error else "ran"
            line = f"{number}. {ORIGINS[attempt.query.origin]}, {outcome} in {seconds(attempt.elapsed)}"
            st.html(tag("div", esc(line), "or-small"))
            st.code(attempt.query.text, language=None if language is Language.TEXT else language.value, wrap_lines=True)
            if attempt.error:
                notice("", attempt.error.message, "warn")


def _linked(trace: Trace, source_id: str) -> None:
    grounding = next((g for g in trace.groundings if g.source_id == source_id), None)
    if grounding is None or not (grounding.values or grounding.entities or grounding.elements):
        return
    rows = [(m.term, value_html(m.value, 80), m.label, m.place) for m in (*grounding.entities, *grounding.values)]
    rows += [(e.term, "", e.label, e.place) for e in grounding.elements]
    with st.expander("How your words were understood", icon=":material/link:"):
        lines = []
        for term, value, label_, place in rows[:40]:
            where = esc(f"{place.owner}.{place.field}" if place.field else place.owner)
            what = value or esc(label_)
            lines.append(tag("tr", tag("td", esc(term)) + tag("td", what) + tag("td", where, "or-muted")))
        head = tag("tr", tag("th", "your words") + tag("th", "found") + tag("th", "in"))
        st.html(tag("div", tag("div", tag("table", head + "".join(lines)), "or-scroll"), "or"))
