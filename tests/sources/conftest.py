"""One small source of each kind, on its real engine, alive for the whole session."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.results import Kind, NativeQuery, Origin, SourceCard
from core.settings import Settings
from core.sources.base import Limits, Source
from core.sources.manifest import ENGINES, LANGUAGES

DATA = Path(__file__).parent.parent / "data" / "contract"


@dataclass(frozen=True)
class Engine:
    """A source with the queries of its language that the contract's cases need."""

    name: str
    source: Source
    one: str
    """A query with exactly one item."""
    none: str
    """A query that finds nothing; empty where the language can't find nothing."""
    many: str
    """A query with more than two items."""
    write: str
    """A statement that would change the data; empty where the language has none."""
    nonsense: str
    """Text that is no query; empty where every text is one."""
    forever: str
    """A query that takes far longer than a second; empty where there is none."""
    known: str
    """A stored name, misspelt case included."""

    def query(self, text: str) -> NativeQuery:
        """`text` as a query for this source."""
        return NativeQuery(self.source.card.id, self.source.card.language, text, Origin.GIVEN)


def card(source_id: str, engine: str) -> SourceCard:
    """A card of a test source."""
    kind = ENGINES[engine][0]
    return SourceCard(source_id, kind, engine, LANGUAGES[kind], source_id.title(), f"Test films as {kind.value}")


def open_source(engine: str, location: Path, home: Path, limits: Limits | None = None) -> Source:
    """A source of `engine` on `location`, with its state in `home`."""
    import importlib

    module, name = ENGINES[engine][1].split(":")
    settings = Settings(home=home)
    made: Source = getattr(importlib.import_module(module), name)(
        card(f"films_{engine}", engine), location, settings, limits or Limits()
    )
    return made


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The state folder that the session's sources share."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The four sources' files."""
    folder = tmp_path_factory.mktemp("contract")
    shutil.copytree(DATA, folder, dirs_exist_ok=True)
    with sqlite3.connect(folder / "films.db") as db:
        db.executescript(
            "create table film(title text primary key, director text, year integer, budget real, poster blob);"
            "insert into film values ('Ran', 'Akira Kurosawa', 1985, 11.5, x'ff00'),"
            "('Ikiru', 'Akira Kurosawa', 1952, null, null), ('Playtime', 'Jacques Tati', 1967, 17, null);"
        )
    return folder


@pytest.fixture(scope="session")
def engines(folder: Path, home: Path) -> Iterator[dict[Kind, Engine]]:
    """The four sources by kind."""
    sql = Engine(
        "sqlite",
        open_source("sqlite", folder / "films.db", home),
        "SELECT title FROM film WHERE year = 1967",
        "SELECT title FROM film WHERE year = 1",
        "SELECT title FROM film",
        "DELETE FROM film",
        "show me the films",
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n",
        "akira kurosawa",
    )
    prefix = "PREFIX ex: <http://example.org/> "
    rdf = Engine(
        "oxigraph",
        open_source("oxigraph", folder / "films.ttl", home),
        prefix + "SELECT ?d { ex:playtime ex:director ?d }",
        prefix + "SELECT ?d { ex:playtime ex:producer ?d }",
        "SELECT ?s ?o { ?s ?p ?o }",
        "DELETE WHERE { ?s ?p ?o }",
        "show me the films",
        "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n1 ?o }",
        "akira kurosawa",
    )
    graph = Engine(
        "arcadedb",
        open_source("arcadedb", folder / "graph", home),
        "MATCH (f:Film {year: 1967}) RETURN f.title",
        "MATCH (f:Film {year: 1}) RETURN f.title",
        "MATCH (f:Film) RETURN f.title",
        "MATCH (f:Film) DETACH DELETE f",
        "show me the films",
        "UNWIND range(1, 3000000) AS x UNWIND range(1, 100000) AS y WITH x * y AS z WHERE z = -1 RETURN count(z)",
        "akira kurosawa",
    )
    text = Engine(
        "faiss", open_source("faiss", folder / "corpus.jsonl", home), "", "", "a film", "", "", "", "American tourists"
    )
    made = {Kind.SQL: sql, Kind.RDF: rdf, Kind.GRAPH: graph, Kind.TEXT: text}
    yield made
    for engine in made.values():
        engine.source.close()


@pytest.fixture(params=[Kind.SQL, Kind.RDF, Kind.GRAPH, Kind.TEXT], ids=lambda kind: kind.value)
def engine(request: pytest.FixtureRequest, engines: dict[Kind, Engine]) -> Engine:
    """Each of the four in turn."""
    return engines[request.param]
