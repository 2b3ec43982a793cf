"""What a person sees before the first question: what this does, and questions to try."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from app.cards import kind_badge
from app.markup import cut, esc, label, tag
from core.results import SourceCard
from core.sources.catalog import Catalog

EXAMPLES_PER_SOURCE = 2
COLUMNS = 4


def hero() -> None:
    """Title and one sentence."""
    text = tag("h1", "Ask everything you know") + tag(
        "p",
        "Type a question. The sources that can answer are picked, each is asked in its own query language, "
        "and what answers is kept. You can read, change and run every query.",
    )
    st.html(tag("div", text, "or or-hero"))


def examples(catalog: Catalog, ask: Callable[[str], None]) -> None:
    """The registered sources with questions to try; `ask` is called with the one that was pressed."""
    cards = catalog.cards()
    if not cards:
        return
    st.html(tag("div", tag("div", "Try one of these", "or-h"), "or"))
    for start in range(0, len(cards), COLUMNS):
        for column, card in zip(st.columns(COLUMNS), cards[start : start + COLUMNS], strict=False):
            with column.container(border=True, height="stretch", gap="xsmall"):
                _source(card, ask)


def _source(card: SourceCard, ask: Callable[[str], None]) -> None:
    head = tag("header", tag("span", esc(card.title), "or-title") + kind_badge(card.kind))
    text = tag("p", esc(cut(card.descriptor, 140)), "or-muted or-small")
    st.html(tag("div", head + text, "or or-intro"))
    for number, example in enumerate(card.examples[:EXAMPLES_PER_SOURCE]):
        st.button(
            label(example),
            key=f"example-{card.id}-{number}",
            type="tertiary",
            icon=":material/arrow_forward:",
            on_click=ask,
            args=(example,),
        )
