"""Questions to answers on real engines: the planner's query, run, gives these rows."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from core.errors import CannotLink
from core.grounding.link import ground
from core.planner import plan
from core.results import Iri, Literal, NativeQuery, Origin, Rows, Truth
from core.sources.base import Source


@dataclass(frozen=True)
class Case:
    name: str
    question: str
    answer: list[object] | bool


SQL_CASES = [
    Case("a value leads to its row", "What year was Ran released?", [1985]),
    Case("who follows the role the verb names", "Who directed Yojimbo?", ["Akira Kurosawa"]),
    Case("an actor is not a director", "Who acted in Yojimbo?", ["Toshiro Mifune", "Takashi Shimura"]),
    Case("things are counted once", "How many films did Akira Kurosawa direct?", [3]),
    Case("all of a kind are counted", "How many studios are there?", [3]),
    Case("a number compares", "Which films were released before 1950?", ["Oliver Twist"]),
    Case("between holds both ends", "Which films were released between 1948 and 1952?", ["Ikiru", "Oliver Twist"]),
    Case("no value is no maximum", "Which film has the highest budget?", ["Ran"]),
    Case("no value is no minimum", "Which film has the lowest budget?", ["Yojimbo"]),
    Case("the oldest was born first", "Who is the oldest person?", ["Takashi Shimura"]),
    Case("the most is a count", "Which studio has the most films?", ["Toho"]),
    Case("more than so many is a group condition", "Which studios have more than 2 films?", ["Toho"]),
    Case("never is the absence of a join", "Which studios have no films?", ["Pathe"]),
    Case("an average leaves out what is missing", "What is the average budget of films?", [14.5 / 3]),
    Case(
        "none of a stored number is zero", "Which films did not win any oscars?", ["Ikiru", "Oliver Twist", "Yojimbo"]
    ),
    Case("a date's year is compared", "Which people were born after 1909?", ["Akira Kurosawa", "Toshiro Mifune"]),
    Case("numbers as text sort as numbers", "What is the highest price of an order?", [10.0]),
    Case("two hops", "Which studios made films directed by David Lean?", ["Rank"]),
]
SPARQL_CASES = [
    Case("a label leads to its entity", "What is the capital of Norway?", ["Oslo"]),
    Case("an untagged label counts too", "What is the capital of Finland?", ["Helsinki"]),
    Case("a relation of a class to itself", "Which countries border Finland?", ["Sweden", "Norway"]),
    Case("a typed number compares", "Which countries have a population over 5550000?", ["Sweden", "Finland"]),
    Case("a superlative", "Which country has the largest population?", ["Sweden"]),
    Case("a count", "How many countries are there?", [4]),
    Case("yes", "Does Norway border Sweden?", True),
    Case("no", "Does Norway border Iceland?", False),
]
CYPHER_CASES = [
    Case("a hop in the schema's direction", "Which parts does Norsk Metall supply?", ["Hinge", "Battery"]),
    Case("against the arrow", "Which suppliers supply the Bolt?", ["Bolt & Co"]),
    Case("a count over a hop", "How many parts does Norsk Metall supply?", [2]),
    Case("a property of the relationship", "What is the lead time of Battery?", [30]),
    Case("a flag before its noun", "List the hazardous parts", ["Battery"]),
    Case("a superlative", "Which part has the highest weight?", ["Battery"]),
    Case("a comparison", "Which suppliers have a rating above 4?", ["Norsk Metall"]),
]


def answer(source: Source, question: str) -> object:
    made = plan(question, source, ground(question, source))
    payload = source.run(NativeQuery(source.card.id, source.card.language, made.text, Origin.GENERATED)).payload
    if isinstance(payload, Truth):
        return payload.value
    assert isinstance(payload, Rows)
    if payload.columns and isinstance(payload.items[0][0], Iri):
        return [_plain(row[1]) for row in payload.items]
    return [_plain(row[0]) for row in payload.items]


def _plain(value: object) -> object:
    if isinstance(value, Literal):
        return int(value.value) if value.value.isdigit() else value.value
    return value


def check(source: Source, case: Case) -> None:
    got = answer(source, case.question)
    if isinstance(case.answer, bool):
        assert got is case.answer
        return
    assert isinstance(got, list)
    assert sorted(map(str, got)) == sorted(map(str, case.answer))


@pytest.mark.parametrize("case", SQL_CASES, ids=lambda case: case.name)
def test_sql(films: Source, case: Case) -> None:
    check(films, case)


@pytest.mark.parametrize("case", SPARQL_CASES, ids=lambda case: case.name)
def test_sparql(countries: Source, case: Case) -> None:
    check(countries, case)


@pytest.mark.slow
@pytest.mark.parametrize("case", CYPHER_CASES, ids=lambda case: case.name)
def test_cypher(supply: Source, case: Case) -> None:
    check(supply, case)


UNLINKED = [
    ("a name that is not stored", "Who directed Blade Runner?", "Blade Runner"),
    ("a quoted text that is not stored", "Who directed 'Nosferatu'?", "Nosferatu"),
    ("another subject altogether", "Which enzymes break down lactose in adults?", "enzymes"),
]


@pytest.mark.parametrize(("name", "question", "part"), UNLINKED, ids=[u[0] for u in UNLINKED])
def test_what_is_not_linked_is_named(films: Source, name: str, question: str, part: str) -> None:
    with pytest.raises(CannotLink, match=part):
        plan(question, films, ground(question, films))
