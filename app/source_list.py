"""The registered sources, one card each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from app.cards import kind_badge
from app.markup import esc, tag
from app.notices import notice
from core.results import SourceCard, Status
from core.sources.catalog import SourceStatus

WORDS = {Status.READY: ("ready", "ok"), Status.ERROR: ("can't be asked", "bad"), Status.DISABLED: ("switched off", "")}


def source_list(cards: Sequence[SourceCard], statuses: Mapping[str, SourceStatus]) -> None:
    """Every source with its state, what it holds, and questions it can answer."""
    if not cards:
        notice("No sources are registered", advice="Add an entry to the manifest that OMNI_SOURCES names.")
        return
    broken = sum(statuses[card.id].status is Status.ERROR for card in cards)
    text = f"{len(cards)} registered" + (f", {broken} can't be asked" if broken else ", all can be asked")
    body = "".join(_card(card, statuses[card.id]) for card in cards)
    st.html(tag("div", tag("p", esc(text), "or-muted") + tag("div", body, "or-cards or-wide"), "or"))


def _card(card: SourceCard, status: SourceStatus) -> str:
    word, tone = WORDS[status.status]
    head = tag("header", tag("span", esc(card.title), "or-title") + kind_badge(card.kind))
    facts = " · ".join(part for part in (card.id, card.engine, card.language.value, card.size) if part)
    body = tag("p", esc(facts), "or-small") + tag("p", esc(card.descriptor))
    if card.examples:
        body += tag("ul", "".join(tag("li", esc(example)) for example in card.examples[:3]), "or-examples")
    state = tag("div", esc(word), f"or-state {tone}")
    if status.reason:
        state += tag("div", tag("div", esc(status.reason), "or-pre"), "or-notice bad or-small")
    return tag("div", head + body + state, "or-card")
