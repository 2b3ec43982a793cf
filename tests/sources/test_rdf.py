"""The RDF source on a real Oxigraph: what it reads, what it keeps, and how it is stopped."""

from __future__ import annotations

import gzip
import http.server
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.errors import QueryFailed, QueryRejected, QueryTimedOut, SourceUnavailable
from core.results import Iri, Kind, Literal, NativeQuery, Origin, Rows, Triples
from core.settings import Settings
from core.sources.base import Limits
from core.sources.catalog import Catalog
from core.sources.rdf import RdfSource
from core.sources.sparql_http import fetch, open_request
from tests.sources.conftest import Engine, card

EX = "http://example.org/"


def source(location: Path, home: Path, heap_mb: int = 512) -> RdfSource:
    return RdfSource(card("small", "oxigraph"), location, Settings(home=home, heap_mb=heap_mb), Limits())


def ask(rdf: RdfSource, text: str, limits: Limits | None = None) -> tuple[object, ...]:
    return rdf.run(NativeQuery("small", rdf.card.language, text, Origin.GIVEN), limits).payload.items


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[..., RdfSource]]:
    """Opens sources over texts; all are closed at the end."""
    made: list[RdfSource] = []

    def open_text(text: str, name: str = "small.ttl", heap_mb: int = 512) -> RdfSource:
        path = tmp_path / name
        path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
        made.append(source(path, tmp_path / "home", heap_mb))
        return made[-1]

    yield open_text
    for rdf in made:
        rdf.close()


# --- files -------------------------------------------------------------------------------------

FILES = [
    ("Turtle", "small.ttl", f"@prefix ex: <{EX}> . ex:a ex:b ex:c ."),
    ("N-Triples", "small.nt", f"<{EX}a> <{EX}b> <{EX}c> ."),
    ("gzipped N-Triples", "small.nt.gz", f"<{EX}a> <{EX}b> <{EX}c> ."),
    ("quads of a named graph", "small.nq", f"<{EX}a> <{EX}b> <{EX}c> <{EX}g> ."),
    ("a named graph in TriG", "small.trig", f"<{EX}g> {{ <{EX}a> <{EX}b> <{EX}c> }}"),
    (
        "RDF/XML",
        "small.rdf",
        f'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:ex="{EX}">'
        f'<rdf:Description rdf:about="{EX}a"><ex:b rdf:resource="{EX}c"/></rdf:Description></rdf:RDF>',
    ),
]


@pytest.mark.parametrize(("name", "text"), [c[1:] for c in FILES], ids=[c[0] for c in FILES])
def test_each_form_of_file_is_read(opened: Callable[..., RdfSource], name: str, text: str) -> None:
    assert ask(opened(text, name), "SELECT ?s ?p ?o { ?s ?p ?o }") == ((Iri(EX + "a"), Iri(EX + "b"), Iri(EX + "c")),)


