"""SQLite databases, opened so that nothing a query says can change them or leave them."""

from __future__ import annotations

import contextlib
import re
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.errors import QueryFailed, QueryRejected, QueryTimedOut
from core.results import Match, NativeQuery, Returned, Rows, SourceCard
from core.settings import Settings
from core.sources.base import Limits, SqlSchema
from core.sources.guards.sql import DENIED_FUNCTIONS, check_sql, place_of
from core.sources.guards.sql_names import lint_sql
from core.sources.housekeeping import keep_newest
from core.sources.kept_schema import kept_schema
from core.sources.limiter import Limiter
from core.sources.sql_notes import function_hint, function_hints, remarks, syntax_hint
from core.sources.sqlite_file import DAMAGE, SqliteFile
from core.sources.sqlite_schema import SCHEMA_SECONDS, VALUES_SECONDS, quote, read_schema, read_values
from core.sources.values import Entry, ValueIndex

ALLOWED = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE})
SMALL_BYTES = 20_000_000
"""A file up to this size is looked through for the sake of a remark; of a larger one what is known is used."""
OUTLINE_SECONDS = 5.0
KEPT_FILES = 4
"""Indexes of earlier states of a file that are kept."""
FORMAT = 2
"""Goes up when what an index holds changes."""


class SqliteSource:
    """One SQLite file, read-only; a connection of its own for each run, so any thread may use it.

    Dates and decimals come back as SQLite stores them (text or number), blobs as bytes; text that is
    not UTF-8 comes back with replacement marks and a note.
    """

    def __init__(self, card: SourceCard, location: Path | str, settings: Settings, limits: Limits) -> None:
        self._card = card
        self._file = SqliteFile(Path(location), settings.state("copies") / card.id)
        self._indexes = settings.state("indexes")
        self._limits = limits
        self._lock = threading.Lock()
        self._known: tuple[str, SqlSchema] | None = None
        self._values: tuple[str, ValueIndex] | None = None

    @property
    def card(self) -> SourceCard:
        """What the manifest says of this source."""
        return self._card

    @property
    def limits(self) -> Limits:
        """The limits of this source."""
        return self._limits

    def check(self) -> None:
        """Open the file and look for damage for half a second."""
        self._file.check()

    def describe(self) -> SqlSchema:
        """Tables and views with samples; read again when the file changes, kept on disk between runs."""
        with self._lock:
            return self._schema()

    def probe(self, terms: Sequence[str]) -> list[Match]:
        """Stored texts that match; `place` is table and column."""
        return self._index().probe(terms)

    def run(self, query: NativeQuery, limits: Limits | None = None) -> Returned:
        """Run one SELECT."""
        limits = limits or self._limits
        verdict = check_sql(query.text, "sqlite", engine_is_safe=True)
        started = time.monotonic()
        limiter = Limiter(limits)
        try:
            with self._file.connect(started + limits.seconds) as db:
                marks = _lock_down(db)
                cursor = db.execute(query.text.rstrip("; \t\r\n"))
                columns = tuple(d[0] for d in cursor.description or ())
                items = limiter.take(iter(cursor))
        except (sqlite3.Error, sqlite3.Warning, OverflowError) as error:
            raise self._translate(error, query.text, limits) from error
        elapsed = time.monotonic() - started
        doubts: Sequence[str] = ()
        notes = [*limiter.notes(), *([verdict.note] if verdict.note else []), *marks()]
        if verdict.checked:
            # A count of nothing is as empty as no row.
            empty = not items or (len(items) == 1 and not any(items[0]))
            remarked = self._remarks(query.text, empty=empty)
            doubts = remarked if empty else ()
            notes += remarked
        rows = Rows(columns, items)
        return Returned(query, rows, limiter.truncated, elapsed, tuple(notes), doubtful=bool(doubts))

    def close(self) -> None:
        """Forget what was read; every run closes its own connection."""
        with self._lock:
            self._known = self._values = None

    def _schema(self) -> SqlSchema:
        stamp = self._file.stamp()
        if self._known is None or self._known[0] != stamp:
            path = self._indexes / f"{self._card.id}-{stamp}.schema"
            schema = kept_schema(path, SqlSchema, lambda: self._read_schema(SCHEMA_SECONDS, samples=True))
            self._forget_old(r"\.\d+\.json")
            self._known = (stamp, schema)
        return self._known[1]

    def _read_schema(self, seconds: float, *, samples: bool) -> SqlSchema:
        with self._file.connect(time.monotonic() + seconds) as db:
            try:
                return read_schema(db, samples=samples)
            except sqlite3.Error as error:
                raise self._file.unavailable(str(error)) from error

    def _index(self) -> ValueIndex:
        with self._lock:
            schema = self._schema()
            stamp = self._file.stamp()
            if self._values is None or self._values[0] != stamp:
                path = self._indexes / f"{self._card.id}-{stamp}.values{FORMAT}.sqlite"
                with self._file.connect(time.monotonic() + VALUES_SECONDS) as db:
                    self._values = (stamp, ValueIndex.build(path, self._entries(db, schema)))
                self._forget_old(r"\.values\d+\.sqlite")
            return self._values[1]

    def _forget_old(self, ending: str) -> None:
        keep_newest(self._indexes, re.escape(self._card.id) + "-[0-9a-f]{16}" + ending, KEPT_FILES)

    def _entries(self, db: sqlite3.Connection, schema: SqlSchema) -> Iterator[Entry]:
        try:
            yield from read_values(db, schema)
        except sqlite3.Error as error:
            raise self._file.unavailable(str(error)) from error

    def _names(self) -> SqlSchema:
        """The schema when it is known or quickly read, and its names alone otherwise."""
        known = self._known
        if known:
            return known[1]
        return self.describe() if self._is_small() else self._read_schema(OUTLINE_SECONDS, samples=False)

    def _is_small(self) -> bool:
        return self._file.path.stat().st_size <= SMALL_BYTES

    def _remarks(self, text: str, *, empty: bool) -> Sequence[str]:
        """What a reader should know of a result."""
        try:
            index = self._index() if empty and (self._values or self._is_small()) else None
            return remarks(text, self._names(), index, empty=empty)
        except Exception:  # noqa: BLE001 - a result is never lost for want of a remark
            return ()

    def _translate(self, error: Exception, text: str, limits: Limits) -> Exception:
        message = str(error)
        if "interrupted" in message:
            return QueryTimedOut(
                f"Stopped after {limits.seconds:g} s. Ask for less (a filter, a LIMIT), or raise the limit."
            )
        if "not authorized" in message or "prohibited" in message:
            return QueryRejected(
                f"SQLite refused it ({message}): this source can only be read. Write a SELECT over its tables.",
                "reads only",
            )
        if "one statement" in message:
            return QueryRejected("Only one statement is run at a time. Keep the one you want.", "one statement")
        if any(word in message for word in DAMAGE):
            return self._file.unavailable(message)
        if "bindings" in message:
            return QueryRejected("The query has open parameters (?, :name). Write the values into it.", "whole")
        if "too big" in message or isinstance(error, OverflowError):
            return QueryFailed(f"SQLite stopped it: {message}. A value grew beyond what is allowed.")
        hints = self._hints(message, text)
        shown = f"{message.rstrip('.')}{place_of(message, text)}.{' ' + hints if hints else ''}"
        if any(sign in message for sign in ("syntax error", "unrecognized token", "incomplete input")):
            return QueryRejected(f"SQLite can't parse it: {shown}")
        return QueryFailed(f"SQLite reports: {shown}")

    def _hints(self, message: str, text: str) -> str:
        with contextlib.suppress(Exception):  # the engine's own message is what matters
            missing = re.search(r"no such function: (\w+)", message)
            functions = self._functions()
            if missing:
                return syntax_hint(text) or function_hint(missing[1], functions)
            if "misuse of aggregate" in message:
                return "What is counted or summed is compared in HAVING, not in WHERE."
            schema = self._names()
            near = re.search(r'near "(.+?)": syntax', message)
            if near and _is_name(near[1], schema):
                return f"Names that are SQL words stand in double quotes: {quote(near[1])}."
            foreign = syntax_hint(text) or function_hints(text, functions)
            prefixed = re.search(r"no such table: (\w+)\.(\w+)", message)
            if prefixed and _is_name(prefixed[2], schema):
                return f"Tables here have no name in front: write {quote(prefixed[2])}."
            return foreign or " ".join(lint_sql(text, schema))
        return ""

    def _functions(self) -> list[str]:
        with self._file.connect(time.monotonic() + OUTLINE_SECONDS) as db:
            return [row[0] for row in db.execute("PRAGMA function_list")]


