"""What a question names in a database and in a graph, case by case."""

from __future__ import annotations

import time

import pytest

from core.grounding.link import ground, link_by_meaning, prune
from core.grounding.vocabulary import elements_of
from core.results import Iri, Match, Place
from core.settings import Settings
from core.sources.base import Source

TITLE, NAME = Place("film", "title"), Place("person", "name")
VALUES = [
    ("as stored", "When was Playtime released?", {("Playtime", TITLE)}),
    ("in lower case", "when was playtime released", {("Playtime", TITLE)}),
    ("misspelt", "Which films did Akira Kurosava make?", {("Akira Kurosawa", NAME)}),
    ("without its article", "Who made Hidden Fortress?", {("The Hidden Fortress", TITLE)}),
    ("the longest of those that overlap", "Who made The Hidden Fortress?", {("The Hidden Fortress", TITLE)}),
    ("two names", "Did Jacques Tati make Ran?", {("Jacques Tati", NAME), ("Ran", TITLE)}),
    ("none", "How many people are there?", set()),
]


@pytest.mark.parametrize(("question", "expected"), [c[1:] for c in VALUES], ids=[c[0] for c in VALUES])
def test_stored_values(films: Source, home: Settings, question: str, expected: set[tuple[str, Place]]) -> None:
    found = {(str(m.value), m.place) for m in ground(question, films, home).values}
    assert found == expected


ELEMENTS = [
    ("by its name", "List each film", Place("film"), "film"),
    ("in camel case", "What is the release year of Ran?", Place("film", "releaseYear"), "release year"),
    ("in snake case", "What is the unit cost of Ran?", Place("film", "unit_cost"), "unit cost"),
    ("an awkward name", "On what day was it ordered?", Place("order", "ordered on"), "ordered"),
    ("by a verb", "Who directed Ran?", Place("film", "director_id"), "directed"),
    ("implied", "How old is Jacques Tati?", Place("person", "birth_date"), "How old"),
    ("by its meaning", "What movies are there?", Place("film"), "movies"),
]


@pytest.mark.parametrize(("question", "place", "term"), [c[1:] for c in ELEMENTS], ids=[c[0] for c in ELEMENTS])
def test_schema_elements(films: Source, home: Settings, question: str, place: Place, term: str) -> None:
    links = ground(question, films, home).elements
    assert term in [link.term for link in links if link.place == place]
    assert all(0 < link.score <= 1 for link in links)


def test_what_is_named_comes_before_what_is_implied(films: Source, home: Settings) -> None:
    links = ground("How old is the person who ordered?", films, home).elements
    assert [link.place for link in links].index(Place("person")) < [link.place for link in links].index(
        Place("person", "birth_date")
    )


def test_without_the_encoder_names_still_link(films: Source, home: Settings) -> None:
    missing = Settings(home=home.home, encoder=str(home.home / "no-such-model"))
    grounding = ground("Which films did Jacques Tati direct?", films, missing)
    assert [m.label for m in grounding.values] == ["Jacques Tati"]
    assert Place("film") in [link.place for link in grounding.elements]
    assert link_by_meaning("movies", elements_of(films.describe()), (), missing) == ()


def test_a_weaker_match_inside_a_stronger_one_goes() -> None:
    matches = [
        Match("New York", "New York", "New York", NAME, 1.0),
        Match("York", "York", "York", NAME, 1.0),
        Match("New Yorck City", "New York City", "New York City", NAME, 0.85),
        Match("Peru", "Peru", "Peru", NAME, 1.0),
    ]
    assert [m.label for m in prune(matches)] == ["New York", "Peru"]


WD, WDT = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"
TOPICS = [
    ("from the entity", "When was Akira Kurosawa born?", "Q1", ("", "P569")),
    ("to the entity", "What was directed by Akira Kurosawa?", "Q1", ("^", "P57")),
    ("in lower case", "birth place of akira kurosawa", "Q1", ("", "P19")),
    ("from a film", "who is the director of ikiru", "Q3", ("", "P57")),
]


@pytest.mark.parametrize(("question", "entity", "first"), [c[1:] for c in TOPICS], ids=[c[0] for c in TOPICS])
def test_predicates_of_the_topic_entity(
    wiki: Source, home: Settings, question: str, entity: str, first: tuple[str, str]
) -> None:
    grounding = ground(question, wiki, home)
    assert [m.value for m in grounding.entities] == [Iri(WD + entity)]
    links = grounding.predicates[WD + entity]
    assert (links[0].place.owner, links[0].place.field) == (first[0], WDT + first[1])
    assert [link.score for link in links] == sorted((link.score for link in links), reverse=True)


def test_entities_of_one_name_stand_side_by_side_with_what_tells_them_apart(wiki: Source, home: Settings) -> None:
    entities = ground("What is the capital of Mercury?", wiki, home).entities
    assert [(m.value, m.description) for m in entities] == [
        (Iri(WD + "Q7"), "innermost planet"),
        (Iri(WD + "Q6"), "chemical element"),
    ]


def test_a_second_question_is_linked_quickly(wiki: Source, home: Settings) -> None:
    ground("When was Akira Kurosawa born?", wiki, home)
    started = time.monotonic()
    ground("Where was Akira Kurosawa born?", wiki, home)
    assert time.monotonic() - started < 2.0
