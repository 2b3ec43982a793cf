"""Results as files to download: CSV that no spreadsheet runs as a formula, and the JSON of the command line."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Sequence

from app.plain import plain
from core.contract import result_json, trace_json
from core.results import Attempt, Passage, Passages, Payload, Returned, Rows, SourceCard, Trace, Triples, Truth

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|\.\d+)([eE][+-]?\d+)?\Z")


def safe_cell(value: object) -> str:
    """A cell's text; text that a spreadsheet would run as a formula starts with an apostrophe."""
    if value is None:
        return ""
    text = plain(value)
    if text.lstrip(" ").startswith(FORMULA_STARTS) and not NUMBER.match(text):
        return f"'{text}"
    return text


def payload_table(payload: Payload) -> tuple[Sequence[str], Iterable[Sequence[object]]]:
    """Column names as the engine gave them, and rows."""
    match payload:
        case Rows():
            return payload.columns, payload.items
        case Triples():
            return ("subject", "predicate", "object"), payload.items
        case Passages():
            return ("id", "title", "text", "score"), ((p.id, p.title, p.text, p.score) for p in payload.items)
        case Truth():
            return ("answer",), ((payload.value,),)
    return payload.columns, payload.items


def payload_csv(payload: Payload) -> bytes:
    """The payload as UTF-8 CSV with a byte order mark, so that spreadsheets read its accents."""
    columns, rows = payload_table(payload)
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([safe_cell(column) for column in columns])
    writer.writerows([[safe_cell(cell) for cell in row] for row in rows])
    return out.getvalue().encode("utf-8-sig")


def payload_json(result: Returned, attempts: Iterable[Attempt]) -> bytes:
    """One result in the form of `query --json`."""
    return _dump(result_json(result, attempts, result.query.language))


def trace_file(trace: Trace, cards: Iterable[SourceCard]) -> bytes:
    """The whole question in the form of `ask --json`."""
    return _dump(trace_json(trace, cards))


def evidence_csv(trace: Trace) -> bytes:
    """The evidence, one item a line: source, position, then its cells."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["source", "position", "value"])
    for evidence in trace.evidence:
        for item in evidence.items:
            cells = item.value if isinstance(item.value, tuple) else (item.value,)
            cells = (cells[0].id, cells[0].title, cells[0].text) if isinstance(cells[0], Passage) else cells
            writer.writerow([safe_cell(evidence.source_id), item.position + 1, *(safe_cell(cell) for cell in cells)])
    return out.getvalue().encode("utf-8-sig")


def _dump(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False).encode("utf-8")
