"""Built-in source selection over real small sources."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from core.settings import Settings
from core.sources.catalog import Catalog
from core.sources.manifest import load_catalog
from core.stages.select import CardSelector, ProbeSelector

MANIFEST = """
[[source]]
id = "films"
kind = "sql"
engine = "sqlite"
location = "films.db"
title = "Films"
descriptor = "Films, directors and years"

[[source]]
id = "harbour"
kind = "sql"
engine = "sqlite"
location = "harbour.db"
title = "Harbour"
descriptor = "Vessels, their flags and the berths where they lie"

[[source]]
id = "notes"
kind = "text"
engine = "faiss"
location = "notes.jsonl"
title = "Staff notes"
descriptor = "Rules for staff on leave, travel and safety"

[[source]]
id = "gone"
kind = "sql"
engine = "sqlite"
location = "gone.db"
title = "Gone"
descriptor = "Films that are lost"
"""
NOTES = [
    ("leave", "Annual leave", "Every employee has 27 days of paid annual leave a year."),
    ("hotel", "Hotels", "The limit for a hotel night on a business trip is 140 euros."),
    ("fire", "Fire drill", "In an alarm leave the building by the stairs and gather at point B."),
    ("ship", "Visitors", "Visitors of the vessels wear a badge."),
]


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(home=tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory, settings: Settings) -> Catalog:
    folder: Path = tmp_path_factory.mktemp("select")
    with sqlite3.connect(folder / "films.db") as db:
        db.executescript(
            "create table film(title text, director text, year integer);"
            "insert into film values ('Ran', 'Akira Kurosawa', 1985), ('Playtime', 'Jacques Tati', 1967);"
        )
    with sqlite3.connect(folder / "harbour.db") as db:
        db.executescript(
            "create table vessel(name text, flag text, berth text);"
            "insert into vessel values ('Astrid', 'Norway', 'B4'), ('Ran', 'Sweden', 'B7');"
        )
    lines = [json.dumps({"_id": i, "title": t, "text": x}) for i, t, x in NOTES]
    (folder / "notes.jsonl").write_text("\n".join(lines))
    (folder / "sources.toml").write_text(MANIFEST)
    return load_catalog(settings, folder / "sources.toml")


FIRST = [
    ("a stored name", "Who directed Playtime?", "films", "“Playtime” in film.title"),
    ("a stored name in lower case", "who directed playtime", "films", "“Playtime” in film.title"),
    ("a misspelt name", "Which films did Akira Kurosava make?", "films", "Akira Kurosawa"),
    ("schema terms", "At which berth does Astrid lie?", "harbour", "schema terms berth"),
    ("a name in two sources, told apart by the rest", "Under which flag does the vessel Ran sail?", "harbour", "flag"),
    ("a passage", "How many days of annual leave do I have?", "notes", "passage “Annual leave”"),
]


@pytest.mark.parametrize(("question", "first", "says"), [c[1:] for c in FIRST], ids=[c[0] for c in FIRST])
def test_the_source_that_holds_it_comes_first(
    catalog: Catalog, settings: Settings, question: str, first: str, says: str
) -> None:
    selection = ProbeSelector(settings)(question, catalog, 3)
    assert selection.candidates[0].source_id == first
    assert says in selection.candidates[0].reason
    assert [c.rank for c in selection.candidates] == list(range(1, len(selection.candidates) + 1))
    scores = [c.score for c in selection.candidates]
    assert scores == sorted(scores, reverse=True)


def test_a_source_that_can_not_be_reached_is_left_out_with_a_note(catalog: Catalog, settings: Settings) -> None:
    selection = ProbeSelector(settings)("Who directed Playtime?", catalog, 4)
    assert "gone" not in [c.source_id for c in selection.candidates]
    assert any(note.startswith("gone was left out") and "does not exist" in note for note in selection.notes)


@pytest.mark.parametrize("question", ["What is the boiling point of tungsten?", "zzyzx qwrtp"])
def test_nothing_fits(catalog: Catalog, settings: Settings, question: str) -> None:
    selection = ProbeSelector(settings)(question, catalog, 3)
    assert selection.candidates == ()
    assert "No registered source" in selection.reason


@pytest.mark.parametrize("k", [1, 2, 100])
def test_at_most_k(catalog: Catalog, settings: Settings, k: int) -> None:
    assert 1 <= len(ProbeSelector(settings)("Which vessels carry films by Tati?", catalog, k).candidates) <= k


def test_each_part_of_a_question_brings_its_source(catalog: Catalog, settings: Settings) -> None:
    question = "Who directed the film Playtime, and what is the hotel limit on a business trip?"
    assert {c.source_id for c in ProbeSelector(settings)(question, catalog, 2).candidates} == {"films", "notes"}


def test_cards_alone_connect_to_nothing(catalog: Catalog, settings: Settings) -> None:
    selection = CardSelector(settings)("Which vessels lie at a berth under the flag of Norway?", catalog, 2)
    assert selection.candidates[0].source_id == "harbour"
    assert CardSelector(settings)("What is the boiling point of tungsten?", catalog, 3).candidates == ()
    assert "gone" in [c.source_id for c in CardSelector(settings)("Which films are lost?", catalog, 4).candidates]
