"""Ask: from a question to evidence."""

from __future__ import annotations

import streamlit as st

from app import page, state
from app.answer import show_answer
from app.ask_form import options_row, question_form
from app.notices import failure
from app.progress import BELOW, watch
from app.welcome import examples, hero
from core.errors import OmniError

page.begin()
try:
    catalog = state.catalog()
    asked = state.asked()
    fresh = asked.job is None and asked.trace is None and asked.problem is None
    if fresh:
        hero()
    question = question_form()
    options = options_row(catalog)
except OmniError as error:
    failure(error.kind, error.message)
    st.stop()

pressed = state.take_example()
if question is not None or pressed:
    state.start(pressed or question or "", options)
    fresh = False

if asked.job:
    watch(asked.job, {card.id: card.title for card in catalog.all_cards()})
    state.finish()
    st.rerun()
with st.container(key=BELOW):
    if asked.problem:
        page.problem(asked.problem)
    if asked.trace:
        show_answer(asked.trace, state.cards())
    elif fresh or asked.problem:
        examples(catalog, state.take_question)
state.warm_up()
