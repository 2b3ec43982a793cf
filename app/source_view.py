"""One source in full: its card and state, what it holds, a picture of that, a query box, and its limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from app import state
from app.cards import kind_badge
from app.frame import to_display_frame
from app.markup import cut, esc, tag
from app.notices import failure, notice
from app.results import draw_picture
from app.schema_frames import Listing, Part, listing_of
from app.schema_picture import busiest, schema_picture, too_many
from app.source_list import WORDS, example_buttons
from app.source_query import query_box
from core.errors import OmniError
from core.results import Language, SourceCard, Status
from core.sources.base import Limits, Schema, TextSchema
from core.sources.catalog import SourceStatus

HOLDS, PICTURE, QUERY, LIMITS = "What it holds", "Graph", "Query", "Limits"
ICONS = {
    HOLDS: ":material/table:",
    PICTURE: ":material/hub:",
    QUERY: ":material/terminal:",
    LIMITS: ":material/shield:",
}
READS = {
    Language.SQL: "One statement that reads: SELECT, WITH or VALUES. Writing, PRAGMA, ATTACH and functions that reach "
    "outside the database are refused, and the database is opened so that it can't be written to.",
    Language.SPARQL: "One query that reads: SELECT, ASK, CONSTRUCT or DESCRIBE. Updates, SERVICE and other datasets "
    "are refused, and the store is opened so that it can't be written to.",
    Language.CYPHER: "One query that reads. Clauses that write, LOAD CSV and procedures other than those that describe "
    "the graph are refused, and the database user may only read.",
    Language.TEXT: "A search text. It is looked up by words and by meaning; nothing in it is run.",
}


def source_view(card: SourceCard, status: SourceStatus, ask: Callable[[str], None]) -> None:
    """Everything about one source."""
    _header(card, status)
    left, right = st.columns([7, 5], gap="large")
    with left:
        st.html(tag("div", tag("p", esc(card.descriptor)), "or"))
    with right.container(gap="xxsmall"):
        example_buttons(card, status.status is Status.READY, ask, key="view")
    if status.status is Status.DISABLED:
        notice("This source is switched off", status.reason, advice="Switch it on in the manifest to look inside.")
        return
    if status.status is Status.ERROR:
        failure("source_unavailable", status.reason, "The others are not touched by this. Mend it and look again.")
        return
    if status.reason:
        notice("Ready, with less than all of it", status.reason, "warn")
    try:
        with st.spinner("Reading what this source holds"):
            schema = state.schema(card.id)
    except OmniError as error:
        failure(error.kind, error.message)
        return
    views = [v for v in (HOLDS, PICTURE, QUERY, LIMITS) if v != PICTURE or not isinstance(schema, TextSchema)]
    key = f"view-{card.id}"
    view = st.segmented_control(
        "View",
        views,
        format_func=lambda name: f"{ICONS[name]} {name}",
        default=None if key in st.session_state else HOLDS,
        key=key,
        required=True,
        label_visibility="collapsed",
        persist_state="session",
    )
    match view:
        case "Graph":
            _picture(card, schema)
        case "Query":
            query_box(card, schema)
        case "Limits":
            _limits(card, state.source_limits(card.id))
        case _:
            _holds(card, schema)


def _header(card: SourceCard, status: SourceStatus) -> None:
    word, tone = WORDS[status.status]
    title = tag("h2", esc(card.title), "or-question")
    facts = " · ".join(part for part in (card.id, card.engine, card.language.value, card.size) if part)
    line = kind_badge(card.kind) + tag("span", esc(facts)) + tag("span", esc(word), f"or-state {tone}")
    st.html(tag("div", title + tag("div", line, "or-line"), "or"))


# --- what it holds -----------------------------------------------------------------------------


def _holds(card: SourceCard, schema: Schema) -> None:
    if isinstance(schema, TextSchema):
        _passages(schema)
        return
    listing = listing_of(schema)
    if listing is None or not listing.parts:
        notice("There is nothing in it", "The source is ready and holds no data.")
        return
    words = st.text_input(
        "Search in it",
        key=f"parts-{card.id}",
        placeholder=f"Search {len(listing.parts):,} {listing.noun}",
        icon=":material/search:",
        label_visibility="collapsed",
        width=360,
        persist_state="session",
    )
    found = listing.found(words or "")
    if not found:
        notice("Nothing by that name", f"No name in it holds “{words}”.", advice="Try a shorter word.")
        return
    _parts(listing, found)
    with_rows = [part for part in found if part.rows]
    if with_rows:
        _detail(card, listing, with_rows)


def _parts(listing: Listing, found: Sequence[Part]) -> None:
    rows = [(part.name, part.kind, *part.facts) for part in found]
    frame = to_display_frame(("name", "kind", *listing.columns), rows)
    st.dataframe(frame, hide_index=True, height=min(40 + 35 * len(rows), 390), row_height=35)


def _detail(card: SourceCard, listing: Listing, found: Sequence[Part]) -> None:
    by_name = {f"{part.name} ({part.kind})": part for part in found}
    chosen = st.selectbox("Look closer at", list(by_name), key=f"part-{card.id}", width=360)
    part = by_name[chosen]
    frame = to_display_frame(listing.detail, part.rows)
    st.dataframe(frame, hide_index=True, height=min(40 + 35 * len(part.rows), 460), row_height=35)


def _passages(schema: TextSchema) -> None:
    facts = [f"{schema.passages:,} passages"]
    if schema.query_type:
        facts.append(f"Answers {schema.query_type}.")
    if schema.document_style:
        facts.append(f"Each is {schema.document_style}.")
    st.html(tag("div", "".join(tag("p", esc(fact), "or-muted") for fact in facts), "or"))
    if schema.topics:
        chips = "".join(tag("span", esc(topic), "or-tag") for topic in schema.topics[:24])
        st.html(tag("div", tag("div", chips, "or-line"), "or"))
    drawn = "".join(
        tag(
            "div",
            tag("span", esc(p.title or p.id), "or-title")
            + tag("span", esc(f" {p.id}"), "or-muted or-small")
            + tag("div", esc(cut(p.text, 600)), "or-pre"),
            "or-passage",
        )
        for p in schema.sample_passages
    )
    st.html(tag("div", tag("h3", "Some of its passages", "or-h") + drawn, "or"))


# --- picture, limits ---------------------------------------------------------------------------


def _picture(card: SourceCard, schema: Schema) -> None:
    around = ""
    if too_many(schema):
        names = busiest(schema)
        around = st.selectbox(
            "Around", names, key=f"around-{card.id}", width=360, help="What is drawn is near this one"
        )
    picture = schema_picture(schema, around)
    if picture is None:
        notice("Nothing to draw", "No part of this source refers to another one.", advice="See what it holds instead.")
        return
    draw_picture(picture, "Graph of what the source holds")


def _limits(card: SourceCard, limits: Limits) -> None:
    rows = (
        ("Longest run of one query", f"{limits.seconds:g} s"),
        ("Items kept of a result", f"{limits.max_items:,}"),
        ("Size kept of a result", f"{limits.max_bytes / 1e6:g} MB"),
        ("Size kept of one cell", f"{limits.max_cell_bytes / 1e6:g} MB"),
    )
    body = "".join(tag("tr", tag("td", esc(name)) + tag("td", esc(value))) for name, value in rows)
    policy = tag("h3", "What may run", "or-h") + tag("p", esc(READS[card.language]))
    how = "A source's entry in the manifest may set its own, under [source.limits]; see the settings in the README."
    st.html(
        tag("div", policy + tag("h3", "Limits", "or-h") + tag("table", body) + tag("p", esc(how), "or-muted"), "or")
    )
