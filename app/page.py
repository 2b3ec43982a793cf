"""What every page starts with."""

from __future__ import annotations

import logging
from pathlib import Path

import streamlit as st

from app.navigation import by_itself, open_page
from app.notices import failure
from core.errors import OmniError

STYLE = Path(__file__).with_name("style.css")


def begin() -> None:
    """The style sheet of our own small pieces, and links to the pages where the bar above has no room for them."""
    if by_itself():
        open_page()
        st.stop()
    st.html(STYLE)
    links = st.container(horizontal=True, key="page-links")
    links.page_link("pages/ask.py", label="Ask", icon=":material/search:")
    links.page_link("pages/sources.py", label="Sources", icon=":material/database:")


def problem(error: Exception) -> None:
    """An error of ours with its message; of another one only that it happened, and the rest to the log."""
    if isinstance(error, OmniError):
        failure(error.kind, error.message)
        return
    logging.getLogger(__name__).error("unexpected error", exc_info=error)
    failure(
        "internal", "An unexpected error in this program. Its details are in the terminal the app was started from."
    )
