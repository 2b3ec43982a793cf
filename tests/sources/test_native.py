"""Values come out of each engine as they went in."""

from __future__ import annotations

import datetime as dt
import sqlite3
from pathlib import Path

import pytest

from core.errors import QueryFailed, QueryRejected, SourceUnavailable
from core.results import Bnode, Iri, Kind, Literal, Node, Paths, Point, Rel, Rows, Triples, Truth
from core.sources.base import Limits
from tests.sources.conftest import Engine, open_source

EX = "PREFIX ex: <http://example.org/> "
XSD = "http://www.w3.org/2001/XMLSchema#"


# --- SQL ---------------------------------------------------------------------------------------


@pytest.fixture
def wild(tmp_path: Path) -> Engine:
    """A SQLite file as found in the wild."""
    with sqlite3.connect(tmp_path / "wild.db") as db:
        db.executescript(
            """
            create table "order"("group" text, "Order Date" date, total decimal(8,2), note text);
            insert into "order" values ('a', '2020-01-02', 1.5, 'fine'), ('b', null, 2, cast(x'ff41' as text));
            create table sizes(v text); insert into sizes values ('9'), ('10'), ('n/a'), ('12,5');
            create view big as select "group", total from "order" where total > 1.7;
            create table made(a integer, b integer generated always as (a * 2) virtual); insert into made(a) values (3);
            create table keyed(k text primary key, v integer) without rowid; insert into keyed values ('x', 1);
            create virtual table docs using fts5(body); insert into docs values ('a reef of coral');
            create table bare(a, b);
            create table big_number(n); insert into big_number values (9223372036854775807);
            """
        )
    return Engine("sqlite", open_source("sqlite", tmp_path / "wild.db", tmp_path / "home"), *[""] * 7)


SQL = [
    ("a blob, NULL and a real", "SELECT poster, budget FROM film WHERE title IN ('Ran', 'Ikiru') ORDER BY title", None),
    ("reserved words in quotes", 'SELECT "group" FROM "order" ORDER BY 1', (("a",), ("b",))),
    ("a column with a space", 'SELECT "Order Date" FROM "order" WHERE "group" = \'a\'', (("2020-01-02",),)),
    ("a view", 'SELECT "group" FROM big', (("b",),)),
    ("a generated column", "SELECT b FROM made", ((6,),)),
    ("a table without rowid", "SELECT v FROM keyed", ((1,),)),
    ("full text", "SELECT body FROM docs WHERE docs MATCH 'coral'", (("a reef of coral",),)),
    ("the largest integer", "SELECT n FROM big_number", ((9223372036854775807,),)),
    ("JSON functions", "SELECT value FROM json_each('[1, 2]')", ((1,), (2,))),
    ("text with a semicolon", "SELECT 'a;b'", (("a;b",),)),
]


@pytest.mark.parametrize(("text", "rows"), [c[1:] for c in SQL[1:]], ids=[c[0] for c in SQL[1:]])
def test_sqlite(wild: Engine, text: str, rows: tuple[tuple[object, ...], ...]) -> None:
    payload = wild.source.run(wild.query(text)).payload
    assert isinstance(payload, Rows) and payload.items == rows


def test_sqlite_keeps_blobs_and_null(engines: dict[Kind, Engine]) -> None:
    sql = engines[Kind.SQL]
    payload = sql.source.run(sql.query(SQL[0][1])).payload
    assert payload.items == ((None, None), (b"\xff\x00", 11.5))


def test_text_that_is_not_utf8_is_shown_with_a_mark_and_a_note(wild: Engine) -> None:
    returned = wild.source.run(wild.query('SELECT note FROM "order"'))
    assert returned.payload.items == (("fine",), ("\ufffdA",))
    assert "not UTF-8" in returned.notes[0]


def test_columns_of_one_name_are_both_kept(wild: Engine) -> None:
    payload = wild.source.run(wild.query("SELECT a.v, b.v FROM sizes a, sizes b LIMIT 1")).payload
    assert isinstance(payload, Rows) and payload.columns == ("v", "v")


def test_sqlite_schema_of_the_wild(wild: Engine) -> None:
    schema = wild.source.describe()
    tables = {t.name: t for t in schema.tables}  # type: ignore[union-attr]
    assert {"order", "big", "made", "keyed", "docs", "bare"} <= set(tables)
    assert not any(name.startswith("docs_") for name in tables), "shadow tables stay hidden"
    assert tables["big"].is_view and not tables["order"].is_view
    assert [c.name for c in tables["made"].columns] == ["a", "b"]
    assert tables["sizes"].columns[0].numeric_text and not tables["order"].columns[0].numeric_text
    assert tables["bare"].rows == 0


def test_sqlite_names_the_nearest_column(wild: Engine) -> None:
    with pytest.raises(QueryFailed, match="Nearest: group"):
        wild.source.run(wild.query('SELECT o.grup FROM "order" o'))


