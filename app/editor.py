"""The query editor: Ace where it has a mode for the language, a plain text area where asked for."""

from __future__ import annotations

import streamlit as st

from app import state
from core.results import Language

# Ace has no Cypher; AQL has its RETURN and LIMIT, its strings, and its comments.
MODES = {Language.SQL: "sql", Language.SPARQL: "sparql", Language.CYPHER: "aql", Language.TEXT: "text"}
LINE_PIXELS = 20


def query_editor(source_id: str, language: Language, initial: str) -> str:
    """The text of the query as it stands in the editor; kept over page switches."""
    text = state.editor_text(source_id, initial)
    key = state.editor_key(source_id)
    lines = min(max(text.count("\n") + 1, 5), 18)
    if language is Language.TEXT or st.session_state.get(state.PLAIN_EDITOR):
        return (
            st.text_area(
                "Query",
                key=key,
                height=lines * LINE_PIXELS + 34,
                label_visibility="collapsed",
                persist_state="session",
                placeholder="Write a query and run it.",
            )
            or ""
        )
    return _ace(source_id, language, text, lines)


def _ace(source_id: str, language: Language, text: str, lines: int) -> str:
    from streamlit_ace import st_ace

    # Ace takes a text only when it is made, so a text set from outside makes a new editor.
    key = f"{state.editor_key(source_id)}-ace-{state.editor_version(source_id)}"
    written = st_ace(
        value=text,
        language=MODES[language],
        theme="tomorrow_night" if state.dark() else "tomorrow",
        key=key,
        min_lines=lines,
        max_lines=lines,
        font_size=13,
        tab_size=2,
        wrap=True,
        show_gutter=False,
        auto_update=True,
        placeholder="Write a query and run it.",
    )
    edited = text if written is None else str(written)
    state.remember_editor_text(source_id, edited)
    return edited
