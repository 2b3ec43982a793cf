"""One source's result in the form its payload asks for: table, list, graph, passages, or yes and no."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import streamlit as st

from app import state
from app.cards import count_text
from app.evidence import item_anchor
from app.export import payload_csv, payload_json, payload_table
from app.frame import to_display_frame, unique_names
from app.graph import HEIGHT, Picture, graph_html, palette, picture_of
from app.highlight import marked, query_words
from app.markup import esc, path_html, tag, value_html
from app.notices import notice
from core.results import Attempt, Iri, Passages, Path, Paths, Payload, Returned, Rows, Triples, Truth

TABLE, GRAPH, LIST, TEXT = "Table", "Graph", "Paths", "Passages"
KEPT = "✓"
LISTED = 200
"""Paths and passages drawn one by one; more of them are in the table."""


def show_result(result: Returned, attempts: Sequence[Attempt], question: str, kept: Collection[int]) -> None:
    """Draw the result with a choice of views and its exports; items in `kept` are marked as evidence."""
    payload = result.payload
    if isinstance(payload, Truth):
        word, css = ("Yes", "") if payload.value else ("No", "no")
        st.html(tag("div", tag("div", word, f"or-truth {css}"), "or"))
        return
    if not payload.items:
        notice(
            f"The query ran and found {count_text(payload)}.",
            advice="That is an answer too. If you expected something, check the spelling of values in the query.",
        )
        return
    picture = None if isinstance(payload, Passages) else picture_of(payload)
    view = _toolbar(result, attempts, _views(payload, picture))
    limit = state.settings().rows_shown
    match view:
        case "Graph" if picture:
            draw_picture(picture)
        case "Paths" if isinstance(payload, Paths):
            _path_list(payload, kept, result.source_id, min(limit, LISTED))
        case "Passages" if isinstance(payload, Passages):
            _passages(payload, question, kept, result.source_id, min(limit, LISTED))
        case _:
            _table(payload, kept, limit)
    shown = LISTED if view in (LIST, TEXT) else limit
    if view != GRAPH:
        st.html(tag("div", esc(shown_text(payload, result.truncated, min(shown, limit))), "or-muted or-small"))


def shown_text(payload: Payload, truncated: bool, limit: int) -> str:
    """What part of the result is on the screen, in words."""
    number = len(payload.items)
    if number <= limit and not truncated:
        return count_text(payload)
    return f"first {min(number, limit):,} of {count_text(payload, truncated)}"


def _views(payload: Payload, picture: Picture | None) -> list[str]:
    own = {Paths: [LIST], Passages: [TEXT]}.get(type(payload), [])
    return [*own, TABLE, *([GRAPH] if picture and picture.lines else [])]


def _toolbar(result: Returned, attempts: Sequence[Attempt], views: list[str]) -> str:
    row = st.container(
        horizontal=True,
        vertical_alignment="center",
        horizontal_alignment="distribute" if len(views) > 1 else "right",
    )
    key = f"{state.editor_key(result.source_id)}-view"
    view = views[0]
    if len(views) > 1:
        icons = {TABLE: ":material/table:", GRAPH: ":material/hub:", LIST: ":material/route:", TEXT: ":material/notes:"}
        if st.session_state.get(key) not in views:
            st.session_state[key] = views[0]
        view = (
            row.segmented_control(
                "View",
                views,
                format_func=lambda name: f"{icons[name]} {name}",
                key=key,
                required=True,
                label_visibility="collapsed",
                persist_state="session",
            )
            or views[0]
        )
    exports = row.container(horizontal=True, width="content", gap="small")
    _export(exports, "CSV", "text/csv", result, lambda: payload_csv(result.payload))
    _export(exports, "JSON", "application/json", result, lambda: payload_json(result, attempts))
    return view


def _export(where: Any, kind: str, mime: str, result: Returned, make: Callable[[], bytes]) -> None:
    where.download_button(
        kind,
        make,
        file_name=f"{result.source_id}.{kind.lower()}",
        mime=mime,
        on_click="ignore",
        type="tertiary",
        icon=":material/download:",
        key=f"{state.editor_key(result.source_id)}-{kind}",
        help=f"The whole result as {kind}",
    )


def _table(payload: Payload, kept: Collection[int], limit: int) -> None:
    columns, items = payload_table(payload)
    rows = [row for row, _ in zip(items, range(limit), strict=False)]
    frame = to_display_frame(columns, rows)
    frame.index = range(1, len(rows) + 1)
    config: dict[Any, Any] = {}
    if isinstance(payload, Rows | Triples):
        config |= _link_columns(columns, rows)
    if kept:
        frame.insert(
            0, KEPT, [KEPT if position in kept else "" for position in range(len(rows))], allow_duplicates=True
        )
        config[KEPT] = st.column_config.TextColumn(KEPT, width=36, help="Kept as evidence", pinned=True)
    height = min(40 + 35 * len(rows), 460)
    st.dataframe(frame, column_config=config, height=height, row_height=35, placeholder="NULL")


def _link_columns(columns: Sequence[object], rows: Sequence[Sequence[object]]) -> dict[Any, Any]:
    """Columns that hold web addresses of resources only: the last segment, with a link to the whole."""
    config: dict[Any, Any] = {}
    for index, name in enumerate(unique_names(columns)):
        cells = [row[index] for row in rows if index < len(row) and row[index] is not None]
        if cells and all(isinstance(c, Iri) and c.value.startswith(("http://", "https://")) for c in cells):
            config[name] = st.column_config.LinkColumn(name, display_text=r"([^/#]+)[/#]?$")
    return config


def draw_picture(picture: Picture, name: str = "Graph of the result") -> None:
    """The graph with a legend, and what its cap left out."""
    colours = palette(picture, state.dark())
    legend = "".join(
        tag("span", tag("i", "", style=f"background:{colours[group]}") + esc(group)) for group in picture.groups[:8]
    )
    if picture.one_relation:
        legend += tag("span", f"→ {esc(picture.one_relation)}")
    st.iframe(graph_html(picture, state.dark()), height=HEIGHT, alt=name)
    st.html(tag("div", tag("div", legend, "or-legend"), "or"))
    if picture.notice:
        st.html(tag("div", esc(picture.notice), "or-muted or-small"))


def _path_list(payload: Paths, kept: Collection[int], source_id: str, limit: int) -> None:
    lines = []
    for position, row in enumerate(payload.items[:limit]):
        body = " · ".join(path_html(cell) if isinstance(cell, Path) else value_html(cell) for cell in row)
        number = tag("span", f"{position + 1}", "or-n")
        css = "or-anchor kept" if position in kept else "or-anchor"
        lines.append(tag("li", number + body, css, id=item_anchor(source_id, position)))
    st.html(tag("div", tag("ol", "".join(lines), "or-list"), "or"))


def _passages(payload: Passages, question: str, kept: Collection[int], source_id: str, limit: int) -> None:
    words = query_words(question)
    drawn = []
    for position, passage in enumerate(payload.items[:limit]):
        score = tag("span", esc(f"{passage.id} · score {passage.score:.3f}"), "or-of or-muted or-small")
        head = f"{position + 1}. {tag('span', esc(passage.title or passage.id), 'or-title')} {score}"
        css = "or-passage kept" if position in kept else "or-passage"
        body = tag("div", marked(passage.text, words), "or-pre")
        drawn.append(tag("div", head + body, css, id=item_anchor(source_id, position)))
    st.html(tag("div", "".join(drawn), "or"))
