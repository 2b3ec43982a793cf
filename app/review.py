"""The sources that would be asked, to switch on and off and add to before any query is written."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from app import state
from app.cards import kind_badge
from app.markup import esc, label, tag
from app.notices import notice
from app.words import picked_because
from core.results import Candidate, SourceCard
from core.stages.base import Selection


def review_section(question: str, selection: Selection, k: int, cards: Mapping[str, SourceCard], run: int) -> None:
    """The candidates with what speaks for each; the best `k` are on."""
    st.html(tag("div", tag("h2", esc(question), "or-question"), "or"))
    if not selection.candidates:
        notice("No source seems to hold this", selection.reason, advice="Add sources by hand below, or ask otherwise.")
    else:
        said = "These would be asked. Switch off what you do not want, and add what is missing."
        st.html(tag("div", tag("p", esc(said), "or-muted"), "or"))
    on = [c.source_id for c in selection.candidates if _switch(c, cards[c.source_id], c.rank <= k, run)]
    others = [source_id for source_id in cards if source_id not in {c.source_id for c in selection.candidates}]
    added = st.multiselect(
        "Add other sources",
        others,
        format_func=lambda source_id: label(cards[source_id].title),
        key=f"review-add-{run}",
        placeholder="Any of the other sources" if others else "Every source is above",
        disabled=not others,
    )
    ids = [*on, *added]
    row = st.container(horizontal=True, vertical_alignment="center")
    row.button(
        f"Ask {len(ids)} source{'' if len(ids) == 1 else 's'}",
        type="primary",
        icon=":material/play_arrow:",
        key="review-go",
        disabled=not ids,
        on_click=state.go_on,
        args=(ids,),
    )
    row.button("Cancel", type="tertiary", key="review-cancel", on_click=state.leave_review)
    if not ids:
        row.html(tag("span", "Switch on at least one source.", "or-muted or-small"))
    for note in selection.notes:
        st.html(tag("div", esc(note), "or-muted or-small"))


def _switch(candidate: Candidate, card: SourceCard, usual: bool, run: int) -> bool:
    row = st.container(horizontal=True, vertical_alignment="top", border=True, gap="small")
    on = row.checkbox(
        label(card.title),
        value=usual,
        key=f"review-{run}-{card.id}",
        label_visibility="collapsed",
        width="content",
    )
    head = tag("span", esc(card.title), "or-title") + " " + kind_badge(card.kind)
    reason = tag("div", esc(picked_because(candidate.reason)), "or-muted or-small")
    row.html(tag("div", head + reason, "or"))
    return bool(on)
