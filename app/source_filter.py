"""Search and filters over the registered sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from app.cards import KIND_NAMES
from core.results import SourceCard, Status
from core.sources.catalog import SourceStatus

READY, BROKEN, OFF = "Ready", "Can't be asked", "Switched off"
STATES = {Status.READY: READY, Status.ERROR: BROKEN, Status.DISABLED: OFF}
SEARCH, KINDS, STATE = "sources-search", "sources-kinds", "sources-state"


def filter_row(cards: Sequence[SourceCard], statuses: Mapping[str, SourceStatus]) -> list[SourceCard]:
    """A search box and filters; gives the cards that pass them, in their order."""
    row = st.container(horizontal=True, vertical_alignment="bottom", gap="medium")
    words = row.text_input(
        "Search sources",
        key=SEARCH,
        placeholder="Search titles, descriptions and examples",
        icon=":material/search:",
        label_visibility="collapsed",
        width=360,
        persist_state="session",
    )
    kinds = list(dict.fromkeys(KIND_NAMES[card.kind] for card in cards))
    wanted = row.pills(
        "Kinds", kinds, selection_mode="multi", key=KINDS, label_visibility="collapsed", persist_state="session"
    )
    states = list(dict.fromkeys(STATES[statuses[card.id].status] for card in cards))
    state = (
        row.pills("State", states, key=STATE, label_visibility="collapsed", persist_state="session")
        if len(states) > 1
        else None
    )
    return [
        card
        for card in cards
        if matches(card, words or "")
        and (not wanted or KIND_NAMES[card.kind] in wanted)
        and (not state or STATES[statuses[card.id].status] == state)
    ]


def matches(card: SourceCard, words: str) -> bool:
    """Whether a card holds every word, in whatever order and case."""
    text = " ".join((card.id, card.title, card.descriptor, card.engine, card.language.value, *card.examples))
    return all(word in text.casefold() for word in words.casefold().split())


def clear() -> None:
    """Take every filter away; for callbacks."""
    for key in (SEARCH, KINDS, STATE):
        st.session_state.pop(key, None)
