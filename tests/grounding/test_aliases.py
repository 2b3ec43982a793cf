"""Stored values that a question names by another word."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.grounding.aliases import probe_names
from core.results import Kind, Language, SourceCard
from core.settings import Settings
from core.sources.base import Limits
from core.sources.sql import SqliteSource


@pytest.fixture
def staff(tmp_path: Path) -> SqliteSource:
    import sqlite3

    path = tmp_path / "staff.db"
    db = sqlite3.connect(path)
    db.executescript(
        "CREATE TABLE person(name TEXT, sex TEXT, country TEXT, specialty TEXT, language TEXT);"
        "INSERT INTO person VALUES ('Ane', 'F', 'Japan', 'Dermatology', 'Spanish'),"
        " ('Bo', 'M', 'Spain', 'Surgery', 'Thai'), ('Cy', 'M', 'Zipper Land', 'Zipper repair', 'Thai');"
    )
    db.commit()
    db.close()
    card = SourceCard("staff", Kind.SQL, "sqlite", Language.SQL, "Staff", "People")
    return SqliteSource(card, path, Settings(home=tmp_path / "home"), Limits())


@pytest.mark.parametrize(
    ("question", "term", "stored"),
    [
        ("How many Japanese people?", "Japanese", "Japan"),
        ("female staff", "female", "F"),
        ("the dermatologist", "dermatologist", "Dermatology"),
        ("all surgeons", "surgeons", "Surgery"),
        ("who knows zippers", "zippers", "Zipper repair"),
    ],
)
def test_another_word_finds_it(staff: SqliteSource, question: str, term: str, stored: str) -> None:
    found = [(m.term, m.value) for m in probe_names(question, staff)]
    assert (term, stored) in found


def test_an_adjective_gives_way_to_the_word_itself(staff: SqliteSource) -> None:
    found = {(m.term, m.value) for m in probe_names("Who speaks Spanish?", staff)}
    assert ("Spanish", "Spanish") in found and ("Spanish", "Spain") not in found
