"""What a SQLite file holds: tables, views, columns, keys and samples."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from typing import Any

from core.results import Place, Value
from core.sources.base import Column, ForeignKey, SqlSchema, Table
from core.sources.values import Entry

SCANNED_ROWS = 20_000
"""Rows of a table that samples, counts of distinct values and extremes are taken from."""
SAMPLES = 6
INDEXED_VALUES = 50_000
"""Distinct values of one column that can be found by their text."""
LONGEST_VALUE = 100
LONGEST_SAMPLE = 80
TEXTUAL = re.compile(r"char|text|clob|string|name|enum|^$|date|time", re.IGNORECASE)


def quote(name: str) -> str:
    """An identifier as SQLite takes it, whatever it contains."""
    return '"' + name.replace('"', '""') + '"'


def read_schema(db: sqlite3.Connection) -> SqlSchema:
    """Tables and views in the file's order; shadow and internal tables are left out."""
    return SqlSchema("sqlite", tuple(_table(db, name, kind) for name, kind in _objects(db)))


def read_values(db: sqlite3.Connection, schema: SqlSchema) -> Iterator[Entry]:
    """Distinct short texts of every column that holds text."""
    for table in schema.tables:
        if table.is_view:
            continue
        for column in table.columns:
            if not TEXTUAL.search(column.type) and not any(isinstance(s, str) for s in column.samples):
                continue
            name = quote(column.name)
            sql = (
                f"SELECT DISTINCT {name} FROM {quote(table.name)} "
                f"WHERE typeof({name}) = 'text' AND length({name}) <= {LONGEST_VALUE} LIMIT {INDEXED_VALUES}"
            )
            for (value,) in _try(db, sql):
                yield value, str(value), Place(table.name, column.name), ""


def _objects(db: sqlite3.Connection) -> list[tuple[str, str]]:
    shadows = {row[1] for row in _try(db, "PRAGMA table_list") if row[2] == "shadow"}
    rows = _try(db, "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY rowid")
    return [(n, k) for n, k in rows if not n.startswith("sqlite_") and n not in shadows]


def _table(db: sqlite3.Connection, name: str, kind: str) -> Table:
    info = [row for row in _try(db, f"PRAGMA table_xinfo({quote(name)})") if row[6] != 1]
    keyed = sorted((row[5], row[1]) for row in info if row[5])
    rows = _try(db, f"SELECT count(*) FROM {quote(name)}")
    return Table(
        name=name,
        columns=tuple(_column(db, name, row[1], row[2] or "", not row[3]) for row in info),
        primary_key=tuple(column for _, column in keyed),
        foreign_keys=_foreign_keys(db, name),
        rows=rows[0][0] if rows else None,
        is_view=kind == "view",
    )


def _foreign_keys(db: sqlite3.Connection, table: str) -> tuple[ForeignKey, ...]:
    grouped: dict[int, list[tuple[int, str, str, str | None]]] = {}
    for number, seq, target, source, ref, *_ in _try(db, f"PRAGMA foreign_key_list({quote(table)})"):
        grouped.setdefault(number, []).append((seq, target, source, ref))
    keys = []
    for parts in grouped.values():
        parts.sort()
        target = parts[0][1]
        refs = [ref for *_, ref in parts]
        if None in refs:
            # A reference that names no column means the other table's primary key.
            info = _try(db, f"PRAGMA table_xinfo({quote(target)})")
            refs = [column for _, column in sorted((row[5], row[1]) for row in info if row[5])]
        if len(refs) == len(parts):
            keys.append(ForeignKey(tuple(p[2] for p in parts), target, tuple(str(r) for r in refs)))
    return tuple(keys)


def _column(db: sqlite3.Connection, table: str, name: str, declared: str, nullable: bool) -> Column:
    scanned = f"(SELECT {quote(name)} AS v FROM {quote(table)} LIMIT {SCANNED_ROWS})"
    common = _try(
        db, f"SELECT v, count(*) FROM {scanned} WHERE v IS NOT NULL GROUP BY v ORDER BY 2 DESC, 1 LIMIT {SAMPLES}"
    )
    extremes = _try(db, f"SELECT min(v), max(v), count(DISTINCT v) FROM {scanned} WHERE typeof(v) <> 'blob'")
    low, high, distinct = extremes[0] if extremes else (None, None, None)
    return Column(
        name=name,
        type=declared,
        nullable=nullable,
        samples=tuple(_short(value) for value, _ in common),
        distinct=distinct,
        minimum=_short(low),
        maximum=_short(high),
        numeric_text=_is_numeric_text(db, scanned),
    )


def _is_numeric_text(db: sqlite3.Connection, scanned: str) -> bool:
    texts = [row[0] for row in _try(db, f"SELECT v FROM {scanned} WHERE typeof(v) = 'text' LIMIT 500")]
    numeric = sum(bool(re.fullmatch(r"[<>~]?\s*-?\d+(?:[.,]\d+)*", text.strip())) for text in texts)
    return len(texts) >= 2 and numeric >= 0.6 * len(texts)


def _short(value: Value) -> Value:
    if isinstance(value, str) and len(value) > LONGEST_SAMPLE:
        return value[: LONGEST_SAMPLE - 1] + "…"
    return f"({len(value)} bytes)" if isinstance(value, bytes) else value


def _try(db: sqlite3.Connection, sql: str) -> list[Any]:
    try:
        return db.execute(sql).fetchall()
    except sqlite3.Error:
        # One object that can't be read (a virtual table without its module, a view over a lost table)
        # must not hide the others.
        return []
