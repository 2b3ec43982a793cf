"""The corpora are whole, and the questions written without sight of the planner are as many of each sort as wanted."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from core.settings import ROOT

SAMPLES = ROOT / "sample_sources"
LANGUAGES = {
    "films_sql": "sql",
    "clinic": "sql",
    "streaming": "sql",
    "hospital": "sql",
    "films_rdf": "sparql",
    "countries": "sparql",
    "laureates": "sparql",
    "elements": "sparql",
    "film_graph": "cypher",
    "supply_chain": "cypher",
    "flights": "cypher",
    "science_graph": "cypher",
    "health_abstracts": "text",
    "handbook": "text",
    "nutrition_abstracts": "text",
    "product_notes": "text",
}
TAG_OF_LANGUAGE = {"sql": "sql", "sparql": "rdf", "cypher": "graph", "text": "text"}
SHAPES = {"lookup", "count", "filter", "superlative", "group", "two-hop", "path", "yesno", "passage"}
OTHER_TAGS = {"two-sources", "needs-two", "none", "aggregate", "date", "comparison", *TAG_OF_LANGUAGE.values()}
OTHER_TAGS |= {"misspelt", "lower-case", "ambiguous-value"}


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


CORPORA = {name: _lines(SAMPLES / name / "corpus.jsonl") for name, kind in LANGUAGES.items() if kind == "text"}
BLIND = [q for q in _lines(SAMPLES / "questions.jsonl") if q["half"] == "blind"]
PRACTICE = _lines(SAMPLES / "practice.jsonl")
GOLDS = [gold for question in (*BLIND, *PRACTICE) for gold in question["gold"]]


@pytest.mark.parametrize(
    ("name", "least"),
    [("health_abstracts", 90), ("handbook", 85), ("nutrition_abstracts", 100), ("product_notes", 100)],
)
def test_a_corpus_has_enough_passages_that_can_be_told_apart(name: str, least: int) -> None:
    passages = CORPORA[name]
    assert len(passages) >= least
    for key in ("_id", "title", "text"):
        assert len({p[key] for p in passages}) == len(passages)
    assert all(set(p) == {"_id", "title", "text"} and p["title"].strip() and len(p["text"]) > 100 for p in passages)


def test_questions_are_samples_of_the_documented_form() -> None:
    asked = [*BLIND, *PRACTICE]
    assert len(BLIND) == 66
    assert len({q["id"] for q in asked}) == len({q["question"] for q in asked}) == len(asked)
    for question in asked:
        assert set(question) == {"id", "question", "need", "gold", "tags", "half"}
        assert question["half"] in ("blind", "practice") and question["need"] in ("any", "all")
        assert question["tags"] and set(question["tags"]) <= SHAPES | OTHER_TAGS


def test_blind_golds_have_a_query_and_an_answer_in_rows() -> None:
    for gold in GOLDS:
        assert set(gold) == {"source_id", "language", "query", "answer"}
        assert gold["language"] == LANGUAGES[gold["source_id"]] and gold["query"].strip()
        assert gold["answer"] and all(isinstance(row, list) and row for row in gold["answer"])


def test_blind_questions_are_spread_as_wanted() -> None:
    sorts = Counter((q["need"], len(q["gold"])) for q in BLIND)
    assert sorts["any", 1] >= 20 and sorts["any", 0] >= 12 and sorts["all", 2] >= 10
    asked = Counter(gold["source_id"] for q in BLIND for gold in q["gold"])
    assert set(asked) == set(LANGUAGES) and min(asked.values()) >= 2


def test_passage_golds_exist() -> None:
    golds = [gold for gold in GOLDS if gold["language"] == "text"]
    assert golds
    for gold in golds:
        ids = {p["_id"] for p in CORPORA[gold["source_id"]]}
        assert {cell for row in gold["answer"] for cell in row} <= ids
