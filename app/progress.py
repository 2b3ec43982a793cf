"""A question on its way: the four stages, what each source is doing, and a way to stop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from app.job import Job
from app.markup import cut, esc, tag
from core.pipeline import Event
from core.results import Stage

BELOW = "below"
"""Key of the container that holds what stands under the question box when nothing is on its way."""
TICK = 0.2
"""Seconds between two looks at a job; a stop or another click gets through at each."""

NAMES = {
    Stage.SELECT: "Pick sources",
    Stage.FORMULATE: "Write queries",
    Stage.EXECUTE: "Run them",
    Stage.EVIDENCE: "Keep the evidence",
}


def watch(job: Job[Any], titles: Mapping[str, str], patience: float) -> None:
    """Draw the job until it is done, or for `patience` seconds after a stop."""
    # What is below belongs to the last question; Streamlit would leave it there, greyed out.
    st.html(f"<style>.st-key-{BELOW} {{ display: none }}</style>")
    holder = st.empty()
    foot = st.container(horizontal=True, vertical_alignment="center")
    foot.button("Stop", icon=":material/stop_circle:", on_click=job.stop, key="stop", disabled=job.stopping)
    clock = foot.empty()
    while not job.done and not job.overdue(patience):
        holder.html(steps_html(job.events, titles, job.stopping))
        clock.html(
            tag("span", f"{'Stopping' if job.stopping else 'Working'}, {job.elapsed:.0f} s", "or-muted or-small")
        )
        job.wait(TICK)


def steps_html(events: Sequence[Event], titles: Mapping[str, str], stopping: bool = False) -> str:
    """The stages as columns, each with its newest line per source."""
    columns = "".join(_step(stage, [e for e in events if e.stage is stage], titles) for stage in NAMES)
    css = "or-steps or-stopping" if stopping else "or-steps"
    return tag("div", tag("div", columns, css, role="status", aria_live="polite"), "or")


def _step(stage: Stage, events: Sequence[Event], titles: Mapping[str, str]) -> str:
    newest = {event.source_id: event for event in events}
    lines = "".join(_line(event, titles) for event in newest.values())
    state = "" if not events else "on" if any(e.state == "started" for e in newest.values()) else "done"
    if stage is Stage.FORMULATE and events and state == "on":
        state = "on"
    return tag("div", tag("b", NAMES[stage]) + (tag("ul", lines) if lines else ""), f"or-step {state}")


def _line(event: Event, titles: Mapping[str, str]) -> str:
    who = f"{titles.get(event.source_id, event.source_id)}: " if event.source_id else ""
    return tag("li", esc(cut(f"{who}{event.message}", 110)), "bad" if event.state == "failed" else "")
