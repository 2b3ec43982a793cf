"""The Cypher guard, case by case."""

from __future__ import annotations

import pytest

from core.errors import QueryRejected
from core.sources.base import Edge, GraphSchema, NodeType, Property, RelType
from core.sources.guards.cypher import check_cypher, lint_cypher, tokenize, wrong_directions

ALLOWED = [
    ("a match", "MATCH (n:Film) RETURN n.title"),
    ("an optional match", "OPTIONAL MATCH (n) RETURN n"),
    ("a subquery that reads", "CALL { MATCH (n) RETURN count(n) AS c } RETURN c"),
    ("exists", "MATCH (n) WHERE EXISTS { MATCH (n)-->() } RETURN n"),
    ("a property called set", "MATCH (n) RETURN n.set, n.delete"),
    ("a map key called create", "RETURN {create: 1, delete: 2}"),
    ("a label called Create", "MATCH (n:`Create`) RETURN n"),
    ("a label without quotes", "MATCH (n:Set) RETURN n"),
    ("a write in a text", "MATCH (n) WHERE n.name = 'CREATE (x)' RETURN n"),
    ("a write in a comment", "MATCH (n) // DELETE n\nRETURN n"),
    ("a write in a long comment", "MATCH (n) /* SET n.x = 1 */ RETURN n"),
    ("a variable called start", "MATCH (start)-->(end) RETURN start, end"),
    ("an alias called load", "MATCH (n) WITH n.load AS load RETURN load"),
    ("an allowed procedure", "CALL db.labels() YIELD label RETURN label"),
    ("a trailing semicolon", "MATCH (n) RETURN n;"),
    ("unwind", "UNWIND [1, 2] AS x RETURN x"),
    ("a shortest path", "MATCH p = shortestPath((a)-[*..5]-(b)) RETURN p"),
    ("lower case", "match (n) return n"),
    ("a write in a quoted key", "MATCH (n) RETURN n.`SET x`, {`delete`: 1}"),
    ("an escaped quote", "MATCH (n) WHERE n.name = 'it\\'s; SET' RETURN n"),
    ("types called like clauses", "MATCH (n)-[:SET|CREATE]->(m) RETURN m"),
    ("an alias called delete", "MATCH (n) RETURN n.x AS delete"),
    ("a list comprehension", "MATCH (n) RETURN [x IN n.l WHERE x > 1.5 | x]"),
    ("an accent by its escape", "MATCH (n) WHERE n.name = '\\u0301' RETURN n"),
]

REFUSED = [
    ("create", "CREATE (x) RETURN x", "reads only"),
    ("merge", "MERGE (x:A {id: 1}) RETURN x", "reads only"),
    ("set", "MATCH (n) SET n.x = 1 RETURN n", "reads only"),
    ("detach delete", "MATCH (n) DETACH DELETE n", "reads only"),
    ("remove", "MATCH (n) REMOVE n.x RETURN n", "reads only"),
    ("foreach", "MATCH (n) FOREACH (x IN [1] | SET n.y = x)", "reads only"),
    ("a write in a subquery", "CALL { CREATE (:X) } RETURN 1", "reads only"),
    ("a write in a subquery with imports", "MATCH (n) CALL (n) { SET n.x = 1 } RETURN n", "reads only"),
    ("a write without spaces", "MATCH(n)SET n.x=1", "reads only"),
    ("a write after a comment", "MATCH (n) /**/ DELETE n", "reads only"),
    ("mixed case", "MaTcH (n) DeLeTe n", "reads only"),
    ("an index", "DROP INDEX foo", "reads only"),
    ("an insert", "MATCH (a) INSERT (b) RETURN b", "reads only"),
    ("a file", "LOAD CSV FROM 'file:///etc/hostname' AS r RETURN r", "no files"),
    ("a file in the middle", "MATCH (n) LOAD CSV FROM 'x' AS r RETURN r", "no files"),
    ("another database", "USE other MATCH (n) RETURN n", "one database"),
    ("a procedure that reads files", "CALL apoc.load.json('x') YIELD value RETURN value", "procedures"),
    ("a procedure in the middle", "MATCH (n) CALL apoc.load.json('x') YIELD value RETURN value", "procedures"),
    ("a quoted procedure", "CALL `apoc`.`load`.`json`('x')", "procedures"),
    ("an unknown procedure", "CALL my.own() YIELD x RETURN x", "procedures"),
    ("a function that runs text", "RETURN apoc.cypher.runFirstColumn('CREATE (n)', {})", "functions"),
    ("several statements", "MATCH (n) RETURN n; MATCH (m) RETURN m", "one statement"),
    ("a clause after an alias called as", "WITH 1 AS as CREATE (:X)", "reads only"),
    ("a clause glued to a number", "MATCH (n) WHERE n.x = 1SET n.x = 2", "reads only"),
    ("a clause after a number and a point", "MATCH (n) WHERE n.x = 1.CREATE (:X)", "reads only"),
    ("another database after a union", "MATCH (n) RETURN n UNION USE other MATCH (n) RETURN n", "one database"),
    ("a quote by its escape", "RETURN '\\u0027 CREATE (:X) //'", "no escapes"),
    ("a quote by a longer escape", "RETURN '\\uu0027 CREATE (:X) //'", "no escapes"),
    ("a plan of a write", "EXPLAIN CREATE (n)", "reads only"),
    ("a command", "SHOW DATABASES", "reads only"),
    ("a right", "GRANT ROLE x TO y", "reads only"),
    ("a constraint", "CREATE CONSTRAINT x", "reads only"),
    ("an open string", "MATCH (n) WHERE n.x = 'abc RETURN n", "parses"),
    ("an open comment", "MATCH (n) /* RETURN n", "parses"),
    ("prose", "show me the films", "reads only"),
    ("nothing", " // nothing", "one statement"),
]


