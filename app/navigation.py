"""The pages, and which of them an address opens."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

ICON = Path(__file__).with_name("icon.svg")


def pages() -> list[st.Page]:
    """Every page, the first one at the address without a path."""
    return [
        st.Page("pages/ask.py", title="Ask", icon=":material/search:", default=True),
        st.Page("pages/sources.py", title="Sources", icon=":material/database:"),
    ]


def open_page() -> None:
    """Draw the bar with the pages, and the one that the address names."""
    st.set_page_config(page_title="OmniRetrieval Explorer", page_icon=str(ICON), layout="wide")
    st.navigation(pages(), position="top").run()


def by_itself() -> bool:
    """Whether Streamlit runs a page's file without the entry, as it does with the first address of a process.

    A folder named pages/ makes its files pages of their own until st.navigation is called for the first time.
    """
    return bool(PagesManager.uses_pages_directory)
