"""Small real sources that questions are linked to."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.results import Kind, Language, SourceCard
from core.settings import Settings
from core.sources.base import Limits, Source
from core.sources.rdf import RdfSource
from core.sources.sql import SqliteSource

SQL = """
create table person (person_id integer primary key, name text, birth_date date);
create table film (film_id integer primary key, title text, unit_cost real, releaseYear integer,
                   director_id integer references person(person_id));
create table "order" ("ordered on" date, customer text);
insert into person values (1, 'Akira Kurosawa', '1910-03-23'), (2, 'Jacques Tati', '1907-10-09');
insert into film values (1, 'Ran', 11.5, 1985, 1), (2, 'Playtime', 17, 1967, 2), (3, 'The Hidden Fortress', 2, 1958, 1),
                        (4, 'Film', 1, 1965, null), (5, 'Fortress', 1, 1992, null);
insert into "order" values ('2020-01-05', 'Tati Shop');
"""
WIKI = """
@prefix wd: <http://www.wikidata.org/entity/> . @prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix schema: <http://schema.org/> .
wd:P31 rdfs:label "instance of"@en . wd:P57 rdfs:label "director"@en . wd:P569 rdfs:label "date of birth"@en .
wd:P19 rdfs:label "place of birth"@en . wd:P36 rdfs:label "capital"@en .
wd:Q5 rdfs:label "human"@en . wd:Q11424 rdfs:label "film"@en . wd:Q634 rdfs:label "planet"@en .
wd:Q1 rdfs:label "Akira Kurosawa"@en ; wdt:P31 wd:Q5 ; wdt:P569 "1910-03-23" ; wdt:P19 wd:Q9 .
wd:Q2 rdfs:label "Ran"@en ; wdt:P31 wd:Q11424 ; wdt:P57 wd:Q1 .
wd:Q3 rdfs:label "Ikiru"@en ; wdt:P31 wd:Q11424 ; wdt:P57 wd:Q1 .
wd:Q6 rdfs:label "Mercury"@en ; schema:description "chemical element"@en .
wd:Q7 rdfs:label "Mercury"@en ; wdt:P31 wd:Q634 ; wdt:P36 wd:Q8 ; schema:description "innermost planet"@en .
wd:Q8 rdfs:label "Caloris"@en . wd:Q9 rdfs:label "Shinagawa"@en .
"""


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A state folder of its own."""
    return Settings(home=tmp_path_factory.mktemp("grounding"))


@pytest.fixture(scope="session")
def films(tmp_path_factory: pytest.TempPathFactory, home: Settings) -> Source:
    """A database whose names are spelt in several ways."""
    path: Path = tmp_path_factory.mktemp("films") / "films.db"
    with sqlite3.connect(path) as db:
        db.executescript(SQL)
    card = SourceCard("films", Kind.SQL, "sqlite", Language.SQL, "Films", "Films and their directors")
    return SqliteSource(card, path, home, Limits())


@pytest.fixture(scope="session")
def wiki(tmp_path_factory: pytest.TempPathFactory, home: Settings) -> Iterator[Source]:
    """A graph in Wikidata's manner: labels of properties stand on wd:Pnn, facts use wdt:Pnn."""
    path: Path = tmp_path_factory.mktemp("wiki") / "wiki.ttl"
    path.write_text(WIKI)
    card = SourceCard("wiki", Kind.RDF, "oxigraph", Language.SPARQL, "Wiki", "Facts of all sorts")
    source = RdfSource(card, path, home, Limits())
    yield source
    source.close()
