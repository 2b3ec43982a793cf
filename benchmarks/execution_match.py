"""Whether a query returns what the gold query returns.

Rows are compared as a multiset, or in order where the gold query orders them. Columns may stand in
any order. Cells are compared as values: numbers within 1e-6, text without surrounding space, dates in
ISO form. `exact` allows no further columns; `match` lets the prediction show columns besides those
of the gold query (a name beside a count). A gold cell that is a whole node of a property graph is
matched by that node or by the property that names it, since both answer "which".

SPARQL results are compared as sets: the gold answers against any one column of the prediction, so
labels beside IRIs do not count.
"""

from __future__ import annotations

import datetime as dt
import decimal
import itertools
from collections import Counter
from collections.abc import Hashable, Sequence

from core.results import Iri, Literal, Node, Path, Paths, Payload, Rel, Rows, Truth, Value

_NAMES = ("name", "title", "productName", "companyName", "categoryName", "display_name", "ip", "orderID", "businessId")
_MAX_COLUMNS = 7


def cell(value: Value) -> Hashable:
    """A value in the form it is compared in."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int | float | decimal.Decimal):
        return round(float(value), 6)
    if isinstance(value, dt.date | dt.datetime):
        return value.isoformat()
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, Iri):
        return value.value
    if isinstance(value, Literal):
        return _literal(value)
    if isinstance(value, Node | Rel):
        return ("thing", value.id)
    if isinstance(value, Path):
        return tuple(cell(n) for n in value.nodes)
    if isinstance(value, tuple | list):
        return tuple(sorted((cell(v) for v in value), key=repr))
    return repr(value)


def _literal(value: Literal) -> Hashable:
    text = value.value.strip()
    try:
        return round(float(text), 6)
    except ValueError:
        return text.removesuffix("T00:00:00Z")


def named(value: Value) -> Hashable:
    """As `cell`, with a node replaced by the property that names it."""
    if isinstance(value, Node):
        found = next((value.props[k] for k in _NAMES if k in value.props), None)
        return cell(found) if found is not None else ("thing", value.id)
    return cell(value)


def _columns(payload: Payload) -> tuple[int, tuple[tuple[Value, ...], ...]]:
    if isinstance(payload, Rows | Paths):
        return len(payload.columns), tuple(tuple(i) for i in payload.items)
    if isinstance(payload, Truth):
        return 1, ((payload.value,),)
    return 0, ()


def rows_match(gold: Payload, given: Payload, ordered: bool) -> tuple[bool, bool]:
    """(exact, match) as the module says."""
    gold_width, gold_rows = _columns(gold)
    width, rows = _columns(given)
    if len(gold_rows) != len(rows) or width < gold_width or width > _MAX_COLUMNS:
        return False, False
    if not gold_rows:
        return width == gold_width, True
    gold_columns = [[r[i] for r in gold_rows] for i in range(gold_width)]
    columns = [[r[i] for r in rows] for i in range(width)]
    options = [[j for j in range(width) if _same_column(g, columns[j])] for g in gold_columns]
    if not all(options):
        return False, False
    for chosen in itertools.islice(itertools.product(*options), 500):
        if len(set(chosen)) == len(chosen) and _aligned(gold_columns, [columns[j] for j in chosen], ordered):
            return width == gold_width, True
    return False, False


def _forms(gold: Sequence[Value], given: Sequence[Value]) -> tuple[list[Hashable], list[Hashable]]:
    plain = any(isinstance(v, Node) for v in gold) and any(isinstance(v, Node) for v in given)
    form = cell if plain or not any(isinstance(v, Node) for v in [*gold, *given]) else named
    return [form(v) for v in gold], [form(v) for v in given]


def _same_column(gold: Sequence[Value], given: Sequence[Value]) -> bool:
    left, right = _forms(gold, given)
    return Counter(left) == Counter(right)


def _aligned(gold: list[list[Value]], given: list[list[Value]], ordered: bool) -> bool:
    pairs = [_forms(g, p) for g, p in zip(gold, given, strict=True)]
    left = list(zip(*(p[0] for p in pairs), strict=True))
    right = list(zip(*(p[1] for p in pairs), strict=True))
    return left == right if ordered else Counter(left) == Counter(right)


def answers_match(gold: set[Hashable], given: Payload) -> bool:
    """Whether any column of a SPARQL result is the set of gold answers."""
    if isinstance(given, Truth):
        return gold == {int(given.value)}
    width, rows = _columns(given)
    return any({cell(r[i]) for r in rows if r[i] is not None} == gold for i in range(width)) if rows else not gold
