"""A SPARQL query that finds nothing is told which name, direction or type may be why; on a real Oxigraph."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.results import NativeQuery, Origin, Returned
from core.sources.rdf import RdfSource
from tests.sources.conftest import open_source

GRAPH = """
@prefix c: <http://example.org/cinema/> . @prefix w: <http://example.org/who/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
c:Film rdfs:label "film"@en . c:Person rdfs:label "person"@en . c:director rdfs:label "director"@en .
w:Ada_Quill a c:Person ; rdfs:label "Ada Quill"@en ; c:birthDate "1950-02-03"^^xsd:date .
c:f1 a c:Film ; rdfs:label "The Long Pier"@en ; c:director w:Ada_Quill ; c:year "1984"^^xsd:gYear ; c:minutes 96 .
c:f2 a c:Film ; rdfs:label "Low Tide"@en ; c:year "1991"^^xsd:gYear ; c:minutes 102 .
"""


@pytest.fixture(scope="module")
def cinema(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RdfSource]:
    folder = tmp_path_factory.mktemp("cinema")
    (folder / "cinema.ttl").write_text(GRAPH)
    source = open_source("oxigraph", folder / "cinema.ttl", folder / "home")
    assert isinstance(source, RdfSource)
    yield source
    source.close()


def ask(source: RdfSource, text: str) -> Returned:
    return source.run(NativeQuery("cinema", source.card.language, text, Origin.GIVEN))


DOUBTED = [
    ("an invented predicate", "SELECT ?x { ?f c:directedBy ?x }", "No predicate c:directedBy here. Nearest: c:director"),
    ("an invented predicate in a path", "SELECT ?x { ?f c:directedBy/rdfs:label ?x }", "No predicate c:directedBy"),
    ("an invented class", "SELECT ?x { ?x a c:Movie }", "No class c:Movie here."),
    ("a class of another prefix", "SELECT ?x { ?x a w:Film }", "No class w:Film here. Nearest: c:Film"),
    ("a misspelt entity", "SELECT ?x { ?x c:director w:Ada_Quil }", "w:Ada_Quil stands nowhere in this graph. Nearest: w:Ada_Quill"),
    ("the wrong way", "SELECT ?x { w:Ada_Quill c:director ?x }", "The edge goes the other way: ?x c:director w:Ada_Quill"),
    ("a thing of another class", "ASK { w:Ada_Quill c:minutes 96 }", "c:minutes leads from c:Film, and w:Ada_Quill is none"),
    ("a prefix declared otherwise", "PREFIX c: <http://other/> SELECT ?x { ?x c:director ?y }", "but here it is <http://example.org/cinema/>"),
    ("a year as a number", "SELECT ?x { ?x c:year ?y FILTER(?y = 1984) }", "c:year holds values such as"),
    ("a year as a text", 'SELECT ?x { ?x c:year "1984" }', "^^xsd:gYear"),
    ("a date against a text", 'SELECT ?x { ?x c:birthDate ?d FILTER(?d < "2000-01-01") }', "c:birthDate holds"),
    ("a date read as a text", 'SELECT ?x { ?x c:birthDate ?d FILTER(STR(?d) = "1950") }', "FILTER(YEAR(?d) = 2001)"),
    ("a label of a date", "SELECT ?d ?l { w:Ada_Quill c:birthDate ?d . ?d rdfs:label ?l }", "?d is a value of c:birthDate and has no rdfs:label"),
    ("a number in quotes", 'SELECT ?x { ?x c:minutes "96" }', "holds numbers: write them without quotes"),
    ("a number compared with a text", 'SELECT ?x { ?x c:minutes ?m FILTER(?m > "90") }', "without quotes"),
    ("a text for a thing", 'SELECT ?x { ?x c:director "Ada Quill"@en }', "c:director leads to things"),
    ("a text in a thing", 'SELECT ?x { ?x c:director ?d FILTER(CONTAINS(?d, "Quill")) }', "?d is a thing and holds no text"),
    ("small letters", 'SELECT ?x { ?x rdfs:label "low tide"@en }', 'Capitals count: "low tide" is written "Low Tide"'),
    ("small letters in a part", 'SELECT ?x { ?x rdfs:label ?l FILTER(CONTAINS(?l, "tide")) }', "Capitals count"),
    ("a text without its tag", 'SELECT ?x { ?x rdfs:label "Low Tide" }', '"Low Tide"@en'),
    ("a named graph", "SELECT ?x { GRAPH ?g { ?x a c:Film } }", "without GRAPH"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "says"), [c[1:] for c in DOUBTED], ids=[c[0] for c in DOUBTED])
def test_what_may_be_why_nothing_was_found_is_told(cinema: RdfSource, text: str, says: str) -> None:
    returned = ask(cinema, text)
    assert returned.doubtful
    assert any(says in note for note in returned.notes), returned.notes


QUIET = [
    ("nothing of a known kind", "SELECT ?x { ?x c:director w:Ada_Quill ; c:minutes 102 }"),
    ("a no", 'ASK { c:f1 c:minutes 5 }'),
    ("a year of the right type", 'SELECT ?x { ?x c:year "1900"^^<http://www.w3.org/2001/XMLSchema#gYear> }'),
    ("a number out of range", "SELECT ?x { ?x c:minutes ?m FILTER(?m > 900) }"),
    ("a text that is nowhere", 'SELECT ?x { ?x rdfs:label "Nothing Like It"@en }'),
    ("something that is found", "SELECT ?x { ?x c:year ?y FILTER(YEAR(?y) = 1984) }"),
]  # fmt: skip


@pytest.mark.parametrize("text", [c[1] for c in QUIET], ids=[c[0] for c in QUIET])
def test_nothing_is_said_where_the_query_is_right(cinema: RdfSource, text: str) -> None:
    returned = ask(cinema, text)
    assert not returned.doubtful and all("added" in note for note in returned.notes), returned.notes


def test_wikidatas_label_service_gives_labels(cinema: RdfSource) -> None:
    text = 'SELECT ?f ?fLabel { ?f a c:Film SERVICE wikibase:label { bd:serviceParam wikibase:language "en" } }'
    returned = ask(cinema, text)
    assert sorted(str(row[1].value) for row in returned.payload.items) == ["Low Tide", "The Long Pier"]  # type: ignore[index,union-attr]
    assert any("label service is not here" in note for note in returned.notes)


def test_names_in_angle_brackets_are_read_and_noted(cinema: RdfSource) -> None:
    returned = ask(cinema, "SELECT ?x { <c:f1> <c:director> ?x }")
    assert len(returned.payload.items) == 1
    assert any("angle brackets were taken off" in note for note in returned.notes)