@pytest.mark.parametrize("text", [c[1] for c in ALLOWED], ids=[c[0] for c in ALLOWED])
def test_reading_is_let_through(text: str) -> None:
    assert check_cypher(text)


@pytest.mark.parametrize(("text", "rule"), [c[1:] for c in REFUSED], ids=[c[0] for c in REFUSED])
def test_everything_else_is_refused_by_a_named_rule(text: str, rule: str) -> None:
    with pytest.raises(QueryRejected) as error:
        check_cypher(text)
    assert error.value.rule == rule


SCHEMA = GraphSchema(
    (
        NodeType("Crew", (), 1),
        NodeType("Vessel", (Property("name", "STRING"), Property("launched", "DATE")), 1),
        NodeType("Dock Worker", (Property("pier-no", "STRING"),), 1),
    ),
    (RelType("SERVES_ON", (Property("since", "INTEGER"),), 1), RelType("HAS KEY", (), 1)),
    (Edge("Crew", "SERVES_ON", "Vessel", 1), Edge("Dock Worker", "HAS KEY", "Vessel", 1)),
)

LINT = [
    ("right names", "MATCH (c:Crew)-[:SERVES_ON]->(v:Vessel) RETURN v", []),
    ("wrong case", "MATCH (v:vessel) RETURN v", ["No label 'vessel' in this graph. Did you mean 'Vessel'?"]),
    ("an unknown type", "MATCH ()-[:SERVE_ON]->() RETURN 1", ["No relationship type 'SERVE_ON' in this graph. Did you mean 'SERVES_ON'?"]),
    ("quoted names", "MATCH (d:`Dock Worker`)-[:`HAS KEY`]->() RETURN d", []),
    ("an unknown property", "MATCH (v:Vessel) RETURN v.nmae", ["No property 'nmae' in this graph. Did you mean 'name'?"]),
    ("an unknown property in a pattern", "MATCH (v:Vessel {Name: 'x'}) RETURN v", ["No property 'Name' in this graph. Did you mean 'name'?"]),
    ("an unknown property of a relationship", "MATCH ()-[r:SERVES_ON {sinse: 1}]-() RETURN r", ["No property 'sinse' in this graph. Did you mean 'since'?"]),
    ("a quoted property", "MATCH (d:`Dock Worker`) RETURN d.`pier-no`", []),
    ("a part of a date", "MATCH (v:Vessel) RETURN v.launched.year", []),
    ("a function of a library", "MATCH (v:Vessel) RETURN apoc.text.join([v.name], '')", []),
    ("keys of the query's own map", "MATCH (v:Vessel) WITH {label: v.name} AS m RETURN m.label", []),
    ("keys of a projection", "MATCH (v:Vessel) RETURN collect(v {.name, other: 1})", []),
    ("parts of a point", "RETURN point({longitude: 1, latitude: 2})", []),
    ("map keys are no labels", "MATCH (v:Vessel {name: 'x'}) RETURN {label: v.name}", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), [c[1:] for c in LINT], ids=[c[0] for c in LINT])
def test_lint_names_the_nearest_real_name(text: str, said: list[str]) -> None:
    assert lint_cypher(tokenize(text), SCHEMA) == said


DIRECTIONS = [
    ("as it is stored", "MATCH (c:Crew)-[:SERVES_ON]->(v:Vessel) RETURN v", False),
    ("the other way round", "MATCH (v:Vessel)-[:SERVES_ON]->(c:Crew) RETURN v", True),
    ("written from the right", "MATCH (v:Vessel)<-[:SERVES_ON]-(c:Crew) RETURN v", False),
    ("written from the right, wrong", "MATCH (c:Crew)<-[:SERVES_ON]-(v:Vessel) RETURN v", True),
    ("no direction asked", "MATCH (c:Crew)-[:SERVES_ON]-(v:Vessel) RETURN v", False),
]


@pytest.mark.parametrize(("text", "wrong"), [c[1:] for c in DIRECTIONS], ids=[c[0] for c in DIRECTIONS])
def test_a_direction_that_never_occurs_is_said(text: str, wrong: bool) -> None:
    said = wrong_directions(text, SCHEMA)
    assert bool(said) is wrong
    assert not wrong or "the graph has (:Crew)-[:SERVES_ON]->(:Vessel)" in said[0]
