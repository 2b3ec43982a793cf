"""Ask: from a question to evidence."""

from __future__ import annotations

import streamlit as st

from app import page, state
from app.answer import show_answer
from app.ask_form import options_row, question_form
from app.notices import failure
from app.progress import BELOW, watch
from app.review import review_section
from app.welcome import ask_again, examples, hero, look_when_known
from core.errors import OmniError

page.begin()
# Each part keeps its place whether it draws anything or not, so that nothing of an earlier run stays behind.
top, form, running = st.container(), st.container(), st.container()
try:
    catalog = state.catalog()
    state.read_address()
    asked = state.asked()
    fresh = not asked.question
    with top:
        if fresh:
            hero()
    with form:
        question = question_form()
        options = options_row(catalog)
    unusable = state.unusable()
except OmniError as error:
    failure(error.kind, error.message)
    st.stop()

pressed = state.take_example()
if question is not None or pressed:
    state.start(pressed or question or "", options)
state.write_address(options)

if job := asked.job or asked.picking:
    with running:
        watch(job, {card.id: card.title for card in catalog.all_cards()}, state.PATIENCE)
    state.finish()
    st.rerun()
with st.container(key=BELOW):
    if asked.problem:
        page.problem(asked.problem)
    if asked.review:
        review_section(asked.question, asked.review, asked.options.k, state.cards(), asked.run)
    elif asked.stopped or asked.reopened:
        ask_again(asked.question, asked.stopped, state.take_question)
    if asked.review:
        pass
    elif asked.trace:
        chosen = asked.options.chosen
        show_answer(asked.trace, state.cards(), {i: why for i, why in unusable.items() if not chosen or i in chosen})
    else:
        examples(catalog, state.take_question, unusable)
        look_when_known(state.unusable, unusable)
state.warm_up()