@pytest.mark.parametrize(
    "text",
    ["ATTACH DATABASE '{}' AS x", "VACUUM INTO '{}'", "PRAGMA journal_mode = WAL", "SELECT load_extension('x')"],
)
def test_sqlite_makes_no_file(wild: Engine, tmp_path: Path, text: str) -> None:
    target = tmp_path / "made.db"
    with pytest.raises(QueryRejected):
        wild.source.run(wild.query(text.format(target)))
    assert not target.exists()
    assert sorted(p.name for p in tmp_path.glob("wild.db*")) == ["wild.db"]


def test_a_giant_value_is_stopped(wild: Engine) -> None:
    with pytest.raises(QueryFailed, match="too big"):
        wild.source.run(wild.query("SELECT zeroblob(500000000)"))


def test_a_long_cell_is_cut_with_a_note(wild: Engine) -> None:
    returned = wild.source.run(wild.query("SELECT printf('%.*c', 5000, 'x')"), Limits(max_cell_bytes=100))
    assert len(str(returned.payload.items[0][0])) == 100  # type: ignore[index]
    assert "cut" in returned.notes[0]


def test_a_locked_file_says_so(tmp_path: Path) -> None:
    path = tmp_path / "busy.db"
    holder = sqlite3.connect(path)
    holder.executescript("create table a(b); insert into a values (1);")
    holder.execute("BEGIN EXCLUSIVE")
    try:
        with pytest.raises(SourceUnavailable, match="locked by another program"):
            open_source("sqlite", path, tmp_path / "home").check()
    finally:
        holder.rollback()
        holder.close()


def test_a_file_in_wal_mode_is_read_without_a_trace(tmp_path: Path) -> None:
    path = tmp_path / "wal.db"
    writer = sqlite3.connect(path)
    writer.executescript("PRAGMA journal_mode=WAL; create table a(b); insert into a values (7);")
    source = open_source("sqlite", path, tmp_path / "home")
    busy = Engine("sqlite", source, *[""] * 7)
    assert source.run(busy.query("SELECT b FROM a")).payload.items == ((7,),), "rows still in the log are seen"
    writer.close()
    before = sorted(p.name for p in tmp_path.glob("wal.db*"))
    assert source.run(busy.query("SELECT b FROM a")).payload.items == ((7,),)
    assert sorted(p.name for p in tmp_path.glob("wal.db*")) == before


# --- RDF ---------------------------------------------------------------------------------------

SPARQL = [
    ("a typed date", "SELECT ?d { ex:ran ex:released ?d }", {(Literal("1985-06-01", None, XSD + "date"),)}),
    ("a decimal, in its canonical form", "SELECT ?d { ex:ran ex:budget ?d }", {(Literal("11.5", None, XSD + "decimal"),)}),
    (
        "language tags",
        "SELECT ?l { ex:reef <http://www.w3.org/2000/01/rdf-schema#label> ?l }",
        {(Literal("Reef", "en"),), (Literal("Reef", "en-gb"),), (Literal("Reef", None, XSD + "string"),), (Literal("Récif", "fr"),)},
    ),
    ("an IRI", "SELECT ?d { ex:ran ex:director ?d }", {(Iri("http://example.org/kurosawa"),)}),
    ("an unbound variable", "SELECT ?d ?x { ex:ran ex:director ?d }", {(Iri("http://example.org/kurosawa"), None)}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "rows"), [c[1:] for c in SPARQL], ids=[c[0] for c in SPARQL])
def test_oxigraph(engines: dict[Kind, Engine], text: str, rows: set[tuple[object, ...]]) -> None:
    rdf = engines[Kind.RDF]
    payload = rdf.source.run(rdf.query(EX + text)).payload
    assert isinstance(payload, Rows)
    assert {tuple(_plain(c) for c in row) for row in payload.items} == {tuple(_plain(c) for c in row) for row in rows}


def _plain(cell: object) -> object:
    """A literal with its tag in one case, and a plain string whether or not it names its type."""
    if isinstance(cell, Literal):
        datatype = None if cell.datatype == XSD + "string" else cell.datatype
        return cell.value, cell.lang and cell.lang.lower(), datatype
    return cell


def test_blank_nodes_are_stable_within_a_result(engines: dict[Kind, Engine]) -> None:
    rdf = engines[Kind.RDF]
    items = rdf.source.run(
        rdf.query(EX + "SELECT ?d ?e { ex:reef ex:director ?d . ex:reef ex:director ?e }")
    ).payload.items
    assert items[0][0] == items[0][1] and isinstance(items[0][0], Bnode)  # type: ignore[index]


def test_construct_gives_triples_and_ask_a_truth(engines: dict[Kind, Engine]) -> None:
    rdf = engines[Kind.RDF]
    built = rdf.source.run(rdf.query(EX + 'CONSTRUCT { ex:ran ex:said "a \\"b\\"\\n ü"@en } WHERE {}')).payload
    assert built == Triples(
        ((Iri("http://example.org/ran"), Iri("http://example.org/said"), Literal('a "b"\n ü', "en")),)
    )
    assert rdf.source.run(rdf.query(EX + "ASK { ex:ran ex:director ex:tati }")).payload == Truth(False)


