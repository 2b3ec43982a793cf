"""Built-in evidence selection, case by case."""

from __future__ import annotations

from typing import Any

import pytest

from core.results import (
    Candidate,
    Iri,
    Language,
    Literal,
    NativeQuery,
    Origin,
    Passage,
    Passages,
    Payload,
    Returned,
    Rows,
    Truth,
)
from core.stages.evidence import FeatureEvidence
from core.stages.expected import Expected, expected

SQL = "SELECT director FROM film WHERE title = 'Playtime'"
LEAVE = Passages(
    (
        Passage("leave", "Annual leave", "Employees have 27 days of annual leave.", 0.033),
        Passage("x", "Hotels", "Nights.", 0.03),
    )
)


def returned(source_id: str, payload: Payload, query: str = SQL, language: Language = Language.SQL) -> Returned:
    return Returned(NativeQuery(source_id, language, query, Origin.GENERATED), payload, False, 0.01)


def rows(*items: tuple[Any, ...]) -> Rows:
    return Rows(tuple(f"c{n}" for n in range(len(items[0]) if items else 1)), items)


def choose(question: str, *results: Returned, scores: dict[str, float] | None = None) -> Any:
    ids = scores or {r.source_id: 0.6 for r in results}
    candidates = tuple(Candidate(i, n, s, "") for n, (i, s) in enumerate(ids.items(), 1))
    return FeatureEvidence()(question, results, candidates=candidates)


def passage(similarity: float | None) -> Passages:
    return Passages((Passage("leave", "Annual leave", "Employees have 27 days of annual leave.", 0.033, similarity),))


WHO = "Who directed Playtime?"
CASES = [
    ("one result that fits", WHO, [returned("a", rows(("Jacques Tati",)))], {"a": [0]}),
    ("an empty one beside it", WHO, [returned("a", rows(("Jacques Tati",))), returned("b", rows())], {"a": [0]}),
    ("only empty ones", WHO, [returned("a", rows()), returned("b", rows((None,)))], {}),
    ("rows of nothing are left out", WHO, [returned("a", rows((None,), ("Jacques Tati",)))], {"a": [1]}),
    (
        "two that agree",
        WHO,
        [
            returned("a", rows(("Jacques Tati",))),
            returned("b", rows((Iri("http://e/tati"), Literal("Jacques Tati", "en")))),
        ],
        {"a": [0], "b": [0]},
    ),
    (
        "two that were asked the same and differ stand side by side",
        WHO,
        [returned("a", rows(("Jacques Tati",))), returned("b", rows(("Somebody",)))],
        {"a": [0], "b": [0]},
    ),
    (
        "one name is no rival of a list",
        WHO,
        [returned("a", rows(("Jacques Tati",))), returned("b", rows(("Somebody",), ("Someone",)))],
        {"a": [0]},
    ),
    (
        "a list cell holds what a plain cell holds",
        WHO,
        [returned("a", rows(("Jacques Tati",))), returned("b", rows((("Jacques Tati",),)))],
        {"a": [0], "b": [0]},
    ),
    (
        "another question's answer",
        WHO,
        [returned("a", rows(("Jacques Tati",))), returned("b", rows(("Somebody",)), "SELECT name FROM person")],
        {"a": [0]},
    ),
    (
        "a rule is answered by a passage",
        "How do I ask for annual leave?",
        [returned("notes", LEAVE, "How do I ask for annual leave?", Language.TEXT)],
        {"notes": [0]},
    ),
    (
        "a passage about something else is no answer",
        "Who directed Playtime in Paris with glass walls?",
        [returned("notes", passage(0.2), "x", Language.TEXT)],
        {},
    ),
    (
        "a near passage answers whatever words it uses",
        "Who gives me time off in summer?",
        [returned("notes", passage(0.6), "x", Language.TEXT)],
        {"notes": [0]},
    ),
    (
        "without an encoder its words must do",
        "How many days of annual leave?",
        [returned("notes", passage(None), "x", Language.TEXT)],
        {"notes": [0]},
    ),
    (
        "a query that speaks of little of the question is no answer",
        "How high is the unemployment level in Portugal in winter?",
        [returned("a", rows((4.7,)), "SELECT rating FROM supplier WHERE country = 'Portugal'")],
        {},
    ),
    ("a count of zero is an answer", "How many films did Playtime direct?", [returned("a", rows((0,)))], {"a": [0]}),
    (
        "yes or no",
        "Did Tati direct Playtime?",
        [returned("a", Truth(False), "ASK { tati direct playtime }", Language.SPARQL)],
        {"a": [0]},
    ),
]


@pytest.mark.parametrize(("question", "results", "kept"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_evidence(question: str, results: list[Returned], kept: dict[str, list[int]]) -> None:
    choice = choose(question, *results)
    assert {e.source_id: [i.position for i in e.items] for e in choice.evidence} == kept
    assert choice.reason
    by_id = {r.source_id: r for r in results}
    for evidence in choice.evidence:
        assert evidence.reason
        assert all(by_id[evidence.source_id].payload.items[i.position] == i.value for i in evidence.items)


def test_of_two_alike_the_likelier_source_wins() -> None:
    one, two = returned("a", rows(("X",), ("Y",))), returned("b", rows(("Z",)))
    assert choose(WHO, one, two, scores={"a": 0.4, "b": 0.8}).evidence[0].source_id == "b"
    assert choose(WHO, one, two, scores={"a": 0.8, "b": 0.4}).evidence[0].source_id == "a"


def test_what_stands_beside_says_why() -> None:
    best, other = returned("a", rows(("X",))), returned("b", rows(("Y",)))
    assert [e.reason.split(":")[0] for e in choose(WHO, best, other).evidence][1] == "Differs from a"
    again = returned("b", rows(("x",)))
    assert choose(WHO, best, again).evidence[1].reason == "Agrees with a."


def test_each_part_of_a_question_takes_its_own_source() -> None:
    question = "Who directed the film Playtime, and what does the note say about annual leave?"
    results = [returned("films", rows(("Jacques Tati",))), returned("notes", LEAVE, "annual leave", Language.TEXT)]
    assert {e.source_id for e in choose(question, *results).evidence} == {"films", "notes"}


EXPECTED = [
    ("How many films are there?", Expected.NUMBER),
    ("What is the average budget?", Expected.NUMBER),
    ("When was Ran released?", Expected.MOMENT),
    ("In which year did it open?", Expected.MOMENT),
    ("Why do ships float?", Expected.PROSE),
    ("Can I carry over leave?", Expected.PROSE),
    ("Does salt raise the risk of stroke?", Expected.PROSE),
    ("Did Tati direct Playtime?", Expected.TRUTH),
    ("Which films did Tati make?", Expected.THINGS),
    ("capital of peru", Expected.THINGS),
]


@pytest.mark.parametrize(("question", "kind"), EXPECTED, ids=[c[0] for c in EXPECTED])
def test_expected_kind_of_answer(question: str, kind: Expected) -> None:
    assert expected(question) is kind