def _is_name(word: str, schema: SqlSchema) -> bool:
    names = {t.name.lower() for t in schema.tables} | {c.name.lower() for t in schema.tables for c in t.columns}
    return word.lower() in names


def _lock_down(db: sqlite3.Connection) -> _Marks:
    # The first use of JSON functions or of a virtual table prepares it in ways the authorizer would refuse.
    db.execute("SELECT count(*) FROM json_each('[1]')").fetchone()
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL%'").fetchall():
        with contextlib.suppress(sqlite3.Error):  # its module may be missing; that is told when it is asked
            db.execute(f"SELECT * FROM {quote(name)} LIMIT 1").fetchone()
    marks = _Marks()
    db.text_factory = marks.decode
    db.set_authorizer(_authorize)
    return marks


class _Marks:
    """Decodes text and remembers whether any of it was not UTF-8."""

    def __init__(self) -> None:
        self._count = 0

    def decode(self, raw: bytes) -> str:
        try:
            return raw.decode()
        except UnicodeDecodeError:
            self._count += 1
            return raw.decode("utf-8", "replace")

    def __call__(self) -> tuple[str, ...]:
        return (f"{self._count} texts are not UTF-8; what can't be read is shown as \ufffd.",) if self._count else ()


def _authorize(action: int, first: str | None, second: str | None, *_: object) -> int:
    if action == sqlite3.SQLITE_PRAGMA and (first, second) == ("data_version", None):
        return sqlite3.SQLITE_OK  # what full-text search asks of itself
    if action not in ALLOWED:
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in DENIED_FUNCTIONS:
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK
