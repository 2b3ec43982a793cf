"""SQLite databases, opened so that nothing a query says can change them or leave them."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.errors import QueryFailed, QueryRejected, QueryTimedOut, SourceUnavailable
from core.results import Match, NativeQuery, Returned, Rows, SourceCard
from core.settings import Settings
from core.sources.base import Limits, SqlSchema
from core.sources.guards.sql import DENIED_FUNCTIONS, check_sql, lint_sql
from core.sources.limiter import Limiter
from core.sources.sqlite_schema import quote, read_schema, read_values
from core.sources.values import ValueIndex

HEADER = b"SQLite format 3\x00"
ALLOWED = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE})
STEPS = 2_000
"""Virtual machine steps between two looks at the clock."""
BUSY_SECONDS = 1.0
INTROSPECTION_SECONDS = 30.0


class SqliteSource:
    """One SQLite file, read-only; a connection of its own for each run, so any thread may use it.

    Dates and decimals come back as SQLite stores them (text or number); text that is not UTF-8 comes
    back with replacement marks and a note.
    """

    def __init__(self, card: SourceCard, location: Path | str, settings: Settings, limits: Limits) -> None:
        self._card = card
        self._path = Path(location)
        self._settings = settings
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
        """Open the file and read its table of contents."""
        with self._open() as db:
            try:
                db.execute("SELECT count(*) FROM sqlite_master").fetchone()
            except sqlite3.Error as error:
                raise SourceUnavailable(_damaged(self._path, str(error))) from error

    def describe(self) -> SqlSchema:
        """Tables and views with samples; read again when the file changes."""
        with self._lock:
            stamp = self._stamp()
            if self._known is None or self._known[0] != stamp:
                self.check()
                with self._open() as db:
                    _deadline(db, time.monotonic() + INTROSPECTION_SECONDS)
                    self._known = (stamp, read_schema(db))
            return self._known[1]

    def probe(self, terms: Sequence[str]) -> list[Match]:
        """Stored texts that match; `place` is table and column."""
        return self._index().probe(terms)

    def run(self, query: NativeQuery, limits: Limits | None = None) -> Returned:
        """Run one SELECT."""
        limits = limits or self._limits
        verdict = check_sql(query.text, "sqlite", engine_is_safe=True)
        started = time.monotonic()
        limiter = Limiter(limits)
        with self._open() as db:
            marks = _lock_down(db, limits, started + limits.seconds)
            try:
                cursor = db.execute(query.text)
                columns = tuple(d[0] for d in cursor.description or ())
                items = limiter.take(iter(cursor))
            except (sqlite3.Error, sqlite3.Warning, OverflowError) as error:
                raise self._translate(error, query.text, limits) from error
        notes = limiter.notes() + ((verdict.note,) if verdict.note else ()) + marks()
        return Returned(query, Rows(columns, items), limiter.truncated, time.monotonic() - started, notes)

    def close(self) -> None:
        """Forget what was read; every run closes its own connection."""
        with self._lock:
            self._known = self._values = None

    def _index(self) -> ValueIndex:
        schema = self.describe()
        with self._lock:
            stamp = self._stamp()
            if self._values is None or self._values[0] != stamp:
                path = self._settings.home / "indexes" / f"{self._card.id}-{stamp}.values.sqlite"
                with self._open() as db:
                    _deadline(db, time.monotonic() + INTROSPECTION_SECONDS)
                    self._values = (stamp, ValueIndex.build(path.absolute(), read_values(db, schema)))
            return self._values[1]

    def _stamp(self) -> str:
        try:
            facts = [self._path.stat()] + [w.stat() for w in [_wal(self._path)] if w.exists()]
        except OSError as error:
            raise SourceUnavailable(_missing(self._path)) from error
        text = "|".join([str(self._path.absolute()), *(f"{f.st_size}:{f.st_mtime_ns}" for f in facts)])
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        uri = self._uri()
        try:
            db = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, check_same_thread=False)
        except sqlite3.Error as error:
            raise SourceUnavailable(f"{self._path} could not be opened: {error}.") from error
        db.text_factory = _decode
        try:
            yield db
        finally:
            db.close()

    def _uri(self) -> str:
        header = _header(self._path)
        uri = self._path.absolute().as_uri()
        if header[18:20] != b"\x02\x02":
            return f"{uri}?mode=ro"
        wal = _wal(self._path)
        if not wal.exists() or wal.stat().st_size == 0:
            # Reading a file in WAL mode creates two files beside it, unless it is said not to change.
            return f"{uri}?mode=ro&immutable=1"
        return f"{self._copy(wal).absolute().as_uri()}?mode=rw"

    def _copy(self, wal: Path) -> Path:
        folder = self._settings.home / "copies" / f"{self._card.id}-{self._stamp()}"
        target = folder / self._path.name
        if not target.exists():
            try:
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                shutil.copy2(wal, _wal(target))
                part = target.with_suffix(".part")
                shutil.copy2(self._path, part)
                part.replace(target)
            except OSError as error:
                raise SourceUnavailable(
                    f"{self._path} has unfinished writes and could not be copied: {error}."
                ) from error
        return target

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
        if "locked" in message or "malformed" in message or "not a database" in message or "disk I/O" in message:
            return SourceUnavailable(_damaged(self._path, message))
        if "syntax error" in message or "unrecognized token" in message or "incomplete input" in message:
            return QueryRejected(f'SQLite can\'t parse it: {message}. Quote names that are SQL words: "order".')
        if "too big" in message or isinstance(error, OverflowError):
            return QueryFailed(f"SQLite stopped it: {message}. A value grew beyond what is allowed.")
        hints = " ".join(lint_sql(text, self.describe()))
        return QueryFailed(f"SQLite reports: {message}.{' ' + hints if hints else ''}")


def _lock_down(db: sqlite3.Connection, limits: Limits, deadline: float) -> _Marks:
    db.execute("PRAGMA trusted_schema=OFF")
    # The first use of JSON functions or of a virtual table prepares it in ways the authorizer would refuse.
    db.execute("SELECT count(*) FROM json_each('[1]')").fetchone()
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL%'").fetchall():
        with contextlib.suppress(sqlite3.Error):  # its module may be missing; that is told when it is asked
            db.execute(f"SELECT * FROM {quote(name)} LIMIT 1").fetchone()
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, max(limits.max_cell_bytes * 10, 10_000_000))
    if hasattr(db, "enable_load_extension"):  # Python may be built without it
        db.enable_load_extension(False)
    marks = _Marks()
    db.text_factory = marks.decode
    db.set_authorizer(_authorize)
    _deadline(db, deadline)
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


def _deadline(db: sqlite3.Connection, deadline: float) -> None:
    db.set_progress_handler(lambda: int(time.monotonic() > deadline), STEPS)


def _decode(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _wal(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def _header(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            header = file.read(100)
    except FileNotFoundError as error:
        raise SourceUnavailable(_missing(path)) from error
    except OSError as error:
        raise SourceUnavailable(f"{path} can't be read: {error.strerror}. Check its permissions.") from error
    if not header:
        raise SourceUnavailable(f"{path} is empty. Build or copy the database again.")
    if not header.startswith(HEADER):
        raise SourceUnavailable(f"{path} is not a SQLite database (or is encrypted). Check the manifest's location.")
    return header


def _missing(path: Path) -> str:
    return f"{path} does not exist. Build it (make sources for the samples), or correct the manifest's location."


def _damaged(path: Path, message: str) -> str:
    if "locked" in message:
        return f"{path} is locked by another program. Close that program, or register a copy of the file."
    return f"{path} is damaged: {message}. Restore it from a copy."
