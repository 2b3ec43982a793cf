"""A box to run a query of one's own on a source, in the source's language."""

from __future__ import annotations

from typing import cast

import streamlit as st

from app import state
from app.editor import query_editor
from app.markup import esc, tag
from app.notices import failure
from app.results import show_result
from app.source_panel import LANGUAGE_NAMES
from core.attempt import Attempted
from core.errors import OmniError
from core.results import Failed, SourceCard
from core.sources.base import GraphSchema, RdfSchema, Schema, SqlSchema


def starters(schema: Schema, card: SourceCard) -> dict[str, str]:
    """Queries to begin with, by what they show; each runs as it stands."""
    match schema:
        case SqlSchema() if schema.tables:
            largest = max(schema.tables, key=lambda t: t.rows or 0)
            first = schema.tables[0]
            return {
                f"Rows of {first.name}": f'SELECT *\nFROM "{first.name}"\nLIMIT 20',
                f"How many rows {largest.name} has": f'SELECT count(*) AS rows\nFROM "{largest.name}"',
            }
        case RdfSchema() if schema.classes:
            one = schema.classes[0]
            label = f"OPTIONAL {{ ?thing <{schema.label_predicate}> ?label }}"
            kinds = f"SELECT ?class (COUNT(?thing) AS ?things)\nWHERE {{ ?thing <{schema.type_predicate}> ?class }}"
            things = f"SELECT ?thing ?label\nWHERE {{\n  ?thing <{schema.type_predicate}> <{one.iri}> .\n  {label}\n}}"
            return {
                f"Things of the class {one.label}": f"{things}\nLIMIT 20",
                "How many things each class has": f"{kinds}\nGROUP BY ?class\nORDER BY DESC(?things)",
            }
        case GraphSchema() if schema.nodes:
            found = {f"Nodes with the label {schema.nodes[0].label}": _nodes(schema.nodes[0].label)}
            if schema.edges:
                edge = max(schema.edges, key=lambda e: e.count)
                pattern = f"(a:{_name(edge.start)})-[r:{_name(edge.type)}]->(b:{_name(edge.end)})"
                found[f"What {edge.type} joins"] = f"MATCH {pattern}\nRETURN a, r, b\nLIMIT 20"
            return found
    return {example: example for example in card.examples}


def _nodes(label: str) -> str:
    return f"MATCH (n:{_name(label)})\nRETURN n\nLIMIT 20"


def _name(name: str) -> str:
    return f"`{name.replace('`', '``')}`"


def query_box(card: SourceCard, schema: Schema) -> None:
    """The editor, queries to begin with, and the result of the last run."""
    given = starters(schema, card)
    box = state.native_id(card.id)
    left, right = st.columns([5, 7], gap="large")
    with left:
        st.html(tag("div", esc(LANGUAGE_NAMES[card.language]), "or-muted or-small"))
        text = query_editor(box, card.language, next(iter(given.values()), ""))
        if st.button("Run", icon=":material/play_arrow:", type="primary", key=f"{box}-run"):
            _run(card, text)
        for number, (name, query) in enumerate(given.items()):
            st.button(
                name.replace("_", r"\_"),
                key=f"{box}-start-{number}",
                type="tertiary",
                icon=":material/edit_note:",
                on_click=state.set_editor_text,
                args=(box, query),
            )
    with right:
        _result(card)


def _run(card: SourceCard, text: str) -> None:
    try:
        with st.spinner("Running the query"):
            st.session_state[_ran(card)] = state.run_native(card.id, text)
    except OmniError as error:
        st.session_state.pop(_ran(card), None)
        failure(error.kind, error.message)


def _ran(card: SourceCard) -> str:
    return f"{state.native_id(card.id)}-result"


def _result(card: SourceCard) -> None:
    done = cast("Attempted | None", st.session_state.get(_ran(card)))
    if done is None:
        words = "What comes back is shown here. Every query is read-only and stopped at its deadline."
        st.html(tag("div", tag("p", esc(words), "or-muted"), "or"))
        return
    result = done.result
    if isinstance(result, Failed):
        failure(result.kind, result.message)
        return
    show_result(result, done.attempts, "", ())
    for note in result.notes:
        st.html(tag("div", esc(note), "or-muted or-small"))
