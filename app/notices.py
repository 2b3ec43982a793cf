"""Calm boxes for what a person should know; text from outside is shown as it stands."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from app.markup import esc, tag

Tone = Literal["plain", "warn", "bad"]


def notice_html(
    title: str, text: str = "", tone: Tone = "plain", advice: str = "", body: str = "", details: str = ""
) -> str:
    """A box with a title, a message kept verbatim, HTML of our own, what to do next, and words of somebody else."""
    body = tag("b", esc(title)) + body
    if text:
        body += tag("div", esc(text), "or-pre")
    if advice:
        body += tag("div", esc(advice), "or-muted or-small")
    if details:
        words = tag("div", esc(details), "or-pre or-small")
        body += tag("details", tag("summary", "What the model's provider said", "or-muted or-small") + words)
    role = "alert" if tone == "bad" else "status"
    return tag("div", tag("div", body, f"or-notice {tone}", role=role), "or")


def notice(title: str, text: str = "", tone: Tone = "plain", advice: str = "") -> None:
    """Draw such a box."""
    st.html(notice_html(title, text, tone, advice))


FAILURES: dict[str, tuple[str, Tone]] = {
    "cannot_link": ("No query: the question does not fit this source", "plain"),
    "declined": ("No query: the model says this source can't answer", "plain"),
    "no_query": ("No query in the model's reply", "warn"),
    "rejected": ("The query was refused and did not run", "warn"),
    "engine_error": ("The engine reported an error", "warn"),
    "timed_out": ("Stopped at the deadline", "warn"),
    "stopped": ("Stopped", "plain"),
    "source_unavailable": ("This source can't be reached", "bad"),
    "model_key": ("The model's key is missing or was refused", "warn"),
    "model_not_configured": ("Name a model first", "plain"),
    "model_unknown": ("The model is not known", "warn"),
    "model_unreachable": ("The model can't be reached", "warn"),
    "model_timeout": ("The model did not answer in time", "warn"),
    "model_rate_limit": ("The model's provider asks to slow down", "warn"),
    "model_overloaded": ("The model's provider is overloaded", "warn"),
    "model_context": ("The prompt is too long for the model", "warn"),
    "bad_question": ("This can't be asked", "warn"),
    "manifest": ("The list of sources can't be read", "bad"),
    "setting": ("A setting can't be used", "bad"),
    "unknown_source": ("No such source", "warn"),
    "usage": ("This can't be done", "warn"),
}
"""Titles by an error's stable kind."""


def failure(kind: str, message: str, advice: str = "") -> None:
    """The notice for an error of one kind."""
    st.html(failure_html(kind, message, advice))


def failure_html(kind: str, message: str, advice: str = "", heading: str = "") -> str:
    """That notice as HTML; a provider's own words are folded away."""
    title, tone = FAILURES.get(kind, ("Something went wrong", "bad"))
    said = ""
    if kind.startswith("model"):
        message, _, said = message.partition(" It said: ")
    return notice_html(heading or title, message, tone, advice, details=said)
