"""The sample sources build as recorded, and every gold query returns its gold answer."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.encoding import payload_items
from core.results import Kind, NativeQuery, Origin, Truth
from core.settings import ROOT, Settings
from core.sources.base import GraphSchema, RdfSchema, SqlSchema, TextSchema
from core.sources.catalog import Catalog
from core.sources.manifest import load_catalog
from sample_sources import build, turtle

QUESTIONS = [
    json.loads(line) for line in (ROOT / "sample_sources" / "questions.jsonl").read_text().splitlines() if line
]
GOLDS = [(q["id"], gold) for q in QUESTIONS for gold in q["gold"]]


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    """The samples, with their state in a folder of this run."""
    build.build(build.HERE)
    catalog = load_catalog(Settings(home=tmp_path_factory.mktemp("samples")), build.HERE / "sources.toml")
    yield catalog
    catalog.close()


def test_a_fresh_build_is_as_recorded() -> None:
    assert build.check() == []


def test_a_second_build_does_nothing(tmp_path: Path) -> None:
    assert sorted(build.build(tmp_path)) == sorted(build.BUILT)
    assert build.build(tmp_path) == []


def test_a_build_that_is_broken_off_leaves_what_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build.build(tmp_path)
    target = tmp_path / "films_sql" / "built" / "films.db"
    before = target.read_bytes()

    def full(path: Path) -> None:
        path.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(build.BUILT, "films_sql/built/films.db", full)
    with pytest.raises(OSError, match="No space left"):
        build.build(tmp_path, force=True)
    assert target.read_bytes() == before
    assert not list(target.parent.glob("*.part"))


@pytest.mark.parametrize("target", sorted(build.BUILT))
def test_a_damaged_file_is_found_and_built_again(target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build.build(tmp_path)
    whole = (tmp_path / target).read_bytes()
    (tmp_path / target).write_bytes(whole[: len(whole) // 2])
    source = next(i for i, location in build.LOCATIONS.items() if location == target)
    assert build._differs(tmp_path / target, json.loads(build.HASHES.read_text())[source])
    assert build.build(tmp_path) == [target]
    assert (tmp_path / target).read_bytes() == whole
    assert build.build(tmp_path) == []


def test_no_question_is_an_example_of_a_card(catalog: Catalog) -> None:
    """Cards are read when sources are selected: a question among them would measure nothing."""
    asked = {_plain(q["question"]) for q in QUESTIONS}
    assert not asked & {_plain(example) for card in catalog for example in card.examples}


def _plain(question: str) -> str:
    return "".join(c for c in question.casefold() if c.isalnum())


def test_borders_are_held_by_both_countries() -> None:
    rows = turtle.table(build.HERE / "countries" / "countries.tsv")
    borders = {row["code"]: {code for code in row["borders"].split(";") if code} for row in rows}
    assert {(a, b) for a, near in borders.items() for b in near if a not in borders[b]} == set()


def test_a_full_disk_ends_in_a_message(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(build, "build", full)
    monkeypatch.setattr(sys, "argv", ["build.py"])
    assert build.main() == 1
    assert "Free some space" in capsys.readouterr().err


def test_it_runs_from_anywhere(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "sample_sources" / "build.py"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_there_are_sources_of_each_kind_with_what_each_needs(catalog: Catalog) -> None:
    assert min(Counter(c.kind for c in catalog)[kind] for kind in (Kind.SQL, Kind.RDF, Kind.GRAPH, Kind.TEXT)) >= 2
    for card in catalog:
        match catalog[card.id].describe():
            case TextSchema(passages=count):
                assert count >= 80
            case GraphSchema() as schema:
                assert sum(n.count for n in schema.nodes) >= 1_000
                assert any(r.properties for r in schema.rels)
            case RdfSchema() as rdf:
                assert any(len(p.languages) > 1 for p in rdf.predicates)
                assert {p.datatype for p in rdf.predicates if p.datatype}
            case SqlSchema() as sql:
                assert any(t.is_view for t in sql.tables)
                assert any(c.numeric_text for t in sql.tables for c in t.columns)
                assert any(t.foreign_keys for t in sql.tables)
                assert any(" " in c.name for t in sql.tables for c in t.columns)


def test_laureates_is_a_graph_of_qualified_statements(catalog: Catalog) -> None:
    schema = catalog["laureates"].describe()
    assert isinstance(schema, RdfSchema) and schema.triples >= 50_000
    qualifiers = {p.label: p.count for p in schema.predicates if p.form == "qualifier"}
    assert {"point in time", "start time", "end time", "together with", "replaces", "prize money"} <= set(qualifiers)
    assert sum(qualifiers.values()) >= 5_000


def test_the_databases_hold_nulls_and_dates(catalog: Catalog) -> None:
    for name, sql in (("films_sql", "SELECT count(*) FROM film WHERE budget_musd IS NULL"), ("clinic", "SELECT count(*) FROM visits WHERE follow_up IS NULL")):  # fmt: skip
        db = sqlite3.connect(build.HERE / build.LOCATIONS[name])
        assert db.execute(sql).fetchone()[0] > 0
        db.close()


def test_one_database_is_wide_and_some_tables_are_long(catalog: Catalog) -> None:
    schema = catalog["hospital"].describe()
    assert isinstance(schema, SqlSchema)
    assert len([t for t in schema.tables if not t.is_view]) == 60
    assert all(t.rows for t in schema.tables)
    assert max(t.rows or 0 for t in schema.tables) > 20_000
    streaming = catalog["streaming"].describe()
    assert isinstance(streaming, SqlSchema)
    assert max(t.rows or 0 for t in streaming.tables) > 30_000


def test_the_questions_are_well_formed() -> None:
    assert len({q["id"] for q in QUESTIONS}) == len(QUESTIONS) >= 24
    assert all(q["need"] in ("any", "all") and q["half"] in ("dev", "blind") and q["tags"] for q in QUESTIONS)
    assert len({gold["source_id"] for _, gold in GOLDS}) >= 8


def test_the_questions_cover_what_they_should() -> None:
    tags = Counter(tag for q in QUESTIONS for tag in q["tags"])
    halves = Counter(q["half"] for q in QUESTIONS)
    assert halves["dev"] >= 54 and halves["blind"] >= 66
    assert sum(q["need"] == "any" and len(q["gold"]) > 1 for q in QUESTIONS) >= 20
    assert sum(q["need"] == "all" for q in QUESTIONS) >= 14
    assert sum(not q["gold"] for q in QUESTIONS) >= 14
    assert {"lookup", "count", "filter", "superlative", "group", "two-hop", "path", "yesno", "passage"} <= set(tags)
    assert len({gold["source_id"] for _, gold in GOLDS}) >= 14
    assert len(build.LOCATIONS) == 16


@pytest.mark.slow
@pytest.mark.parametrize(("name", "gold"), GOLDS, ids=[f"{n}-{g['source_id']}" for n, g in GOLDS])
def test_gold_query_returns_its_answer(catalog: Catalog, name: str, gold: dict[str, Any]) -> None:
    source = catalog[gold["source_id"]]
    assert gold["language"] == source.card.language
    query = NativeQuery(gold["source_id"], source.card.language, gold["query"], Origin.GIVEN)
    payload = source.run(query).payload
    items = payload_items(payload)
    if gold["language"] == "text":
        ids = {
            json.loads(line)["_id"]
            for line in (build.HERE / build.LOCATIONS[gold["source_id"]]).read_text().splitlines()
        }
        assert {row[0] for row in gold["answer"]} <= ids
        return
    got = [[item] for item in items] if isinstance(payload, Truth) else items
    assert sorted(map(_key, got)) == sorted(map(_key, gold["answer"]))


def _key(row: object) -> str:
    return json.dumps(row, sort_keys=True, ensure_ascii=False)