def test_a_folder_is_read_as_one_graph(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    (folder / "one.ttl").write_text(f"@prefix ex: <{EX}> . ex:a ex:b ex:c .")
    (folder / "two.nt").write_text(f"<{EX}c> <{EX}b> <{EX}d> .")
    (folder / "README.md").write_text("not RDF")
    rdf = source(folder, tmp_path / "home")
    assert ask(rdf, "SELECT ?o { ex:a ex:b/ex:b ?o }") == ((Iri(EX + "d"),),)
    rdf.close()


def test_a_folder_without_rdf_says_so(tmp_path: Path) -> None:
    with pytest.raises(SourceUnavailable, match="holds no RDF file"):
        source(tmp_path, tmp_path / "home").check()


# --- terms -------------------------------------------------------------------------------------


def test_odd_characters_survive_in_triples(opened: Callable[..., RdfSource]) -> None:
    text = 'a\u2028b\u0085c \\ " \n \t é 😀'
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    rdf = opened(f'<{EX}a> <{EX}b> "{escaped}"@en-GB .', "small.nt")
    (triple,) = ask(rdf, "CONSTRUCT WHERE { ?s ?p ?o }")
    ((cell,),) = ask(rdf, "SELECT ?o { ?s ?p ?o }")  # type: ignore[misc]
    assert isinstance(triple, tuple)
    assert triple[2] == cell and isinstance(cell, Literal)
    assert (cell.value, (cell.lang or "").lower()) == (text, "en-gb")


TAGS = [
    ("plain where all are tagged", 'SELECT ?s { ?s rdfs:label "Récif" }', '"Récif"@fr'),
    ("another tag", 'ASK { ?s rdfs:label "Ran"@fr }', '"Ran"@en'),
]


@pytest.mark.parametrize(("text", "says"), [c[1:] for c in TAGS], ids=[c[0] for c in TAGS])
def test_a_text_under_another_tag_is_hinted_at(engines: dict[Kind, Engine], text: str, says: str) -> None:
    rdf = engines[Kind.RDF]
    assert any(says in note for note in rdf.source.run(rdf.query(text)).notes)


def test_a_text_that_is_nowhere_gets_no_hint(engines: dict[Kind, Engine]) -> None:
    rdf = engines[Kind.RDF]
    returned = rdf.source.run(rdf.query('SELECT ?s { ?s rdfs:label "nowhere" }'))
    assert returned.notes == ("PREFIX rdfs: added.",) and not returned.doubtful


# --- what it says of itself --------------------------------------------------------------------

WIKIDATA = """
<http://www.wikidata.org/entity/Q64> <http://www.w3.org/2000/01/rdf-schema#label> "Berlin"@en .
<http://www.wikidata.org/entity/Q64> <http://schema.org/description> "capital of Germany"@en .
<http://www.wikidata.org/entity/Q64> <http://www.wikidata.org/prop/direct/P31> <http://www.wikidata.org/entity/Q515> .
<http://www.wikidata.org/entity/Q515> <http://www.w3.org/2000/01/rdf-schema#label> "city"@en .
<http://www.wikidata.org/entity/P31> <http://www.w3.org/2000/01/rdf-schema#label> "instance of"@en .
"""


STATEMENTS = """
@prefix e: <http://x/item/> . @prefix d: <http://x/direct/> . @prefix c: <http://x/claim/> . @prefix v: <http://x/value/> .
@prefix q: <http://x/qualifier/> . @prefix w: <http://wikiba.se/ontology#> . @prefix schema: <http://schema.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
e:P1 a w:Property ; rdfs:label "instance of"@en, "ist ein"@de ; w:directClaim d:P1 ; w:claim c:P1 ; w:statementProperty v:P1 .
e:P2 a w:Property ; rdfs:label "Amt"@de, "position held"@en ; w:directClaim d:P2 ; w:claim c:P2 ; w:statementProperty v:P2 .
e:P3 a w:Property ; rdfs:label "start time"@en ; w:qualifier q:P3 .
e:Q1 rdfs:label "Mayor of Titan"@en ; skos:altLabel "Titan mayor"@en .
e:Q2 rdfs:label "Ada"@en ; schema:description "first mayor"@en ; d:P1 e:Q5 ; c:P1 e:s1 ; d:P2 e:Q1 ; c:P2 e:s2 .
e:s1 v:P1 e:Q5 . e:s2 v:P2 e:Q1 ; q:P3 "1990" .
e:Q5 rdfs:label "human"@en . e:Q6 rdfs:label "Titan"@en ; d:P1 e:Q7 . e:Q8 rdfs:label "titanium"@en, "Titan"@de .
e:Q7 rdfs:label "moon"@en .
"""


def test_a_graph_of_statements_is_described_by_its_properties(opened: Callable[..., RdfSource]) -> None:
    schema = opened(STATEMENTS).describe()
    forms = {p.iri.removeprefix("http://x/"): (p.label, p.form) for p in schema.predicates if p.form}
    assert forms["direct/P2"] == ("position held", "direct") and forms["claim/P2"] == ("position held", "claim")
    assert forms["value/P2"] == ("position held", "statement") and forms["qualifier/P3"] == ("start time", "qualifier")
    assert schema.type_predicate == "http://x/direct/P1"
    assert {c.label for c in schema.classes} == {"human", "moon"}
    qualifier = next(p for p in schema.predicates if p.form == "qualifier")
    assert qualifier.description == "qualifies position held"


NAMED = [
    ("an alias", "titan mayor", {"Q1": 1.0}),
    ("a plural", "Mayors of Titan", {"Q1": 0.96}),
    ("a name in English before the same in German", "Titan", {"Q6": 1.0, "Q8": 0.95}),
    ("a property is no entity", "position held", {}),
]


@pytest.mark.parametrize(("term", "wanted"), [c[1:] for c in NAMED], ids=[c[0] for c in NAMED])
def test_what_names_an_entity(opened: Callable[..., RdfSource], term: str, wanted: dict[str, float]) -> None:
    found = [m for m in opened(STATEMENTS).probe([term]) if m.score > 0.93]
    assert {m.value.value.rpartition("/")[2]: m.score for m in found if isinstance(m.value, Iri)} == wanted


def test_wikidata_is_recognised_by_its_properties(opened: Callable[..., RdfSource]) -> None:
    rdf = opened(WIKIDATA, "wikidata.nt")
    schema = rdf.describe()
    direct = next(p for p in schema.predicates if p.iri.endswith("direct/P31"))
    assert (direct.label, schema.type_predicate) == ("instance of", direct.iri)
    assert {"wd", "wdt", "p", "ps", "pq", "rdfs"} <= set(schema.prefixes)
    assert [(c.label, c.count) for c in schema.classes] == [("city", 1)]
    (match,) = [m for m in rdf.probe(["berlin"]) if m.score == 1]
    assert match.value == Iri("http://www.wikidata.org/entity/Q64") and match.description == "capital of Germany"
    assert match.place.owner == "http://www.wikidata.org/entity/Q515"


@pytest.mark.parametrize("naming", ["http://www.w3.org/2004/02/skos/core#prefLabel", "http://schema.org/name"])
def test_the_naming_predicate_is_found(opened: Callable[..., RdfSource], naming: str) -> None:
    rdf = opened(f'<{EX}a> <{naming}> "Reef"@en .\n<{EX}a> <{EX}b> "Reef" .', "named.nt")
    assert rdf.describe().label_predicate == naming
    assert Iri(EX + "a") in {m.value for m in rdf.probe(["reef"])}


def test_the_schema_is_kept_between_runs(
    opened: Callable[..., RdfSource], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rdf = opened(WIKIDATA, "wikidata.nt")
    schema = rdf.describe()
    again = source(tmp_path / "wikidata.nt", tmp_path / "home")
    monkeypatch.setattr("core.sources.rdf.read_schema", lambda *_: pytest.fail("it was read again"))
    assert again.describe() == schema
    again.close()


def test_a_damaged_kept_schema_is_read_again(opened: Callable[..., RdfSource], tmp_path: Path) -> None:
    rdf = opened(WIKIDATA, "wikidata.nt")
    schema = rdf.describe()
    (kept,) = (tmp_path / "home" / "indexes").glob("*.json")
    kept.write_text('{"prefixes": ')
    again = source(tmp_path / "wikidata.nt", tmp_path / "home")
    assert again.describe() == schema
    again.close()


# --- limits ------------------------------------------------------------------------------------

NUMBERS_COUNT = 3000
NUMBERS = "\n".join(
    f'<{EX}n{i}> <{EX}value> "{i}"^^<http://www.w3.org/2001/XMLSchema#integer> .' for i in range(NUMBERS_COUNT)
)
SQUARE = "SELECT (COUNT(*) AS ?n) { ?a ex:value ?x . ?b ex:value ?y FILTER(?x + ?y > 10 && STRLEN(STR(?x)) > 0) }"
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
PREFIX = f"PREFIX ex: <{EX}> "


@pytest.mark.slow
def test_a_query_beside_one_that_is_stopped_does_not_notice(opened: Callable[..., RdfSource]) -> None:
    rdf = opened(NUMBERS, "numbers.nt")
    (alone,) = ask(rdf, PREFIX + SQUARE)
    before = rdf._running().state().generation
    with ThreadPoolExecutor(2) as pool:
        endless = pool.submit(ask, rdf, ENDLESS, Limits(seconds=0.2))
        beside = pool.submit(ask, rdf, PREFIX + SQUARE)
        with pytest.raises(QueryTimedOut):
            endless.result()
        assert beside.result() == (alone,)
    assert rdf._running().state().generation == before + 1


@pytest.mark.slow
def test_a_query_that_eats_memory_is_ended_and_the_source_lives_on(opened: Callable[..., RdfSource]) -> None:
    rdf = opened(NUMBERS, "numbers.nt", heap_mb=1)
    greedy = "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(?a != ?g) } ORDER BY ?i ?f ?c"
    with pytest.raises(QueryFailed, match="OMNI_HEAP_MB"):
        ask(rdf, greedy)
    assert len(ask(rdf, "SELECT * { ?s ?p ?o } LIMIT 3")) == 3


def test_a_large_answer_is_cut_at_whole_items(opened: Callable[..., RdfSource]) -> None:
    rdf = opened(NUMBERS, "numbers.nt")
    few = Limits(max_bytes=20_000)
    for text in ("SELECT ?s ?p ?o { ?s ?p ?o }", "CONSTRUCT WHERE { ?s ?p ?o }"):
        returned = rdf.run(NativeQuery("small", rdf.card.language, text, Origin.GIVEN), few)
        assert isinstance(returned.payload, Rows | Triples) and returned.truncated
        assert 50 < len(returned.payload.items) < NUMBERS_COUNT
        assert all(isinstance(row[2], Literal) for row in returned.payload.items)


# --- the network -------------------------------------------------------------------------------


class Handler(http.server.BaseHTTPRequestHandler):
    """Counts requests; drips, redirects or answers by its path."""

    hits: list[str]

    def do_GET(self) -> None:
        self.hits.append(self.path)
        if self.path.startswith("/away"):
            self.send_response(302)
            self.send_header("Location", "http://localhost.invalid/query")
            self.end_headers()
            return
        self.send_response(200)
        self.end_headers()
        for _ in range(100 if self.path.startswith("/drip") else 1):
            self.wfile.write(b" ")
            self.wfile.flush()
            time.sleep(0.1)
        if self.path.startswith("/stall"):
            time.sleep(20)

    do_POST = do_GET

    def log_message(self, *_: object) -> None:
        """Stay silent."""


@contextmanager
def stub() -> Iterator[tuple[str, list[str]]]:
    """Address and requests of a server on loopback."""
    hits: list[str] = []
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), type("Stub", (Handler,), {"hits": hits}))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", hits
    finally:
        server.shutdown()


