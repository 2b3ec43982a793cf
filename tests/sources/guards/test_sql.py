"""The SQL guard, case by case."""

from __future__ import annotations

import pytest

from core.errors import QueryRejected
from core.sources.base import Column, SqlSchema, Table
from core.sources.guards.sql import check_sql, plain
from core.sources.guards.sql_names import lint_sql

ALLOWED = [
    ("a plain query", "SELECT name FROM vessels"),
    ("a join with a window", "SELECT a.x, row_number() OVER (ORDER BY a.x) FROM a JOIN b USING (id)"),
    ("a common table expression", "WITH a AS (SELECT 1 AS x) SELECT x FROM a"),
    ("a recursive one", "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n LIMIT 3"),
    ("values alone", "VALUES (1), (2)"),
    ("a union", "SELECT 1 UNION SELECT 2"),
    ("in parentheses", "(SELECT 1)"),
    ("a semicolon in a text", "SELECT 'a;b'"),
    ("a comment after the end", "SELECT 1; -- done"),
    ("a trailing semicolon", "SELECT 1;"),
    ("a word of writing in a text", "SELECT 'drop table x'"),
    ("a column called like a verb", 'SELECT "delete", "update" FROM log'),
    ("replace, the function", "SELECT replace(name, 'a', 'b') FROM vessels"),
]

REFUSED = [
    ("a delete", "DELETE FROM vessels", "reads only"),
    ("a drop", "DROP TABLE vessels", "reads only"),
    ("a delete inside a CTE", "WITH d AS (DELETE FROM vessels RETURNING *) SELECT * FROM d", "reads only"),
    ("an insert from a select", "INSERT INTO a SELECT * FROM b", "reads only"),
    ("an upsert", "REPLACE INTO a VALUES (1)", "reads only"),
    ("create as", "CREATE TABLE a AS SELECT 1", "reads only"),
    ("select into", "SELECT * INTO b FROM a", "reads only"),
    ("attach", "ATTACH DATABASE '/tmp/x.db' AS x", "reads only"),
    ("vacuum into", "VACUUM INTO '/tmp/x.db'", "reads only"),
    ("a pragma", "PRAGMA writable_schema = 1", "reads only"),
    ("a transaction", "BEGIN", "reads only"),
    ("two statements", "SELECT 1; SELECT 2", "one statement"),
    ("a write behind a query", "SELECT 1; DROP TABLE x", "one statement"),
    ("an extension", "SELECT load_extension('x')", "functions"),
    ("a file", "SELECT readfile('/etc/passwd')", "functions"),
    ("a file written", "SELECT writefile('/tmp/x', 'y') FROM a", "functions"),
    ("a function in capitals", "SELECT LOAD_EXTENSION('x')", "functions"),
    ("fenced text", "```sql\nSELECT 1\n```", "reads only"),
    ("prose", "not a query", "reads only"),
    ("nothing", " ; ", "one statement"),
]

UNPARSED = [
    ("nested too deep", "SELECT " + "(" * 300 + "1" + ")" * 300),
    ("a reserved word as a name", "SELECT TOP 5 * FROM vessels WHERE ((("),
]


@pytest.mark.parametrize("text", [c[1] for c in ALLOWED], ids=[c[0] for c in ALLOWED])
def test_reading_is_let_through_unchanged(text: str) -> None:
    verdict = check_sql(text)
    assert verdict.text == text and verdict.checked


@pytest.mark.parametrize(("text", "rule"), [c[1:] for c in REFUSED], ids=[c[0] for c in REFUSED])
def test_everything_else_is_refused_by_a_named_rule(text: str, rule: str) -> None:
    with pytest.raises(QueryRejected) as error:
        check_sql(text, engine_is_safe=True)
    assert error.value.rule == rule
    assert error.value.message.rstrip().endswith((".", "INTO"))


@pytest.mark.parametrize("text", [c[1] for c in UNPARSED], ids=[c[0] for c in UNPARSED])
def test_what_cannot_be_parsed_runs_only_where_the_engine_is_safe(text: str) -> None:
    assert "could not be checked" in check_sql(text, engine_is_safe=True).note
    with pytest.raises(QueryRejected, match="could not be parsed"):
        check_sql(text)


SCHEMA = SqlSchema(
    "sqlite",
    (
        Table("vessels", tuple(Column(n, "text") for n in ("id", "name", "flag"))),
        Table("captains", tuple(Column(n, "text") for n in ("id", "email", "vessel_id"))),
    ),
)

LINT = [
    ("right names", "SELECT v.name FROM vessels v JOIN captains c ON c.vessel_id = v.id", []),
    ("a table that is not there", "SELECT name FROM vesels", ["No table 'vesels'. Nearest: vessels."]),
    ("a column of another table", "SELECT email FROM vessels", ["No column 'email'. It stands in: captains."]),
    ("a misspelt column", "SELECT v.flagg FROM vessels v", ["No column 'v.flagg'. Nearest: flag."]),
    ("an alias is known", "SELECT count(*) AS n FROM vessels ORDER BY n", []),
    ("names of a CTE", "WITH a AS (SELECT 1 AS x) SELECT x FROM a", []),
    ("a name that the CTE lacks", "WITH a AS (SELECT 1 AS x) SELECT y FROM a", ["No column 'y'. There are: x."]),
    ("columns of a CTE listed", "WITH a(p, q) AS (SELECT 1, 2) SELECT p + q FROM a", []),
    ("a recursive CTE", "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n", []),
    ("a star through a query", "SELECT flag FROM (SELECT v.* FROM vessels v)", []),
    ("a wrong name inside a CTE", "WITH a AS (SELECT flagg FROM vessels) SELECT * FROM a", ["No column 'flagg'. Nearest: flag."]),
    ("a wrong name inside a query", "SELECT x FROM (SELECT naem AS x FROM vessels)", ["No column 'naem'. Nearest: name."]),
    ("an outer name", "SELECT id FROM vessels v WHERE EXISTS (SELECT 1 FROM captains WHERE vessel_id = v.id AND email = flag)", []),
    ("a name of two tables", "SELECT id FROM vessels, captains", ["'id' stands in several tables. Write vessels.id or captains.id."]),
    ("a name made one by USING", "SELECT id FROM vessels JOIN captains USING (id)", []),
    ("an alias that is not there", "SELECT w.name FROM vessels v", ["No table or alias 'w' in this FROM. It has: v."]),
    ("a union", "SELECT name FROM vessels UNION SELECT email FROM captains ORDER BY name", []),
    ("a row id", "SELECT rowid FROM vessels", []),
    ("a quoted text", 'SELECT name FROM vessels WHERE flag = "Norway"', []),
    ("a table of tables", "SELECT name FROM sqlite_master", []),
    ("what can't be parsed says nothing", "SELECT FROM WHERE", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), [c[1:] for c in LINT], ids=[c[0] for c in LINT])
def test_lint_names_the_nearest_real_name(text: str, said: list[str]) -> None:
    assert lint_sql(text, SCHEMA) == said


def test_terminal_codes_are_removed() -> None:
    assert plain("\x1b[4mfrom\x1b[0m") == "from"
