"""Why a SQL query may have found nothing: values that its columns do not hold as they are written."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any

from core.results import Match
from core.sources.base import Column
from core.sources.guards.sql_names import UsedColumn
from core.sources.values import ValueIndex

MOST_NEAR = 4
MOST_LISTED = 6
LONGEST_CODE = 3
"""A column with so few and such short values is told whole where a query asks for another."""


def why_empty(used: Sequence[UsedColumn], values: ValueIndex | None) -> list[str]:
    """For each text that a column was compared with and that it does not hold, what it holds instead."""
    return [hint for column in used if column.meant for hint in _of_column(column, values)]


def _of_column(column: UsedColumn, values: ValueIndex | None) -> Iterator[str]:
    table, stored = column.meant or (None, None)
    if table is None or stored is None:
        return
    where = f"{table.name}.{stored.name}"
    for wanted, is_pattern in _compared_with(column.node):
        if is_pattern and _holds_like(stored, wanted):
            continue
        probed = values.probe([wanted]) if values is not None else []
        near = [m for m in probed if (m.place.owner, m.place.field) == (table.name, stored.name)]
        if any(m.value == wanted for m in near) or wanted in stored.samples:
            continue
        if is_pattern and any(wanted.casefold() in str(m.value).casefold() for m in near):
            continue
        elsewhere = dict.fromkeys(f"{m.place.owner}.{m.place.field}" for m in probed if m.value == wanted)
        if elsewhere:
            yield f"{where} has no {wanted!r}. It stands in {', '.join(list(elsewhere)[:MOST_NEAR])}."
        elif near:
            yield f"{where} has no {wanted!r}. Stored: {_listed(near)}."
        elif _holds_codes(stored):
            yield f"{where} has no {wanted!r}. It holds {', '.join(repr(s) for s in stored.samples)}."
    if folded := _never_equal(column.node):
        yield folded


def _holds_codes(column: Column) -> bool:
    """Whether a column holds a few short codes, such as F and M: what a question says in words."""
    few = column.distinct and column.distinct <= MOST_LISTED and len(column.samples) >= column.distinct
    return bool(few) and all(len(str(s)) <= LONGEST_CODE for s in column.samples)


def _holds_like(column: Column, wanted: str) -> bool:
    return any(wanted.casefold() in str(s).casefold() for s in column.samples)


def _compared_with(node: Any) -> list[tuple[str, bool]]:
    """Texts that a column is compared with, and whether as the fixed part of a pattern."""
    from sqlglot import exp

    while isinstance(node.parent, exp.Lower | exp.Upper | exp.Trim | exp.Collate | exp.Paren):
        node = node.parent
    parent = node.parent
    if isinstance(parent, exp.Like | exp.ILike) and parent.this is node and isinstance(parent.expression, exp.Literal):
        fixed = parent.expression.this.strip("%")
        return [(fixed, True)] if fixed.strip() and not set(fixed) & set("%_") else []
    if isinstance(parent, exp.EQ | exp.Is):
        others = [parent.this, parent.expression]
    elif isinstance(parent, exp.In) and parent.this is node:
        others = list(parent.expressions)
    else:
        return []
    texts = [o.this for o in others if isinstance(o, exp.Literal) and o.is_string]
    texts += [o.name for o in others if isinstance(o, exp.Column) and o is not node and o.this.quoted and not o.table]
    return [(text, False) for text in texts if text.strip()]


def _never_equal(node: Any) -> str:
    """What to say of lower(x) = 'Heron', which nothing is."""
    from sqlglot import exp

    changed, parent = node.parent, node.parent.parent
    if not isinstance(changed, exp.Lower | exp.Upper) or not isinstance(parent, exp.EQ):
        return ""
    other = parent.expression if parent.this is changed else parent.this
    if not isinstance(other, exp.Literal) or not other.is_string:
        return ""
    fits = other.this.lower() if isinstance(changed, exp.Lower) else other.this.upper()
    name = "lower" if isinstance(changed, exp.Lower) else "upper"
    return "" if fits == other.this else f"{name}(...) is never {other.this!r}: compare it with {fits!r}."


def _listed(near: Sequence[Match]) -> str:
    texts = dict.fromkeys(unicodedata.normalize("NFC", str(m.value)) for m in near)
    return ", ".join(repr(t) for t in list(texts)[:MOST_NEAR])
