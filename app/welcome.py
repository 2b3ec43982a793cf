"""What a person sees before the first question: what this does, and questions to try."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from app.cards import kind_badge
from app.markup import cut_words, esc, label, tag
from app.notices import notice
from core.results import SourceCard
from core.sources.catalog import Catalog

EXAMPLES_PER_SOURCE = 2
COLUMNS = 4
LOOK_EVERY = 4.0
"""Seconds between two looks at what is known of the sources."""


def hero() -> None:
    """Title and one sentence."""
    text = tag("h1", "Ask everything you know") + tag(
        "p",
        "Type a question. The sources that can answer are picked, each is asked in its own query language, "
        "and what answers is kept. You can read, change and run every query.",
    )
    st.html(tag("div", text, "or or-hero"))


def ask_again(question: str, stopped: bool, ask: Callable[[str], None]) -> None:
    """A question without an answer, and the button that asks it once more."""
    if stopped:
        notice(
            "You stopped this",
            "Nothing had come back by then.",
            advice="The step that was running ends by itself; nothing of it is kept.",
        )
    else:
        notice("Ask this again?", question, advice="Loading the page anew keeps the question, but not its answer.")
    st.button("Ask again", icon=":material/refresh:", key="ask-again", type="primary", on_click=ask, args=(question,))


def look_when_known(look: Callable[[], Mapping[str, str]], drawn: Mapping[str, str]) -> None:
    """Draw the page anew when it becomes known that a source can't be asked."""

    @st.fragment(run_every=LOOK_EVERY)
    def looked() -> None:
        if look() != drawn:
            st.rerun()

    looked()


def examples(catalog: Catalog, ask: Callable[[str], None], unusable: Mapping[str, str]) -> None:
    """The registered sources with questions to try; `ask` is called with the one that was pressed."""
    # What can't be asked comes last, and says so.
    cards = sorted(
        (c for c in catalog.all_cards() if c in catalog.cards() or c.id in unusable), key=lambda c: c.id in unusable
    )
    if not cards:
        return
    st.html(tag("div", tag("div", "Try one of these", "or-h"), "or"))
    for start in range(0, len(cards), COLUMNS):
        for column, card in zip(st.columns(COLUMNS), cards[start : start + COLUMNS], strict=False):
            with column.container(border=True, height="stretch", gap="xsmall"):
                _source(card, ask, card.id in unusable)


def _source(card: SourceCard, ask: Callable[[str], None], broken: bool) -> None:
    head = tag("header", tag("span", esc(card.title), "or-title") + kind_badge(card.kind))
    text = tag("p", esc(cut_words(card.descriptor, 140)), "or-muted or-small")
    if broken:
        text += tag("div", "can't be asked now; the Sources page says why", "or-state bad")
    st.html(tag("div", head + text, "or or-intro"))
    if broken:
        return
    for number, example in enumerate(card.examples[:EXAMPLES_PER_SOURCE]):
        st.button(
            label(example),
            key=f"example-{card.id}-{number}",
            type="tertiary",
            icon=":material/arrow_forward:",
            on_click=ask,
            args=(example,),
        )
