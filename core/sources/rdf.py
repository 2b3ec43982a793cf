"""RDF graphs behind SPARQL over HTTP; the embedded default is an Oxigraph server of our own."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from core.engines.local import LocalServer, ServerState
from core.errors import QueryFailed, QueryRejected, QueryTimedOut, SourceUnavailable
from core.results import (
    Bnode,
    Iri,
    Literal,
    Match,
    NativeQuery,
    Payload,
    Returned,
    Rows,
    SourceCard,
    Term,
    Triples,
    Truth,
    Value,
)
from core.settings import Settings
from core.sources.base import Limits, RdfSchema
from core.sources.guards.sparql import SparqlVerdict, check_sparql
from core.sources.limiter import Limiter
from core.sources.rdf_schema import read_prefixes, read_schema, read_values
from core.sources.values import ValueIndex

SUFFIXES = (".ttl", ".nt", ".nq", ".trig", ".rdf", ".xml", ".jsonld", ".n3")
JSON_TYPE, TRIPLES_TYPE = "application/sparql-results+json", "application/n-triples"
CHUNK = 1 << 16
INTERNAL = Limits(seconds=15.0, max_items=2_000_000, max_bytes=600_000_000)
MARGIN_SECONDS = 0.5
"""What the engine's own timeout gets before this program stops it."""
TRIPLE = re.compile(
    r"(?P<s><[^>]*>|_:\S+) (?P<p><[^>]*>) "
    r"(?:(?P<o><[^>]*>|_:\S+)|\"(?P<text>(?:\\.|[^\"\\])*)\"(?:@(?P<lang>[\w-]+)|\^\^<(?P<type>[^>]*)>)?) ?\.$"
)


class Connection(Exception):
    """The server went away before the answer was whole."""


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
                self._schema = read_schema(self._rows, read_prefixes(self._files()))
            return self._schema

    def probe(self, terms: Sequence[str]) -> list[Match]:
        """Entities (`value` is an `Iri`) and literals whose text matches."""
        schema = self.describe()
        with self._lock:
            if self._values is None:
                from core.engines.oxigraph import fingerprint

                name = f"{self._card.id}-{fingerprint(self._files())}.values.sqlite"
                path = self._settings.home.absolute() / "indexes" / name
                self._values = ValueIndex.build(path, read_values(self._rows, schema))
        return self._values.probe(terms)

    def run(self, query: NativeQuery, limits: Limits | None = None) -> Returned:
        """Run one SELECT, ASK, CONSTRUCT or DESCRIBE; missing prefixes of this source are added and noted."""
        limits = limits or self._limits
        verdict = check_sparql(query.text, self.describe().prefixes)
        started = time.monotonic()
        kind = JSON_TYPE if verdict.form in ("SELECT", "ASK") else TRIPLES_TYPE
        body, complete = self._answer(verdict.text, kind, limits)
        limiter = Limiter(limits)
        payload = _payload(verdict, body, complete, limiter)
        notes = limiter.notes()
        if verdict.added:
            notes = (f"PREFIX {', '.join(p + ':' for p in verdict.added)} added.", *notes)
        ran = replace(query, text=verdict.text)
        return Returned(ran, payload, limiter.truncated or not complete, time.monotonic() - started, notes)

    def close(self) -> None:
        """End the lease on the server; it is taken again when needed."""
        with self._lock:
            if self._server:
                self._server.release()
                self._server = None

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

                seconds = max(self._limits.seconds, INTERNAL.seconds)
                self._server = oxigraph.serve(self._card.id, self._files(), self._settings, seconds)
            return self._server

    def _answer(self, text: str, kind: str, limits: Limits) -> tuple[bytes, bool]:
        """The reply and whether it is whole; a server that went away under it is asked once more."""
        server = self._running()
        state = server.state()
        try:
            return self._fetch(state, text, kind, limits)
        except TimeoutError as error:
            server.restart(state.generation)
            raise QueryTimedOut(
                f"Stopped after {limits.seconds:g} s. Ask for less (a filter, a LIMIT), or raise the limit."
            ) from error
        except Connection:
            pass
        again = server.state()
        try:
            return self._fetch(again, text, kind, limits)
        except TimeoutError as error:
            server.restart(again.generation)
            raise QueryTimedOut(f"Stopped after {limits.seconds:g} s. Ask for less, or raise the limit.") from error
        except Connection as error:
            raise QueryFailed(
                f"The engine ended while it ran this query ({error}). "
                "It may need more memory than OMNI_HEAP_MB allows; ask for less."
            ) from error

    def _fetch(self, state: ServerState, text: str, kind: str, limits: Limits) -> tuple[bytes, bool]:
        from SPARQLWrapper import POST, SPARQLWrapper

        deadline = time.monotonic() + limits.seconds
        client = SPARQLWrapper(f"http://127.0.0.1:{state.info['port']}/query", agent="OmniRetrieval-Explorer/0.1")
        client.setQuery(text)
        client.setMethod(POST)
        client.setOnlyConneg(True)
        client.addCustomHttpHeader("Accept", kind)
        client.setTimeout(max(1, round(limits.seconds + MARGIN_SECONDS)))
        request = client._createRequest()
        request.remove_header("Accept")
        request.add_header("Accept", kind)
        try:
            with contextlib.closing(open_request(request, limits.seconds + MARGIN_SECONDS)) as reply:
                return read_bounded(reply, limits.max_bytes, deadline + MARGIN_SECONDS)
        except urllib.error.HTTPError as error:
            raise _http_error(error) from error
        except TimeoutError:
            raise
        except urllib.error.URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise TimeoutError from error
            raise Connection(str(error.reason)) from error
        except (http.client.HTTPException, OSError) as error:
            raise Connection(str(error) or type(error).__name__) from error

    def _rows(self, text: str) -> Iterable[tuple[Value, ...]]:
        body, _ = self._answer(text, JSON_TYPE, INTERNAL)
        parsed = _json(body)
        return list(_bindings(parsed["head"]["vars"], parsed["results"]["bindings"]))


