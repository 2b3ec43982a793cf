"""The answer: evidence of all sources, each item with the place it came from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from app.cards import count_text, kind_badge, source_anchor
from app.highlight import query_words, snippet
from app.markup import anchor, cut, esc, tag, value_html
from app.words import judgement, left_out
from core.results import (
    Evidence,
    EvidenceItem,
    Passage,
    Paths,
    Returned,
    Rows,
    SourceCard,
    Trace,
    Triples,
    Truth,
)

SHOWN = 10
"""Items of one source shown as evidence; the rest are marked in its result."""


def item_anchor(source_id: str, position: int) -> str:
    """The id of one item where a result is drawn item by item."""
    return anchor("item", source_id, position)


def evidence_section(trace: Trace, cards: Mapping[str, SourceCard]) -> None:
    """Every piece of evidence, best source first."""
    for evidence in trace.evidence:
        result = trace.result_of(evidence.source_id)
        if isinstance(result, Returned):
            st.html(tag("div", evidence_html(trace, evidence, result, cards), "or"))


def evidence_html(trace: Trace, evidence: Evidence, result: Returned, cards: Mapping[str, SourceCard]) -> str:
    """One source's evidence: what answers, why it was kept, where it stands, and the query."""
    card = cards[evidence.source_id]
    link = tag("a", esc(card.title), href=f"#{source_anchor(card.id)}", target="_self")
    of = f"{len(evidence.items):,} of {count_text(result.payload, result.truncated)}"
    head = tag("span", link, "or-title") + kind_badge(card.kind)
    head += tag("span", esc(of), "or-of") if not isinstance(result.payload, Truth) else ""
    shown = evidence.items[:SHOWN]
    body = _body(trace.question, shown, result, card.id)
    hidden = len(evidence.items) - len(shown)
    if hidden:
        more = tag("a", "marked in the result below", href=f"#{source_anchor(card.id)}", target="_self")
        body += tag("div", f"and {hidden:,} more, {more}", "or-of")
    why = judgement(evidence.reason, cards)
    reason = tag("div", esc(why), "or-of", style="margin-top:.5rem") if why else ""
    missing = left_out(trace, card.id)
    reason += tag("div", esc(f"{missing}."), "or-missing") if missing else ""
    query = tag("details", tag("summary", "The query that found it") + tag("pre", esc(cut(result.query.text, 4000))))
    return tag("section", tag("header", head) + body + reason + query, "or-evidence")


def _body(question: str, items: Sequence[EvidenceItem], result: Returned, source_id: str) -> str:
    match result.payload:
        case Truth():
            return tag("div", "Yes" if result.payload.value else "No", "or-big")
        case Rows() if len(items) == 1 and len(result.payload.columns) == 1:
            value = items[0].value
            cell = value[0] if isinstance(value, tuple) and value else value
            caption = f"{esc(result.payload.columns[0])} · {_where(source_id, items[0].position, 'row')}"
            return tag("div", value_html(cell), "or-big") + tag("div", caption, "or-of")
        case Rows() | Paths():
            noun = "row" if isinstance(result.payload, Rows) else "path"
            return _table(result.payload.columns, items, source_id, noun)
        case Triples():
            return _table(("subject", "predicate", "object"), items, source_id, "triple")
    return "".join(_passage(question, item, source_id) for item in items)


def _where(source_id: str, position: int, noun: str, own: bool = False) -> str:
    """A link to the item, or to its source's section where the item has no place of its own."""
    target = item_anchor(source_id, position) if own else source_anchor(source_id)
    return tag("a", f"{noun} {position + 1:,}", href=f"#{target}", target="_self")


def _table(columns: Sequence[str], items: Sequence[EvidenceItem], source_id: str, noun: str) -> str:
    head = "".join(tag("th", esc(column)) for column in columns) + tag("th", "found in")
    rows = []
    for item in items:
        cells = item.value if isinstance(item.value, tuple) else (item.value,)
        body = "".join(tag("td", value_html(cell)) for cell in cells)
        rows.append(tag("tr", body + tag("td", _where(source_id, item.position, noun, noun == "path"), "or-where")))
    return tag("div", tag("table", tag("thead", tag("tr", head)) + tag("tbody", "".join(rows))), "or-scroll")


def _passage(question: str, item: EvidenceItem, source_id: str) -> str:
    if not isinstance(item.value, Passage):
        return ""
    where = tag("span", _where(source_id, item.position, "passage", own=True), "or-of")
    head = tag("span", esc(item.value.title or item.value.id), "or-title")
    text = tag("div", snippet(item.value.text, query_words(question)), "or-pre")
    return tag("div", f"{head} · {where}{text}", "or-passage kept")
