"""Which of several queries is kept: their results decide."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from core.planner import Plan
from core.results import Kind, Language, SourceCard
from core.settings import Settings
from core.sources.base import Limits
from core.sources.sql import SqliteSource
from core.stages.agreement import keep_one

CASES = [
    ("the first where all is well", "How many boats are there?", ["SELECT count(*) FROM boat", "SELECT 7"], 0),
    ("the next where the first finds nothing", "Which boats are red?", ["SELECT name FROM boat WHERE hue = 'x'", "SELECT name FROM boat WHERE hue = 'red'"], 1),
    ("the next where the first fails", "Which boats are red?", ["SELECT nothing FROM boat", "SELECT name FROM boat"], 1),
    ("a number where one is asked for", "How many boats are there?", ["SELECT name FROM boat", "SELECT count(*) FROM boat"], 1),
    ("the first where every one finds nothing", "Which boats are blue?", ["SELECT name FROM boat WHERE hue = 'x'", "SELECT name FROM boat WHERE hue = 'y'"], 0),
    ("the first where every one fails", "Which boats are blue?", ["SELECT a FROM boat", "SELECT b FROM boat"], 0),
    ("what others agree on", "Which boats are red?", ["SELECT hue FROM boat WHERE name = 'Gull'", "SELECT name FROM boat WHERE hue = 'red'", "SELECT name FROM boat WHERE hue LIKE 'red'", "SELECT name FROM boat WHERE hue = 'red' ORDER BY 1", "SELECT name FROM boat WHERE hue >= 'red'"], 1),
    ("never one that writes", "Which boats are red?", ["SELECT name FROM boat WHERE hue = 'x'", "DELETE FROM boat"], 0),
]  # fmt: skip


@pytest.fixture
def boats(tmp_path: Path) -> SqliteSource:
    path = tmp_path / "boats.db"
    with sqlite3.connect(path) as db:
        db.executescript(
            "create table boat (name text, hue text); insert into boat values ('Tern','red'),('Gull','grey')"
        )
    card = SourceCard("boats", Kind.SQL, "sqlite", Language.SQL, "Boats", "Boats of a harbour")
    return SqliteSource(card, path, Settings(home=tmp_path / "home"), Limits())


@pytest.mark.parametrize(("name", "question", "queries", "kept"), CASES, ids=[case[0] for case in CASES])
def test_it_keeps(boats: SqliteSource, name: str, question: str, queries: list[str], kept: int) -> None:
    plans = [Plan(text, None) for text in queries]
    chosen = keep_one(question, boats, plans)
    assert chosen.plan is plans[kept]
    assert bool(chosen.note) == (kept > 0)


def test_words_left_out_count_against_a_query(boats: SqliteSource) -> None:
    plans = [
        Plan("SELECT name FROM boat", None, left_out=("old", "red")),
        Plan("SELECT name FROM boat ORDER BY 1", None),
    ]
    assert keep_one("Which old red boats are there?", boats, plans).plan is plans[1]
