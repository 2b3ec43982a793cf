"""Quiet remarks on a SQL result: what a reader would otherwise have to find out alone."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Any

from core.results import Match
from core.sources.base import SqlSchema
from core.sources.guards.sql import parse_sql
from core.sources.guards.sql_names import UsedColumn, used_columns
from core.sources.values import ValueIndex

MOST_NEAR = 4

ELSEWHERE = {
    "year": "strftime('%Y', x)",
    "month": "strftime('%m', x)",
    "day": "strftime('%d', x)",
    "date_part": "strftime('%Y', x)",
    "date_trunc": "strftime('%Y-%m-01', x)",
    "extract": "strftime('%Y', x)",
    "datediff": "julianday(a) - julianday(b)",
    "dateadd": "date(x, '+1 day')",
    "date_format": "strftime(format, x)",
    "to_char": "strftime(format, x)",
    "from_unixtime": "datetime(x, 'unixepoch')",
    "now": "datetime('now')",
    "curdate": "date('now')",
    "getdate": "datetime('now')",
    "concat": "a || b",
    "isnull": "ifnull(a, b)",
    "nvl": "ifnull(a, b)",
    "len": "length(x)",
    "left": "substr(x, 1, n)",
    "right": "substr(x, -n)",
    "charindex": "instr(x, part)",
    "string_agg": "group_concat(x, ', ')",
    "regexp_replace": "replace(x, a, b)",
}
"""Functions of other databases and what SQLite has for them."""


def function_hint(name: str, known: Sequence[str]) -> str:
    """What to write instead of a function that SQLite does not have."""
    if name.lower() in ELSEWHERE:
        return f"In SQLite write {ELSEWHERE[name.lower()]}."
    close = get_close_matches(name.lower(), sorted(set(known)), n=3)
    return f"Nearest: {', '.join(close)}." if close else ""


def remarks(text: str, schema: SqlSchema, values: ValueIndex | None, *, empty: bool) -> list[str]:
    """Remarks on what `text` returned: numbers kept as text, names read as text, and near values of an empty result."""
    parsed = parse_sql(text, schema.dialect)
    if not parsed or parsed[0] is None:
        return []
    used = used_columns(parsed[0], schema)
    near = list(_near_values(used, values)) if empty and values is not None else []
    found = [*near, *_numbers_as_text(used), *_names_as_text(used, schema, everywhere=empty and not near)]
    return list(dict.fromkeys(found))


def _numbers_as_text(used: Sequence[UsedColumn]) -> Iterator[str]:
    from sqlglot import exp

    ordered = (exp.Ordered, exp.Max, exp.Min, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between)
    for column in used:
        if column.meant and column.meant[1].numeric_text and isinstance(column.node.parent, ordered):
            table, stored = column.meant
            declared = stored.type or "no type"
            yield (
                f"{table.name}.{stored.name} holds numbers as text ({declared}), so 10 stands before 9. "
                f"CAST({column.node.sql(dialect='sqlite')} AS REAL) compares them as numbers."
            )


def _names_as_text(used: Sequence[UsedColumn], schema: SqlSchema, *, everywhere: bool) -> Iterator[str]:
    from sqlglot import exp

    shown = (exp.Select, exp.Alias, exp.Ordered, exp.Group)  # beside a comparison it is meant as a text
    names = {t.name.lower() for t in schema.tables} | {c.name.lower() for t in schema.tables for c in t.columns}
    for column in used:
        node = column.node
        if not everywhere and not isinstance(node.parent, shown):
            continue
        if node.this.quoted and not node.table and node.name.lower() not in names and not column.meant:
            yield f'"{node.name}" is no column here, so SQLite reads it as a text. Texts stand in single quotes.'


def _near_values(used: Sequence[UsedColumn], values: ValueIndex) -> Iterator[str]:
    """For each text that a column was compared with and that it does not hold, what it holds instead."""
    for column in used:
        if column.meant is None:
            continue
        table, stored = column.meant
        for wanted in _compared_with(column.node):
            near = [m for m in values.probe([wanted]) if (m.place.owner, m.place.field) == (table.name, stored.name)]
            if near and not any(m.value == wanted for m in near):
                yield f"{table.name}.{stored.name} has no {wanted!r}. Stored: {_listed(near)}."


def _compared_with(node: Any) -> list[str]:
    from sqlglot import exp

    parent = node.parent
    if isinstance(parent, exp.EQ | exp.Is):
        others = [parent.this, parent.expression]
    elif isinstance(parent, exp.In) and parent.this is node:
        others = list(parent.expressions)
    else:
        return []
    texts = [o.this for o in others if isinstance(o, exp.Literal) and o.is_string]
    texts += [o.name for o in others if isinstance(o, exp.Column) and o is not node and o.this.quoted and not o.table]
    return [text for text in texts if text.strip()]


def _listed(near: Sequence[Match]) -> str:
    texts = dict.fromkeys(unicodedata.normalize("NFC", str(m.value)) for m in near)
    return ", ".join(repr(t) for t in list(texts)[:MOST_NEAR])
