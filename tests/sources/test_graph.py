"""The graph source on a real ArcadeDB: what it loads, says of itself and notes."""

from __future__ import annotations

import datetime as dt
import gzip
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from core.errors import QueryFailed, QueryRejected, QueryTimedOut, SourceUnavailable
from core.results import Duration, Node, Point, Rows
from core.results import Path as GraphPath
from core.settings import Settings
from core.sources.base import GraphSchema, Limits
from core.sources.graph import GraphSource, native
from tests.sources.conftest import Engine, card

pytestmark = pytest.mark.slow

NODES: list[dict[str, Any]] = [
    {"id": 1, "labels": ["Ship", "Ferry"], "props": {"name": "Anna", "launched": {"date": "1999-05-01"}, "crew": 12}},
    {"id": 2, "labels": ["Ship"], "props": {"name": "Béla", "length": 101.5, "tags": ["old", "slow"]}},
    {"id": 3, "labels": ["Dock"], "props": {"name": "North", "place": {"point": [4.5, 51.9], "crs": 4326}}},
    {"id": 4, "labels": ["Dock Worker"], "props": {"date": "today", "since": {"datetime": "2020-01-02T03:04:05Z"}}},
]
RELS: list[dict[str, Any]] = [
    {"id": "a", "start": 1, "type": "LIES_AT", "end": 3, "props": {"berth": 7, "wait": {"duration": "P1M2DT3S"}}},
    {"id": "b", "start": 2, "type": "LIES AT`S", "end": 3, "props": {}},
    {"id": "c", "start": 1, "type": "LIES_AT", "end": 99, "props": {}},
]


def write(folder: Path, nodes: list[dict[str, Any]], rels: list[dict[str, Any]], suffix: str = "") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, records in (("nodes.jsonl", nodes), ("rels.jsonl", rels)):
        text = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records).encode()
        (folder / (name + suffix)).write_bytes(gzip.compress(text) if suffix else text)


