"""How an answer came about: time and tokens of each stage, prompts and raw replies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from app import state
from app.cards import seconds
from app.export import evidence_csv, trace_file
from app.markup import esc, label, tag
from app.words import titled, was_stopped
from core.contract import usage_json
from core.results import ModelCall, SourceCard, Stage, Trace

STAGES = {
    Stage.SELECT: "pick sources",
    Stage.FORMULATE: "write queries",
    Stage.EXECUTE: "run them",
    Stage.EVIDENCE: "keep evidence",
}


def trace_section(trace: Trace) -> None:
    """Timing, tokens, notes, exchanges with the model, and the exports of the whole question."""
    with st.expander("How this answer came about", icon=":material/timeline:", key="trace"):
        st.html(tag("div", timing_html(trace) + tag("p", esc(usage_text(trace)), "or-muted or-small"), "or"))
        cards = state.cards()
        for note in trace.notes:
            st.html(tag("div", esc(titled(note, cards)), "or-muted or-small"))
        _scores(trace, cards)
        for number, call in enumerate(trace.calls):
            _call(number, call, cards)
        for source_id, context in trace.contexts:
            if context:
                with st.expander(f"What the model was told of {label(_title(source_id, cards))}"):
                    st.code(context, language=None, wrap_lines=True)
        row = st.container(horizontal=True)
        for name, mime, make in (
            ("Everything as JSON", "application/json", lambda: trace_file(trace, list(cards.values()))),
            ("Evidence as CSV", "text/csv", lambda: evidence_csv(trace)),
        ):
            extension = mime.rsplit("/", 1)[1]
            row.download_button(
                name,
                make,
                file_name=f"answer.{extension}",
                mime=mime,
                on_click="ignore",
                type="tertiary",
                icon=":material/download:",
                key=f"trace-{extension}",
            )


def timing_html(trace: Trace) -> str:
    """A bar for each stage, in proportion."""
    times = {
        Stage.SELECT: trace.timings.select,
        Stage.FORMULATE: trace.timings.formulate,
        Stage.EXECUTE: trace.timings.execute,
        Stage.EVIDENCE: trace.timings.evidence,
    }
    longest = max(*times.values(), 1e-9)
    cells = ""
    for stage, value in times.items():
        bar = tag("div", tag("i", "", style=f"width:{value / longest:.1%}"), "or-bar")
        tokens = sum((c.prompt_tokens or 0) + (c.completion_tokens or 0) for c in trace.calls if c.stage is stage)
        name = STAGES[stage] + (f" · {tokens:,} tokens" if tokens else "")
        cells += tag("span", esc(name)) + bar + tag("span", esc(seconds(value)))
    cells += tag("span", "in all") + tag("span", "") + tag("span", esc(seconds(trace.timings.total)))
    return tag("div", cells, "or-time")


def usage_text(trace: Trace) -> str:
    """Tokens and cost in words; an unknown price is called unknown."""
    if not trace.calls:
        return "No model was asked, so there are no tokens and no cost."
    if all(call.error for call in trace.calls) and was_stopped(trace):
        return f"{_names(trace.calls)} was stopped before it replied."
    if all(call.error for call in trace.calls):
        return f"{_names(trace.calls)} could not be asked, so there are no tokens and no cost."
    usage = usage_json(trace.calls)
    cost = usage["cost_usd"]
    price = "price unknown" if cost is None else f"{cost:.4f} US dollars"
    number = len(trace.calls)
    return (
        f"{number} exchange{'' if number == 1 else 's'} with {_names(trace.calls)}: "
        f"{usage['prompt_tokens']:,} tokens sent, {usage['completion_tokens']:,} received, {price}."
    )


def _names(calls: Sequence[ModelCall]) -> str:
    return ", ".join(dict.fromkeys(call.model for call in calls))


def _title(source_id: str, cards: Mapping[str, SourceCard]) -> str:
    return cards[source_id].title if source_id in cards else source_id


def _scores(trace: Trace, cards: Mapping[str, SourceCard]) -> None:
    """Why the sources were picked, exactly as the selection put it."""
    lines = [
        tag("tr", tag("td", esc(_title(c.source_id, cards))) + tag("td", f"{c.score:.2f}") + tag("td", esc(c.reason)))
        for c in trace.candidates
    ]
    if lines:
        head = tag("tr", tag("th", "source") + tag("th", "score") + tag("th", "what the selection found"))
        st.html(tag("div", tag("div", tag("table", head + "".join(lines)), "or-scroll or-small"), "or"))
    st.html(tag("div", esc(trace.reason), "or-muted or-small"))


def _call(number: int, call: ModelCall, cards: Mapping[str, SourceCard]) -> None:
    where = f" · {_title(call.source_id, cards)}" if call.source_id else ""
    tokens = f", {call.prompt_tokens or 0:,} + {call.completion_tokens or 0:,} tokens"
    title = f"{STAGES[call.stage]}{where} · {seconds(call.elapsed)}{tokens}{' · failed' if call.error else ''}"
    with st.expander(label(title), key=f"call-{number}"):
        for role, content in call.messages:
            st.html(tag("div", esc(role), "or-muted or-small"))
            st.code(content, language=None, wrap_lines=True, height=min(320, 60 + 20 * content.count("\n")))
        st.html(tag("div", "raw reply", "or-muted or-small"))
        st.code(call.error or call.reply or "(empty)", language=None, wrap_lines=True)
