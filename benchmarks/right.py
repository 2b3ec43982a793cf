"""Whether a trace's evidence is right for a sample of questions.jsonl."""

from __future__ import annotations

import datetime as dt
import decimal
import math
from collections.abc import Iterable, Mapping
from typing import Any

from core.encoding import from_json
from core.results import Bnode, Iri, Literal, Node, Outcome, Passage, Path, Rel, Trace

NUMERIC = ("integer", "decimal", "double", "float", "int", "long", "short", "nonNegativeInteger", "gYear")


def right(sample: Mapping[str, Any], trace: Trace) -> bool:
    """True when the evidence holds a gold answer and little else.

    Every row of one gold answer (need "any") or of each (need "all") has all its cells in one
    evidence item, and at most as many other items stand beside them as the gold has rows. A sample
    without gold is right when the outcome says that no source, or nothing found, answers.
    """
    golds = [[_cells(from_json(row)) for row in gold["answer"]] for gold in sample["gold"]]
    if not golds:
        return trace.outcome in (Outcome.NO_SOURCE, Outcome.NOTHING_ANSWERS)
    items = [_cells(item.value) for evidence in trace.evidence for item in evidence.items]
    found = [gold for gold in golds if all(any(_within(row, item) for item in items) for row in gold)]
    if len(found) < (len(golds) if sample["need"] == "all" else 1):
        return False
    rows = [row for gold in found for row in gold]
    others = sum(not any(_within(row, item) for row in rows) for item in items)
    return others <= len(rows)


def _within(row: list[object], item: list[object]) -> bool:
    return all(any(same(cell, other) for other in item) for cell in row)


def same(left: object, right_: object) -> bool:
    """Equality of two normalised cells; numbers within a relative 1e-6."""
    if isinstance(left, float) and isinstance(right_, float):
        return math.isclose(left, right_, rel_tol=1e-6, abs_tol=1e-9)
    return left == right_


def _cells(item: object) -> list[object]:
    match item:
        case Passage():
            return [item.id]
        case Path():
            return [cell for part in (*item.nodes, *item.rels) for cell in _cells(part)]
        case Node():
            return [item.id, *_flat(item.props.values())]
        case Rel():
            return [item.type, *_flat(item.props.values())]
        case tuple() | list():
            return [cell for part in item for cell in _cells(part)]
    return [normal(item)]


def _flat(values: Iterable[object]) -> list[object]:
    return [cell for value in values for cell in _cells(value)]


def normal(cell: object) -> object:
    """A cell as it is compared: numbers as floats, truth as 0 or 1, dates as ISO text, terms as their text."""
    match cell:
        case bool() | int() | float() | decimal.Decimal():
            return float(cell)
        case dt.date() | dt.time():
            return cell.isoformat()
        case Iri() | Bnode():
            return cell.value
        case Literal():
            return _literal(cell)
        case str():
            return _number(cell)
    return cell


def _literal(cell: Literal) -> object:
    kind = (cell.datatype or "").rsplit("#")[-1]
    if kind == "boolean":
        return float(cell.value in ("true", "1"))
    return _number(cell.value) if kind in NUMERIC or not kind else cell.value.strip()


def _number(text: str) -> object:
    try:
        value = float(text)
    except ValueError:
        return " ".join(text.split())
    return value if math.isfinite(value) else text
