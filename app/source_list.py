"""The registered sources, one card each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from app import state
from app.cards import kind_badge
from app.markup import esc, label, tag
from app.notices import notice
from app.source_filter import clear, filter_row
from core.results import SourceCard, Status
from core.sources.catalog import SourceStatus

WORDS = {Status.READY: ("ready", "ok"), Status.ERROR: ("can't be asked", "bad"), Status.DISABLED: ("switched off", "")}
COLUMNS = 3
EXAMPLES = 3


def source_list(cards: Sequence[SourceCard], statuses: Mapping[str, SourceStatus], ask: Callable[[str], None]) -> None:
    """Every source with its state, what it holds, and questions it can answer; `ask` gets the one that was pressed."""
    if not cards:
        notice("No sources are registered", advice="Add an entry to the manifest that OMNI_SOURCES names.")
        return
    broken = sum(statuses[card.id].status is Status.ERROR for card in cards)
    text = f"{len(cards)} registered" + (f", {broken} can't be asked" if broken else ", all can be asked")
    shown = filter_row(cards, statuses)
    if len(shown) < len(cards):
        text += f"; {len(shown)} shown"
    st.html(tag("div", tag("p", esc(text), "or-muted"), "or"))
    if not shown:
        notice("No source fits", advice="Use fewer words, or take the filters away.")
        st.button("Show all", icon=":material/filter_alt_off:", on_click=clear)
    for start in range(0, len(shown), COLUMNS):
        for column, card in zip(st.columns(COLUMNS), shown[start : start + COLUMNS], strict=False):
            with column.container(border=True, height="stretch", gap="xsmall"):
                _source(card, statuses[card.id], ask)


def _source(card: SourceCard, status: SourceStatus, ask: Callable[[str], None]) -> None:
    st.html(tag("div", card_html(card, status), "or or-intro"))
    example_buttons(card, status.status is Status.READY, ask)
    st.button(
        "Look inside",
        key=f"open-{card.id}",
        icon=":material/visibility:",
        on_click=state.open_source,
        args=(card.id,),
    )


def example_buttons(card: SourceCard, ready: bool, ask: Callable[[str], None], key: str = "example") -> None:
    """Questions this source can answer, which open in Ask."""
    for number, example in enumerate(card.examples[:EXAMPLES]):
        st.button(
            label(example),
            key=f"{key}-{card.id}-{number}",
            type="tertiary",
            icon=":material/arrow_forward:",
            on_click=ask,
            args=(example,),
            disabled=not ready,
        )


def card_html(card: SourceCard, status: SourceStatus) -> str:
    """Title, facts, description and state of a source."""
    word, tone = WORDS[status.status]
    head = tag("header", tag("span", esc(card.title), "or-title") + kind_badge(card.kind))
    facts = " · ".join(part for part in (card.id, card.engine, card.language.value, card.size) if part)
    body = tag("p", esc(facts), "or-muted or-small") + tag("p", esc(card.descriptor))
    state_ = tag("div", esc(word), f"or-state {tone}")
    if status.reason:
        weight = "bad" if status.status is Status.ERROR else "warn"
        state_ += tag("div", tag("div", esc(status.reason), "or-pre"), f"or-notice {weight} or-small")
    return head + body + state_
