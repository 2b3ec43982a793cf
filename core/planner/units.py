"""Numbers of a question in the unit that an attribute is kept in."""

from __future__ import annotations

import calendar
from collections.abc import Sequence

from core.planner.concept import Attribute
from core.planner.logical import Op
from core.planner.mentions import Mention
from core.results import Value

_MILLIONS = frozenset({"musd", "meur", "mgbp", "million", "millions", "mio", "mn"})
DURATION = "DURATION"
"""The Cypher type of a length of time."""
_THOUSANDS = frozenset({"thousand", "thousands", "kusd", "keur"})
_MINUTES = frozenset({"runtime", "duration", "length", "minutes", "minute", "min", "mins"})


def in_unit(value: Value, mention: Mention, attribute: Attribute) -> Value:
    """`value` as the attribute keeps it: 200 million is 200 in a column of millions, three hours are 180 minutes.

    Hours become minutes where the attribute's name says minutes, or its samples are longer than a day of hours.
    """
    if not isinstance(value, int | float) or isinstance(value, bool):
        return value
    words = set(attribute.words) | ({"duration"} if attribute.native.upper() == DURATION else set())
    large = abs(value) >= 100_000
    if words & _MILLIONS and large:
        return _whole(value / 1_000_000)
    if words & _THOUSANDS and abs(value) >= 1_000 and mention.unit:
        return _whole(value / 1_000)
    if mention.unit in ("hour", "hours") and words & _MINUTES and _in_minutes(attribute):
        return _whole(value * 60)
    return value


def month_range(op: Op, values: Sequence[str]) -> tuple[Op, tuple[str, ...]]:
    """A comparison with a month (2024-06) as one with its first and last day."""
    first = [v if len(v) > 7 else f"{v}-01" for v in values]
    last = [v if len(v) > 7 else f"{v}-{calendar.monthrange(int(v[:4]), int(v[5:7]))[1]:02}" for v in values]
    if op is Op.EQ:
        return Op.BETWEEN, (first[0], last[0])
    if op is Op.BETWEEN:
        return op, (first[0], last[1])
    return op, tuple(last if op in (Op.GT, Op.LE) else first)


def _in_minutes(attribute: Attribute) -> bool:
    if attribute.native.upper() == DURATION:
        return True  # lengths of time are compared by their minutes
    numbers = [s for s in attribute.samples if isinstance(s, int | float)]
    return bool(set(attribute.words) & {"minutes", "minute", "min", "mins"}) or any(n > 24 for n in numbers)


def _whole(value: float) -> Value:
    return int(value) if float(value).is_integer() else value
