"""Property graphs behind Bolt, through the neo4j driver; the embedded default is a local ArcadeDB."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from core.engines.local import ServerState
from core.errors import QueryFailed, QueryRejected, QueryTimedOut, SourceUnavailable
from core.results import (
    Duration,
    Match,
    NativeQuery,
    Node,
    Paths,
    Payload,
    Point,
    Rel,
    Returned,
    Rows,
    SourceCard,
    Value,
)
from core.results import (
    Path as GraphPath,
)
from core.settings import Settings
from core.sources.base import GraphSchema, Limits
from core.sources.graph_hints import quoting_hint, type_hints, unjoined, value_hints
from core.sources.graph_schema import read_schema, read_values
from core.sources.guards.cypher import check_cypher, lint_cypher, wrong_directions
from core.sources.kept_schema import kept_schema
from core.sources.limiter import Limiter
from core.sources.values import ValueIndex

T = TypeVar("T")

NOTICE_SECONDS = 3.0
"""How long a server that broke off a query may take to be found dead, or to answer again."""
CONNECT_SECONDS = 5.0
MARGIN_SECONDS = 0.5
INTERNAL = Limits(seconds=60.0, max_items=2_000_000, max_bytes=600_000_000)


class GraphSource:
    """A folder of nodes.jsonl and rels.jsonl in a local ArcadeDB, asked in Cypher as a read-only user."""

    def __init__(self, card: SourceCard, location: Path | str, settings: Settings, limits: Limits) -> None:
        self._card = card
        self._location = Path(location)
        self._settings = settings
        self._limits = limits
        self._lock = threading.RLock()
        self._database = ""
        self._driver: tuple[int, Any] | None = None
        self._schema: GraphSchema | None = None
        self._values: ValueIndex | None = None

    @property
    def card(self) -> SourceCard:
        """What the manifest says of this source."""
        return self._card

    @property
    def limits(self) -> Limits:
        """The limits of this source."""
        return self._limits

    def check(self) -> None:
        """Load the files if need be, start the server and ask it something."""
        self._ask("MATCH (n) RETURN n LIMIT 1", self._limits)

    def describe(self) -> GraphSchema:
        """Labels, relationship types, properties and edges."""
        with self._lock:
            self._loaded()
            if self._schema is None:
                self._schema = kept_schema(self._index("schema"), GraphSchema, lambda: read_schema(self._rows))
            return self._schema

    def probe(self, terms: Sequence[str]) -> list[Match]:
        """Stored texts that match; `place` is label or type and property."""
        schema = self.describe()
        with self._lock:
            if self._values is None:
                self._values = ValueIndex.build(self._index("values.sqlite"), read_values(self._rows, schema))
        return self._values.probe(terms)

    def run(self, query: NativeQuery, limits: Limits | None = None) -> Returned:
        """Run one reading query; names the graph does not have are noted beside the result."""
        limits = limits or self._limits
        tokens = check_cypher(query.text)
        started = time.monotonic()
        try:
            columns, rows, truncated, cut = self._ask(query.text, limits)
        except (QueryRejected, QueryFailed) as error:
            if hint := quoting_hint(query.text, self.describe()):
                raise type(error)(f"{error.message} {hint}") from error
            raise
        elapsed = time.monotonic() - started
        schema = self.describe()
        hints = [*lint_cypher(tokens, schema), *wrong_directions(query.text, schema), *type_hints(tokens, schema)]
        # A count of nothing is as empty as no row.
        empty = not rows or (len(rows) == 1 and not any(rows[0]))
        if empty:
            hints += value_hints(tokens, schema, self.probe)
        apart = unjoined(tokens)
        notes = (*cut, *hints, *([apart] if apart else ()))
        return Returned(query, _payload(columns, rows), truncated, elapsed, notes, doubtful=empty and bool(hints))

    def close(self) -> None:
        """Close the driver; it is opened again when needed."""
        with self._lock:
            if self._driver:
                self._driver[1].close()
                self._driver = None
                from core.engines.arcadedb import leave

                leave(self._settings, self)

    def _index(self, name: str) -> Path:
        return self._settings.state("indexes") / f"{self._loaded()}.{name}"

    def _loaded(self) -> str:
        with self._lock:
            if not self._database:
                from core.engines.arcadedb import ensure_loaded

                self._database = ensure_loaded(self._card.id, self._location, self._settings)
            return self._database

    def _session(self) -> tuple[ServerState, Any]:
        """The server's state and a driver to it, made anew when the server was restarted."""
        import neo4j

        from core.engines.arcadedb import use

        self._loaded()
        state = use(self._settings, self).state()
        with self._lock:
            if self._driver is None or self._driver[0] != state.generation:
                if self._driver:
                    self._driver[1].close()
                driver = neo4j.GraphDatabase.driver(
                    state.info["bolt"],
                    auth=tuple(state.info["reader"]),
                    connection_timeout=CONNECT_SECONDS,
                    connection_acquisition_timeout=CONNECT_SECONDS,
                    max_transaction_retry_time=0.0,
                    notifications_min_severity="OFF",
                )
                self._driver = (state.generation, driver)
            return state, self._driver[1]

    def _ask(
        self, text: str, limits: Limits
    ) -> tuple[tuple[str, ...], Sequence[tuple[Value, ...]], bool, tuple[str, ...]]:
        """Columns, rows, whether there were more, and notes; asked once more if the server went away under it."""
        from neo4j.exceptions import DriverError, Neo4jError

        from core.engines.arcadedb import is_gone, server

        last = False
        while True:
            state, driver = self._session()
            try:
                return within(limits.seconds + MARGIN_SECONDS, partial(self._read, driver, text, limits))
            except TimeoutError as error:
                server(self._settings).restart(state.generation)
                raise QueryTimedOut(_stopped(limits)) from error
            except (Neo4jError, DriverError, ConnectionError) as error:
                if last or not (is_gone(error) or _has_no_database(error)):
                    raise _translate(error, limits) from error
                if is_gone(error):
                    self._wait_for_server(state, driver)
                else:
                    self._forget_database()
            last = True

    def _wait_for_server(self, gone: ServerState, driver: Any) -> None:
        """Until the server is another one, or the same one answers; a dead one that nobody has noticed is restarted."""
        from neo4j.exceptions import DriverError, Neo4jError

        from core.engines.arcadedb import server

        deadline = time.monotonic() + NOTICE_SECONDS
        while time.monotonic() < deadline:
            if server(self._settings).state().generation != gone.generation:
                return
            try:
                driver.verify_connectivity()
            except (Neo4jError, DriverError, OSError):
                time.sleep(0.1)
            else:
                return
        server(self._settings).restart(gone.generation)

    def _forget_database(self) -> None:
        """Another process has dropped the database, since it knows a later version of the files."""
        from core.engines.arcadedb import forget

        with self._lock:
            forget(self._settings, self._database)
            self._database = ""

    def _read(
        self, driver: Any, text: str, limits: Limits
    ) -> tuple[tuple[str, ...], Sequence[tuple[Value, ...]], bool, tuple[str, ...]]:
        import neo4j

        limiter = Limiter(limits)
        with driver.session(
            database=self._database, default_access_mode=neo4j.READ_ACCESS, fetch_size=min(1000, limits.max_items + 1)
        ) as session:
            result = session.run(neo4j.Query(text, timeout=limits.seconds))
            columns = tuple(result.keys())
            rows = limiter.take(tuple(native(v) for v in record.values()) for record in result)
        return columns, rows, limiter.truncated, limiter.notes()

    def _rows(self, text: str) -> Sequence[tuple[Value, ...]]:
        return self._ask(text, INTERNAL)[1]