def test_a_missing_prefix_is_added_and_shown(engines: dict[Kind, Engine]) -> None:
    rdf = engines[Kind.RDF]
    returned = rdf.source.run(rdf.query("SELECT ?d { ex:ran ex:director ?d }"))
    assert returned.query.text.startswith("PREFIX ex: <http://example.org/>")
    assert "PREFIX ex: added." in returned.notes


def test_a_variable_that_is_not_grouped_is_explained(engines: dict[Kind, Engine]) -> None:
    rdf = engines[Kind.RDF]
    with pytest.raises(QueryRejected, match="neither grouped nor aggregated"):
        rdf.source.run(rdf.query(EX + "SELECT ?s ?l { ?s ex:director ?l } GROUP BY ?s"))


def test_rdf_schema(engines: dict[Kind, Engine]) -> None:
    schema = engines[Kind.RDF].source.describe()
    released = next(p for p in schema.predicates if p.iri.endswith("released"))  # type: ignore[union-attr]
    assert (released.label, released.datatype) == ("date of release", XSD + "date")
    assert released.domains == ("http://example.org/Film",)
    assert schema.prefixes["ex"] == "http://example.org/"  # type: ignore[union-attr]


# --- property graphs ---------------------------------------------------------------------------


def test_nodes_relationships_and_paths_keep_all_they_have(engines: dict[Kind, Engine]) -> None:
    graph = engines[Kind.GRAPH]
    text = "MATCH p = (a:Person)-[r:DIRECTED]->(f:Film {title: 'Ran'}) RETURN a, r, f, p"
    ((person, rel, film, path),) = graph.source.run(graph.query(text)).payload.items
    assert isinstance(person, Node) and person.labels == ("Person",)
    assert person.props == {"name": "Akira Kurosawa", "born": dt.date(1910, 3, 23)}
    assert isinstance(rel, Rel) and (rel.type, rel.start, rel.end) == ("DIRECTED", person.id, film.id)  # type: ignore[union-attr]
    assert rel.props == {"days": 120, "roles": ("director", "writer")}
    assert isinstance(film, Node) and film.props["place"] == Point((131.1, 32.9), 4326)
    assert path.nodes == (person, film) and path.rels == (rel,)  # type: ignore[union-attr]


def test_only_paths_and_relationships_are_paths(engines: dict[Kind, Engine]) -> None:
    graph = engines[Kind.GRAPH]
    paths = graph.source.run(graph.query("MATCH p = (:Person)-[r:DIRECTED]->() RETURN p, r")).payload
    rows = graph.source.run(graph.query("MATCH (a:Person)-[r:DIRECTED]->() RETURN r, a.name")).payload
    assert isinstance(paths, Paths) and paths.columns == ("p", "r") and len(paths.items) == 3
    assert isinstance(rows, Rows)


CYPHER = [
    ("a date", "MATCH (p:Person {name: 'Jacques Tati'}) RETURN p.born", dt.date(1907, 10, 9)),
    ("a moment", "MATCH (w:`Dock Worker`) RETURN w.shift", dt.datetime(2020, 1, 2, 3, 4, 5)),
    ("a hyphen in a key", "MATCH (f:Comedy) RETURN f.`pier-no`", "A 7"),
    ("a type with a space", "MATCH (w)-[:`HAS KEY`]->() RETURN w.name", "Olaf"),
    ("a missing property", "MATCH (f:Film {title: 'Ran'}) RETURN f.nothing", None),
    ("a map", "RETURN {a: 1, b: [true, null]}", {"a": 1, "b": (True, None)}),
]


@pytest.mark.parametrize(("text", "value"), [c[1:] for c in CYPHER], ids=[c[0] for c in CYPHER])
def test_arcadedb(engines: dict[Kind, Engine], text: str, value: object) -> None:
    graph = engines[Kind.GRAPH]
    ((cell,),) = graph.source.run(graph.query(text)).payload.items
    assert (cell.replace(tzinfo=None) if isinstance(cell, dt.datetime) else cell) == value


NOTED = [
    ("an unknown label", "MATCH (f:film) RETURN f", "Did you mean 'Film'?"),
    (
        "a wrong direction",
        "MATCH (f:Film)-[:DIRECTED]->(p:Person) RETURN p",
        "the graph has (:Person)-[:DIRECTED]->(:Film)",
    ),
]


@pytest.mark.parametrize(("text", "says"), [c[1:] for c in NOTED], ids=[c[0] for c in NOTED])
def test_an_empty_graph_result_is_explained(engines: dict[Kind, Engine], text: str, says: str) -> None:
    graph = engines[Kind.GRAPH]
    returned = graph.source.run(graph.query(text))
    assert returned.payload.items == () and any(says in note for note in returned.notes)


def test_the_reader_can_not_write_even_past_the_guard(engines: dict[Kind, Engine]) -> None:
    graph = engines[Kind.GRAPH]
    with pytest.raises(QueryRejected, match="read-only"):
        graph.source._ask("CREATE (x:Film {title: 'New'}) RETURN x", Limits())  # type: ignore[attr-defined]
