"""SQLite files as found in the wild, and what is said of queries that miss."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from core.errors import QueryError, QueryFailed, QueryRejected, QueryTimedOut, SourceUnavailable
from core.results import Language, NativeQuery, Origin, Returned
from core.sources.base import Limits, Source, SqlSchema
from core.sources.catalog import Catalog
from tests.sources.conftest import open_source

SHIPS = """
create table vessels(id integer primary key, name text, flag text, draught text, captain_id integer, "group" text);
insert into vessels values (1, 'Reef', 'Norway', '9', 1, 'a'), (2, 'Tern', 'NORWAY ', '10', 2, 'b'),
    (3, 'Gull', 'Chile', 'n/a', 1, 'a'), (4, 'Skua', 'Chile', '12,5', 2, 'b');
create table captains(id integer primary key, name text, "order" integer);
insert into captains values (1, 'Olaf', 1), (2, 'Ines', 2);
"""
ENDLESS_VIEW = (
    "create view endless as with recursive n(x) as (select 1 union all select x + 1 from n) select x, x as y from n;"
)


def ask(source: Source, text: str, limits: Limits | None = None) -> Returned:
    """The result of `text`, as a person would give it."""
    return source.run(NativeQuery(source.card.id, Language.SQL, text, Origin.GIVEN), limits)


def made(path: Path, script: str) -> Source:
    """A source on a new file, with its state beside it."""
    with sqlite3.connect(path) as db:
        db.executescript(script)
    db.close()
    return open_source("sqlite", path, path.parent / "home")


@pytest.fixture(scope="module")
def ships(tmp_path_factory: pytest.TempPathFactory) -> Source:
    """Two tables with an awkward name, numbers as text and two spellings of one country."""
    return made(tmp_path_factory.mktemp("ships") / "ships.db", SHIPS)


@dataclass(frozen=True)
class Wrong:
    """A query that misses, and what its reader must be told."""

    name: str
    text: str
    error: type[QueryError]
    says: list[str] = field(default_factory=list)


WRONG = [
    Wrong("a misspelt column", "SELECT nmae FROM vessels", QueryFailed, ["no such column: nmae", "Nearest: name"]),
    Wrong("a column of the other table", "SELECT v.order FROM vessels v", QueryRejected, ['near "order"', 'double quotes: "order"']),
    Wrong("a quoted column of the other table", 'SELECT v."order" FROM vessels v', QueryFailed, ["It stands in: captains"]),
    Wrong("a misspelt table", "SELECT * FROM vesels", QueryFailed, ["no such table", "Nearest: vessels"]),
    Wrong("a wrong name inside a query", "SELECT n FROM (SELECT naem AS n FROM captains)", QueryFailed, ["Nearest: name"]),
    Wrong("a wrong name inside a CTE", "WITH c AS (SELECT flagg FROM vessels) SELECT * FROM c", QueryFailed, ["Nearest: flag"]),
    Wrong("a name of two tables", "SELECT name FROM vessels, captains", QueryFailed, ["vessels.name or captains.name"]),
    Wrong("an alias that is not there", "SELECT c.name FROM vessels v", QueryFailed, ["No table or alias 'c'", "It has: v"]),
    Wrong("a reserved word as a column", "SELECT group FROM vessels", QueryRejected, ["line 1, column 8", '"group"']),
    Wrong("a place on a later line", "SELECT name\nFROM vessels\nWHERE group = 'a'", QueryRejected, ["line 3, column 7"]),
    Wrong("another dialect's limit", "SELECT TOP 5 * FROM vessels", QueryRejected, ["can't parse", "column 12"]),
    Wrong("another dialect's function", "SELECT YEAR(flag) FROM vessels", QueryFailed, ["strftime('%Y', x)"]),
    Wrong("another dialect's clock", "SELECT NOW()", QueryFailed, ["datetime('now')"]),
    Wrong("another dialect's top", "SELECT TOP(5) name FROM vessels", QueryFailed, ["There is no TOP", "LIMIT 5"]),
    Wrong("another dialect's fetch", "SELECT name FROM vessels FETCH FIRST 5 ROWS ONLY", QueryRejected, ["LIMIT 5"]),
    Wrong("another dialect's match", "SELECT name FROM vessels WHERE name ILIKE 'a%'", QueryRejected, ["no ILIKE"]),
    Wrong("another dialect's pattern", "SELECT name FROM vessels WHERE name REGEXP '^a'", QueryFailed, ["no regular expressions"]),
    Wrong("another dialect's part", "SELECT EXTRACT(YEAR FROM flag) FROM vessels", QueryRejected, ["no EXTRACT", "strftime"]),
    Wrong("another dialect's cast", "SELECT flag::date FROM vessels", QueryRejected, ["CAST(x AS REAL)"]),
    Wrong("another dialect's interval", "SELECT flag + INTERVAL 1 DAY FROM vessels", QueryRejected, ["'+1 day'"]),
    Wrong("another dialect's window filter", "SELECT name FROM vessels QUALIFY row_number() OVER () = 1", QueryRejected, ["no QUALIFY"]),
    Wrong("another dialect's difference", "SELECT DATEDIFF(day, flag, flag) FROM vessels", QueryFailed, ["no datediff()", "julianday"]),
    Wrong("another dialect's branch", "SELECT IF(1, 2, 3)", QueryFailed, ["iif(test, a, b)"]),
    Wrong("a count in WHERE", "SELECT flag FROM vessels WHERE count(*) > 1", QueryFailed, ["HAVING"]),
    Wrong("a schema's name in front", "SELECT name FROM public.vessels", QueryFailed, ['write "vessels"']),
    Wrong("a misspelt function", "SELECT substrr(name, 1) FROM vessels", QueryFailed, ["Nearest: substr"]),
    Wrong("a place for a value", "SELECT name FROM vessels WHERE id = ?", QueryRejected, ["open parameters"]),
    Wrong("a named place for a value", "SELECT name FROM vessels WHERE id = :id", QueryRejected, ["open parameters"]),
    Wrong("a zero character", "SELECT '\0'", QueryRejected, ["U+0000"]),
    Wrong("half a character", "SELECT '\ud83d'", QueryRejected, ["U+D83D"]),
    Wrong("a query without end", "SELECT name FROM vessels WHERE (id = 1", QueryRejected, ["incomplete input"]),
    Wrong("a query of a megabyte", "SELECT " + "1 + " * 300_000 + "1", QueryRejected, ["characters"]),
    Wrong("what looks into the file", "SELECT * FROM pragma_table_info('vessels')", QueryRejected, ["only be read"]),
    Wrong("an explanation", "EXPLAIN SELECT 1", QueryRejected, ["read-only"]),
]  # fmt: skip


@pytest.mark.parametrize("case", WRONG, ids=lambda case: case.name)
def test_a_query_that_misses_is_told_what_to_write(ships: Source, case: Wrong) -> None:
    with pytest.raises(case.error) as error:
        ask(ships, case.text)
    assert [s for s in case.says if s not in error.value.message] == []
    assert "\x1b" not in error.value.message


NOTED = [
    ("a value in another case", "SELECT name FROM vessels WHERE flag = 'norway'", ["no 'norway'", "'Norway', 'NORWAY '"]),
    ("a count of nothing", "SELECT count(*) FROM vessels WHERE flag = 'CHILE'", ["no 'CHILE'", "'Chile'"]),
    ("a value in a list", "SELECT name FROM vessels v WHERE v.flag IN ('norway', 'Peru')", ["vessels.flag has no 'norway'"]),
    ("a value in double quotes", 'SELECT name FROM vessels WHERE flag = "chile"', ["no 'chile'"]),
    ("a misspelt value", "SELECT name FROM captains WHERE name = 'Olaff'", ["'Olaf'"]),
    ("an order by numbers as text", "SELECT name FROM vessels ORDER BY draught DESC", ["numbers as text (TEXT)", "CAST(REPLACE(draught, ',', '.') AS REAL)"]),
    ("the largest of numbers as text", "SELECT max(v.draught) FROM vessels v", ["CAST(REPLACE(v.draught, ',', '.') AS REAL)"]),
    ("a bound on numbers as text", "SELECT name FROM vessels WHERE draught > '9'", ["numbers as text"]),
    ("the sum of numbers as text", "SELECT sum(draught) FROM vessels", ["numbers as text"]),
    ("a part of a value", "SELECT name FROM vessels WHERE flag LIKE 'Chille%'", ["no 'Chille'", "'Chile'"]),
    ("a value of another column", "SELECT name FROM captains WHERE name = 'Chile'", ["captains.name has no 'Chile'", "It stands in vessels.flag"]),
    ("a lower value in capitals", "SELECT name FROM vessels WHERE lower(flag) = 'Norway'", ["never 'Norway'", "'norway'"]),
    ("a text compared with a number", "SELECT name FROM vessels WHERE flag > 5", ["every text is above every number"]),
    ("a sum of texts", "SELECT sum(flag) FROM vessels", ["count as 0"]),
    ("a column of some row", "SELECT name, count(*) FROM vessels", ["name is neither grouped nor aggregated"]),
    ("a column that is not grouped", "SELECT name, count(*) FROM vessels GROUP BY flag", ["name is neither"]),
    ("a format that is not known", "SELECT strftime('%y', '2021-02-03')", ["nothing for %y"]),
    ("a misspelt column in quotes", 'SELECT "nmae" FROM vessels', ['"nmae" is no column']),
    ("tables that nothing joins", "SELECT count(*) FROM vessels v, captains c", ["Nothing joins c with the rest"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "says"), [c[1:] for c in NOTED], ids=[c[0] for c in NOTED])
def test_a_result_that_may_mislead_is_explained(ships: Source, text: str, says: list[str]) -> None:
    notes = " ".join(ask(ships, text).notes)
    assert [s for s in says if s not in notes] == []


QUIET = [
    ("a value as it is stored", "SELECT name FROM vessels WHERE flag = 'Chile' AND name = 'Reef'"),
    ("a value like none that is stored", "SELECT name FROM vessels WHERE flag = 'Peru'"),
    ("numbers as text made numbers", "SELECT name FROM vessels ORDER BY CAST(draught AS REAL)"),
    ("text in double quotes that is found", 'SELECT name FROM vessels WHERE flag = "Chile"'),
    ("a column that is grouped", "SELECT flag, count(*) FROM vessels GROUP BY flag"),
    ("the row of a largest value", "SELECT name, max(id) FROM vessels"),
    ("columns of a grouped key", "SELECT id, name, count(*) FROM vessels GROUP BY id"),
    ("a column grouped by its place", "SELECT flag, count(*) FROM vessels GROUP BY 1"),
    ("a part of a value that is stored", "SELECT name FROM vessels WHERE flag LIKE 'nor%' AND id = 99"),
    ("a window beside columns", "SELECT name, count(*) OVER () FROM vessels"),
    ("a known format", "SELECT strftime('%Y-%m', '2021-02-03')"),
    ("an order by real numbers", "SELECT name FROM vessels ORDER BY id"),
    ("tables joined by a condition", "SELECT count(*) FROM vessels v, captains c WHERE v.name <> c.name"),
    ("a table with itself", "SELECT count(*) FROM vessels a JOIN vessels b USING (flag)"),
]


@pytest.mark.slow
def test_dates_with_the_year_last_are_no_numbers_and_sort_otherwise(samples: Catalog) -> None:
    source = samples["hospital"]
    schema = source.describe()
    assert isinstance(schema, SqlSchema)
    column = next(c for t in schema.tables if t.name == "imaging_report" for c in t.columns if c.name == "reported_on")
    assert not column.numeric_text
    notes = " ".join(ask(source, "SELECT count(*) FROM imaging_report WHERE reported_on > '2023-01-01'").notes)
    assert "sort by their first figures" in notes and "substr(reported_on, 7, 4)" in notes


@pytest.mark.parametrize("text", [c[1] for c in QUIET], ids=[c[0] for c in QUIET])
def test_nothing_is_said_of_what_is_right(ships: Source, text: str) -> None:
    assert ask(ships, text).notes == ()


TAILS = ["SELECT 1; -- done", "SELECT 1;;", "SELECT 1 ; \n", "SELECT 1 /* ; */", "-- first\nSELECT 1"]


@pytest.mark.parametrize("text", TAILS)
def test_one_statement_with_a_tail_runs(ships: Source, text: str) -> None:
    assert ask(ships, text).payload.items == ((1,),)


def test_a_view_without_end_hides_nothing(tmp_path: Path) -> None:
    source = made(
        tmp_path / "a.db", SHIPS + ENDLESS_VIEW + "create table last(word text); insert into last values ('seen');"
    )
    started = time.monotonic()
    schema = source.describe()
    assert time.monotonic() - started < 8
    assert isinstance(schema, SqlSchema)
    tables = {t.name: t for t in schema.tables}
    assert [c.name for c in tables["endless"].columns] == ["x", "y"] and tables["endless"].rows is None
    assert tables["last"].columns[0].samples == ("seen",)
    assert [m.value for m in source.probe(["seen"])] == ["seen"]
    with pytest.raises(QueryTimedOut):
        ask(source, "SELECT count(*) FROM endless", Limits(seconds=0.3))


def test_a_mistake_is_told_at_once_beside_a_view_without_end(tmp_path: Path) -> None:
    source = made(tmp_path / "a.db", SHIPS + ENDLESS_VIEW)
    started = time.monotonic()
    with pytest.raises(QueryFailed, match="strftime"):
        ask(source, "SELECT YEAR(flag) FROM vessels")
    assert time.monotonic() - started < 1


def test_a_schema_is_read_once_and_again_after_a_change(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    first = made(path, SHIPS).describe()
    kept = list((tmp_path / "home" / "indexes").glob("*.json"))
    assert len(kept) == 1
    assert open_source("sqlite", path, tmp_path / "home").describe() == first
    with sqlite3.connect(path) as db:
        db.execute("insert into captains values (3, 'Tove', 3)")
    db.close()
    source = open_source("sqlite", path, tmp_path / "home")
    tables = {t.name: t.rows for t in source.describe().tables}  # type: ignore[union-attr]
    assert tables == {"vessels": 4, "captains": 3}
    assert [m.value for m in source.probe(["tove"])] == ["Tove"]


def test_a_damaged_kept_schema_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    first = made(path, SHIPS).describe()
    for kept in (tmp_path / "home" / "indexes").glob("*.json"):
        kept.write_text('{"dialect": "sqlite", "tables": [{}]}')
    assert open_source("sqlite", path, tmp_path / "home").describe() == first


def test_old_indexes_do_not_pile_up(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    source = made(path, SHIPS)
    for number in range(7):
        with sqlite3.connect(path) as db:
            db.execute("insert into captains(name) values (?)", (f"Captain {number}",))
        db.close()
        os.utime(path, (number, number))
        assert source.probe([f"captain {number}"])
    assert len(list((tmp_path / "home" / "indexes").iterdir())) <= 8


# --- files in a bad state -----------------------------------------------------------------------


def rows(path: Path) -> None:
    """A file of many pages."""
    with sqlite3.connect(path) as db:
        db.execute("create table a(x)")
        db.executemany("insert into a values (?)", [(f"value {n} " * 50,) for n in range(2_000)])
    db.close()


USES = {
    "check": lambda source: source.check(),
    "describe": lambda source: source.describe(),
    "probe": lambda source: source.probe(["value"]),
    "run": lambda source: ask(source, "SELECT count(*), max(x) FROM a"),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize(
    ("state", "says"),
    [("missing", "does not exist"), ("empty", "is empty"), ("text", "not a SQLite"), ("folder", "is a folder"),
     ("cut", "damaged"), ("garbled", "damaged"), ("locked", "locked by another program")],
)  # fmt: skip
def test_a_bad_file_is_told_in_every_use(tmp_path: Path, state: str, says: str, use: str) -> None:
    path = tmp_path / "bad.db"
    rows(path)
    whole = path.read_bytes()
    holder = None
    match state:
        case "missing":
            path.unlink()
        case "empty":
            path.write_bytes(b"")
        case "text":
            path.write_text("id,name\n1,Reef\n" * 20)
        case "folder":
            path.unlink()
            path.mkdir()
        case "cut":
            path.write_bytes(whole[: len(whole) // 2])
        case "garbled":
            path.write_bytes(whole[:4096] + os.urandom(len(whole) - 4096))
        case _:
            holder = sqlite3.connect(path)
            holder.execute("BEGIN EXCLUSIVE")
    source = open_source("sqlite", path, tmp_path / "home")
    try:
        with pytest.raises(SourceUnavailable, match=says) as error:
            USES[use](source)
        assert str(path) in error.value.message
    finally:
        if holder:
            holder.close()


def test_a_broken_off_write_is_undone_in_a_copy(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    rows(path)
    code = (
        "import os, sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute('pragma cache_size = 1')\n"
        "db.execute('begin'); db.execute(\"update a set x = 'new'\"); os._exit(1)"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    before = {p.name: p.read_bytes() for p in tmp_path.iterdir() if p.is_file()}
    assert set(before) == {"a.db", "a.db-journal"}
    source = open_source("sqlite", path, tmp_path / "home")
    source.check()
    assert ask(source, "SELECT count(*) FROM a WHERE x = 'new'").payload.items == ((0,),)
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir() if p.is_file()} == before


def test_a_file_that_is_being_written_is_read_again_and_again(tmp_path: Path) -> None:
    path = tmp_path / "live.db"
    writer = sqlite3.connect(path)
    writer.executescript("PRAGMA journal_mode = WAL; create table a(x);")
    source = open_source("sqlite", path, tmp_path / "home")
    for number in range(6):
        writer.execute("insert into a values (?)", (number,))
        writer.commit()
        assert ask(source, "SELECT count(*) FROM a").payload.items == ((number + 1,),)
    assert len(list((tmp_path / "home" / "copies" / source.card.id).iterdir())) <= 3
    writer.close()
