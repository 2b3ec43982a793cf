"""RDF graphs behind SPARQL over HTTP; the embedded default is an Oxigraph server of our own."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from core.engines.local import LocalServer, ServerState
from core.errors import OmniError, QueryFailed, QueryTimedOut, SourceUnavailable
from core.results import Match, NativeQuery, Returned, SourceCard, Value
from core.settings import Settings
from core.sources.base import Limits, RdfSchema
from core.sources.guards.sparql import check_sparql
from core.sources.kept_schema import kept_schema
from core.sources.limiter import Limiter
from core.sources.rdf_schema import in_english_first, probe_forms, read_prefixes, read_schema, read_values
from core.sources.sparql_hints import found_nothing, tag_hints
from core.sources.sparql_http import Connection, StoppedByEngine, fetch
from core.sources.sparql_names import name_hints
from core.sources.sparql_results import read_payload, read_rows
from core.sources.values import ValueIndex

SUFFIXES = (".ttl", ".nt", ".nq", ".trig", ".rdf", ".xml", ".jsonld", ".n3")
JSON_TYPE, TRIPLES_TYPE = "application/sparql-results+json", "application/n-triples"
VALUES = "values-2.sqlite"
"""Name of the value index; its number counts up when what it holds changes."""
INTERNAL = Limits(seconds=15.0, max_items=2_000_000, max_bytes=600_000_000)


class RdfSource:
    """RDF files in a local, read-only Oxigraph; SELECT gives rows of terms, CONSTRUCT triples, ASK a truth."""

    def __init__(self, card: SourceCard, location: Path | str, settings: Settings, limits: Limits) -> None:
        self._card = card
        self._location = Path(location)
        self._settings = settings
        self._limits = limits
        self._lock = threading.RLock()
        self._server: LocalServer | None = None
        self._schema: RdfSchema | None = None
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
        self._answer("ASK { ?s ?p ?o }", JSON_TYPE, self._limits)

    def describe(self) -> RdfSchema:
        """Classes and predicates with labels, domains and ranges."""
        with self._lock:
            self._running()
            if self._schema is None:
                files = self._files()
                self._schema = kept_schema(
                    self._index("schema"), RdfSchema, lambda: read_schema(self._rows, read_prefixes(files))
                )
            return self._schema

    def probe(self, terms: Sequence[str]) -> list[Match]:
        """Entities (`value` is an `Iri`) and literals whose text matches."""
        schema = self.describe()
        with self._lock:
            if self._values is None:
                self._values = ValueIndex.build(self._index(VALUES), read_values(self._rows, schema))
        return in_english_first(probe_forms(self._values.probe, terms), self._rows, schema.label_predicate)

    def run(self, query: NativeQuery, limits: Limits | None = None) -> Returned:
        """Run one SELECT, ASK, CONSTRUCT or DESCRIBE; missing prefixes of this source are added and noted."""
        limits = limits or self._limits
        schema = self.describe()
        verdict = check_sparql(query.text, schema.prefixes, schema.label_predicate)
        started = time.monotonic()
        kind = JSON_TYPE if verdict.form in ("SELECT", "ASK") else TRIPLES_TYPE
        body, complete = self._answer(verdict.text, kind, limits)
        limiter = Limiter(limits)
        payload = read_payload(verdict.form, body, complete, limiter)
        elapsed = time.monotonic() - started
        added = (f"PREFIX {', '.join(p + ':' for p in verdict.added)} added.",) if verdict.added else ()
        if verdict.labelled:
            read = ", ".join(verdict.labelled)
            added = (*added, f"Wikidata's label service is not here: {read} are read from the graph's own labels.")
        if verdict.unwrapped:
            added = (
                *added,
                f"{', '.join(verdict.unwrapped)}: the angle brackets were taken off, a prefix stands there.",
            )
        hints = self._hints(verdict.text, schema) if found_nothing(payload) else ()
        notes = (*added, *limiter.notes(), *hints)
        cut = limiter.truncated or not complete
        return Returned(replace(query, text=verdict.text), payload, cut, elapsed, notes, doubtful=bool(hints))

    def _hints(self, text: str, schema: RdfSchema) -> tuple[str, ...]:
        """What in a query may be why it found nothing."""
        found: list[str] = []
        try:
            found += tag_hints(text, schema, self._rows)
            found += name_hints(text, schema, self._rows, self.probe)
        except OmniError:
            pass  # a result is never lost for want of a remark
        return tuple(dict.fromkeys(found))

    def close(self) -> None:
        """End the lease on the server; it is taken again when needed."""
        with self._lock:
            if self._server:
                self._server.release()
                self._server = None

    def _index(self, name: str) -> Path:
        from core.engines.oxigraph import fingerprint

        return self._settings.state("indexes") / f"{self._card.id}-{fingerprint(self._files())}.{name}"

    def _files(self) -> list[Path]:
        found = [self._location]
        if self._location.is_dir():
            found = sorted(p for p in self._location.iterdir() if p.name.removesuffix(".gz").endswith(SUFFIXES))
            if not found:
                raise SourceUnavailable(
                    f"{self._location} holds no RDF file ({', '.join(SUFFIXES)}, or those with .gz)."
                )
        for path in found:
            if not path.is_file():
                raise SourceUnavailable(f"{path} does not exist. Build it, or correct the manifest's location.")
            if path.stat().st_size == 0:
                raise SourceUnavailable(f"{path} is empty. Build or copy it again.")
        return found

    def _running(self) -> LocalServer:
        with self._lock:
            if self._server is None:
                from core.engines import oxigraph

                self._server = oxigraph.serve(self._card.id, self._files(), self._settings, self._engine_seconds())
            return self._server

    def _answer(self, text: str, kind: str, limits: Limits) -> tuple[bytes, bool]:
        """The reply and whether it is whole; a server that went away under it is asked once more."""
        server = self._running()
        last = False
        while True:
            state = server.state()
            try:
                return self._fetch(state, text, kind, limits)
            except TimeoutError as error:
                if not isinstance(error, StoppedByEngine):
                    server.restart(state.generation)
                raise QueryTimedOut(
                    f"Stopped after {limits.seconds:g} s. Ask for less (a filter, a LIMIT), or raise the limit."
                ) from error
            except Connection as error:
                if last:
                    raise QueryFailed(
                        f"The engine ended while it ran this query ({error}). "
                        "It may need more memory than OMNI_HEAP_MB allows; ask for less."
                    ) from error
            last = True

    def _fetch(self, state: ServerState, text: str, kind: str, limits: Limits) -> tuple[bytes, bool]:
        started = time.monotonic()
        body, complete = fetch(f"http://127.0.0.1:{state.info['port']}/query", text, kind, limits)
        # The engine's own timeout in the middle of an answer looks like the end of the answer.
        whole_json = kind == JSON_TYPE and body.rstrip().endswith(b"}")
        if complete and not whole_json and time.monotonic() - started >= self._engine_seconds():
            raise StoppedByEngine
        return body, complete

    def _engine_seconds(self) -> float:
        return float(math.ceil(max(self._limits.seconds, INTERNAL.seconds)))

    def _rows(self, text: str) -> Iterable[tuple[Value, ...]]:
        return read_rows(self._answer(text, JSON_TYPE, INTERNAL)[0])
