"""What a SQLite file holds: tables, views, columns, keys and samples."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Iterator
from typing import Any

from core.results import Place, Value
from core.sources.base import Column, ForeignKey, SqlSchema, Table
from core.sources.sqlite_file import DAMAGE, STEPS
from core.sources.values import Entry

SCANNED_ROWS = 20_000
"""Rows of a table that samples, counts of distinct values and extremes are taken from."""
SAMPLES = 6
INDEXED_VALUES = 50_000
"""Distinct values of one column that can be found by their text."""
LONGEST_VALUE = 100
LONGEST_SAMPLE = 80
TEXTUAL = re.compile(r"char|text|clob|string|name|enum|^$|date|time", re.IGNORECASE)
SCHEMA_SECONDS = 12.0
"""Time for all samples and counts of a file; names and keys are read however long it takes."""
VALUES_SECONDS = 60.0
QUERY_SECONDS = 1.0
"""Time for one sample or count: a view may never end."""
COLUMN_SECONDS = 10.0


def quote(name: str) -> str:
    """An identifier as SQLite takes it, whatever it contains."""
    return '"' + name.replace('"', '""') + '"'


def read_schema(db: sqlite3.Connection, *, samples: bool = True) -> SqlSchema:
    """Tables and views in the file's order, without shadow and internal tables; names and keys alone on request.

    Raises:
        sqlite3.Error: The file is damaged or locked.
    """
    ask = _Ask(db, SCHEMA_SECONDS if samples else 0.0)
    return SqlSchema("sqlite", tuple(_table(ask, name, kind) for name, kind in _objects(ask)))


def read_values(db: sqlite3.Connection, schema: SqlSchema) -> Iterator[Entry]:
    """Distinct short texts of every column that holds text, as many as there is time for.

    Raises:
        sqlite3.Error: The file is damaged or locked.
    """
    ask = _Ask(db, VALUES_SECONDS)
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
            for (value,) in ask.each(sql, COLUMN_SECONDS):
                yield value, str(value), Place(table.name, column.name), ""


class _Ask:
    """Small queries over a file, each within its own time and all within a budget."""

    def __init__(self, db: sqlite3.Connection, seconds: float) -> None:
        self._db = db
        self._end = time.monotonic() + seconds
        self._until = self._end
        db.set_progress_handler(lambda: int(time.monotonic() > self._until), STEPS)

    def names(self, sql: str) -> list[Any]:
        """Rows of a query on the table of contents, which takes no time."""
        self._until = float("inf")
        return list(self._rows(sql))

    def each(self, sql: str, seconds: float = QUERY_SECONDS) -> Iterator[Any]:
        """Rows of a query on the data, as far as they come in time."""
        now = time.monotonic()
        self._until = min(now + seconds, self._end)
        return self._rows(sql) if now < self._end else iter(())

    def all(self, sql: str) -> list[Any]:
        """All rows of a query on the data, or none when it takes too long."""
        return list(self.each(sql))

    def _rows(self, sql: str) -> Iterator[Any]:
        try:
            yield from self._db.execute(sql)
        except sqlite3.Error as error:
            # One object that can't be read (a virtual table without its module, a view over a lost table,
            # a view that never ends) must not hide the others; a damaged file must not look like an empty one.
            if any(word in str(error) for word in DAMAGE):
                raise


def _objects(ask: _Ask) -> list[tuple[str, str]]:
    shadows = {row[1] for row in ask.names("PRAGMA table_list") if row[2] == "shadow"}
    rows = ask.names("SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY rowid")
    return [(n, k) for n, k in rows if not n.startswith("sqlite_") and n not in shadows]


def _table(ask: _Ask, name: str, kind: str) -> Table:
    info = [row for row in ask.names(f"PRAGMA table_xinfo({quote(name)})") if row[6] != 1]
    keyed = sorted((row[5], row[1]) for row in info if row[5])
    rows = ask.all(f"SELECT count(*) FROM {quote(name)}")
    # A view that can't be counted in time can't be sampled either; a table always can.
    sampled = bool(rows) or kind == "table"
    return Table(
        name=name,
        columns=tuple(_column(ask if sampled else None, name, row[1], row[2] or "", not row[3]) for row in info),
        primary_key=tuple(column for _, column in keyed),
        foreign_keys=_foreign_keys(ask, name),
        rows=rows[0][0] if rows else None,
        is_view=kind == "view",
    )


def _foreign_keys(ask: _Ask, table: str) -> tuple[ForeignKey, ...]:
    grouped: dict[int, list[tuple[int, str, str, str | None]]] = {}
    for number, seq, target, source, ref, *_ in ask.names(f"PRAGMA foreign_key_list({quote(table)})"):
        grouped.setdefault(number, []).append((seq, target, source, ref))
    keys = []
    for parts in grouped.values():
        parts.sort()
        target = parts[0][1]
        refs = [ref for *_, ref in parts]
        if None in refs:
            # A reference that names no column means the other table's primary key.
            info = ask.names(f"PRAGMA table_xinfo({quote(target)})")
            refs = [column for _, column in sorted((row[5], row[1]) for row in info if row[5])]
        if len(refs) == len(parts):
            keys.append(ForeignKey(tuple(p[2] for p in parts), target, tuple(str(r) for r in refs)))
    return tuple(keys)


def _column(ask: _Ask | None, table: str, name: str, declared: str, nullable: bool) -> Column:
    if ask is None:
        return Column(name, declared, nullable)
    scanned = f"(SELECT {quote(name)} AS v FROM {quote(table)} LIMIT {SCANNED_ROWS})"
    common = ask.all(
        f"SELECT v, count(*) FROM {scanned} WHERE v IS NOT NULL GROUP BY v ORDER BY 2 DESC, 1 LIMIT {SAMPLES}"
    )
    extremes = ask.all(f"SELECT min(v), max(v), count(DISTINCT v) FROM {scanned} WHERE typeof(v) <> 'blob'")
    low, high, distinct = extremes[0] if extremes else (None, None, None)
    return Column(
        name=name,
        type=declared,
        nullable=nullable,
        samples=tuple(_short(value) for value, _ in common),
        distinct=distinct,
        minimum=_short(low),
        maximum=_short(high),
        numeric_text=_is_numeric_text(ask, scanned),
    )


NUMBER = re.compile(r"[<>~]?\s*-?(?:\d{1,3}(?:[.,]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?)")
"""A number as people type it; 31.12.2024 is none."""


def _is_numeric_text(ask: _Ask, scanned: str) -> bool:
    texts = [row[0] for row in ask.all(f"SELECT v FROM {scanned} WHERE typeof(v) = 'text' LIMIT 500")]
    numeric = sum(bool(NUMBER.fullmatch(text.strip())) for text in texts)
    return len(texts) >= 2 and numeric >= 0.6 * len(texts)


def _short(value: Value) -> Value:
    if isinstance(value, str) and len(value) > LONGEST_SAMPLE:
        return value[: LONGEST_SAMPLE - 1] + "…"
    return f"({len(value)} bytes)" if isinstance(value, bytes) else value
