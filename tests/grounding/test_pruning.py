"""Schema pruning: what a question is about stays, and what stays can be joined."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from core.grounding.pruning import MOST_TABLES, Pruned, joins_of, prune_schema
from core.results import Grounding, Match, Place, SchemaLink
from core.settings import Settings
from core.sources.base import Column, ForeignKey, SqlSchema, Table

SETTINGS = Settings(home=Path("/nowhere"))
WORDS_ALONE = Settings(home=Path("/nowhere"), encoder="/no/such/encoder")


def table(name: str, *columns: str, to: tuple[str, ...] = ()) -> Table:
    """A table with a key of its own and declared keys to other tables."""
    keys = tuple(ForeignKey((f"{other}_id",), other, (f"{other}_id",)) for other in to)
    own = (f"{name}_id", *columns, *(f"{other}_id" for other in to))
    return Table(name, tuple(Column(c, "TEXT") for c in own), (f"{name}_id",), keys)


def chain(length: int) -> SqlSchema:
    """surgeon joins link_1 joins link_2 ... joins ward, among many tables about other things."""
    links = [f"link_{n}" for n in range(1, length + 1)]
    joined = [table("surgeon", "name"), *(table(n, to=(p,)) for n, p in zip(links, ["surgeon", *links], strict=False))]
    others = [table(f"invoice_part_{n}", "amount", "currency") for n in range(60)]
    return SqlSchema("sqlite", (*others, *joined, table("ward", "name", to=(links[-1],))))


def connected(pruned: Pruned, schema: SqlSchema, start: str) -> set[str]:
    """Kept tables that can be reached from `start` over kept tables alone."""
    joins, kept = joins_of(schema), {t.name for t in pruned.tables}
    found, queue = {start}, [start]
    while queue:
        for other in joins[queue.pop()]:
            if other in kept and other not in found:
                found.add(other)
                queue.append(other)
    return found


QUESTION = "Which surgeon works on which ward?"
NAMED = Grounding(
    "h",
    elements=(SchemaLink("surgeon", Place("surgeon"), "surgeon", 1.0), SchemaLink("ward", Place("ward"), "ward", 1.0)),
)


@pytest.mark.parametrize("settings", [SETTINGS, WORDS_ALONE], ids=["with the encoder", "words alone"])
@pytest.mark.parametrize("length", [1, 2, 3])
def test_tables_that_join_two_named_ones_are_kept(settings: Settings, length: int) -> None:
    schema = chain(length)
    pruned = prune_schema(QUESTION, schema, NAMED, settings)
    assert len(pruned.tables) <= MOST_TABLES
    assert "ward" in connected(pruned, schema, "surgeon")
    assert {f"link_{n}" for n in range(1, length + 1)} <= pruned.joining
    assert set(pruned.left_out) == {t.name for t in schema.tables} - {t.name for t in pruned.tables}


def test_every_prefix_of_what_is_kept_is_connected() -> None:
    random.seed(3)
    names = [f"t{n}" for n in range(80)]
    schema = SqlSchema(
        "sqlite", tuple(table(n, to=(random.choice(names[:i]),) if i else ()) for i, n in enumerate(names))
    )
    links = tuple(SchemaLink(n, Place(n), n, 1.0) for n in random.sample(names, 5))
    pruned = prune_schema("t", schema, Grounding("x", elements=links), WORDS_ALONE)
    for end in range(1, len(pruned.tables) + 1):
        prefix = Pruned(pruned.tables[:end])
        assert len(connected(prefix, schema, prefix.tables[0].name)) == end


def test_a_table_that_holds_a_named_value_is_kept() -> None:
    schema = chain(1)
    values = (Match("Heron", "Heron", "Heron", Place("ward", "name"), 1.0),)
    assert prune_schema("How many on Heron?", schema, Grounding("h", values), WORDS_ALONE).tables[0].name == "ward"


def test_joins_are_found_by_equal_names_where_no_key_is_declared() -> None:
    orders = Table("orders", (Column("order_no", "TEXT"), Column("client_no", "TEXT")), ("order_no",))
    clients = Table("clients", (Column("client_no", "TEXT"),), ("client_no",))
    loose = Table("loose", (Column("id", "INTEGER"),), ("id",))
    joins = joins_of(SqlSchema("sqlite", (orders, clients, loose)))
    assert set(joins["orders"]) == {"clients"} and not joins["loose"]


def test_what_a_query_to_be_repaired_names_is_kept() -> None:
    schema = chain(1)
    pruned = prune_schema(QUESTION, schema, NAMED, WORDS_ALONE, spoken_of="SELECT amount FROM invoice_part_17")
    assert pruned.tables[0].name == "invoice_part_17"


def test_tables_that_nothing_joins_do_not_hinder() -> None:
    lone = SqlSchema("sqlite", tuple(Table(f"t{n}", (Column("a", "TEXT"),)) for n in range(40)))
    assert len(prune_schema("anything?", lone, Grounding("x"), WORDS_ALONE).tables) == MOST_TABLES
