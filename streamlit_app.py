"""Entry: page config, and navigation over pages/."""

from pathlib import Path

import streamlit as st

ROOT = Path(__file__).parent

st.set_page_config(page_title="OmniRetrieval Explorer", page_icon=str(ROOT / "app" / "icon.svg"), layout="wide")
st.navigation(
    [
        st.Page("pages/ask.py", title="Ask", icon=":material/search:", default=True),
        st.Page("pages/sources.py", title="Sources", icon=":material/database:"),
    ],
    position="top",
).run()
