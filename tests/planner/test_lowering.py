"""Laws of the lowerings: whatever the logical query, its text passes the source's own guard."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.planner.cypher import to_cypher
from core.planner.logical import Field, Filter, Func, Hop, Logical, Measure, Op, Order, Var
from core.planner.sparql import to_sparql
from core.planner.sql import to_sql
from core.planner.views import concept_of
from core.sources.base import (
    Column,
    Edge,
    ForeignKey,
    GraphSchema,
    NodeType,
    Property,
    RdfClass,
    RdfPredicate,
    RdfSchema,
    RelType,
    SqlSchema,
    Table,
)  # fmt: skip
from core.sources.guards.cypher import check_cypher
from core.sources.guards.sparql import check_sparql
from core.sources.guards.sql import check_sql

XSD = "http://www.w3.org/2001/XMLSchema#"
TABLES = SqlSchema(
    "sqlite",
    (
        Table("order", (Column("id", "INTEGER"), Column("group", "TEXT"), Column("dock id", "INTEGER")), ("id",),
              (ForeignKey(("dock id",), "Dock Worker", ("id",)),)),
        Table("Dock Worker", (Column("id", "INTEGER"), Column("pay", "TEXT", numeric_text=True)), ("id",)),
    ),
)  # fmt: skip
LABELS = GraphSchema(
    (NodeType("order", (Property("group", "STRING"), Property("id", "INTEGER")), 3),
     NodeType("Dock Worker", (Property("pay", "STRING", ("12", "9")), Property("id", "INTEGER")), 2)),
    (RelType("HAS KEY", (Property("pier-no", "INTEGER"),), 3),),
    (Edge("order", "HAS KEY", "Dock Worker", 3),),
)  # fmt: skip
CLASSES = RdfSchema(
    {},
    (RdfClass("urn:Order", "order", 3), RdfClass("urn:Worker", "worker", 2)),
    (RdfPredicate("urn:has", "has", 3, ("urn:Order",), ("urn:Worker",)),
     RdfPredicate("urn:group", "group", 3, ("urn:Order",), datatype=XSD + "string"),
     RdfPredicate("urn:id", "id", 3, ("urn:Order",), datatype=XSD + "integer"),
     RdfPredicate("urn:pay", "pay", 3, ("urn:Worker",), datatype=XSD + "string", samples=("12", "9"))),
    "http://www.w3.org/2000/01/rdf-schema#label",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
)  # fmt: skip

words = st.text(min_size=0, max_size=30)
numbers = st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False, width=32)
text_filters = st.tuples(st.sampled_from([Op.EQ, Op.NE, Op.CONTAINS, Op.STARTS, Op.ENDS]), words)
number_filters = st.tuples(st.sampled_from([Op.EQ, Op.LT, Op.GE, Op.GT, Op.LE]), numbers)


@st.composite
def queries(draw: st.DrawFn, order: str, worker: str, edges: tuple[str, ...], keys: tuple[str, str, str]) -> Logical:
    """A query over one thing or two joined ones."""
    group, number, pay = keys
    joined = draw(st.booleans())
    variables = [Var("a", order)] + ([Var("b", worker)] if joined else [])
    hops = [Hop(edges[0], "a", "b")] if joined and len(edges) == 1 else []
    if joined and len(edges) == 3:
        variables.append(Var("link", edges[2]))
        hops = [Hop(edges[0], "link", "a"), Hop(edges[1], "link", "b")]
    op, text = draw(text_filters)
    compare, value = draw(number_filters)
    filters = [Filter(Field("a", group), op, (text,)), Filter(Field("a", number), compare, (value,))]
    counts = draw(st.booleans())
    ask = not counts and draw(st.booleans())
    measure = Measure(
        draw(st.sampled_from([Func.COUNT, Func.MAX, Func.AVG])), Field("b", pay) if joined else Field("a", number)
    )
    return Logical(
        tuple(variables), () if ask else (Field("a", group), measure) if counts else (Field("a", group),), tuple(hops),
        tuple(filters), groups=(Field("a", group),) if counts else (),
        having=(Filter(measure, Op.GT, (1,)),) if counts and draw(st.booleans()) else (),
        order=() if ask else (Order(measure if counts else Field("a", number), draw(st.booleans())),),
        limit=None if ask else draw(st.none() | st.integers(1, 10)), ask=ask,
    )  # fmt: skip


@given(queries("order", "Dock Worker", ("order.dock id>Dock Worker#0",), ("group", "id", "pay")))
def test_sql_passes_its_guard(query: Logical) -> None:
    verdict = check_sql(to_sql(query, concept_of(TABLES)))
    assert verdict


@given(queries("urn:Order", "urn:Worker", ("urn:Order urn:has urn:Worker",), ("urn:group", "urn:id", "urn:pay")))
def test_sparql_passes_its_guard(query: Logical) -> None:
    assert check_sparql(to_sparql(query, concept_of(CLASSES)), {})


LINK = "order|HAS KEY|Dock Worker"


@given(queries("order", "Dock Worker", (f"{LINK}.start", f"{LINK}.end", LINK), ("group", "id", "pay")))
def test_cypher_passes_its_guard(query: Logical) -> None:
    assert check_cypher(to_cypher(query, concept_of(LABELS)))


def test_a_filter_with_the_wrong_number_of_values_is_refused() -> None:
    with pytest.raises(ValueError, match="between takes 2 values, not 1"):
        Logical((Var("a", "order"),), (Field("a"),), filters=(Filter(Field("a", "id"), Op.BETWEEN, (1,)),))


def test_a_field_of_an_unknown_variable_is_refused() -> None:
    with pytest.raises(ValueError, match="No variable is named 'z'"):
        Logical((Var("a", "order"),), (Field("z"),))
