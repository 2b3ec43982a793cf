"""The question box, and how the question is to be asked."""

from __future__ import annotations

import streamlit as st

from app import state
from app.markup import label
from app.state import MODEL_BACKBONE as MODEL
from app.state import Options
from core.sources.catalog import Catalog


def question_form() -> str | None:
    """The question when somebody pressed Ask or Enter, else None."""
    with st.form("ask", border=False):
        row = st.container(horizontal=True, vertical_alignment="bottom")
        question = row.text_input(
            "Your question",
            key=state.QUESTION,
            placeholder="Ask in plain words, for example: which studio released the most films?",
            label_visibility="collapsed",
            persist_state="session",
            autocomplete="off",
        )
        pressed = row.form_submit_button("Ask", type="primary", icon=":material/search:", key="ask-button")
    return question or "" if pressed else None


def options_row(catalog: Catalog) -> Options:
    """How to ask: by whom, how many sources, how they are picked."""
    row = st.container(horizontal=True, vertical_alignment="top", gap="medium", key="options")
    configured = state.settings().model
    st.session_state.setdefault(state.BACKBONE, state.usual_backbone())
    backbone = row.segmented_control(
        "Answered by",
        [state.BUILT_IN, MODEL],
        format_func={state.BUILT_IN: "Built in", MODEL: "A model"}.__getitem__,
        key=state.BACKBONE,
        required=True,
        persist_state="session",
        help="Built in needs no model, no key and no network. A model is anything litellm reaches.",
    )
    cards = catalog.all_cards()
    most = max(1, len(cards))
    st.session_state[state.K] = min(max(st.session_state.get(state.K, state.USUAL_K), 1), most)
    k = row.selectbox(
        "Sources to ask",
        range(1, most + 1),
        format_func=lambda number: f"up to {number}",
        key=state.K,
        width=150,
        persist_state="session",
        help="At most this many sources are asked, the best first.",
    )
    st.session_state.setdefault(state.SELECTOR, "probe")
    selector = row.segmented_control(
        "Picked by",
        ["probe", "catalog"],
        format_func={"probe": "Looking inside", "catalog": "Reading cards"}.__getitem__,
        key=state.SELECTOR,
        required=True,
        persist_state="session",
        help="Looking inside compares the question with stored values and schemas. Cards are descriptions only.",
    )
    chosen = row.multiselect(
        "Only these sources",
        [card.id for card in cards],
        format_func={card.id: label(card.title) for card in cards}.__getitem__,
        key=state.CHOSEN,
        placeholder="All sources",
        persist_state="session",
    )
    review = row.toggle(
        "Review sources first",
        key=state.REVIEW,
        persist_state="session",
        help="See which sources would be asked, and switch them on and off, before any query is written.",
    )
    model, api_base, key_env = ("", "", "") if backbone != MODEL else model_fields(configured)
    name = model or configured if backbone == MODEL else state.BUILT_IN
    return Options(name, selector or "probe", int(k or state.USUAL_K), tuple(chosen), api_base, key_env, bool(review))


def model_fields(configured: str) -> tuple[str, str, str]:
    """Name, address and key variable of the model; empty fields mean the settings'."""
    with st.expander(
        f"Model: {label(st.session_state.get(state.MODEL) or configured or 'none named yet')}",
        expanded=not configured,
    ):
        columns = st.columns([2, 2, 1.4])
        model = columns[0].text_input(
            "Model name",
            key=state.MODEL,
            placeholder=configured or "openai/gpt-5.4, ollama/qwen2.5, openai/NAME for a local server",
            persist_state="session",
            help="As litellm names it: provider/model.",
        )
        api_base = columns[1].text_input(
            "Server address",
            key=state.API_BASE,
            placeholder=state.settings().api_base or "only for your own server: http://127.0.0.1:8080/v1",
            persist_state="session",
        )
        key_env = columns[2].text_input(
            "Variable with the key",
            key=state.KEY_ENV,
            placeholder=state.settings().api_key_env or "the provider's usual one",
            persist_state="session",
            help="The name of an environment variable. The key itself is never typed or shown here.",
        )
    return (model or "").strip(), (api_base or "").strip(), (key_env or "").strip()
