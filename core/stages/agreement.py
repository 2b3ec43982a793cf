"""Which of several queries for one question to keep: each is run, and what comes back decides."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.encoding import payload_items
from core.errors import OmniError
from core.planner import Plan
from core.results import NativeQuery, Origin, Payload, Returned, Rows, Truth
from core.sources.base import Source
from core.stages.expected import Expected, expected

SECONDS = 2.0
"""Longest run of a query that is only tried."""
PATIENT = 0.3
"""Seconds that a query may take for others to be run beside it: other readings, or who shares the first place."""
ITEMS = 200
"""Items of a tried query that are looked at."""
FITS = 1.0
"""Weight of a result of the form that the question asks for."""
HOLDS = 1.5
"""Weight of a result that is not empty."""
AGREES = 0.35
"""Weight of each other query with the same result."""
LATER = 0.25
"""What each place further back in the planner's own order costs, up to four places."""
LEFT_OUT = 0.3
"""What each word of the question that a query leaves out costs."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A query that was run to be judged; None where it failed."""

    plan: Plan
    returned: Returned | None

    @property
    def payload(self) -> Payload | None:
        """What came back."""
        return self.returned.payload if self.returned else None


@dataclass(frozen=True, slots=True)
class Kept:
    """The plan that is kept, a remark when it is not the likeliest, and its whole result where it was run."""

    plan: Plan
    note: str = ""
    returned: Returned | None = None


def keep_one(question: str, source: Source, plans: Sequence[Plan]) -> Kept:
    """The plan whose result fits best.

    Each is run once, read-only and for at most two seconds: what is empty, of another form than the question
    asks for, or fails, gives way; plans with one result support each other. Where the first one takes long,
    no other is tried.
    """
    if len(plans) == 1:
        return Kept(plans[0])
    began = time.monotonic()
    tried = [Tried(plans[0], try_query(plans[0].text, source))]
    if time.monotonic() - began > PATIENT:
        return Kept(plans[0], "", _whole(tried[0].returned))
    tried += [Tried(plan, try_query(plan.text, source)) for plan in plans[1:]]
    results = [_key(t.payload) for t in tried]
    wanted = expected(question)
    scores = [
        _score(t, at, wanted) + AGREES * (results.count(results[at]) - 1 if t.payload is not None else 0)
        for at, t in enumerate(tried)
    ]
    best = max(range(len(plans)), key=lambda at: (scores[at], -at))
    said = f"Read in {len(plans)} ways; the likeliest {_fault(tried[0], wanted)}, so another was kept." if best else ""
    return Kept(plans[best], said, _whole(tried[best].returned))


def _whole(returned: Returned | None) -> Returned | None:
    """A result that the limits of trying did not cut."""
    return returned if returned and not returned.truncated and len(returned.payload.items) < ITEMS else None


def try_query(text: str, source: Source) -> Returned | None:
    """What a query returns within two seconds, at most 200 items of it; None where it fails."""
    query = NativeQuery(source.card.id, source.card.language, text, Origin.GENERATED)
    limits = replace(
        source.limits, seconds=min(SECONDS, source.limits.seconds), max_items=min(ITEMS, source.limits.max_items)
    )
    try:
        return source.run(query, limits)
    except OmniError:
        return None


def _key(payload: Payload | None) -> frozenset[str]:
    items = payload_items(payload) if payload is not None else ()
    return frozenset(json.dumps(item, sort_keys=True, ensure_ascii=False, default=str) for item in items)


def _score(tried: Tried, at: int, wanted: Expected) -> float:
    if tried.payload is None:
        return -10.0
    score = FITS * _fits(tried.payload, wanted) + HOLDS * (not _empty(tried.payload))
    return score - LATER * min(at, 4) - LEFT_OUT * len(tried.plan.left_out)


def _empty(payload: Payload) -> bool:
    if isinstance(payload, Truth):
        return False
    rows = payload_items(payload)
    return not rows or (isinstance(payload, Rows) and all(c in (None, 0) for row in rows for c in row))


def _fits(payload: Payload, wanted: Expected) -> bool:
    if wanted is Expected.TRUTH:
        return isinstance(payload, Truth) or _single(payload) in (0, 1, True, False)
    if wanted is Expected.NUMBER:
        return isinstance(payload, Rows) and _number(payload)
    return not isinstance(payload, Truth)


def _single(payload: Payload) -> object:
    rows = payload_items(payload)
    return rows[0][0] if isinstance(payload, Rows) and len(rows) == 1 and len(rows[0]) == 1 else None


def _number(payload: Payload) -> bool:
    """Whether every row has a number, or a text that is one."""

    def numeric(cell: object) -> bool:
        text = cell.get("$literal", cell.get("$decimal", "")) if isinstance(cell, dict) else cell
        return str(text).replace(".", "", 1).replace("-", "", 1).isdigit()

    rows = payload_items(payload)
    return bool(rows) and all(any(numeric(c) for c in row) for row in rows)


def _fault(tried: Tried, wanted: Expected) -> str:
    if tried.payload is None:
        return "failed"
    if _empty(tried.payload):
        return "found nothing"
    return f"gave no {wanted.value}" if not _fits(tried.payload, wanted) else "stood alone"
