"""Small real sources that the planner is tried on."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.results import Kind, Language, SourceCard
from core.settings import Settings
from core.sources.base import Limits, Source
from core.sources.graph import GraphSource
from core.sources.rdf import RdfSource
from core.sources.sql import SqliteSource

SQL = """
create table studio (id integer primary key, name text, city text);
create table person (id integer primary key, name text, birth_date date);
create table film (id integer primary key, title text, year integer, budget real, oscars integer,
                   studio_id integer references studio(id), directed_by integer references person(id));
create table acted_in (film_id integer references film(id), person_id integer references person(id), role text,
                       primary key (film_id, person_id));
create table "order" ("group" text, "Ordered On" date, price text);
insert into studio values (1, 'Toho', 'Tokyo'), (2, 'Rank', 'London'), (3, 'Pathe', 'Paris');
insert into person values (1, 'Akira Kurosawa', '1910-03-23'), (2, 'Toshiro Mifune', '1920-04-01'),
                          (3, 'David Lean', '1908-03-25'), (4, 'Takashi Shimura', '1905-03-12'), (5, 'Ann Todd', null);
insert into film values (1, 'Ran', 1985, 11.5, 1, 1, 1), (2, 'Ikiru', 1952, null, 0, 1, 1),
                        (3, 'Oliver Twist', 1948, 2.0, 0, 2, 3), (4, 'Yojimbo', 1961, 1.0, 0, 1, 1);
insert into acted_in values (4, 2, 'Sanjuro'), (2, 4, 'Watanabe'), (4, 4, 'Tokuemon');
insert into "order" values ('tickets', '2020-01-05', '9'), ('posters', '2021-03-01', '10'),
                           ('posters', '2021-04-01', 'n/a');
"""
TURTLE = """
@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Country rdfs:label "country"@en . :City rdfs:label "city"@en .
:capital rdfs:label "capital"@en . :borders rdfs:label "borders"@en . :population rdfs:label "population"@en .
:independence rdfs:label "date of independence"@en .
:se a :Country ; rdfs:label "Sweden"@en, "Schweden"@de ; :capital :sto ; :borders :no, :fi ; :population 10500000 .
:no a :Country ; rdfs:label "Norway"@en ; :capital :osl ; :borders :se, :fi ; :population 5500000 ;
    :independence "1905-06-07"^^xsd:date .
:fi a :Country ; rdfs:label "Finland" ; :capital :hel ; :borders :se, :no ; :population 5600000 ;
    :independence "1917-12-06"^^xsd:date .
:is a :Country ; rdfs:label "Iceland"@en ; :capital :rey ; :population 390000 ; :independence "1944-06-17"^^xsd:date .
:sto a :City ; rdfs:label "Stockholm"@en . :osl a :City ; rdfs:label "Oslo"@en .
:hel a :City ; rdfs:label "Helsinki"@en . :rey a :City ; rdfs:label "Reykjavik"@en .
"""
NODES = [
    ("s1", "Supplier", {"name": "Norsk Metall", "country": "Norway", "rating": 4.5}),
    ("s2", "Supplier", {"name": "Bolt & Co", "country": "Germany", "rating": 3.0}),
    ("p1", "Part", {"name": "Hinge", "weight_g": 120, "hazardous": False}),
    ("p2", "Part", {"name": "Battery", "weight_g": 900, "hazardous": True}),
    ("p3", "Part", {"name": "Bolt", "weight_g": 15, "hazardous": False}),
    ("f1", "Factory", {"name": "Gdansk Factory", "opened": 1999}),
]
RELS = [
    ("s1", "SUPPLIES", "p1", {"lead_time": 10}),
    ("s1", "SUPPLIES", "p2", {"lead_time": 30}),
    ("s2", "SUPPLIES", "p3", {"lead_time": 5}),
    ("s2", "DELIVERS_TO", "f1", {}),
]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the small sources are built."""
    return tmp_path_factory.mktemp("planner")


@pytest.fixture(scope="session")
def planner_settings(folder: Path) -> Settings:
    """A state folder of its own."""
    return Settings(home=folder / "home")


@pytest.fixture(scope="session")
def films(folder: Path, planner_settings: Settings) -> Source:
    """A relational database with roles, a joining table, awkward names and numbers as text."""
    path = folder / "films.db"
    with sqlite3.connect(path) as db:
        db.executescript(SQL)
    return SqliteSource(
        SourceCard("films", Kind.SQL, "sqlite", Language.SQL, "Films", ""), path, planner_settings, Limits()
    )


@pytest.fixture(scope="session")
def countries(folder: Path, planner_settings: Settings) -> Iterator[Source]:
    """An RDF graph with language tags and typed literals."""
    path = folder / "countries.ttl"
    path.write_text(TURTLE)
    card = SourceCard("lands", Kind.RDF, "oxigraph", Language.SPARQL, "Countries", "")
    source = RdfSource(card, path, planner_settings, Limits())
    yield source
    source.close()


@pytest.fixture(scope="session")
def supply(folder: Path, planner_settings: Settings) -> Iterator[Source]:
    """A property graph with properties on relationships."""
    path = folder / "supply"
    path.mkdir()
    nodes = [{"id": i, "labels": [label], "props": props} for i, label, props in NODES]
    rels = [{"id": str(n), "start": a, "type": t, "end": b, "props": p} for n, (a, t, b, p) in enumerate(RELS)]
    (path / "nodes.jsonl").write_text("".join(json.dumps(n) + "\n" for n in nodes))
    (path / "rels.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rels))
    card = SourceCard("parts", Kind.GRAPH, "arcadedb", Language.CYPHER, "Supply", "")
    source = GraphSource(card, path, planner_settings, Limits())
    yield source
    source.close()
