"""Sources: what is registered, and whether it can be asked."""

from __future__ import annotations

import streamlit as st

from app import page, state
from app.notices import failure
from app.source_list import source_list
from core.errors import OmniError

page.begin()
if state.example_waits():
    st.switch_page("pages/ask.py")
st.header("Sources", anchor=False)
try:
    catalog = state.catalog()
    if st.button("Look again", icon=":material/refresh:", type="tertiary"):
        state.look_again()
    with st.spinner("Looking at every source"):
        statuses = state.statuses()
except OmniError as error:
    failure(error.kind, error.message)
    st.stop()
source_list(catalog.all_cards(), statuses, state.take_question)