class _StaysHere(urllib.request.HTTPRedirectHandler):
    """Follows a redirect to the same host only."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
        if urlsplit(newurl).netloc != urlsplit(req.full_url).netloc:
            raise urllib.error.URLError(
                f"redirected to another host, {urlsplit(newurl).hostname}, which is not followed"
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def open_request(request: urllib.request.Request, seconds: float) -> Any:
    """Open an http or https request, following no redirect to another host.

    Raises:
        SourceUnavailable: The address has another scheme.
    """
    if urlsplit(request.full_url).scheme not in ("http", "https"):
        raise SourceUnavailable(f"{request.full_url} is not an http or https address.")
    return urllib.request.build_opener(_StaysHere).open(request, timeout=seconds)


def read_bounded(reply: Any, most: int, deadline: float) -> tuple[bytes, bool]:
    """Read at most `most` bytes before `deadline`; False when there were more.

    Raises:
        TimeoutError: The deadline passed, however slowly the bytes drip.
    """
    parts: list[bytes] = []
    size = 0
    while True:
        if time.monotonic() > deadline:
            raise TimeoutError
        part = reply.read1(CHUNK) if hasattr(reply, "read1") else reply.read(CHUNK)
        if not part:
            length = reply.headers.get("Content-Length")
            if length and size < int(length):
                raise http.client.IncompleteRead(b"", int(length) - size)
            return b"".join(parts), True
        parts.append(part)
        size += len(part)
        if size > most:
            return b"".join(parts), False


def _http_error(error: urllib.error.HTTPError) -> Exception:
    said = " ".join(error.read(2_000).decode("utf-8", "replace").split())[:300]
    if "timeout" in said.lower() or error.code == 504:
        return TimeoutError()
    if "variable that is unbound" in said:
        return QueryRejected(
            "A variable in SELECT is neither grouped nor aggregated. Put it into GROUP BY, or into SAMPLE(...)."
        )
    if error.code == 400:
        return QueryRejected(f"The engine can't parse it: {said}")
    return QueryFailed(f"The engine reports (HTTP {error.code}): {said}")


def _payload(verdict: SparqlVerdict, body: bytes, complete: bool, limiter: Limiter) -> Payload:
    if verdict.form == "ASK":
        return Truth(bool(_json(body)["boolean"]))
    if verdict.form == "SELECT":
        if complete:
            parsed = _json(body)
            names, found = parsed["head"]["vars"], parsed["results"]["bindings"]
        else:
            names, found = _cut_json(body)
        return Rows(tuple(names), limiter.take(_bindings(names, found)))
    lines = body.decode("utf-8", "replace").splitlines()
    triples = limiter.take(_triples(lines if complete else lines[:-1]))
    return Triples(triples)  # type: ignore[arg-type]


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError as error:
        raise QueryFailed("The engine's answer was cut off while it ran. Ask for less, or run it again.") from error


def _cut_json(body: bytes) -> tuple[list[str], Iterator[dict[str, Any]]]:
    """Variables and whole bindings of an answer of which only the first part was read."""
    text = body.decode("utf-8", "ignore")
    head = re.search(r'"vars"\s*:\s*(\[[^\]]*\])', text)
    start = re.search(r'"bindings"\s*:\s*\[', text)
    if not head or not start:
        raise QueryFailed("The answer is too large to be read within the limits. Ask for less.")

    def whole() -> Iterator[dict[str, Any]]:
        decoder, position = json.JSONDecoder(), start.end()
        while True:
            while position < len(text) and text[position] in ", \n\r\t":
                position += 1
            try:
                binding, position = decoder.raw_decode(text, position)
            except ValueError:
                return
            yield binding

    return json.loads(head[1]), whole()


def _bindings(names: Sequence[str], found: Iterable[dict[str, Any]]) -> Iterator[tuple[Value, ...]]:
    for binding in found:
        yield tuple(_term(binding[name]) if name in binding else None for name in names)


def _term(cell: dict[str, Any]) -> Term:
    if cell["type"] == "uri":
        return Iri(cell["value"])
    if cell["type"] == "bnode":
        return Bnode(cell["value"])
    return Literal(cell["value"], cell.get("xml:lang"), cell.get("datatype"))


def _triples(lines: Iterable[str]) -> Iterator[tuple[Term, Term, Term]]:
    for line in lines:
        match = TRIPLE.match(line.strip())
        if not match:
            continue
        if match["o"] is not None:
            value: Term = _resource(match["o"])
        else:
            value = Literal(_unescape(match["text"]), match["lang"], match["type"])
        yield _resource(match["s"]), _resource(match["p"]), value


def _resource(text: str) -> Term:
    return Bnode(text[2:]) if text.startswith("_:") else Iri(_unescape(text[1:-1]))


ESCAPES = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", '"': '"', "'": "'", "\\": "\\"}


def _unescape(text: str) -> str:
    return re.sub(
        r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))",
        lambda m: chr(int(m[1] or m[2], 16)) if m[1] or m[2] else ESCAPES.get(m[3], m[3]),
        text,
    )
