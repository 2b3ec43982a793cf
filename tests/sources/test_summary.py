"""A line about what a source holds, from a schema that was read before, without connecting."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from core.settings import Settings
from core.sources.catalog import Catalog
from core.sources.manifest import load_catalog
from core.sources.summary import MOST_CHARS, summary_of
from core.stages.by_model.select import render_catalog

MANIFEST = """
[[source]]
id = "ships"
kind = "sql"
engine = "sqlite"
location = "ships.db"
title = "Ships"
descriptor = "A register."
"""


@pytest.fixture
def ships(tmp_path: Path) -> tuple[Settings, Path]:
    with sqlite3.connect(tmp_path / "ships.db") as db:
        db.executescript("CREATE TABLE vessel (name TEXT, flag TEXT); INSERT INTO vessel VALUES ('Astrid', 'Norway')")
    db.close()
    (tmp_path / "sources.toml").write_text(MANIFEST)
    return Settings(home=tmp_path / "home"), tmp_path / "sources.toml"


def test_a_card_has_a_summary_once_the_schema_was_read(ships: tuple[Settings, Path]) -> None:
    settings, manifest = ships
    fresh = load_catalog(settings, manifest)
    assert fresh.cards()[0].summary == ""
    fresh["ships"].describe()
    assert fresh.cards()[0].summary == "vessel (name, flag)"
    again = load_catalog(settings, manifest)
    assert again.cards()[0].summary == "vessel (name, flag)"
    assert again.only(ids=["ships"]).cards()[0].summary == "vessel (name, flag)"
    assert "holds: vessel (name, flag)" in render_catalog(again.cards(), {})


def test_a_summary_that_can_not_be_read_is_none(ships: tuple[Settings, Path]) -> None:
    settings, manifest = ships
    load_catalog(settings, manifest)["ships"].describe()
    kept = next((settings.home / "indexes").glob("ships-*.json"))
    kept.write_text("{")
    assert load_catalog(settings, manifest).cards()[0].summary == ""


@pytest.mark.slow
@pytest.mark.parametrize("source_id", ["hospital", "countries", "laureates", "flights"])
def test_what_is_largest_comes_first_and_it_stays_short(samples: Catalog, source_id: str) -> None:
    text = summary_of(samples[source_id].describe())
    first = {"hospital": "vital_sign", "countries": "country", "laureates": "human", "flights": "Flight"}[source_id]
    assert text.startswith(f"{first} (") and len(text) <= MOST_CHARS
