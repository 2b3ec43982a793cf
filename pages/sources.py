"""Sources: what is registered, whether it can be asked, and what each one holds."""

from __future__ import annotations

import streamlit as st

from app import page, state
from app.notices import failure, notice
from app.source_list import source_list
from app.source_view import source_view
from core.errors import OmniError

page.begin()
if state.example_waits():
    st.switch_page("pages/ask.py")
try:
    cards = state.cards()
    opened = state.opened_source()
    top = st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute")
    if opened in cards:
        top.button("All sources", icon=":material/arrow_back:", type="tertiary", on_click=state.open_source, args=("",))
    else:
        top.header("Sources", anchor=False)
    if top.button("Look again", icon=":material/refresh:", type="tertiary"):
        state.look_again()
    if opened in cards:
        with st.spinner("Looking at this source"):
            status = state.status(opened)
    else:
        with st.spinner("Looking at every source"):
            statuses = state.statuses()
except OmniError as error:
    failure(error.kind, error.message)
    st.stop()
if opened in cards:
    source_view(cards[opened], status, state.take_question)
else:
    if opened:
        notice("No such source", f"Nothing is registered as “{opened}”.", "warn", "All that is registered is below.")
    source_list(list(cards.values()), statuses, state.take_question)