CALLS = [
    ("plain", "SELECT ?s {{ SERVICE <{0}> {{ ?s ?p ?o }} }}"),
    ("by a variable", "SELECT ?s {{ BIND(<{0}> AS ?u) SERVICE ?u {{ ?s ?p ?o }} }}"),
    ("nested", "ASK {{ FILTER EXISTS {{ {{ SELECT * {{ SERVICE SILENT <{0}> {{ ?s ?p ?o }} }} }} }} }}"),
    ("after a carriage return", "SELECT ?s {{ ?s ?p ?o # x\r SERVICE <{0}> {{ ?a ?b ?c }}\n}}"),
    ("behind an escaped quote", 'SELECT ?s {{ ?s ?p ?o FILTER(?o != "a\\u0022) #") SERVICE <{0}> {{ ?a ?b ?c }}\n}}'),
    ("another data set", "SELECT ?s FROM <{0}> {{ ?s ?p ?o }}"),
    ("a load", "LOAD <{0}>"),
]


@pytest.mark.parametrize("text", [c[1] for c in CALLS], ids=[c[0] for c in CALLS])
def test_no_query_reaches_another_server(engines: dict[Kind, Engine], text: str) -> None:
    rdf = engines[Kind.RDF]
    with stub() as (address, hits):
        with pytest.raises(QueryRejected):
            rdf.source.run(rdf.query(text.format(address)))
        assert hits == []