def within(seconds: float, work: Callable[[], T]) -> T:
    """The result of `work`, which runs in a thread of its own.

    Raises:
        TimeoutError: It took longer than `seconds`; its thread is left behind as a daemon.
    """
    done: queue.Queue[tuple[bool, Any]] = queue.Queue()

    def run() -> None:
        try:
            done.put((True, work()))
        except BaseException as error:  # noqa: BLE001 - carried to the caller's thread
            done.put((False, error))

    threading.Thread(target=run, daemon=True).start()
    try:
        finished, outcome = done.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError from None
    if not finished:
        raise outcome
    result: T = outcome
    return result


def native(value: Any) -> Value:
    """A driver's value as one of ours; labels, types, properties, direction and ids are kept."""
    from neo4j import graph, spatial
    from neo4j import time as neo_time

    match value:
        case graph.Node():
            return Node(value.element_id, tuple(sorted(value.labels)), {k: native(v) for k, v in value.items()})
        case graph.Relationship():
            ends = value.start_node, value.end_node
            start, end = (n.element_id if n is not None else "" for n in ends)
            return Rel(value.element_id, value.type, start, end, {k: native(v) for k, v in value.items()})
        case graph.Path():
            return GraphPath(tuple(native(n) for n in value.nodes), tuple(native(r) for r in value.relationships))  # type: ignore[misc]
        case spatial.Point():
            return Point(tuple(value), value.srid or 0)
        case neo_time.Duration():
            return Duration(value.months, value.days, value.seconds, value.nanoseconds)
        case neo_time.DateTime() | neo_time.Date() | neo_time.Time():
            try:
                return value.to_native()
            except ValueError:  # a year that Python has no date for
                return value.iso_format()
        case list() | tuple():
            return tuple(native(item) for item in value)
        case dict():
            return {key: native(item) for key, item in value.items()}
    return value  # type: ignore[no-any-return]


def _payload(columns: tuple[str, ...], rows: Iterable[tuple[Value, ...]]) -> Payload:
    rows = tuple(rows)
    if rows and all(isinstance(cell, GraphPath | Rel) for row in rows for cell in row):
        return Paths(columns, rows)  # type: ignore[arg-type]
    return Rows(columns, rows)


def _translate(error: Exception, limits: Limits) -> Exception:
    from core.engines.arcadedb import is_gone

    message = " ".join(str(getattr(error, "message", "") or error).split())[:400]
    low = message.lower()
    if is_gone(error):
        return QueryFailed(
            f"The engine ended while it ran this query ({message}). "
            "It may need more memory than OMNI_HEAP_MB allows; ask for less."
        )
    if "timeout" in low or "timed out" in low:
        return QueryTimedOut(_stopped(limits))
    code = str(getattr(error, "code", ""))
    if "Security" in code or "not allowed" in low:
        return QueryRejected(f"The engine refused it: {message}. Sources are read-only.", "reads only")
    if "SyntaxError" in code or "parsing" in low or "mismatched input" in low or "extraneous input" in low:
        return QueryRejected(f"The engine can't parse it: {message}")
    if _has_no_database(error):
        return SourceUnavailable(f"The graph's database is gone: {message}. Start again to load it anew.")
    return QueryFailed(f"The engine reports: {message}")


def _has_no_database(error: Exception) -> bool:
    return "DatabaseNotFound" in str(getattr(error, "code", ""))


def _stopped(limits: Limits) -> str:
    return f"Stopped after {limits.seconds:g} s. Ask for less (a filter, a LIMIT), or raise the limit."
