"""Whether others share the last place of a first few: which film won the most, when three won as many."""

from __future__ import annotations

from core.planner import Further
from core.results import Literal, Paths, Rows
from core.sources.base import Source
from core.stages.agreement import try_query

NAMED = 4
"""Things that are named; the rest are only said to be there."""


def tie_note(further: Further | None, source: Source) -> str:
    """Who shares the last place of the first few that a query asks for; empty where nobody does."""
    if further is None:
        return ""
    tried = try_query(further.text, source)
    payload = tried.payload if tried else None
    if not isinstance(payload, Rows | Paths) or len(payload.items) <= further.first:
        return ""
    rows = [row for row in payload.items if isinstance(row, tuple) and row]
    last, after = rows[further.first - 1][-1], rows[further.first][-1]
    if last is None or last != after:
        return ""
    # Which of them comes back is up to the engine, so all are named.
    equal = [row for row in rows if row[-1] == last]
    names = list(dict.fromkeys(name for row in equal if (name := _name(row))))
    place = "The first place" if further.first == 1 else f"Place {further.first}"
    if not names:
        return f"{place} is shared by several."
    more = len(names) > NAMED or rows[-1][-1] == last
    return f"{place} is shared by {', '.join(names[:NAMED])}{' and others' if more else ''}."


def _name(row: tuple[object, ...]) -> str:
    for cell in row[:-1]:
        if isinstance(cell, str | Literal):
            return cell.value if isinstance(cell, Literal) else cell
    return ""