def test_a_proxy_of_the_environment_is_left_out(
    opened: Callable[..., RdfSource], monkeypatch: pytest.MonkeyPatch
) -> None:
    with stub() as (address, hits):
        monkeypatch.setenv("http_proxy", address)
        monkeypatch.setenv("HTTP_PROXY", address)
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        assert len(ask(opened(WIKIDATA, "wikidata.nt"), "SELECT * { ?s ?p ?o }")) == 5
        assert hits == []


@pytest.mark.parametrize("path", ["/drip", "/stall"])
def test_an_answer_that_comes_too_slowly_is_stopped_at_its_deadline(path: str) -> None:
    with stub() as (address, _):
        started = time.monotonic()
        with pytest.raises(TimeoutError):
            fetch(address + path, "ASK {}", "application/json", Limits(seconds=1))
        assert time.monotonic() - started < 3


def test_a_redirect_to_another_host_is_not_followed() -> None:
    with stub() as (address, _), pytest.raises(urllib.error.URLError, match="localhost.invalid, which is not followed"):
        open_request(urllib.request.Request(address + "/away"), 2)


def test_a_file_is_no_endpoint() -> None:
    with pytest.raises(SourceUnavailable, match="not an http or https address"):
        open_request(urllib.request.Request("file:///etc/hostname"), 2)


def test_classes_that_a_predicate_joins_are_told_in_pairs(opened: Callable[..., RdfSource]) -> None:
    text = f"@prefix ex: <{EX}> . ex:a a ex:A ; ex:p ex:b . ex:b a ex:B . ex:c a ex:C ; ex:p ex:d . ex:d a ex:D ."
    (predicate,) = [p for p in opened(text).describe().predicates if p.iri == f"{EX}p"]
    assert set(predicate.pairs) == {(f"{EX}A", f"{EX}B"), (f"{EX}C", f"{EX}D")}


@pytest.mark.slow
def test_a_count_of_nothing_is_explained_as_no_rows_are(samples: Catalog) -> None:
    source = samples["countries"]
    text = "SELECT (COUNT(?c) AS ?n) { ?c geo:continent place:Europe }"
    returned = source.run(NativeQuery("countries", source.card.language, text, Origin.GIVEN))
    assert returned.doubtful and "place:Europe stands nowhere" in " ".join(returned.notes)
    text = "SELECT (COUNT(?c) AS ?n) { ?c a geo:Country }"
    assert not source.run(NativeQuery("countries", source.card.language, text, Origin.GIVEN)).doubtful
