"""One source from question to result: what is written again, and which result is kept."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.attempt import Attempted, attempt_source
from core.results import Fault, Grounding, NativeQuery, Origin, Returned
from core.settings import Settings
from core.sources.base import Source
from core.sources.catalog import Catalog
from core.stages.base import Draft
from tests.sources.conftest import open_source


class Writer:
    """Writes one query, and another when it is asked to write it again; keeps what it was told."""

    def __init__(self, first: str, second: str) -> None:
        self._first, self._second = first, second
        self.faults: list[Fault] = []

    def __call__(self, question: str, source: Source, grounding: Grounding) -> Draft:
        return Draft(self._first)

    def repair(
        self, question: str, source: Source, grounding: Grounding, query: NativeQuery, fault: Fault
    ) -> Draft | None:
        self.faults.append(fault)
        return Draft(self._second)


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    folder = tmp_path_factory.mktemp("attempt")
    with sqlite3.connect(folder / "ships.db") as db:
        db.executescript(
            "create table vessel(id integer primary key, name text, flag text);"
            "insert into vessel(name, flag) values ('Astrid', 'Norway'), ('Bella', 'Panama');"
        )
    source = open_source("sqlite", folder / "ships.db", folder / "home")
    made = Catalog([(source.card, lambda: source)])
    yield made
    made.close()


def attempt(catalog: Catalog, writer: Writer, home: Path) -> Attempted:
    (card,) = catalog.cards()
    return attempt_source("?", catalog, card.id, writer, Settings(home=home), math.inf, lambda *_: None)


WRONG = "SELECT name FROM vessel WHERE flag = 'norway'"
RIGHT = "SELECT name FROM vessel WHERE flag = 'Norway'"
AGAIN = [
    ("a second query that finds something is kept", WRONG, RIGHT, (("Astrid",),), Origin.REPAIRED),
    ("a second query that finds nothing either is not", WRONG, f"{RIGHT} AND id = 9", (), Origin.GENERATED),
    ("a second query that fails takes nothing away", WRONG, "SELECT nothing FROM vessel", (), Origin.GENERATED),
    ("a refused query is written again as before", "SELECT nmae FROM vessel", RIGHT, (("Astrid",),), Origin.REPAIRED),
]


@pytest.mark.parametrize(("first", "second", "items", "origin"), [c[1:] for c in AGAIN], ids=[c[0] for c in AGAIN])
def test_a_query_is_written_again_once(
    catalog: Catalog, tmp_path: Path, first: str, second: str, items: tuple[object, ...], origin: Origin
) -> None:
    attempted = attempt(catalog, Writer(first, second), tmp_path)
    assert isinstance(attempted.result, Returned)
    assert attempted.result.payload.items == items and attempted.result.query.origin is origin
    assert [a.query.text for a in attempted.attempts] == [first, second]


def test_the_writer_is_told_what_may_be_wrong(catalog: Catalog, tmp_path: Path) -> None:
    writer = Writer(WRONG, RIGHT)
    attempt(catalog, writer, tmp_path)
    assert "found nothing" in writer.faults[0].message and "Stored: 'Norway'" in writer.faults[0].message


def test_an_empty_result_that_is_an_answer_stays_one(catalog: Catalog, tmp_path: Path) -> None:
    writer = Writer("SELECT name FROM vessel WHERE id > 90", RIGHT)
    attempted = attempt(catalog, writer, tmp_path)
    assert isinstance(attempted.result, Returned) and not attempted.result.payload.items
    assert not writer.faults