def open_graph(folder: Path, home: Path, source_id: str = "harbour") -> GraphSource:
    return GraphSource(card(source_id, "arcadedb"), folder, Settings(home=home), Limits())


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small graph."""
    folder = tmp_path_factory.mktemp("harbour") / "graph"
    write(folder, NODES, RELS, ".gz")
    return folder


@pytest.fixture(scope="module")
def harbour(place: Path, home: Path) -> Iterator[Engine]:
    source = open_graph(place, home)
    yield Engine("arcadedb", source, *[""] * 7)
    source.close()


def rows(graph: Engine, text: str, limits: Limits | None = None) -> tuple[Any, ...]:
    return graph.source.run(graph.query(text), limits).payload.items


STORED = [
    ("both labels of a node", "MATCH (s:Ferry) RETURN labels(s)", ({"Ship", "Ferry"},)),
    ("a node by either label", "MATCH (s:Ship) RETURN count(s)", (2,)),
    ("a date", "MATCH (s:Ferry) RETURN s.launched", (dt.date(1999, 5, 1),)),
    ("a list", "MATCH (s {name: 'Béla'}) RETURN s.tags", (("old", "slow"),)),
    ("a real", "MATCH (s {name: 'Béla'}) RETURN s.length", (101.5,)),
    ("a point", "MATCH (d:Dock) RETURN d.place", (Point((4.5, 51.9), 4326),)),
    ("a property called date", "MATCH (w:`Dock Worker`) RETURN w.date", ("today",)),
    ("a moment", "MATCH (w:`Dock Worker`) RETURN w.since", (dt.datetime(2020, 1, 2, 3, 4, 5, tzinfo=dt.UTC),)),
    ("a property of a relationship", "MATCH ()-[r:LIES_AT]->() RETURN r.berth", (7,)),
    ("a type with a back-quote", "MATCH (s)-[:`LIES AT``S`]->() RETURN s.name", ("Béla",)),
    ("no relationship to a node that is not there", "MATCH ()-[r]->() RETURN count(r)", (2,)),
]


@pytest.mark.parametrize(("text", "row"), [c[1:] for c in STORED], ids=[c[0] for c in STORED])
def test_what_the_files_hold_comes_out(harbour: Engine, text: str, row: tuple[object, ...]) -> None:
    ((cell,),) = rows(harbour, text)
    assert (set(cell) if isinstance(row[0], set) else cell) == row[0]


def test_a_path_is_walked_in_its_own_direction(harbour: Engine) -> None:
    ((path,),) = rows(harbour, "MATCH p = (:Dock)<-[:LIES_AT]-(:Ship)  RETURN p")
    assert isinstance(path, GraphPath)
    assert [n.labels for n in path.nodes] == [("Dock",), ("Ferry", "Ship")]
    assert (path.rels[0].start, path.rels[0].end) == (path.nodes[1].id, path.nodes[0].id)


def test_values_of_the_driver_that_python_lacks() -> None:
    from neo4j import time as neo_time

    assert native(neo_time.Duration(months=1, days=2, seconds=3)) == Duration(1, 2, 3, 0)
    assert native({"a": [neo_time.Date(2020, 1, 2)]}) == {"a": (dt.date(2020, 1, 2),)}


def test_it_describes_labels_types_properties_and_edges(harbour: Engine) -> None:
    schema = harbour.source.describe()
    assert isinstance(schema, GraphSchema)
    ship = next(n for n in schema.nodes if n.label == "Ship")
    crew = next(p for p in ship.properties if p.name == "crew")
    assert (ship.count, crew.type, crew.minimum, crew.maximum, crew.samples) == (2, "INTEGER", 12, 12, (12,))
    assert ("Ferry", "LIES_AT", "Dock", 1) in {(e.start, e.type, e.end, e.count) for e in schema.edges}


def test_the_schema_is_kept_between_runs(
    harbour: Engine, place: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    schema = harbour.source.describe()
    again = open_graph(place, home)
    monkeypatch.setattr("core.sources.graph.read_schema", lambda *_: pytest.fail("it was read again"))
    assert again.describe() == schema
    again.close()


def test_stored_names_are_found_with_their_place(harbour: Engine) -> None:
    found = {(m.value, m.place.owner, m.place.field) for m in harbour.source.probe(["bela", "BÉLA", "north", "slow"])}
    assert {("Béla", "Ship", "name"), ("North", "Dock", "name"), ("slow", "Ship", "tags")} <= found


NOTED = [
    ("a count over an unknown label", "MATCH (s:ship) RETURN count(s)", "No label 'ship' in this graph. Did you mean 'Ship'?"),
    ("an unknown property", "MATCH (s:Ship) RETURN s.nmae", "No property 'nmae' in this graph. Did you mean 'name'?"),
    ("an unknown type", "MATCH ()-[r:LIE_AT]->() RETURN r", "No relationship type 'LIE_AT' in this graph. Did you mean 'LIES_AT'?"),
    ("a count over a wrong direction", "MATCH (d:Dock)-[:LIES_AT]->(s:Ship) RETURN count(s)", "(:Ship)-[:LIES_AT]->(:Dock)"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "says"), [c[1:] for c in NOTED], ids=[c[0] for c in NOTED])
def test_names_the_graph_does_not_have_are_noted(harbour: Engine, text: str, says: str) -> None:
    assert any(says in note for note in harbour.source.run(harbour.query(text)).notes)


def test_right_names_are_not_noted(harbour: Engine) -> None:
    text = "MATCH (s:Ship)-[r:LIES_AT {berth: 7}]->(d:Dock) RETURN s.name, s.launched.year, d.place, r.wait"
    assert harbour.source.run(harbour.query(text)).notes == ()


@pytest.mark.parametrize("text", ["MATCH (n RETURN n", "RETURN", "MATCH (n) RETURN m"])
def test_what_the_engine_can_not_run_says_so(harbour: Engine, text: str) -> None:
    with pytest.raises((QueryRejected, QueryFailed), match="The engine"):
        rows(harbour, text)


def test_a_query_beside_one_that_is_stopped_does_not_notice(harbour: Engine) -> None:
    endless = "UNWIND range(1, 3000000) AS x UNWIND range(1, 100000) AS y WITH x * y AS z WHERE z = -1 RETURN count(z)"
    slow = "UNWIND range(1, 3000000) AS x UNWIND range(1, 3) AS y WITH x * y AS z WHERE z % 7 = 0 RETURN count(z)"
    started = time.monotonic()
    assert rows(harbour, slow) == ((1285713,),)
    assert time.monotonic() - started > 1, "it is still running when the other is stopped"
    started = time.monotonic()
    with ThreadPoolExecutor(2) as pool:
        stopped = pool.submit(rows, harbour, endless, Limits(seconds=0.5))
        beside = pool.submit(rows, harbour, slow)
        with pytest.raises(QueryTimedOut):
            stopped.result()
        assert beside.result() == ((1285713,),)
    assert time.monotonic() - started < 60


def test_a_node_stays_itself_in_two_columns(harbour: Engine) -> None:
    payload = harbour.source.run(harbour.query("MATCH (s:Ferry) RETURN s, s AS again")).payload
    assert isinstance(payload, Rows) and isinstance(payload.items[0][0], Node)
    assert payload.items[0][0] == payload.items[0][1]


def test_two_graphs_share_one_server(harbour: Engine, home: Path, tmp_path: Path) -> None:
    write(tmp_path / "other", [{"id": "x", "labels": ["Star"], "props": {"name": "Vega"}}], [])
    other = open_graph(tmp_path / "other", home, "sky")
    sky = Engine("arcadedb", other, *[""] * 7)
    assert rows(sky, "MATCH (n) RETURN n.name") == (("Vega",),)
    assert rows(harbour, "MATCH (n:Star) RETURN n") == ()
    other.close()
    assert rows(harbour, "MATCH (n:Dock) RETURN n.name") == (("North",),), "the other still has its server"


BROKEN = [
    ("no id", [{"labels": ["A"]}], [], "nodes.jsonl line 1 has no 'id'"),
    ("no end", [{"id": 1}], [{"start": 1, "type": "T"}], "rels.jsonl line 1 has no 'end'"),
    ("a list for an object", [[1, 2]], [], "nodes.jsonl line 1"),
]


@pytest.mark.parametrize(("nodes", "rels", "says"), [c[1:] for c in BROKEN], ids=[c[0] for c in BROKEN])
def test_a_damaged_line_is_named(
    tmp_path: Path, home: Path, nodes: list[dict[str, Any]], rels: list[dict[str, Any]], says: str
) -> None:
    write(tmp_path / "graph", nodes, rels)
    with pytest.raises(SourceUnavailable, match=says):
        open_graph(tmp_path / "graph", home, "broken").check()


def test_a_cut_archive_is_named(tmp_path: Path, home: Path) -> None:
    write(tmp_path / "graph", NODES, RELS, ".gz")
    path = tmp_path / "graph" / "nodes.jsonl.gz"
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(SourceUnavailable, match="nodes.jsonl.gz is damaged"):
        open_graph(tmp_path / "graph", home, "broken").check()


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceUnavailable, match=r"nodes.jsonl does not exist"):
        open_graph(tmp_path / "nowhere", tmp_path).check()
